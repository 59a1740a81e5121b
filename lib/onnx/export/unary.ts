/**
 * Unary ops: one operator each, or a decomposition. The table is total over the ops.
 */
import type { DType, UnaryOp } from "nx-numerics";
import type { Emitter } from "./emitter";
import type { Value } from "./ir";
import { Arithmetic, bitsOf, converted, isFloat, isInteger, isTooWide, isUnsigned, workingType } from "./numbers";
import * as special from "./special";

/** Writes an op on an operand of the type of the result. */
type Rule = (e: Emitter, x: Value, type: DType) => Value;

/** One operator. */
const direct =
  (op: string): Rule =>
  (e, x, type) =>
    e.apply(op, [x], type);

type Written = (f: Arithmetic, x: Value) => Value;

/** A decomposition in floats: half floats in f32, rounded once. */
const written =
  (write: Written): Rule =>
  (e, x, type) => {
    const f = new Arithmetic(e, workingType(type));
    return e.cast(write(f, e.cast(x, f.type)), type);
  };

/** An operator that onnxruntime has in f32 alone, and what f64 is computed by. */
const ofSingle =
  (op: string, write: Written): Rule =>
  (e, x, type) =>
    type === "f64" ? written(write)(e, x, type) : e.apply(op, [x], type);

/** Rounding leaves integers as they are. */
const rounding =
  (rule: Rule): Rule =>
  (e, x, type) =>
    isInteger(type) ? x : rule(e, x, type);

const sigmoid: Rule = (e, x, type) =>
  e.model.isStrict ? written(special.sigmoid)(e, x, type) : e.apply("Sigmoid", [x], type);

/** From here down x times its share is below all numbers of f32. */
const FAR = -15;

/** A product of x and a share of it that is 0 far below 0, where infinities would give NaN. */
function boundedBelow(f: Arithmetic, x: Value, value: Value): Value {
  return f.e.model.isStrict ? f.where(f.is("Less", x, FAR), -0, value) : value;
}

/** Half of x (1 + erf(x / sqrt 2)); of f64 by erfc, which keeps the tail. */
const gelu: Rule = (e, x, type) => {
  if (type !== "f64") e.note("gelu: values below 1e-7 are lost where x is far below 0");
  return written((f, y) => {
    if (f.type === "f64") {
      const bounded = f.of("Max", y, f.k(-40));
      return f.mul(f.mul(bounded, 0.5), special.erfc(f, f.mul(bounded, -Math.SQRT1_2)));
    }
    if (e.model.opset >= 20) return boundedBelow(f, y, f.of("Gelu", y));
    const share = f.add(f.of("Erf", f.mul(y, Math.SQRT1_2)), 1);
    return boundedBelow(f, y, f.mul(f.mul(y, 0.5), share));
  })(e, x, type);
};

const geluTanh: Rule = (e, x, type) => {
  if (type !== "f64") e.note("geluTanh: values below 1e-7 are lost where x is far below 0");
  return written((f, y) => {
    const bounded = f.type === "f64" ? f.of("Max", y, f.k(-40)) : y;
    const cube = f.mul(f.mul(f.mul(bounded, bounded), bounded), 0.044715);
    const inner = f.mul(f.add(bounded, cube), Math.sqrt(2 / Math.PI));
    if (f.type === "f64") return f.mul(bounded, special.sigmoid(f, f.mul(inner, 2)));
    return boundedBelow(f, y, f.mul(f.mul(y, 0.5), f.add(f.of("Tanh", inner), 1)));
  })(e, x, type);
};

/** x times a share of it, which is 0 where x is so far below 0 that the share is. */
const timesShare = (share: Written): Rule =>
  written((f, x) => f.where(f.is("Equal", x, -Infinity), -0, f.mul(x, share(f, x))));

const test =
  (op: string): Rule =>
  (e, x) => {
    if (!isFloat(x.type)) return e.expand(e.scalar(false, "bool"), x.shape);
    return e.op(op, [e.cast(x, workingType(x.type))], "bool", x.shape);
  };

const HALVES = [0x5555555555555555n, 0x3333333333333333n, 0x0f0f0f0f0f0f0f0fn, 0x0101010101010101n] as const;

/** The bits that are set, in u64. */
function counted(e: Emitter, x: Value): Value {
  const apply = (op: string, a: Value, b: Value) => e.apply(op, [a, b], "u64");
  const k = (value: number | bigint) => e.scalar(value, "u64");
  const right = (a: Value, by: number) => e.op("BitShift", [a, k(by)], "u64", a.shape, { direction: "RIGHT" });
  const and = (a: Value, mask: bigint) => apply("BitwiseAnd", a, k(mask));
  const pairs = apply("Sub", x, and(right(x, 1), HALVES[0]));
  const fours = apply("Add", and(pairs, HALVES[1]), and(right(pairs, 2), HALVES[1]));
  const bytes = and(apply("Add", fours, right(fours, 4)), HALVES[2]);
  return right(apply("Mul", bytes, k(HALVES[3])), 56);
}

