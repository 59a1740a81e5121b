/**
 * Moving items of any size.
 */
import type { Int, Vector } from "./locals";
import { i32, i64 } from "./scalars";
import type { Input, StackVar } from "./types";
import { local } from "./structured";
import { i32x4, i64x2, i8x16, v128 } from "./vectors";

/** Bytes that one instruction moves. */
export type Size = 1 | 2 | 4 | 8 | 16;

export const isSize = (bytes: number): bytes is Size =>
  bytes === 1 || bytes === 2 || bytes === 4 || bytes === 8 || bytes === 16;

/** Copies one item; the pointers are locals. */
export function copyOne(size: Size, to: Int, from: Int, offset = 0, toOffset = offset): void {
  const [at, put] = [
    { offset, align: 1 },
    { offset: toOffset, align: 1 },
  ];
  switch (size) {
    case 1:
      return i32.store8(put, to, i32.load8_u(at, from));
    case 2:
      return i32.store16(put, to, i32.load16_u(at, from));
    case 4:
      return i32.store(put, to, i32.load(at, from));
    case 8:
      return i64.store(put, to, i64.load(at, from));
    case 16:
      return v128.store(put, to, v128.load(at, from));
    default:
      size satisfies never;
  }
}

const SPLAT = {
  16: v128.load,
  8: v128.load64_splat,
  4: v128.load32_splat,
  2: v128.load16_splat,
  1: v128.load8_splat,
};

/** The item at a pointer, as often as a vector holds it. */
export const splatItem = (size: Size, from: Int, offset = 0): StackVar<"v128"> =>
  SPLAT[size]({ offset, align: 1 }, from);

/** A number in each lane of so many bytes. */
export const splatNumber = (bytes: 4 | 8, number: Input<"i32">): StackVar<"v128"> =>
  bytes === 8 ? i64x2.splat(i64.extend_i32_u(number)) : i32x4.splat(number);

const STORE_LANE = { 8: v128.store64_lane, 4: v128.store32_lane, 2: v128.store16_lane, 1: v128.store8_lane };

/** Stores the first bytes of a vector. */
export function storeFirst(bytes: number, to: Int, vector: Vector, offset: number): void {
  if (bytes === 16) return v128.store({ offset, align: 1 }, to, vector);
  let at = 0;
  for (const size of [8, 4, 2, 1] as const) {
    if ((bytes & size) === 0) continue;
    STORE_LANE[size]({ offset: offset + at, align: 1 }, at / size, to, vector);
    at += size;
  }
}

/** Items of two vectors, those of the second counted on from those of the first. */
export function shuffleItems(size: number, items: readonly number[], a: Vector, b: Vector): StackVar<"v128"> {
  const bytes = items.flatMap((item) => Array.from({ length: size }, (_, i) => item * size + i));
  return i8x16.shuffle(bytes, a, b);
}

/**
 * Transposes the square in the first half of the vectors, with the second half to work in; gives the vectors of the result. Each step
 * puts the items of two vectors, half of them apart, one beside the other.
 */
export function transposeItems(size: Size, vectors: readonly Vector[]): readonly Vector[] {
  const side = 16 / size;
  const half = side / 2;
  let [from, to] = [vectors.slice(0, side), vectors.slice(side)];
  for (let run = 1; run < side; run *= 2) {
    to.forEach((vector, i) => {
      const items = Array.from({ length: side }, (_, k) => (i % 2) * half + Math.floor(k / 2) + (k % 2) * side);
      const pair = Math.floor(i / 2);
      local.set(vector, shuffleItems(size, items, from[pair]!, from[pair + half]!));
    });
    [from, to] = [to, from];
  }
  return from;
}
