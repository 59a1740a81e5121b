/**
 * What f32 results are measured against: the functions in f64, within 2 units of f64 of the exact value, and the distance of
 * an f32 to that in units of f32.
 */
import { pow } from "../../lib/core/special";
import type { SpecialBinary, SpecialUnary } from "../../lib/ops";
import { erf, erfc, erfInv, rsqrt } from "./error-functions";
import { logAddExp } from "./exact";

/** 1 / (1 + exp(-x)) without overflow and accurate in both tails. */
export function sigmoid(x: number): number {
  if (x >= 0) return 1 / (1 + Math.exp(-x));
  const e = Math.exp(x);
  return e / (1 + e);
}

export const UNARY: { readonly [K in SpecialUnary]: (x: number) => number } = {
  exp: Math.exp,
  exp2: (x) => pow(2, x),
  expm1: Math.expm1,
  log: Math.log,
  log2: Math.log2,
  log10: Math.log10,
  log1p: Math.log1p,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  asinh: Math.asinh,
  acosh: Math.acosh,
  atanh: Math.atanh,
  rsqrt,
  cbrt: Math.cbrt,
  erf,
  erfc,
  erfInv,
  sigmoid,
  softplus: (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x))),
  silu: (x) => gated(x, sigmoid),
  quickGelu: (x) => gated(x, (inner) => sigmoid(1.702 * inner)),
  gelu: (x) => gated(x, (inner) => erfc(-inner * Math.SQRT1_2) / 2),
  geluTanh: (x) => gated(x, (inner) => sigmoid(Math.sqrt(8 / Math.PI) * (inner + 0.044715 * inner ** 3))),
  selu: (x) => (x > 0 ? 1.0507009873554805 * x : 1.7580993408473768 * Math.expm1(x)),
  softsign: (x) => (Math.abs(x) === Infinity ? Math.sign(x) : x / (1 + Math.abs(x))),
  hardSigmoid: (x) => Math.min(Math.max(x + 3, 0), 6) / 6,
  hardSwish: (x) => (x >= 3 ? x : (Math.max(x, -3) * (Math.max(x, -3) + 3)) / 6),
  mish: (x) => gated(x, (inner) => Math.tanh(Math.max(inner, 0) + Math.log1p(Math.exp(-Math.abs(inner))))),
};

/** An infinite number times a share of 0 is 0 in the limit. */
const gated = (x: number, share: (x: number) => number): number => (x === -Infinity ? -0 : x * share(x));

export const BINARY: { readonly [K in SpecialBinary]: (x: number, y: number) => number } = {
  pow,
  atan2: Math.atan2,
  logAddExp,
};

/** Units in the last place of f32 by the upper 11 bits below the sign of an f64: that of subnormals is 2^-149. */
const UNITS = Float64Array.from({ length: 2048 }, (_, e) => 2 ** (Math.min(Math.max(e - 1023, -126), 127) - 23));

const scratch = new Float64Array(1);
const words = new Int32Array(scratch.buffer);

/** The least f64 beyond the range of f32, for which an infinite result stands. */
const BEYOND = 2 ** 128;

/**
 * |got - want| over the distance of neighbouring f32 around `want`: of 2^e <= |want| < 2^(e + 1) that is 2^(e - 23), and not
 * below 2^-149. Infinity where one of both is NaN, where signs differ, also those of zeros, or where an infinite or zero
 * result is expected exactly and not got.
 */
export function ulps(got: number, want: number): number {
  if (got !== got || want !== want) return got !== got && want !== want ? 0 : Infinity;
  if (got < 0 || want < 0 || got === 0) {
    const sameSign = (got < 0 || Object.is(got, -0)) === (want < 0 || Object.is(want, -0));
    if (!sameSign) return Infinity;
  }
  if (want === 0 || want === Infinity || want === -Infinity) return got === want ? 0 : Infinity;
  scratch[0] = want;
  const unit = UNITS[(words[1]! >>> 20) & 2047]!;
  if (got === Infinity || got === -Infinity) return Math.max(0, BEYOND - Math.abs(want)) / unit;
  return Math.abs(got - want) / unit;
}
