/**
 * 64-bit integers as pairs of 32-bit halves, low half first, in an Int32Array: the bytes of a BigInt64Array, read and
 * written without a BigInt per element.
 *
 * Single values are addressed by the index of their low half (`at`, an even number); block loops take `n`, the number of
 * 64-bit elements, and start at 0. In block loops `out` may be one of the operands. Signedness is an argument where it
 * matters. Knows nothing of tensors or types: a division by zero or a negative exponent is reported by returning false.
 */

const WORD = 2 ** 32;
const HIGHEST = 0x7fffffff;
const LOWEST = -0x80000000;

/** Halves beyond which `hi * 2^32 + lo` may need more than 53 bits. */
const EXACT_HIGH = 2 ** 21;

function put(out: Int32Array, at: number, lo: number, hi: number): void {
  out[at] = lo;
  out[at + 1] = hi;
}

// ---------------------------------------------------------------------------------------------- from and to numbers

/** Writes `x` truncated toward zero, modulo 2^64. Exact for every finite number; NaN and the infinities give 0. */
export function writeInt64FromNumber(out: Int32Array, at: number, x: number): void {
  // ToInt32 is exact modulo 2^32 for any finite double, and so is the division by a power of two.
  const whole = Math.trunc(x);
  out[at] = whole | 0;
  out[at + 1] = Math.floor(whole / WORD) | 0;
}

/** Writes `x` truncated toward zero; values out of range give the nearest end of the range, NaN gives 0. */
export function writeInt64Saturating(out: Int32Array, at: number, x: number, signed: boolean): void {
  if (signed) {
    if (x >= 2 ** 63) return put(out, at, -1, HIGHEST);
    if (x <= -(2 ** 63)) return put(out, at, 0, LOWEST);
  } else {
    if (x >= 2 ** 64) return put(out, at, -1, -1);
    if (x <= -1) return put(out, at, 0, 0);
  }
  writeInt64FromNumber(out, at, x);
}

/** Writes `b` modulo 2^64. */
export function writeInt64FromBigInt(out: Int32Array, at: number, b: bigint): void {
  out[at] = Number(BigInt.asIntN(32, b));
  out[at + 1] = Number(BigInt.asIntN(32, b >> 32n));
}

function highHalf(data: Int32Array, at: number, signed: boolean): number {
  const hi = data[at + 1] as number;
  return signed ? hi : hi >>> 0;
}

/** The element as a bigint. */
export function int64ToBigInt(data: Int32Array, at: number, signed: boolean): bigint {
  return (BigInt(highHalf(data, at, signed)) << 32n) | BigInt((data[at] as number) >>> 0);
}

/** The element as a number when its absolute value is at most 2^53 - 1, otherwise as a bigint. */
export function int64ToNumberOrBigInt(data: Int32Array, at: number, signed: boolean): number | bigint {
  const hi = highHalf(data, at, signed);
  if (hi < EXACT_HIGH && hi >= -EXACT_HIGH) {
    const value = hi * WORD + ((data[at] as number) >>> 0);
    if (value !== -(2 ** 53)) return value;
  }
  return int64ToBigInt(data, at, signed);
}

/** The number nearest to the element, ties to even: `hi * 2^32` is exact, so that the sum rounds only once. */
export function int64ToNumber(data: Int32Array, at: number, signed: boolean): number {
  return highHalf(data, at, signed) * WORD + ((data[at] as number) >>> 0);
}

/**
 * The element as a number whose last bits are cut off, a 1 standing for "and something more" (rounding to odd). It is exact
 * below 2^53 and keeps at least 41 bits above, so rounding it to f32, f16 or bf16 is the same as rounding the integer once
 * (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd", 2008).
 */
export function int64ToRoundOdd(data: Int32Array, at: number, signed: boolean): number {
  const hi = highHalf(data, at, signed);
  const lo = data[at] as number;
  const rest = lo & 0xfff;
  if (rest === 0 || (hi < EXACT_HIGH && hi >= -EXACT_HIGH)) return hi * WORD + (lo >>> 0);
  return hi * WORD + (((lo & ~0xfff) | 0x800) >>> 0);
}

