/**
 * Products of matrices and the arrays they come from and go to: elements are staged into the memory of kernels unless they lie
 * there, in pieces where there is no room for all, and results are taken out.
 */
import { addressOf } from "../arena";
import { hasRoom, inScratch, scratch, views } from "../memory";
import { bytesOfSums, type Finish } from "./finish";
import { multiply, rowsHandedOn, scratchBytes, type Operand, type Sizes } from "./index";
import type { LaneType } from "./functions";

export type Floats = Float32Array | Float64Array;

/** Bytes of operands and results that are in the memory of kernels at the same time, so that it does not grow for good. */
export const STAGED_AT_ONCE = 2 ** 28;

const create = (type: LaneType, count: number): Floats =>
  type === "f32" ? new Float32Array(count) : new Float64Array(count);

export const bytesEach = (type: LaneType): 4 | 8 => (type === "f32" ? 4 : 8);

/** Elements in the memory of kernels, where they are put unless they lie there; their address. */
export function stage(type: LaneType, elements: Floats): number {
  const known = addressOf(elements);
  if (known !== null) return known;
  const size = bytesEach(type);
  const at = scratch(elements.length * size);
  views()[type].set(elements, at / size);
  return at;
}

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
export function bytesFor(type: LaneType, sizes: Sizes, finish: Finish): number {
  const rest = scratchBytes(type, sizes);
  if (finish.isPlain) return rest;
  const count = rowsHandedOn(type, sizes) * sizes.n;
  return rest + finish.bytesFor(count) + (finish.target === null ? bytesOfSums(type, count) : 0);
}

/** The products of a batch of matrices in the memory of kernels, and what becomes of them. In scratch space. */
export function multiplyInto(type: LaneType, a: Operand, b: Operand, sizes: Sizes, finish: Finish): void {
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
function rowsAtOnce(type: LaneType, { m, k, n }: Sizes, most: number): number {
  const size = bytesEach(type);
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
export function multiplyInPieces(type: LaneType, a: Floats, b: Floats, sizes: Sizes, most: number): Floats | null {
  const { batch, m, k, n } = sizes;
  const rows = rowsAtOnce(type, sizes, most);
  if (rows === 0) return null;
  const result = create(type, batch * m * n);
  for (let i = 0; i < batch; i++) {
    inScratch(() => {
      const address = stage(type, b.subarray(i * k * n, (i + 1) * k * n));
      const right = { address, offsets: [0], row: n, column: 1 };
      for (let row = i * m; row < (i + 1) * m; row += rows) {
        const count = Math.min(rows, (i + 1) * m - row);
        inScratch(() =>
          multiplyRows(type, a.subarray(row * k, (row + count) * k), right, result, row, { batch: 1, m: count, k, n }),
        );
      }
    });
  }
  return result;
}

/** Some rows of a result. */
function multiplyRows(type: LaneType, a: Floats, right: Operand, result: Floats, row: number, sizes: Sizes): void {
  const { m, k, n } = sizes;
  const size = bytesEach(type);
  const left = { address: stage(type, a), offsets: [0], row: k, column: 1 };
  const c = scratch(m * n * size);
  multiply(type, left, right, c, sizes);
  result.set(views()[type].subarray(c / size, c / size + m * n), row * n);
}
