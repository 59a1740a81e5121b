/**
 * The square root of complex numbers.
 */
import type { Builder } from "../../builder";
import { outside } from "../f64/arith";
import { bySize, choose, copySign, hypot, isFinite, isInfinite, unusually, zeroOf, type Complex } from "./parts";

/**
 * The square root with a real part of at least 0, cut along the negative real axis (Kahan, "Branch Cuts for Complex Elementary
 * Functions", 1987). The formulas are those of `core/complex-math`.
 */
export const sqrt = (k: Builder, z: Complex): Complex => {
  const [re, im] = z;
  const larger = k.max(k.abs(re), k.abs(im));
  return unusually(k, outside(k, larger, 2 ** -450, 2 ** 500), plainRoot(k, z), () => {
    const by = bySize(k, larger, 2 ** -900);
    const [scale, unscale] = [by(2 ** -10, 2 ** 108), by(2 ** 5, 2 ** -54)];
    const root = plainRoot(k, [k.mul(re, scale), k.mul(im, scale)]);
    const finite: Complex = [k.mul(root[0], unscale), k.mul(root[1], unscale)];
    const ordinary = choose(k, k.eq(larger, 0), [k.f64(0), im], finite);
    return choose(k, k.and(isFinite(k, re), isFinite(k, im)), ordinary, endlessRoot(k, z));
  });
};

/** Of numbers whose sum with their size neither overflows nor loses digits. */
const plainRoot = (k: Builder, [re, im]: Complex): Complex => {
  const x = k.abs(re);
  const root = k.sqrt(k.mul(k.add(x, hypot(k, x, im)), 0.5));
  const other = k.div(im, k.mul(root, 2));
  return choose(k, k.ge(re, 0), [root, other], [k.abs(other), copySign(k, root, im)]);
};

const endlessRoot = (k: Builder, [re, im]: Complex): Complex => {
  const isPart = k.eq(im, im);
  const up: Complex = [re, k.select(isPart, zeroOf(k, im), NaN)];
  const left: Complex = [k.select(isPart, k.f64(0), NaN), k.select(isPart, copySign(k, k.f64(Infinity), im), Infinity)];
  const real = choose(k, k.eq(re, Infinity), up, choose(k, k.eq(re, -Infinity), left, [k.f64(NaN), k.f64(NaN)]));
  return choose(k, isInfinite(k, im), [k.f64(Infinity), im], real);
};
