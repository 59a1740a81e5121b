/**
 * Running reductions along an axis: each element together with all before it. Shape, type and names stay; what an element
 * is, is the backend's business.
 */
import type { AxisOf } from "../core/axis-types";
import { CUMULATIVE } from "../backends/primitives";
import { booleanOption, checkOptions, skipsNan, type NanPolicy, type AlsoAxes, type More } from "../core/options";
import { resolveAxis, type Names, type Axis } from "../core/shape";
import { isInteger } from "../core/types";
import { refuseComplex, type CumulativeOp } from "../ops";
import type { Operand, Tensor } from "../tensor";
import { cumulatePresent } from "./aggregates/missing";
import { asTensor, run, template } from "./dispatch";

/** Options of the running reductions. */
export interface CumulativeOptions<A = Axis> extends AlsoAxes<A> {
  /** Axis to run along, by position (negative from the end) or by name; the first when left out. */
  readonly axis?: A;
  /** Run from the last element to the first. */
  readonly reverse?: boolean;
  /** `"skip"` leaves NaN out, as missing values; `"propagate"`, when left out: results are NaN from one on. */
  readonly nan?: NanPolicy;
}

/**
 * Sums of each element and all before it along an axis.
 *
 * Integers wrap around in their own type, where `Nx.sum` widens to 64 bits: convert narrow ones first. Floats are added up in
 * double precision and every sum is rounded to the type of the tensor once, so errors do not pile up along the axis as they do
 * when each step is rounded: in `f32` the sums of 16777216, 1 and 1 end in 16777218.
 *
 * @param tensor - numbers of any type and a shape of at least one axis
 * @param options - `axis` to run along (default 0); `reverse` to run from its end (default `false`); `nan`: `"skip"`
 *   leaves NaN out
 * @returns the type, shape and names of the tensor
 * @throws ArgumentError for an axis the tensor does not have; a scalar has none
 * @example
 * ```ts
 * Nx.cumulativeSum(Nx.tensor([1, 2, 3, 4]));
 * // => #Nx.Tensor<
 * //   s64[4]
 * //   [1, 3, 6, 10]
 * // >
 * Nx.cumulativeSum(Nx.f32([16777216, 1, 1]));
 * // => #Nx.Tensor<
 * //   f32[3]
 * //   [16777216.0, 16777216.0, 16777218.0]
 * // >
 * Nx.cumulativeSum(Nx.u8([200, 50, 10]));
 * // => #Nx.Tensor<
 * //   u8[3]
 * //   [200, 250, 4]
 * // >
 * Nx.cumulativeSum(Nx.u8([200, 50, 10]).u64());
 * // => #Nx.Tensor<
 * //   u64[3]
 * //   [200, 250, 260]
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.tensor([[0, 1, 2], [3, 4, 5]], { names: ["row", "column"] });
 * Nx.cumulativeSum(t, { axis: "column" });
 * // => #Nx.Tensor<
 * //   s64[row: 2][column: 3]
 * //   [
 * //     [0, 1, 3],
 * //     [3, 7, 12]
 * //   ]
 * // >
 * Nx.cumulativeSum(t, { axis: "column", reverse: true });
 * // => #Nx.Tensor<
 * //   s64[row: 2][column: 3]
 * //   [
 * //     [3, 3, 2],
 * //     [12, 9, 5]
 * //   ]
 * // >
 *
 * // @ts-expect-error wrong on purpose
 * Nx.cumulativeSum(t, { axis: "columns" });
 * // throws ArgumentError: Nx.cumulativeSum: no axis named "columns" in shape [row: 2][column: 3]: the axes are "row", "column"; did you mean
 * ```
 */
export function cumulativeSum<N extends Names = readonly []>(
  tensor: Operand<N>,
  options?: AxisOf<N> | CumulativeOptions<AxisOf<N>>,
  ..._more: More<CumulativeOptions<undefined>>
): Tensor<N> {
  return cumulate("cumulativeSum", tensor, options) as Tensor<N>;
}

/**
 * Products of each element and all before it along an axis.
 *
 * Integers wrap around in their own type. Floats are multiplied in double precision and every product is rounded to the type
 * of the tensor once, so a product that is too large for the type does not spoil those after it that are not.
 *
 * @param tensor - numbers of any type and a shape of at least one axis
 * @param options - `axis` to run along (default 0); `reverse` to run from its end (default `false`); `nan`: `"skip"`
 *   leaves NaN out
 * @returns the type, shape and names of the tensor
 * @throws ArgumentError for an axis the tensor does not have; a scalar has none
 * @example
 * ```ts
 * Nx.cumulativeProduct(Nx.tensor([1, 2, 3, 4]));
 * // => #Nx.Tensor<
 * //   s64[4]
 * //   [1, 2, 6, 24]
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.tensor([[0, 1, 2], [3, 4, 5], [6, 7, 8]], { names: ["x", "y"] });
 * Nx.cumulativeProduct(t, { axis: "x" });
 * // => #Nx.Tensor<
 * //   s64[x: 3][y: 3]
 * //   [
 * //     [0, 1, 2],
 * //     [0, 4, 10],
 * //     [0, 28, 80]
 * //   ]
 * // >
 * Nx.cumulativeProduct(t, { axis: "x", reverse: true });
 * // => #Nx.Tensor<
 * //   s64[x: 3][y: 3]
 * //   [
 * //     [0, 28, 80],
 * //     [18, 28, 40],
 * //     [6, 7, 8]
 * //   ]
 * // >
 * Nx.cumulativeProduct(5);
 * // throws ArgumentError: Nx.cumulativeProduct: given axis (0) invalid for shape [] with rank 0; a scalar has no axes
 * ```
 */
