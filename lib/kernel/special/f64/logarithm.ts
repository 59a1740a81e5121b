/**
 * log, log2, log10 and log1p in f64. x = 2^n (1 + f) with 1 + f from sqrt(1/2) to sqrt(2), then s = f / (2 + f) and
 * log(1 + f) = f - f^2/2 + s (f^2/2 + R(s^2)), the way of fdlibm's e_log.c; R is a fit of our own. The sums of log2 and log10
 * are those of FreeBSD's e_log2.c and e_log10.c (after fdlibm): f - f^2/2 in two parts, times the constant in two parts.
 */
import type { Builder } from "../../builder";
import {
  exponentField,
  fastTwoSum,
  outside,
  polynomial,
  signOf,
  split,
  TINY,
  twoSum,
  withSign,
  type Doubled,
  type F64,
} from "./arith";

const LN2_HIGH = 0.6931471805582987;
const LN2_LOW = 1.6465949582897082e-12;

// R(z) / z, where log((1 + s) / (1 - s)) = 2s + s R(s^2).
const R = [
  0.666666666666667, 0.3999999999989924, 0.2857142862609589, 0.2222221111514416, 0.18182890556695602,
  0.1533167403016786, 0.1461703754879165,
];

/** The high half of the bits of sqrt(1/2): the mantissa is from there to twice that. */
const MANTISSA_FROM = 0x3fe6a09e;

/** log(x) = n log 2 + f - halfSquare + tail, for a normal number x. */
interface LogParts {
  readonly n: F64;
  readonly f: F64;
  readonly halfSquare: F64;
  readonly tail: F64;
}

/** The parts; of x * 2^shift those of x. */
function logParts(k: Builder, x: F64, shift = 0): LogParts {
  const offset = k.add(k.bits(x), k.i64(0x3ff00000 - MANTISSA_FROM, 0));
  const n = exponentField(k, offset, 1023 + shift);
  const mantissa = k.add(k.and(offset, k.i64(0x000fffff, -1)), k.i64(MANTISSA_FROM, 0));
  const f = k.sub(k.float(mantissa), 1);
  const s = k.div(f, k.add(f, 2));
  const z = k.mul(s, s);
  const halfSquare = k.mul(k.mul(f, f), 0.5);
  const series = k.mul(z, polynomial(k, z, R));
  return { n, f, halfSquare, tail: k.mul(s, k.add(halfSquare, series)) };
}

/** Makes the natural logarithm from its parts; `extra` is added. */
function natural(k: Builder, { n, f, halfSquare, tail }: LogParts, extra?: F64): F64 {
  const low = k.mul(n, LN2_LOW);
  const rest = k.add(tail, extra ? k.add(low, extra) : low);
  return k.sub(k.mul(n, LN2_HIGH), k.sub(k.sub(halfSquare, rest), f));
}

/** log(x) + extra, for normal numbers x; of x * 2^shift. */
export function logNormal(k: Builder, x: F64, extra?: F64, shift?: F64): F64 {
  const parts = logParts(k, x);
  return natural(k, shift ? { ...parts, n: k.add(parts.n, shift) } : parts, extra);
}

/** sign * log(x) for normal numbers x, and about what rounding took from it. */
export function logDoubled(k: Builder, x: F64, sign: 1 | -1): Doubled {
  const { n, f, halfSquare, tail } = logParts(k, x);
  const whole = k.mul(n, sign * LN2_HIGH);
  const rest = k.sub(k.sub(halfSquare, k.add(tail, k.mul(n, LN2_LOW))), f);
  const part = sign > 0 ? k.neg(rest) : rest;
  const high = k.add(whole, part);
  return { high, low: k.add(k.sub(whole, high), part) };
}

/** log(x) + extra to 2^-56 of itself, as the sum of two, for x from 1 to 2. */
export function logDoubledOf(k: Builder, x: F64, extra: F64): Doubled {
  const { n, f, halfSquare, tail } = logParts(k, x);
  const main = fastTwoSum(k, f, k.neg(halfSquare));
  const { high, low } = twoSum(k, k.mul(n, LN2_HIGH), main.high);
  const rest = k.add(k.add(low, main.low), k.add(tail, k.add(k.mul(n, LN2_LOW), extra)));
  return fastTwoSum(k, high, rest);
}

/** A logarithm of all x from one made of the parts of normal ones. */
function forAll(k: Builder, x: F64, finish: (parts: LogParts) => F64): F64 {
  return k.coldPath(outside(k, x, TINY, Number.MAX_VALUE), finish(logParts(k, x)), () => {
    const scaled = finish(logParts(k, k.mul(x, 2 ** 54), 54));
    // Infinity and NaN stay themselves; zeros give -Infinity, what is below gives NaN.
    const edge = k.select(k.eq(x, 0), k.f64(-Infinity), k.select(k.lt(x, 0), k.f64(NaN), x));
    return k.select(k.and(k.gt(x, 0), k.lt(x, Infinity)), scaled, edge);
  });
}

export const log = (k: Builder, x: F64): F64 => forAll(k, x, (parts) => natural(k, parts));

/** The factor from natural logarithms and log 2 of the new base, each as a short number and the rest. */
interface Base {
  readonly factorHigh: number;
  readonly factorLow: number;
  readonly log2High: number;
  readonly log2Low: number;
}

const BASE_2: Base = {
  factorHigh: 1.4426950407214463,
  factorLow: 1.6751713164886512e-10,
  log2High: 1,
  log2Low: 0,
};
const BASE_10: Base = {
  factorHigh: 0.4342944818781689,
  factorLow: 2.5082946711645275e-11,
  log2High: 0.30102999566361177,
  log2Low: 3.694239077158931e-13,
};

/** The sum in another base; powers of two have f = 0, which leaves n times log 2 of that base. */
function inBase(k: Builder, { n, f, halfSquare, tail }: LogParts, base: Base): F64 {
  const { high } = split(k, k.sub(f, halfSquare), 32);
  const low = k.add(k.sub(k.sub(f, high), halfSquare), tail);
  const main = k.mul(high, base.factorHigh);
  const rest = k.add(k.mul(k.add(low, high), base.factorLow), k.mul(low, base.factorHigh));
  const whole = base.log2High === 1 ? n : k.mul(n, base.log2High);
  const carried = base.log2Low === 0 ? rest : k.add(k.mul(n, base.log2Low), rest);
  const sum = k.add(whole, main);
  return k.add(sum, k.add(carried, k.add(k.sub(whole, sum), main)));
}

export const log2 = (k: Builder, x: F64): F64 => forAll(k, x, (parts) => inBase(k, parts, BASE_2));
export const log10 = (k: Builder, x: F64): F64 => forAll(k, x, (parts) => inBase(k, parts, BASE_10));

/** log(u) + c / u, where u + c is 1 + x to twice the precision. */
export function log1p(k: Builder, x: F64): F64 {
  const { high, low } = twoSum(k, k.f64(1), x);
  const usual = withSign(k, logNormal(k, high, k.div(low, high)), signOf(k, x));
  const ordinary = k.and(k.gt(x, -1), k.lt(x, Infinity));
  return k.coldPath(k.not(ordinary), usual, () =>
    k.select(k.eq(x, -1), k.f64(-Infinity), k.select(k.lt(x, -1), k.f64(NaN), x)),
  );
}
