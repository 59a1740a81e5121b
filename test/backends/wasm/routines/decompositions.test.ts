/** Routines of small systems of equations: bit for bit the primitive of the reference, and failures where it raises or goes another way. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { binaryBackend } from "../../../../lib/backends/binary";
import { routineOf } from "../../../../lib/backends/wasm/routines";
import type { AttrsOf } from "../../../../lib/backends/wasm/routines/make";
import type { DType } from "../../../../lib/core/types";
import { tries } from "../../../effort";
import * as s from "../../binary/support";
import { expectFailure, expectRoutine, filled, resultsOf, template } from "./support";

const FLOATS: readonly DType[] = ["f64", "f32", "f16", "bf16"];
const type = fc.constantFrom(...FLOATS);
const batches = fc.array(fc.constantFrom(1, 2, 3), { maxLength: 2 });
const LU = { op: "lu" } as const;

const sizes = fc.record({ type, batch: batches, n: fc.integer({ min: 1, max: 8 }), seed: fc.nat(2 ** 30) });

const decomposed = (of: DType, shape: readonly number[]) => [
  template(of, shape),
  template(of, shape),
  template(of, shape),
];

it("LU, with rows of several pivots and of equal ones", () => {
  fc.assert(
    fc.property(sizes, fc.constantFrom("plain" as const, "few" as const), ({ type, batch, n, seed }, mood) => {
      const shape = [...batch, n, n];
      // A number that is added to zeros makes them positive.
      const x = s.run(
        "binary",
        type,
        shape,
        [filled(type, shape, seed, mood), s.fromNumbers(type, shape, new Array<number>(s.sizeOf(shape)).fill(0))],
        { op: "add", type },
      );
      expectRoutine("linalg", decomposed(type, shape), [x], LU, { exact: true });
    }),
    { numRuns: tries(300) },
  );
});

it("substitution, from either side", () => {
  const triangles = fc.record({
    of: sizes,
    width: fc.constantFrom(1, 2, 3, 5, 8, 9, 17),
    lower: fc.boolean(),
    transform: fc.constantFrom("none" as const, "transpose" as const, "adjoint" as const),
  });
  fc.assert(
    fc.property(triangles, ({ of: { type, batch, n, seed }, width, lower, transform }) => {
      const [a, b] = [
        filled(type, [...batch, n, n], seed, "plain"),
        filled(type, [...batch, n, width], seed + 1, "plain"),
      ];
      const attrs = { op: "triangularSolve", lower, transform } as const;
      expectRoutine("linalg", [template(type, b.shape)], [a, b], attrs, { exact: true });
    }),
    { numRuns: tries(300) },
  );
});

it("a singular triangle is a failure", () => {
  const [a, b] = [s.fromNumbers("f32", [2, 2], [1, 2, 3, 0]), s.fromNumbers("f32", [2, 1], [1, 2])];
  const attrs = { op: "triangularSolve", lower: true, transform: "none" } as const;
  expect(() => resultsOf(binaryBackend, "linalg", [b], [a, b], attrs)).toThrow("singular");
  expectFailure("linalg", [b], [a, b], attrs);
});

it.each([NaN, Infinity, -0])("matrices with %d are left to the primitive", (odd) => {
  for (const at of [0, 3, 8]) {
    const x = s.fromNumbers(
      "f32",
      [3, 3],
      Float64Array.from({ length: 9 }, (_, i) => (i === at ? odd : i + 1)),
    );
    expectFailure("linalg", decomposed("f32", [3, 3]), [x], LU);
  }
});

it("a matrix of which all is 0 has itself for u", () => {
  const x = s.fromNumbers("f64", [3, 3], new Array<number>(9).fill(0));
  expectRoutine("linalg", decomposed("f64", [3, 3]), [x], LU, { exact: true });
});

it("what iterates, is complex, large or has to be hermitian has no routine", () => {
  const x = template("f32", [4, 4]);
  const all: readonly AttrsOf<"linalg">[] = [
    { op: "cholesky" },
    { op: "eigh" },
    { op: "qr", mode: "reduced" },
    { op: "svd", fullMatrices: true },
  ];
  for (const attrs of all) expect(routineOf("linalg", [x, x, x], [x], attrs)).toBeNull();
  const [complex, large] = [template("c64", [4, 4]), template("f32", [9, 9])];
  for (const each of [complex, large]) expect(routineOf("linalg", [each, each, each], [each], LU)).toBeNull();
});
