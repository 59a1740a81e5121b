/** Singular values of bidiagonal matrices: all of their digits, however small they are next to the largest. */
import fc from "fast-check";
import { expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { JACOBI_TO } from "../../../../lib/backends/binary/linalg/svd";
import { tries } from "../../../effort";
import { BIDIAGONAL_ULP } from "../../../tolerances";
import { decompose } from "./matrices";

/** The singular values of a matrix of a diagonal and of what is above it, in which a decomposition finds nothing to reflect. */
function singularValues(d: readonly number[], e: readonly number[]): number[] {
  const n = d.length;
  const rows = d.map((x, i) => d.map((_, j) => (i === j ? x : j === i + 1 ? e[i]! : 0)));
  const outs = [["f64", [n, n]], ["f64", [n]], ["f64", [n, n]]] as const; // prettier-ignore
  return decompose({ op: "svd", fullMatrices: false }, outs, Nx.f64(rows))[1]!.toList() as number[];
}

/** The sum of logarithms to base 2 and what is left of the product, so that it neither overflows nor vanishes. */
const sizeOf = (values: readonly number[]): number => values.reduce((sum, x) => sum + Math.log2(Math.abs(x)), 0);

const entry = fc.tuple(fc.double({ min: 1, max: 2, noNaN: true }), fc.integer({ min: -90, max: 0 }), fc.boolean());
const value = entry.map(([x, exponent, isNegative]) => (isNegative ? -x : x) * 2 ** exponent);
const matrices = fc
  .integer({ min: JACOBI_TO + 1, max: JACOBI_TO + 8 })
  .chain((n) =>
    fc.tuple(fc.array(value, { minLength: n, maxLength: n }), fc.array(value, { minLength: n - 1, maxLength: n - 1 })),
  );

it("have the product of the diagonal as their product", () => {
  fc.assert(
    fc.property(matrices, ([d, e]) => {
      const values = singularValues(d, e);
      // A difference of logarithms is a relative error; each value may contribute some.
      const apart = Math.abs(sizeOf(values) - sizeOf(d)) * Math.LN2;
      expect(apart).toBeLessThan(d.length * d.length * BIDIAGONAL_ULP * 2 ** -52 + 1e-13);
    }),
    { numRuns: tries(300) },
  );
});

it("have those of the transposed matrix in the other order, and of one that is scaled by a power of two", () => {
  fc.assert(
    fc.property(matrices, ([d, e]) => {
      const values = singularValues(d, e);
      const others = singularValues(d.slice().reverse(), e.slice().reverse());
      const scaled = singularValues(d.map((x) => x * 8), e.map((x) => x * 8)); // prettier-ignore
      values.forEach((x, i) => {
        const bound = d.length * BIDIAGONAL_ULP * 2 ** -52 * x;
        expect(Math.abs(others[i]! - x)).toBeLessThanOrEqual(bound);
        expect(scaled[i]! / 8).toBe(x);
      });
    }),
    { numRuns: tries(300) },
  );
});

it("finds zeros", () => {
  expect(singularValues([1, 0, 3], [1, 1])[2]).toBe(0);
  expect(singularValues([0, 0, 0], [0, 0])).toEqual([0, 0, 0]);
});
