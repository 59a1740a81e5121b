/** Small real matrices, which are worked on by plain loops: the bits of the same work in blocks. */
import fc from "fast-check";
import { expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { cholesky, lu, triangularSolve } from "../../../../lib/backends/binary/linalg/direct";
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
const digitsOf = (parts: readonly Float64Array[]): string =>
  parts.map((part) => Array.from(part, (x) => (Object.is(x, -0) ? "-0" : String(x))).join(" ")).join("; ");

/** What work on a matrix leaves, or what it says. */
function outcome(on: Workshop, entries: Float64Array, work: (a: Lines) => readonly Float64Array[]): string {
  const n = Math.sqrt(entries.length);
  const a = zeroLines(on, n, n, false);
  a.re.set(entries);
  try {
    return digitsOf(work(a));
  } catch (error) {
    return String(error);
  }
}

function expectSame(entries: Float64Array, work: (a: Lines) => readonly Float64Array[]): void {
  const small = workPlainly((on) => outcome(on, entries, work));
  // Careful work goes by blocks at any size; here on loops that leave nothing out.
  const blocked = workPlainly((on) => outcome({ ...on, isCareful: true, wholeTo: 0 }, entries, work));
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
  const part = (a: Lines) => {
    if (a.count > a.on.wholeTo) return [cholesky(a).re];
    const l = new Float64Array(a.re.length);
    expect(a.on.whole.cholesky(a.re, l, 0, a.count, "f64")).toBe(true);
    return [l];
  };
  const hermitian = (entries: Float64Array): Float64Array => {
    const n = Math.sqrt(entries.length);
    return entries.map((_, k) => entries[Math.max(k, (k % n) * n + Math.floor(k / n))]!);
  };
  fc.assert(
    fc.property(fc.oneof(matrices, definite), (entries) => expectSame(hermitian(entries), part)),
    { numRuns: tries(300) },
  );
});

it("triangular systems, in all directions", () => {
  const systems = fc.tuple(matrices, fc.integer({ min: 1, max: 3 }), fc.boolean(), fc.boolean());
  fc.assert(
    fc.property(systems, ([entries, width, lower, isPlain]) => {
      expectSame(entries, (a) => {
        const b = zeroLines(a.on, a.count, width, false);
        for (let k = 0; k < b.re.length; k++) b.re[k] = entries[k % entries.length]! + k;
        return [triangularSolve(a, b, { lower, transform: isPlain ? "none" : "transpose" }).re];
      });
    }),
    { numRuns: tries(300) },
  );
});

it("matrices of a batch are those that each is alone, also beside one that is not finite", () => {
  const work: readonly ((a: Nx.Tensor, b: Nx.Tensor) => readonly Nx.Tensor[])[] = [
    (a) => [Nx.LinAlg.cholesky(a)],
    (a) => Nx.LinAlg.lu(a),
    (a, b) => [Nx.LinAlg.triangularSolve(a, b)],
    (a, b) => [Nx.LinAlg.triangularSolve(a, b, { lower: false, transformA: "transpose" })],
    (a, b) => [Nx.LinAlg.solve(a, b)],
  ];
  for (const backend of ["binary", "wasm"]) {
    for (const [count, n, width, spoilt] of [
      [700, 2, 3, -1],
      [9, 16, 2, 8],
      [5, 17, 1, 0],
      [40, 9, 4, 3],
    ] as const) {
      Nx.withDefaultBackend(backend, () => {
        const key = Nx.Random.key(n);
        const half = Nx.Random.normalSplit(key, { shape: [count, n, n], type: "f32" }).tril();
        const matrices = half.add(Nx.swapAxes(half, 1, 2)).add(Nx.eye(n).multiply(4 * n));
        const isSpoilt = Nx.iota([count, 1, 1]).equal(spoilt);
        const sides = Nx.where(
          isSpoilt,
          Infinity,
          Nx.Random.normalSplit(Nx.Random.foldIn(key, 1), { shape: [count, n, width] }),
        );
        for (const fn of work) {
          const alone = Array.from({ length: count }, (_, i) => fn(matrices.at(i), sides.at(i)));
          fn(matrices, sides).forEach((all, k) => {
            expect(all.equals(Nx.stack(alone.map((parts) => parts[k]!)))).toBe(true);
          });
        }
      });
    }
  }
});

it("errors of a batch are those of the matrix", () => {
  const two = (second: readonly number[][]) => Nx.stack([Nx.eye(2), Nx.f32(second)]);
  expect(() => Nx.LinAlg.cholesky(two([[1, 2], [2, 1]]))).toThrow("the leading 2x2 block of this 2x2 matrix is not (pivot -3)"); // prettier-ignore
  expect(() => Nx.LinAlg.cholesky(two([[1, 2], [0, 1]]))).toThrow("element [0][1] of this 2x2 matrix is 2 and element [1][0] is 0"); // prettier-ignore
  expect(() => Nx.LinAlg.triangularSolve(two([[1, 0], [2, 0]]), Nx.ones([2, 2]))).toThrow("element 1 of the diagonal of the 2x2 triangle is 0"); // prettier-ignore
});