/** Negative, zero or positive as `a[i]` is below, equal to or above `b[j]`. */
export function compareInt64(a: Int32Array, i: number, b: Int32Array, j: number, signed: boolean): number {
  const ah = highHalf(a, i, signed);
  const bh = highHalf(b, j, signed);
  if (ah !== bh) return ah < bh ? -1 : 1;
  const al = (a[i] as number) >>> 0;
  const bl = (b[j] as number) >>> 0;
  return al === bl ? 0 : al < bl ? -1 : 1;
}

// --------------------------------------------------------------------------------------- arithmetic modulo 2^64

/** `out = a + b`. */
export function add(out: Int32Array, a: Int32Array, b: Int32Array, n: number): void {
  for (let i = 0; i < 2 * n; i += 2) {
    const al = a[i] as number;
    const bl = b[i] as number;
    const sum = (al + bl) | 0;
    const carry = ((al & bl) | ((al | bl) & ~sum)) >>> 31;
    out[i + 1] = ((a[i + 1] as number) + (b[i + 1] as number) + carry) | 0;
    out[i] = sum;
  }
}

/** `out = a - b`. */
export function subtract(out: Int32Array, a: Int32Array, b: Int32Array, n: number): void {
  for (let i = 0; i < 2 * n; i += 2) {
    const al = a[i] as number;
    const bl = b[i] as number;
    const difference = (al - bl) | 0;
    const borrow = ((~al & bl) | ((~al | bl) & difference)) >>> 31;
    out[i + 1] = ((a[i + 1] as number) - (b[i + 1] as number) - borrow) | 0;
    out[i] = difference;
  }
}

/** The upper half of the 64-bit product of two unsigned 32-bit halves, by 16-bit digits. */
function multiplyHigh(a: number, b: number): number {
  const a0 = a & 0xffff;
  const a1 = a >>> 16;
  const b0 = b & 0xffff;
  const b1 = b >>> 16;
  const middle = (Math.imul(a1, b0) + (Math.imul(a0, b0) >>> 16)) | 0;
  const other = (Math.imul(a0, b1) + (middle & 0xffff)) | 0;
  return (Math.imul(a1, b1) + (middle >>> 16) + (other >>> 16)) | 0;
}

/** `out = a * b`. */
export function multiply(out: Int32Array, a: Int32Array, b: Int32Array, n: number): void {
  for (let i = 0; i < 2 * n; i += 2) {
    const al = a[i] as number;
    const bl = b[i] as number;
    const cross = Math.imul(al, b[i + 1] as number) + Math.imul(a[i + 1] as number, bl);
    out[i + 1] = (multiplyHigh(al, bl) + cross) | 0;
    out[i] = Math.imul(al, bl);
  }
}

/** `out = -a`; the lowest signed value stays as it is. */
export function negate(out: Int32Array, a: Int32Array, n: number): void {
  for (let i = 0; i < 2 * n; i += 2) {
    const lo = a[i] as number;
    out[i + 1] = lo === 0 ? -(a[i + 1] as number) | 0 : ~(a[i + 1] as number);
    out[i] = -lo | 0;
  }
}

/** `out = |a|` of signed elements; the lowest value stays as it is. */
export function abs(out: Int32Array, a: Int32Array, n: number): void {
  for (let i = 0; i < 2 * n; i += 2) {
    const lo = a[i] as number;
    const hi = a[i + 1] as number;
    if (hi >= 0) put(out, i, lo, hi);
    else put(out, i, -lo | 0, lo === 0 ? -hi | 0 : ~hi);
  }
}

