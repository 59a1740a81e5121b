/**
 * The two 16-bit float formats, f16 (IEEE binary16) and bf16 (the upper half of binary32), as bit patterns in numbers.
 *
 * Every conversion from a number rounds once, to nearest even, straight from f64: going through f32 would round twice.
 * Knows bits only: nothing of tensors, types or buffers. Assumes a little-endian machine, as typed arrays are wherever
 * JavaScript runs today.
 */

const scratch = new Float64Array(1);
const scratchWords = new Int32Array(scratch.buffer);
const scratchF32 = new Float32Array(scratch.buffer);

/** Adding and subtracting 2^52 rounds a number in [0, 2^52) to an integer, ties to even. */
const ROUND_TO_INTEGER = 2 ** 52;

const F16_MIN_NORMAL = 2 ** -14;
const F16_OVERFLOW = 65520;
const F16_NAN = 0x7e00;
const F16_INFINITY = 0x7c00;

const BF16_MIN_NORMAL = 2 ** -126;
const BF16_OVERFLOW = 2 ** 128 - 2 ** 119;
const BF16_NAN = 0x7fc0;
const BF16_INFINITY = 0x7f80;

/**
 * The upper word of a positive f64 with every lower bit gathered into its last one. Twenty bits of fraction with such a
 * sticky bit round to 10 or 7 bits exactly as the full 52 would.
 */
function stickyWord(): number {
  return (scratchWords[1] as number) | (scratchWords[0] === 0 ? 0 : 1);
}

/** Bits of the f16 nearest to `x` (ties to even; overflow gives Infinity; every NaN becomes the quiet one of its sign). */
export function f16FromNumber(x: number): number {
  scratch[0] = x;
  const sign = ((scratchWords[1] as number) >>> 16) & 0x8000;
  const size = Math.abs(x);
  if (size < F16_MIN_NORMAL) return sign | (size * 2 ** 24 + ROUND_TO_INTEGER - ROUND_TO_INTEGER);
  if (!(size < F16_OVERFLOW)) return sign | (x === x ? F16_INFINITY : F16_NAN);
  const word = (stickyWord() & 0x7fffffff) - ((1023 - 15) << 20);
  return sign | ((word + 0x1ff + ((word >>> 10) & 1)) >>> 10);
}

/** The number an f16 bit pattern stands for. */
export function f16ToNumber(bits: number): number {
  // The fields of f16 moved to their places in f32 give the value times 2^-112, subnormals included.
  scratchWords[0] = ((bits & 0x8000) << 16) | ((bits & 0x7fff) << 13);
  const value = (scratchF32[0] as number) * 2 ** 112;
  if ((bits & 0x7c00) !== 0x7c00) return value;
  return (bits & 0x3ff) !== 0 ? NaN : value < 0 ? -Infinity : Infinity;
}

/** Bits of the bf16 nearest to `x` (ties to even; overflow gives Infinity; every NaN becomes the quiet one of its sign). */
export function bf16FromNumber(x: number): number {
  scratch[0] = x;
  const sign = ((scratchWords[1] as number) >>> 16) & 0x8000;
  const size = Math.abs(x);
  if (size < BF16_MIN_NORMAL) return sign | (size * 2 ** 133 + ROUND_TO_INTEGER - ROUND_TO_INTEGER);
  if (!(size < BF16_OVERFLOW)) return sign | (x === x ? BF16_INFINITY : BF16_NAN);
  const word = (stickyWord() & 0x7fffffff) - ((1023 - 127) << 20);
  return sign | ((word + 0xfff + ((word >>> 13) & 1)) >>> 13);
}

/** The number a bf16 bit pattern stands for. */
export function bf16ToNumber(bits: number): number {
  scratchWords[0] = bits << 16;
  return scratchF32[0] as number;
}
