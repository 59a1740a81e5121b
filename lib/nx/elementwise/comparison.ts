/**
 * Comparisons. The values are compared, whatever their types; the result is `u8`, which stands for booleans.
 */
import { EQUAL, GREATER, GREATER_EQUAL, LESS, LESS_EQUAL, NOT_EQUAL } from "../../backends/ops";
import { comparedPair, equatedPair } from "../exact";
import { binary, type BinaryFunction } from "./core";

/**
 * Tells where two tensors are equal: 1 there, 0 elsewhere.
 *
 * 0 equals -0; NaN equals nothing, not even itself. Complex numbers are equal where both parts are.
 *
 * @param left - a tensor or number
 * @param right - what to compare with; shapes broadcast, plain numbers are weak
 * @returns a `u8` tensor of the broadcast shape with the merged names
 * @throws ArgumentError where shapes do not broadcast or axes have different names
 * @example
 * ```ts
 * Nx.equal(1, 2);
 * // => #Nx.Tensor<
 * //   u8
 * //   0
 * // >
 * Nx.equal(1, Nx.tensor([1, 2, 3], { names: ["data"] }));
 * // => #Nx.Tensor<
 * //   u8[data: 3]
 * //   [1, 0, 0]
 * // >
 * Nx.equal(Nx.tensor([1, 2, 3], { names: ["data"] }), Nx.tensor([1, 2, 5]));
 * // => #Nx.Tensor<
 * //   u8[data: 3]
 * //   [1, 1, 0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.equal(Nx.f32([[1, 2, 3], [4, 5, 6]], { names: ["x", null] }), Nx.tensor([1, 2, 3]));
 * // => #Nx.Tensor<
 * //   u8[x: 2][3]
 * //   [
 * //     [1, 1, 1],
 * //     [0, 0, 0]
 * //   ]
 * // >
 * Nx.equal(Nx.tensor([NaN, -0, Infinity]), Nx.tensor([NaN, 0, Infinity]));
 * // => #Nx.Tensor<
 * //   u8[3]
 * //   [0, 1, 1]
 * // >
 * ```
 */
export const equal: BinaryFunction = binary(EQUAL, equatedPair);

/**
 * Tells where two tensors differ: 1 there, 0 elsewhere.
 *
 * NaN differs from everything, itself included; 0 and -0 do not differ.
 *
 * @param left - a tensor or number
 * @param right - what to compare with; shapes broadcast, plain numbers are weak
 * @returns a `u8` tensor of the broadcast shape with the merged names
 * @throws ArgumentError where shapes do not broadcast or axes have different names
 * @example
 * ```ts
 * Nx.notEqual(1, 2);
 * // => #Nx.Tensor<
 * //   u8
 * //   1
 * // >
 * Nx.notEqual(Nx.tensor([1, 2, 3], { names: ["data"] }), Nx.tensor([1, 2, 5]));
 * // => #Nx.Tensor<
 * //   u8[data: 3]
 * //   [0, 0, 1]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.notEqual(Nx.f32([[1, 2, 3], [4, 5, 6]], { names: ["x", null] }), Nx.tensor([1, 2, 3]));
 * // => #Nx.Tensor<
 * //   u8[x: 2][3]
 * //   [
 * //     [0, 0, 0],
 * //     [1, 1, 1]
 * //   ]
 * // >
 * Nx.notEqual(Nx.tensor([NaN, -0, Infinity]), Nx.tensor([NaN, 0, Infinity]));
 * // => #Nx.Tensor<
 * //   u8[3]
 * //   [1, 0, 0]
 * // >
 * ```
 */
export const notEqual: BinaryFunction = binary(NOT_EQUAL, equatedPair);

/**
 * Tells where the left tensor is greater than the right one: 1 there, 0 elsewhere.
 *
 * Comparing with NaN gives 0. Complex numbers have no order.
 *
 * @param left - a real tensor or number
 * @param right - what to compare with; shapes broadcast, plain numbers are weak
 * @returns a `u8` tensor of the broadcast shape with the merged names
 * @throws ArgumentError where shapes do not broadcast or axes have different names, and for complex operands
 * @example
 * ```ts
 * Nx.greater(1, 2);
 * // => #Nx.Tensor<
 * //   u8
 * //   0
 * // >
 * Nx.greater(2, Nx.tensor([1, 2, 3], { names: ["data"] }));
 * // => #Nx.Tensor<
 * //   u8[data: 3]
 * //   [1, 0, 0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.greater(Nx.tensor([[1, 9, 3], [4, 5, 6]], { names: ["x", null] }), Nx.tensor([1, 2, 3], { names: ["y"] }));
 * // => #Nx.Tensor<
 * //   u8[x: 2][y: 3]
 * //   [
 * //     [0, 1, 0],
 * //     [1, 1, 1]
 * //   ]
 * // >
 * Nx.greater(Nx.tensor([NaN, 0, Infinity]), Nx.tensor([1, -0, 1]));
 * // => #Nx.Tensor<
 * //   u8[3]
 * //   [0, 0, 1]
 * // >
 * Nx.greater(new Nx.Complex(1, 2), 0);
 * // throws ArgumentError: Nx.greater is not defined for complex tensors, got type c64
 * ```
 */
