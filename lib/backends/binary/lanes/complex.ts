/**
 * The complex lane: interleaved real and imaginary parts in doubles. The functions are those of `core/complex-math`.
 */
import * as math from "../../../core/complex-math";
import type { BinaryOpOf, SpecialBinary, SpecialUnary, UnaryOpOf } from "../../../ops";

/** Ops whose result is real. */
export type ComplexPart = UnaryOpOf<"magnitude" | "part" | "test">;
export type ComplexUnary = Exclude<UnaryOpOf<"floating" | "same" | "complex">, SpecialUnary>;

export const COMPLEX_PARTS: { readonly [K in ComplexPart]: (re: number, im: number) => number } = {
  abs: math.abs,
  imag: (_, im) => im,
  isInfinity: (re, im) => (Math.abs(re) === Infinity || Math.abs(im) === Infinity ? 1 : 0),
  isNan: (re, im) => (re !== re || im !== im ? 1 : 0),
  real: (re) => re,
};

/** Ops on every number; special functions bring theirs (`kernel/special/names.ts`). */
export const COMPLEX_UNARY: { readonly [K in ComplexUnary]: math.ComplexFunction } = {
  conjugate: math.conjugate,
  negate: math.negate,
  sign: math.sign,
  sqrt: math.sqrt,
};

export type ComplexBinary = Exclude<BinaryOpOf<"arithmetic" | "floating">, SpecialBinary>;

export const COMPLEX_BINARY: { readonly [K in ComplexBinary]: math.ComplexFunctionOfTwo } = {
  add: math.add,
  divide: math.divide,
  multiply: math.multiply,
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
