/**
 * Truth values: what is not zero is true, NaN included, and the result is `u8` with 1 for true and 0 for false.
 */
import { IS_INFINITY, IS_NAN, LOGICAL_AND, LOGICAL_OR, LOGICAL_XOR } from "../../backends/ops";
import { booleanOption, checkOptions } from "../../core/options";
import { unchecked } from "../../core/promotion-scope";
import type { Names } from "../../core/shape";
import { isComplex } from "../../core/types";
import type { InfinityOptions } from "../../methods";
import type { Operand, Tensor } from "../../tensor";
import { asTensor } from "../dispatch";
import { subtract } from "./arithmetic";
import { equal } from "./comparison";
import { imag, real } from "./complex";
import { binary, unary, unaryOf, type BinaryFunction, type UnaryFunction } from "./core";

/**
 * Tells where both tensors are true, that is not zero.
 *
 * NaN is true; 0, -0 and the complex 0 are false.
 *
 * @param left - a tensor or number of any type
 * @param right - a tensor or number; shapes broadcast
 * @returns a `u8` tensor of the broadcast shape with the merged names
 * @throws ArgumentError where shapes do not broadcast or axes have different names
 * @example
 * ```ts
 * Nx.logicalAnd(1, Nx.tensor([-1, 0, 1], { names: ["data"] }));
 * // => #Nx.Tensor<
 * //   u8[data: 3]
 * //   [1, 0, 1]
 * // >
 * Nx.logicalAnd(Nx.tensor([NaN, -0, 0.5]), true);
 * // => #Nx.Tensor<
 * //   u8[3]
 * //   [1, 0, 1]
 * // >
 * ```
 * @example
 * ```ts
 * const left: Nx.Tensor = Nx.tensor([-1, 0, 1], { names: ["data"] });
 * Nx.logicalAnd(left, Nx.tensor([1, 1, 0], { names: ["row"] }));
 * // throws ArgumentError: Nx.logicalAnd: cannot merge axis name "data" (axis 0 of [data: 3]) with "row" (axis 0 of [row: 3])
 * ```
 */
export const logicalAnd: BinaryFunction = binary(LOGICAL_AND);

/**
 * Tells where at least one of two tensors is true, that is not zero.
 *
 * NaN is true; 0, -0 and the complex 0 are false.
 *
 * @param left - a tensor or number of any type
 * @param right - a tensor or number; shapes broadcast
 * @returns a `u8` tensor of the broadcast shape with the merged names
 * @throws ArgumentError where shapes do not broadcast or axes have different names
 * @example
 * ```ts
 * Nx.logicalOr(0, Nx.tensor([-1, 0, 1], { names: ["data"] }));
 * // => #Nx.Tensor<
 * //   u8[data: 3]
 * //   [1, 0, 1]
 * // >
 * Nx.logicalOr(Nx.tensor([[0], [2]], { names: ["x", null] }), Nx.tensor([[0, 1]], { names: [null, "y"] }));
 * // => #Nx.Tensor<
 * //   u8[x: 2][y: 2]
 * //   [
 * //     [0, 1],
 * //     [1, 1]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.logicalOr(Nx.tensor([0, 1]), Nx.tensor([0, 0, 1]));
 * // throws ArgumentError: Nx.logicalOr cannot broadcast tensors of shapes [2] and [3]: axis 0 of size 2 meets axis 0 of size 3
 * ```
 */
export const logicalOr: BinaryFunction = binary(LOGICAL_OR);

/**
 * Tells where exactly one of two tensors is true, that is not zero.
 *
 * NaN is true; 0, -0 and the complex 0 are false.
 *
 * @param left - a tensor or number of any type
 * @param right - a tensor or number; shapes broadcast
 * @returns a `u8` tensor of the broadcast shape with the merged names
 * @throws ArgumentError where shapes do not broadcast or axes have different names
 * @example
 * ```ts
 * Nx.logicalXor(0, Nx.tensor([-1, 0, 1], { names: ["data"] }));
 * // => #Nx.Tensor<
 * //   u8[data: 3]
 * //   [1, 0, 1]
 * // >
 * Nx.logicalXor(Nx.tensor([0, 0, 5, 5]), Nx.tensor([0, 1, 0, 1]));
 * // => #Nx.Tensor<
 * //   u8[4]
 * //   [0, 1, 1, 0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.logicalXor(Nx.tensor([0, 1]), Nx.tensor([0, 0, 1]));
 * // throws ArgumentError: Nx.logicalXor cannot broadcast tensors of shapes [2] and [3]: axis 0 of size 2 meets axis 0 of size 3
 * ```
 */
export const logicalXor: BinaryFunction = binary(LOGICAL_XOR);