export const greater: BinaryFunction = binary(GREATER, comparedPair);

/**
 * Tells where the left tensor is at least the right one: 1 there, 0 elsewhere.
 *
 * Comparing with NaN gives 0. Complex numbers have no order.
 *
 * @param left - a real tensor or number
 * @param right - what to compare with; shapes broadcast, plain numbers are weak
 * @returns a `u8` tensor of the broadcast shape with the merged names
 * @throws ArgumentError where shapes do not broadcast or axes have different names, and for complex operands
 * @example
 * ```ts
 * Nx.greaterEqual(1, 2);
 * // => #Nx.Tensor<
 * //   u8
 * //   0
 * // >
 * Nx.greaterEqual(2, Nx.tensor([1, 2, 3], { names: ["data"] }));
 * // => #Nx.Tensor<
 * //   u8[data: 3]
 * //   [1, 1, 0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.greaterEqual(Nx.tensor([[1, 0, 3], [4, 5, 6]], { names: ["x", null] }), Nx.tensor([1, 2, 3], { names: ["y"] }));
 * // => #Nx.Tensor<
 * //   u8[x: 2][y: 3]
 * //   [
 * //     [1, 0, 1],
 * //     [1, 1, 1]
 * //   ]
 * // >
 * Nx.greaterEqual(Nx.tensor([NaN, 0, 1]), Nx.tensor([NaN, -0, Infinity]));
 * // => #Nx.Tensor<
 * //   u8[3]
 * //   [0, 1, 0]
 * // >
 * Nx.greaterEqual(new Nx.Complex(1, 2), 0);
 * // throws ArgumentError: Nx.greaterEqual is not defined for complex tensors, got type c64
 * ```
 */
export const greaterEqual: BinaryFunction = binary(GREATER_EQUAL, comparedPair);

/**
 * Tells where the left tensor is less than the right one: 1 there, 0 elsewhere.
 *
 * Comparing with NaN gives 0. Complex numbers have no order.
 *
 * @param left - a real tensor or number
 * @param right - what to compare with; shapes broadcast, plain numbers are weak
 * @returns a `u8` tensor of the broadcast shape with the merged names
 * @throws ArgumentError where shapes do not broadcast or axes have different names, and for complex operands
 * @example
 * ```ts
 * Nx.less(1, 2);
 * // => #Nx.Tensor<
 * //   u8
 * //   1
 * // >
 * Nx.less(2, Nx.tensor([1, 2, 3], { names: ["data"] }));
 * // => #Nx.Tensor<
 * //   u8[data: 3]
 * //   [0, 0, 1]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.less(Nx.tensor([[1, 0, 3], [4, 5, 6]], { names: ["x", null] }), Nx.tensor([1, 2, 9], { names: ["y"] }));
 * // => #Nx.Tensor<
 * //   u8[x: 2][y: 3]
 * //   [
 * //     [0, 1, 1],
 * //     [0, 0, 1]
 * //   ]
 * // >
 * Nx.less(Nx.tensor([NaN, -0, -Infinity]), Nx.tensor([1, 0, 1]));
 * // => #Nx.Tensor<
 * //   u8[3]
 * //   [0, 0, 1]
 * // >
 * Nx.less(new Nx.Complex(1, 2), 0);
 * // throws ArgumentError: Nx.less is not defined for complex tensors, got type c64
 * ```
 */
export const less: BinaryFunction = binary(LESS, comparedPair);

/**
 * Tells where the left tensor is at most the right one: 1 there, 0 elsewhere.
 *
 * Comparing with NaN gives 0. Complex numbers have no order.
 *
 * @param left - a real tensor or number
 * @param right - what to compare with; shapes broadcast, plain numbers are weak
 * @returns a `u8` tensor of the broadcast shape with the merged names
 * @throws ArgumentError where shapes do not broadcast or axes have different names, and for complex operands
 * @example
 * ```ts
 * Nx.lessEqual(1, 2);
 * // => #Nx.Tensor<
 * //   u8
 * //   1
 * // >
 * Nx.lessEqual(2, Nx.tensor([1, 2, 3], { names: ["data"] }));
 * // => #Nx.Tensor<
 * //   u8[data: 3]
 * //   [0, 1, 1]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.lessEqual(Nx.tensor([[1, 0, 4], [4, 5, 6]], { names: ["x", null] }), Nx.tensor([1, 2, 3], { names: ["y"] }));
 * // => #Nx.Tensor<
 * //   u8[x: 2][y: 3]
 * //   [
 * //     [1, 1, 0],
 * //     [0, 0, 0]
 * //   ]
 * // >
 * Nx.lessEqual(Nx.tensor([NaN, 0, -Infinity]), Nx.tensor([NaN, -0, 1]));
 * // => #Nx.Tensor<
 * //   u8[3]
 * //   [0, 1, 1]
 * // >
 * Nx.lessEqual(new Nx.Complex(1, 2), 0);
 * // throws ArgumentError: Nx.lessEqual is not defined for complex tensors, got type c64
 * ```
 */
export const lessEqual: BinaryFunction = binary(LESS_EQUAL, comparedPair);
