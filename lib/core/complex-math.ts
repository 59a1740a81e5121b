/**
 * Functions of complex numbers in f64: arithmetic, exponential, logarithm, powers and the trigonometric and hyperbolic
 * functions; their inverses live in complex-inverse and are passed on from here.
 *
 * Unary functions take the two parts and write the two parts of the result to `out[at]` and `out[at + 1]`; binary ones take
 * four. Branch cuts, zeros, infinities and NaN are those of C99 (Annex G), which tells the sides of a cut apart by the
 * sign of zero. Knows numbers only, nothing of tensors, types or the Complex class.
 */

import { multiplyExtended, squaresPlus } from "./extended";
import { copySign, hypot, pow as realPow, sigmoid as realSigmoid } from "./special";

/** A function of one number: of its parts, to two places. */
export type ComplexFunction = (re: number, im: number, out: Float64Array, at: number) => void;
/** A function of two numbers. */
export type ComplexFunctionOfTwo = (
  ar: number,
  ai: number,
  br: number,
  bi: number,
  out: Float64Array,
  at: number,
) => void;

export { acos, acosh, asin, asinh, atan, atanh } from "./complex-inverse";

function put(out: Float64Array, at: number, re: number, im: number): void {
  out[at] = re;
  out[at + 1] = im;
}

function isFiniteNumber(x: number): boolean {
  return x - x === 0;
}

function isInfinite(x: number): boolean {
  return x === Infinity || x === -Infinity;
}

// ------------------------------------------------------------------------------------------------- parts and signs

/** |z|, infinite if either part is. */
export function abs(re: number, im: number): number {
  return hypot(re, im);
}

/** The angle of z in (-pi, pi]. */
export function phase(re: number, im: number): number {
  return Math.atan2(im, re);
}

/** -z. */
export function negate(re: number, im: number, out: Float64Array, at: number): void {
  put(out, at, -re, -im);
}

/** The conjugate. */
export function conjugate(re: number, im: number, out: Float64Array, at: number): void {
  put(out, at, re, -im);
}

/** z / |z|; zero stays, one infinite part decides alone, two give NaN. */
export function sign(re: number, im: number, out: Float64Array, at: number): void {
  if (isInfinite(re) !== isInfinite(im) && re === re && im === im) {
    return put(
      out,
      at,
      isInfinite(re) ? copySign(1, re) : copySign(0, re),
      isInfinite(im) ? copySign(1, im) : copySign(0, im),
    );
  }
  const larger = Math.max(Math.abs(re), Math.abs(im));
  if (larger === 0) return put(out, at, re, im);
  const scale = larger < 2 ** -1000 ? 2 ** 100 : larger > 2 ** 1000 ? 2 ** -100 : 1;
  const x = re * scale;
  const y = im * scale;
  const size = hypot(x, y);
  put(out, at, x / size, y / size);
}

// ------------------------------------------------------------------------------------------------------ arithmetic

/** a + b. */
export function add(ar: number, ai: number, br: number, bi: number, out: Float64Array, at: number): void {
  put(out, at, ar + br, ai + bi);
}

/** a - b. */
export function subtract(ar: number, ai: number, br: number, bi: number, out: Float64Array, at: number): void {
  put(out, at, ar - br, ai - bi);
}

/** a * b. A product of an infinity and a non-zero number is infinite even where the plain formula gives NaN. */
export function multiply(ar: number, ai: number, br: number, bi: number, out: Float64Array, at: number): void {
  const re = ar * br - ai * bi;
  const im = ar * bi + ai * br;
  if (re !== re && im !== im) multiplyInfinite(ar, ai, br, bi, out, at);
  else put(out, at, re, im);
}

/** An infinite part as 1, a finite one as 0, the sign kept. */
function box(x: number): number {
  return copySign(isInfinite(x) ? 1 : 0, x);
}

function zeroIfNaN(x: number): number {
  return x === x ? x : 0;
}

