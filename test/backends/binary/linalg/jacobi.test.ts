/** The singular values of small matrices whose columns differ in size: all of their digits, however small they are next to the largest. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { JACOBI_TO } from "../../../../lib/backends/binary/linalg/svd";
import { tries } from "../../../effort";
import { JACOBI_ULP } from "../../../tolerances";
import { decompose, matrix, realOf } from "./matrices";

const TYPES = ["f64", "c128"] as const;

describe.each(TYPES)("%s", (type) => {
  /** Any matrix that is far from singular. */
  const regular = (n: number): Nx.Tensor =>
    Nx.add(matrix(n, n, type), Nx.multiply(2 * n, Nx.eye(n, { type: realOf(type) })));

  function singularValues(a: Nx.Tensor): number[] {
    const n = a.shape[0]!;
    const outs = [[type, [n, n]], [realOf(type), [n]], [type, [n, n]]] as const; // prettier-ignore
    return decompose({ op: "svd", fullMatrices: false }, outs, a)[1]!.toList() as number[];
  }

  const scaled = fc
    .integer({ min: 1, max: JACOBI_TO })
    .chain((n) => fc.array(fc.integer({ min: -60, max: 60 }), { minLength: n, maxLength: n }));

  it("have the product of those of the matrix times that of the sizes", () => {
    fc.assert(
      fc.property(scaled, (exponents) => {
        const n = exponents.length;
        const a = regular(n);
        const product = (values: readonly number[]): number => values.reduce((sum, x) => sum + Math.log2(x), 0);
        const sizes = Nx.f64(exponents.map((e) => 2 ** e));
        const found = product(singularValues(Nx.multiply(a, sizes)));
        const expected = product(singularValues(a)) + exponents.reduce((sum, e) => sum + e, 0);
        // A difference of logarithms is a relative error; those of up to 1000 have an error of their own.
        expect(Math.abs(found - expected) * Math.LN2).toBeLessThan(n * JACOBI_ULP * 2 ** -52 + 2e-13);
      }),
      { numRuns: tries(100) },
    );
  });

  it("are those of the matrix with its columns in another order", () => {
    fc.assert(
      fc.property(scaled, (exponents) => {
        const n = exponents.length;
        const a = Nx.multiply(regular(n), Nx.f64(exponents.map((e) => 2 ** e)));
        const values = singularValues(a);
        const others = singularValues(Nx.reverse(a, { axes: [1] }));
        values.forEach((x, i) => expect(Math.abs(others[i]! / x - 1)).toBeLessThan(n * JACOBI_ULP * 2 ** -52));
      }),
      { numRuns: tries(100) },
    );
  });
});
