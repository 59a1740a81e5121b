/**
 * Size and sign of elements.
 */
import { ABS, NEGATE, SIGN } from "../../backends/ops";
import { unary, type UnaryFunction } from "./core";

/**
 * Takes the absolute value of each element.
 *
 * Complex numbers give their distance from 0, as real numbers. The smallest number of a signed integer type has no
 * counterpart and stays: -128 in `s8`.
 *
 * @param tensor - a tensor or number of any type
 * @returns a tensor of the same type, shape and names; `f32` for `c64` and `f64` for `c128`
 * @example
 * ```ts
 * Nx.abs(Nx.tensor([-2, -1, 0, 1, 2], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   s64[x: 5]
 * //   [2, 1, 0, 1, 2]
 * // >
 * Nx.abs(Nx.tensor([-1.5, -0, -Infinity]));
 * // => #Nx.Tensor<
 * //   f32[3]
 * //   [1.5, 0.0, Inf]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.abs(new Nx.Complex(3, -4));
 * // => #Nx.Tensor<
 * //   f32
 * //   5.0
 * // >
 * Nx.abs(Nx.s8([-128, -127]));
 * // => #Nx.Tensor<
 * //   s8[2]
 * //   [-128, 127]
 * // >
 * ```
 */
export const abs: UnaryFunction = unary(ABS);

/**
 * Changes the sign of each element.
 *
 * Unsigned numbers wrap around: -1 is 255 in `u8`. The float 0 becomes -0.
 *
 * @param tensor - a tensor or number of any type
 * @returns a tensor of the same type, shape and names
 * @example
 * ```ts
 * Nx.negate(Nx.tensor([-1, 0, 1], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   s64[x: 3]
 * //   [1, 0, -1]
 * // >
 * Nx.negate(Nx.u8([0, 1, 2], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   u8[x: 3]
 * //   [0, 255, 254]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.negate(Nx.f32([0, -1.5]));
 * // => #Nx.Tensor<
 * //   f32[2]
 * //   [-0.0, 1.5]
 * // >
 * ```
 */
export const negate: UnaryFunction = unary(NEGATE);

/**
 * Gives -1, 0 or 1 for negative, zero and positive elements.
 *
 * NaN stays NaN and zero keeps its sign. A complex number is divided by its absolute value.
 *
 * @param tensor - a tensor or number of any type
 * @returns a tensor of the same type, shape and names
 * @example
 * ```ts
 * Nx.sign(Nx.tensor([-2, -1, 0, 1, 2], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   s64[x: 5]
 * //   [-1, -1, 0, 1, 1]
 * // >
 * Nx.sign(Nx.u8([0, 200]));
 * // => #Nx.Tensor<
 * //   u8[2]
 * //   [0, 1]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.sign(Nx.tensor([-Infinity, -0, 0.5, NaN]));
 * // => #Nx.Tensor<
 * //   f32[4]
 * //   [-1.0, -0.0, 1.0, NaN]
 * // >
 * ```
 */
export const sign: UnaryFunction = unary(SIGN);
