/**
 * Hyperbolic functions of f32 and their inverses, in f64. Coefficients: minimax fits of scripts/accuracy/fit.py.
 */
import type { Builder } from "../../builder";
import { horner } from "../polynomial";
import { powerLessOne } from "./exponential";
import { log64 } from "./logarithmic";
import { clamp, flipSign, isOutside, power64, signBit, toInteger64, type F32, type F64 } from "./scaling";

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

/** p / (p + 2) with p = e^2x - 1, which in f64 is exact enough on both ends. */
export function tanh(k: Builder, x: F32): F32 {
  const p = powerLessOne(k, k.mul(k.promote(clamp(k, x, -10, 10)), 2 * Math.LOG2E));
  return k.demote(k.div(p, k.add(p, 2)));
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
  return k.rare(isOutside(k, k.bits(x), ONE, 0x7f800000), value, () => k.select(k.eq(x, Infinity), x, NaN));
}

/** Half the logarithm of (1 + |x|) / (1 - |x|). */
export function atanh(k: Builder, x: F32): F32 {
  const size = k.abs(x);
  const a = k.promote(size);
  const quotient = k.div(k.add(a, 1), k.sub(k.f64(1), a));
  const value = flipSign(k, k.demote(k.mul(log64(k, quotient), 0.5)), signBit(k, x));
  const inside = k.select(k.lt(size, 2 ** -12), x, value);
  return k.rare(k.not(k.lt(size, 1)), inside, () => k.select(k.eq(size, 1), k.mul(x, Infinity), NaN));
}
