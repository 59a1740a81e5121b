/**
 * The complex lane: interleaved real and imaginary parts in doubles. The functions are those of `core/complex-math`.
 */
import type { BinaryOpOf, SpecialBinary, SpecialUnary, UnaryOpOf } from "../../../ops";

/** Ops whose result is real. */
export type ComplexPart = UnaryOpOf<"magnitude" | "part" | "test">;
export type ComplexUnary = Exclude<UnaryOpOf<"floating" | "same" | "complex">, SpecialUnary>;

export type ComplexPartFunction = (re: number, im: number) => number;

export type ComplexBinary = Exclude<BinaryOpOf<"arithmetic" | "floating">, SpecialBinary>;

export type ComplexTest = BinaryOpOf<"equality" | "logical">;

export type ComplexTestFunction = (ar: number, ai: number, br: number, bi: number) => boolean;

export const isTrue = (re: number, im: number): boolean => re !== 0 || im !== 0;
