/**
 * The smooth activations in f64: shares of a number that are rounded with it once, and logarithms of sums of exponentials.
 * Arguments of exponentials are taken as sums of two, since what rounding takes from them is magnified.
 */
import type { Builder } from "../../builder";
import {
  fastTwoSum,
  MAGIC,
  outside,
  scale,
  scaleFar,
  signOf,
  twoSum,
  withSign,
  type Doubled,
  type F64,
  type M64,
} from "./arith";
import { expSumLessOne, product, sum, timesConstant, timesQuotient } from "./doubled";
import { expFar, expMinusOne, expTail, LN2_HIGH, LN2_LOW, LOG2_E, reduceByLog2 } from "./exponential";
import { log1p, logDoubledOf } from "./logarithm";

/** Below this 1 + exp(x) is 1. */
const SHARE_IS_POWER = -38;

const whole = (k: Builder, high: F64): Doubled => ({ high, low: k.f64(0) });
const cut = (k: Builder, x: F64, low: number, high: number): F64 => k.pmin(k.pmax(x, low), high);

/** v = n log 2 + r, of sums of two. */
function reduce(k: Builder, v: Doubled): { readonly shifted: F64; readonly n: F64; readonly r: F64 } {
  const shifted = k.add(k.mul(v.high, LOG2_E), MAGIC);
  const n = k.sub(shifted, MAGIC);
  return { shifted, n, r: k.add(k.sub(v.high, k.mul(n, LN2_HIGH)), k.sub(v.low, k.mul(n, LN2_LOW))) };
}

const negated = (k: Builder, { high, low }: Doubled): Doubled => ({ high: k.neg(high), low: k.neg(low) });

/** x / (1 + exp(-v)), for v from -800 to 60; far down it is x exp(v), which may be a subnormal number. */
function gated(k: Builder, x: F64, v: Doubled): F64 {
  const { shifted, r } = reduce(k, negated(k, v));
  const power = scale(k, k.f64(1), shifted);
  const usual = k.div(x, k.add(k.add(power, 1), k.mul(power, expMinusOne(k, r))));
  return k.coldPath(k.lt(v.high, SHARE_IS_POWER), usual, () => timesPower(k, x, v));
}

/** x exp(v), for v from -800 on. */
function timesPower(k: Builder, x: F64, v: Doubled): F64 {
  const { n, r } = reduce(k, v);
  return scaleFar(k, k.add(x, k.mul(x, expMinusOne(k, r))), n);
}

export function silu(k: Builder, x: F64): F64 {
  const raised = k.pmax(x, -800);
  return gated(k, raised, whole(k, k.pmin(raised, 60)));
}

export function quickGelu(k: Builder, x: F64): F64 {
  const raised = k.pmax(x, -470);
  return gated(k, raised, timesConstant(k, k.pmin(raised, 35), 1.702, 4.263256414560601e-17));
}

/** v = 2 sqrt(2 / pi) (x + 0.044715 x^3) */
export function geluTanh(k: Builder, x: F64): F64 {
  const raised = k.pmax(x, -22);
  const c = k.pmin(raised, 10);
  const square = product(k, whole(k, c), whole(k, c));
  const cube = product(k, square, { high: k.f64(0.07135481627260025), low: k.f64(-6.175149918155315e-19) });
  const slope = sum(k, { high: k.f64(1.5957691216057308), low: k.f64(-9.96930880911092e-17) }, cube);
  return gated(k, raised, product(k, slope, whole(k, c)));
}

/** exp(-size) for size from 0 to 708, to 2^-57 of itself. */
function powerBelow(k: Builder, size: F64): Doubled {
  const reduced = reduceByLog2(k, k.neg(size));
  const start = fastTwoSum(k, k.f64(1), reduced.r);
  const { high, low } = fastTwoSum(k, start.high, k.add(start.low, expTail(k, reduced)));
  const power = scale(k, k.f64(1), reduced.shifted);
  return { high: k.mul(high, power), low: k.mul(low, power) };
}

