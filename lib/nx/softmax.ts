/**
 * Exponentials that add up to 1 along an axis, and their logarithms. Composed of reductions and element-wise ops around
 * them, which a compiled function runs as one kernel.
 */
import type { AxesOf, Reduced } from "../core/axis-types";
import { checkOptions, type More, type SomeAxes } from "../core/options";
import { ArgumentError } from "../core/errors";
import { formatShape, resolveAxes, type Axis, type Names, type AxisList } from "../core/shape";
import type { Operand, Tensor } from "../tensor";
import { reduceMax, sum, type AxesChoice } from "./aggregates";
import { AXES_OPTIONS, keeping, readAxes, untraced, type AxesArgument } from "./aggregates/core";
import { filled, missingIn } from "./aggregates/missing";
import { asTensor, pair, run, template } from "./dispatch";
import { add, exp, isFinite, log, multiply, select, subtract } from "./elementwise";
import { plainDivide } from "./elementwise/ratio";
import { inFloats } from "./elementwise/core";

/** Options of `Nx.softmax` and `Nx.logSoftmax`: `axes` along which results add up to 1; the last one when left out. */
export type SoftmaxOptions<A = Axis | AxisList> = SomeAxes<A>;

/**
 * Positive numbers that add up to 1 along an axis, or several together: the exponentials of the elements, divided by their sum.
 *
 * The largest element is taken from all of them first, so that nothing overflows.
 *
 * @param tensor - real numbers with at least one axis
 * @param options - `axis` or `axes`, by index or name; the last one when left out
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
 * const pixels = Nx.zeros([2, 2], { names: ["row", "column"] });
 * Nx.softmax(pixels, ["row", "column"]);
 * // => #Nx.Tensor<
 * //   f32[row: 2][column: 2]
 * //   [
 * //     [0.25, 0.25],
 * //     [0.25, 0.25]
 * //   ]
 * // >
 * Nx.softmax(Nx.f32([1, 2]), { axis: 1 });
 * // throws ArgumentError: Nx.softmax: given axis (1) invalid for shape [2] with rank 1; expected -1 to 0
 * ```
 */
export function softmax<N extends Names = readonly []>(
  tensor: Operand<N>,
  options?: AxesOf<N> | SoftmaxOptions<AxesOf<N>>,
): Tensor<N> {
  return along("softmax", tensor, options, (x, axes) => {
    const powers = exp(below(x, axes));
    return plainDivide(powers, sum(powers, axes));
  }) as Tensor<N>;
}

/**
 * The logarithm of `Nx.softmax`, without computing those of numbers that are rounded to 0.
 *
 * @param tensor - real numbers with at least one axis
 * @param options - `axis` or `axes`, by index or name; the last one when left out
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
  options?: AxesOf<N> | SoftmaxOptions<AxesOf<N>>,
): Tensor<N> {
  return along("logSoftmax", tensor, options, (x, axes) => {
    const shifted = below(x, axes);
    return subtract(shifted, log(sum(exp(shifted), axes)));
  }) as Tensor<N>;
}

/** Options of `Nx.logSumExp`. */
export interface LogSumExpOptions<A, K> extends AxesChoice<A, K> {
  /** Factors of the exponentials, which broadcast to the shape of the tensor; 1 when left out. */
  readonly expScalingFactor?: Operand;
}

