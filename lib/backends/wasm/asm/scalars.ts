/**
 * The table of instructions on numbers and on memory. Opcodes are those of the core specification and of the proposal for threads.
 */
import { accessing, plain, withZeros } from "./instructions";
import type { StackVar, ValueType } from "./types";
import { here, ON_STACK, PREFIX_SHIFT } from "./writer";

const MISC = 0xfc << PREFIX_SHIFT;
const ATOMIC = 0xfe << PREFIX_SHIFT;

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
const COUNTS = ["clz", "ctz", "popcnt"] as const;
const INTEGER = [
  ...["add", "sub", "mul", "div_s", "div_u", "rem_s", "rem_u"],
  ...["and", "or", "xor", "shl", "shr_s", "shr_u", "rotl", "rotr"],
] as const;
const FLOAT_ORDER = ["eq", "ne", "lt", "gt", "le", "ge"] as const;
const FLOAT_UNARY = ["abs", "neg", "ceil", "floor", "trunc", "nearest", "sqrt"] as const;
const FLOAT_BINARY = ["add", "sub", "mul", "div", "min", "max", "copysign"] as const;

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
  ...plain(0x67, I32, I32, COUNTS),
  ...plain(0x6a, I32_I32, I32, INTEGER),
  ...plain(0xa7, I64, I32, ["wrap_i64"]),
  ...plain(0xa8, F32, I32, ["trunc_f32_s", "trunc_f32_u"]),
  ...plain(0xaa, F64, I32, ["trunc_f64_s", "trunc_f64_u"]),
  ...plain(0xbc, F32, I32, ["reinterpret_f32"]),
  ...plain(0xc0, I32, I32, ["extend8_s", "extend16_s"]),
  ...plain(MISC, F32, I32, ["trunc_sat_f32_s", "trunc_sat_f32_u"]),
  ...plain(MISC + 2, F64, I32, ["trunc_sat_f64_s", "trunc_sat_f64_u"]),
  atomic: {
    ...accessing(ATOMIC + 0x10, 4, I32, I32, ["load"]),
    ...accessing(ATOMIC + 0x17, 4, I32_I32, NONE, ["store"]),
    rmw: {
      ...accessing(ATOMIC + 0x1e, 4, I32_I32, I32, ["add"]),
      ...accessing(ATOMIC + 0x48, 4, ["i32", "i32", "i32"], I32, ["cmpxchg"]),
    },
  },
};

export const i64 = {
  const: constant<"i64", bigint>("i64"),
  ...accessing(0x29, 8, I32, I64, ["load"]),
  ...accessing(0x30, 1, I32, I64, ["load8_s", "load8_u"]),
  ...accessing(0x32, 2, I32, I64, ["load16_s", "load16_u"]),
  ...accessing(0x34, 4, I32, I64, ["load32_s", "load32_u"]),
  ...accessing(0x37, 8, ["i32", "i64"], NONE, ["store"]),
  ...accessing(0x3c, 1, ["i32", "i64"], NONE, ["store8"]),
  ...accessing(0x3d, 2, ["i32", "i64"], NONE, ["store16"]),
  ...accessing(0x3e, 4, ["i32", "i64"], NONE, ["store32"]),
  ...plain(0x50, I64, I32, ["eqz"]),
  ...plain(0x51, I64_I64, I32, ORDER),
  ...plain(0x79, I64, I64, COUNTS),
  ...plain(0x7c, I64_I64, I64, INTEGER),
  ...plain(0xac, I32, I64, ["extend_i32_s", "extend_i32_u"]),
  ...plain(0xae, F32, I64, ["trunc_f32_s", "trunc_f32_u"]),
  ...plain(0xb0, F64, I64, ["trunc_f64_s", "trunc_f64_u"]),
  ...plain(0xbd, F64, I64, ["reinterpret_f64"]),
  ...plain(0xc2, I64, I64, ["extend8_s", "extend16_s", "extend32_s"]),
  ...plain(MISC + 4, F32, I64, ["trunc_sat_f32_s", "trunc_sat_f32_u"]),
  ...plain(MISC + 6, F64, I64, ["trunc_sat_f64_s", "trunc_sat_f64_u"]),
};

export const f32 = {
  const: constant<"f32", number>("f32"),
  ...accessing(0x2a, 4, I32, F32, ["load"]),
  ...accessing(0x38, 4, ["i32", "f32"], NONE, ["store"]),
  ...plain(0x5b, F32_F32, I32, FLOAT_ORDER),
  ...plain(0x8b, F32, F32, FLOAT_UNARY),
  ...plain(0x92, F32_F32, F32, FLOAT_BINARY),
  ...plain(0xb2, I32, F32, ["convert_i32_s", "convert_i32_u"]),
  ...plain(0xb4, I64, F32, ["convert_i64_s", "convert_i64_u"]),
  ...plain(0xb6, F64, F32, ["demote_f64"]),
  ...plain(0xbe, I32, F32, ["reinterpret_i32"]),
};

export const f64 = {
  const: constant<"f64", number>("f64"),
  ...accessing(0x2b, 8, I32, F64, ["load"]),
  ...accessing(0x39, 8, ["i32", "f64"], NONE, ["store"]),
  ...plain(0x61, F64_F64, I32, FLOAT_ORDER),
  ...plain(0x99, F64, F64, FLOAT_UNARY),
  ...plain(0xa0, F64_F64, F64, FLOAT_BINARY),
  ...plain(0xb7, I32, F64, ["convert_i32_s", "convert_i32_u"]),
  ...plain(0xb9, I64, F64, ["convert_i64_s", "convert_i64_u"]),
  ...plain(0xbb, F32, F64, ["promote_f32"]),
  ...plain(0xbf, I64, F64, ["reinterpret_i64"]),
};

/** Sizes and addresses in bytes but for `size` and `grow`, which count pages. */
export const memory = {
  ...withZeros(0x3f, 1, NONE, I32, "size"),
  ...withZeros(0x40, 1, I32, I32, "grow"),
  ...withZeros(MISC + 10, 2, ["i32", "i32", "i32"], NONE, "copy"),
  ...withZeros(MISC + 11, 1, ["i32", "i32", "i32"], NONE, "fill"),
  atomic: {
    ...accessing(ATOMIC, 4, I32_I32, I32, ["notify"]),
    ...accessing(ATOMIC + 1, 4, ["i32", "i32", "i64"], I32, ["wait32"]),
  },
};
