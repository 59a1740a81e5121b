/**
 * The f64 lane: floats and integers of at most 32 bits, wherever doubles hold the exact result or round it once. One loop
 * per op, written out: a loop that calls a function for each element is several times slower.
 */
import { erf, erfc, erfInv, pow, remainder, roundHalfAway, rsqrt, sigmoid, sign } from "../../../core/special";
import type { BinaryOp, UnaryOp } from "../../../ops";

export type UnaryLoop = (out: Float64Array, x: Float64Array, n: number) => void;
export type BinaryLoop = (out: Float64Array, x: Float64Array, y: Float64Array, n: number) => void;

/** Ops on bits have no meaning for doubles; a conjugate is complex. */
type F64Unary = Exclude<UnaryOp, "bitwiseNot" | "conjugate" | "countLeadingZeros" | "populationCount">;
type F64Binary = Exclude<BinaryOp, "bitwiseAnd" | "bitwiseOr" | "bitwiseXor" | "complex" | "leftShift" | "rightShift">;

export const F64_UNARY: { readonly [K in F64Unary]: UnaryLoop } = {
  abs(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = Math.abs(x[i]!);
  },
  acos(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = Math.acos(x[i]!);
  },
  acosh(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = Math.acosh(x[i]!);
  },
  asin(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = Math.asin(x[i]!);
  },
  asinh(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = Math.asinh(x[i]!);
  },
  atan(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = Math.atan(x[i]!);
  },
  atanh(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = Math.atanh(x[i]!);
  },
  cbrt(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = Math.cbrt(x[i]!);
  },
  ceil(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = Math.ceil(x[i]!);
  },
  cos(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = Math.cos(x[i]!);
  },
  cosh(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = Math.cosh(x[i]!);
  },
  erf(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = erf(x[i]!);
  },
  erfInv(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = erfInv(x[i]!);
  },
  erfc(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = erfc(x[i]!);
  },
  exp(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = Math.exp(x[i]!);
  },
  expm1(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = Math.expm1(x[i]!);
  },
  floor(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = Math.floor(x[i]!);
  },
  imag(out, _x, n) {
    out.fill(0, 0, n);
  },
  isInfinity(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = Math.abs(x[i]!) === Infinity ? 1 : 0;
  },
  isNan(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = x[i] !== x[i] ? 1 : 0;
  },
  log(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = Math.log(x[i]!);
  },
  log1p(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = Math.log1p(x[i]!);
  },
  negate(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = -x[i]!;
  },
  real(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = x[i]!;
  },
  round(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = roundHalfAway(x[i]!);
  },
  rsqrt(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = rsqrt(x[i]!);
  },
  sigmoid(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = sigmoid(x[i]!);
  },
  sign(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = sign(x[i]!);
  },
  sin(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = Math.sin(x[i]!);
  },
  sinh(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = Math.sinh(x[i]!);
  },
  sqrt(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = Math.sqrt(x[i]!);
  },
  tan(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = Math.tan(x[i]!);
  },
  tanh(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = Math.tanh(x[i]!);
  },
};

export const F64_BINARY: { readonly [K in F64Binary]: BinaryLoop } = {
  add(out, x, y, n) {
    for (let i = 0; i < n; i++) out[i] = x[i]! + y[i]!;
  },
  atan2(out, x, y, n) {
    for (let i = 0; i < n; i++) out[i] = Math.atan2(x[i]!, y[i]!);
  },
  divide(out, x, y, n) {
    for (let i = 0; i < n; i++) out[i] = x[i]! / y[i]!;
  },
  equal(out, x, y, n) {
    for (let i = 0; i < n; i++) out[i] = x[i]! === y[i]! ? 1 : 0;
  },
  greater(out, x, y, n) {
    for (let i = 0; i < n; i++) out[i] = x[i]! > y[i]! ? 1 : 0;
  },
  greaterEqual(out, x, y, n) {
    for (let i = 0; i < n; i++) out[i] = x[i]! >= y[i]! ? 1 : 0;
  },
  less(out, x, y, n) {
    for (let i = 0; i < n; i++) out[i] = x[i]! < y[i]! ? 1 : 0;
  },
  lessEqual(out, x, y, n) {
    for (let i = 0; i < n; i++) out[i] = x[i]! <= y[i]! ? 1 : 0;
  },
  logicalAnd(out, x, y, n) {
    for (let i = 0; i < n; i++) out[i] = x[i]! !== 0 && y[i]! !== 0 ? 1 : 0;
  },
  logicalOr(out, x, y, n) {
    for (let i = 0; i < n; i++) out[i] = x[i]! !== 0 || y[i]! !== 0 ? 1 : 0;
  },
  logicalXor(out, x, y, n) {
    for (let i = 0; i < n; i++) out[i] = (x[i]! !== 0) !== (y[i]! !== 0) ? 1 : 0;
  },
  max(out, x, y, n) {
    for (let i = 0; i < n; i++) out[i] = Math.max(x[i]!, y[i]!);
  },
  min(out, x, y, n) {
    for (let i = 0; i < n; i++) out[i] = Math.min(x[i]!, y[i]!);
  },
  multiply(out, x, y, n) {
    for (let i = 0; i < n; i++) out[i] = x[i]! * y[i]!;
  },
  notEqual(out, x, y, n) {
    for (let i = 0; i < n; i++) out[i] = x[i]! !== y[i]! ? 1 : 0;
  },
  pow(out, x, y, n) {
    for (let i = 0; i < n; i++) out[i] = pow(x[i]!, y[i]!);
  },
  quotient(out, x, y, n) {
    for (let i = 0; i < n; i++) out[i] = Math.trunc(x[i]! / y[i]!);
  },
  remainder(out, x, y, n) {
    for (let i = 0; i < n; i++) out[i] = remainder(x[i]!, y[i]!);
  },
  subtract(out, x, y, n) {
    for (let i = 0; i < n; i++) out[i] = x[i]! - y[i]!;
  },
};
