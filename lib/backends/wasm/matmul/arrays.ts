/**
 * Where the entries of matrices lie, and products of matrices with what becomes of them.
 */
import { bytesOf } from "../../../core/types";
import { scratch } from "../memory/linear";
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

/** The products of a batch of matrices in the memory of kernels, and what becomes of them, rows of the result from `first` on. In scratch space. */
export function multiplyInto(type: SumType, a: Operand, b: Operand, sizes: Sizes, finish: Finish, first: number): void {
  const { n } = sizes;
  const target = finish.target === null ? null : finish.target + first * n * bytesOf(type);
  if (finish.isPlain) return multiply(type, a, b, target!, sizes);
  const most = rowsHandedOn(type, sizes) * n;
  const work = finish.open(most);
  multiply(type, a, b, target ?? scratch(bytesOfSums(type, most)), sizes, {
    passing: target === null,
    afterRows: (start, count, address) => work((first + start) * n, count * n, address),
  });
}
