/** Small real matrices, which are worked on by plain loops: the bits of the same work in blocks. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { cholesky, lu } from "../../../../lib/backends/binary/linalg/direct";
import { zeroLines, type Lines } from "../../../../lib/backends/binary/linalg/lines";
import { workPlainly, type Workshop } from "../../../../lib/backends/binary/linalg/loops";
import { qr } from "../../../../lib/backends/binary/linalg/reflections";
import { tries } from "../../../effort";

const entry = fc.oneof(
  fc.constantFrom(0, -0, 1, -1),
  fc.double({ noNaN: true, min: -1e3, max: 1e3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const matrices = fc
  .integer({ min: 1, max: 20 })
  .chain((n) => fc.array(entry, { minLength: n * n, maxLength: n * n }))
  .map((entries) => Float64Array.from(entries));

/** All digits, and zeros by their signs; NaN is one, whichever bits an engine gives it. */
const digitsOf = (parts: readonly (Float64Array | Int32Array)[]): string =>
  parts.map((part) => Array.from(part, (x) => (Object.is(x, -0) ? "-0" : String(x))).join(" ")).join("; ");

/** What work on a matrix leaves, or what it says. */
function outcome(
  on: Workshop,
  entries: Float64Array,
  work: (a: Lines) => readonly (Float64Array | Int32Array)[],
): string {
  const n = Math.sqrt(entries.length);
  const a = zeroLines(on, n, n, false);
  a.re.set(entries);
  try {
    return digitsOf(work(a));
  } catch (error) {
    return String(error);
  }
}

function expectSame(entries: Float64Array, work: (a: Lines) => readonly (Float64Array | Int32Array)[]): void {
  const small = workPlainly((on) => outcome(on, entries, work));
  // Careful work goes by blocks at any size; here on loops that leave nothing out.
  const blocked = workPlainly((on) => outcome({ ...on, isCareful: true }, entries, work));
  expect(small).toBe(blocked);
}

it("lu", () => {
  const parts = (a: Lines) => {
    const { order, l, u } = lu(a);
    return [order, l.re, u.re];
  };
  fc.assert(
    fc.property(matrices, (entries) => expectSame(entries, parts)),
    { numRuns: tries(300) },
  );
});

it("qr", () => {
  const columns = fc.tuple(matrices, fc.integer({ min: 1, max: 20 }));
  fc.assert(
    fc.property(columns, fc.boolean(), ([entries, most], isComplete) => {
      const parts = (a: Lines) => {
        const width = Math.min(most, a.count);
        const part = zeroLines(a.on, a.count, width, false);
        for (let i = 0; i < a.count; i++) part.re.set(a.re.subarray(i * a.length, i * a.length + width), i * width);
        const { q, r } = qr(part, isComplete ? a.count : width);
        return [q.re, r.re];
      };
      expectSame(entries, parts);
    }),
    { numRuns: tries(300) },
  );
});

it("cholesky, of definite matrices and others", () => {
  const definite = matrices.map((entries) => {
    const n = Math.sqrt(entries.length);
    return entries.map((x, k) => (Math.abs(x) > 1e3 ? 1 : x) + (k % (n + 1) === 0 ? 2e3 * n : 0));
  });
  const part = (a: Lines) => [cholesky(a).re];
  fc.assert(
    fc.property(fc.oneof(matrices, definite), (entries) => expectSame(entries, part)),
    { numRuns: tries(300) },
  );
});