/** `out = -1, 0 or 1` as `a` is negative, zero or positive. */
export function sign(out: Int32Array, a: Int32Array, n: number, signed: boolean): void {
  for (let i = 0; i < 2 * n; i += 2) {
    const hi = a[i + 1] as number;
    if (signed && hi < 0) put(out, i, -1, -1);
    else put(out, i, ((a[i] as number) | hi) === 0 ? 0 : 1, 0);
  }
}

// ------------------------------------------------------------------------------------------------------- division

function fitsDouble(hi: number): boolean {
  return hi < EXACT_HIGH && hi > -EXACT_HIGH;
}

/**
 * Runs a truncating division over all elements. Below 2^53 the correctly rounded quotient of two integers never reaches the
 * next integer, so `trunc(x / y)` is exact there; other elements go through BigInt.
 */
function divideBlock(
  out: Int32Array,
  a: Int32Array,
  b: Int32Array,
  n: number,
  signed: boolean,
  wantRemainder: boolean,
): boolean {
  for (let i = 0; i < 2 * n; i += 2) {
    const bl = b[i] as number;
    const bh = highHalf(b, i, signed);
    if ((bl | bh) === 0) return false;
    const ah = highHalf(a, i, signed);
    if (fitsDouble(ah) && fitsDouble(bh)) {
      const x = ah * WORD + ((a[i] as number) >>> 0);
      const y = bh * WORD + (bl >>> 0);
      const quotient = Math.trunc(x / y);
      writeInt64FromNumber(out, i, wantRemainder ? x - quotient * y : quotient);
    } else {
      const x = int64ToBigInt(a, i, signed);
      const y = int64ToBigInt(b, i, signed);
      writeInt64FromBigInt(out, i, wantRemainder ? x % y : x / y);
    }
  }
  return true;
}

/** `out = a / b` truncated toward zero (lowest / -1 wraps to itself). False, with `out` unfinished, on a zero divisor. */
export function quotient(out: Int32Array, a: Int32Array, b: Int32Array, n: number, signed: boolean): boolean {
  return divideBlock(out, a, b, n, signed, false);
}

/** `out = a - b * (a / b)`, of the sign of `a`. False, with `out` unfinished, on a zero divisor. */
export function remainder(out: Int32Array, a: Int32Array, b: Int32Array, n: number, signed: boolean): boolean {
  return divideBlock(out, a, b, n, signed, true);
}

// ---------------------------------------------------------------------------------------------------------- power

const base = new Int32Array(2);
const power = new Int32Array(2);

function powerOne(lo: number, hi: number, exponentLo: number, exponentHi: number): void {
  put(base, 0, lo, hi);
  put(power, 0, 1, 0);
  let low = exponentLo >>> 0;
  let high = exponentHi >>> 0;
  while (low !== 0 || high !== 0) {
    if (low & 1) multiply(power, power, base, 1);
    multiply(base, base, base, 1);
    low = ((low >>> 1) | (high << 31)) >>> 0;
    high >>>= 1;
  }
}

/** `out = a ** b` modulo 2^64 (0 ** 0 is 1). False, with `out` unfinished, on a negative exponent. */
export function pow(out: Int32Array, a: Int32Array, b: Int32Array, n: number, signed: boolean): boolean {
  for (let i = 0; i < 2 * n; i += 2) {
    const exponentHi = b[i + 1] as number;
    if (signed && exponentHi < 0) return false;
    powerOne(a[i] as number, a[i + 1] as number, b[i] as number, exponentHi);
    put(out, i, power[0] as number, power[1] as number);
  }
  return true;
}

// ----------------------------------------------------------------------------------------------------------- bits

/** `out = a & b`. */
export function bitwiseAnd(out: Int32Array, a: Int32Array, b: Int32Array, n: number): void {
  for (let i = 0; i < 2 * n; i++) out[i] = (a[i] as number) & (b[i] as number);
}

/** `out = a | b`. */
export function bitwiseOr(out: Int32Array, a: Int32Array, b: Int32Array, n: number): void {
  for (let i = 0; i < 2 * n; i++) out[i] = (a[i] as number) | (b[i] as number);
}