/** The recovery of C99 Annex G.5.1 for products of which both parts came out as NaN. */
function multiplyInfinite(ar: number, ai: number, br: number, bi: number, out: Float64Array, at: number): void {
  const leftInfinite = isInfinite(ar) || isInfinite(ai);
  const rightInfinite = isInfinite(br) || isInfinite(bi);
  const overflowed = isInfinite(ar * br) || isInfinite(ai * bi) || isInfinite(ar * bi) || isInfinite(ai * br);
  if (!leftInfinite && !rightInfinite && !overflowed) return put(out, at, NaN, NaN);
  const a = leftInfinite ? box(ar) : zeroIfNaN(ar);
  const b = leftInfinite ? box(ai) : zeroIfNaN(ai);
  const c = rightInfinite ? box(br) : zeroIfNaN(br);
  const d = rightInfinite ? box(bi) : zeroIfNaN(bi);
  put(out, at, Infinity * (a * c - b * d), Infinity * (a * d + b * c));
}

/**
 * a / b. Real and imaginary divisors divide part by part, so exactly rounded; others by the conjugate, scaled by powers of two
 * where the squares would leave the range. Infinities as in C99 Annex G.5.1.
 */
export function divide(ar: number, ai: number, br: number, bi: number, out: Float64Array, at: number): void {
  if (bi === 0) return put(out, at, ar / br, ai / br);
  if (br === 0) return put(out, at, ai / bi, -ar / bi);
  if (isInfinite(br) || isInfinite(bi)) return divideByInfinite(ar, ai, br, bi, out, at);
  if (isInfinite(ar) || isInfinite(ai)) {
    const a = box(ar);
    const b = box(ai);
    return put(out, at, Infinity * (a * br + b * bi), Infinity * (b * br - a * bi));
  }
  const numerator = rangeScale(ar, ai);
  const denominator = rangeScale(br, bi);
  const a = ar * numerator;
  const b = ai * numerator;
  const c = br * denominator;
  const d = bi * denominator;
  const square = c * c + d * d;
  put(
    out,
    at,
    (((a * c + b * d) / square) * denominator) / numerator,
    (((b * c - a * d) / square) * denominator) / numerator,
  );
}

/** The power of two that brings the larger part to where squares and products neither overflow nor vanish. */
function rangeScale(x: number, y: number): number {
  const larger = Math.max(Math.abs(x), Math.abs(y));
  if (larger > 2 ** 450) return 2 ** -600;
  return larger < 2 ** -450 ? 2 ** 600 : 1;
}

function divideByInfinite(ar: number, ai: number, br: number, bi: number, out: Float64Array, at: number): void {
  if (!isFiniteNumber(ar) || !isFiniteNumber(ai)) return put(out, at, NaN, NaN);
  const c = box(br);
  const d = box(bi);
  put(out, at, 0 * (ar * c + ai * d), 0 * (ai * c - ar * d));
}

// ------------------------------------------------------------------------------------- exponential and logarithm

/** exp(700). */
const E700 = 1.0142320547350045e304;

/** `factor * exp(x)`, finite wherever the product is, even where exp(x) overflows. */
function timesExp(factor: number, x: number): number {
  let product = factor;
  let rest = x;
  for (let i = 0; i < 2 && rest > 709; i++) {
    product *= E700;
    rest -= 700;
  }
  return product === 0 ? product : product * Math.exp(rest);
}

/** exp(z). */
export function exp(re: number, im: number, out: Float64Array, at: number): void {
  if (im === 0) return put(out, at, Math.exp(re), im);
  if (!isFiniteNumber(im)) {
    if (re === -Infinity) return put(out, at, 0, copySign(0, im));
    return put(out, at, re === Infinity ? re : NaN, NaN);
  }
  put(out, at, timesExp(Math.cos(im), re), timesExp(Math.sin(im), re));
}

/** 2^z. */
export function exp2(re: number, im: number, out: Float64Array, at: number): void {
  exp(re * Math.LN2, im * Math.LN2, out, at);
}

