/**
 * The inverse trigonometric and hyperbolic functions of complex numbers.
 *
 * asin, acos and their hyperbolic kin follow Hull, Fairgrieve and Tang, "Implementing the complex arcsine and arccosine
 * functions using exception handling" (ACM TOMS 23, 1997); atanh follows Kahan, "Branch Cuts for Complex Elementary Functions"
 * (1987). Notation: z = x + iy with both parts made positive, r and s the distances to the branch points, a their mean.
 */
import type { Builder } from "../../builder";
import { outside, withSign } from "../f64/arith";
import { atan2 } from "../f64/inverse";
import { log1p, log as realLog } from "../f64/logarithm";
import { logSize } from "./logarithmic";
import {
  choose,
  copySign,
  exchanged,
  hypot,
  isInfinite,
  isLost,
  signBit,
  unusually,
  zeroOf,
  type Complex,
  type F64,
} from "./parts";

const EPSILON = 2 ** -52;
/** Beyond this size only the leading term counts. */
const LARGE = 2 ** 52;
/** Below this size z itself, or pi/2 - z, is the result. */
const TINY = 2 ** -28;
const LN2 = 0.6931471805599453;
const HALF_PI = 1.5707963267948966;
/** What that lacks to half of pi. */
const HALF_PI_REST = 6.123233995736766e-17;

/** (hypot(u, v) - v) / 2 for the given `distance` = hypot(u, v), without cancellation. */
const halfExcess = (k: Builder, u: F64, v: F64, distance: F64): F64 =>
  k.mul(k.select(k.le(v, 0), k.sub(distance, v), k.div(k.mul(u, u), k.add(distance, v))), 0.5);

interface Sides {
  /** The real part of asinh(x + iy), log(a + sqrt(a^2 - 1)). */
  readonly growth: F64;
  /** sqrt(a^2 - y^2): the angle of asinh is that whose opposite side is y. */
  readonly adjacent: F64;
}

/** For positive x and y that are neither both tiny nor large. */
function sidesOf(k: Builder, x: F64, y: F64): Sides {
  const gap = k.sub(y, 1);
  const above = k.add(y, 1);
  const [r, s] = [hypot(k, x, above), hypot(k, x, gap)];
  const a = k.pmax(k.f64(1), k.mul(k.add(r, s), 0.5));
  const far = halfExcess(k, x, above, r);
  const excess = k.add(far, halfExcess(k, x, k.neg(gap), s));
  const isPlain = k.ge(x, k.mul(k.abs(gap), EPSILON));
  const isBelow = k.lt(gap, 0);
  const isPoint = k.eq(gap, 0);
  // x is next to nothing beside the distance of y from 1
  const flat = k.sqrt(k.mul(k.abs(gap), above));
  const root = k.sqrt(x);
  const argument = k.select(isPlain, k.add(excess, k.sqrt(k.mul(excess, k.add(a, 1)))), k.add(gap, flat));
  const grown = k.select(k.andnot(isBelow, isPlain), k.div(x, flat), log1p(k, argument));
  const remaining = k.add(far, halfExcess(k, x, gap, s));
  const side = k.select(isBelow, flat, k.div(k.mul(x, y), flat));
  const plainSide = k.select(isPlain, k.sqrt(k.mul(remaining, k.add(a, y))), side);
  const pointSide = k.mul(root, k.sqrt(k.mul(k.add(a, y), 0.5)));
  return {
    growth: k.select(k.and(isPoint, k.lt(x, (EPSILON * EPSILON) / 128)), root, grown),
    adjacent: k.select(k.and(isPoint, k.lt(x, EPSILON / 128)), pointSide, plainSide),
  };
}

/** asinh z, cut along the imaginary axis beyond +-i. */
export const asinh = (k: Builder, z: Complex): Complex => {
  const [re, im] = z;
  const [x, y] = [k.abs(re), k.abs(im)];
  const larger = k.max(x, y);
  const { growth, adjacent } = sidesOf(k, x, y);
  const middle: Complex = [copySign(k, growth, re), copySign(k, atan2(k, y, adjacent), im)];
  const usual = choose(k, k.lt(larger, TINY), z, middle);
  return unusually(k, outside(k, larger, 0, LARGE), usual, () => {
    const size = k.add(logSize(k, x, y), LN2);
    const large: Complex = [withSign(k, size, signBit(k, re)), withSign(k, atan2(k, y, x), signBit(k, im))];
    const real = k.select(isInfinite(k, re), re, k.select(isInfinite(k, im), im, NaN));
    const lost: Complex = [real, k.select(k.eq(im, 0), im, NaN)];
    return choose(k, isLost(k, z), lost, large);
  });
};

