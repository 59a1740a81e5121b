/**
 * The inverse trigonometric and hyperbolic functions of complex numbers in f64, with the conventions of complex-math, which
 * passes them on. Knows numbers only.
 *
 * asin, acos and their hyperbolic kin follow Hull, Fairgrieve and Tang, "Implementing the complex arcsine and arccosine
 * functions using exception handling" (ACM TOMS 23, 1997); atanh follows Kahan, "Branch Cuts for Complex Elementary Functions"
 * (1987). Notation: z = x + iy with both parts made positive, r and s the distances to the branch points, a their mean.
 */

import { copySign, hypot } from "./special";

const EPSILON = 2 ** -52;
/** Beyond this size only the leading term counts. */
const LARGE = 2 ** 52;
/** Below this size z itself, or pi/2 - z, is the result. */
const TINY = 2 ** -28;
const HALF_PI = Math.PI / 2;
/** What PI / 2 lacks to half of pi. */
const HALF_PI_REST = 6.123233995736766e-17;

function put(out: Float64Array, at: number, re: number, im: number): void {
  out[at] = re;
  out[at + 1] = im;
}

function isInfinite(x: number): boolean {
  return x === Infinity || x === -Infinity;
}

function isNegative(x: number): boolean {
  return copySign(1, x) < 0;
}

/** (hypot(u, v) - v) / 2 for the given `distance` = hypot(u, v), without cancellation. */
function halfExcess(u: number, v: number, distance: number): number {
  if (v < 0) return (distance - v) / 2;
  return v === 0 ? u / 2 : (u * u) / (distance + v) / 2;
}

/** log(a + sqrt(a^2 - 1)): the real part of asinh(x + iy), for positive x and y. */
function growthPart(x: number, y: number, r: number, s: number): number {
  const a = Math.max(1, (r + s) / 2);
  if (a >= 10) return Math.log(a + Math.sqrt(a * a - 1));
  if (y === 1 && x < (EPSILON * EPSILON) / 128) return Math.sqrt(x);
  if (x >= EPSILON * Math.abs(y - 1)) {
    const excess = halfExcess(x, 1 + y, r) + halfExcess(x, 1 - y, s);
    return Math.log1p(excess + Math.sqrt(excess * (a + 1)));
  }
  if (y < 1) return x / Math.sqrt((1 - y) * (1 + y));
  return Math.log1p(y - 1 + Math.sqrt((y - 1) * (y + 1)));
}

/** sqrt(a^2 - y^2), for the angle atan2(y, that) where asin(y / a) is badly conditioned. */
function adjacentSide(x: number, y: number, r: number, s: number): number {
  const a = Math.max(1, (r + s) / 2);
  if (y === 1 && x < EPSILON / 128) return Math.sqrt(x) * Math.sqrt((a + y) / 2);
  if (x >= EPSILON * Math.abs(y - 1)) {
    return Math.sqrt((halfExcess(x, y + 1, r) + halfExcess(x, y - 1, s)) * (a + y));
  }
  return y > 1 ? (x * y) / Math.sqrt((y + 1) * (y - 1)) : Math.sqrt((1 - y) * (1 + y));
}

/** The imaginary part of asinh(x + iy), for positive x and y. */
function angleFromAxis(x: number, y: number, r: number, s: number): number {
  const a = Math.max(1, (r + s) / 2);
  return y / a <= 0.6417 ? Math.asin(y / a) : Math.atan2(y, adjacentSide(x, y, r, s));
}

/** asinh z, cut along the imaginary axis beyond +-i. */
export function asinh(re: number, im: number, out: Float64Array, at: number): void {
  if (re !== re || im !== im) {
    if (isInfinite(re)) return put(out, at, re, NaN);
    if (isInfinite(im)) return put(out, at, im, NaN);
    return put(out, at, NaN, im === 0 ? im : NaN);
  }
  const x = Math.abs(re);
  const y = Math.abs(im);
  if (x > LARGE || y > LARGE) {
    return put(out, at, copySign(logLarge(x, y) + Math.LN2, re), copySign(Math.atan2(y, x), im));
  }
  if (x < TINY && y < TINY) return put(out, at, re, im);
  const r = hypot(x, y + 1);
  const s = hypot(x, y - 1);
  put(out, at, copySign(growthPart(x, y, r, s), re), copySign(angleFromAxis(x, y, r, s), im));
}

/** log |z| of a number far from 1. */
function logLarge(x: number, y: number): number {
  if (isInfinite(x) || isInfinite(y)) return Infinity;
  const scale = x > 2 ** 1000 || y > 2 ** 1000 ? 2 ** -100 : 1;
  return Math.log(hypot(x * scale, y * scale)) + (scale === 1 ? 0 : 100 * Math.LN2);
}