/** exp(z) - 1, accurate near 0. */
export function expm1(re: number, im: number, out: Float64Array, at: number): void {
  if (im === 0) return put(out, at, Math.expm1(re), im);
  exp(re, im, out, at);
  if (re > 40 || !isFiniteNumber(im)) {
    out[at] = (out[at] as number) - 1;
    return;
  }
  const half = Math.sin(im / 2);
  out[at] = Math.expm1(re) * Math.cos(im) - 2 * half * half;
}

/** log |z|; near |z| = 1 from |z|^2 - 1 in extended precision. */
function logAbs(re: number, im: number): number {
  const a = Math.max(Math.abs(re), Math.abs(im));
  const b = Math.min(Math.abs(re), Math.abs(im));
  if (isInfinite(re) || isInfinite(im)) return Infinity;
  if (a > 2 ** 500) return Math.log(hypot(a * 2 ** -600, b * 2 ** -600)) + 600 * Math.LN2;
  if (a < 2 ** -450) return a === 0 ? -Infinity : Math.log(hypot(a * 2 ** 600, b * 2 ** 600)) - 600 * Math.LN2;
  const square = a * a + b * b;
  return (square > 0.5 && square < 3 ? Math.log1p(squaresPlus(a, b, -1)) : Math.log(square)) / 2;
}

/** log z, cut along the negative real axis. */
export function log(re: number, im: number, out: Float64Array, at: number): void {
  put(out, at, logAbs(re, im), Math.atan2(im, re));
}

/** The logarithm to the base whose natural logarithm is `base`. */
function logScaled(re: number, im: number, out: Float64Array, at: number, base: number): void {
  log(re, im, out, at);
  out[at]! /= base;
  out[at + 1]! /= base;
}

/** The logarithm to the base 2. */
export function log2(re: number, im: number, out: Float64Array, at: number): void {
  logScaled(re, im, out, at, Math.LN2);
}

/** The logarithm to the base 10. */
export function log10(re: number, im: number, out: Float64Array, at: number): void {
  logScaled(re, im, out, at, Math.LN10);
}

/** log(1 + z), accurate near 0. */
export function log1p(re: number, im: number, out: Float64Array, at: number): void {
  if (im === 0 && re >= -1) return put(out, at, Math.log1p(re), im);
  const larger = Math.max(Math.abs(re), Math.abs(im));
  if (!(larger < 2 ** 100)) return log(re, im, out, at);
  const square = squaresPlus(re, im, 2 * re); // |1 + z|^2 - 1
  const size = square > -0.5 ? Math.log1p(square) / 2 : logAbs(1 + re, im);
  put(out, at, size, Math.atan2(im, 1 + re));
}

/**
 * 1 / (1 + exp(-z)), computed with exp(-|re z|): 1 + exp(-|x|) cos y is written as a sum of two terms of the same sign, so
 * that nothing cancels near the poles.
 */
export function sigmoid(re: number, im: number, out: Float64Array, at: number): void {
  if (im === 0) return put(out, at, realSigmoid(re), im);
  if (isInfinite(re)) return put(out, at, re > 0 ? 1 : 0, copySign(0, im));
  const size = Math.abs(re);
  const e = Math.exp(-size);
  const rest = -Math.expm1(-size);
  const cosHalf = Math.cos(im / 2);
  const sinHalf = Math.sin(im / 2);
  const square = rest * rest + 4 * e * cosHalf * cosHalf;
  const real =
    re >= 0 ? rest + 2 * e * cosHalf * cosHalf : e * (e >= 0.5 ? 2 * cosHalf * cosHalf - rest : e + Math.cos(im));
  put(out, at, real / square, (2 * e * sinHalf * cosHalf) / square);
}

// ----------------------------------------------------------------------------------------------- hyperbolic functions

/** `factor * sinh(x)`. */
function timesSinh(factor: number, x: number): number {
  return Math.abs(x) < 700 ? factor * Math.sinh(x) : timesExp(copySign(0.5, x) * factor, Math.abs(x));
}

/** `factor * cosh(x)`. */
function timesCosh(factor: number, x: number): number {
  return Math.abs(x) < 700 ? factor * Math.cosh(x) : timesExp(0.5 * factor, Math.abs(x));
}

