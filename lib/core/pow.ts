/**
 * x to the power y for real numbers, to less than 1 unit in the last place: the engines' own `**` loses hundreds of units
 * where x is near 1 and y is large. Knows numbers only.
 *
 * The method is that of fdlibm's e_pow.c (Sun Microsystems, 1993): log2(x) as the sum of a short and a long number, the
 * product with y likewise, then 2 to the fraction of it.
 */

const scratch = new Float64Array(1);
const words = new Int32Array(scratch.buffer);

// log(1 + f) = 2s + s^3 * (2/3 + ...), s = f / (2 + f), from the highest power down; the first term is kept apart.
const L1 = 5.99999999999994648725e-1;
const L2 = 4.28571428578550184252e-1;
const L3 = 3.33333329818377432918e-1;
const L4 = 2.72728123808534006489e-1;
const L5 = 2.30660745775561754067e-1;
const L6 = 2.06975017800338417784e-1;

// exp(r) by r - r^2 * P(r^2).
const P1 = 1.66666666666666019037e-1;
const P2 = -2.77777777770155933842e-3;
const P3 = 6.61375632143793436117e-5;
const P4 = -1.6533902205465251539e-6;
const P5 = 4.13813679705723846039e-8;

/** 2 / (3 log 2), whole and as a sum of 24 bits and the rest. */
const CP = 9.61796693925975554329e-1;
const CP_HIGH = 9.61796700954437255859e-1;
const CP_LOW = -7.02846165095275826516e-9;
/** log2(1.5) as a sum of 24 bits and the rest. */
const LOG2_HIGH = 5.84962487220764160156e-1;
const LOG2_LOW = 1.35003920212974897128e-8;
/** log 2, whole and as a sum of 24 bits and the rest. */
const LN2_HIGH = 6.93147182464599609375e-1;
const LN2_LOW = -1.90465429995776804525e-9;

/** The result of `splitLog2`: a 24-bit head and the rest. */
let logHead = 0;
let logTail = 0;

/** log2 of a positive finite number, left in `logHead` and `logTail` to about 70 bits. */
function splitLog2(x: number): void {
  scratch[0] = x < 2 ** -1022 ? x * 2 ** 54 : x;
  let exponent = ((words[1] as number) >> 20) - 1023 - (x < 2 ** -1022 ? 54 : 0);
  const fraction = (words[1] as number) & 0xfffff;
  // The mantissa is compared with 1 below sqrt(3/2), with 3/2 below sqrt(3), and with 1 of the next power of two above.
  const nearOne = fraction <= 0x3988e || fraction >= 0xbb67a;
  if (fraction >= 0xbb67a) exponent++;
  words[1] = fraction | (fraction >= 0xbb67a ? 0x3fe00000 : 0x3ff00000);
  const mantissa = scratch[0] as number;
  const centre = nearOne ? 1 : 1.5;

  const u = mantissa - centre;
  const v = 1 / (mantissa + centre);
  const s = u * v;
  const sHigh = Math.fround(s);
  const sumHigh = Math.fround(mantissa + centre);
  const sumLow = mantissa - (sumHigh - centre);
  const sLow = v * (u - sHigh * sumHigh - sHigh * sumLow);
  const s2 = s * s;
  const series = s2 * s2 * (L1 + s2 * (L2 + s2 * (L3 + s2 * (L4 + s2 * (L5 + s2 * L6))))) + sLow * (sHigh + s);
  const square = sHigh * sHigh;
  const threeHigh = Math.fround(3 + square + series);
  const threeLow = series - (threeHigh - 3 - square);

  const head = sHigh * threeHigh;
  const tail = sLow * threeHigh + threeLow * s;
  const productHigh = Math.fround(head + tail);
  const productLow = tail - (productHigh - head);
  const zHigh = CP_HIGH * productHigh;
  const zLow = CP_LOW * productHigh + productLow * CP + (nearOne ? 0 : LOG2_LOW);
  const offset = nearOne ? 0 : LOG2_HIGH;
  logHead = Math.fround(zHigh + zLow + offset + exponent);
  logTail = zLow - (logHead - exponent - offset - zHigh);
}

/** 2^n for -1022 <= n <= 1023. */
function powerOfTwo(n: number): number {
  words[0] = 0;
  words[1] = (n + 1023) << 20;
  return scratch[0] as number;
}

/** 2 to the power `head + tail`, `tail` being small against `head`. */
function exp2Split(head: number, tail: number): number {
  const z = head + tail;
  if (z >= 1025) return Infinity;
  if (z <= -1080) return 0;
  const n = Math.round(z);
  const rest = head - n;
  const high = Math.fround(rest + tail);
  const low = tail - (high - rest);
  const u = high * LN2_HIGH;
  const v = low * Math.LN2 + high * LN2_LOW;
  const r = u + v;
  const error = v - (r - u);
  const r2 = r * r;
  const t = r - r2 * (P1 + r2 * (P2 + r2 * (P3 + r2 * (P4 + r2 * P5))));
  const power = 1 - ((r * t) / (t - 2) - (error + r * error) - r);
  if (n > 1023) return power * 2 * powerOfTwo(n - 1);
  return n < -1022 ? power * powerOfTwo(n + 100) * 2 ** -100 : power * powerOfTwo(n);
}

/** x^y for positive finite x other than 1 and finite y. */
function positivePower(x: number, y: number): number {
  // Beyond 2^65 the power of any number but 1 leaves the range; cut there, y has a head that f32 can hold.
  const exponent = Math.max(-(2 ** 65), Math.min(y, 2 ** 65));
  splitLog2(x);
  const high = Math.fround(exponent);
  return exp2Split(high * logHead, (exponent - high) * logHead + exponent * logTail);
}

/** C99 pow: as JavaScript's `**`, but 1 to any power and -1 to an infinite one are 1. */
export function pow(x: number, y: number): number {
  if (y === 2) return x * x;
  if (y === 1) return x;
  if (x === 1 || (x === -1 && (y === Infinity || y === -Infinity))) return 1;
  const size = Math.abs(x);
  // Zeros, infinities and NaN on either side: the language settles those as C99 does.
  if (!(size > 0 && size < Infinity && Math.abs(y) < Infinity) || y === 0) return x ** y;
  if (x > 0) return positivePower(x, y);
  if (y !== Math.floor(y)) return NaN;
  const power = size === 1 ? 1 : positivePower(size, y);
  return y % 2 === 0 ? power : -power;
}
