/**
 * The table of instructions on vectors of 128 bits, as far as functions here need them. Opcodes are those of the core specification;
 * behind them lie those of relaxed SIMD, whose results differ between machines.
 */
import type { Bytes } from "./bytes";
import { accessing, accessingLane, ofLane, plain, write } from "./instructions";
import type { Operands, StackVar } from "./types";
import { here, ON_STACK, PREFIX_SHIFT } from "./writer";

const SIMD = 0xfd << PREFIX_SHIFT;
const RELAXED = SIMD + 0x100;

const [V, V_V, V_V_V] = [["v128"], ["v128", "v128"], ["v128", "v128", "v128"]] as const;
const [I32, I64, F32, F64, V_I32] = [["i32"], ["i64"], ["f32"], ["f64"], ["v128", "i32"]] as const;
const NONE = [] as const;

/** Numbers in lanes of a shape, the lowest first. */
interface Lanes {
  readonly i8x16: readonly number[];
  readonly i16x8: readonly number[];
  readonly i32x4: readonly number[];
  readonly i64x2: readonly bigint[];
  readonly f32x4: readonly number[];
  readonly f64x2: readonly number[];
}

type LaneWriter<T> = (code: Bytes, value: T) => void;

const integer =
  (bytes: 1 | 2 | 4): LaneWriter<number> =>
  (code, value) => {
    const range = 2 ** (8 * bytes);
    if (!Number.isInteger(value) || value < -range / 2 || value >= range) {
      throw new Error(`an integer of ${8 * bytes} bits expected, got: ${value}`);
    }
    code.word(value, bytes);
  };

const WRITE_LANE: { readonly [S in keyof Lanes]: LaneWriter<Lanes[S][number]> } = {
  i8x16: integer(1),
  i16x8: integer(2),
  i32x4: integer(4),
  i64x2: (code, value) => code.long(value),
  f32x4: (code, value) => code.f32(value),
  f64x2: (code, value) => code.f64(value),
};

/** A constant; NaN is the quiet one without a sign, others are given by their bits. */
function constant<S extends keyof Lanes>(shape: S, lanes: Lanes[S]): StackVar<"v128"> {
  const writer = here();
  writer.instruction(SIMD + 12, NONE, V);
  const [start, put] = [writer.code.length, WRITE_LANE[shape] as LaneWriter<number | bigint>];
  for (const lane of lanes) put(writer.code, lane);
  if (writer.code.length !== start + 16) throw new Error(`lanes of ${shape} expected, got: ${lanes.length} numbers`);
  return ON_STACK;
}

/** Bytes of two vectors by their numbers, 0 to 15 of the first and 16 to 31 of the second. */
function shuffle(bytes: readonly number[], ...operands: Operands<typeof V_V>): StackVar<"v128"> {
  write(SIMD + 13, V_V, V, operands);
  if (bytes.length !== 16) throw new Error(`16 bytes expected, got: ${bytes.length}`);
  for (const byte of bytes) here().code.byte(byte);
  return ON_STACK;
}

export const v128 = {
  const: constant,
  ...accessing(SIMD, 16, I32, V, ["load"]),
  ...accessing(SIMD + 3, 8, I32, V, ["load16x4_s", "load16x4_u", "load32x2_s", "load32x2_u"]),
  ...accessing(SIMD + 7, 1, I32, V, ["load8_splat"]),
  ...accessing(SIMD + 8, 2, I32, V, ["load16_splat"]),
  ...accessing(SIMD + 9, 4, I32, V, ["load32_splat"]),
  ...accessing(SIMD + 10, 8, I32, V, ["load64_splat"]),
  ...accessing(SIMD + 11, 16, ["i32", "v128"], NONE, ["store"]),
  ...plain(SIMD + 77, V, V, ["not"]),
  ...plain(SIMD + 78, V_V, V, ["and", "andnot", "or", "xor"]),
  ...plain(SIMD + 82, V_V_V, V, ["bitselect"]),
  ...plain(SIMD + 83, V, I32, ["any_true"]),
  ...accessingLane(SIMD + 86, 4, V, "load32_lane"),
  ...accessingLane(SIMD + 87, 8, V, "load64_lane"),
  ...accessingLane(SIMD + 88, 1, NONE, "store8_lane"),
  ...accessingLane(SIMD + 89, 2, NONE, "store16_lane"),
  ...accessingLane(SIMD + 90, 4, NONE, "store32_lane"),
  ...accessingLane(SIMD + 91, 8, NONE, "store64_lane"),
  ...accessing(SIMD + 92, 4, I32, V, ["load32_zero"]),
  ...accessing(SIMD + 93, 8, I32, V, ["load64_zero"]),
};