/** sinh z. */
export function sinh(re: number, im: number, out: Float64Array, at: number): void {
  if (im === 0) return put(out, at, Math.sinh(re), im);
  if (!isFiniteNumber(im)) return put(out, at, re === 0 || isInfinite(re) ? re : NaN, NaN);
  put(out, at, timesSinh(Math.cos(im), re), timesCosh(Math.sin(im), re));
}

/** cosh z. */
export function cosh(re: number, im: number, out: Float64Array, at: number): void {
  if (im === 0) return put(out, at, Math.cosh(re), re === re ? copySign(im, re) * copySign(1, im) : im);
  if (!isFiniteNumber(im)) {
    return put(out, at, isInfinite(re) ? Infinity : NaN, re === 0 ? copySign(0, re) * copySign(1, im) : NaN);
  }
  put(out, at, timesCosh(Math.cos(im), re), timesSinh(Math.sin(im), re));
}

/**
 * tanh z, from tan y and sinh x only (Kahan, "Branch Cuts for Complex Elementary Functions", 1987); beyond |x| = 22 it is
 * +-1 to the last bit, with an imaginary part that fades as exp(-2|x|).
 */
export function tanh(re: number, im: number, out: Float64Array, at: number): void {
  if (im === 0) return put(out, at, Math.tanh(re), im);
  if (isInfinite(re)) {
    const sign = isFiniteNumber(im) ? Math.sin(im) * Math.cos(im) : im;
    return put(out, at, copySign(1, re), copySign(0, sign));
  }
  if (!isFiniteNumber(im) || re !== re) return put(out, at, re === 0 ? re : NaN, NaN);
  if (Math.abs(re) > 22) {
    const fade = Math.exp(-Math.abs(re));
    return put(out, at, copySign(1, re), 4 * Math.sin(im) * Math.cos(im) * fade * fade);
  }
  const t = Math.tan(im);
  const s = Math.sinh(re);
  const beta = 1 + t * t;
  const rho = Math.sqrt(1 + s * s);
  const square = 1 + beta * s * s;
  put(out, at, (beta * rho * s) / square, t / square);
}

// -------------------------------------------------------------------------------------------- trigonometric functions
// With i * conj(z) = y + ix: sin, tan are sinh, tanh with the parts exchanged before and after.

function exchange(out: Float64Array, at: number): void {
  put(out, at, out[at + 1] as number, out[at] as number);
}

/** sin z. */
export function sin(re: number, im: number, out: Float64Array, at: number): void {
  sinh(im, re, out, at);
  exchange(out, at);
}

/** cos z = cosh(iz). */
export function cos(re: number, im: number, out: Float64Array, at: number): void {
  cosh(-im, re, out, at);
}

/** tan z. */
export function tan(re: number, im: number, out: Float64Array, at: number): void {
  tanh(im, re, out, at);
  exchange(out, at);
}

// --------------------------------------------------------------------------------------------------- roots and powers

/** The square root with a real part of at least 0, cut along the negative real axis (Kahan 1987). */
export function sqrt(re: number, im: number, out: Float64Array, at: number): void {
  if (!isFiniteNumber(re) || !isFiniteNumber(im)) return sqrtSpecial(re, im, out, at);
  const larger = Math.max(Math.abs(re), Math.abs(im));
  if (larger === 0) return put(out, at, 0, im);
  const scale = larger > 2 ** 1000 ? 2 ** -10 : larger < 2 ** -900 ? 2 ** 108 : 1;
  const unscale = scale === 1 ? 1 : 1 / Math.sqrt(scale);
  const x = Math.abs(re) * scale;
  const y = im * scale;
  const root = Math.sqrt((x + hypot(x, y)) / 2);
  const other = y / (2 * root);
  if (re >= 0) put(out, at, root * unscale, other * unscale);
  else put(out, at, Math.abs(other) * unscale, copySign(root, im) * unscale);
}

function sqrtSpecial(re: number, im: number, out: Float64Array, at: number): void {
  if (isInfinite(im)) put(out, at, Infinity, im);
  else if (re === Infinity) put(out, at, re, im === im ? copySign(0, im) : NaN);
  else if (re === -Infinity) put(out, at, im === im ? 0 : NaN, copySign(Infinity, im));
  else put(out, at, NaN, NaN);
}

