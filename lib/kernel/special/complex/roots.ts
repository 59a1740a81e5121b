/**
 * Roots of complex numbers.
 */
import type { Builder } from "../../builder";
import { atan2 } from "../f64/inverse";
import { cbrt as realCbrt } from "../f64/roots";
import { sinCosOfPart } from "../f64/trigonometric";
import { bySize, choose, hypot, isInfinite, isLost, unusually, zeroOf, type Complex } from "./parts";
import { sqrt } from "./root";

/** 1 / w for w = sqrt z, by the ratio of the smaller part to the larger (Smith, "Algorithm 116: Complex division", 1962). */
export const rsqrt = (k: Builder, z: Complex): Complex => {
  const [re, im] = sqrt(k, z);
  const [a, b] = [k.abs(re), k.abs(im)];
  const isUpright = k.lt(a, b);
  const large = k.select(isUpright, im, re);
  const ratio = k.div(k.select(isUpright, re, im), large);
  const below = k.add(large, k.mul(k.select(isUpright, re, im), ratio));
  const [one, part] = [k.div(k.f64(1), below), k.div(ratio, below)];
  const usual = choose(k, isUpright, [part, k.neg(one)], [one, k.neg(part)]);
  const isEnd = k.or(k.or(k.eq(k.add(a, b), 0), isInfinite(k, re)), isInfinite(k, im));
  return unusually(k, isEnd, usual, () => {
    const none: Complex = [k.f64(NaN), k.f64(NaN)];
    const ofEndless = choose(k, isLost(k, [re, im]), none, [k.f64(0), zeroOf(k, k.neg(im))]);
    return choose(k, k.eq(k.add(a, b), 0), [k.f64(Infinity), k.f64(NaN)], ofEndless);
  });
};

/** The cube root of a third of the angle: cbrt(-8) is 1+1.732i, not the real root. */
export const cbrt = (k: Builder, [re, im]: Complex): Complex => {
  const by = bySize(k, k.max(k.abs(re), k.abs(im)), 2 ** -1000);
  const scale = by(2 ** -30, 2 ** 90);
  const size = k.mul(realCbrt(k, hypot(k, k.mul(re, scale), k.mul(im, scale))), by(2 ** 10, 2 ** -30));
  const angle = k.div(atan2(k, im, re), 3);
  const { sin, cos } = sinCosOfPart(k, angle);
  return [k.mul(size, cos), k.select(k.eq(angle, 0), angle, k.mul(size, sin))];
};