/** tanh(log(1 + exp(x))) as a quotient of polynomials in q = exp(-|x|): (q^2 + 2q) / (q^2 + 2q + 2), or (1 + 2q) / (1 + 2q + 2q^2). */
export function mish(k: Builder, x: F64): F64 {
  const c = cut(k, x, -100, 60);
  const q = powerBelow(k, k.abs(c));
  const isAbove = k.ge(x, 0);
  const square = k.mul(q.high, q.high);
  const squareRest = k.mul(k.mul(q.high, q.low), 2);
  const twice = { high: k.mul(q.high, 2), low: k.mul(q.low, 2) };
  const first = k.select(isAbove, k.f64(1), twice.high);
  const second = fastTwoSum(k, first, k.select(isAbove, twice.high, square));
  const upper = {
    high: second.high,
    low: k.add(second.low, k.add(twice.low, k.select(isAbove, k.f64(0), squareRest))),
  };
  const added = k.select(isAbove, k.mul(square, 2), k.f64(2));
  const third = twoSum(k, upper.high, added);
  const addedRest = k.select(isAbove, k.mul(squareRest, 2), k.f64(0));
  const lower = { high: third.high, low: k.add(third.low, k.add(upper.low, addedRest)) };
  const usual = withSign(k, timesQuotient(k, c, upper, lower), signOf(k, x));
  return k.coldPath(outside(k, x, SHARE_IS_POWER, 60), usual, () => {
    const raised = k.pmax(x, -800);
    return k.select(k.gt(x, 0), x, timesPower(k, raised, whole(k, raised)));
  });
}

/** log(1 + exp(-size)) to 2^-56 of itself, for size from 0 to 708; `rest` is added to size. */
function above(k: Builder, size: F64, rest?: F64): Doubled {
  const { high, low } = powerBelow(k, size);
  const sumOfBoth = twoSum(k, k.f64(1), high);
  const changed = rest ? k.sub(low, k.mul(high, rest)) : low;
  return logDoubledOf(k, sumOfBoth.high, k.div(k.add(sumOfBoth.low, changed), sumOfBoth.high));
}

export function softplus(k: Builder, x: F64): F64 {
  const over = above(k, k.pmin(k.abs(x), 708));
  const usual = k.add(k.pmax(x, 0), k.add(over.high, over.low));
  return k.coldPath(k.lt(x, -700), usual, () => expFar(k, x));
}

/**
 * The larger of both and what is above it, of which the difference needs both parts. Where the sum is less than `close` times the
 * latter it has lost too many digits.
 */
export function logAddExp(k: Builder, x: F64, y: F64, close = 0.25): F64 {
  const [a, b] = [k.pmax(x, y), k.pmin(y, x)];
  const apart = twoSum(k, a, k.neg(b));
  const over = above(k, cut(k, apart.high, 0, 700), apart.low);
  const sumOfBoth = twoSum(k, a, over.high);
  const usual = k.add(sumOfBoth.high, k.add(sumOfBoth.low, over.low));
  const isFar: M64 = outside(k, apart.high, 0, 700);
  const isClose = k.lt(k.abs(usual), k.mul(over.high, close));
  return k.coldPath(k.or(isFar, isClose), usual, () => {
    const far = k.select(k.lt(apart.high, Infinity), k.add(a, expFar(k, k.neg(apart.high))), k.add(k.max(x, y), 0));
    return k.select(isFar, far, logOfSum(k, a, b));
  });
}

/** log(exp(a) + exp(b)) where that is close to 0: a is from -1 to 0. */
const logOfSum = (k: Builder, a: F64, b: F64): F64 => log1p(k, expSumLessOne(k, cut(k, a, -1, 0), k.pmax(b, -700)));

/** A multiple of x, or of exp(x) - 1 as the sum of two. */
export function selu(k: Builder, x: F64): F64 {
  const reduced = reduceByLog2(k, cut(k, x, -60, 0));
  const power = scale(k, k.f64(1), reduced.shifted);
  const head = twoSum(k, k.sub(power, 1), k.mul(power, reduced.r));
  const rest = k.add(head.low, k.mul(power, expTail(k, reduced)));
  const below = product(k, fastTwoSum(k, head.high, rest), {
    high: k.f64(1.7580993408473768),
    low: k.f64(1.41535193800845e-17),
  });
  const isAbove = k.gt(x, 0);
  const signed = withSign(k, k.add(below.high, below.low), signOf(k, x));
  return k.select(isAbove, k.mul(x, 1.0507009873554805), signed);
}

/** x / (1 + |x|), of finite numbers. */
export function softsign(k: Builder, x: F64): F64 {
  const c = cut(k, x, -Number.MAX_VALUE, Number.MAX_VALUE);
  return k.div(c, k.add(k.abs(c), 1));
}

/** (x + 3) / 6 from -3 to 3. */
export const hardSigmoid = (k: Builder, x: F64): F64 => k.div(k.add(cut(k, x, -3, 3), 3), 6);

/** x (x + 3) / 6 from -3 to 3. */
export function hardSwish(k: Builder, x: F64): F64 {
  const c = cut(k, x, -3, 3);
  const inner = timesQuotient(k, c, twoSum(k, c, k.f64(3)), whole(k, k.f64(6)));
  return k.select(k.ge(x, 3), x, withSign(k, inner, signOf(k, x)));
}
