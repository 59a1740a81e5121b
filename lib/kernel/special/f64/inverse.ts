/**
 * asin, acos, atan and atan2 in f64, each one polynomial in the square of an argument of at most 1/2, to which larger
 * arguments are brought: asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2)), and atan by the differences to pi/4 and pi/2. The
 * coefficients are fits of our own (scripts/accuracy/f64-fits.py); arguments outside of the domain become NaN by the root.
 */
import type { Builder } from "../../builder";
import { fastTwoSum, flip, polynomial, signOf, withSign, type F64, type M64 } from "./arith";

const PI = 3.141592653589793;
const PI_LOW = 1.2246467991473532e-16;

// (asin(s) / s - 1) / s^2 as a polynomial in s^2.
const ASIN = [
  0.16666666666666669, 0.07499999999998425, 0.04464285714637338, 0.030381944137085216, 0.022372173002005596,
  0.017352391265909227, 0.013971235301124539, 0.011478952690257387, 0.010324318288744113, 0.005450878187720551,
  0.017419357964884856, -0.014881409392818063, 0.02877844261259304,
];
// (atan(t) / t - 1) / t^2 as a polynomial in t^2.
const ATAN = [
  -0.33333333333333326, 0.19999999999991566, -0.14285714284100604, 0.11111110989760273, -0.09090904357383156,
  0.07692198195142554, -0.06665049704388794, 0.05866471906092527, -0.05157390801703656, 0.04283186483601429,
  -0.02894660534440357, 0.0111476528906477,
];

/** What asin and acos share: asin(s) = s + tail, where s is |x| or, beyond 1/2, sqrt((1 - |x|) / 2). */
function asinParts(k: Builder, size: F64): { readonly isLarge: M64; s: F64; tail: F64 } {
  const isLarge = k.gt(size, 0.5);
  const z = k.select(isLarge, k.mul(k.sub(k.f64(1), size), 0.5), k.mul(size, size));
  const s = k.select(isLarge, k.sqrt(z), size);
  return { isLarge, s, tail: k.mul(k.mul(s, z), polynomial(k, z, ASIN)) };
}

export function asin(k: Builder, x: F64): F64 {
  const { isLarge, s, tail } = asinParts(k, k.abs(x));
  const twice = k.add(s, s);
  const head = fastTwoSum(k, k.f64(PI / 2), k.neg(twice));
  const rest = k.sub(k.add(head.low, PI_LOW / 2), k.add(tail, tail));
  const large = k.add(head.high, rest);
  return withSign(k, k.select(isLarge, large, k.add(s, tail)), signOf(k, x));
}

export function acos(k: Builder, x: F64): F64 {
  const { isLarge, s, tail } = asinParts(k, k.abs(x));
  const sign = signOf(k, x);
  const isNegative = k.lt(x, 0);
  // pi/2 - asin(x) in the middle, 2 asin(s) near 1, pi - 2 asin(s) near -1.
  const middle = k.sub(k.f64(PI / 2), k.sub(flip(k, s, sign), k.sub(k.f64(PI_LOW / 2), flip(k, tail, sign))));
  const twice = k.add(s, s);
  const twiceTail = k.add(tail, tail);
  const negative = k.add(k.sub(k.f64(PI), twice), k.sub(k.f64(PI_LOW), twiceTail));
  return k.select(isLarge, k.select(isNegative, negative, k.add(twice, twiceTail)), middle);
}

/** atan(t) = t + tail */
const atanTail = (k: Builder, t: F64): F64 => {
  const z = k.mul(t, t);
  return k.mul(k.mul(t, z), polynomial(k, z, ATAN));
};

export function atan(k: Builder, x: F64): F64 {
  const size = k.abs(x);
  const isLarge = k.gt(size, 2);
  const isMiddle = k.gt(size, 0.5);
  const above = k.select(isLarge, k.f64(-1), k.select(isMiddle, k.sub(size, 1), size));
  const below = k.select(isLarge, size, k.select(isMiddle, k.add(size, 1), k.f64(1)));
  const t = k.div(above, below);
  const choose = (large: number, middle: number): F64 =>
    k.select(isLarge, k.f64(large), k.select(isMiddle, k.f64(middle), k.f64(0)));
  const low = k.add(atanTail(k, t), choose(PI_LOW / 2, PI_LOW / 4));
  return withSign(k, k.add(choose(PI / 2, PI / 4), k.add(t, low)), signOf(k, x));
}

/** The angle of the point, both coordinates being finite, not both zero, their sum not too large. */
function angle(k: Builder, y: F64, x: F64): F64 {
  const down = k.abs(y);
  const across = k.abs(x);
  const isSteep = k.gt(down, k.add(across, across));
  const isMiddle = k.gt(k.add(down, down), across);
  const above = k.select(isSteep, k.neg(across), k.select(isMiddle, k.sub(down, across), down));
  const below = k.select(isSteep, down, k.select(isMiddle, k.add(down, across), across));
  // To the left the angle is pi less that of the mirrored point.
  const side = signOf(k, x);
  const isLeft = k.ne(side, k.i64(0, 0));
  const t = k.div(above, below);
  const choose = (unit: number): F64 => {
    const middle = k.select(isLeft, k.f64(0.75 * unit), k.f64(0.25 * unit));
    const flat = k.select(isLeft, k.f64(unit), k.f64(0));
    return k.select(isSteep, k.f64(0.5 * unit), k.select(isMiddle, middle, flat));
  };
  const low = k.add(flip(k, atanTail(k, t), side), choose(PI_LOW));
  return withSign(k, k.add(choose(PI), k.add(flip(k, t, side), low)), signOf(k, y));
}

/** C99 atan2(y, x): the signs of zeros count, infinities count as ones beside which all else is zero. */
export function atan2(k: Builder, y: F64, x: F64): F64 {
  const sum = k.add(k.abs(x), k.abs(y));
  const unusual = k.or(k.ge(sum, 2 ** 1022), k.eq(sum, 0));
  return k.coldPath(unusual, angle(k, y, x), () => {
    const infinite = k.or(k.eq(k.abs(x), Infinity), k.eq(k.abs(y), Infinity));
    const tame = (value: F64): F64 => {
      const one = k.select(k.eq(k.abs(value), Infinity), k.f64(1), k.f64(0));
      return k.select(infinite, withSign(k, one, signOf(k, value)), k.mul(value, 0.25));
    };
    const across = k.select(k.eq(sum, 0), withSign(k, k.f64(1), signOf(k, x)), tame(x));
    const result = angle(k, tame(y), across);
    return k.select(k.or(k.ne(x, x), k.ne(y, y)), k.f64(NaN), result);
  });
}