/** `out = a ^ b`. */
export function bitwiseXor(out: Int32Array, a: Int32Array, b: Int32Array, n: number): void {
  for (let i = 0; i < 2 * n; i++) out[i] = (a[i] as number) ^ (b[i] as number);
}

/** `out = ~a`. */
export function bitwiseNot(out: Int32Array, a: Int32Array, n: number): void {
  for (let i = 0; i < 2 * n; i++) out[i] = ~(a[i] as number);
}

/** The shift count at `at`, 64 for anything larger, -1 for a negative one. */
function shiftCount(b: Int32Array, at: number, signed: boolean): number {
  const hi = b[at + 1] as number;
  if (signed && hi < 0) return -1;
  const lo = (b[at] as number) >>> 0;
  return hi === 0 && lo < 64 ? lo : 64;
}

/** `out = a << b`, 0 for counts from 64 on. False, with `out` unfinished, on a negative count. */
export function leftShift(out: Int32Array, a: Int32Array, b: Int32Array, n: number, signed: boolean): boolean {
  for (let i = 0; i < 2 * n; i += 2) {
    const count = shiftCount(b, i, signed);
    if (count < 0) return false;
    const lo = a[i] as number;
    const hi = a[i + 1] as number;
    if (count === 0) put(out, i, lo, hi);
    else if (count < 32) put(out, i, lo << count, (hi << count) | (lo >>> (32 - count)));
    else put(out, i, 0, count < 64 ? lo << (count - 32) : 0);
  }
  return true;
}

/** `out = a >> b`: filled with the sign if `signed`, with 0 otherwise. False, with `out` unfinished, on a negative count. */
export function rightShift(out: Int32Array, a: Int32Array, b: Int32Array, n: number, signed: boolean): boolean {
  for (let i = 0; i < 2 * n; i += 2) {
    const count = shiftCount(b, i, signed);
    if (count < 0) return false;
    const lo = a[i] as number;
    const hi = a[i + 1] as number;
    const fill = signed ? hi >> 31 : 0;
    if (count === 0) put(out, i, lo, hi);
    else if (count < 32) put(out, i, (lo >>> count) | (hi << (32 - count)), signed ? hi >> count : hi >>> count);
    else if (count < 64) put(out, i, signed ? hi >> (count - 32) : hi >>> (count - 32), fill);
    else put(out, i, fill, fill);
  }
  return true;
}

/** `out` = the number of zero bits above the highest set bit of `a`, 64 for 0. */
export function countLeadingZeros(out: Int32Array, a: Int32Array, n: number): void {
  for (let i = 0; i < 2 * n; i += 2) {
    const hi = a[i + 1] as number;
    put(out, i, hi === 0 ? 32 + Math.clz32(a[i] as number) : Math.clz32(hi), 0);
  }
}

function populationCount32(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** `out` = the number of set bits of `a`. */
export function populationCount(out: Int32Array, a: Int32Array, n: number): void {
  for (let i = 0; i < 2 * n; i += 2) {
    put(out, i, populationCount32(a[i] as number) + populationCount32(a[i + 1] as number), 0);
  }
}

// ------------------------------------------------------------------------------------------------------- selection

/** `out` = the smaller of `a` and `b`. */
export function min(out: Int32Array, a: Int32Array, b: Int32Array, n: number, signed: boolean): void {
  for (let i = 0; i < 2 * n; i += 2) {
    const from = compareInt64(a, i, b, i, signed) <= 0 ? a : b;
    put(out, i, from[i] as number, from[i + 1] as number);
  }
}

/** `out` = the larger of `a` and `b`. */
export function max(out: Int32Array, a: Int32Array, b: Int32Array, n: number, signed: boolean): void {
  for (let i = 0; i < 2 * n; i += 2) {
    const from = compareInt64(a, i, b, i, signed) >= 0 ? a : b;
    put(out, i, from[i] as number, from[i + 1] as number);
  }
}
