/**
 * Places of the values of a program while its function runs: a value of one element is in vectors, the same number in each lane, so
 * that vector code computes the bits that it would compute from memory. Longer values, and values that a step reads in memory, are in
 * memory.
 */
import { bytesOf, isComplex, type DType } from "../../../core/types";
import type { ProgramValue } from "../../../program";
import { f32, f32x4, f64, f64x2, i32, i32x4, i64, i64x2, local, type Vector } from "../asm";
import { emitSplat, emitStoreFew } from "../codegen/access";
import type { Address } from "../routines/boxes";

export interface Place extends ProgramValue {
  /** A vector for each part of a value of one element. */
  readonly lanes: readonly Vector[] | null;
  readonly at: Address | null;
}

/** Vectors of a value of one element. */
export const partsOf = (type: DType): 1 | 2 => (isComplex(type) ? 2 : 1);

export function pushAddress({ base, offset }: Address, more = 0): void {
  local.get(base);
  if (offset + more === 0) return;
  i32.const(offset + more);
  i32.add();
}

/** From memory to vectors: element `index`. */
export function loadElement(type: DType, to: readonly Vector[], { base, offset }: Address, index = 0): void {
  to.forEach((vector, part) => emitSplat(type, part as 0 | 1, [vector], base, offset + index * bytesOf(type)));
}

/** From vectors to memory: nothing but the element is written. */
export function storeElement(type: DType, from: readonly Vector[], { base, offset }: Address): void {
  if (!isComplex(type)) return emitStoreFew(type, 1, [from[0]!], base, offset);
  const part = type === "c64" ? "f32" : "f64";
  from.forEach((vector, i) => emitStoreFew(part, 1, [vector], base, offset + i * bytesOf(part)));
}

/** Brings values of one element that are in memory to their vectors. */
export function loadSingles(places: readonly Place[]): void {
  for (const { type, lanes, at } of places) if (lanes) loadElement(type, lanes, at!);
}

/** Stores values of one element whose places have an address, too. */
export function storeSingles(places: readonly Place[]): void {
  for (const { type, lanes, at } of places) if (lanes && at) storeElement(type, lanes, at);
}

export function copyLanes(to: readonly Vector[], from: readonly Vector[]): void {
  to.forEach((vector, i) => vector !== from[i] && local.set(vector, local.get(from[i]!)));
}

/** Bits above those of the type: what a kernel leaves there is cut off in memory, and so it is here. */
export function trim(type: DType, [vector]: readonly Vector[]): void {
  const bits = 32 - 8 * bytesOf(type);
  if (bits <= 0) return;
  const down = type === "s8" || type === "s16" ? i32x4.shr_s : i32x4.shr_u;
  local.set(vector!, down(i32x4.shl(vector!, bits), bits));
}

/** Whether an integer has its sign bit, on the stack. */
export function pushIsNegative(type: DType, vector: Vector): void {
  if (bytesOf(type) === 8) {
    i64.lt_s(i64x2.extract_lane(0, vector), 0n);
  } else i32.lt_s(i32x4.extract_lane(0, vector), 0);
}

/** Whether a predicate holds, on the stack: anything but 0, NaN included. */
export function pushHolds(type: DType, lanes: readonly Vector[]): void {
  lanes.forEach((vector, i) => {
    pushIsSet(type, vector);
    if (i > 0) i32.or();
  });
}

function pushIsSet(type: DType, vector: Vector): void {
  switch (type) {
    case "f32":
    case "c64":
      f32.ne(f32x4.extract_lane(0, vector), 0);
      return;
    case "f64":
    case "c128":
      f64.ne(f64x2.extract_lane(0, vector), 0);
      return;
    case "u64":
    case "s64":
      i64.ne(i64x2.extract_lane(0, vector), 0n);
      return;
    case "f16":
    case "bf16":
      i32.and(i32x4.extract_lane(0, vector), 0x7fff);
      return;
    case "u8":
    case "s8":
    case "u16":
    case "s16":
    case "u32":
    case "s32":
      i32x4.extract_lane(0, vector);
      return;
    default:
      return type satisfies never;
  }
}
