/**
 * The smooth activations of f32, in f64: shares of a number that are rounded with it once, and logarithms of sums of
 * exponentials. Coefficients: minimax fits of scripts/accuracy/fit.py.
 */
import type { Builder } from "../../builder";
import { logAddExp as wideLogAddExp } from "../f64/activations";
import { horner } from "../polynomial";
import { normalTail } from "./error";
import { power, powerLessOne } from "./exponential";
import { clamp, type F32, type F64 } from "./scaling";

/** x / (1 + 2^u), where the power neither overflows nor spoils the sum. */
const share = (k: Builder, x: F64, u: F64): F32 => k.demote(k.div(x, k.add(power(k, u), 1)));

/** Below `low` a share times x is less than half of the least f32; -Infinity times a share of 0 would be NaN. */
const raised = (k: Builder, x: F32, low: number): F64 => k.promote(k.pmax(x, low));

/** x / (1 + e^(-slope x)). */
const gated =
  (slope: number, low: number) =>
  (k: Builder, x: F32): F32 =>
    share(k, raised(k, x, low), k.mul(k.promote(clamp(k, x, low, -low)), -slope * Math.LOG2E));

export const silu = gated(1, -110);
export const quickGelu = gated(1.702, -66);

/** 2 sqrt(2 / pi) in units of log 2, and 0.044715 times that. */
const TANH_SLOPE = 1.5957691216057308 * Math.LOG2E;
const TANH_CUBE = 0.07135481627260025 * Math.LOG2E;

/** (1 + tanh(v / 2)) / 2 = 1 / (1 + e^-v). */
export function geluTanh(k: Builder, x: F32): F32 {
  const c = k.promote(clamp(k, x, -12, 12));
  const slope = k.add(k.mul(k.mul(c, c), -TANH_CUBE), -TANH_SLOPE);
  return share(k, raised(k, x, -12), k.mul(c, slope));
}

/** The share of normal numbers below x is half of erfc(-x / sqrt(2)). */
export function gelu(k: Builder, x: F32): F32 {
  const low = -14.5;
  const half = normalTail(k, k.promote(k.pmin(k.abs(x), -low)));
  const below = k.select(k.widen(k.lt(x, 0)), half, k.sub(k.f64(1), half));
  return k.demote(k.mul(raised(k, x, low), below));
}

/** tanh(log(1 + e^x)) = n / (n + 2) with n = e^x (e^x + 2). */
export function mish(k: Builder, x: F32): F32 {
  const e = power(k, k.mul(k.promote(clamp(k, x, -110, 40)), Math.LOG2E));
  const n = k.mul(e, k.add(e, 2));
  return k.demote(k.mul(raised(k, x, -110), k.div(n, k.add(n, 2))));
}

/** log((1 + s) / (1 - s)) / s in s^2 for s up to 1/3, to 2^-33. */
const SERIES = [
  1.9999999998028564, 0.6666667930594798, 0.39998690987095015, 0.2862072042197291, 0.21393264225479533,
  0.24413030897535457,
];

/** log(1 + e^-d) for d from 0 on, with s = e^-d / (2 + e^-d). */
function above(k: Builder, d: F64): F64 {
  const e = power(k, k.mul(d, -Math.LOG2E));
  const s = k.div(e, k.add(e, 2));
  return k.mul(s, horner(k, k.mul(s, s), SERIES));
}

/** The larger of x and 0, and what is above it. */
export function softplus(k: Builder, x: F32): F32 {
  return k.demote(k.add(k.promote(k.pmax(x, 0)), above(k, k.promote(k.pmin(k.abs(x), 110)))));
}

/**
 * The larger of both and what is above it. Where these cancel it takes more digits; so do NaN and equal infinities, of which there
 * is no difference.
 */
export function logAddExp(k: Builder, x: F32, y: F32): F32 {
  const [a, b] = [k.promote(x), k.promote(y)];
  const over = above(k, k.pmin(k.abs(k.sub(a, b)), 110));
  const sum = k.add(k.pmax(a, b), over);
  const isKept = k.ge(k.abs(sum), k.mul(over, 0.125));
  return k.coldPath(k.not(k.narrow(isKept)), k.demote(sum), () => k.demote(wideLogAddExp(k, a, b, 2 ** -25)));
}

const SELU_SLOPE = 1.0507009873554805;
const SELU_LIMIT = 1.7580993408473768;

/** A multiple of x, or of e^x - 1. */
export function selu(k: Builder, x: F32): F32 {
  const below = powerLessOne(k, k.mul(k.promote(clamp(k, x, -20, 0)), Math.LOG2E));
  const isAbove = k.widen(k.gt(x, 0));
  return k.demote(k.select(isAbove, k.mul(k.promote(x), SELU_SLOPE), k.mul(below, SELU_LIMIT)));
}

const MOST = 3.4028234663852886e38;

/** x / (1 + |x|), of finite numbers. */
export function softsign(k: Builder, x: F32): F32 {
  const c = k.promote(clamp(k, x, -MOST, MOST));
  return k.demote(k.div(c, k.add(k.abs(c), 1)));
}

/** (x + 3) / 6 from -3 to 3. */
export function hardSigmoid(k: Builder, x: F32): F32 {
  return k.demote(k.mul(k.add(k.promote(clamp(k, x, -3, 3)), 3), 1 / 6));
}

/** x (x + 3) / 6 from -3 to 3. */
export function hardSwish(k: Builder, x: F32): F32 {
  const c = k.promote(clamp(k, x, -3, 3));
  return k.select(k.ge(x, 3), x, k.demote(k.mul(k.mul(c, k.add(c, 3)), 1 / 6)));
}
