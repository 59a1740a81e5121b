/**
 * log, log2, log10 and log1p of f32, and the logarithm in f64 that other programs need. Coefficients: minimax fits of
 * scripts/accuracy/fit.py.
 */
import type { Builder } from "../../builder";
import { horner } from "../polynomial";
import { isOutside, isUnusual, type F32, type F64 } from "./scaling";

/** The word of sqrt(1/2): mantissas are taken from there to sqrt(2). */
const LOWEST = 0x3f3504f3;

/** (log((1 + s) / (1 - s)) / s - 2) / s^2 in s^2, for |s| up to 0.1716. */
const SERIES = [0.6666677594184875, 0.39977577328681946, 0.2987106144428253];
/** log((1 + s) / (1 - s)) / s in s^2, to 2^-30. */
const SERIES64 = [1.9999999986191035, 0.6666681613256547, 0.39974774346445757, 0.2992621005773691];

/** log 2 as the sum of 15 bits, whose products with exponents are exact, and the rest. */
const LN2_HIGH = 0.693145751953125;
const LN2_LOW = 1.4286068203094172e-6;

interface Parts {
  /** The exponent. */
  readonly e: F32;
  /** The mantissa less 1. */
  readonly f: F32;
}

/** x = 2^e (1 + f) with 1 + f from sqrt(1/2) to sqrt(2), of a positive normal number. */
function split(k: Builder, x: F32): Parts {
  const word = k.bits(x);
  const above = k.sub(word, LOWEST);
  const mantissa = k.float(k.sub(word, k.and(above, 0xff800000 | 0)));
  return { e: k.fromS32("f32", k.shrS(above, 23)), f: k.sub(mantissa, 1) };
}

/** s = f / (2 + f) and s^2 (2/3 + 2/5 s^2 + ...): log(1 + f) = 2 s + s times that (fdlibm's e_log.c). */
function series(k: Builder, f: F32): { readonly s: F32; readonly rest: F32 } {
  const s = k.div(f, k.add(f, 2));
  const z = k.mul(s, s);
  return { s, rest: k.mul(z, horner(k, z, SERIES)) };
}

/**
 * A logarithm by its program for positive normal numbers. Subnormals are brought up by 2^25, which adds `of25` to their
 * logarithm.
 */
function guarded(k: Builder, x: F32, of25: number, usual: (x: F32) => F32): F32 {
  return k.coldPath(isUnusual(k, x), usual(x), () => {
    const small = k.sub(usual(k.mul(x, 33554432)), of25);
    // Other arguments: infinity and NaN give themselves, zeros the pole, negative numbers NaN.
    const large = k.select(k.eq(x, 0), k.f32(-Infinity), k.select(k.lt(x, 0), k.f32(NaN), x));
    return k.select(k.and(k.gt(x, 0), k.lt(x, Infinity)), small, large);
  });
}

/** x = 2^e (1 + f); f and f^2 / 2 come first, the rest of log(1 + f) is small (fdlibm's e_log.c). */
export function log(k: Builder, x: F32): F32 {
  return guarded(k, x, 25 * Math.LN2, (normal) => {
    const { e, f } = split(k, normal);
    const { s, rest } = series(k, f);
    const square = k.mul(k.mul(f, 0.5), f);
    const small = k.add(k.mul(s, k.add(square, rest)), k.mul(e, LN2_LOW));
    return k.add(k.mul(e, LN2_HIGH), k.sub(f, k.sub(square, small)));
  });
}

/**
 * e times `ofTwo` and log(1 + f) times `factor`, in f64: in f32 the product with a factor would cost half a unit of the
 * result.
 */
function scaled(k: Builder, { e, f }: Parts, ofTwo: number, factor: number): F32 {
  const wide = k.promote(f);
  const s = k.div(wide, k.add(wide, 2));
  const coefficients = SERIES64.map((c) => c * factor);
  const rest = k.mul(s, horner(k, k.mul(s, s), coefficients));
  const whole = k.promote(e);
  return k.demote(k.add(ofTwo === 1 ? whole : k.mul(whole, ofTwo), rest));
}

export function log2(k: Builder, x: F32): F32 {
  return guarded(k, x, 25, (normal) => scaled(k, split(k, normal), 1, Math.LOG2E));
}

export function log10(k: Builder, x: F32): F32 {
  return guarded(k, x, 25 * Math.log10(2), (normal) => scaled(k, split(k, normal), Math.log10(2), Math.LOG10E));
}

/**
 * 1 + x is rounded only to find its exponent e; f = 2^-e x - (1 - 2^-e) has then a small rounding error that is known.
 * Differences are ordered so that -0 stays -0.
 */
export function log1p(k: Builder, x: F32): F32 {
  const above = k.sub(k.bits(k.add(x, 1)), LOWEST);
  const shift = k.and(above, 0xff800000 | 0);
  const factor = k.float(k.sub(k.i32(0x3f800000), shift));
  const part = k.mul(x, factor);
  const offset = k.sub(k.f32(1), factor);
  const f = k.sub(part, offset);
  const lost = k.sub(part, k.add(f, offset));
  const e = k.fromS32("f32", k.sub(k.i32(0), k.shrS(above, 23)));
  const { s, rest } = series(k, f);
  const square = k.mul(k.mul(f, 0.5), f);
  const small = k.add(k.mul(s, k.add(square, rest)), k.sub(lost, k.mul(e, LN2_LOW)));
  const usual = k.sub(k.sub(f, k.sub(square, small)), k.mul(e, LN2_HIGH));
  // 1 + x beyond the numbers that have a factor: -1, less, NaN, and from 2^126 on, where the 1 does not matter.
  return k.coldPath(isOutside(k, k.bits(k.add(x, 1)), 0x00800000, 0x7e800000), usual, () =>
    log(k, k.select(k.ge(x, -1), k.add(x, 1), k.f32(NaN))),
  );
}

/** u = 2^e (1 + s) / (1 - s) with |s| up to 0.1716, of a positive normal f64. */
export function logRatio(k: Builder, u: F64): { readonly e: F64; readonly s: F64 } {
  // The word of 1 less that of sqrt(1/2): after adding it, words are ordered as if mantissas began at sqrt(1/2).
  const above = k.add(k.bits(u), k.i64(0x00095f61, 0x9980c433));
  // The exponent becomes the last bits of 2^52 + exponent.
  const e = k.sub(k.float(k.or(k.shrU(above, 52), k.i64(0x43300000, 0))), 4503599627370496 + 1023);
  const m = k.float(k.add(k.and(above, k.i64(0x000fffff, -1)), k.i64(0x3fe6a09e, 0x667f3bcd)));
  return { e, s: k.div(k.sub(m, 1), k.add(m, 1)) };
}

/** The logarithm of a positive normal f64, to 2^-30 of itself where it is not below 2^-24. */
export function log64(k: Builder, u: F64): F64 {
  const { e, s } = logRatio(k, u);
  return k.add(k.mul(e, Math.LN2), k.mul(s, horner(k, k.mul(s, s), SERIES64)));
}