/**
 * Tells where a tensor is false, that is zero: 1 there, 0 elsewhere.
 *
 * @param tensor - a tensor or number of any type
 * @returns a `u8` tensor of the same shape and names
 * @example
 * ```ts
 * Nx.logicalNot(Nx.tensor([-1, 0, 1], { names: ["data"] }));
 * // => #Nx.Tensor<
 * //   u8[data: 3]
 * //   [0, 1, 0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.logicalNot(Nx.tensor([NaN, -0, 0.5]));
 * // => #Nx.Tensor<
 * //   u8[3]
 * //   [0, 1, 0]
 * // >
 * Nx.logicalNot(true);
 * // => #Nx.Tensor<
 * //   u8
 * //   0
 * // >
 * ```
 */
export const logicalNot: UnaryFunction = unaryOf("logicalNot", (x) => equal(x, 0));

/**
 * Tells which elements are NaN; a complex number is where either part is.
 *
 * Integers never are.
 *
 * @param tensor - a tensor or number of any type
 * @returns a `u8` tensor of the same shape and names
 * @example
 * ```ts
 * Nx.isNan(Nx.tensor([NaN, 1, 0], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   u8[x: 3]
 * //   [1, 0, 0]
 * // >
 * Nx.isNan(Nx.tensor([NaN, Infinity, new Nx.Complex(0, NaN)]));
 * // => #Nx.Tensor<
 * //   u8[3]
 * //   [1, 0, 1]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.isNan(Nx.tensor([1, 0]));
 * // => #Nx.Tensor<
 * //   u8[2]
 * //   [0, 0]
 * // >
 * ```
 */
export const isNan: UnaryFunction = unary(IS_NAN);

/**
 * Tells which elements are infinite, of either sign unless told otherwise; a complex number is where either part is.
 *
 * Integers never are, and NaN is not.
 *
 * @param tensor - a tensor or number of any type
 * @param options - `detectPositive` and `detectNegative`, both true when left out
 * @returns a `u8` tensor of the same shape and names
 * @throws ArgumentError for options that are not true or false
 * @example
 * ```ts
 * Nx.isInfinity(Nx.tensor([Infinity, NaN, -Infinity, 1, 0], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   u8[x: 5]
 * //   [1, 0, 1, 0, 0]
 * // >
 * Nx.isInfinity(Nx.tensor([Infinity, 1, new Nx.Complex(0, -Infinity)]));
 * // => #Nx.Tensor<
 * //   u8[3]
 * //   [1, 0, 1]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.isInfinity(Nx.tensor([1, 0]));
 * // => #Nx.Tensor<
 * //   u8[2]
 * //   [0, 0]
 * // >
 * ```
 * @example One sign only
 * ```ts
 * Nx.isInfinity(Nx.tensor([Infinity, NaN, -Infinity]), { detectNegative: false });
 * // => #Nx.Tensor<
 * //   u8[3]
 * //   [1, 0, 0]
 * // >
 *
 * // @ts-expect-error
 * Nx.isInfinity(Nx.tensor([1, 0]), { negative: false });
 * // throws ArgumentError: unknown option "negative" for Nx.isInfinity, expected one of: detectPositive, detectNegative
 * ```
 */
export function isInfinity<N extends Names = readonly []>(
  tensor: Operand<N>,
  options: InfinityOptions | undefined,
): Tensor<N>;
export function isInfinity<N extends Names = readonly []>(tensor: Operand<N>): Tensor<N>;
export function isInfinity(tensor: Operand, options?: InfinityOptions): Tensor {
  if (options === undefined) return eitherInfinity(tensor);
  options = checkOptions("Nx.isInfinity", options, ["detectPositive", "detectNegative"]);
  const { detectPositive, detectNegative } = options;
  const isPositive = booleanOption("Nx.isInfinity", "detectPositive", detectPositive, true);
  const isNegative = booleanOption("Nx.isInfinity", "detectNegative", detectNegative, true);
  if (isPositive && isNegative) return eitherInfinity(tensor);
  const x = asTensor(tensor, "Nx.isInfinity");
  if (!isPositive && !isNegative) return logicalAnd(eitherInfinity(x), 0);
  const is = (part: Tensor): Tensor => equal(part, isPositive ? Infinity : -Infinity);
  return unchecked(() => (isComplex(x.type) ? logicalOr(is(real(x)), is(imag(x))) : is(x)));
}

const eitherInfinity: UnaryFunction = unary(IS_INFINITY);

/**
 * Tells which elements are neither infinite nor NaN; a complex number is where both parts are.
 *
 * Integers always are.
 *
 * @param tensor - a tensor or number of any type
 * @returns a `u8` tensor of the same shape and names
 * @example
 * ```ts
 * Nx.isFinite(Nx.tensor([1, Infinity, 2, -Infinity, NaN], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   u8[x: 5]
 * //   [1, 0, 1, 0, 0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.isFinite(Nx.tensor([1, new Nx.Complex(0, -Infinity), new Nx.Complex(1e38, 1e38)]));
 * // => #Nx.Tensor<
 * //   u8[3]
 * //   [1, 0, 1]
 * // >
 * Nx.isFinite(Nx.tensor([1, 0]));
 * // => #Nx.Tensor<
 * //   u8[2]
 * //   [1, 1]
 * // >
 * ```
 */
export const isFinite: UnaryFunction = unaryOf("isFinite", (x) => equal(subtract(x, x), 0));
