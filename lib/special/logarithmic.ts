/**
 * Logarithms of odds and of shares, and the sine over its argument.
 */
import type { Tensor } from "../tensor";
import {
  abs,
  add,
  cos,
  divide,
  equal,
  floor,
  greater,
  isNan,
  less,
  log,
  log1p,
  logicalNot,
  logicalAnd,
  logicalOr,
  multiply,
  negate,
  roundEven,
  sin,
  subtract,
  where,
} from "../nx/elementwise";
import type { BinaryFunction, UnaryFunction } from "../nx/elementwise/core";
import { differentiable, ofOne, ofTwo, polynomial, type OfDoubles } from "./core";

/** Between these the logarithm of the odds is one of two numbers near 1. */
const EVEN = [0.3, 0.65] as const;

function logOdds(x: Tensor): Tensor {
  const twice = multiply(subtract(x, 0.5), 2);
  const near = subtract(log1p(twice), log1p(negate(twice)));
  const isFar = logicalOr(less(x, EVEN[0]), greater(x, EVEN[1]));
  return where(isFar, log(divide(x, subtract(1, x))), near);
}

/**
 * The logarithm of the odds, `log(x / (1 - x))`: the inverse of `Nx.sigmoid`.
 *
 * Computed in double precision, without losing digits near 1/2. It is infinite at 0 and 1, and NaN outside of them.
 *
 * @param tensor - shares, a real tensor or number
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for complex operands
 * @example
 * ```ts
 * Nx.logit(Nx.f32([0, 0.1, 0.5, 1], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 4]
 * //   [-Inf, -2.1972246, 0.0, Inf]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.logit(Nx.sigmoid(Nx.f32([-3, 2])));
 * // => #Nx.Tensor<
 * //   f32[2]
 * //   [-3.0, 2.0]
 * // >
 * Nx.logit(new Nx.Complex(1, 2));
 * // throws ArgumentError: Nx.logit is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export const logit: UnaryFunction = ofOne(
  "logit",
  differentiable("logit", (x) => logOdds(x!), [(x) => divide(1, multiply(x!, subtract(1, x!)))]),
);

const isZero = (x: Tensor, y: Tensor): Tensor => logicalAnd(equal(x, 0), logicalNot(isNan(y)));
const shared: OfDoubles = (x, y) => where(isZero(x!, y!), 0, multiply(x!, log(y!)));

/**
 * `x * log(y)`, and 0 where `x` is 0, whatever number `y` is: a summand of an entropy or of a likelihood.
 *
 * @param left - `x`, a real tensor or number
 * @param right - `y`, a real tensor or number; shapes broadcast, plain numbers are weak
 * @returns a float tensor of the merged type, `f32` for integers, with the merged names
 * @throws ArgumentError for complex operands, and where shapes or names do not fit
 * @example
 * ```ts
 * const shares = Nx.f32([0, 0.25, 0.75], { names: ["class"] });
 * Nx.xlogy(shares, shares);
 * // => #Nx.Tensor<
 * //   f32[class: 3]
 * //   [0.0, -0.3465736, -0.21576156]
 * // >
 * Nx.xlogy(shares, shares).sum().negate();
 * // => #Nx.Tensor<
 * //   f32
 * //   0.56233513
 * // >
 * ```
 * @example
 * ```ts
 * Nx.xlogy(0, Nx.f32([0, NaN]));
 * // => #Nx.Tensor<
 * //   f32[2]
 * //   [0.0, NaN]
 * // >
 * Nx.xlogy(Nx.f32([1, 2]), Nx.f32([1, 2, 3]));
 * // throws ArgumentError: Nx.xlogy cannot broadcast tensors of shapes [2] and [3]
 * ```
 */
export const xlogy: BinaryFunction = ofTwo(
  "xlogy",
  differentiable("xlogy", shared, [(_, y) => log(y!), (x, y) => where(isZero(x!, y!), 0, divide(x!, y!))]),
);

/** (sin(pi x) / (pi x) - 1) / x^2 in x^2 up to 1/4: its Taylor series, (-1)^k pi^(2k) / (2k + 1)!. */
const SERIES = Array.from({ length: 12 }, (_, i) => {
  let term = 1;
  for (let k = 1; k <= i + 1; k++) term *= -(Math.PI ** 2) / (2 * k * (2 * k + 1));
  return term;
});
/** Below this the derivative is that of the series, since the formula cancels. */
const SERIES_BELOW = 0.5;

function isEven(whole: Tensor): Tensor {
  const half = multiply(whole, 0.5);
  return equal(floor(half), half);
}

/** The sine of pi x, exact at whole numbers: of the rest, with the sign of the whole part. */
function sinPi(x: Tensor): Tensor {
  const whole = roundEven(x);
  const sine = sin(multiply(subtract(x, whole), Math.PI));
  return where(isEven(whole), sine, negate(sine));
}

function cosPi(x: Tensor): Tensor {
  const whole = roundEven(x);
  const cosine = cos(multiply(subtract(x, whole), Math.PI));
  return where(isEven(whole), cosine, negate(cosine));
}

const apartFromZero = (x: Tensor): Tensor => where(less(abs(x), SERIES_BELOW), 1, x);

function ratio(x: Tensor): Tensor {
  const away = apartFromZero(x);
  const square = multiply(x, x);
  const quotient = where(equal(roundEven(away), away), 0, divide(sinPi(away), multiply(away, Math.PI)));
  const near = add(multiply(square, polynomial(square, SERIES)), 1);
  return where(less(abs(x), SERIES_BELOW), near, quotient);
}

/** (cos(pi x) - sinc(x)) / x, or the derivative of the series. */
function slopeOfRatio(x: Tensor): Tensor {
  const away = apartFromZero(x);
  const quotient = divide(subtract(cosPi(away), sincOf(away)), away);
  const near = multiply(x, polynomial(multiply(x, x), SERIES.map((c, i) => 2 * (i + 1) * c))); // prettier-ignore
  return where(less(abs(x), SERIES_BELOW), near, where(equal(abs(away), Infinity), 0, quotient));
}

const sincOf: OfDoubles = differentiable("sinc", (x) => ratio(x!), [(x) => slopeOfRatio(x!)]);

/**
 * The sine of pi times each element over pi times it, and 1 at 0: the filter that lets low frequencies pass.
 *
 * It is exactly 0 at all other whole numbers.
 *
 * @param tensor - a real tensor or number
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for complex operands
 * @example
 * ```ts
 * Nx.sinc(Nx.f32([0, 0.5, 1, -1.5], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 4]
 * //   [1.0, 0.63661975, 0.0, -0.21220659]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.sinc(new Nx.Complex(1, 2));
 * // throws ArgumentError: Nx.sinc is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export const sinc: UnaryFunction = ofOne("sinc", sincOf);
