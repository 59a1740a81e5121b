/**
 * The op vocabulary: one row per element-wise, reduction or arg-reduction op, with its type rule. Every other concern
 * (backend loops, gradients, vector code, accuracy) is a table total over these keys, so that a forgotten row fails `tsc`. Values
 * and backends are unknown here.
 */
import { ArgumentError } from "./core/errors";
import { isComplex, isInteger, toAggregate, toComplex, toFloating, toReal, type DType } from "./core/types";

/** How the result type of a unary op follows from its operand's. */
type UnaryRule =
  | "floating" // to floating; complex allowed
  | "floatingReal" // to floating; complex refused
  | "same" // type kept; complex allowed
  | "rounding" // type kept, integers untouched; complex refused
  | "magnitude" // type kept, complex gives its real type
  | "part" // real type of the operand
  | "complex" // complex type that holds the operand
  | "bits" // integers only, type kept
  | "test"; // u8

interface UnaryRow {
  readonly rule: UnaryRule;
  /** Whether the op is a special function: its programs for each precision stand in `lib/kernel/special`. */
  readonly special?: true;
}

export const UNARY = {
  abs: { rule: "magnitude" },
  acos: { rule: "floating", special: true },
  acosh: { rule: "floating", special: true },
  asin: { rule: "floating", special: true },
  asinh: { rule: "floating", special: true },
  atan: { rule: "floating", special: true },
  atanh: { rule: "floating", special: true },
  bitwiseNot: { rule: "bits" },
  cbrt: { rule: "floating", special: true },
  ceil: { rule: "rounding" },
  conjugate: { rule: "complex" },
  cos: { rule: "floating", special: true },
  cosh: { rule: "floating", special: true },
  countLeadingZeros: { rule: "bits" },
  erf: { rule: "floatingReal", special: true },
  erfInv: { rule: "floatingReal", special: true },
  erfc: { rule: "floatingReal", special: true },
  exp: { rule: "floating", special: true },
  exp2: { rule: "floating", special: true },
  expm1: { rule: "floating", special: true },
  floor: { rule: "rounding" },
  gelu: { rule: "floatingReal", special: true },
  geluTanh: { rule: "floatingReal", special: true },
  hardSigmoid: { rule: "floatingReal", special: true },
  hardSwish: { rule: "floatingReal", special: true },
  imag: { rule: "part" },
  isInfinity: { rule: "test" },
  isNan: { rule: "test" },
  log: { rule: "floating", special: true },
  log10: { rule: "floating", special: true },
  log1p: { rule: "floating", special: true },
  log2: { rule: "floating", special: true },
  mish: { rule: "floatingReal", special: true },
  negate: { rule: "same" },
  populationCount: { rule: "bits" },
  quickGelu: { rule: "floatingReal", special: true },
  real: { rule: "part" },
  round: { rule: "rounding" },
  roundEven: { rule: "rounding" },
  rsqrt: { rule: "floating", special: true },
  selu: { rule: "floatingReal", special: true },
  sigmoid: { rule: "floating", special: true },
  sign: { rule: "same" },
  silu: { rule: "floatingReal", special: true },
  sin: { rule: "floating", special: true },
  sinh: { rule: "floating", special: true },
  softplus: { rule: "floatingReal", special: true },
  softsign: { rule: "floatingReal", special: true },
  sqrt: { rule: "floating" },
  tan: { rule: "floating", special: true },
  tanh: { rule: "floating", special: true },
  trunc: { rule: "rounding" },
} as const satisfies Record<string, UnaryRow>;

export type UnaryOp = keyof typeof UNARY;

/** The unary ops whose types follow from one of these rules. */
export type UnaryOpOf<R extends UnaryRule> = {
  [K in UnaryOp]: (typeof UNARY)[K]["rule"] extends R ? K : never;
}[UnaryOp];

/** The unary ops that are special functions. */
export type SpecialUnary = { [K in UnaryOp]: (typeof UNARY)[K] extends { special: true } ? K : never }[UnaryOp];

export const isSpecialUnary = (op: UnaryOp): op is SpecialUnary => "special" in UNARY[op];
export const SPECIAL_UNARY: readonly SpecialUnary[] = (Object.keys(UNARY) as UnaryOp[]).filter(isSpecialUnary);

/** How the result type of a binary op follows from the merged type of its operands. */
type BinaryRule =
  | "arithmetic" // merged type; complex allowed
  | "ordered" // merged type; complex refused
  | "floating" // to floating; complex allowed
  | "floatingReal" // to floating; complex refused
  | "bits" // integers only
  | "equality" // u8; complex allowed
  | "comparison" // u8; complex refused
  | "logical" // u8; complex allowed
  | "pair"; // complex type made of two reals

interface BinaryRow {
  readonly rule: BinaryRule;
  /** Whether the op is a special function, of floats at least. */
  readonly special?: true;
}

