/**
 * Products of matrices and the arrays they come from and go to: elements are staged into the memory of kernels unless they lie
 * there, in pieces where there is no room for all, and results are taken out.
 */
import { bytesOf } from "../../../core/types";
import { allocate, widthOf, type Elements } from "../../arrays/storage";
import { addressOf } from "../arena";
import { hasRoom, inScratch, scratch, views } from "../memory";
import { copyOut } from "../stream";
import { bytesOfSums, type Finish } from "./epilogue";
import type { SumType } from "./functions";
import { multiply, rowsHandedOn, scratchBytes, type Operand, type Sizes } from "./index";

/** Bytes of operands and results that are in the memory of kernels at the same time, so that it does not grow for good. */
export const STAGED_AT_ONCE = 2 ** 28;

export const bytesEach = (type: SumType): number => bytesOf(type);

/** Elements `from` to `to` of an array. */
const between = (type: SumType, elements: Elements, from: number, to: number): Elements =>
  elements.subarray(from * widthOf(type), to * widthOf(type));

/** Elements in the memory of kernels, where they are put unless they lie there; their address. */
export function stage(elements: Elements): number {
  const known = addressOf(elements);
  if (known !== null) return known;
  const at = scratch(elements.byteLength);
  const bytes = new Uint8Array(elements.buffer, elements.byteOffset, elements.byteLength);
  views().u8.set(bytes, at);
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
export function multiplyInPieces(type: SumType, a: Elements, b: Elements, sizes: Sizes, most: number): Elements | null {
  const { batch, m, k, n } = sizes;
  const rows = rowsAtOnce(type, sizes, most);
  if (rows === 0) return null;
  const result: Elements = allocate(type, batch * m * n);
  for (let i = 0; i < batch; i++) {
    inScratch(() => {
      const address = stage(between(type, b, i * k * n, (i + 1) * k * n));
      const right = { address, offsets: [0], row: n, column: 1 };
      for (let row = i * m; row < (i + 1) * m; row += rows) {
        const count = Math.min(rows, (i + 1) * m - row);
        inScratch(() =>
          multiplyRows(type, between(type, a, row * k, (row + count) * k), right, result, row, {
            batch: 1,
            m: count,
            k,
            n,
          }),
        );
      }
    });
  }
  return result;
}

/** Some rows of a result. */
function multiplyRows(type: SumType, a: Elements, right: Operand, result: Elements, row: number, sizes: Sizes): void {
  const { m, k, n } = sizes;
  const size = bytesEach(type);
  const left = { address: stage(a), offsets: [0], row: k, column: 1 };
  const c = scratch(m * n * size);
  multiply(type, left, right, c, sizes);
  copyOut(type, c, m * n, result, row * n);
}
