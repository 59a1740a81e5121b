/**
 * Vector code that loads four elements of any type from contiguous memory, or one element repeated, and stores them.
 */
import { i32, i32x4, i64x2, i8x16, local, v128, type Local, type StackVar } from "../asm";
import { bytesOf, isComplex, isFloat, type ComplexType, type DType } from "../../../core/types";
import { repeated, words, type Group, type Vector } from "./vectors";

type Address = Local<"i32">;

/** Loads four consecutive elements from `at + offset`: of a complex type one part. */
export function emitLoad(type: DType, part: 0 | 1, out: Group, at: Address, offset: number): void {
  const bytes = bytesOf(type);
  out.forEach((to, i) => {
    if (isComplex(type)) local.set(to, pick(type, part, at, offset + 32 * i));
    else if (bytes >= 4) local.set(to, v128.load({ offset: offset + 16 * i }, at));
    else if (bytes === 1) local.set(to, bytes4(type === "s8", at, offset));
    else local.set(to, (type === "s16" ? v128.load16x4_s : v128.load16x4_u)({ offset }, at));
  });
}

/** Elements from one that is loaded to the next: those of a row in the order of memory, against it, or every second one. */
export type RowStep = 1 | 2 | -1;

export const isRowStep = (step: number): step is RowStep => step === 1 || step === 2 || step === -1;

/** Loads four elements from `at + offset` on, the last one first where the step is -1. */
export function emitLoadBy(step: RowStep, type: DType, part: 0 | 1, out: Group, at: Address, offset: number): void {
  if (step === -1) {
    emitLoad(type, part, [...out].reverse(), at, offset);
    for (const to of out) local.set(to, words(to, to, out.length === 2 ? [2, 3, 0, 1] : [3, 2, 1, 0]));
    return;
  }
  emitLoad(type, part, out, at, offset);
  if (step === 1) return;
  const next = out.map(() => local.fresh("v128"));
  emitLoad(type, part, next, at, offset + 4 * bytesOf(type));
  if (out.length === 1) return local.set(out[0]!, words(out[0]!, next[0]!, [0, 2, 4, 6]));
  local.set(out[0]!, words(out[0]!, out[1]!, [0, 1, 4, 5]));
  local.set(out[1]!, words(next[0]!, next[1]!, [0, 1, 4, 5]));
}

/**
 * Loads two real elements of four or eight bytes, the last one first where the step is -1: integers as lanes of 64 bits, floats in as many
 * as they have in memory.
 */
export function emitLoadTwo(step: RowStep, type: DType, out: Group, at: Address, offset: number): void {
  const [to] = out as [Vector];
  const place = { offset, align: 4 } as const;
  if (bytesOf(type) === 8) {
    local.set(to, v128.load(place, at));
    if (step === -1) local.set(to, words(to, to, [2, 3, 0, 1]));
    if (step !== 2) return;
    const next = local.fresh("v128");
    local.set(next, v128.load({ offset: offset + 16, align: 4 }, at));
    return local.set(to, words(to, next, [0, 1, 4, 5]));
  }
  local.set(to, step === 2 ? v128.load(place, at) : v128.load64_zero(place, at));
  if (step !== 1) local.set(to, words(to, to, step === 2 ? [0, 2, 0, 2] : [1, 0, 1, 0]));
  if (type === "s32") local.set(to, i64x2.extend_low_i32x4_s(to));
  else if (type === "u32") local.set(to, i64x2.extend_low_i32x4_u(to));
}

/** Four bytes as lanes, each the lowest byte of its lane, or shifted down from the highest; what has no such index is 0. */
function bytes4(signed: boolean, at: Address, offset: number): StackVar<"v128"> {
  const four = v128.load32_zero({ offset }, at);
  const places = [0, 1, 2, 3].map((byte) => (signed ? (byte << 24) | 0x808080 : 0x80808000 | byte));
  const spread = i8x16.swizzle(four, v128.const("i32x4", places as [number, number, number, number]));
  return signed ? i32x4.shr_s(spread, 24) : spread;
}

const word = (lane: number): number[] => [0, 1, 2, 3].map((byte) => 4 * lane + byte);