export const BINARY = {
  add: { rule: "arithmetic" },
  atan2: { rule: "floatingReal", special: true },
  bitwiseAnd: { rule: "bits" },
  bitwiseOr: { rule: "bits" },
  bitwiseXor: { rule: "bits" },
  complex: { rule: "pair" },
  divide: { rule: "floating" },
  equal: { rule: "equality" },
  greater: { rule: "comparison" },
  greaterEqual: { rule: "comparison" },
  leftShift: { rule: "bits" },
  less: { rule: "comparison" },
  lessEqual: { rule: "comparison" },
  logAddExp: { rule: "floatingReal", special: true },
  logicalAnd: { rule: "logical" },
  logicalOr: { rule: "logical" },
  logicalXor: { rule: "logical" },
  max: { rule: "ordered" },
  min: { rule: "ordered" },
  multiply: { rule: "arithmetic" },
  notEqual: { rule: "equality" },
  pow: { rule: "arithmetic", special: true },
  quotient: { rule: "bits" },
  remainder: { rule: "ordered" },
  rightShift: { rule: "bits" },
  subtract: { rule: "arithmetic" },
} as const satisfies Record<string, BinaryRow>;

export type BinaryOp = keyof typeof BINARY;

/** The binary ops whose types follow from one of these rules. */
export type BinaryOpOf<R extends BinaryRule> = {
  [K in BinaryOp]: (typeof BINARY)[K]["rule"] extends R ? K : never;
}[BinaryOp];

/** The binary ops that are special functions. */
export type SpecialBinary = { [K in BinaryOp]: (typeof BINARY)[K] extends { special: true } ? K : never }[BinaryOp];

export const isSpecialBinary = (op: BinaryOp): op is SpecialBinary => "special" in BINARY[op];
export const SPECIAL_BINARY: readonly SpecialBinary[] = (Object.keys(BINARY) as BinaryOp[]).filter(isSpecialBinary);

type ReduceRule = "aggregate" | "same" | "test";

/** Reductions over axes. */
export const REDUCE = {
  all: { rule: "test" },
  any: { rule: "test" },
  product: { rule: "aggregate" },
  reduceMax: { rule: "same" },
  reduceMin: { rule: "same" },
  sum: { rule: "aggregate" },
} as const satisfies Record<string, { readonly rule: ReduceRule }>;

export type ReduceOp = keyof typeof REDUCE;

/** Reductions that give an index. */
export const ARG_REDUCE = { argmax: {}, argmin: {} } as const;

export type ArgReduceOp = keyof typeof ARG_REDUCE;

/** Running reductions along an axis; the type stays. */
export const CUMULATIVE = { cumulativeMax: {}, cumulativeMin: {}, cumulativeProduct: {}, cumulativeSum: {} } as const;

export type CumulativeOp = keyof typeof CUMULATIVE;

/** Reductions over windows; the type stays. */
export const WINDOW = { windowMax: {}, windowMin: {}, windowProduct: {}, windowSum: {} } as const;

export type WindowOp = keyof typeof WINDOW;

/** Result type of a unary op, or an error where the op does not exist for the type. */
export function unaryType(op: UnaryOp, type: DType): DType {
  const rule: UnaryRule = UNARY[op].rule;
  switch (rule) {
    case "floating":
      return toFloating(type);
    case "floatingReal":
      return toFloating(refuseComplex(op, type));
    case "same":
      return type;
    case "rounding":
      return refuseComplex(op, type);
    case "magnitude":
      return isComplex(type) ? toReal(type) : type;
    case "part":
      return toReal(type);
    case "complex":
      return toComplex(type);
    case "bits":
      return requireInteger(op, type);
    case "test":
      return "u8";
    default:
      return rule satisfies never;
  }
}

/** Result type of a binary op whose operands merge to a type, or an error where the op does not exist for it. */
export function binaryType(op: BinaryOp, merged: DType): DType {
  const rule: BinaryRule = BINARY[op].rule;
  switch (rule) {
    case "arithmetic":
      return merged;
    case "ordered":
      return refuseComplex(op, merged);
    case "floating":
      return toFloating(merged);
    case "floatingReal":
      return toFloating(refuseComplex(op, merged));
    case "bits":
      return requireInteger(op, merged);
    case "equality":
    case "logical":
      return "u8";
    case "comparison":
      refuseComplex(op, merged);
      return "u8";
    case "pair":
      return toComplex(refuseComplex(op, merged));
    default:
      return rule satisfies never;
  }
}

/** Result type of a reduction. */
export function reduceType(op: ReduceOp, type: DType): DType {
  const rule: ReduceRule = REDUCE[op].rule;
  switch (rule) {
    case "aggregate":
      return toAggregate(type);
    case "same":
      return refuseComplex(op, type);
    case "test":
      return "u8";
    default:
      return rule satisfies never;
  }
}

/** Passes real types; complex numbers have no order and some functions no complex form here. */
export function refuseComplex(op: string, type: DType): DType {
  if (!isComplex(type)) return type;
  throw new ArgumentError(
    `${op} is not defined for complex tensors, got type ${type}; take Nx.abs, Nx.real or Nx.imag first`,
  );
}

/** Passes integer types. */
export function requireInteger(op: string, type: DType): DType {
  if (isInteger(type)) return type;
  throw new ArgumentError(
    `${op} expects integer tensors as inputs and outputs an integer tensor, got type ${type}; convert with Nx.asType first`,
  );
}
