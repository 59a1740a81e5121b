/**
 * pow in f64: log2 of |x| as the sum of a short and a long number, the product with y likewise, then 2 to the power of it. The
 * method is that of fdlibm's e_pow.c (Sun Microsystems, 1993) without its choice of two centres for the mantissa, which one
 * more term of the series (own fit, scripts/accuracy/f64-fits.py) makes up for.
 */
import type { Builder } from "../../builder";
import {
  exponentField,
  MAGIC,
  outside,
  polynomial,
  scale,
  scaleFar,
  signOf,
  split,
  TINY,
  type Doubled,
  type F64,
  type M64,
} from "./arith";
import { expMinusOne } from "./exponential";

// 3/2 log((1 + s) / (1 - s)) = 3s + s^3 + s^5 P(s^2), |s| <= (sqrt(2) - 1) / (sqrt(2) + 1).
const SERIES = [
  0.6, 0.42857142857144054, 0.33333333332482096, 0.27272727503481325, 0.23076892401889848, 0.20002209318463507,
  0.1755929352774184, 0.17585405498497825,
];

/** 2 / (3 log 2), whole and as a sum of 24 bits and the rest. */
const CP = 9.61796693925975554329e-1;
const CP_HIGH = 9.61796700954437255859e-1;
const CP_LOW = -7.02846165095275826516e-9;
/** log 2, whole and as a sum of 24 bits and the rest. */
const LN2 = 0.6931471805599453;
const LN2_HIGH = 6.93147182464599609375e-1;
const LN2_LOW = -1.90465429995776804525e-9;

const MANTISSA_FROM = 0x3fe6a09e;

/** Cut to 24 bits: products of two such numbers are exact. */
const short = (k: Builder, x: F64): Doubled => split(k, x, 29);

/** log2 of x * 2^-shift, a normal number x, to about 66 bits; the head is short. */
function splitLog2(k: Builder, x: F64, shift: number | F64): Doubled {
  const offset = k.add(k.bits(x), k.i64(0x3ff00000 - MANTISSA_FROM, 0));
  const field = exponentField(k, offset, 1023);
  const exponent = shift === 0 ? field : k.sub(field, shift);
  const m = k.float(k.add(k.and(offset, k.i64(0x000fffff, -1)), k.i64(MANTISSA_FROM, 0)));
  const u = k.sub(m, 1);
  const v = k.div(k.f64(1), k.add(m, 1));
  const s = k.mul(u, v);
  const sHigh = short(k, s).high;
  const sumHigh = short(k, k.add(m, 1)).high;
  const sumLow = k.sub(m, k.sub(sumHigh, 1));
  const sLow = k.mul(v, k.sub(k.sub(u, k.mul(sHigh, sumHigh)), k.mul(sHigh, sumLow)));
  const s2 = k.mul(s, s);
  const high = k.mul(k.mul(s2, s2), polynomial(k, s2, SERIES));
  const series = k.add(high, k.mul(sLow, k.add(sHigh, s)));
  const square = k.mul(sHigh, sHigh);
  const base = k.add(square, 3);
  const threeHigh = short(k, k.add(base, series)).high;
  const threeLow = k.sub(series, k.sub(k.sub(threeHigh, 3), square));
  const head = k.mul(sHigh, threeHigh);
  const tail = k.add(k.mul(sLow, threeHigh), k.mul(threeLow, s));
  const productHigh = short(k, k.add(head, tail)).high;
  const productLow = k.sub(tail, k.sub(productHigh, head));
  const zHigh = k.mul(productHigh, CP_HIGH);
  const zLow = k.add(k.mul(productHigh, CP_LOW), k.mul(productLow, CP));
  const logHead = short(k, k.add(k.add(zHigh, zLow), exponent)).high;
  return { high: logHead, low: k.sub(zLow, k.sub(k.sub(logHead, exponent), zHigh)) };
}

/** y log2(x) from the two parts of the latter. */
function timesLog(k: Builder, y: F64, logarithm: Doubled): Doubled {
  const head = short(k, y);
  const low = k.add(k.mul(head.low, logarithm.high), k.mul(y, logarithm.low));
  return { high: k.mul(head.high, logarithm.high), low };
}

