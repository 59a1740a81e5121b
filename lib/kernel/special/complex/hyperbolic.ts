/**
 * sinh, cosh and tanh of complex numbers, and sin, cos and tan, which are these of iz: with i conj(z) = y + ix the parts are exchanged
 * before and after.
 */
import type { Builder } from "../../builder";
import { outside } from "../f64/arith";
import { EXP_LIMIT, exp as realExp, timesExpFar } from "../f64/exponential";
import { sinhCosh } from "../f64/hyperbolic";
import { sinCos } from "../f64/trigonometric";
import {
  choose,
  copySign,
  exchanged,
  isFinite,
  isInfinite,
  isNaN,
  signBit,
  unusually,
  zeroOf,
  type Complex,
  type F64,
  type M64,
} from "./parts";

/** Where sinh and cosh of the real part are no normal numbers, or the imaginary part is not finite. */
const isUnusual = (k: Builder, [re, im]: Complex): M64 =>
  k.or(outside(k, re, -EXP_LIMIT, EXP_LIMIT), k.not(isFinite(k, im)));

/** `factor` exp(|x|) / 2, and that with the sign of x, for large |x|. */
const far = (k: Builder, factor: F64, x: F64): F64 => timesExpFar(k, k.mul(factor, 0.5), k.abs(x));

export const sinh = (k: Builder, z: Complex): Complex => {
  const [re, im] = z;
  const hyperbolic = sinhCosh(k, k.abs(re));
  const { sin, cos } = sinCos(k, im);
  const usual: Complex = [k.mul(copySign(k, hyperbolic.sinh, re), cos), k.mul(hyperbolic.cosh, sin)];
  return unusually(k, isUnusual(k, z), usual, () => {
    const endless: Complex = [k.select(k.or(k.eq(re, 0), isInfinite(k, re)), re, NaN), k.f64(NaN)];
    const size = far(k, cos, re);
    const finite: Complex = [k.select(k.lt(re, 0), k.neg(size), size), k.select(k.eq(im, 0), im, far(k, sin, re))];
    return choose(k, isFinite(k, im), finite, endless);
  });
};

export const cosh = (k: Builder, z: Complex): Complex => {
  const [re, im] = z;
  const hyperbolic = sinhCosh(k, k.abs(re));
  const { sin, cos } = sinCos(k, im);
  const usual: Complex = [k.mul(hyperbolic.cosh, cos), k.mul(copySign(k, hyperbolic.sinh, re), sin)];
  return unusually(k, isUnusual(k, z), usual, () => {
    const zero = k.float(k.xor(signBit(k, re), signBit(k, im)));
    const endless: Complex = [k.select(isInfinite(k, re), k.f64(Infinity), NaN), k.select(k.eq(re, 0), zero, NaN)];
    const size = far(k, sin, re);
    const sine = k.select(k.lt(re, 0), k.neg(size), size);
    const ofReal = k.select(isNaN(k, re), im, zero);
    return choose(k, isFinite(k, im), [far(k, cos, re), k.select(k.eq(im, 0), ofReal, sine)], endless);
  });
};

/** From here on the real part of tanh is 1 to the last bit. */
const ONE = 22;
/** Up to here sinh^2 is a number. */
const TANH_LIMIT = 350;

/** (sinh(x) cosh(x) + i sin(y) cos(y)) / (sinh(x)^2 + cos(y)^2): neither sum cancels. */
export const tanh = (k: Builder, z: Complex): Complex => {
  const [re, im] = z;
  const size = k.abs(re);
  const hyperbolic = sinhCosh(k, size);
  const { sin, cos } = sinCos(k, im);
  const turn = k.mul(sin, cos);
  const below = k.add(k.mul(hyperbolic.sinh, hyperbolic.sinh), k.mul(cos, cos));
  const real = k.div(k.mul(hyperbolic.sinh, hyperbolic.cosh), below);
  const usual: Complex = [copySign(k, k.select(k.gt(size, ONE), k.f64(1), real), re), k.div(turn, below)];
  const unusual = k.or(k.not(k.le(size, TANH_LIMIT)), k.not(isFinite(k, im)));
  return unusually(k, unusual, usual, () => {
    const fade = realExp(k, k.neg(size));
    const one = copySign(k, k.f64(1), re);
    const faded: Complex = [one, k.mul(k.mul(k.mul(turn, 4), fade), fade)];
    const isTurned = isFinite(k, im);
    const limit: Complex = [one, zeroOf(k, k.select(isTurned, turn, im))];
    const lost: Complex = [k.select(k.eq(re, 0), re, NaN), k.select(k.eq(im, 0), im, NaN)];
    const isLost = k.or(k.not(isTurned), isNaN(k, re));
    return choose(k, isInfinite(k, re), limit, choose(k, isLost, lost, faded));
  });
};

export const sin = (k: Builder, z: Complex): Complex => exchanged(sinh(k, exchanged(z)));

/** cosh(iz) */
export const cos = (k: Builder, [re, im]: Complex): Complex => cosh(k, [k.neg(im), re]);

export const tan = (k: Builder, z: Complex): Complex => exchanged(tanh(k, exchanged(z)));
