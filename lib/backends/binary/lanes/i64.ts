/**
 * The i64 lane: 64-bit integers as pairs of 32-bit halves. The loops are those of `core/int64`; here they become tables.
 */
import * as int64 from "../../../core/int64";
import type { BinaryOp, UnaryOp } from "../../../ops";

export type I64Unary = Extract<
  UnaryOp,
  "abs" | "bitwiseNot" | "countLeadingZeros" | "negate" | "populationCount" | "sign"
>;
type UnaryLoop = (out: Int32Array, x: Int32Array, n: number, signed: boolean) => void;

export const I64_UNARY: { readonly [K in I64Unary]: UnaryLoop } = {
  abs: (out, x, n, signed) => (signed ? int64.abs(out, x, n) : out.set(x.subarray(0, 2 * n))),
  bitwiseNot: int64.bitwiseNot,
  countLeadingZeros: int64.countLeadingZeros,
  negate: int64.negate,
  populationCount: int64.populationCount,
  sign: int64.sign,
};

export type I64Binary = Extract<
  BinaryOp,
  | "add"
  | "bitwiseAnd"
  | "bitwiseOr"
  | "bitwiseXor"
  | "leftShift"
  | "max"
  | "min"
  | "multiply"
  | "pow"
  | "quotient"
  | "remainder"
  | "rightShift"
  | "subtract"
>;
/** False where an operand is not allowed: a zero divisor, a negative exponent or shift. */
type BinaryLoop = (out: Int32Array, x: Int32Array, y: Int32Array, n: number, signed: boolean) => boolean | void;

export const I64_BINARY: { readonly [K in I64Binary]: BinaryLoop } = {
  add: int64.add,
  bitwiseAnd: int64.bitwiseAnd,
  bitwiseOr: int64.bitwiseOr,
  bitwiseXor: int64.bitwiseXor,
  leftShift: int64.leftShift,
  max: int64.max,
  min: int64.min,
  multiply: int64.multiply,
  pow: int64.pow,
  quotient: int64.quotient,
  remainder: int64.remainder,
  rightShift: int64.rightShift,
  subtract: int64.subtract,
};

export type I64Test = Extract<
  BinaryOp,
  "equal" | "greater" | "greaterEqual" | "less" | "lessEqual" | "logicalAnd" | "logicalOr" | "logicalXor" | "notEqual"
>;
/** `order` is negative, zero or positive as x is below, equal to or above y. */
type Test = (order: number, xIsZero: boolean, yIsZero: boolean) => boolean;

const TESTS: { readonly [K in I64Test]: Test } = {
  equal: (order) => order === 0,
  greater: (order) => order > 0,
  greaterEqual: (order) => order >= 0,
  less: (order) => order < 0,
  lessEqual: (order) => order <= 0,
  logicalAnd: (_, x, y) => !x && !y,
  logicalOr: (_, x, y) => !x || !y,
  logicalXor: (_, x, y) => x !== y,
  notEqual: (order) => order !== 0,
};

/**
 * Compares pairs by value into bytes. Each side has a sign of its own, so that the largest u64 and the s64 of the same bits
 * differ.
 */
export function compareI64(
  op: I64Test,
  out: Uint8Array,
  at: number,
  sides: { readonly x: Int32Array; readonly y: Int32Array; readonly xSigned: boolean; readonly ySigned: boolean },
  n: number,
): void {
  const { x, y, xSigned, ySigned } = sides;
  const test = TESTS[op];
  for (let i = 0; i < n; i++) {
    const xh = xSigned ? x[2 * i + 1]! : x[2 * i + 1]! >>> 0;
    const yh = ySigned ? y[2 * i + 1]! : y[2 * i + 1]! >>> 0;
    const order = xh === yh ? (x[2 * i]! >>> 0) - (y[2 * i]! >>> 0) : xh - yh;
    out[at + i] = test(order, (x[2 * i]! | xh) === 0, (y[2 * i]! | yh) === 0) ? 1 : 0;
  }
}