/** The bits of an integer in u64. */
const bitsIn64 = (e: Emitter, x: Value): Value => {
  const mask = e.scalar(2n ** BigInt(bitsOf(x.type)) - 1n, "u64");
  return e.apply("BitwiseAnd", [e.cast(x, "u64"), mask], "u64");
};

const populationCount: Rule = (e, x, type) => e.cast(counted(e, bitsIn64(e, x)), type);

const countLeadingZeros: Rule = (e, x, type) => {
  let v = bitsIn64(e, x);
  for (let by = 1; by < bitsOf(type); by *= 2) {
    const moved = e.op("BitShift", [v, e.scalar(by, "u64")], "u64", v.shape, { direction: "RIGHT" });
    v = e.apply("BitwiseOr", [v, moved], "u64");
  }
  return e.cast(e.apply("Sub", [e.scalar(bitsOf(type), "u64"), counted(e, v)], "u64"), type);
};

const negate: Rule = (e, x, type) =>
  isUnsigned(type) ? e.apply("Sub", [e.scalar(0, type), x], type) : e.apply("Neg", [x], type);

const complex: Rule = (e) => {
  throw e.unsupported("complex numbers have no equivalent", "compute real and imaginary parts as tensors of their own");
};

const SELU = { alpha: 1.6732632423543772, gamma: 1.0507009873554805 };
const selu: Written = (f, x) => {
  const left = f.mul(special.expm1(f, f.of("Min", x, f.k(0))), SELU.alpha * SELU.gamma);
  return f.where(f.is("Greater", x, 0), f.mul(x, SELU.gamma), left);
};

const hardShare: Written = (f, x) => f.of("Max", f.of("Min", f.add(f.div(x, 6), 0.5), f.k(1)), f.k(0));

/** How each op is written. */
const RULES: { readonly [K in UnaryOp]: Rule } = {
  abs: (e, x, type) => (isUnsigned(type) ? x : e.apply("Abs", [x], type)),
  acos: ofSingle("Acos", special.acos),
  acosh: ofSingle("Acosh", special.acosh),
  asin: ofSingle("Asin", special.asin),
  asinh: written(special.asinh),
  atan: ofSingle("Atan", special.atan),
  atanh: ofSingle("Atanh", special.atanh),
  bitwiseNot: direct("BitwiseNot"),
  cbrt: written(special.cbrt),
  ceil: rounding(direct("Ceil")),
  conjugate: complex,
  cos: direct("Cos"),
  cosh: ofSingle("Cosh", special.cosh),
  countLeadingZeros,
  erf: ofSingle("Erf", special.erf),
  erfInv: written(special.erfInv),
  erfc: written(special.erfc),
  exp: direct("Exp"),
  exp2: written(special.exp2),
  expm1: written(special.expm1),
  floor: rounding(direct("Floor")),
  gelu,
  geluTanh,
  hardSigmoid: written(hardShare),
  hardSwish: timesShare(hardShare),
  imag: (e, x, type) => e.expand(e.scalar(0, type), x.shape), // of numbers that have none
  isInfinity: test("IsInf"),
  isNan: test("IsNaN"),
  log: direct("Log"),
  log10: written(special.log10),
  log1p: written(special.log1p),
  log2: written(special.log2),
  mish: timesShare((f, x) => f.of("Tanh", special.softplus(f, x))),
  negate,
  populationCount,
  quickGelu: timesShare((f, x) => special.sigmoid(f, f.mul(x, 1.702))),
  real: (e, x, type) => converted(e, x, type),
  round: rounding(written(special.round)),
  roundEven: rounding(direct("Round")),
  rsqrt: written(special.rsqrt),
  selu: written(selu),
  sigmoid,
  sign: direct("Sign"),
  silu: timesShare(special.sigmoid),
  sin: direct("Sin"),
  sinh: ofSingle("Sinh", special.sinh),
  softplus: written(special.softplus),
  softsign: written((f, x) => f.where(f.isInfinite(x), f.of("Sign", x), f.div(x, f.add(f.of("Abs", x), 1)))),
  sqrt: direct("Sqrt"),
  tan: ofSingle("Tan", special.tan),
  tanh: direct("Tanh"),
  trunc: rounding(written(special.trunc)),
};

/** Rules that take the operand as it is. */
const UNCONVERTED: ReadonlySet<UnaryOp> = new Set(["isNan", "isInfinity", "conjugate", "real", "imag"]);

/** Writes a unary op; `type` is that of its result. Wide integers become doubles first, so that they are rounded once. */
export function unary(e: Emitter, op: UnaryOp, x: Value, type: DType): Value {
  if (UNCONVERTED.has(op)) return RULES[op](e, x, type);
  const computed = isTooWide(x.type, type) ? "f64" : type;
  return e.cast(RULES[op](e, converted(e, x, computed), computed), type);
}
