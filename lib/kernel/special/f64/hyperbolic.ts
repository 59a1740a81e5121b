/**
 * The hyperbolic functions and their inverses in f64. The functions come from x = n log 2 + r: sinh and cosh of n log 2 are
 * sums of two powers of two, those of r are polynomials. Their inverses are polynomials up to 1/2 and logarithms beyond; the
 * argument of the logarithm is a sum of two doubles where one would not do. Coefficients are fits of our own
 * (scripts/accuracy/f64-fits.py).
 */
import type { Builder } from "../../builder";
import { fastTwoSum, outside, polynomial, scale, signOf, twoProduct, withSign, type F64 } from "./arith";
import { expFar, expTail, reduceByLog2 } from "./exponential";
import { log, logNormal } from "./logarithm";

// (sinh(r) / r - 1) / r^2 and (cosh(r) - 1) / r^2 as polynomials in r^2, |r| <= log(2) / 2.
const SINH = [
  0.16666666666666669, 0.008333333333330051, 0.0001984126986311093, 2.75572683709819e-6, 2.510042781757934e-8,
];
const COSH = [
  0.5, 0.04166666666666668, 0.001388888888887904, 2.4801587336533943e-5, 2.755726318098776e-7, 2.091817401434995e-9,
];

// (asinh(s) / s - 1) / s^2 and (atanh(s) / s - 1) / s^2 as polynomials in s^2, up to 1/2.
const ASINH = [
  -0.16666666666666666, 0.07499999999998634, -0.04464285714024319, 0.030381944247929123, -0.022372151428877916,
  0.017352587298211573, -0.013962230549022544, 0.011526169710979665, -0.009591247936123641, 0.007621670522957959,
  -0.004991590535569121, 0.0018845555695869874,
];
const ATANH = [
  0.3333333333333333, 0.2000000000000087, 0.14285714285488846, 0.1111111113405809, 0.09090907875688518,
  0.07692346108805066, 0.06665883232659046, 0.058931382593187094, 0.051604446522550286, 0.05443792667937839,
  0.012219494246581255, 0.13576149109826186, -0.14477005451011896, 0.21115109506841145,
];

/** Beyond this sinh and cosh are exp(|x|) / 2 taken in two factors. */
const LIMIT = 708;

interface HyperbolicParts {
  /** sinh and cosh of n log 2. */
  readonly sinhN: F64;
  readonly coshN: F64;
  readonly r: F64;
  /** sinh(r) - r and cosh(r) - 1, r being taken with its rest. */
  readonly sinhTail: F64;
  readonly coshTail: F64;
}

function hyperbolicParts(k: Builder, size: F64): HyperbolicParts {
  const { shifted, r, rest } = reduceByLog2(k, size);
  const up = scale(k, k.f64(0.5), shifted);
  const down = k.div(k.f64(0.25), up);
  const z = k.mul(r, r);
  return {
    sinhN: k.sub(up, down),
    coshN: k.add(up, down),
    r,
    sinhTail: k.add(k.mul(k.mul(r, z), polynomial(k, z, SINH)), rest),
    coshTail: k.mul(z, polynomial(k, z, COSH)),
  };
}

/** sinh and cosh of |x|, for |x| up to 708. */
export function sinhCosh(k: Builder, size: F64): { readonly sinh: F64; readonly cosh: F64 } {
  const { sinhN, coshN, r, sinhTail, coshTail } = hyperbolicParts(k, size);
  const head = k.add(sinhN, k.mul(coshN, r));
  const sine = k.mul(sinhN, k.add(r, sinhTail));
  return {
    sinh: k.add(head, k.add(k.mul(sinhN, coshTail), k.mul(coshN, sinhTail))),
    cosh: k.add(coshN, k.add(k.mul(coshN, coshTail), sine)),
  };
}

export function sinh(k: Builder, x: F64): F64 {
  const size = k.abs(x);
  const usual = sinhCosh(k, size).sinh;
  const result = k.coldPath(outside(k, size, 0, LIMIT), usual, () => expFar(k, size, -1));
  return withSign(k, result, signOf(k, x));
}