/**
 * The logarithm of the sum of exponentials, which neither overflows nor vanishes: the largest element is taken from all of them first.
 *
 * @param tensor - real numbers of any shape
 * @param options - `axes` to reduce, all when left out; `keepAxes` to keep them with size 1; `nan`: `"skip"` leaves NaN out;
 *   `expScalingFactor`, factors of the
 *   exponentials, which broadcast to the shape of the tensor
 * @returns a float tensor, without the reduced axes unless they are kept; integers become `f32`. -Infinity where all elements are
 * @throws ArgumentError for an axis that the tensor does not have, for complex operands, and for factors that do not fit
 * @example
 * ```ts
 * const t = Nx.f32([[1000, 1000], [-1000, -Infinity]], { names: ["x", "y"] });
 * Nx.logSumExp(t, { axes: ["y"] });
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [1000.6932, -1000.0]
 * // >
 * Nx.logSumExp(Nx.f32([0, 1]), { expScalingFactor: Nx.f32([2, 0]) });
 * // => #Nx.Tensor<
 * //   f32
 * //   0.6931472
 * // >
 * ```
 * @example
 * ```ts
 * Nx.logSumExp(Nx.f32([1, 2]), { axes: [1] });
 * // throws ArgumentError: Nx.logSumExp: given axis (1) invalid for shape [2] with rank 1; expected -1 to 0
 * ```
 */
export function logSumExp<
  N extends Names = readonly [],
  const A extends AxesOf<N> | undefined = undefined,
  K extends boolean = false,
>(
  tensor: Operand<N>,
  options?: A | LogSumExpOptions<A, K>,
  ..._more: More<LogSumExpOptions<undefined, K>>
): Tensor<Reduced<N, A, K>> {
  const fn = "Nx.logSumExp";
  const choice = checkOptions<LogSumExpOptions<Axis | AxisList | undefined, boolean>>(fn, options as AxesArgument, [
    ...AXES_OPTIONS,
    "expScalingFactor",
  ]);
  const given = choice?.expScalingFactor;
  const operands: readonly Tensor[] = given === undefined ? [asTensor(tensor, fn)] : pair(tensor as Operand, given, fn);
  const [t, factor] = operands as readonly [Tensor, Tensor?];
  const over = readAxes(fn, t, choice, ["expScalingFactor"]);
  if (factor !== undefined) checkFactors(fn, factor, t);
  const result = inFloats("logSumExp", operands, (given, factors) => {
    const x = filled(given!, missingIn(given!, over.skips), -Infinity);
    const most = untraced(reduceMax(x, { axes: keeping(t, over).axes, keepAxes: true }));
    const shift = select(isFinite(most), most, 0); // infinite elements stay what they are
    const powers = exp(subtract(x, shift));
    const total = sum(factors === undefined ? powers : multiply(powers, factors), { axes: over.axes, keepAxes: true });
    const logarithms = add(log(total), shift);
    return run("reshape", template(logarithms.type, over.shape, over.names), [logarithms], {});
  });
  return result as Tensor as Tensor<Reduced<N, A, K>>;
}

/** Factors have to broadcast to the shape of the tensor. */
function checkFactors(fn: string, factors: Tensor, t: Tensor): void {
  const { shape } = factors;
  const offset = t.shape.length - shape.length;
  if (offset >= 0 && shape.every((size, i) => size === 1 || size === t.shape[offset + i])) return;
  throw new ArgumentError(
    `option expScalingFactor of ${fn} expects factors that broadcast to shape ${formatShape(t.shape, t.names)}, got shape ` +
      formatShape(shape, factors.names),
  );
}

type Along = { readonly axes: readonly number[]; readonly keepAxes: true };

function along(
  name: string,
  tensor: Operand,
  given: Axis | AxisList | SoftmaxOptions | undefined,
  compute: (x: Tensor, axes: Along) => Tensor,
): Tensor {
  const fn = `Nx.${name}`;
  const options = checkOptions<SoftmaxOptions>(fn, given, ["axes"]);
  const t = asTensor(tensor, fn);
  const axes = resolveAxes(options?.axes === undefined ? [-1] : options.axes, t.shape, t.names);
  return inFloats(name, [t], (x) => compute(x, { axes, keepAxes: true }));
}

/** The elements less the largest one, which counts as constant: no result depends on it but for rounding. */
function below(x: Tensor, axes: Along): Tensor {
  return subtract(x, untraced(reduceMax(x, axes)));
}
