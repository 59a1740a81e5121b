/**
 * exp, exp2, expm1 and sigmoid in f64. The argument is reduced to r = x - n log 2 with |r| <= log(2) / 2, log 2 in two parts of
 * which the first has 38 bits (so that n times it is exact), and exp(r) - 1 is a polynomial (own fits,
 * scripts/accuracy/f64-fits.py). 2^n is added to the exponent bits; only results outside of the normal range take two factors.
 */
import type { Builder } from "../../builder";
import { MAGIC, outside, polynomial, scale, scaleFar, signOf, withSign, type F64 } from "./arith";

export const LOG2_E = 1.4426950408889634;
export const LN2_HIGH = 0.6931471805582987;
export const LN2_LOW = 1.6465949582897082e-12;

// (exp(r) - 1 - r) / r^2, to 0.12 units of 2^-53 of exp(r).
const EXP = [
  0.5000000000000001, 0.16666666666666669, 0.041666666666623976, 0.008333333333330051, 0.0013888888917288245,
  0.0001984126986311093, 2.4801521180201913e-5, 2.75572683709819e-6, 2.7620143479842783e-7, 2.510042781757934e-8,
];
// The same to 0.01 units of 2^-53 of exp(r) - 1.
const EXPM1 = [
  0.5, 0.1666666666666667, 0.04166666666666667, 0.00833333333332611, 0.001388888888888373, 0.000198412698749089,
  2.480158732561078e-5, 2.7557255288285354e-6, 2.755727356318651e-7, 2.510526356565645e-8, 2.091472021757315e-9,
];
// (2^r - 1) / r.
const EXP2 = [
  0.6931471805599453, 0.24022650695910097, 0.0555041086648216, 0.009618129107606854, 0.0013333558146416916,
  0.00015403530441794136, 1.525273382986708e-5, 1.3215442552522291e-6, 1.0178062426976924e-7, 7.072593027878997e-9,
  4.4549643712692967e-10,
];

/** Beyond this the result of exp may not be a normal number. */
export const EXP_LIMIT = 708;

/** x = n log 2 + r + rest, where r is a double and rest what rounding took from it. */
interface Reduced {
  /** n + MAGIC */
  readonly shifted: F64;
  readonly n: F64;
  readonly r: F64;
  readonly rest: F64;
}

/** Reduces `factor` * x; the factor is a power of two. */
export function reduceByLog2(k: Builder, x: F64, factor = 1): Reduced {
  const shifted = k.add(k.mul(x, factor * LOG2_E), MAGIC);
  const n = k.sub(shifted, MAGIC);
  const high = k.sub(factor === 1 ? x : k.mul(x, factor), k.mul(n, LN2_HIGH));
  const low = k.mul(n, LN2_LOW);
  const r = k.sub(high, low);
  return { shifted, n, r, rest: k.sub(k.sub(high, r), low) };
}

/** Reduces head + middle + tail, from the largest to the smallest, so that few roundings are those of large numbers. */
export function reduceSum(k: Builder, head: F64, middle: F64, tail: F64): Omit<Reduced, "rest"> {
  const shifted = k.add(k.mul(k.add(k.add(head, middle), tail), LOG2_E), MAGIC);
  const n = k.sub(shifted, MAGIC);
  const main = k.add(k.sub(head, k.mul(n, LN2_HIGH)), middle);
  return { shifted, n, r: k.add(main, k.sub(tail, k.mul(n, LN2_LOW))) };
}

/** exp(r) - 1 as part of a larger sum. */
export function expMinusOne(k: Builder, r: F64): F64 {
  return k.add(r, k.mul(k.mul(r, r), polynomial(k, r, EXP)));
}

/** exp(r + rest) - 1 - r for small r. */
export function expTail(k: Builder, { r, rest }: Reduced): F64 {
  return k.add(k.mul(k.mul(r, r), polynomial(k, r, EXPM1)), rest);
}

