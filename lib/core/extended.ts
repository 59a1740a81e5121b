/**
 * Arithmetic beyond 53 bits: exact rounding errors, and complex numbers as unevaluated sums of two f64 ("double-double"), for
 * the few places where rounding in between would show. Knows numbers only.
 *
 * Sources: Dekker, "A floating-point technique for extending the available precision" (1971); Knuth, TAOCP 4.2.2.
 */

/** Multiplying by this and subtracting cuts a number into two halves whose products are exact. */
const SPLITTER = 2 ** 27 + 1;

/** The rounding error of `a + b`, exactly. */
function sumError(a: number, b: number, sum: number): number {
  const shadow = sum - a;
  return a - (sum - shadow) + (b - shadow);
}

/** The rounding error of `a * b`, exactly, for products and factors below 2^990. */
export function productError(a: number, b: number, product: number): number {
  const wideA = SPLITTER * a;
  const highA = wideA - (wideA - a);
  const lowA = a - highA;
  const wideB = SPLITTER * b;
  const highB = wideB - (wideB - b);
  const lowB = b - highB;
  return highA * highB - product + highA * lowB + lowA * highB + lowA * lowB;
}

/** `x^2 + y^2 + c`, nearly correctly rounded however much of it cancels. */
export function squaresPlus(x: number, y: number, c: number): number {
  const xx = x * x;
  const yy = y * y;
  const first = xx + c;
  const second = first + yy;
  const errors = sumError(xx, c, first) + sumError(first, yy, second);
  return second + (errors + (productError(x, x, xx) + productError(y, y, yy)));
}

/** The last result of `multiplyPairs` or `addPairs`: a number and what it lacks. */
let high = 0;
let low = 0;

function multiplyPairs(ah: number, al: number, bh: number, bl: number): void {
  const product = ah * bh;
  const rest = productError(ah, bh, product) + (ah * bl + al * bh);
  high = product + rest;
  low = rest - (high - product);
}

function addPairs(ah: number, al: number, bh: number, bl: number): void {
  const sum = ah + bh;
  const rest = sumError(ah, bh, sum) + (al + bl);
  high = sum + rest;
  low = rest - (high - sum);
}

/** `out = a * b` of complex numbers laid out as real part, its rest, imaginary part, its rest. `out` may be an operand. */
export function multiplyExtended(out: Float64Array, a: Float64Array, b: Float64Array): void {
  const [ar, arRest, ai, aiRest] = a as unknown as [number, number, number, number];
  const [br, brRest, bi, biRest] = b as unknown as [number, number, number, number];
  multiplyPairs(ai, aiRest, bi, biRest);
  const aibi = high;
  const aibiRest = low;
  multiplyPairs(ar, arRest, br, brRest);
  addPairs(high, low, -aibi, -aibiRest);
  out[0] = high;
  out[1] = low;
  multiplyPairs(ar, arRest, bi, biRest);
  const arbi = high;
  const arbiRest = low;
  multiplyPairs(ai, aiRest, br, brRest);
  addPairs(high, low, arbi, arbiRest);
  out[2] = high;
  out[3] = low;
}
