/**
 * Products of matrices in ordinary arrays: staged into the memory of kernels, whole or in pieces, and the result taken out.
 */
import { hasRoom, inScratch, scratch, views } from "../memory";
import { multiply, scratchBytes, type Operand, type Sizes } from "./index";
import type { LaneType } from "./functions";

export type Floats = Float32Array | Float64Array;

/** Where the matrices of an operand lie in an array: see `Operand`. */
export interface Placed {
  readonly elements: Floats;
  readonly offsets: ArrayLike<number>;
  readonly row: number;
  readonly column: number;
}

/** Bytes of operands and results that are in the memory of kernels at the same time, so that it does not grow for good. */
export const STAGED_AT_ONCE = 2 ** 28;

const create = (type: LaneType, count: number): Floats =>
  type === "f32" ? new Float32Array(count) : new Float64Array(count);

export const bytesEach = (type: LaneType): 4 | 8 => (type === "f32" ? 4 : 8);

/** Puts elements into the memory of kernels; their address. */
export function stage(type: LaneType, elements: Floats): number {
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

const stageOperand = (type: LaneType, { elements, ...rest }: Placed): Operand => ({
  address: stage(type, elements),
  ...rest,
});

/** Whether operands and result can be staged as a whole. */
export function fits(type: LaneType, a: Placed, b: Placed, sizes: Sizes, most: number): boolean {
  const count = a.elements.length + b.elements.length + sizes.batch * sizes.m * sizes.n;
  const bytes = count * bytesEach(type) + 256;
  return bytes <= most && hasRoom(bytes + scratchBytes(type, sizes));
}

/** The products of a batch, row-major, staged as a whole. */
export function multiplyWhole(type: LaneType, a: Placed, b: Placed, sizes: Sizes): Floats {
  const size = bytesEach(type);
  const count = sizes.batch * sizes.m * sizes.n;
  return inScratch(() => {
    const left = stageOperand(type, a);
    const right = stageOperand(type, b);
    const c = scratch(count * size);
    multiply(type, left, right, c, sizes);
    return views()[type].slice(c / size, c / size + count);
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
