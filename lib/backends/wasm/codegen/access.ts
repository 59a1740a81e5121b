/**
 * Vector code that loads four elements of any type from contiguous memory, or one element repeated, and stores them.
 */
import { i16x8, i32, i32x4, i8x16, local, v128, type Local, type StackVar } from "../asm";
import { bytesOf, type DType } from "../../../core/types";
import { repeated, words, type Group, type Vector } from "./vectors";

type Address = Local<"i32">;

/** Loads four consecutive elements from `at + offset`: of a complex type one part. */
export function emitLoad(type: DType, part: 0 | 1, out: Group, at: Address, offset: number): void {
  const [first, second] = out as [Vector, Vector];
  switch (type) {
    case "u8":
    case "s8":
      local.set(first, bytes4(type, at, offset));
      return;
    case "u16":
    case "f16":
    case "bf16":
      local.set(first, v128.load16x4_u({ offset }, at));
      return;
    case "s16":
      local.set(first, v128.load16x4_s({ offset }, at));
      return;
    case "u32":
    case "s32":
    case "f32":
      local.set(first, v128.load({ offset }, at));
      return;
    case "u64":
    case "s64":
    case "f64":
      local.set(first, v128.load({ offset }, at));
      local.set(second, v128.load({ offset: offset + 16 }, at));
      return;
    case "c64":
      local.set(first, pick32(at, offset, part));
      return;
    case "c128":
      local.set(first, pick64(at, offset, part));
      local.set(second, pick64(at, offset + 32, part));
      return;
    default:
      return type satisfies never;
  }
}

/**
 * Loads two consecutive real elements of four or eight bytes: integers as lanes of 64 bits, floats in as many as they have in
 * memory.
 */
export function emitLoadTwo(type: DType, out: Group, at: Address, offset: number): void {
  const place = { offset, align: 4 } as const;
  if (bytesOf(type) === 8) local.set(out[0]!, v128.load(place, at));
  else if (type === "s32") local.set(out[0]!, v128.load32x2_s(place, at));
  else if (type === "u32") local.set(out[0]!, v128.load32x2_u(place, at));
  else local.set(out[0]!, v128.load64_zero(place, at));
}

function bytes4(type: "u8" | "s8", at: Address, offset: number): StackVar<"v128"> {
  const four = v128.load32_zero({ offset }, at);
  return type === "u8"
    ? i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(four))
    : i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_s(four));
}

const word = (lane: number): number[] => [0, 1, 2, 3].map((byte) => 4 * lane + byte);

/** Every second 32-bit lane of 32 bytes. */
function pick32(at: Address, offset: number, part: 0 | 1): StackVar<"v128"> {
  const lanes = [part, part + 2, part + 4, part + 6].flatMap(word);
  return i8x16.shuffle(lanes, v128.load({ offset }, at), v128.load({ offset: offset + 16 }, at));
}

/** Every second 64-bit lane of 32 bytes. */
function pick64(at: Address, offset: number, part: 0 | 1): StackVar<"v128"> {
  const lanes = [2 * part, 2 * part + 1, 2 * part + 4, 2 * part + 5].flatMap(word);
  return i8x16.shuffle(lanes, v128.load({ offset }, at), v128.load({ offset: offset + 16 }, at));
}

/** Loads the one element at `at + offset` into all lanes. */
export function emitSplat(type: DType, part: 0 | 1, out: Group, at: Address, offset = 0): void {
  const [first] = out as [Vector];
  switch (type) {
    case "u8":
      local.set(first, i32x4.splat(i32.load8_u({ offset }, at)));
      return;
    case "s8":
      local.set(first, i32x4.splat(i32.load8_s({ offset }, at)));
      return;
    case "u16":
    case "f16":
    case "bf16":
      local.set(first, i32x4.splat(i32.load16_u({ offset }, at)));
      return;
    case "s16":
      local.set(first, i32x4.splat(i32.load16_s({ offset }, at)));
      return;
    case "u32":
    case "s32":
    case "f32":
    case "c64":
      local.set(first, v128.load32_splat({ offset: offset + 4 * part }, at));
      return;
    case "u64":
    case "s64":
    case "f64":
    case "c128":
      for (const to of out) local.set(to, v128.load64_splat({ offset: offset + 8 * part }, at));
      return;
    default:
      return type satisfies never;
  }
}

/** Stores four elements to `at + offset`; integers are cut to their width. */
export function emitStore(type: DType, values: readonly Group[], at: Address, offset: number): void {
  const [first, second] = values[0] as unknown as [Vector, Vector];
  switch (type) {
    case "u8":
    case "s8":
      v128.store32_lane({ offset }, 0, at, i8x16.shuffle(LOW_BYTES, first, first));
      return;
    case "u16":
    case "s16":
    case "f16":
    case "bf16":
      v128.store64_lane({ offset }, 0, at, i8x16.shuffle(LOW_HALVES, first, first));
      return;
    case "u32":
    case "s32":
    case "f32":
      v128.store({ offset }, at, first);
      return;
    case "u64":
    case "s64":
    case "f64":
      v128.store({ offset }, at, first);
      v128.store({ offset: offset + 16 }, at, second);
      return;
    case "c64":
      return storePairs32(first, values[1]![0]!, at, offset);
    case "c128":
      return storePairs64(values as readonly [Group, Group], at, offset);
    default:
      return type satisfies never;
  }
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

function storePairs32(re: Vector, im: Vector, at: Address, offset: number): void {
  v128.store({ offset }, at, words(re, im, [0, 4, 1, 5]));
  v128.store({ offset: offset + 16 }, at, words(re, im, [2, 6, 3, 7]));
}

function storePairs64([re, im]: readonly [Group, Group], at: Address, offset: number): void {
  re.forEach((real, i) => {
    v128.store({ offset: offset + 32 * i }, at, words(real, im[i]!, [0, 1, 4, 5]));
    v128.store({ offset: offset + 32 * i + 16 }, at, words(real, im[i]!, [2, 3, 6, 7]));
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
