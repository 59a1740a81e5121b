/**
 * Short names of arithmetic.
 */
import { multiply, subtract } from "./arithmetic";
import type { BinaryFunction, UnaryFunction } from "./core";
import { divide } from "./division";
import { negate } from "./sign";

/**
 * Another name of `Nx.subtract`.
 *
 * @param left - a tensor or number
 * @param right - a tensor or number; names must be equal or null
 * @returns the merged type; shapes broadcast, names merge
 * @throws ArgumentError for shapes that do not broadcast and names that do not merge
 * @example
 * ```ts
 * Nx.sub(Nx.tensor([3, 5], { names: ["x"] }), 1);
 * // => #Nx.Tensor<
 * //   s64[x: 2]
 * //   [2, 4]
 * // >
 * Nx.sub(Nx.iota([2]), Nx.iota([3]));
 * // throws ArgumentError: Nx.sub: Nx.subtract cannot broadcast tensors of shapes [2] and [3]
 * ```
 */
export const sub: BinaryFunction = subtract;

/**
 * Another name of `Nx.multiply`.
 *
 * @param left - a tensor or number
 * @param right - a tensor or number; names must be equal or null
 * @returns the merged type; shapes broadcast, names merge
 * @throws ArgumentError for shapes that do not broadcast and names that do not merge
 * @example
 * ```ts
 * Nx.mul(Nx.tensor([3, 5], { names: ["x"] }), 2);
 * // => #Nx.Tensor<
 * //   s64[x: 2]
 * //   [6, 10]
 * // >
 * Nx.mul(Nx.iota([2]), Nx.iota([3]));
 * // throws ArgumentError: Nx.mul: Nx.multiply cannot broadcast tensors of shapes [2] and [3]
 * ```
 */
export const mul: BinaryFunction = multiply;

/**
 * Another name of `Nx.divide`, with its option `roundingMode`.
 *
 * @param left - a tensor or number
 * @param right - a tensor or number; names must be equal or null
 * @returns a float or complex type; shapes broadcast, names merge
 * @throws ArgumentError for shapes that do not broadcast and names that do not merge
 * @example
 * ```ts
 * Nx.div(Nx.tensor([3, 5], { names: ["x"] }), 2);
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [1.5, 2.5]
 * // >
 * Nx.div(Nx.iota([2]), Nx.iota([3]));
 * // throws ArgumentError: Nx.div: Nx.divide cannot broadcast tensors of shapes [2] and [3]
 * ```
 */
export const div: typeof divide = divide;

/**
 * Another name of `Nx.negate`.
 *
 * @param tensor - a tensor or number of any type
 * @returns a tensor of the same type, shape and names
 * @throws nothing that `Nx.negate` does not
 * @example
 * ```ts
 * Nx.neg(Nx.tensor([3, -5], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   s64[x: 2]
 * //   [-3, 5]
 * // >
 * Nx.neg([1] as never);
 * // throws ArgumentError: Nx.neg: Nx.negate expects a tensor or a number, got: [1]
 * ```
 */
export const neg: UnaryFunction = negate;
