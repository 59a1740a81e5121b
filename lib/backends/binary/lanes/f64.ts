/**
 * The f64 lane: floats and integers of at most 32 bits, wherever doubles hold the exact result or round it once. One loop
 * per op, written out: a loop that calls a function for each element is several times slower.
 */
import { remainder as remainderOf, roundHalfAway, roundHalfEven, sign as signOf } from "../../../core/special";
import type { BinaryOp, BinaryOpOf, SpecialBinary, SpecialUnary, UnaryOp, UnaryOpOf } from "../../../ops";

export type F64UnaryLoop = (out: Float64Array, x: Float64Array, n: number) => void;
export type F64BinaryLoop = (out: Float64Array, x: Float64Array, y: Float64Array, n: number) => void;

/** Ops on bits have no meaning for doubles, a conjugate is complex, and special functions are kernels. */
export type F64Unary = Exclude<UnaryOp, UnaryOpOf<"bits" | "complex"> | SpecialUnary>;
export type F64Binary = Exclude<BinaryOp, Exclude<BinaryOpOf<"bits" | "pair">, "quotient"> | SpecialBinary>;

export function abs(out: Float64Array, x: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = Math.abs(x[i]!);
}

export function ceil(out: Float64Array, x: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = Math.ceil(x[i]!);
}

export function floor(out: Float64Array, x: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = Math.floor(x[i]!);
}

export function imag(out: Float64Array, _x: Float64Array, n: number): void {
  out.fill(0, 0, n);
}

export function isInfinity(out: Float64Array, x: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = Math.abs(x[i]!) === Infinity ? 1 : 0;
}

export function isNan(out: Float64Array, x: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = x[i] !== x[i] ? 1 : 0;
}

export function negate(out: Float64Array, x: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = -x[i]!;
}

export function real(out: Float64Array, x: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = x[i]!;
}

export function round(out: Float64Array, x: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = roundHalfAway(x[i]!);
}

export function roundEven(out: Float64Array, x: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = roundHalfEven(x[i]!);
}

export function sign(out: Float64Array, x: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = signOf(x[i]!);
}

export function sqrt(out: Float64Array, x: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = Math.sqrt(x[i]!);
}

export function trunc(out: Float64Array, x: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = Math.trunc(x[i]!);
}

export function add(out: Float64Array, x: Float64Array, y: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = x[i]! + y[i]!;
}

export function divide(out: Float64Array, x: Float64Array, y: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = x[i]! / y[i]!;
}

export function equal(out: Float64Array, x: Float64Array, y: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = x[i]! === y[i]! ? 1 : 0;
}

export function greater(out: Float64Array, x: Float64Array, y: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = x[i]! > y[i]! ? 1 : 0;
}

export function greaterEqual(out: Float64Array, x: Float64Array, y: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = x[i]! >= y[i]! ? 1 : 0;
}

export function less(out: Float64Array, x: Float64Array, y: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = x[i]! < y[i]! ? 1 : 0;
}

export function lessEqual(out: Float64Array, x: Float64Array, y: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = x[i]! <= y[i]! ? 1 : 0;
}

export function logicalAnd(out: Float64Array, x: Float64Array, y: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = x[i]! !== 0 && y[i]! !== 0 ? 1 : 0;
}

export function logicalOr(out: Float64Array, x: Float64Array, y: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = x[i]! !== 0 || y[i]! !== 0 ? 1 : 0;
}

export function logicalXor(out: Float64Array, x: Float64Array, y: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = (x[i]! !== 0) !== (y[i]! !== 0) ? 1 : 0;
}

export function max(out: Float64Array, x: Float64Array, y: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = Math.max(x[i]!, y[i]!);
}

export function min(out: Float64Array, x: Float64Array, y: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = Math.min(x[i]!, y[i]!);
}

export function multiply(out: Float64Array, x: Float64Array, y: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = x[i]! * y[i]!;
}

export function notEqual(out: Float64Array, x: Float64Array, y: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = x[i]! !== y[i]! ? 1 : 0;
}

export function quotient(out: Float64Array, x: Float64Array, y: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = Math.trunc(x[i]! / y[i]!);
}

export function remainder(out: Float64Array, x: Float64Array, y: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = remainderOf(x[i]!, y[i]!);
}

export function subtract(out: Float64Array, x: Float64Array, y: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = x[i]! - y[i]!;
}
