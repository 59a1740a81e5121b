/**
 * Bessel functions of orders 0 and 1, of both kinds and modified. Up to 8 they are polynomials, beyond the formula of Hankel (DLMF 10.17.3)
 * with polynomials for its series; those of the first kind are divided by their first two zeros, near which they keep all digits.
 */
import type { Tensor } from "../tensor";
import {
  abs,
  add,
  cos,
  divide,
  equal,
  exp,
  less,
  log,
  max,
  min,
  multiply,
  negate,
  sign,
  sin,
  sqrt,
  subtract,
  where,
} from "../nx/elementwise";
import type { UnaryFunction } from "../nx/elementwise/core";
import { I0_FAR, I0_NEAR, I1_FAR, I1_NEAR, J0, J1, P0, P1, Q0, Q1, Y0, Y1 } from "./bessel-table";
import { differentiable, ofOne, polynomial, type OfDoubles } from "./core";

/** Where the polynomials end and the formula begins. */
const FAR = 8;
/** The first zeros, and what the double leaves of them. */
const J0_ZEROS = [
  [2.404825557695773, -1.176691651530894e-16],
  [5.520078110286311, 8.088597146146722e-17],
] as const;
const J1_ZEROS = [
  [3.8317059702075125, -1.5269184090088067e-16],
  [7.015586669815619, -9.414165653410389e-17],
] as const;

/** The product of x^2 less the square of each zero, which is as good as the distance from the zero. */
function fromZeros(x: Tensor, zeros: typeof J0_ZEROS | typeof J1_ZEROS): Tensor {
  const [first, second] = zeros.map(([zero, rest]) => {
    return multiply(subtract(subtract(x, zero), rest), add(x, zero));
  }) as [Tensor, Tensor];
  return multiply(first, second);
}

interface Near {
  readonly x: Tensor;
  /** The square in the variable of the polynomials. */
  readonly u: Tensor;
}

function nearOf(operand: Tensor): Near {
  const x = min(operand, FAR);
  return { x, u: subtract(multiply(multiply(x, x), 2 / FAR ** 2), 1) };
}

const j0Near = ({ x, u }: Near): Tensor => multiply(fromZeros(x, J0_ZEROS), polynomial(u, J0));
/** J1(x) / x. */
const j1Near = ({ x, u }: Near): Tensor => multiply(fromZeros(x, J1_ZEROS), polynomial(u, J1));

interface Far {
  readonly size: Tensor;
  /** P and Q of order 0 and of order 1. */
  readonly p: Tensor;
  readonly q: Tensor;
  readonly sum: Tensor;
  readonly difference: Tensor;
}

/** What the formula of Hankel is made of; the cosine and sine of x - pi/4 are a sum and a difference, over the square root of 2. */
function farOf(x: Tensor, p: readonly number[], q: readonly number[]): Far {
  const far = max(x, FAR);
  const inverse = divide(FAR, far);
  const u = subtract(multiply(multiply(inverse, inverse), 2), 1);
  const [c, s] = [cos(far), sin(far)];
  return {
    size: sqrt(divide(1 / Math.PI, far)),
    p: polynomial(u, p),
    q: multiply(polynomial(u, q), multiply(inverse, 1 / FAR)),
    sum: add(c, s),
    difference: subtract(s, c),
  };
}

const combined = ({ size, p, q }: Far, a: Tensor, b: Tensor): Tensor =>
  multiply(size, add(multiply(p, a), multiply(q, b)));

/** The functions of x that is not negative; infinities are 0 in the limit. */
const ends = (x: Tensor, value: Tensor): Tensor => where(equal(x, Infinity), 0, value);

function j0Of(x: Tensor): Tensor {
  const far = farOf(x, P0, Q0);
  return ends(x, where(less(x, FAR), j0Near(nearOf(x)), combined(far, far.sum, negate(far.difference))));
}

function j1Of(x: Tensor): Tensor {
  const far = farOf(x, P1, Q1);
  return ends(x, where(less(x, FAR), multiply(x, j1Near(nearOf(x))), combined(far, far.difference, far.sum)));
}

const TWO_BY_PI = 2 / Math.PI;