/** asin z = -i asinh(iz), cut along the real axis beyond +-1. */
export const asin = (k: Builder, z: Complex): Complex => exchanged(asinh(k, exchanged(z)));

/** acos z, cut along the real axis beyond +-1. */
export const acos = (k: Builder, z: Complex): Complex => {
  const [re, im] = z;
  const [x, y] = [k.abs(re), k.abs(im)];
  const larger = k.max(x, y);
  const { growth, adjacent } = sidesOf(k, y, x);
  const middle: Complex = [atan2(k, adjacent, re), k.neg(copySign(k, growth, im))];
  const tiny: Complex = [k.sub(k.f64(HALF_PI), k.sub(re, HALF_PI_REST)), k.neg(im)];
  const usual = choose(k, k.lt(larger, TINY), tiny, middle);
  return unusually(k, outside(k, larger, 0, LARGE), usual, () => {
    const size = k.add(logSize(k, x, y), LN2);
    const large: Complex = [atan2(k, y, re), k.neg(withSign(k, size, signBit(k, im)))];
    const imaginary = k.select(isInfinite(k, re), k.f64(-Infinity), k.select(isInfinite(k, im), k.neg(im), NaN));
    const lost: Complex = [k.select(k.eq(re, 0), k.f64(HALF_PI), NaN), imaginary];
    return choose(k, isLost(k, z), lost, large);
  });
};

/** acosh z = +-i acos z with a real part of at least 0, cut along the real axis below 1. */
export const acosh = (k: Builder, z: Complex): Complex => {
  const [angle, growth] = acos(k, z);
  return [k.abs(growth), withSign(k, angle, signBit(k, z[1]))];
};

/** atanh z, cut along the real axis beyond +-1. */
export const atanh = (k: Builder, z: Complex): Complex => {
  const [re, im] = z;
  const [x, y] = [k.abs(re), k.abs(im)];
  const larger = k.max(x, y);
  const gap = k.sub(x, 1);
  // The square of a y this small is nothing beside that of the gap, and would be subnormal.
  const height = k.select(k.lt(y, 2 ** -511), k.f64(0), k.mul(y, y));
  const plain = k.mul(log1p(k, k.div(k.mul(x, 4), k.add(k.mul(gap, gap), height))), 0.25);
  const isPoint = k.and(k.eq(gap, 0), k.lt(y, EPSILON));
  const real = k.coldPath(isPoint, plain, () => k.mul(k.sub(k.f64(LN2), realLog(k, y)), 0.5));
  const across = k.sub(k.mul(k.sub(k.f64(1), x), k.add(x, 1)), k.mul(y, y));
  const angle = k.mul(atan2(k, k.mul(y, 2), across), 0.5);
  const usual = choose(k, k.lt(larger, TINY), z, [copySign(k, real, re), copySign(k, angle, im)]);
  return unusually(k, outside(k, larger, 0, LARGE), usual, () => {
    const size = hypot(k, k.mul(x, 0.5), k.mul(y, 0.5));
    const share = k.mul(k.div(k.div(x, size), size), 0.25);
    const isEndless = k.or(isInfinite(k, re), isInfinite(k, im));
    const quarter = withSign(k, k.f64(HALF_PI), signBit(k, im));
    const large: Complex = [withSign(k, k.select(isEndless, k.f64(0), share), signBit(k, re)), quarter];
    const isKept = k.or(isEndless, k.eq(re, 0));
    const lost: Complex = [k.select(isKept, zeroOf(k, re), NaN), k.select(isInfinite(k, im), quarter, NaN)];
    return choose(k, isLost(k, z), lost, large);
  });
};

/** atan z = -i atanh(iz), cut along the imaginary axis beyond +-i. */
export const atan = (k: Builder, z: Complex): Complex => exchanged(atanh(k, exchanged(z)));
