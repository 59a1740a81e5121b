/**
 * Rounding to whole numbers in one direction. Integers are whole already and come back as they are, without any work.
 */
import { CEIL, FLOOR, TRUNC } from "../../backends/ops";
import { unary, type UnaryFunction } from "./core";

/**
 * Rounds each element down, towards -Infinity.
 *
 * NaN, infinities and -0 stay what they are; an integer tensor is returned unchanged.
 *
 * @param tensor - a real tensor or number
 * @returns a tensor of the same type, shape and names: floats stay floats
 * @throws ArgumentError for complex operands
 * @example
 * ```ts
 * Nx.floor(Nx.tensor([-1, 0, 1], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   s64[x: 3]
 * //   [-1, 0, 1]
 * // >
 * Nx.floor(Nx.tensor([-1.5, -0.5, 0.5, 1.5], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 4]
 * //   [-2.0, -1.0, 0.0, 1.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.floor(new Nx.Complex(1.5, 2.5));
 * // throws ArgumentError: Nx.floor is not defined for complex tensors, got type c64
 * ```
 */
export const floor: UnaryFunction = unary(FLOOR);

/**
 * Rounds each element up, towards Infinity.
 *
 * What is rounded up to zero from below gives -0, as IEEE 754 has it; an integer tensor is returned unchanged.
 *
 * @param tensor - a real tensor or number
 * @returns a tensor of the same type, shape and names: floats stay floats
 * @throws ArgumentError for complex operands
 * @example
 * ```ts
 * Nx.ceil(Nx.tensor([-1, 0, 1], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   s64[x: 3]
 * //   [-1, 0, 1]
 * // >
 * Nx.ceil(Nx.tensor([-1.5, -0.5, 0.5, 1.5], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 4]
 * //   [-1.0, -0.0, 1.0, 2.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.ceil(new Nx.Complex(1.5, 2.5));
 * // throws ArgumentError: Nx.ceil is not defined for complex tensors, got type c64
 * ```
 */
export const ceil: UnaryFunction = unary(CEIL);

/**
 * Cuts the fraction off each element: rounds towards zero.
 *
 * What is rounded to zero keeps its sign, and an integer tensor is returned unchanged.
 *
 * @param tensor - a real tensor or number
 * @returns a tensor of the same type, shape and names: floats stay floats
 * @throws ArgumentError for complex operands
 * @example
 * ```ts
 * Nx.trunc(Nx.tensor([-3.5, -0.5, 0.5, 3.5], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 4]
 * //   [-3.0, -0.0, 0.0, 3.0]
 * // >
 * Nx.trunc(Nx.tensor([-1, 0, 1]));
 * // => #Nx.Tensor<
 * //   s64[3]
 * //   [-1, 0, 1]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.trunc(new Nx.Complex(1.5, 2.5));
 * // throws ArgumentError: Nx.trunc is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export const trunc: UnaryFunction = unary(TRUNC);
