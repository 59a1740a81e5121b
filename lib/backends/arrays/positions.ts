/** Tensors of indices as positions along an axis. */
import { is64Bit } from "../../core/types";
import type { Tensor } from "../../tensor";
import type { ArrayMemory } from "./memory";
import { elementsOf, type Elements } from "./storage";

/** Positions, to be read only, and the number of the first that is not below the size of the axis, or -1. */
export interface Positions {
  readonly positions: Uint32Array;
  readonly wrong: number;
}

/** All entries of an index tensor as positions along an axis of a size. */
export function readPositions(memory: ArrayMemory, indices: Tensor, size: number): Positions {
  const source = elementsOf(indices) as Exclude<Elements, Float32Array>;
  const isSeen = indices.type === "s32" || indices.type === "u32";
  const positions = isSeen
    ? new Uint32Array(source.buffer, source.byteOffset, source.length)
    : memory.unset("u32", indices.shape);
  const read = isSeen ? findOutside : is64Bit(indices.type) ? readWide : readNarrow;
  const isSure = isSeen
    ? memory.copier?.areBelow(positions, size)
    : is64Bit(indices.type) && memory.copier?.narrowed(source as Int32Array, positions, size);
  return { positions, wrong: isSure ? -1 : read(positions, size, source as Int32Array) };
}

/** The first position that is not below `size`, or -1; words below 0 are seen as large ones. */
function findOutside(positions: Uint32Array, size: number): number {
  for (let i = 0; i < positions.length; i++) if (positions[i]! >= size) return i;
  return -1;
}

/** Reads pairs of halves; gives the number of the first that is not below `size`, or -1. */
function readWide(positions: Uint32Array, size: number, source: Int32Array): number {
  for (let i = 0; i < positions.length; i++) {
    const low = source[2 * i]! >>> 0;
    if (source[2 * i + 1] !== 0 || low >= size) return i;
    positions[i] = low;
  }
  return -1;
}

function readNarrow(positions: Uint32Array, size: number, source: Elements): number {
  for (let i = 0; i < positions.length; i++) {
    const index = source[i]!;
    if (!(index >= 0 && index < size)) return i;
    positions[i] = index;
  }
  return -1;
}

/** Lets go of positions that are not those of the indices themselves. */
export function letGo(memory: ArrayMemory, positions: Uint32Array, indices: Tensor): void {
  const { buffer, byteOffset } = elementsOf(indices);
  if (positions.buffer !== buffer || positions.byteOffset !== byteOffset) memory.release(memory.hold(positions));
}
