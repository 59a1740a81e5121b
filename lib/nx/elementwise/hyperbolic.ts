/**
 * Hyperbolic functions and their inverses.
 */
import { ACOSH, ASINH, ATANH, COSH, SINH, TANH } from "../../kernel/special/names";
import { unary, type UnaryFunction } from "./core";

/**
 * Takes the hyperbolic sine of each element.
 *
 * Infinities stay, and so does -0.
 *
 * @param tensor - a tensor or number of any type
 * @returns a float or complex tensor of the same shape and names; integers become `f32`
 * @example
 * ```ts
 * Nx.sinh(1);
 * // => #Nx.Tensor<
 * //   f32
 * //   1.1752012
 * // >
 * Nx.sinh(Nx.tensor([1, 2, 3], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [1.1752012, 3.6268604, 10.017875]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.sinh(Nx.tensor([-0, 100, -Infinity]));
 * // => #Nx.Tensor<
 * //   f32[3]
 * //   [-0.0, Inf, -Inf]
 * // >
 * ```
 */
export const sinh: UnaryFunction = unary(SINH);

/**
 * Takes the hyperbolic cosine of each element.
 *
 * Both infinities give Infinity.
 *
 * @param tensor - a tensor or number of any type
 * @returns a float or complex tensor of the same shape and names; integers become `f32`
 * @example
 * ```ts
 * Nx.cosh(1);
 * // => #Nx.Tensor<
 * //   f32
 * //   1.5430807
 * // >
 * Nx.cosh(Nx.tensor([1, 2, 3], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [1.5430807, 3.7621956, 10.067662]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.cosh(Nx.tensor([0, 100, -Infinity]));
 * // => #Nx.Tensor<
 * //   f32[3]
 * //   [1.0, Inf, Inf]
 * // >
 * ```
 */
export const cosh: UnaryFunction = unary(COSH);

/**
 * Takes the hyperbolic tangent of each element, between -1 and 1.
 *
 * It keeps its accuracy near 0 and reaches -1 and 1 at the infinities.
 *
 * @param tensor - a tensor or number of any type
 * @returns a float or complex tensor of the same shape and names; integers become `f32`
 * @example
 * ```ts
 * Nx.tanh(1);
 * // => #Nx.Tensor<
 * //   f32
 * //   0.7615942
 * // >
 * Nx.tanh(Nx.tensor([1, 2, 3], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.7615942, 0.9640276, 0.9950548]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.tanh(Nx.tensor([-Infinity, -0, 1e-8]));
 * // => #Nx.Tensor<
 * //   f32[3]
 * //   [-1.0, -0.0, 1.0e-8]
 * // >
 * ```
 */
export const tanh: UnaryFunction = unary(TANH);

/**
 * Takes the inverse hyperbolic sine of each element.
 *
 * It neither overflows for large numbers nor loses digits near 0.
 *
 * @param tensor - a tensor or number of any type
 * @returns a float or complex tensor of the same shape and names; integers become `f32`
 * @example
 * ```ts
 * Nx.asinh(1);
 * // => #Nx.Tensor<
 * //   f32
 * //   0.8813736
 * // >
 * Nx.asinh(Nx.tensor([1, 2, 3], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.8813736, 1.4436355, 1.8184465]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.asinh(Nx.tensor([-0, 1e-8, -Infinity]));
 * // => #Nx.Tensor<
 * //   f32[3]
 * //   [-0.0, 1.0e-8, -Inf]
 * // >
 * ```
 */
export const asinh: UnaryFunction = unary(ASINH);

/**
 * Takes the inverse hyperbolic cosine of each element.
 *
 * Numbers below 1 have none and give NaN; complex ones give the principal value.
 *
 * @param tensor - a tensor or number of any type
 * @returns a float or complex tensor of the same shape and names; integers become `f32`
 * @example
 * ```ts
 * Nx.acosh(1);
 * // => #Nx.Tensor<
 * //   f32
 * //   0.0
 * // >
 * Nx.acosh(Nx.tensor([1, 2, 3], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.0, 1.316958, 1.7627472]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.acosh(Nx.tensor([0.5, Infinity, NaN]));
 * // => #Nx.Tensor<
 * //   f32[3]
 * //   [NaN, Inf, NaN]
 * // >
 * ```
 */
export const acosh: UnaryFunction = unary(ACOSH);

/**
 * Takes the inverse hyperbolic tangent of each element.
 *
 * At -1 and 1 it is infinite, beyond them NaN; complex numbers give the principal value.
 *
 * @param tensor - a tensor or number of any type
 * @returns a float or complex tensor of the same shape and names; integers become `f32`
 * @example
 * ```ts
 * Nx.atanh(0.1);
 * // => #Nx.Tensor<
 * //   f32
 * //   0.10033535
 * // >
 * Nx.atanh(Nx.tensor([0.1, 0.5, 0.9], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.10033535, 0.54930615, 1.4722193]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.atanh(Nx.f32([-1, -0, 1, 2]));
 * // => #Nx.Tensor<
 * //   f32[4]
 * //   [-Inf, -0.0, Inf, NaN]
 * // >
 * ```
 */
export const atanh: UnaryFunction = unary(ATANH);
