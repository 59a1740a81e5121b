/**
 * Hyperbolic functions of f32 and their inverses, in f64 but for tanh. Coefficients: minimax fits of scripts/accuracy/fit.py.
 */
import type { Builder } from "../../builder";
import { horner } from "../polynomial";
import { log64 } from "./logarithmic";
import { clamp, flipSign, isOutside, power64, signBit, toInteger, toInteger64, type F32, type F64 } from "./scaling";

/** cosh(f log 2) in f^2 for |f| up to 1/2, to 2^-34. */
const COSH = [0.9999999999600861, 0.24022651211264115, 0.009618025685428864, 0.00015469754383709753];
/** sinh(f log 2) / f in f^2 for |f| up to 1/2, to 2^-26.4. */
const SINH = [0.6931471880470829, 0.055503569031289016, 0.001339100527026134];

interface Halves {
  /** The hyperbolic sine and cosine of the fraction. */
  readonly sinh: F64;
  readonly cosh: F64;
  /** 2^(n - 1) and 2^(-n - 1). */
  readonly up: F64;
  readonly down: F64;
}

/** x = (n + f) log 2: what the hyperbolic sine and cosine of x are made of by the addition theorem. */
function halves(k: Builder, x: F32): Halves {
  const u = k.mul(k.promote(clamp(k, x, -90, 90)), Math.LOG2E);
  const { whole, word } = toInteger64(k, u, 1022);
  const f = k.sub(u, whole);
  const z = k.mul(f, f);
  return {
    sinh: k.mul(f, horner(k, z, SINH)),
    cosh: horner(k, z, COSH),
    up: power64(k, word),
    down: power64(k, k.sub(k.i64(0, 2044), word)),
  };
}

/** Near 0, where n is 0, only the hyperbolic sine of the fraction is left. Differences are ordered for the sign of zero. */
export function sinh(k: Builder, x: F32): F32 {
  const { sinh: s, cosh: c, up, down } = halves(k, x);
  return k.demote(k.sub(k.mul(s, k.add(up, down)), k.mul(c, k.sub(down, up))));
}

export function cosh(k: Builder, x: F32): F32 {
  const { sinh: s, cosh: c, up, down } = halves(k, x);
  return k.demote(k.add(k.mul(c, k.add(up, down)), k.mul(s, k.sub(up, down))));
}

/** tanh(a) / a - 1 in a^2 - 9/16 for a up to 1, to 2^-27.2. */
const TANH = [
  -0.15313473343849182, -0.22247058153152466, 0.0720820501446724, -0.023740705102682114, 0.007827598601579666,
  -0.0025627443101257086, 0.0008909614407457411, -0.00035330126411281526,
];
/** With this factor e^2a + 1 has a large mantissa near 1, that is a small rounding error, where the tangent needs it most. */
const FACTOR = 1.8125;
/** FACTOR e^2r for |r| up to log(2) / 4. */
const POWER = [
  1.8125, 3.625000238418579, 3.6250007152557373, 2.4166131019592285, 1.208228588104248, 0.48625579476356506,
  0.16445407271385193,
];
/** Half of log 2 in f32: it has 21 bits and is nearer to the exact value than it must be, so that no second part is needed. */
const HALF_LN2 = Math.fround(Math.LN2) / 2;

/** 1 - 2 / (e^2a + 1), less 1, of a positive number; to 2^-25 for a from 1 on. */
function tanhLessOne(k: Builder, a: F32): F32 {
  const cut = k.pmin(a, 10);
  const { whole, word } = toInteger(k, k.mul(cut, 2 * Math.LOG2E));
  const p = horner(k, k.sub(cut, k.mul(whole, HALF_LN2)), POWER);
  const e = k.float(k.add(k.bits(p), k.shl(word, 23)));
  return k.div(k.f32(-2 * FACTOR), k.add(e, FACTOR));
}

/**
 * The sum of b, the lesser of |x| and 1, and what is left: a polynomial up to 1, beyond that tanh(|x|) - 1. What is left is
 * less than a quarter of the result there, and so are its rounding errors. It is the larger of both: below 1 tanh(a) - a is
 * larger than tanh(a) - 1, and above 1 the polynomial, of 1 then, is tanh(1) - 1.
 */
export function tanh(k: Builder, x: F32): F32 {
  const size = k.abs(x);
  const b = k.pmin(size, 1);
  const near = k.mul(b, horner(k, k.sub(k.mul(b, b), 0.5625), TANH));
  return flipSign(k, k.add(b, k.pmax(near, tanhLessOne(k, size))), signBit(k, x));
}

/** The words of 2^-12 and 1: below the first, asinh(x) and atanh(x) are x to 2^-25 of it. */
const SMALL = 0x39800000;
const ONE = 0x3f800000;

/** The logarithm of |x| + sqrt(x^2 + 1). */
export function asinh(k: Builder, x: F32): F32 {
  const size = k.abs(x);
  const a = k.promote(size);
  const value = k.demote(log64(k, k.add(a, k.sqrt(k.add(k.mul(a, a), 1)))));
  // Small numbers, infinities and NaN are themselves.
  return k.select(isOutside(k, k.bits(size), SMALL, 0x7f800000), x, flipSign(k, value, signBit(k, x)));
}

/** The logarithm of x + sqrt(x^2 - 1). */
export function acosh(k: Builder, x: F32): F32 {
  const a = k.promote(x);
  const value = k.demote(log64(k, k.add(a, k.sqrt(k.sub(k.mul(a, a), 1)))));
  return k.coldPath(isOutside(k, k.bits(x), ONE, 0x7f800000), value, () => k.select(k.eq(x, Infinity), x, NaN));
}

/** Half the logarithm of (1 + |x|) / (1 - |x|). */
export function atanh(k: Builder, x: F32): F32 {
  const size = k.abs(x);
  const a = k.promote(size);
  const quotient = k.div(k.add(a, 1), k.sub(k.f64(1), a));
  const value = flipSign(k, k.demote(k.mul(log64(k, quotient), 0.5)), signBit(k, x));
  const inside = k.select(k.lt(size, 2 ** -12), x, value);
  return k.coldPath(k.not(k.lt(size, 1)), inside, () => k.select(k.eq(size, 1), k.mul(x, Infinity), NaN));
}