function y0Of(x: Tensor): Tensor {
  const near = nearOf(x);
  const regular = polynomial(near.u, Y0);
  const value = add(multiply(multiply(log(x), j0Near(near)), TWO_BY_PI), regular);
  const far = farOf(x, P0, Q0);
  return ends(x, where(less(x, FAR), value, combined(far, far.difference, far.sum)));
}

function y1Of(x: Tensor): Tensor {
  const near = nearOf(x);
  const regular = multiply(x, polynomial(near.u, Y1));
  const logarithmic = multiply(multiply(log(x), x), j1Near(near));
  const value = add(multiply(subtract(logarithmic, divide(1, x)), TWO_BY_PI), regular);
  const far = farOf(x, P1, Q1);
  const beyond = combined(far, negate(far.sum), far.difference);
  return where(equal(x, 0), -Infinity, ends(x, where(less(x, FAR), value, beyond)));
}

/** exp(-x) I0(x) or exp(-x) I1(x) / x, of x that is not negative. */
function scaledOf(x: Tensor, near: readonly number[], far: readonly number[]): readonly [Tensor, Tensor] {
  const low = polynomial(subtract(multiply(min(x, FAR), 2 / FAR), 1), near);
  const high = polynomial(subtract(divide(2 * FAR, max(x, FAR)), 1), far);
  return [low, divide(high, sqrt(max(x, FAR)))];
}

function i0eOf(x: Tensor): Tensor {
  const size = abs(x);
  const [near, far] = scaledOf(size, I0_NEAR, I0_FAR);
  return where(less(size, FAR), near, far);
}

function i1eOf(x: Tensor): Tensor {
  const size = abs(x);
  const [near, far] = scaledOf(size, I1_NEAR, I1_FAR);
  return where(less(size, FAR), multiply(x, near), multiply(sign(x), far));
}

/** Times exp(|x|), in two steps, since that alone overflows before the product does. */
function unscaled(x: Tensor, value: Tensor): Tensor {
  const half = exp(multiply(abs(x), 0.5));
  return where(equal(abs(x), Infinity), multiply(sign(x), Infinity), multiply(multiply(value, half), half));
}

/** A quotient by x, which is 1/2 at 0. */
const byOperand = (value: Tensor, x: Tensor): Tensor =>
  where(equal(x, 0), 0.5, divide(value, where(equal(x, 0), 1, x)));

const j0: OfDoubles = differentiable("besselJ0", (x) => j0Of(abs(x!)), [(x) => negate(j1(x!))]);
const j1: OfDoubles = differentiable("besselJ1", (x) => multiply(sign(x!), j1Of(abs(x!))), [
  (x) => subtract(j0(x!), byOperand(j1(x!), x!)),
]);
const y0: OfDoubles = differentiable("besselY0", (x) => y0Of(x!), [(x) => negate(y1(x!))]);
const y1: OfDoubles = differentiable("besselY1", (x) => y1Of(x!), [(x) => subtract(y0(x!), divide(y1(x!), x!))]);
const i0e: OfDoubles = differentiable("besselI0e", (x) => i0eOf(x!), [
  (x) => subtract(i1e(x!), multiply(sign(x!), i0e(x!))),
]);
const i1e: OfDoubles = differentiable("besselI1e", (x) => i1eOf(x!), [
  (x) => subtract(subtract(i0e(x!), byOperand(i1e(x!), x!)), multiply(sign(x!), i1e(x!))),
]);
const i0: OfDoubles = differentiable("besselI0", (x) => abs(unscaled(x!, i0eOf(x!))), [(x) => i1(x!)]);
const i1: OfDoubles = differentiable("besselI1", (x) => unscaled(x!, i1eOf(x!)), [
  (x) => subtract(i0(x!), byOperand(i1(x!), x!)),
]);

