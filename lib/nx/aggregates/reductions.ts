/**
 * The reductions every backend has: sum, product, all, any, reduceMax, reduceMin.
 */
import type { More } from "../../core/options";
import type { AxesOf, Reduced } from "../../core/axis-types";
import type { Names } from "../../core/shape";
import type { ReduceOp } from "../../ops";
import type { Operand, Tensor } from "../../tensor";
import { asTensor } from "../dispatch";
import { readAxes, type AxesArgument, type AxesChoice } from "./core";
import { reduceSome } from "./missing";

/**
 * Adds up elements.
 *
 * Integers are summed in 64 bits of their own sign, so that narrow types do not overflow; a sum beyond 64 bits wraps. Floats
 * are summed in double precision and rounded once, at the end.
 *
 * @param tensor - numbers of any type and shape
 * @param options - `axes` to sum over, all when left out (`[]` sums over none); `keepAxes` to keep them with size 1; `nan`: `"skip"`
 *   leaves NaN out
 * @returns `u64` or `s64` for integers, else the tensor's type; without the summed axes unless they are kept
 * @throws ArgumentError for an axis the tensor does not have
 * @example
 * ```ts
 * Nx.sum(Nx.tensor([[1.0, 2.5], [3.0, 4.0]]));
 * // => #Nx.Tensor<
 * //   f32
 * //   10.5
 * // >
 * Nx.sum(Nx.tensor([[101, 102], [103, 104]], { type: "s8" }));
 * // => #Nx.Tensor<
 * //   s64
 * //   410
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.iota([2, 2, 3], { names: ["x", "y", "z"] });
 * Nx.sum(t, { axes: ["x", "z"] });
 * // => #Nx.Tensor<
 * //   s64[y: 2]
 * //   [24, 42]
 * // >
 * Nx.sum(t, { axes: [-1], keepAxes: true });
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 2][z: 1]
 * //   [
 * //     [
 * //       [3],
 * //       [12]
 * //     ],
 * //     [
 * //       [21],
 * //       [30]
 * //     ]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.sum(Nx.tensor([[1, 2]]), { axes: [2] });
 * // throws ArgumentError: Nx.sum: given axis (2) invalid for shape [1][2] with rank 2
 * ```
 * @example
 * ```ts
 * // NaN as missing values
 * const t = Nx.tensor([[1, NaN, 3], [NaN, NaN, NaN]], { names: ["station", "day"] });
 * Nx.sum(t, { axes: ["day"], nan: "skip" });
 * // => #Nx.Tensor<
 * //   f32[station: 2]
 * //   [4.0, 0.0]
 * // >
 * ```
 */
export function sum<
  N extends Names = readonly [],
  const A extends AxesOf<N> | undefined = undefined,
  K extends boolean = false,
>(
  tensor: Operand<N>,
  options?: A | AxesChoice<A, K>,
  ..._more: More<AxesChoice<undefined, K>>
): Tensor<Reduced<N, A, K>> {
  return reduceOperand("sum", tensor, options) as Tensor<Reduced<N, A, K>>;
}

/**
 * Multiplies elements.
 *
 * Integers are multiplied in 64 bits of their own sign; a product beyond 64 bits wraps. Floats are multiplied in double
 * precision and rounded once, at the end.
 *
 * @param tensor - numbers of any type and shape
 * @param options - `axes` to multiply over, all when left out; `keepAxes` to keep them with size 1; `nan`: `"skip"` leaves NaN out
 * @returns `u64` or `s64` for integers, else the tensor's type; without the multiplied axes unless they are kept
 * @throws ArgumentError for an axis the tensor does not have
 * @example
 * ```ts
 * Nx.product(Nx.tensor([[10, 20], [30, 40]], { type: "u8" }));
 * // => #Nx.Tensor<
 * //   u64
 * //   240000
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.iota([2, 2, 3], { names: ["x", "y", "z"] });
 * Nx.product(t, { axes: ["z"] });
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 2]
 * //   [
 * //     [0, 60],
 * //     [336, 990]
 * //   ]
 * // >
 * Nx.product(t, { axes: ["x", "z"] });
 * // => #Nx.Tensor<
 * //   s64[y: 2]
 * //   [0, 59400]
 * // >
 * Nx.product(t, { axes: [0, "x"] });
 * // throws ArgumentError: Nx.product: axes must not repeat
 * ```
 */
