/** Routines of small systems of equations: bit for bit the primitive of the reference, and failures where it raises or goes another way. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { binaryBackend } from "../../../../lib/backends/binary";
import { routineOf } from "../../../../lib/backends/wasm/routines";
import type { AttrsOf } from "../../../../lib/backends/wasm/routines/routine";
import type { DType } from "../../../../lib/core/types";
import type { Tensor } from "../../../../lib/tensor";
import { tries } from "../../../effort";
import * as s from "../../binary/support";
import { expectFailure, expectRoutine, filled, resultsOf, template } from "./support";

const FLOATS: readonly DType[] = ["f64", "f32", "f16", "bf16"];
const type = fc.constantFrom(...FLOATS);
const batches = fc.array(fc.constantFrom(1, 2, 3), { maxLength: 2 });
const LU = { op: "lu" } as const;

const sizes = fc.record({
  type,
  batch: batches,
  n: fc.oneof(fc.integer({ min: 1, max: 16 }), fc.integer({ min: 17, max: 36 })),
  seed: fc.nat(2 ** 30),
});

const decomposed = (of: DType, shape: readonly number[]) => [
  template(of, shape),
  template(of, shape),
  template(of, shape),
];

it("LU, with rows of several pivots and of equal ones", () => {
  fc.assert(
    fc.property(sizes, fc.constantFrom("plain" as const, "few" as const), ({ type, batch, n, seed }, mood) => {
      const shape = [...batch, n, n];
      const x = filled(type, shape, seed, mood);
      expectRoutine("linalg", decomposed(type, shape), [x], LU, { exact: true });
    }),
    { numRuns: tries(300) },
  );
});

it("signs and pivots, and solutions", () => {
  const systems = fc.record({ of: sizes, width: fc.constantFrom(1, 2, 3, 5, 8, 17) });
  fc.assert(
    fc.property(systems, ({ of: { type, batch, n, seed }, width }) => {
      const x = filled(type, [...batch, n, n], seed, "plain");
      const outs = [template("f64", batch), template(type, [...batch, n])];
      expectRoutine("linalg", outs, [x], { op: "pivots" }, { exact: true });
      const b = filled(type, [...batch, n, width], seed + 1, "plain");
      expectRoutine("linalg", [template(type, b.shape)], [x, b], { op: "solve" }, { exact: true });
    }),
    { numRuns: tries(300) },
  );
});

it("a singular matrix has pivots, and no solutions", () => {
  const x = s.fromNumbers("f64", [3, 3], [1, 2, 3, 2, 4, 6, 1, 0, 1]);
  const b = s.fromNumbers("f64", [3, 1], [1, 2, 3]);
  expectRoutine("linalg", [template("f64", []), template("f64", [3])], [x], { op: "pivots" }, { exact: true });
  expect(() => resultsOf(binaryBackend, "linalg", [b], [x, b], { op: "solve" })).toThrow("singular");
  expectFailure("linalg", [b], [x, b], { op: "solve" });
});

it("a large matrix with a pivot of 0 before others is left to the primitive, and none whose last one is 0", () => {
  const n = 40;
  const ones = (zero: number) =>
    s.fromNumbers(
      "f64",
      [n, n],
      Float64Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 && i !== zero * (n + 1) ? 1 : 0)),
    );
  const outs = [template("f64", []), template("f64", [n])];
  expectFailure("linalg", outs, [ones(5)], { op: "pivots" });
  expectFailure("linalg", decomposed("f64", [n, n]), [ones(5)], LU);
  expectRoutine("linalg", outs, [ones(n - 1)], { op: "pivots" }, { exact: true });
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

/** A matrix times its transpose, with something added to its diagonal: of small integers, so that it is as symmetric as can be. */
function positive(type: DType, batch: readonly number[], n: number, seed: number, odd = 0): Tensor {
  const values: number[] = [];
  for (let b = 0, state = seed; b < s.sizeOf(batch); b++) {
    const x = Array.from({ length: n * n }, () => ((state = (Math.imul(state, 1664525) + 1013904223) | 0) >>> 29) - 3);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        let sum = i === j ? 1.5 : 0;
        for (let k = 0; k < n; k++) sum += x[i * n + k]! * x[j * n + k]!;
        values.push(sum + (i < j ? odd : 0));
      }
    }
  }
  return s.fromNumbers(type, [...batch, n, n], values);
}

