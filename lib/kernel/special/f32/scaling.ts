/**
 * What the f32 programs share: splitting a number into an integer and a fraction, powers of two, sign bits. Many programs
 * compute in f64: its rounding errors vanish in an f32, so that sums and quotients need no second parts.
 */
import type { Builder } from "../../builder";
import type { Value } from "../../value";

export type F32 = Value<"f32">;
export type F64 = Value<"f64">;

/** The sign bit of an f32, others zero. */
export const signBit = (k: Builder, x: F32): Value<"i32"> => k.and(k.bits(x), 0x80000000 | 0);

/** `x` with its sign flipped where the sign bit of `sign` is set. */
export const flipSign = (k: Builder, x: F32, sign: Value<"i32">): F32 => k.float(k.xor(k.bits(x), sign));

/** `x` cut to an interval; NaN stays NaN. */
export const clamp = (k: Builder, x: F32, low: number, high: number): F32 => k.pmax(k.pmin(x, high), low);

/**
 * The integer next to `x` as a float, and a word whose low bits are that integer plus `offset`: adding 1.5 * 2^23 leaves no
 * room for a fraction. For |x| below 2^22.
 */
export function toInteger(k: Builder, x: F32, offset = 0): { readonly whole: F32; readonly word: Value<"i32"> } {
  const magic = 12582912 + offset;
  const shifted = k.add(x, magic);
  return { whole: k.sub(shifted, magic), word: k.bits(shifted) };
}

/** The same in f64, for |x| below 2^51. */
export function toInteger64(k: Builder, x: F64, offset: number): { readonly whole: F64; readonly word: Value<"i64"> } {
  const magic = 6755399441055744 + offset;
  const shifted = k.add(x, magic);
  return { whole: k.sub(shifted, magic), word: k.bits(shifted) };
}

/** 2^n by a word that holds n + 1023 in its low bits. */
export const power64 = (k: Builder, word: Value<"i64">): F64 => k.float(k.shl(word, 52));

/** The mask of words outside of `start` to before `end`; both are words of positive floats. */
export function isOutside(k: Builder, word: Value<"i32">, start: number, end: number): Value<"m32"> {
  // The words from `start` on become the lowest of the signed words.
  return k.gt(k.add(word, (0x80000000 - start) | 0), (end - start + 0x80000000 - 1) | 0);
}

/** The mask of what is not a positive normal number: zeros, subnormals, negatives, infinities, NaN. */
export const isUnusual = (k: Builder, x: F32): Value<"m32"> => isOutside(k, k.bits(x), 0x00800000, 0x7f800000);
