/**
 * Exponentials, logarithms and the logistic curve.
 */
import { EXP, EXP2, EXPM1, LOG, LOG10, LOG1P, LOG2, LOG_ADD_EXP, SIGMOID } from "../../kernel/special/names";
import { binary, unary, type BinaryFunction, type UnaryFunction } from "./core";

/**
 * Raises e to the power of each element.
 *
 * Results too large for the type are infinite, those too small 0.
 *
 * @param tensor - a tensor or number of any type
 * @returns a float or complex tensor of the same shape and names; integers become `f32`
 * @example
 * ```ts
 * Nx.exp(1);
 * // => #Nx.Tensor<
 * //   f32
 * //   2.7182817
 * // >
 * Nx.exp(Nx.tensor([1, 2, 3], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [2.7182817, 7.389056, 20.085537]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.exp(Nx.tensor([89, -Infinity, NaN]));
 * // => #Nx.Tensor<
 * //   f32[3]
 * //   [Inf, 0.0, NaN]
 * // >
 * ```
 */
export const exp: UnaryFunction = unary(EXP);

/**
 * Raises e to the power of each element and takes 1 away, without losing digits where the element is near 0.
 *
 * @param tensor - a tensor or number of any type
 * @returns a float or complex tensor of the same shape and names; integers become `f32`
 * @example
 * ```ts
 * Nx.expm1(1);
 * // => #Nx.Tensor<
 * //   f32
 * //   1.7182819
 * // >
 * Nx.expm1(Nx.tensor([1, 2, 3], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [1.7182819, 6.389056, 19.085537]
 * // >
 * ```
 * @example
 * ```ts
 * const small = Nx.tensor([1e-8]);
 * Nx.expm1(small);
 * // => #Nx.Tensor<
 * //   f32[1]
 * //   [1.0e-8]
 * // >
 * Nx.subtract(Nx.exp(small), 1);
 * // => #Nx.Tensor<
 * //   f32[1]
 * //   [0.0]
 * // >
 * ```
 */
export const expm1: UnaryFunction = unary(EXPM1);

/**
 * Takes the natural logarithm of each element.
 *
 * Zero gives -Infinity, negative numbers NaN. The imaginary part of a complex result is the phase, from -pi to pi.
 *
 * @param tensor - a tensor or number of any type
 * @returns a float or complex tensor of the same shape and names; integers become `f32`
 * @example
 * ```ts
 * Nx.log(1);
 * // => #Nx.Tensor<
 * //   f32
 * //   0.0
 * // >
 * Nx.log(Nx.tensor([1, 2, 3], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.0, 0.6931472, 1.0986123]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.log(Nx.tensor([0, -1, Infinity]));
 * // => #Nx.Tensor<
 * //   f32[3]
 * //   [-Inf, NaN, Inf]
 * // >
 * ```
 */
export const log: UnaryFunction = unary(LOG);

/**
 * Takes the natural logarithm of 1 plus each element, without losing digits where the element is near 0.
 *
 * At -1 it is -Infinity, below that NaN.
 *
 * @param tensor - a tensor or number of any type
 * @returns a float or complex tensor of the same shape and names; integers become `f32`
 * @example
 * ```ts
 * Nx.log1p(1);
 * // => #Nx.Tensor<
 * //   f32
 * //   0.6931472
 * // >
 * Nx.log1p(Nx.tensor([1, 2, 3], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.6931472, 1.0986123, 1.3862944]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.log1p(Nx.tensor([1e-8, -1, -2]));
 * // => #Nx.Tensor<
 * //   f32[3]
 * //   [1.0e-8, -Inf, NaN]
 * // >
 * ```
 */
export const log1p: UnaryFunction = unary(LOG1P);

