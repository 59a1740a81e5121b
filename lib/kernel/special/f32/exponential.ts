/**
 * exp, exp2, expm1 and sigmoid of f32. Coefficients: minimax fits of scripts/accuracy/fit.py.
 */
import type { Builder } from "../../builder";
import type { Value } from "../../value";
import { horner } from "../polynomial";
import { clamp, power64, toInteger, toInteger64, type F32, type F64 } from "./scaling";

/** log 2 as the sum of 9 bits, whose products with exponents are exact, and the rest (Cody and Waite). */
const LN2_HIGH = 0.693359375;
const LN2_LOW = -2.12194440054690581e-4;

/** (e^r - 1 - r) / r^2 for |r| up to log(2) / 2. */
const EXP = [0.4999999403953552, 0.16666515171527863, 0.041668083518743515, 0.00836934894323349, 0.0013840398751199245];
/** (2^f - 1) / f - 1/2 for |f| up to 1/2. */
const EXP2 = [
  0.1931472420692444, 0.24022655189037323, 0.05550272762775421, 0.009617025963962078, 0.0013418503804132342,
  0.0001583711855346337,
];
/** 2^f for |f| up to 1/2, to 2^-29. */
const POWER = [
  1.0000000005631324, 0.6931472060374444, 0.24022646844565, 0.0555032812313804, 0.009618491859360567,
  0.0013400195730984227, 0.00015345577622605393,
];
/** (2^f - 1) / f for |f| up to 1/2, to 2^-26.4. */
const POWER_LESS_ONE = [
  0.6931471880152106, 0.24022649784101002, 0.05550357005667839, 0.009618238365098505, 0.001339096433064562,
  0.00015403512081398266,
];

/** p * 2^n by a word with n in its low bits, where that is a normal number. */
const scaleNormal = (k: Builder, p: F32, word: Value<"i32">): F32 => k.float(k.add(k.bits(p), k.shl(word, 23)));

/** Results by {@link scaleNormal}, and the arguments from which on they are 0 and infinite. */
interface Far {
  readonly usual: F32;
  readonly low: number;
  readonly high: number;
}

/** A power of two by which results below the normal numbers are normal numbers. */
const UP = 64;

/**
 * What {@link scaleNormal} gives for p * 2^n, made right at the ends of the range: 0 for arguments below `low`, infinity above
 * `high`, NaN for NaN. Results below the normal numbers are rounded by a sum whose last place is theirs, since machines take a
 * hundred times as long for products that are such numbers.
 */
function scaleFar(k: Builder, x: F32, { usual, low, high }: Far): F32 {
  const word = k.bits(usual);
  const raised = k.float(k.add(word, UP << 23));
  const least = k.f32(2 ** (UP - 126));
  const belowNormal = k.sub(k.bits(k.add(raised, least)), (UP + 1) << 23);
  const inside = k.select(k.lt(word, 1 << 23), belowNormal, k.min(word, 0x7f800000));
  const orZero = k.select(k.lt(x, low), k.f32(0), k.float(inside));
  return k.select(k.le(x, high), orZero, k.mul(x, Infinity));
}

/** The mask of numbers that are larger than a limit, or NaN; the limit is the word of a positive float. */
const isBeyond = (k: Builder, x: F32, limit: number): Value<"m32"> => k.gt(k.and(k.bits(x), 0x7fffffff), limit);

/** The words of 87 and 125: powers of up to these are normal numbers. */
const NORMAL_EXP = 0x42ae0000;
const NORMAL_EXP2 = 0x42fa0000;

/**
 * x = n log 2 + r with two-part reduction, e^r by a polynomial of degree 6 (Cody and Waite), times 2^n; results at the ends of the
 * range have a way of their own.
 */
export function exp(k: Builder, x: F32): F32 {
  const { whole, word } = toInteger(k, k.mul(x, Math.LOG2E));
  const r = k.sub(k.sub(x, k.mul(whole, LN2_HIGH)), k.mul(whole, LN2_LOW));
  const p = k.add(k.add(k.mul(k.mul(r, r), horner(k, r, EXP)), r), 1);
  const usual = scaleNormal(k, p, word);
  return k.coldPath(isBeyond(k, x, NORMAL_EXP), usual, () => scaleFar(k, x, { usual, low: -104, high: 89 }));
}

/** x = n + f exactly, 2^f by a polynomial of degree 6, times 2^n as {@link exp}. f / 2, which is exact, is kept apart. */
export function exp2(k: Builder, x: F32): F32 {
  const { whole, word } = toInteger(k, x);
  const f = k.sub(x, whole);
  const p = k.add(k.add(k.mul(f, horner(k, f, EXP2)), k.mul(f, 0.5)), 1);
  const usual = scaleNormal(k, p, word);
  return k.coldPath(isBeyond(k, x, NORMAL_EXP2), usual, () => scaleFar(k, x, { usual, low: -151, high: 128 }));
}

/** 2^u to 2^-29 for |u| up to 1000. */
export function power(k: Builder, u: F64): F64 {
  const { whole, word } = toInteger64(k, u, 1023);
  return k.mul(power64(k, word), horner(k, k.sub(u, whole), POWER));
}

/** 2^u - 1 to 2^-26.4 of itself for |u| up to 1000; the sign of zero is kept. */
export function powerLessOne(k: Builder, u: F64): F64 {
  const { whole, word } = toInteger64(k, u, 1023);
  const f = k.sub(u, whole);
  const s = power64(k, word);
  return k.sub(k.mul(s, k.mul(f, horner(k, f, POWER_LESS_ONE))), k.sub(k.f64(1), s));
}

/** e^x - 1 as 2^n (2^f - 1) + (2^n - 1) in f64, where x log2(e) = n + f needs no second part. */
export function expm1(k: Builder, x: F32): F32 {
  return k.demote(powerLessOne(k, k.mul(k.promote(clamp(k, x, -20, 89)), Math.LOG2E)));
}

/** 1 / (1 + e^-x) in f64, where the power neither overflows nor spoils the sum. */
export function sigmoid(k: Builder, x: F32): F32 {
  const e = power(k, k.mul(k.promote(clamp(k, x, -104, 104)), -Math.LOG2E));
  return k.demote(k.div(k.f64(1), k.add(e, 1)));
}