/** One part of the complex numbers in 32 bytes: every second lane. */
function pick(type: ComplexType, part: 0 | 1, at: Address, offset: number): StackVar<"v128"> {
  const lanes = type === "c64" ? [0, 2, 4, 6].map((lane) => lane + part) : [0, 1, 4, 5].map((lane) => lane + 2 * part);
  return i8x16.shuffle(lanes.flatMap(word), v128.load({ offset }, at), v128.load({ offset: offset + 16 }, at));
}

const NARROW = { u8: i32.load8_u, s8: i32.load8_s, u16: i32.load16_u, s16: i32.load16_s };

/** Loads the one element at `at + offset` into all lanes. */
export function emitSplat(type: DType, part: 0 | 1, out: Group, at: Address, offset = 0): void {
  const bytes = bytesOf(type) / (isComplex(type) ? 2 : 1);
  for (const to of out) {
    if (bytes === 8) local.set(to, v128.load64_splat({ offset: offset + 8 * part }, at));
    else if (bytes === 4) local.set(to, v128.load32_splat({ offset: offset + 4 * part }, at));
    else local.set(to, i32x4.splat(NARROW[isFloat(type) ? "u16" : (type as keyof typeof NARROW)]({ offset }, at)));
  }
}

/** Stores four elements to `at + offset`; integers are cut to their width. */
export function emitStore(type: DType, values: readonly Group[], at: Address, offset: number): void {
  const [group] = values as [Group];
  const [first] = group as [Vector];
  const bytes = bytesOf(type);
  if (isComplex(type)) storePairs(type, values as readonly [Group, Group], at, offset);
  else if (bytes >= 4) group.forEach((vector, i) => v128.store({ offset: offset + 16 * i }, at, vector));
  else if (bytes === 2) v128.store64_lane({ offset }, 0, at, i8x16.shuffle(LOW_HALVES, first, first));
  else v128.store32_lane({ offset }, 0, at, i8x16.shuffle(LOW_BYTES, first, first));
}

/** Stores the first one or two lanes of vectors, which are as wide as those of {@link emitStore}. */
export function emitStoreFew(type: DType, count: 1 | 2, [vector]: Group, at: Address, offset: number): void {
  const from = vector!;
  const bytes = bytesOf(type);
  if (count === 2 && bytes === 8) return v128.store({ offset }, at, from);
  if (count === 2 && bytes === 1) local.set(from, i8x16.shuffle(LOW_BYTES, from, from));
  if (count === 2 && bytes === 2) local.set(from, i8x16.shuffle(LOW_HALVES, from, from));
  const instruction = { 1: v128.store8_lane, 2: v128.store16_lane, 4: v128.store32_lane, 8: v128.store64_lane };
  instruction[(count * bytes) as 1 | 2 | 4 | 8]({ offset }, 0, at, from);
}

const LOW_BYTES = [0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12];
const LOW_HALVES = [0, 1, 4, 5, 8, 9, 12, 13, 0, 1, 4, 5, 8, 9, 12, 13];

/** The low and the high numbers of two vectors of parts, by lanes of 32 bits. */
const PAIRS = {
  c64: [
    [0, 4, 1, 5],
    [2, 6, 3, 7],
  ],
  c128: [
    [0, 1, 4, 5],
    [2, 3, 6, 7],
  ],
} as const;

function storePairs(type: ComplexType, [re, im]: readonly [Group, Group], at: Address, offset: number): void {
  re.forEach((real, i) => {
    PAIRS[type].forEach((lanes, j) => v128.store({ offset: offset + 32 * i + 16 * j }, at, words(real, im[i]!, lanes)));
  });
}

/** A constant in all lanes; of 64-bit integers by halves. */
export function emitConstant(kind: "f32" | "f64" | "i32" | "i64", out: Group, value: number, high: number): void {
  for (const to of out) local.set(to, constantOf(kind, value, high));
}

function constantOf(kind: "f32" | "f64" | "i32" | "i64", value: number, high: number): StackVar<"v128"> {
  switch (kind) {
    case "f32":
      return v128.const("f32x4", [value, value, value, value]);
    case "f64":
      return v128.const("f64x2", [value, value]);
    case "i32":
      return repeated(value, value);
    case "i64":
      return repeated(value, high);
  }
}
