/**
 * Reduces arguments of sin, cos and tan by multiples of pi/2. Medium arguments by the way of Cody and Waite ("Software Manual
 * for the Elementary Functions", 1980) with pi/2 in two parts; large ones, and those so near to a multiple that this loses too
 * much, by that of Payne and Hanek ("Radian reduction for trigonometric functions", SIGNUM Newsletter 18, 1983). Knows no
 * functions.
 */
import type { Builder } from "../../builder";
import { table } from "../../tables";
import { exponentField, fastTwoSum, MAGIC, split, twoProduct, twoSum, type Doubled, type F64, type M64 } from "./arith";

/** x = n pi/2 + y + rest, |y| at most about pi/4. */
export interface Angle {
  readonly y: F64;
  /** What rounding took from y. */
  readonly rest: F64;
  /** n + MAGIC, with the low bits of the multiple n. */
  readonly shifted: F64;
}

interface MediumAngle extends Angle {
  /** Where y is not good enough. */
  readonly bad: M64;
}

/** Up to here the multiple has 20 bits, and its product with the 33 bits of HALF_PI_HIGH is exact. */
const MEDIUM = 2 ** 20;
const HALF_PI_HIGH = 1.5707963267341256;
const HALF_PI_LOW = 6.077100506506192e-11;
const TWO_BY_PI = 0.6366197723675814;
/** What is nearer to its multiple than this part of n has lost a fifth of a unit, or more, to the cut of HALF_PI_LOW. */
const NEAR = 2 ** -31;

/** Reduces |x|. */
export function reduceMedium(k: Builder, size: F64): MediumAngle {
  const shifted = k.add(k.mul(size, TWO_BY_PI), MAGIC);
  const n = k.sub(shifted, MAGIC);
  const high = k.sub(size, k.mul(n, HALF_PI_HIGH));
  const low = k.mul(n, HALF_PI_LOW);
  const y = k.sub(high, low);
  const near = k.lt(k.abs(y), k.mul(n, NEAR));
  return { y, shifted, rest: k.sub(k.sub(high, y), low), bad: k.or(near, k.gt(size, MEDIUM)) };
}

// ------------------------------------------------------------------------------------------------- large arguments

/** 2/pi in digits of 24 bits. */
// prettier-ignore
const digits = (): Float64Array => new Float64Array([
  0xa2f983, 0x6e4e44, 0x1529fc, 0x2757d1, 0xf534dd, 0xc0db62, 0x95993c, 0x439041, 0xfe5163, 0xabdebb,
  0xc561b7, 0x246e3a, 0x424dd2, 0xe00649, 0x2eea09, 0xd1921c, 0xfe1deb, 0x1cb129, 0xa73ee8, 0x8235f5,
  0x2ebb44, 0x84e99c, 0x7026b4, 0x5f7e41, 0x3991d6, 0x398353, 0x39f49c, 0x845f8b, 0xbdf928, 0x3b1ff8,
  0x97ffde, 0x05980f, 0xef2f11, 0x8b5a0a, 0x6d1f6d, 0x367ecf, 0x27cb09, 0xb74f46, 0x3f669e, 0x5fea2d,
  0x7527ba, 0xc7ebe5, 0xf17b3d, 0x0739f7, 0x8a5292, 0xea6bfb, 0x5fb11f, 0x8d5d08, 0x560330, 0x46fc7b,
]);

const DIGITS_OF_TWO_BY_PI = table("twoByPi", digits);

/** Digits that are multiplied: 216 bits are enough for 60 good ones of a fraction that starts with 62 zeros. */
const DIGITS = 9;
/** Products of the digits before this one, or of the tail before the one before, may have a part that is a multiple of 4. */
const WHOLE_DIGITS = 4;

const HALF_PI = 1.5707963267948966;
const HALF_PI_REST = 6.123233995736766e-17;

/** Takes any number that is not negative; below 2^-900 and for infinities the result means nothing. */
export function reduceLarge(k: Builder, size: F64): Angle {
  const { quarters, rest } = quartersOf(k, size);
  const n = k.nearest(quarters);
  const first = twoSum(k, k.sub(quarters, n), rest.high);
  const fraction = twoSum(k, first.high, k.add(first.low, rest.low));
  const product = twoProduct(k, fraction.high, k.f64(HALF_PI));
  const corrections = k.add(k.mul(fraction.high, HALF_PI_REST), k.mul(fraction.low, HALF_PI));
  const y = fastTwoSum(k, product.high, k.add(product.low, corrections));
  return { y: y.high, rest: y.low, shifted: k.add(n, MAGIC) };
}

/** size * 2/pi without a multiple of 4, as a sum of three. */
function quartersOf(k: Builder, size: F64): { readonly quarters: F64; readonly rest: Doubled } {
  const word = k.bits(size);
  // Digits whose products are whole multiples of 8 are left out; the lowest bit of size is 2^(exponent - 52).
  const leftOut = k.floor(k.mul(k.sub(exponentField(k, word, 1023), 54.5), 1 / 24));
  const skip = k.pmax(leftOut, 0);
  const index = k.truncS(skip);
  const scaled = k.float(k.sub(word, k.shl(k.bits(k.add(k.mul(skip, 24), MAGIC)), 52)));
  const { high, low } = split(k, scaled);
  let quarters = k.f64(0);
  let rest: Doubled = { high: k.f64(0), low: k.f64(0) };
  for (let i = 0; i < DIGITS; i++) {
    const digit = k.lookup(DIGITS_OF_TWO_BY_PI, k.add(index, i));
    const weight = 2 ** (-24 * (i + 1));
    for (const [part, wholeDigits] of [[high, WHOLE_DIGITS] as const, [low, WHOLE_DIGITS - 1] as const]) {
      const product = k.mul(digit, k.mul(part, weight));
      const sum = twoSum(k, quarters, i < wholeDigits ? withoutFours(k, product) : product);
      quarters = sum.high;
      const second = twoSum(k, rest.high, sum.low);
      rest = { high: second.high, low: k.add(rest.low, second.low) };
    }
  }
  return { quarters, rest };
}

const withoutFours = (k: Builder, x: F64): F64 => k.sub(x, k.mul(k.nearest(k.mul(x, 0.25)), 4));