/**
 * The Bessel function of the first kind of order 0: a wave that decays, as on a drum.
 *
 * Near its first two zeros it keeps all digits; near others the error is small beside the wave, `sqrt(2 / (pi x))`.
 *
 * @param tensor - a real tensor or number
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for complex operands
 * @example
 * ```ts
 * Nx.besselJ0(Nx.f32([0, 1, 2.4048255, -10], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 4]
 * //   [1.0, 0.7651977, 5.64344e-8, -0.24593577]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.besselJ0(new Nx.Complex(1, 2));
 * // throws ArgumentError: Nx.besselJ0 is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export const besselJ0: UnaryFunction = ofOne("besselJ0", j0);

/**
 * The Bessel function of the first kind of order 1, the derivative of `-besselJ0`.
 *
 * Near 0 and its first two positive zeros it keeps all digits; near others the error is small beside the wave, `sqrt(2 / (pi x))`.
 *
 * @param tensor - a real tensor or number
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for complex operands
 * @example
 * ```ts
 * Nx.besselJ1(Nx.f32([0, 1, 10, -10], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 4]
 * //   [0.0, 0.44005057, 0.043472745, -0.043472745]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.besselJ1(new Nx.Complex(1, 2));
 * // throws ArgumentError: Nx.besselJ1 is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export const besselJ1: UnaryFunction = ofOne("besselJ1", j1);

/**
 * The Bessel function of the second kind of order 0.
 *
 * It is `-Infinity` at 0 and NaN for negative elements. Near its zeros the error is small beside the wave, `sqrt(2 / (pi x))`.
 *
 * @param tensor - a real tensor or number
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for complex operands
 * @example
 * ```ts
 * Nx.besselY0(Nx.f32([0, 1, 10, -1], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 4]
 * //   [-Inf, 0.08825696, 0.055671167, NaN]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.besselY0(new Nx.Complex(1, 2));
 * // throws ArgumentError: Nx.besselY0 is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export const besselY0: UnaryFunction = ofOne("besselY0", y0);

/**
 * The Bessel function of the second kind of order 1, the derivative of `-besselY0`.
 *
 * It is `-Infinity` at 0 and NaN for negative elements. Near its zeros the error is small beside the wave, `sqrt(2 / (pi x))`.
 *
 * @param tensor - a real tensor or number
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for complex operands
 * @example
 * ```ts
 * Nx.besselY1(Nx.f32([0, 1, 10, -1], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 4]
 * //   [-Inf, -0.7812128, 0.24901542, NaN]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.besselY1(new Nx.Complex(1, 2));
 * // throws ArgumentError: Nx.besselY1 is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export const besselY1: UnaryFunction = ofOne("besselY1", y1);

/**
 * The modified Bessel function of the first kind of order 0, which grows as an exponential; windows of Kaiser are made of it.
 *
 * Beyond 700 it overflows; see `Nx.besselI0e`.
 *
 * @param tensor - a real tensor or number
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for complex operands
 * @example
 * ```ts
 * Nx.besselI0(Nx.f32([0, 1, -10], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [1.0, 1.2660658, 2815.7166]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.besselI0(new Nx.Complex(1, 2));
 * // throws ArgumentError: Nx.besselI0 is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export const besselI0: UnaryFunction = ofOne("besselI0", i0);

/**
 * The modified Bessel function of the first kind of order 1, the derivative of `besselI0`.
 *
 * Beyond 700 it overflows; see `Nx.besselI1e`.
 *
 * @param tensor - a real tensor or number
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for complex operands
 * @example
 * ```ts
 * Nx.besselI1(Nx.f32([0, 1, -10], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.0, 0.5651591, -2670.9883]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.besselI1(new Nx.Complex(1, 2));
 * // throws ArgumentError: Nx.besselI1 is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export const besselI1: UnaryFunction = ofOne("besselI1", i1);

/**
 * The modified Bessel function of order 0 times `exp(-abs(x))`, which does not overflow.
 *
 * @param tensor - a real tensor or number
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for complex operands
 * @example
 * ```ts
 * Nx.besselI0e(Nx.f32([0, 1, -1000], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [1.0, 0.4657596, 0.012617241]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.besselI0e(new Nx.Complex(1, 2));
 * // throws ArgumentError: Nx.besselI0e is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export const besselI0e: UnaryFunction = ofOne("besselI0e", i0e);

/**
 * The modified Bessel function of order 1 times `exp(-abs(x))`, which does not overflow.
 *
 * @param tensor - a real tensor or number
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for complex operands
 * @example
 * ```ts
 * Nx.besselI1e(Nx.f32([0, 1, -1000], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.0, 0.20791042, -0.01261093]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.besselI1e(new Nx.Complex(1, 2));
 * // throws ArgumentError: Nx.besselI1e is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export const besselI1e: UnaryFunction = ofOne("besselI1e", i1e);