/** Lanes of integers of two bytes and more, from an opcode on, with what makes them of lanes half as wide. */
const integers = <N extends string>(first: number, half: N) => ({
  ...plain(first, V, V, ["abs", "neg"]),
  ...plain(first + 4, V, I32, ["bitmask"]),
  ...plain(first + 7, V, V, [
    ...([`extend_low_${half}_s`, `extend_high_${half}_s`] as const),
    ...([`extend_low_${half}_u`, `extend_high_${half}_u`] as const),
  ]),
  ...plain(first + 11, V_I32, V, ["shl", "shr_s", "shr_u"]),
  ...plain(first + 14, V_V, V, ["add"]),
  ...plain(first + 17, V_V, V, ["sub"]),
  ...plain(first + 21, V_V, V, ["mul"]),
});

/** Lanes of floats, from an opcode on, and comparisons from another one on. */
const floats = (first: number, order: number) => ({
  ...plain(order, V_V, V, ["eq", "ne", "lt", "gt", "le", "ge"]),
  ...plain(first, V, V, ["abs", "neg"]),
  ...plain(first + 3, V, V, ["sqrt"]),
  ...plain(first + 4, V_V, V, ["add", "sub", "mul", "div", "min", "max", "pmin", "pmax"]),
});

export const i8x16 = {
  shuffle,
  ...plain(SIMD + 14, V_V, V, ["swizzle"]),
  ...plain(SIMD + 15, I32, V, ["splat"]),
  ...plain(SIMD + 35, V_V, V, ["eq", "ne", "lt_s", "lt_u"]),
  ...plain(SIMD + 41, V_V, V, ["le_s", "le_u"]),
  ...plain(SIMD + 97, V, V, ["neg"]),
  ...plain(SIMD + 107, V_I32, V, ["shl", "shr_s", "shr_u"]),
  ...plain(SIMD + 110, V_V, V, ["add"]),
  ...plain(SIMD + 113, V_V, V, ["sub"]),
  ...plain(SIMD + 118, V_V, V, ["min_s", "min_u", "max_s", "max_u"]),
};

export const i16x8 = {
  ...ofLane(SIMD + 25, V, I32, ["extract_lane_u"]),
  ...integers(SIMD + 128, "i8x16"),
};

export const i32x4 = {
  ...plain(SIMD + 17, I32, V, ["splat"]),
  ...ofLane(SIMD + 27, V, I32, ["extract_lane"]),
  ...ofLane(SIMD + 28, V_I32, V, ["replace_lane"]),
  ...plain(SIMD + 55, V_V, V, ["eq", "ne", "lt_s", "lt_u", "gt_s", "gt_u", "le_s", "le_u", "ge_s", "ge_u"]),
  ...integers(SIMD + 160, "i16x8"),
  ...plain(SIMD + 182, V_V, V, ["min_s", "min_u", "max_s", "max_u"]),
  ...plain(SIMD + 248, V, V, ["trunc_sat_f32x4_s", "trunc_sat_f32x4_u"]),
  ...plain(SIMD + 252, V, V, ["trunc_sat_f64x2_s_zero", "trunc_sat_f64x2_u_zero"]),
};

export const i64x2 = {
  ...plain(SIMD + 18, I64, V, ["splat"]),
  ...ofLane(SIMD + 29, V, I64, ["extract_lane"]),
  ...ofLane(SIMD + 30, ["v128", "i64"], V, ["replace_lane"]),
  ...integers(SIMD + 192, "i32x4"),
  ...plain(SIMD + 214, V_V, V, ["eq", "ne", "lt_s", "gt_s", "le_s", "ge_s"]),
};

export const f32x4 = {
  ...plain(SIMD + 19, F32, V, ["splat"]),
  ...ofLane(SIMD + 31, V, F32, ["extract_lane"]),
  ...ofLane(SIMD + 32, ["v128", "f32"], V, ["replace_lane"]),
  ...floats(SIMD + 224, SIMD + 65),
  ...plain(SIMD + 94, V, V, ["demote_f64x2_zero"]),
  ...plain(SIMD + 103, V, V, ["ceil", "floor", "trunc", "nearest"]),
  ...plain(SIMD + 250, V, V, ["convert_i32x4_s", "convert_i32x4_u"]),
  ...plain(RELAXED + 5, V_V_V, V, ["relaxed_madd"]),
};

export const f64x2 = {
  ...plain(SIMD + 20, F64, V, ["splat"]),
  ...ofLane(SIMD + 33, V, F64, ["extract_lane"]),
  ...ofLane(SIMD + 34, ["v128", "f64"], V, ["replace_lane"]),
  ...floats(SIMD + 236, SIMD + 71),
  ...plain(SIMD + 95, V, V, ["promote_low_f32x4"]),
  ...plain(SIMD + 116, V, V, ["ceil", "floor"]),
  ...plain(SIMD + 122, V, V, ["trunc"]),
  ...plain(SIMD + 148, V, V, ["nearest"]),
  ...plain(SIMD + 254, V, V, ["convert_low_i32x4_s", "convert_low_i32x4_u"]),
  ...plain(RELAXED + 7, V_V_V, V, ["relaxed_madd"]),
};