export function product<
  N extends Names = readonly [],
  const A extends AxesOf<N> | undefined = undefined,
  K extends boolean = false,
>(
  tensor: Operand<N>,
  options?: A | AxesChoice<A, K>,
  ..._more: More<AxesChoice<undefined, K>>
): Tensor<Reduced<N, A, K>> {
  return reduceOperand("product", tensor, options) as Tensor<Reduced<N, A, K>>;
}

/**
 * Tells whether all elements are true: 1 where none of them is zero, else 0.
 *
 * Zero of either sign and `0+0i` are false, everything else is true, NaN included.
 *
 * @param tensor - numbers of any type and shape
 * @param options - `axes` to look along, all when left out; `keepAxes` to keep them with size 1; `nan`: `"skip"` leaves NaN out
 * @returns `u8` of zeros and ones, without the reduced axes unless they are kept
 * @throws ArgumentError for an axis the tensor does not have
 * @example
 * ```ts
 * Nx.all(Nx.tensor([0, 1, 2]));
 * // => #Nx.Tensor<
 * //   u8
 * //   0
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.tensor([[-1, 0, 1], [2, 3, 4]], { names: ["x", "y"] });
 * Nx.all(t, { axes: ["x"] });
 * // => #Nx.Tensor<
 * //   u8[y: 3]
 * //   [1, 0, 1]
 * // >
 * Nx.all(t, { axes: ["y"], keepAxes: true });
 * // => #Nx.Tensor<
 * //   u8[x: 2][y: 1]
 * //   [
 * //     [0],
 * //     [1]
 * //   ]
 * // >
 *
 * // @ts-expect-error wrong on purpose
 * Nx.all(t, { axes: ["z"] });
 * // throws ArgumentError: Nx.all: no axis named "z" in shape [x: 2][y: 3]: the axes are "x", "y"
 * ```
 */
export function all<
  N extends Names = readonly [],
  const A extends AxesOf<N> | undefined = undefined,
  K extends boolean = false,
>(
  tensor: Operand<N>,
  options?: A | AxesChoice<A, K>,
  ..._more: More<AxesChoice<undefined, K>>
): Tensor<Reduced<N, A, K>> {
  return reduceOperand("all", tensor, options) as Tensor<Reduced<N, A, K>>;
}

/**
 * Tells whether any element is true: 1 where one of them is not zero, else 0.
 *
 * Zero of either sign and `0+0i` are false, everything else is true, NaN included.
 *
 * @param tensor - numbers of any type and shape
 * @param options - `axes` to look along, all when left out; `keepAxes` to keep them with size 1; `nan`: `"skip"` leaves NaN out
 * @returns `u8` of zeros and ones, without the reduced axes unless they are kept
 * @throws ArgumentError for an axis the tensor does not have
 * @example
 * ```ts
 * Nx.any(Nx.tensor([0, 1, 2]));
 * // => #Nx.Tensor<
 * //   u8
 * //   1
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.tensor([[0, 1, 0], [0, 1, 2]], { names: ["x", "y"] });
 * Nx.any(t, { axes: ["x"] });
 * // => #Nx.Tensor<
 * //   u8[y: 3]
 * //   [0, 1, 1]
 * // >
 * Nx.any(t, { axes: ["y"], keepAxes: true });
 * // => #Nx.Tensor<
 * //   u8[x: 2][y: 1]
 * //   [
 * //     [1],
 * //     [1]
 * //   ]
 * // >
 * Nx.any(t, { axes: [-3] });
 * // throws ArgumentError: Nx.any: given axis (-3) invalid for shape [x: 2][y: 3] with rank 2
 * ```
 */
export function any<
  N extends Names = readonly [],
  const A extends AxesOf<N> | undefined = undefined,
  K extends boolean = false,
>(
  tensor: Operand<N>,
  options?: A | AxesChoice<A, K>,
  ..._more: More<AxesChoice<undefined, K>>
): Tensor<Reduced<N, A, K>> {
  return reduceOperand("any", tensor, options) as Tensor<Reduced<N, A, K>>;
}

