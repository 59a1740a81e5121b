/**
 * Exponentials that add up to 1 along an axis, and their logarithms. Composed of reductions and element-wise ops around
 * them, which a compiled function runs as one kernel.
 */
import type { AxisOf } from "../core/axis-types";
import { checkOptions } from "../core/options";
import { resolveAxis, type Axis, type Names } from "../core/shape";
import type { Operand, Tensor } from "../tensor";
import { reduceMax, sum } from "./aggregates";
import { asTensor, run } from "./dispatch";
import { divide, exp, log, subtract } from "./elementwise";
import { inFloats } from "./elementwise/core";

/** Options of `Nx.softmax` and `Nx.logSoftmax`. */
export interface SoftmaxOptions<A = Axis> {
  /** The axis along which results add up to 1, by index or name; the last one when left out. */
  readonly axis?: A;
}

/**
 * Positive numbers that add up to 1 along an axis: the exponentials of the elements, divided by their sum.
 *
 * The largest element is taken from all of them first, so that nothing overflows.
 *
 * @param tensor - real numbers with at least one axis
 * @param options - `axis`, by index or name; the last one when left out
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for an axis that the tensor does not have, and for complex operands
 * @example
 * ```ts
 * const t = Nx.f32([[1, 2, 3], [1000, 1000, -Infinity]], { names: ["batch", "class"] });
 * Nx.softmax(t, { axis: "class" });
 * // => #Nx.Tensor<
 * //   f32[batch: 2][class: 3]
 * //   [
 * //     [0.09003057, 0.24472848, 0.66524094],
 * //     [0.5, 0.5, 0.0]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.softmax(Nx.tensor([0, 0, 0, 0]));
 * // => #Nx.Tensor<
 * //   f32[4]
 * //   [0.25, 0.25, 0.25, 0.25]
 * // >
 * Nx.softmax(Nx.f32([1, 2]), { axis: 1 });
 * // throws ArgumentError: Nx.softmax: given axis (1) invalid for shape [2] with rank 1; expected -1 to 0
 * ```
 */
export function softmax<N extends Names = readonly []>(
  tensor: Operand<N>,
  options?: SoftmaxOptions<AxisOf<N>>,
): Tensor<N>;
export function softmax(tensor: Operand, options?: SoftmaxOptions): Tensor {
  return along("softmax", tensor, options, (x, axes) => {
    const powers = exp(below(x, axes));
    return divide(powers, sum(powers, axes));
  });
}

/**
 * The logarithm of `Nx.softmax`, without computing those of numbers that are rounded to 0.
 *
 * @param tensor - real numbers with at least one axis
 * @param options - `axis`, by index or name; the last one when left out
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for an axis that the tensor does not have, and for complex operands
 * @example
 * ```ts
 * const t = Nx.f32([[1, 2, 3], [1000, 0, -1000]], { names: ["batch", "class"] });
 * Nx.logSoftmax(t, { axis: "class" });
 * // => #Nx.Tensor<
 * //   f32[batch: 2][class: 3]
 * //   [
 * //     [-2.407606, -1.4076059, -0.40760595],
 * //     [0.0, -1000.0, -2000.0]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.log(Nx.softmax(Nx.f32([1000, 0, -1000])));
 * // => #Nx.Tensor<
 * //   f32[3]
 * //   [0.0, -Inf, -Inf]
 * // >
 * Nx.logSoftmax(Nx.f32([1, 2]), { axis: 1 });
 * // throws ArgumentError: Nx.logSoftmax: given axis (1) invalid for shape [2] with rank 1; expected -1 to 0
 * ```
 */
export function logSoftmax<N extends Names = readonly []>(
  tensor: Operand<N>,
  options?: SoftmaxOptions<AxisOf<N>>,
): Tensor<N>;
export function logSoftmax(tensor: Operand, options?: SoftmaxOptions): Tensor {
  return along("logSoftmax", tensor, options, (x, axes) => {
    const shifted = below(x, axes);
    return subtract(shifted, log(sum(exp(shifted), axes)));
  });
}

type Along = { readonly axes: readonly number[]; readonly keepAxes: true };

function along(
  name: string,
  tensor: Operand,
  options: SoftmaxOptions | undefined,
  compute: (x: Tensor, axes: Along) => Tensor,
): Tensor {
  const fn = `Nx.${name}`;
  options = checkOptions(fn, options, ["axis"]);
  const t = asTensor(tensor, fn);
  const axis = resolveAxis(options?.axis === undefined ? -1 : options.axis, t.shape, t.names);
  return inFloats(name, [t], (x) => compute(x, { axes: [axis], keepAxes: true }));
}

/** The elements less the largest one, which counts as constant: no result depends on it but for rounding. */
function below(x: Tensor, axes: Along): Tensor {
  const most = reduceMax(x, axes);
  return subtract(x, run("block", most, [most], { name: "stopGrad", options: {}, fn: (given) => given! }));
}
