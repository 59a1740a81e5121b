/**
 * The op vocabulary: one row per element-wise, reduction or arg-reduction op, with its type rule and documentation group.
 * Every other concern (backend loops, gradients, vector code, accuracy) is a table total over these keys, so that a
 * forgotten row fails `tsc`. Values and backends are unknown here.
 */
import { ArgumentError } from "./core/errors";
import { isComplex, isInteger, toAggregate, toComplex, toFloating, toReal, type DType } from "./core/types";

/** How the result type of a unary op follows from its operand's. */
export type UnaryRule =
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
}

export const UNARY = {
  abs: { rule: "magnitude" },
  acos: { rule: "floating" },
  acosh: { rule: "floating" },
  asin: { rule: "floating" },
  asinh: { rule: "floating" },
  atan: { rule: "floating" },
  atanh: { rule: "floating" },
  bitwiseNot: { rule: "bits" },
  cbrt: { rule: "floating" },
  ceil: { rule: "rounding" },
  conjugate: { rule: "complex" },
  cos: { rule: "floating" },
  cosh: { rule: "floating" },
  countLeadingZeros: { rule: "bits" },
  erf: { rule: "floatingReal" },
  erfInv: { rule: "floatingReal" },
  erfc: { rule: "floatingReal" },
  exp: { rule: "floating" },
  exp2: { rule: "floating" },
  expm1: { rule: "floating" },
  floor: { rule: "rounding" },
  gelu: { rule: "floatingReal" },
  geluTanh: { rule: "floatingReal" },
  hardSigmoid: { rule: "floatingReal" },
  hardSwish: { rule: "floatingReal" },
  imag: { rule: "part" },
  isInfinity: { rule: "test" },
  isNan: { rule: "test" },
  log: { rule: "floating" },
  log10: { rule: "floating" },
  log1p: { rule: "floating" },
  log2: { rule: "floating" },
  mish: { rule: "floatingReal" },
  negate: { rule: "same" },
  populationCount: { rule: "bits" },
  quickGelu: { rule: "floatingReal" },
  real: { rule: "part" },
  round: { rule: "rounding" },
  roundEven: { rule: "rounding" },
  rsqrt: { rule: "floating" },
  selu: { rule: "floatingReal" },
  sigmoid: { rule: "floating" },
  sign: { rule: "same" },
  silu: { rule: "floatingReal" },
  sin: { rule: "floating" },
  sinh: { rule: "floating" },
  softplus: { rule: "floatingReal" },
  softsign: { rule: "floatingReal" },
  sqrt: { rule: "floating" },
  tan: { rule: "floating" },
  tanh: { rule: "floating" },
  trunc: { rule: "rounding" },
} as const satisfies Record<string, UnaryRow>;

export type UnaryOp = keyof typeof UNARY;

/** How the result type of a binary op follows from the merged type of its operands. */
export type BinaryRule =
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
}

export const BINARY = {
  add: { rule: "arithmetic" },
  atan2: { rule: "floatingReal" },
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
  logAddExp: { rule: "floatingReal" },
  logicalAnd: { rule: "logical" },
  logicalOr: { rule: "logical" },
  logicalXor: { rule: "logical" },
  max: { rule: "ordered" },
  min: { rule: "ordered" },
  multiply: { rule: "arithmetic" },
  notEqual: { rule: "equality" },
  pow: { rule: "arithmetic" },
  quotient: { rule: "bits" },
  remainder: { rule: "ordered" },
  rightShift: { rule: "bits" },
  subtract: { rule: "arithmetic" },
} as const satisfies Record<string, BinaryRow>;

export type BinaryOp = keyof typeof BINARY;

export type ReduceRule = "aggregate" | "same" | "test";

/** Reductions over axes. `identity` is the value of an empty reduction; `null` where it is the type's limit. */
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
