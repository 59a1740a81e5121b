/**
 * Numbers of about 100 bits as sums of two doubles, where a single rounding would be magnified: in arguments of exponentials
 * and in differences of nearly equal numbers.
 */
import type { Builder } from "../../builder";
import { horner } from "../polynomial";
import { fastTwoSum, powerOfTwo, twoProduct, twoSum, type Doubled, type F64 } from "./arith";
import { LOG2_E } from "./exponential";

/** x times a number that is given by its nearest double and the rest. */
export function timesConstant(k: Builder, x: F64, high: number, low: number): Doubled {
  const product = twoProduct(k, x, k.f64(high));
  return { high: product.high, low: k.add(product.low, k.mul(x, low)) };
}

export function product(k: Builder, a: Doubled, b: Doubled): Doubled {
  const { high, low } = twoProduct(k, a.high, b.high);
  return fastTwoSum(k, high, k.add(low, k.add(k.mul(a.high, b.low), k.mul(a.low, b.high))));
}

/** The sum of two, for any sizes. */
export function sum(k: Builder, a: Doubled, b: Doubled): Doubled {
  const { high, low } = twoSum(k, a.high, b.high);
  return fastTwoSum(k, high, k.add(low, k.add(a.low, b.low)));
}

/** x times a quotient a / b, rounded once: the quotient in double, and what it leaves. */
export function timesQuotient(k: Builder, x: F64, a: Doubled, b: Doubled): F64 {
  const above = twoProduct(k, x, a.high);
  const quotient = k.div(above.high, b.high);
  const back = twoProduct(k, quotient, b.high);
  const left = k.add(k.sub(k.sub(above.high, back.high), back.low), k.add(above.low, k.mul(x, a.low)));
  return k.add(quotient, k.div(k.sub(left, k.mul(quotient, b.low)), b.high));
}

/** log 2 in three parts; whole numbers times the first are exact. */
const LN2 = [0.6931471805582987, 1.6465949582897082e-12, -1.0077949135905144e-28] as const;
/** exp(r) is the 2^8th power of exp(r / 2^8). */
const SQUARINGS = 8;

/** The power 2^n next to exp(x), and exp(x) less that to about 2^-86 of itself; for |x| up to 700. */
function powerDoubled(k: Builder, x: F64): { readonly nearest: F64; readonly rest: Doubled } {
  const n = k.nearest(k.mul(x, LOG2_E));
  const part = twoProduct(k, n, k.f64(LN2[1]));
  const r = twoSum(k, k.sub(x, k.mul(n, LN2[0])), k.neg(part.high));
  const low = k.sub(r.low, k.add(part.low, k.mul(n, LN2[2])));
  let power = seriesDoubled(k, times(k, { high: r.high, low }, k.f64(2 ** -SQUARINGS)));
  for (let i = 0; i < SQUARINGS; i++) power = lessOneSquared(k, power);
  const nearest = powerOfTwo(k, n);
  return { nearest, rest: times(k, power, nearest) };
}

/** (1 + p)^2 - 1 = 2p + p^2, of which the first is the larger. */
function lessOneSquared(k: Builder, { high, low }: Doubled): Doubled {
  const twice = k.mul(high, 2);
  const square = twoProduct(k, high, high);
  const main = fastTwoSum(k, twice, square.high);
  const rest = k.add(k.add(main.low, square.low), k.mul(low, k.add(twice, 2)));
  return fastTwoSum(k, main.high, rest);
}

/** Times a power of two. */
const times = (k: Builder, { high, low }: Doubled, factor: F64): Doubled => ({
  high: k.mul(high, factor),
  low: k.mul(low, factor),
});

/** exp(a) - 1 + exp(b), which may nearly cancel. */
export function expSumLessOne(k: Builder, a: F64, b: F64): F64 {
  const [left, right] = [powerDoubled(k, a), powerDoubled(k, b)];
  const lessOne = sum(k, twoSum(k, left.nearest, k.f64(-1)), left.rest);
  const { high, low } = sum(k, lessOne, sum(k, { high: right.nearest, low: k.f64(0) }, right.rest));
  return k.add(high, low);
}

/** r + r^2 / 2 + r^3 / 6 in full, the rest of exp(r) - 1 in double, for |r| up to 2^-9. */
function seriesDoubled(k: Builder, r: Doubled): Doubled {
  const square = product(k, r, r);
  const sixth = product(k, r, { high: k.f64(1 / 6), low: k.f64(9.25185853854297e-18) });
  const tail = k.mul(square.high, horner(k, r.high, [1 / 24, 1 / 120, 1 / 720, 1 / 5040, 1 / 40320]));
  const factor = sum(k, { high: k.f64(0.5), low: tail }, sixth);
  return sum(k, r, product(k, square, factor));
}