const CHOLESKY = { op: "cholesky" } as const;

it("Cholesky, of which the lower triangle is read", () => {
  fc.assert(
    fc.property(sizes, fc.boolean(), ({ type, batch, n, seed }, isOdd) => {
      // Less than half of the digits.
      const x = positive(type, batch, n, seed, isOdd ? (type === "f64" ? 2 ** -30 : 2 ** -14) : 0);
      expectRoutine("linalg", [template(type, x.shape)], [x], CHOLESKY, { exact: true });
    }),
    { numRuns: tries(300) },
  );
});

it("matrices that are not hermitian, or not positive definite, are failures", () => {
  const wrong: readonly (readonly [number[], string])[] = [
    [[4, 1, 2, 4], "hermitian"],
    [[1, 2, 2, 1], "positive definite"],
    [[-1, 0, 0, 1], "positive definite"],
  ];
  for (const [values, text] of wrong) {
    const x = s.fromNumbers("f32", [2, 2], values);
    expect(() => resultsOf(binaryBackend, "linalg", [x], [x], CHOLESKY)).toThrow(text);
    expectFailure("linalg", [template("f32", [2, 2])], [x], CHOLESKY);
  }
});

it("a singular triangle is a failure", () => {
  const [a, b] = [s.fromNumbers("f32", [2, 2], [1, 2, 3, 0]), s.fromNumbers("f32", [2, 1], [1, 2])];
  const attrs = { op: "triangularSolve", lower: true, transform: "none" } as const;
  expect(() => resultsOf(binaryBackend, "linalg", [b], [a, b], attrs)).toThrow("singular");
  expectFailure("linalg", [b], [a, b], attrs);
});

it.each([NaN, Infinity, -Infinity])("matrices with %d are left to the primitive", (odd) => {
  for (const at of [0, 3, 8]) {
    const x = s.fromNumbers(
      "f32",
      [3, 3],
      Float64Array.from({ length: 9 }, (_, i) => (i === at ? odd : i + 1)),
    );
    expectFailure("linalg", decomposed("f32", [3, 3]), [x], LU);
  }
});

it("zeros of either sign, as elements and as multipliers", () => {
  const signs = fc.array(fc.constantFrom(0, -0, 1, -1, 2), { minLength: 16, maxLength: 16 });
  fc.assert(
    fc.property(signs, signs, fc.boolean(), (first, second, lower) => {
      const [x, y] = [first, second].map((values) => s.fromNumbers("f64", [4, 4], values)) as [Tensor, Tensor];
      expectRoutine("linalg", decomposed("f64", [4, 4]), [x], LU, { exact: true });
      const triangle = s.fromNumbers(
        "f64",
        [4, 4],
        first.map((value, i) => (i % 5 === 0 ? 3 : value)),
      );
      const attrs = { op: "triangularSolve", lower, transform: "none" } as const;
      expectRoutine("linalg", [template("f64", [4, 4])], [triangle, y], attrs, { exact: true });
    }),
    { numRuns: tries(300) },
  );
});

it("a matrix of which all is 0 has itself for u", () => {
  const x = s.fromNumbers("f64", [3, 3], new Array<number>(9).fill(0));
  expectRoutine("linalg", decomposed("f64", [3, 3]), [x], LU, { exact: true });
});

it("what iterates or is complex has no routine", () => {
  const x = template("f32", [4, 4]);
  const all: readonly AttrsOf<"linalg">[] = [
    { op: "eigh" },
    { op: "qr", mode: "reduced" },
    { op: "svd", fullMatrices: true },
  ];
  for (const attrs of all) expect(routineOf("linalg", [x, x, x], [x], attrs)).toBeNull();
  const complex = template("c64", [4, 4]);
  expect(routineOf("linalg", [complex, complex, complex], [complex], LU)).toBeNull();
});
