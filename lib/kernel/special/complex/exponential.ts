/**
 * exp, exp2, expm1 and sigmoid of complex numbers, from the real programs: a size times the cosine and the sine of an angle.
 */
import type { Builder } from "../../builder";
import { outside } from "../f64/arith";
import { timesConstant } from "../f64/doubled";
import {
  EXP_LIMIT,
  exp as realExp,
  expm1 as realExpm1,
  exp2Usual,
  expUsual,
  sigmoid as realSigmoid,
  timesExp2Far,
  timesExpFar,
} from "../f64/exponential";
import { sinCos, type SinCos } from "../f64/trigonometric";
import { choose, isFinite, isInfinite, unusually, zeroOf, type Complex, type F64 } from "./parts";

/** A power of size `power` at an angle; `far` is a factor times the power where that is no normal number. */
function turned(
  k: Builder,
  [re, im]: Complex,
  power: F64,
  { sin, cos }: SinCos,
  limits: readonly [number, number],
  far: (factor: F64) => F64,
): Complex {
  const unusual = k.or(outside(k, re, ...limits), k.not(isFinite(k, im)));
  return unusually(k, unusual, [k.mul(cos, power), k.mul(sin, power)], () => {
    const [isUp, isDown] = [k.eq(re, Infinity), k.eq(re, -Infinity)];
    const endless: Complex = [
      k.select(isDown, k.f64(0), k.select(isUp, re, NaN)),
      k.select(isDown, zeroOf(k, im), NaN),
    ];
    const finite: Complex = [far(cos), k.select(k.eq(im, 0), im, far(sin))];
    return choose(k, isFinite(k, im), finite, endless);
  });
}

/** exp(z). */
export const exp = (k: Builder, z: Complex): Complex => {
  const [re, im] = z;
  return turned(k, z, expUsual(k, re), sinCos(k, im), [-EXP_LIMIT, EXP_LIMIT], (factor) => timesExpFar(k, factor, re));
};

/** log 2 and what it lacks. */
const LN2 = 0.6931471805599453;
const LN2_REST = 2.3190468138462996e-17;

/** 2^z; the angle is a sum of two. */
export const exp2 = (k: Builder, z: Complex): Complex => {
  const [re, im] = z;
  const { high, low } = timesConstant(k, im, LN2, LN2_REST);
  const angle = sinCos(k, high, k.select(k.lt(k.abs(im), 2 ** 990), low, 0));
  return turned(k, z, exp2Usual(k, re), angle, [-1021, 1023], (factor) => timesExp2Far(k, factor, re));
};

/** exp(z) - 1: (exp(x) - 1) cos(y) + (cos(y) - 1) and exp(x) sin(y). */
export const expm1 = (k: Builder, z: Complex): Complex => {
  const [re, im] = z;
  const [farRe, power] = exp(k, z);
  const { cos, cosLessOne } = sinCos(k, im);
  const usual = k.add(k.mul(realExpm1(k, re), cos), cosLessOne);
  const isFar = k.or(k.not(k.le(re, EXP_LIMIT)), k.not(isFinite(k, im)));
  return [k.select(isFar, k.sub(farRe, 1), usual), power];
};

/**
 * 1 / (1 + exp(-z)) by e = exp(-|x|): |1 + e exp(iy)|^2 is (1 - e)^2 + 2e (1 + cos(y)), a sum of two terms of the same sign, and
 * 1 + cos(y) is sin(y)^2 / (1 - cos(y)) on the left, so that nothing cancels near the poles.
 */
export const sigmoid = (k: Builder, [re, im]: Complex): Complex => {
  const size = k.abs(re);
  const e = realExp(k, k.neg(size));
  const rest = k.neg(realExpm1(k, k.neg(size)));
  const { sin, cos } = sinCos(k, im);
  const isLeft = k.lt(cos, 0);
  const onePlusCos = k.div(k.select(isLeft, k.mul(sin, sin), k.add(cos, 1)), k.select(isLeft, k.sub(k.f64(1), cos), 1));
  const share = k.mul(e, onePlusCos);
  const below = k.add(k.mul(rest, rest), k.mul(share, 2));
  const near = k.select(k.ge(e, 0.5), k.sub(onePlusCos, rest), k.add(e, cos));
  const above = k.select(k.ge(re, 0), k.add(rest, share), k.mul(e, near));
  const usual: Complex = [k.div(above, below), k.div(k.mul(e, sin), below)];
  const isReal = k.eq(im, 0);
  return unusually(k, k.or(isReal, isInfinite(k, re)), usual, () => {
    const limit: Complex = [k.select(k.gt(re, 0), k.f64(1), 0), zeroOf(k, im)];
    return choose(k, isReal, [realSigmoid(k, re), im], limit);
  });
};