/**
 * Maps each element x to 1 / (1 + exp(-x)), the logistic curve from 0 to 1.
 *
 * Both tails keep the accuracy of the type: no overflow, no cancellation.
 *
 * @param tensor - a tensor or number of any type
 * @returns a float or complex tensor of the same shape and names; integers become `f32`
 * @example
 * ```ts
 * Nx.sigmoid(1);
 * // => #Nx.Tensor<
 * //   f32
 * //   0.7310586
 * // >
 * Nx.sigmoid(Nx.tensor([1, 2, 3], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.7310586, 0.8807971, 0.95257413]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.sigmoid(Nx.tensor([-1000, 0, 1000]));
 * // => #Nx.Tensor<
 * //   f32[3]
 * //   [0.0, 0.5, 1.0]
 * // >
 * ```
 */
export const sigmoid: UnaryFunction = unary(SIGMOID);

/**
 * Raises 2 to the power of each element. Whole powers are exact.
 *
 * @param tensor - a tensor or number of any type
 * @returns a float or complex tensor of the same shape and names; integers become `f32`
 * @example
 * ```ts
 * Nx.exp2(Nx.tensor([0, 1, 2, 3], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 4]
 * //   [1.0, 2.0, 4.0, 8.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.exp2(Nx.f32([-149, 0.5, 128, -Infinity]));
 * // => #Nx.Tensor<
 * //   f32[4]
 * //   [1.0e-45, 1.4142135, Inf, 0.0]
 * // >
 * ```
 */
export const exp2: UnaryFunction = unary(EXP2);

/**
 * Takes the logarithm to the base 2 of each element. Those of powers of 2 are exact.
 *
 * Zero gives -Infinity, negative numbers NaN.
 *
 * @param tensor - a tensor or number of any type
 * @returns a float or complex tensor of the same shape and names; integers become `f32`
 * @example
 * ```ts
 * Nx.log2(Nx.tensor([1, 2, 4, 8], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 4]
 * //   [0.0, 1.0, 2.0, 3.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.log2(Nx.f32([0, -1, 3, 1e-45]));
 * // => #Nx.Tensor<
 * //   f32[4]
 * //   [-Inf, NaN, 1.5849625, -149.0]
 * // >
 * ```
 */
export const log2: UnaryFunction = unary(LOG2);

/**
 * Takes the logarithm to the base 10 of each element. Those of powers of 10 are exact.
 *
 * Zero gives -Infinity, negative numbers NaN.
 *
 * @param tensor - a tensor or number of any type
 * @returns a float or complex tensor of the same shape and names; integers become `f32`
 * @example
 * ```ts
 * Nx.log10(Nx.tensor([1, 2, 4, 1000], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 4]
 * //   [0.0, 0.30103, 0.60206, 3.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.log10(Nx.f32([0, -1, Infinity]));
 * // => #Nx.Tensor<
 * //   f32[3]
 * //   [-Inf, NaN, Inf]
 * // >
 * ```
 */
export const log10: UnaryFunction = unary(LOG10);

/**
 * Adds numbers that are given by their natural logarithms: `log(exp(left) + exp(right))`, without overflow.
 *
 * @param left - a real tensor or number
 * @param right - a real tensor or number; shapes broadcast, plain numbers are weak
 * @returns a float tensor of the merged type, `f32` for integers, with the merged names
 * @throws ArgumentError for complex operands, and where shapes or names do not fit
 * @example
 * ```ts
 * Nx.logAddExp(Nx.f32([0, 1000, -1000], { names: ["x"] }), Nx.f32([0, 1000, 0]));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.6931472, 1000.6932, 0.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.logAddExp(Nx.f32([Infinity, -Infinity, NaN]), Nx.f32([Infinity, -Infinity, 0]));
 * // => #Nx.Tensor<
 * //   f32[3]
 * //   [Inf, -Inf, NaN]
 * // >
 * Nx.logAddExp(new Nx.Complex(1, 2), 0);
 * // throws ArgumentError: Nx.logAddExp is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export const logAddExp: BinaryFunction = binary(LOG_ADD_EXP);
