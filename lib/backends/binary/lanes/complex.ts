/**
 * The complex lane: interleaved real and imaginary parts in doubles. The functions are those of `core/complex-math`.
 */
import * as math from "../../../core/complex-math";
import type { BinaryOpOf, UnaryOpOf } from "../../../ops";

type ComplexUnaryFunction = (re: number, im: number, out: Float64Array, at: number) => void;
type ComplexBinaryFunction = (ar: number, ai: number, br: number, bi: number, out: Float64Array, at: number) => void;

/** Ops whose result is real. */
export type ComplexPart = UnaryOpOf<"magnitude" | "part" | "test">;
export type ComplexUnary = UnaryOpOf<"floating" | "same" | "complex">;

export const COMPLEX_PARTS: { readonly [K in ComplexPart]: (re: number, im: number) => number } = {
  abs: math.abs,
  imag: (_, im) => im,
  isInfinity: (re, im) => (Math.abs(re) === Infinity || Math.abs(im) === Infinity ? 1 : 0),
  isNan: (re, im) => (re !== re || im !== im ? 1 : 0),
  real: (re) => re,
};

/** The logarithm to the base whose natural logarithm is `base`. */
function logScaled(re: number, im: number, out: Float64Array, at: number, base: number): void {
  math.log(re, im, out, at);
  out[at]! /= base;
  out[at + 1]! /= base;
}

export const COMPLEX_UNARY: { readonly [K in ComplexUnary]: ComplexUnaryFunction } = {
  acos: math.acos,
  acosh: math.acosh,
  asin: math.asin,
  asinh: math.asinh,
  atan: math.atan,
  atanh: math.atanh,
  cbrt: math.cbrt,
  conjugate: math.conjugate,
  cos: math.cos,
  cosh: math.cosh,
  exp: math.exp,
  exp2: (re, im, out, at) => math.exp(re * Math.LN2, im * Math.LN2, out, at),
  expm1: math.expm1,
  log: math.log,
  log10: (re, im, out, at) => logScaled(re, im, out, at, Math.LN10),
  log1p: math.log1p,
  log2: (re, im, out, at) => logScaled(re, im, out, at, Math.LN2),
  negate: math.negate,
  rsqrt: math.rsqrt,
  sigmoid: math.sigmoid,
  sign: math.sign,
  sin: math.sin,
  sinh: math.sinh,
  sqrt: math.sqrt,
  tan: math.tan,
  tanh: math.tanh,
};

export type ComplexBinary = BinaryOpOf<"arithmetic" | "floating">;

export const COMPLEX_BINARY: { readonly [K in ComplexBinary]: ComplexBinaryFunction } = {
  add: math.add,
  divide: math.divide,
  multiply: math.multiply,
  pow: math.pow,
  subtract: math.subtract,
};

export type ComplexTest = BinaryOpOf<"equality" | "logical">;

const isTrue = (re: number, im: number): boolean => re !== 0 || im !== 0;

export const COMPLEX_TESTS: {
  readonly [K in ComplexTest]: (ar: number, ai: number, br: number, bi: number) => boolean;
} = {
  equal: (ar, ai, br, bi) => ar === br && ai === bi,
  logicalAnd: (ar, ai, br, bi) => isTrue(ar, ai) && isTrue(br, bi),
  logicalOr: (ar, ai, br, bi) => isTrue(ar, ai) || isTrue(br, bi),
  logicalXor: (ar, ai, br, bi) => isTrue(ar, ai) !== isTrue(br, bi),
  notEqual: (ar, ai, br, bi) => ar !== br || ai !== bi,
};
