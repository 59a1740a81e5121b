/**
 * log, log2, log10 and log1p of complex numbers. The real part is half the logarithm of |z|^2, a sum of two doubles, so that it keeps
 * its digits near |z| = 1; the imaginary part is the angle.
 */
import type { Builder } from "../../builder";
import { outside, twoSum, type Doubled } from "../f64/arith";
import { atan2 } from "../f64/inverse";
import { logNormal } from "../f64/logarithm";
import { isInfinite, isNaN, square, squareSum, type Complex, type F64 } from "./parts";

/** log(a) / 2 of a sum of two, times 2^shift. */
const halfLog = (k: Builder, { high, low }: Doubled, shift?: F64): F64 =>
  k.mul(logNormal(k, high, k.div(low, high), shift), 0.5);

/** log |z| */
export function logSize(k: Builder, re: F64, im: F64): F64 {
  const [a, b] = [k.abs(re), k.abs(im)];
  const larger = k.max(a, b);
  return k.coldPath(outside(k, larger, 2 ** -450, 2 ** 500), halfLog(k, squareSum(k, a, b)), () => {
    const isSmall = k.lt(larger, 1);
    const scale = k.select(isSmall, k.f64(2 ** 600), 2 ** -600);
    const sum = squareSum(k, k.mul(a, scale), k.mul(b, scale));
    const scaled = halfLog(k, sum, k.select(isSmall, k.f64(-1200), 1200));
    const finite = k.select(k.eq(larger, 0), k.f64(-Infinity), k.select(isNaN(k, larger), k.f64(NaN), scaled));
    return k.select(k.or(isInfinite(k, a), isInfinite(k, b)), k.f64(Infinity), finite);
  });
}

/** log z, cut along the negative real axis. */
export const log = (k: Builder, [re, im]: Complex): Complex => [logSize(k, re, im), atan2(k, im, re)];

/** The logarithm to the base whose natural logarithm is given. */
const toBase =
  (base: number) =>
  (k: Builder, z: Complex): Complex => {
    const [re, im] = log(k, z);
    return [k.div(re, base), k.div(im, base)];
  };

export const log2 = /* @__PURE__ */ toBase(Math.LN2);
export const log10 = /* @__PURE__ */ toBase(Math.LN10);

/** |1 + z|^2 = 1 + (2x + x^2 + y^2); where the sum in brackets would cancel, (1 + x)^2 + y^2. */
function squareFromOne(k: Builder, re: F64, im: F64): Doubled {
  const [a, b] = [square(k, re), square(k, im)];
  const first = twoSum(k, a.high, k.mul(re, 2));
  const second = twoSum(k, first.high, b.high);
  const rest = k.add(k.add(first.low, second.low), k.add(a.low, b.low));
  const near = twoSum(k, k.f64(1), second.high);
  const far = squareSum(k, k.add(re, 1), im);
  const isNear = k.gt(second.high, -0.5);
  return { high: k.select(isNear, near.high, far.high), low: k.select(isNear, k.add(near.low, rest), far.low) };
}

/** log(1 + z), accurate near 0. */
export const log1p = (k: Builder, [re, im]: Complex): Complex => {
  const above = k.add(re, 1);
  const sum = squareFromOne(k, re, im);
  const size = k.coldPath(outside(k, sum.high, 2 ** -900, 2 ** 210), halfLog(k, sum), () => logSize(k, above, im));
  return [k.select(k.and(k.eq(re, 0), k.eq(im, 0)), re, size), atan2(k, im, above)];
};
