/**
 * The error function and its kin.
 */
import { ERF, ERFC, ERF_INV } from "../../kernel/special/names";
import { unary, type UnaryFunction } from "./core";

/**
 * Takes the error function of each element: twice the integral of exp(-t^2) from 0 to it, over the square root of pi.
 *
 * It runs from -1 at -Infinity to 1 at Infinity; -0 stays -0.
 *
 * @param tensor - a real tensor or number
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for complex operands
 * @example
 * ```ts
 * Nx.erf(1);
 * // => #Nx.Tensor<
 * //   f32
 * //   0.8427008
 * // >
 * Nx.erf(Nx.tensor([1, 2, 3], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.8427008, 0.9953223, 0.9999779]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.erf(Nx.f64([0.5, -Infinity, NaN]));
 * // => #Nx.Tensor<
 * //   f64[3]
 * //   [0.5204998778130465, -1.0, NaN]
 * // >
 * Nx.erf(new Nx.Complex(1, 2));
 * // throws ArgumentError: Nx.erf is not defined for complex tensors, got type c64
 * ```
 */
export const erf: UnaryFunction = unary(ERF);

/**
 * Takes 1 minus the error function of each element, without losing digits where the result is near 0.
 *
 * It runs from 2 at -Infinity to 0 at Infinity.
 *
 * @param tensor - a real tensor or number
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for complex operands
 * @example
 * ```ts
 * Nx.erfc(1);
 * // => #Nx.Tensor<
 * //   f32
 * //   0.1572992
 * // >
 * Nx.erfc(Nx.tensor([1, 2, 3], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.1572992, 0.004677735, 2.2090497e-5]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.erfc(Nx.f64([10, -Infinity, Infinity]));
 * // => #Nx.Tensor<
 * //   f64[3]
 * //   [2.088487583762545e-45, 2.0, 0.0]
 * // >
 * Nx.erfc(new Nx.Complex(1, 2));
 * // throws ArgumentError: Nx.erfc is not defined for complex tensors, got type c64
 * ```
 */
export const erfc: UnaryFunction = unary(ERFC);

/**
 * Takes the inverse of the error function of each element.
 *
 * At -1 and 1 it is infinite, beyond them NaN; -0 stays -0. It is accurate to the type, in `f64` too.
 *
 * @param tensor - a real tensor or number
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for complex operands
 * @example
 * ```ts
 * Nx.erfInv(0.1);
 * // => #Nx.Tensor<
 * //   f32
 * //   0.08885599
 * // >
 * Nx.erfInv(Nx.tensor([0.1, 0.5, 0.9], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.08885599, 0.47693628, 1.163087]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.erfInv(Nx.f64([0.5, -1, 1, 2]));
 * // => #Nx.Tensor<
 * //   f64[4]
 * //   [0.4769362762044699, -Inf, Inf, NaN]
 * // >
 * Nx.erfInv(new Nx.Complex(1, 2));
 * // throws ArgumentError: Nx.erfInv is not defined for complex tensors, got type c64
 * ```
 */
export const erfInv: UnaryFunction = unary(ERF_INV);
