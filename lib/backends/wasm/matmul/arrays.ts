/**
 * Products of matrices and the arrays they come from and go to: elements are staged into the memory of kernels unless they lie
 * there, in pieces where there is no room for all, and results are taken out.
 */
import { bytesOf } from "../../../core/types";
import { allocate, type Elements } from "../../arrays/storage";
import { hasRoom, inScratch, scratch } from "../memory/linear";
import { Stored } from "../placement";
import { bytesOfSums, type Finish } from "./epilogue";
import type { SumType } from "./functions";
import { multiply, rowsHandedOn, scratchBytes, type Operand } from "./index";
import type { Sizes } from "../schedule/contractions";

/** Where each entry of a lattice lies, its axes counted through as one, the last fastest. */
export function latticeOf(shape: readonly number[], steps: readonly number[]): Int32Array {
  const offsets = new Int32Array(shape.reduce((size, length) => size * length, 1));
  for (let axis = shape.length - 1, count = 1; axis >= 0; axis--) {
    const [length, step] = [shape[axis]!, steps[axis]!];
    for (let i = 1; i < length; i++) for (let j = 0; j < count; j++) offsets[i * count + j] = offsets[j]! + i * step;
    count *= length;
  }
  return offsets;
}

/** Bytes of scratch space that {@link multiplyInto} takes. */
export function bytesFor(type: SumType, sizes: Sizes, finish: Finish): number {
  const rest = scratchBytes(type, sizes);
  if (finish.isPlain) return rest;
  const count = rowsHandedOn(type, sizes) * sizes.n;
  return rest + finish.bytesFor(count) + (finish.target === null ? bytesOfSums(type, count) : 0);
}

/** The products of a batch of matrices in the memory of kernels, and what becomes of them. In scratch space. */
export function multiplyInto(type: SumType, a: Operand, b: Operand, sizes: Sizes, finish: Finish): void {
  const { target } = finish;
  if (finish.isPlain) return multiply(type, a, b, target!, sizes);
  const most = rowsHandedOn(type, sizes) * sizes.n;
  const work = finish.open(most);
  multiply(type, a, b, target ?? scratch(bytesOfSums(type, most)), sizes, {
    passing: target === null,
    afterRows: (start, count, address) => work(start * sizes.n, count * sizes.n, address),
  });
}

/** Rows of the left matrix that can be staged along with all of a right one; 0 where that has no room itself. */
function rowsAtOnce(type: SumType, { m, k, n }: Sizes, most: number): number {
  const size = bytesOf(type);
  const rest = most - k * n * size;
  const rows = Math.min(m, Math.floor(rest / ((k + n) * size)));
  const room = (): boolean =>
    hasRoom((k * n + rows * (k + n)) * size + 256 + scratchBytes(type, { batch: 1, m: rows, k, n }));
  return rows > 0 && room() ? rows : 0;
}

/**
 * The same in pieces: some rows of the left matrix at a time, of operands whose elements are in the order of `Sizes`.
 * Null where there is no room for that either.
 */
export function multiplyInPieces(type: SumType, a: Elements, b: Elements, sizes: Sizes, most: number): Elements | null {
  const { batch, m, k, n } = sizes;
  const rows = rowsAtOnce(type, sizes, most);
  if (rows === 0) return null;
  const result: Elements = allocate(type, batch * m * n);
  const [left, right, target] = [new Stored(type, a), new Stored(type, b), new Stored(type, result)];
  const room = (count: number): number => scratch(count * bytesOf(type));
  for (let i = 0; i < batch; i++) {
    inScratch(() => {
      const y = { address: right.bring(i * k * n, k * n, room(k * n)), offsets: [0], row: n, column: 1 };
      const [x, c] = [room(rows * k), room(rows * n)];
      for (let row = i * m; row < (i + 1) * m; row += rows) {
        const count = Math.min(rows, (i + 1) * m - row);
        inScratch(() => {
          const address = left.bring(row * k, count * k, x);
          multiply(type, { address, offsets: [0], row: k, column: 1 }, y, c, { batch: 1, m: count, k, n });
          target.put(c, count * n, row * n);
        });
      }
    });
  }
  return result;
}
