/**
 * The table of instructions on numbers and on memory, as far as functions here need them. Opcodes are those of the core specification.
 */
import { accessing, plain, withZeros } from "./instructions";
import type { StackVar, ValueType } from "./types";
import { here, ON_STACK, PREFIX_SHIFT } from "./writer";

const MISC = 0xfc << PREFIX_SHIFT;

const constant =
  <T extends ValueType, V extends number | bigint>(type: T) =>
  (value: V): StackVar<T> => {
    here().constant(type, value);
    return ON_STACK;
  };

const [I32, I64, F32, F64] = [["i32"], ["i64"], ["f32"], ["f64"]] as const;
const [I32_I32, I64_I64, F32_F32, F64_F64] = [
  ["i32", "i32"],
  ["i64", "i64"],
  ["f32", "f32"],
  ["f64", "f64"],
] as const;
const NONE = [] as const;

const ORDER = ["eq", "ne", "lt_s", "lt_u", "gt_s", "gt_u", "le_s", "le_u", "ge_s", "ge_u"] as const;
const INTEGER = [
  ...["add", "sub", "mul", "div_s", "div_u", "rem_s", "rem_u"],
  ...["and", "or", "xor", "shl", "shr_s", "shr_u"],
] as const;
const FLOAT_ORDER = ["eq", "ne", "lt", "gt", "le", "ge"] as const;
const FLOAT_UNARY = ["abs", "neg", "ceil", "floor", "trunc", "nearest", "sqrt"] as const;
const FLOAT_BINARY = ["add", "sub", "mul", "div", "min", "max"] as const;

export const i32 = {
  const: constant<"i32", number>("i32"),
  ...accessing(0x28, 4, I32, I32, ["load"]),
  ...accessing(0x2c, 1, I32, I32, ["load8_s", "load8_u"]),
  ...accessing(0x2e, 2, I32, I32, ["load16_s", "load16_u"]),
  ...accessing(0x36, 4, I32_I32, NONE, ["store"]),
  ...accessing(0x3a, 1, I32_I32, NONE, ["store8"]),
  ...accessing(0x3b, 2, I32_I32, NONE, ["store16"]),
  ...plain(0x45, I32, I32, ["eqz"]),
  ...plain(0x46, I32_I32, I32, ORDER),
  ...plain(0x67, I32, I32, ["clz", "ctz"]),
  ...plain(0x6a, I32_I32, I32, INTEGER),
  ...plain(0xa7, I64, I32, ["wrap_i64"]),
  ...plain(MISC + 3, F64, I32, ["trunc_sat_f64_u"]),
};

export const i64 = {
  const: constant<"i64", bigint>("i64"),
  ...accessing(0x29, 8, I32, I64, ["load"]),
  ...accessing(0x30, 1, I32, I64, ["load8_s", "load8_u"]),
  ...accessing(0x32, 2, I32, I64, ["load16_s", "load16_u"]),
  ...accessing(0x34, 4, I32, I64, ["load32_s", "load32_u"]),
  ...accessing(0x37, 8, ["i32", "i64"], NONE, ["store"]),
  ...plain(0x50, I64, I32, ["eqz"]),
  ...plain(0x51, I64_I64, I32, ORDER),
  ...plain(0x7c, I64_I64, I64, INTEGER),
  ...plain(0xad, I32, I64, ["extend_i32_u"]),
};

export const f32 = {
  const: constant<"f32", number>("f32"),
  ...accessing(0x2a, 4, I32, F32, ["load"]),
  ...accessing(0x38, 4, ["i32", "f32"], NONE, ["store"]),
  ...plain(0x5b, F32_F32, I32, FLOAT_ORDER),
  ...plain(0x92, F32_F32, F32, FLOAT_BINARY),
  ...plain(0xb6, F64, F32, ["demote_f64"]),
};

export const f64 = {
  const: constant<"f64", number>("f64"),
  ...accessing(0x2b, 8, I32, F64, ["load"]),
  ...accessing(0x39, 8, ["i32", "f64"], NONE, ["store"]),
  ...plain(0x61, F64_F64, I32, FLOAT_ORDER),
  ...plain(0x99, F64, F64, FLOAT_UNARY),
  ...plain(0xa0, F64_F64, F64, FLOAT_BINARY),
  ...plain(0xb8, I32, F64, ["convert_i32_u"]),
  ...plain(0xbb, F32, F64, ["promote_f32"]),
};

/** Sizes and addresses in bytes. */
export const memory = {
  ...withZeros(MISC + 10, 2, ["i32", "i32", "i32"], "copy"),
  ...withZeros(MISC + 11, 1, ["i32", "i32", "i32"], "fill"),
};