export function cumulativeProduct<N extends Names = readonly []>(
  tensor: Operand<N>,
  options?: AxisOf<N> | CumulativeOptions<AxisOf<N>>,
  ..._more: More<CumulativeOptions<undefined>>
): Tensor<N> {
  return cumulate("cumulativeProduct", tensor, options) as Tensor<N>;
}

/**
 * The largest of each element and all before it along an axis. From the first NaN on all results are NaN.
 *
 * @param tensor - real numbers and a shape of at least one axis
 * @param options - `axis` to run along (default 0); `reverse` to run from its end (default `false`); `nan`: `"skip"`
 *   leaves NaN out
 * @returns the type, shape and names of the tensor
 * @throws ArgumentError for an axis the tensor does not have, and for complex tensors, which have no order
 * @example
 * ```ts
 * Nx.cumulativeMax(Nx.tensor([3, 4, 2, 1]));
 * // => #Nx.Tensor<
 * //   s64[4]
 * //   [3, 4, 4, 4]
 * // >
 * Nx.cumulativeMax(Nx.tensor([-Infinity, 2.5, NaN, 4]));
 * // => #Nx.Tensor<
 * //   f32[4]
 * //   [-Inf, 2.5, NaN, NaN]
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.tensor([[2, 3, 1], [1, 3, 2], [2, 1, 3]], { names: ["x", "y"] });
 * Nx.cumulativeMax(t, { axis: "y" });
 * // => #Nx.Tensor<
 * //   s64[x: 3][y: 3]
 * //   [
 * //     [2, 3, 3],
 * //     [1, 3, 3],
 * //     [2, 2, 3]
 * //   ]
 * // >
 * Nx.cumulativeMax(Nx.c64([1, 2]));
 * // throws ArgumentError: Nx.cumulativeMax is not defined for complex tensors, got type c64
 * ```
 * @example
 * ```ts
 * Nx.cumulativeMax(Nx.tensor([NaN, 2.5, NaN, 4]), { nan: "skip" });
 * // => #Nx.Tensor<
 * //   f32[4]
 * //   [NaN, 2.5, 2.5, 4.0]
 * // >
 * ```
 */
export function cumulativeMax<N extends Names = readonly []>(
  tensor: Operand<N>,
  options?: AxisOf<N> | CumulativeOptions<AxisOf<N>>,
  ..._more: More<CumulativeOptions<undefined>>
): Tensor<N> {
  return cumulate("cumulativeMax", tensor, options) as Tensor<N>;
}

/**
 * The smallest of each element and all before it along an axis. From the first NaN on all results are NaN.
 *
 * @param tensor - real numbers and a shape of at least one axis
 * @param options - `axis` to run along (default 0); `reverse` to run from its end (default `false`); `nan`: `"skip"`
 *   leaves NaN out
 * @returns the type, shape and names of the tensor
 * @throws ArgumentError for an axis the tensor does not have, and for complex tensors, which have no order
 * @example
 * ```ts
 * Nx.cumulativeMin(Nx.tensor([3, 4, 2, 1]));
 * // => #Nx.Tensor<
 * //   s64[4]
 * //   [3, 3, 2, 1]
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.tensor([[2, 3, 1], [1, 3, 2], [2, 1, 3]], { names: ["x", "y"] });
 * Nx.cumulativeMin(t, { axis: "y", reverse: true });
 * // => #Nx.Tensor<
 * //   s64[x: 3][y: 3]
 * //   [
 * //     [1, 1, 1],
 * //     [1, 2, 2],
 * //     [1, 1, 3]
 * //   ]
 * // >
 *
 * // @ts-expect-error wrong on purpose
 * Nx.cumulativeMin(t, "z");
 * // throws ArgumentError: Nx.cumulativeMin: no axis named "z" in shape [x: 3][y: 3]: the axes are "x", "y"
 * ```
 */
export function cumulativeMin<N extends Names = readonly []>(
  tensor: Operand<N>,
  options?: AxisOf<N> | CumulativeOptions<AxisOf<N>>,
  ..._more: More<CumulativeOptions<undefined>>
): Tensor<N> {
  return cumulate("cumulativeMin", tensor, options) as Tensor<N>;
}

function cumulate(op: CumulativeOp, tensor: Operand, given: Axis | CumulativeOptions | undefined): Tensor {
  const fn = `Nx.${op}`;
  const options = checkOptions<CumulativeOptions>(fn, given, ["axis", "reverse", "nan"]);
  const t = asTensor(tensor, fn);
  const reverse = booleanOption(fn, "reverse", options?.reverse, false);
  const axis = resolveAxis(options?.axis === undefined ? 0 : options.axis, t.shape, t.names);
  if (op === "cumulativeMax" || op === "cumulativeMin") refuseComplex(op, t.type);
  if (skipsNan(fn, options) && !isInteger(t.type)) return cumulatePresent(op, t, axis, reverse);
  return run(CUMULATIVE, template(t.type, t.shape, t.names), [t], { op, axis, reverse });
}