/** exp(x) * 2^shift for all x: overflow, gradual underflow, NaN. */
export function expFar(k: Builder, x: F64, shift = 0): F64 {
  const { n, r } = reduceByLog2(k, k.pmin(k.pmax(x, -760), 720));
  return scaleFar(k, k.add(expMinusOne(k, r), 1), shift === 0 ? n : k.add(n, shift));
}

/** exp(x) where that is a normal number, for |x| up to the limit. */
export function expUsual(k: Builder, x: F64): F64 {
  const { shifted, r } = reduceByLog2(k, x);
  return scale(k, k.add(expMinusOne(k, r), 1), shifted);
}

export const exp = (k: Builder, x: F64): F64 =>
  k.coldPath(outside(k, x, -EXP_LIMIT, EXP_LIMIT), expUsual(k, x), () => expFar(k, x));

/** `factor` * exp(x) for all x and factors up to 1 in size, wherever the product is a number, even where exp(x) is none. */
export function timesExpFar(k: Builder, factor: F64, x: F64): F64 {
  const { n, r } = reduceByLog2(k, k.pmin(k.pmax(x, -800), 1461));
  return timesPowerFar(k, factor, k.add(expMinusOne(k, r), 1), n);
}

/** The same of 2^x. */
export function timesExp2Far(k: Builder, factor: F64, x: F64): F64 {
  const cut = k.pmin(k.pmax(x, -1154), 2108);
  const n = k.nearest(cut);
  return timesPowerFar(k, factor, exp2Near(k, k.sub(cut, n)), n);
}

/** Subnormal factors have to be normal numbers before they are multiplied by what has all digits. */
const timesPowerFar = (k: Builder, factor: F64, power: F64, n: F64): F64 =>
  scaleFar(k, k.mul(k.mul(factor, 2 ** 200), power), k.sub(n, 200));

/** 2^r for |r| up to 1/2. */
const exp2Near = (k: Builder, r: F64): F64 => k.add(k.mul(r, polynomial(k, r, EXP2)), 1);

/** 2^x where that is a normal number, for x from -1021 to 1023. */
export function exp2Usual(k: Builder, x: F64): F64 {
  const shifted = k.add(x, MAGIC);
  return scale(k, exp2Near(k, k.sub(x, k.sub(shifted, MAGIC))), shifted);
}

export const exp2 = (k: Builder, x: F64): F64 =>
  k.coldPath(outside(k, x, -1021, 1023), exp2Usual(k, x), () => {
    const cut = k.pmin(k.pmax(x, -1100), 1030);
    const n = k.nearest(cut);
    return scaleFar(k, exp2Near(k, k.sub(cut, n)), n);
  });

/** exp(x) - 1 = (2^n - 1 + 2^n r) + 2^n (exp(r) - 1 - r): the first sum is nearly exact, so nothing cancels later. */
export function expm1(k: Builder, x: F64): F64 {
  const reduced = reduceByLog2(k, k.pmax(x, -60));
  const power = scale(k, k.f64(1), reduced.shifted);
  const head = k.add(k.sub(power, 1), k.mul(power, reduced.r));
  const usual = k.add(head, k.mul(power, expTail(k, reduced)));
  // The sign of x is that of the result, whatever the sums made of -0.
  return k.coldPath(k.gt(x, EXP_LIMIT), withSign(k, usual, signOf(k, x)), () => expFar(k, x));
}

/** Down to here 1 + exp(-x) takes one rounding only. */
const SIGMOID_LIMIT = -36;

/** 1 / (1 + exp(-x)), with 2^n (exp(r) - 1) + (1 + 2^n) as the denominator; far down it is exp(x) - exp(2x). */
export function sigmoid(k: Builder, x: F64): F64 {
  const { shifted, r } = reduceByLog2(k, k.neg(k.pmin(x, 60)));
  const power = scale(k, k.f64(1), shifted);
  const usual = k.div(k.f64(1), k.add(k.add(power, 1), k.mul(power, expMinusOne(k, r))));
  return k.coldPath(k.lt(x, SIGMOID_LIMIT), usual, () => {
    const e = expFar(k, x);
    return k.sub(e, k.mul(e, e));
  });
}
