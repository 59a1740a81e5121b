/**
 * The gamma and beta functions by their logarithms, and the derivatives of these.
 */
import { ArgumentError, show } from "../core/errors";
import type { Names } from "../core/shape";
import { asTensor } from "../nx/dispatch";
import { inDoubles, type BinaryFunction, type UnaryFunction } from "../nx/elementwise/core";
import type { Operand, Tensor } from "../tensor";
import { ofOne, ofTwo } from "./core";
import { digammaOf, logBeta, logGamma, polygammaOf } from "./gamma-core";

/**
 * The logarithm of the magnitude of the gamma function, which continues the factorial: `exp(lgamma(n + 1))` is `n!`.
 *
 * It is infinite at 0 and at negative whole numbers. Near its zeros at 1 and 2 it keeps all digits; near those among negative numbers the
 * error is small beside 1. Its derivative is `Nx.digamma`.
 *
 * @param tensor - a real tensor or number
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for complex operands
 * @example
 * ```ts
 * Nx.lgamma(Nx.f32([0.5, 1, 2, 10, -1], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 5]
 * //   [0.5723649, 0.0, 0.0, 12.801827, Inf]
 * // >
 * Nx.lgamma(Nx.f64(101)); // log(100!)
 * // => #Nx.Tensor<
 * //   f64
 * //   363.7393755555635
 * // >
 * ```
 * @example
 * ```ts
 * Nx.lgamma(new Nx.Complex(1, 2));
 * // throws ArgumentError: Nx.lgamma is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export const lgamma: UnaryFunction = ofOne("lgamma", logGamma);

/**
 * The digamma function psi: the derivative of the logarithm of the gamma function.
 *
 * It is infinite at 0 and NaN at negative whole numbers. Near its positive zero, 1.4616, it keeps all digits; near negative ones the error is
 * small beside 1.
 *
 * @param tensor - a real tensor or number
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for complex operands
 * @example
 * ```ts
 * Nx.digamma(Nx.f32([0.5, 1, 2, 100, -1], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 5]
 * //   [-1.96351, -0.5772157, 0.42278433, 4.600162, NaN]
 * // >
 * Nx.grad((x: Nx.Tensor) => Nx.lgamma(x))(Nx.f32(2));
 * // => #Nx.Tensor<
 * //   f32
 * //   0.42278433
 * // >
 * ```
 * @example
 * ```ts
 * Nx.digamma(new Nx.Complex(1, 2));
 * // throws ArgumentError: Nx.digamma is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export const digamma: UnaryFunction = ofOne("digamma", digammaOf);

/** Beyond this the factorial of the order takes most of the range of doubles. */
const MOST_ORDER = 100;

/**
 * A derivative of the digamma function: `polygamma(1, x)` is trigamma, `polygamma(0, x)` is `Nx.digamma` itself.
 *
 * At 0 and negative whole numbers it is infinite for odd orders, where both sides agree, and NaN for even ones.
 *
 * @param order - how many times digamma is derived, a whole number from 0 to 100
 * @param tensor - a real tensor or number
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for another order, and for complex operands
 * @example
 * ```ts
 * Nx.polygamma(1, Nx.f32([0.5, 1, 10], { names: ["x"] })); // at 1 it is pi^2 / 6
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [4.934802, 1.644934, 0.10516634]
 * // >
 * Nx.polygamma(2, 1);
 * // => #Nx.Tensor<
 * //   f32
 * //   -2.4041138
 * // >
 * ```
 * @example
 * ```ts
 * Nx.polygamma(-1, 2);
 * // throws ArgumentError: Nx.polygamma expects its order as a whole number from 0 to 100, got: -1
 * ```
 */
export function polygamma<N extends Names = readonly []>(order: number, tensor: Operand<N>): Tensor<N>;
export function polygamma(order: number, tensor: Operand): Tensor {
  const fn = "Nx.polygamma";
  if (!Number.isInteger(order) || order < 0 || order > MOST_ORDER) {
    throw new ArgumentError(`${fn} expects its order as a whole number from 0 to ${MOST_ORDER}, got: ${show(order)}`);
  }
  return inDoubles("polygamma", asTensor(tensor, fn), order === 0 ? digammaOf : polygammaOf(order));
}

/**
 * The logarithm of the beta function, `lgamma(a) + lgamma(b) - lgamma(a + b)`, without the digits that this loses for large numbers.
 *
 * @param left - `a`, a real tensor or number
 * @param right - `b`, a real tensor or number; shapes broadcast, plain numbers are weak
 * @returns a float tensor of the merged type, `f32` for integers, with the merged names; of negative operands the logarithm of the magnitude
 * @throws ArgumentError for complex operands, and where shapes or names do not fit
 * @example
 * ```ts
 * Nx.lbeta(Nx.f32([0.5, 2, 1e8], { names: ["a"] }), 3);
 * // => #Nx.Tensor<
 * //   f32[a: 3]
 * //   [0.06453852, -2.4849067, -54.568893]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.lbeta(Nx.f32([1, 2]), Nx.f32([1, 2, 3]));
 * // throws ArgumentError: Nx.lbeta cannot broadcast tensors of shapes [2] and [3]
 * ```
 */
export const lbeta: BinaryFunction = ofTwo("lbeta", logBeta);
