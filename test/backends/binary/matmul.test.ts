/** Products of matrices of doubles: every sum runs from the first product to the last, whatever the sizes and strides. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { matmul } from "../../../lib/backends/binary/matmul";
import { tries } from "../../effort";

const size = (): fc.Arbitrary<number> => fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constantFrom(1, 65));
const numbers = (count: number, seed: number): Float64Array =>
  Float64Array.from({ length: count }, (_, i) => Math.sin(seed + i) * 10 ** (i % 7));

it("sums of products run in order", () => {
  fc.assert(
    fc.property(size(), size(), size(), fc.boolean(), fc.boolean(), (m, k, n, turnsLeft, turnsRight) => {
      const lay = (rows: number, columns: number, turned: boolean, seed: number) => ({
        data: numbers(rows * columns, seed),
        offset: 0,
        row: turned ? 1 : columns,
        column: turned ? rows : 1,
      });
      const [a, b] = [lay(m, k, turnsLeft, 1), lay(k, n, turnsRight, 2)];
      const c = new Float64Array(m * n);
      matmul(a, b, c, 0, m, k, n);
      const expected = Float64Array.from(c, (_, i) => {
        let sum = 0;
        const [row, column] = [Math.floor(i / n), i % n];
        for (let l = 0; l < k; l++) sum += a.data[row * a.row + l * a.column]! * b.data[l * b.row + column * b.column]!;
        return sum;
      });
      expect(c).toEqual(expected);
    }),
    { numRuns: tries(200) },
  );
});
