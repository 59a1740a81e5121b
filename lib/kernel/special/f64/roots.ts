/**
 * rsqrt and cbrt in f64.
 */
import type { Builder } from "../../builder";
import { exponentField, MAGIC, outside, polynomial, scale, signOf, split, TINY, withSign, type F64 } from "./arith";

/** 1 / sqrt(x); -0 gives -Infinity. */
export const rsqrt = (k: Builder, x: F64): F64 => k.div(k.f64(1), k.sqrt(x));

/** m^(-1/3) on [1, 2] to 14 bits: an own fit. */
const START = [1.6662787377309156, -1.1623973573078166, 0.6846527077322325, -0.21636185469244387, 0.02778280101858424];
/** 2^(-1/3) and 2^(-2/3). */
const STEPS = [0.7937005259840998, 0.6299605249474366] as const;

/**
 * The cube root of a normal number that is not negative. x = 8^q m with m from 1 to 8. A polynomial and one step of third
 * order give a = m^(-1/3) to 40 bits, then t is m a^2 cut to 17 bits, so that t^3 is exact, and with e = (m - t^3) a^3 the root
 * is t (1 - e)^(-1/3), of which four terms are enough. All cubes have their exact root.
 */
function cbrtNormal(k: Builder, x: F64): F64 {
  const word = k.bits(x);
  const field = exponentField(k, word, 0);
  const thirds = k.floor(k.mul(k.add(field, 0.5), 1 / 3));
  const excess = k.sub(field, k.mul(thirds, 3));
  const base = k.float(k.or(k.and(word, k.i64(0x000fffff, -1)), k.i64(0x3ff00000, 0)));
  const m = k.float(k.sub(word, k.shl(k.bits(k.add(k.mul(thirds, 3), MAGIC - 1023)), 52)));
  const step = k.select(k.eq(excess, 0), k.f64(1), k.select(k.eq(excess, 1), k.f64(STEPS[0]), k.f64(STEPS[1])));
  const start = k.mul(polynomial(k, base, START), step);
  const cube = (a: F64): F64 => k.mul(k.mul(a, a), a);
  const h = k.sub(k.f64(1), k.mul(m, cube(start)));
  const a = k.add(start, k.mul(k.mul(start, h), k.add(k.mul(h, 2 / 9), 1 / 3)));
  const t = split(k, k.mul(m, k.mul(a, a)), 36).high;
  const e = k.mul(k.sub(m, cube(t)), cube(a));
  const series = k.add(k.mul(k.add(k.mul(e, 14 / 81), 2 / 9), k.mul(e, e)), k.mul(e, 1 / 3));
  return scale(k, k.add(t, k.mul(t, series)), k.add(thirds, MAGIC - 341));
}

export function cbrt(k: Builder, x: F64): F64 {
  const size = k.abs(x);
  const root = k.coldPath(outside(k, size, TINY, Number.MAX_VALUE), cbrtNormal(k, size), () => {
    const scaled = k.mul(cbrtNormal(k, k.mul(size, 2 ** 54)), 2 ** -18);
    // Zero, infinity and NaN are their own roots.
    return k.select(k.and(k.gt(size, 0), k.lt(size, Infinity)), scaled, size);
  });
  return withSign(k, root, signOf(k, x));
}