/**
 * Largest elements. Infinities are ordinary values; where there is a NaN the result is NaN.
 *
 * @param tensor - real numbers of any shape
 * @param options - `axes` to look along, all when left out; `keepAxes` to keep them with size 1; `nan`: `"skip"` leaves NaN out
 * @returns the tensor's type, without the reduced axes unless they are kept
 * @throws ArgumentError for an axis the tensor does not have, and for complex tensors, which have no order
 * @example
 * ```ts
 * Nx.reduceMax(Nx.tensor([1.5, -Infinity, 3]));
 * // => #Nx.Tensor<
 * //   f32
 * //   3.0
 * // >
 * Nx.reduceMax(Nx.tensor([1.5, NaN, Infinity]));
 * // => #Nx.Tensor<
 * //   f32
 * //   NaN
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.tensor([[[1, 2], [4, 5]], [[2, 4], [3, 8]]], { names: ["x", "y", "z"] });
 * Nx.reduceMax(t, { axes: ["x", "z"] });
 * // => #Nx.Tensor<
 * //   s64[y: 2]
 * //   [4, 8]
 * // >
 * Nx.reduceMax(Nx.c64([1, 2]));
 * // throws ArgumentError: Nx.reduceMax is not defined for complex tensors
 * ```
 * @example
 * ```ts
 * const t = Nx.tensor([[1, NaN, 3], [NaN, NaN, NaN]], { names: ["station", "day"] });
 * Nx.reduceMax(t, { axes: ["day"], nan: "skip" });
 * // => #Nx.Tensor<
 * //   f32[station: 2]
 * //   [3.0, NaN]
 * // >
 * ```
 */
export function reduceMax<
  N extends Names = readonly [],
  const A extends AxesOf<N> | undefined = undefined,
  K extends boolean = false,
>(
  tensor: Operand<N>,
  options?: A | AxesChoice<A, K>,
  ..._more: More<AxesChoice<undefined, K>>
): Tensor<Reduced<N, A, K>> {
  return reduceOperand("reduceMax", tensor, options) as Tensor<Reduced<N, A, K>>;
}

/**
 * Smallest elements. Infinities are ordinary values; where there is a NaN the result is NaN.
 *
 * @param tensor - real numbers of any shape
 * @param options - `axes` to look along, all when left out; `keepAxes` to keep them with size 1; `nan`: `"skip"` leaves NaN out
 * @returns the tensor's type, without the reduced axes unless they are kept
 * @throws ArgumentError for an axis the tensor does not have, and for complex tensors, which have no order
 * @example
 * ```ts
 * Nx.reduceMin(Nx.tensor([1.5, -Infinity, 3]));
 * // => #Nx.Tensor<
 * //   f32
 * //   -Inf
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.tensor([[[1, 2], [4, 5]], [[2, 4], [3, 8]]], { names: ["x", "y", "z"] });
 * Nx.reduceMin(t, { axes: ["x", "z"], keepAxes: true });
 * // => #Nx.Tensor<
 * //   s64[x: 1][y: 2][z: 1]
 * //   [
 * //     [
 * //       [1],
 * //       [3]
 * //     ]
 * //   ]
 * // >
 *
 * // @ts-expect-error wrong on purpose
 * Nx.reduceMin(t, "xx");
 * // throws ArgumentError: Nx.reduceMin: no axis named "xx" in shape [x: 2][y: 2][z: 2]: the axes are "x", "y", "z"; did you mean "x"?
 * ```
 */
export function reduceMin<
  N extends Names = readonly [],
  const A extends AxesOf<N> | undefined = undefined,
  K extends boolean = false,
>(
  tensor: Operand<N>,
  options?: A | AxesChoice<A, K>,
  ..._more: More<AxesChoice<undefined, K>>
): Tensor<Reduced<N, A, K>> {
  return reduceOperand("reduceMin", tensor, options) as Tensor<Reduced<N, A, K>>;
}

/** A reduction of the vocabulary, from a user's arguments. */
function reduceOperand(op: ReduceOp, tensor: Operand, options: AxesArgument): Tensor {
  const fn = `Nx.${op}`;
  const t = asTensor(tensor, fn);
  return reduceSome(op, t, readAxes(fn, t, options));
}
