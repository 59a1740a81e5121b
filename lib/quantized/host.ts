/**
 * The arithmetic of embARC MLI on single integers: what is worked out once per call from the parameters of the operands, and
 * the ranges of what kernels compute.
 *
 * Source of all formulas: the reference kernels of embARC MLI 2.0, as documented.
 */

/**
 * How right shifts round: `"up"` takes halves towards plus infinity, as on ARC VPX; `"convergent"` to even numbers, as on ARC EM
 * and HS.
 */
export type Rounding = "up" | "convergent";

/** The largest number of so many bits with a sign. */
export const largest = (bits: number): bigint => (1n << BigInt(bits - 1)) - 1n;

/** The nearest number of so many bits with a sign. */
export function saturate(value: bigint, bits: number): bigint {
  const high = largest(bits);
  return value > high ? high : value < -high - 1n ? -high - 1n : value;
}

/** The value divided by 2^count and rounded, within so many bits; by a negative count multiplied. */
export function shifted(value: bigint, count: number, bits: number, rounding: Rounding): bigint {
  if (count <= 0) return saturate(value << BigInt(-count), bits);
  if (count > bits - 1) return 0n;
  const n = BigInt(count);
  const half = 1n << (n - 1n);
  if (rounding === "up") return saturate(value + half, bits) >> n;
  return (value + half - 1n + ((value >> n) & 1n)) >> n;
}

/** How many bits of a positive number below 2^31 repeat its sign. */
const spareBits = (value: number): number => Math.clz32(value) - 1;

/** A factor as `mantissa / 2^shift`. */
export interface Factor {
  readonly mantissa: number;
  readonly shift: number;
}

/**
 * A positive number as a factor for rescaling: `numerator / denominator / 2^fracBits` with a mantissa of 15 bits, and a shift
 * from -31 to the largest that kernels take.
 */
export function factorOf(
  numerator: number,
  denominator: number,
  fracBits: number,
  largestShift: number,
  rounding: Rounding,
): Factor {
  const spare = spareBits(numerator);
  const ratio = Math.trunc((numerator * 2 ** spare) / denominator); // exact: both are below 2^31
  const exponent = 16 - spareBits(ratio);
  const mantissa = saturate(shifted(BigInt(ratio), exponent, 32, rounding), 16);
  const shift = spare + fracBits - exponent;
  const excess = Math.max(shift - largestShift, 0) + Math.min(31 + shift, 0);
  return { mantissa: Number(shifted(mantissa, excess, 16, rounding)), shift: shift - excess };
}

/** The same factor with the fewest digits: a shift of numbers that end in zeros rounds nothing in these. */
export function reduced({ mantissa, shift }: Factor): Factor {
  let [m, s] = [mantissa, shift];
  while (s > 0 && m % 2 === 0) [m, s] = [m / 2, s - 1];
  return { mantissa: m, shift: s };
}
