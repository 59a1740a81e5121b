/**
 * The i64 lane: 64-bit integers as pairs of 32-bit halves. The loops are those of `core/int64`.
 */
import { abs as absOf } from "../../../core/int64";
import type { BinaryOp, UnaryOp } from "../../../ops";

export type I64Unary = Extract<
  UnaryOp,
  "abs" | "bitwiseNot" | "countLeadingZeros" | "negate" | "populationCount" | "sign"
>;
export type I64UnaryLoop = (out: Int32Array, x: Int32Array, n: number, signed: boolean) => void;

/** Of unsigned numbers themselves. */
export const abs: I64UnaryLoop = (out, x, n, signed) => (signed ? absOf(out, x, n) : out.set(x.subarray(0, 2 * n)));

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
export type I64BinaryLoop = (
  out: Int32Array,
  x: Int32Array,
  y: Int32Array,
  n: number,
  signed: boolean,
) => boolean | void;

export type I64Test = Extract<
  BinaryOp,
  "equal" | "greater" | "greaterEqual" | "less" | "lessEqual" | "logicalAnd" | "logicalOr" | "logicalXor" | "notEqual"
>;
/** `order` is negative, zero or positive as x is below, equal to or above y. */
export type I64TestOfOrder = (order: number, xIsZero: boolean, yIsZero: boolean) => boolean;

/**
 * Compares pairs by value into bytes. Each side has a sign of its own, so that the largest u64 and the s64 of the same bits
 * differ.
 */
export function compareI64(
  test: I64TestOfOrder,
  out: Uint8Array,
  at: number,
  sides: { readonly x: Int32Array; readonly y: Int32Array; readonly xSigned: boolean; readonly ySigned: boolean },
  n: number,
): void {
  const { x, y, xSigned, ySigned } = sides;
  for (let i = 0; i < n; i++) {
    const xh = xSigned ? x[2 * i + 1]! : x[2 * i + 1]! >>> 0;
    const yh = ySigned ? y[2 * i + 1]! : y[2 * i + 1]! >>> 0;
    const order = xh === yh ? (x[2 * i]! >>> 0) - (y[2 * i]! >>> 0) : xh - yh;
    out[at + i] = test(order, (x[2 * i]! | xh) === 0, (y[2 * i]! | yh) === 0) ? 1 : 0;
  }
}