/** 2 to the power high + low - n, n being the whole number next to their sum. */
function exp2Split(k: Builder, { high, low }: Doubled, n: F64): F64 {
  const rest = k.sub(high, n);
  const head = short(k, k.add(rest, low)).high;
  const tail = k.sub(low, k.sub(head, rest));
  const u = k.mul(head, LN2_HIGH);
  const v = k.add(k.mul(tail, LN2), k.mul(head, LN2_LOW));
  const r = k.add(u, v);
  const error = k.sub(v, k.sub(r, u));
  return k.add(k.add(expMinusOne(k, r), k.add(error, k.mul(r, error))), 1);
}

/** The sign of the power of a negative number; NaN unless y is whole. */
function ofNegative(k: Builder, x: F64, y: F64, size: F64): F64 {
  const half = k.mul(y, 0.5);
  const isWhole = k.eq(k.trunc(y), y);
  const isOdd = k.and(isWhole, k.ne(k.trunc(half), half));
  const isFinite = k.and(k.lt(k.abs(x), Infinity), k.ne(x, 0));
  const signed = k.select(isOdd, k.neg(size), size);
  return k.select(k.and(isFinite, k.not(isWhole)), k.f64(NaN), signed);
}

/** The powers of zeros and infinities, and infinite powers, of |x|. */
function edges(k: Builder, size: F64, y: F64, ordinary: F64): F64 {
  const zero = k.f64(0);
  const infinity = k.f64(Infinity);
  const isDown: M64 = k.lt(y, 0);
  const ofSmall = k.select(isDown, infinity, zero);
  const ofLarge = k.select(isDown, zero, infinity);
  const extreme = k.select(k.lt(size, 1), ofSmall, ofLarge);
  const isExtreme = k.or(k.or(k.eq(size, 0), k.eq(size, Infinity)), k.eq(k.abs(y), Infinity));
  return k.select(isExtreme, extreme, ordinary);
}

/** Everything, by the rules of C99. */
function powFar(k: Builder, x: F64, y: F64): F64 {
  const size = k.abs(x);
  const isTiny = k.lt(size, TINY);
  const normal = k.select(isTiny, k.mul(size, 2 ** 54), size);
  const logarithm = splitLog2(k, normal, k.select(isTiny, k.f64(54), k.f64(0)));
  // Beyond 2^65 the power of any number but 1 leaves the range.
  const product = timesLog(k, k.pmax(k.pmin(y, 2 ** 65), -(2 ** 65)), logarithm);
  const sum = k.add(product.high, product.low);
  const isInside = k.and(k.gt(sum, -1080), k.lt(sum, 1025));
  const n = k.nearest(k.select(isInside, sum, k.f64(0)));
  const power = scaleFar(k, exp2Split(k, product, n), n);
  const ordinary = k.select(isInside, power, k.select(k.gt(sum, 0), k.f64(Infinity), k.f64(0)));
  const unsigned = edges(k, size, y, k.select(k.eq(size, 1), k.f64(1), ordinary));
  const isNegative = k.ne(signOf(k, x), k.i64(0, 0));
  const signed = k.select(isNegative, ofNegative(k, x, y, unsigned), unsigned);
  const isNaN = k.or(k.ne(x, x), k.ne(y, y));
  const isMinusOne = k.and(k.eq(x, -1), k.eq(k.abs(y), Infinity));
  const isOne = k.or(k.or(k.eq(x, 1), k.eq(y, 0)), isMinusOne);
  return k.select(isOne, k.f64(1), k.select(isNaN, k.f64(NaN), signed));
}

/** C99 pow. */
export function pow(k: Builder, x: F64, y: F64): F64 {
  const size = k.abs(x);
  const product = timesLog(k, y, splitLog2(k, size, 0));
  const sum = k.add(product.high, product.low);
  const shifted = k.add(sum, MAGIC);
  const positive = scale(k, exp2Split(k, product, k.sub(shifted, MAGIC)), shifted);
  const signed = k.coldPath(k.lt(x, 0), positive, () => ofNegative(k, x, y, positive));
  const far = k.or(outside(k, size, TINY, Number.MAX_VALUE), outside(k, sum, -1021, 1023));
  const usual = k.coldPath(far, signed, () => powFar(k, x, y));
  return k.select(k.eq(y, 2), k.mul(x, x), usual);
}