export function cosh(k: Builder, x: F64): F64 {
  const size = k.abs(x);
  return k.coldPath(outside(k, size, 0, LIMIT), sinhCosh(k, size).cosh, () => expFar(k, size, -1));
}

/** (1 - e) / (1 + e) with e = exp(-2 |x|) = 2^n + 2^n (exp(r) - 1). From 22 on this is exactly 1. */
export function tanh(k: Builder, x: F64): F64 {
  const reduced = reduceByLog2(k, k.pmin(k.abs(x), 22), -2);
  const power = scale(k, k.f64(1), reduced.shifted);
  const rest = k.mul(power, k.add(reduced.r, expTail(k, reduced)));
  const below = k.add(k.add(power, 1), rest);
  // The numerator is 2 - below, exactly, and what rounding took from below.
  const above = k.sub(k.f64(2), below);
  const left = k.sub(k.sub(k.sub(k.f64(1), power), above), rest);
  // It moves the quotient by 2 left / below^2, where 2 / below is 1 + quotient.
  const quotient = k.div(above, below);
  const twice = k.add(quotient, 1);
  return withSign(k, k.add(quotient, k.mul(k.mul(left, 0.5), k.mul(twice, twice))), signOf(k, x));
}

// -------------------------------------------------------------------------------------------------------- inverses

/** asinh(s) of s up to 1/2, from s and its square. */
const asinhSmall = (k: Builder, s: F64, z: F64): F64 => k.add(s, k.mul(k.mul(s, z), polynomial(k, z, ASINH)));

/** log(x + sqrt(x^2 + one)), one being 1 or -1, for numbers from about 1/2 to 2^500. */
function logWithRoot(k: Builder, x: F64, one: number): F64 {
  const square = twoProduct(k, x, x);
  // Where x^2 is below 1 the difference to the larger is what counts.
  const sum = k.add(square.high, one);
  const part = k.sub(sum, square.high);
  const sumLow = k.add(k.sub(square.high, k.sub(sum, part)), k.sub(k.f64(one), part));
  const root = k.sqrt(sum);
  const back = twoProduct(k, root, root);
  const left = k.add(k.sub(k.sub(sum, back.high), back.low), k.add(sumLow, square.low));
  const rootLow = k.div(left, k.add(root, root));
  const total = one > 0 ? fastTwoSum(k, root, x) : fastTwoSum(k, x, root);
  return logNormal(k, total.high, k.div(k.add(total.low, rootLow), total.high));
}

const LN2 = 0.6931471805599453;
/** Beyond this log(2 |x|) is as good, and squares would overflow. */
const HUGE = 2 ** 500;

export function asinh(k: Builder, x: F64): F64 {
  const size = k.abs(x);
  const small = asinhSmall(k, size, k.mul(size, size));
  const usual = k.select(k.lt(size, 0.5), small, logWithRoot(k, size, 1));
  const result = k.coldPath(outside(k, size, 0, HUGE), usual, () => k.add(log(k, size), LN2));
  return withSign(k, result, signOf(k, x));
}

/** Near 1 as acosh(x) = 2 asinh(sqrt((x - 1) / 2)). */
export function acosh(k: Builder, x: F64): F64 {
  const z = k.mul(k.sub(x, 1), 0.5);
  const small = asinhSmall(k, k.sqrt(z), z);
  const usual = k.select(k.lt(x, 1.5), k.add(small, small), logWithRoot(k, x, -1));
  return k.coldPath(outside(k, x, 1, HUGE), usual, () => k.select(k.lt(x, 1), k.f64(NaN), k.add(log(k, x), LN2)));
}

export function atanh(k: Builder, x: F64): F64 {
  const size = k.abs(x);
  const z = k.mul(size, size);
  const small = k.add(size, k.mul(k.mul(size, z), polynomial(k, z, ATANH)));
  const ratio = k.div(k.add(size, 1), k.sub(k.f64(1), size));
  const usual = k.select(k.lt(size, 0.5), small, k.mul(logNormal(k, ratio), 0.5));
  const result = k.coldPath(k.not(k.lt(size, 1)), usual, () => k.select(k.eq(size, 1), k.f64(Infinity), k.f64(NaN)));
  return withSign(k, result, signOf(k, x));
}