/** 1 / sqrt z. */
export function rsqrt(re: number, im: number, out: Float64Array, at: number): void {
  sqrt(re, im, out, at);
  reciprocal(out[at] as number, out[at + 1] as number, out, at);
}

/** 1 / z, with the zero parts signed as those beside them would be: the reciprocal of a conjugate is the conjugate. */
function reciprocal(re: number, im: number, out: Float64Array, at: number): void {
  if (im === 0 && re !== 0) put(out, at, 1 / re, -im);
  else if (re === 0 && im !== 0) put(out, at, re, -1 / im);
  else divide(1, 0, re, im, out, at);
}

/** Writes the number of the given size and angle. */
function polar(size: number, angle: number, out: Float64Array, at: number): void {
  if (angle === 0) put(out, at, size, angle);
  else put(out, at, size * Math.cos(angle), size * Math.sin(angle));
}

/** The cube root of a third of the angle: cbrt(-8) is 1+1.732i, not the real root. */
export function cbrt(re: number, im: number, out: Float64Array, at: number): void {
  const larger = Math.max(Math.abs(re), Math.abs(im));
  const scale = larger > 2 ** 1000 && larger < Infinity ? 2 ** -30 : larger < 2 ** -1000 ? 2 ** 90 : 1;
  const size = Math.cbrt(hypot(re * scale, im * scale));
  polar(size, Math.atan2(im, re) / 3, out, at);
  if (scale !== 1) put(out, at, (out[at] as number) / Math.cbrt(scale), (out[at + 1] as number) / Math.cbrt(scale));
}

/** a to the power b, exp(b log a); anything to the power 0 is 1, and integer powers are accurate to the last place. */
export function pow(ar: number, ai: number, br: number, bi: number, out: Float64Array, at: number): void {
  if (bi === 0) return realExponent(ar, ai, br, out, at);
  if (ar === 0 && ai === 0) return br > 0 ? put(out, at, 0, 0) : put(out, at, NaN, NaN);
  const size = logAbs(ar, ai);
  const angle = Math.atan2(ai, ar);
  exp(br * size - bi * angle, br * angle + bi * size, out, at);
}

function realExponent(re: number, im: number, exponent: number, out: Float64Array, at: number): void {
  if (exponent === 0) return put(out, at, 1, 0);
  if (exponent === 0.5) return sqrt(re, im, out, at);
  if (re === 0 && im === 0) {
    if (exponent > 0) return put(out, at, 0, 0);
    return exponent < 0 ? put(out, at, Infinity, NaN) : put(out, at, NaN, NaN);
  }
  if (im === 0 && re > 0) return put(out, at, realPow(re, exponent), copySign(0, im) * copySign(1, exponent));
  if (Number.isInteger(exponent) && Math.abs(exponent) <= 1024) {
    // Results beyond exp(+-600) would leave no room for the splittings of extended products.
    if (Math.abs(exponent * logAbs(re, im)) < 600) return integerPower(re, im, exponent, out, at);
  }
  polar(realPow(hypot(re, im), exponent), exponent * Math.atan2(im, re), out, at);
}

// Complex double-doubles: the real part, its rest, the imaginary part, its rest.
const powered = new Float64Array(4);
const squared = new Float64Array(4);

/** z^n by squaring, every number being the unevaluated sum of two: re, its rest, im, its rest. */
function integerPower(re: number, im: number, n: number, out: Float64Array, at: number): void {
  powered.fill(0);
  powered[0] = 1;
  squared.fill(0);
  squared[0] = re;
  squared[2] = im;
  for (let rest = Math.abs(n); ;) {
    if (rest & 1) multiplyExtended(powered, powered, squared);
    rest >>= 1;
    if (rest === 0) break;
    multiplyExtended(squared, squared, squared);
  }
  if (n > 0) put(out, at, powered[0] as number, powered[2] as number);
  else reciprocal(powered[0] as number, powered[2] as number, out, at);
}
