/**
 * The f64 lane: floats and integers of at most 32 bits, wherever doubles hold the exact result or round it once. One loop
 * per op, written out: a loop that calls a function for each element is several times slower.
 */
import { remainder, roundHalfAway, roundHalfEven, sign } from "../../../core/special";
import type { BinaryOp, BinaryOpOf, SpecialBinary, SpecialUnary, UnaryOp, UnaryOpOf } from "../../../ops";

export type UnaryLoop = (out: Float64Array, x: Float64Array, n: number) => void;
export type BinaryLoop = (out: Float64Array, x: Float64Array, y: Float64Array, n: number) => void;

/** Ops on bits have no meaning for doubles, a conjugate is complex, and special functions are kernels. */
type F64Unary = Exclude<UnaryOp, UnaryOpOf<"bits" | "complex"> | SpecialUnary>;
type F64Binary = Exclude<BinaryOp, Exclude<BinaryOpOf<"bits" | "pair">, "quotient"> | SpecialBinary>;

export const F64_UNARY: { readonly [K in F64Unary]: UnaryLoop } = {
  abs(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = Math.abs(x[i]!);
  },
  ceil(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = Math.ceil(x[i]!);
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
  negate(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = -x[i]!;
  },
  real(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = x[i]!;
  },
  round(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = roundHalfAway(x[i]!);
  },
  roundEven(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = roundHalfEven(x[i]!);
  },
  sign(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = sign(x[i]!);
  },
  sqrt(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = Math.sqrt(x[i]!);
  },
  trunc(out, x, n) {
    for (let i = 0; i < n; i++) out[i] = Math.trunc(x[i]!);
  },
};

export const F64_BINARY: { readonly [K in F64Binary]: BinaryLoop } = {
  add(out, x, y, n) {
    for (let i = 0; i < n; i++) out[i] = x[i]! + y[i]!;
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
