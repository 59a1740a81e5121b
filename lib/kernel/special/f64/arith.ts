/**
 * What the f64 programs share: polynomials, whole numbers and powers of two through the bits of a double, and sums and
 * products with their rounding errors. Knows numbers, not functions.
 */
import type { Builder } from "../../builder";
import type { Value } from "../../value";

export type F64 = Value<"f64">;
export type I64 = Value<"i64">;
export type M64 = Value<"m64">;

/** Added to a number below 2^51 this rounds it to a whole one, which the low bits of the sum then hold. */
export const MAGIC = 1.5 * 2 ** 52;
/** The least normal number. */
export const TINY = 2 ** -1022;

/**
 * A polynomial, coefficients from the lowest power up, by Estrin's scheme: pairs, then pairs of pairs by the square, and so
 * on. Without a fused multiply-add its short chains are what makes two lanes fast.
 */
export function polynomial(k: Builder, x: F64, coefficients: readonly number[]): F64 {
  let terms: readonly F64[] = coefficients.map((value) => k.f64(value));
  let power = x;
  while (terms.length > 1) {
    terms = pairs(k, terms, power);
    if (terms.length > 1) power = k.mul(power, power);
  }
  return terms[0]!;
}

function pairs(k: Builder, terms: readonly F64[], power: F64): F64[] {
  const sums: F64[] = [];
  for (let i = 0; i < terms.length; i += 2) {
    const next = terms[i + 1];
    sums.push(next ? k.add(terms[i]!, k.mul(next, power)) : terms[i]!);
  }
  return sums;
}

/** Where x is below `low`, above `high` or NaN. */
export function outside(k: Builder, x: F64, low: number, high: number): M64 {
  return k.ne(x, k.pmin(k.pmax(x, low), high));
}

/** The sign bit alone. */
export const signOf = (k: Builder, x: F64): I64 => k.and(k.bits(x), k.i64(0x80000000 | 0, 0));

/** `size` (not negative) with a sign bit. */
export const withSign = (k: Builder, size: F64, sign: I64): F64 => k.float(k.or(k.bits(size), sign));

/** `x` with its sign changed where the bit is set. */
export const flip = (k: Builder, x: F64, sign: I64): F64 => k.float(k.xor(k.bits(x), sign));

/** The sign bit of (-1)^n, of a whole number to which MAGIC was added. */
export const parity = (k: Builder, shifted: F64): I64 => k.shl(k.bits(shifted), 63);

/** x * 2^n, of a whole number n to which MAGIC was added; right where x and the result are normal numbers. */
export function scale(k: Builder, x: F64, shifted: F64): F64 {
  return k.float(k.add(k.bits(x), k.shl(k.bits(shifted), 52)));
}

/** 2^n for a whole number from -1022 to 1023. */
export const powerOfTwo = (k: Builder, n: F64): F64 => scale(k, k.f64(1), k.add(n, MAGIC));

/** x * 2^n with one rounding at most, for whole n from -2044 to 2046: the first of two factors is exact. */
export function scaleFar(k: Builder, x: F64, n: F64): F64 {
  const half = k.nearest(k.mul(n, 0.5));
  return k.mul(k.mul(x, powerOfTwo(k, half)), powerOfTwo(k, k.sub(n, half)));
}

/** The exponent field of a number that is not negative, less `bias`, as a double. */
export function exponentField(k: Builder, word: I64, bias: number): F64 {
  return k.sub(k.float(k.or(k.shrU(word, 52), k.i64(0x43300000, 0))), 2 ** 52 + bias);
}

// ------------------------------------------------------------------------------------------------ doubled numbers
// Dekker, "A floating-point technique for extending the available precision", Numerische Mathematik 18 (1971); Knuth, The
// Art of Computer Programming 2, section 4.2.2. Heads are cut by a mask of bits, which takes fewer steps than Veltkamp's way.

/** A sum of two, the second at most about half a unit in the last place of the first. */
export interface Doubled {
  readonly high: F64;
  readonly low: F64;
}

/** a + b and what rounding took, for any two numbers. */
export function twoSum(k: Builder, a: F64, b: F64): Doubled {
  const high = k.add(a, b);
  const part = k.sub(high, a);
  return { high, low: k.add(k.sub(a, k.sub(high, part)), k.sub(b, part)) };
}

/** The same where |a| >= |b|. */
export function fastTwoSum(k: Builder, a: F64, b: F64): Doubled {
  const high = k.add(a, b);
  return { high, low: k.sub(b, k.sub(high, a)) };
}

/** The leading 26 bits of x (`cut` 27), or 53 - `cut` of them, and the rest. */
export function split(k: Builder, x: F64, cut = 27): Doubled {
  const mask = cut < 32 ? k.i64(-1, -(2 ** cut)) : k.i64(-(2 ** (cut - 32)), 0);
  const high = k.float(k.and(k.bits(x), mask));
  return { high, low: k.sub(x, high) };
}

/** a * b and what rounding took, to about 2^-106 of it. */
export function twoProduct(k: Builder, a: F64, b: F64): Doubled {
  const high = k.mul(a, b);
  const x = split(k, a);
  const y = split(k, b);
  const first = k.sub(k.mul(x.high, y.high), high);
  const second = k.add(k.add(first, k.mul(x.high, y.low)), k.mul(x.low, y.high));
  return { high, low: k.add(second, k.mul(x.low, y.low)) };
}
