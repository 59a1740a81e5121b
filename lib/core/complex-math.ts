/**
 * Functions of complex numbers in f64: arithmetic, square roots and powers. All others are programs of the kernel language
 * (`kernel/special/complex`).
 *
 * Unary functions take the two parts and write the two parts of the result to `out[at]` and `out[at + 1]`; binary ones take
 * four. Branch cuts, zeros, infinities and NaN are those of C99 (Annex G), which tells the sides of a cut apart by the
 * sign of zero. Knows numbers only, nothing of tensors, types or the Complex class.
 */

import { multiplyExtended, squaresPlus } from "./extended";
import { copySign, hypot, pow as realPow } from "./special";

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

// --------------------------------------------------------------------------- exponential and logarithm, for powers

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

/** exp(z), which powers end in; the op is a program of the kernel language. */
function exp(re: number, im: number, out: Float64Array, at: number): void {
  if (im === 0) return put(out, at, Math.exp(re), im);
  if (!isFiniteNumber(im)) {
    if (re === -Infinity) return put(out, at, 0, copySign(0, im));
    return put(out, at, re === Infinity ? re : NaN, NaN);
  }
  put(out, at, timesExp(Math.cos(im), re), timesExp(Math.sin(im), re));
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