/** asin z = -i asinh(iz), cut along the real axis beyond +-1. */
export function asin(re: number, im: number, out: Float64Array, at: number): void {
  asinh(im, re, out, at);
  put(out, at, out[at + 1] as number, out[at] as number);
}

/** acos z, cut along the real axis beyond +-1. */
export function acos(re: number, im: number, out: Float64Array, at: number): void {
  if (re !== re || im !== im) {
    if (isInfinite(re)) return put(out, at, NaN, -Infinity);
    if (isInfinite(im)) return put(out, at, NaN, -im);
    return put(out, at, re === 0 ? HALF_PI : NaN, NaN);
  }
  const x = Math.abs(re);
  const y = Math.abs(im);
  if (x > LARGE || y > LARGE) {
    return put(out, at, Math.atan2(y, re), -copySign(logLarge(x, y) + Math.LN2, im));
  }
  if (re === 1 && y === 0) return put(out, at, 0, -im);
  if (x < TINY && y < TINY) return put(out, at, HALF_PI - (re - HALF_PI_REST), -im);
  const r = hypot(y, x + 1);
  const s = hypot(y, x - 1);
  put(out, at, angleFromReal(re, y, r, s), -copySign(growthPart(y, x, r, s), im));
}

/** The real part of acos(re + iy), for positive y. */
function angleFromReal(re: number, y: number, r: number, s: number): number {
  const x = Math.abs(re);
  const cosine = x / Math.max(1, (r + s) / 2);
  if (cosine <= 0.6417) return Math.acos(isNegative(re) ? -cosine : cosine);
  return Math.atan2(adjacentSide(y, x, r, s), re);
}

/** acosh z = +-i acos z with a real part of at least 0, cut along the real axis below 1. */
export function acosh(re: number, im: number, out: Float64Array, at: number): void {
  acos(re, im, out, at);
  const angle = out[at] as number;
  const growth = out[at + 1] as number;
  if (angle !== angle) put(out, at, growth === growth ? Math.abs(growth) : growth, NaN);
  else if (growth !== growth) put(out, at, NaN, re === 0 ? copySign(HALF_PI, im) : NaN);
  else put(out, at, Math.abs(growth), copySign(angle, im));
}

/** atanh z, cut along the real axis beyond +-1. */
export function atanh(re: number, im: number, out: Float64Array, at: number): void {
  const x = Math.abs(re);
  const y = Math.abs(im);
  if (y === 0 && x <= 1) return put(out, at, Math.atanh(re), im);
  if (x === 0) return put(out, at, re, Math.atan(im));
  if (re !== re || im !== im) {
    if (isInfinite(re)) return put(out, at, copySign(0, re), NaN);
    return isInfinite(im) ? put(out, at, copySign(0, re), copySign(HALF_PI, im)) : put(out, at, NaN, NaN);
  }
  if (x > LARGE || y > LARGE) return put(out, at, copySign(reciprocalReal(x, y), re), copySign(HALF_PI, im));
  if (x < TINY && y < TINY) return put(out, at, re, im);
  put(out, at, copySign(atanhReal(x, y), re), copySign(atanhAngle(x, y), im));
}

/** The real part of atanh(x + iy), for positive x and y. */
function atanhReal(x: number, y: number): number {
  if (x === 1 && y < EPSILON) return (Math.LN2 - Math.log(y)) / 2;
  const gap = x - 1;
  // The square of a y this small is nothing beside that of the gap, and would be subnormal.
  return Math.log1p((4 * x) / (y < 2 ** -511 ? gap * gap : gap * gap + y * y)) / 4;
}

/** The imaginary part of atanh(x + iy), for positive x and y. */
function atanhAngle(x: number, y: number): number {
  if (x === 1) return Math.atan2(2, -y) / 2;
  return Math.atan2(2 * y, (1 - x) * (1 + x) - y * y) / 2;
}

/** Re(1 / (x + iy)) for positive parts of which one is large. */
function reciprocalReal(x: number, y: number): number {
  if (isInfinite(x) || isInfinite(y)) return 0;
  const size = hypot(x / 2, y / 2);
  return x / size / size / 4;
}

/** atan z = -i atanh(iz), cut along the imaginary axis beyond +-i. */
export function atan(re: number, im: number, out: Float64Array, at: number): void {
  atanh(im, re, out, at);
  put(out, at, out[at + 1] as number, out[at] as number);
}
