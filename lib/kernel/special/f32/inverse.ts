/**
 * asin, acos, atan and atan2 of f32, in f64. Coefficients: minimax fits of scripts/accuracy/fit.py.
 */
import type { Builder } from "../../builder";
import type { Value } from "../../value";
import { horner } from "../polynomial";
import { flipSign, isOutside, signBit, type F32, type F64 } from "./scaling";

const HALF_PI = Math.PI / 2;

/** atan(t) / t in t^2 for t up to 1, to 2^-28.6. */
const ATAN = [
  0.9999999976307723, -0.3333328364218615, 0.19998266042980573, -0.14261933074043817, 0.10942030382783016,
  -0.08377314421905434, 0.05755208218058674, -0.030804575785515976, 0.01072693197237971, -0.0017539273378434242,
];
/** asin(s) / s in s^2 for s up to 1/2, to 2^-27.7. */
const ASIN = [
  0.9999999955844073, 0.16666790109933968, 0.07494434750279849, 0.04555018631876918, 0.02385816508095085,
  0.042635648875035584,
];

/** The arc sine of |x|, or of sqrt((1 - |x|) / 2) where |x| is above 1/2. Above 1 it is NaN. */
function arc(k: Builder, x: F32): { readonly large: Value<"m64">; readonly angle: F64 } {
  const size = k.abs(x);
  const a = k.promote(size);
  const large = k.widen(k.gt(size, 0.5));
  const z = k.select(large, k.sub(k.f64(0.5), k.mul(a, 0.5)), k.mul(a, a));
  return { large, angle: k.mul(k.sqrt(z), horner(k, z, ASIN)) };
}

/** asin(|x|) = pi / 2 - 2 asin(sqrt((1 - |x|) / 2)) above 1/2 (fdlibm's e_asin.c). */
export function asin(k: Builder, x: F32): F32 {
  const { large, angle } = arc(k, x);
  const value = k.select(large, k.sub(k.f64(HALF_PI), k.add(angle, angle)), angle);
  return flipSign(k, k.demote(value), signBit(k, x));
}

/** pi / 2 less the arc sine, which above 1/2 leaves twice the angle, and below -1/2 pi less twice the angle. */
export function acos(k: Builder, x: F32): F32 {
  const { large, angle } = arc(k, x);
  const sign = k.and(k.bits(k.promote(x)), k.i64(0x80000000, 0));
  const moved = k.float(k.xor(k.bits(k.select(large, k.add(angle, angle), k.neg(angle))), sign));
  const below = k.select(k.widen(k.lt(x, 0)), k.f64(Math.PI), 0);
  return k.demote(k.add(k.select(large, below, HALF_PI), moved));
}

/** The arc tangent of a quotient from 0 to 1. */
function arcTangent(k: Builder, quotient: F64): F64 {
  return k.mul(quotient, horner(k, k.mul(quotient, quotient), ATAN));
}

/** Above 1, pi / 2 less the arc tangent of 1 / |x|. */
export function atan(k: Builder, x: F32): F32 {
  const size = k.abs(x);
  const angle = arcTangent(k, k.div(k.promote(k.pmin(size, 1)), k.promote(k.pmax(size, 1))));
  const value = k.select(k.widen(k.gt(size, 1)), k.sub(k.f64(HALF_PI), angle), angle);
  return flipSign(k, k.demote(value), signBit(k, x));
}

/** The angle of (x, y), not both zero or infinite: the smaller over the larger side, moved to its octant. */
function octants(k: Builder, y: F32, x: F32): F32 {
  const height = k.abs(y);
  const width = k.abs(x);
  // In this order of arguments a NaN reaches the quotient from either side.
  const quotient = k.div(k.promote(k.pmin(height, width)), k.promote(k.pmax(width, height)));
  const angle = arcTangent(k, quotient);
  const steep = k.widen(k.gt(height, width));
  const inFront = k.select(steep, k.sub(k.f64(HALF_PI), angle), angle);
  const behind = k.widen(k.lt(k.bits(x), 0));
  const value = k.select(behind, k.sub(k.f64(Math.PI), inFront), inFront);
  return flipSign(k, k.demote(value), signBit(k, y));
}

/** The angle of the point (x, y): `y` is the first argument, as in C. */
export function atan2(k: Builder, y: F32, x: F32): F32 {
  const longer = k.pmax(k.abs(x), k.abs(y));
  return k.coldPath(isOutside(k, k.bits(longer), 1, 0x7f800000), octants(k, y, x), () => {
    // An infinite side is 1 beside a finite one of 0; of two zeros, x counts as 1. Zeros and NaN come of products with 0.
    const one = (side: F32, counts: Value<"m32">): F32 =>
      k.select(counts, k.float(k.or(signBit(k, side), 0x3f800000)), k.mul(side, 0));
    const isInfinite = (side: F32): Value<"m32"> => k.eq(k.abs(side), Infinity);
    return octants(k, one(y, isInfinite(y)), one(x, k.or(isInfinite(x), k.eq(longer, 0))));
  });
}
