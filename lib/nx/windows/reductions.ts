/**
 * Reductions over windows: sum, product, max, min, mean.
 */
import { sizeOf, type Names, type Shape } from "../../core/shape";
import { WINDOW_OP } from "../../backends/primitives";
import { toFloating } from "../../core/types";
import { refuseComplex, type WindowOp } from "../../ops";
import type { Operand, Tensor } from "../../tensor";
import { workingType } from "../aggregates/core";
import { asTensor, cast, run, template } from "../dispatch";
import { divide } from "../elementwise";
import { readWindows, type WindowOptions } from "./core";

/**
 * Sums over the windows of a tensor. Padding is made of zeros.
 *
 * Integers wrap around in their own type; floats are accumulated in f64 and rounded once.
 *
 * @param tensor - numbers of any type and shape
 * @param window - a size for each axis
 * @param options - see {@link WindowOptions}
 * @returns the tensor's type and names; along each axis as many elements as there are windows
 * @throws ArgumentError for a window of another rank, and where no window fits
 * @example
 * ```ts
 * Nx.windowSum(Nx.tensor([[1, 2, 3], [4, 5, 6]]), [2, 2]);
 * // => #Nx.Tensor<
 * //   s64[1][2]
 * //   [
 * //     [12, 16]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.tensor([1, 2, 3, 4, 5, 6], { names: ["x"] });
 * Nx.windowSum(t, [2], { strides: 2, padding: [[1, 1]] });
 * // => #Nx.Tensor<
 * //   s64[x: 4]
 * //   [1, 5, 9, 6]
 * // >
 * Nx.windowSum(t, [3], { windowDilations: 2, padding: "same" });
 * // => #Nx.Tensor<
 * //   s64[x: 6]
 * //   [4, 6, 9, 12, 8, 10]
 * // >
 * Nx.windowSum(t, [2, 2]);
 * // throws ArgumentError: Nx.windowSum expects a window with a size for each axis of shape [x: 6], got window [2][2]
 * ```
 */
export function windowSum<N extends Names = readonly []>(
  tensor: Operand<N>,
  window: Shape,
  options?: WindowOptions,
): Tensor<N> {
  return overWindows("windowSum", tensor, window, options) as Tensor<N>;
}

/**
 * Products over the windows of a tensor. Padding is made of ones.
 *
 * Integers wrap around in their own type; floats are accumulated in f64 and rounded once.
 *
 * @param tensor - numbers of any type and shape
 * @param window - a size for each axis
 * @param options - see {@link WindowOptions}
 * @returns the tensor's type and names; along each axis as many elements as there are windows
 * @throws ArgumentError for a window of another rank, and where no window fits
 * @example
 * ```ts
 * Nx.windowProduct(Nx.tensor([1, 2, 3, 4], { names: ["x"] }), [2], { padding: [[1, 0]] });
 * // => #Nx.Tensor<
 * //   s64[x: 4]
 * //   [1, 2, 6, 12]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.windowProduct(Nx.tensor([1, 2]), [3]);
 * // throws ArgumentError: Nx.windowProduct would give an empty result: axis 0 of shape [2] is 2 long with padding, which a
 * ```
 */
export function windowProduct<N extends Names = readonly []>(
  tensor: Operand<N>,
  window: Shape,
  options?: WindowOptions,
): Tensor<N> {
  return overWindows("windowProduct", tensor, window, options) as Tensor<N>;
}

/**
 * The largest element of each window of a tensor; NaN where there is one. Padding is smaller than everything: minus
 * infinity, or the smallest integer of the type.
 *
 * @param tensor - real numbers of any shape
 * @param window - a size for each axis
 * @param options - see {@link WindowOptions}
 * @returns the tensor's type and names; along each axis as many elements as there are windows
 * @throws ArgumentError for a window of another rank, where no window fits, and for complex tensors, which have no order
 * @example
 * ```ts
 * const image = Nx.tensor([[1, 9, 2, 0], [3, 4, 8, 7]], { names: ["y", "x"] });
 * Nx.windowMax(image, [2, 2], { strides: [1, 2] });
 * // => #Nx.Tensor<
 * //   s64[y: 1][x: 2]
 * //   [
 * //     [9, 8]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.windowMax(Nx.tensor([1, NaN, 3, 4]), [2], { padding: [[0, 1]] });
 * // => #Nx.Tensor<
 * //   f32[4]
 * //   [NaN, NaN, 4.0, 4.0]
 * // >
 * Nx.windowMax(Nx.tensor([1, 2]), [2], { strides: 0 });
 * // throws ArgumentError: option strides of Nx.windowMax must be a positive integer or a list of 1, one for each axis, got: 0
 * ```
 */
export function windowMax<N extends Names = readonly []>(
  tensor: Operand<N>,
  window: Shape,
  options?: WindowOptions,
): Tensor<N> {
  return overWindows("windowMax", tensor, window, options) as Tensor<N>;
}

/**
 * The smallest element of each window of a tensor; NaN where there is one. Padding is larger than everything: infinity, or
 * the largest integer of the type.
 *
 * @param tensor - real numbers of any shape
 * @param window - a size for each axis
 * @param options - see {@link WindowOptions}
 * @returns the tensor's type and names; along each axis as many elements as there are windows
 * @throws ArgumentError for a window of another rank, where no window fits, and for complex tensors, which have no order
 * @example
 * ```ts
 * Nx.windowMin(Nx.tensor([3, 1, 2, 5], { names: ["x"] }), [3], { padding: "same" });
 * // => #Nx.Tensor<
 * //   s64[x: 4]
 * //   [1, 1, 1, 2]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.windowMin(Nx.c64([1, 2]), [2]);
 * // throws ArgumentError: Nx.windowMin is not defined for complex tensors, got type c64
 * ```
 */
export function windowMin<N extends Names = readonly []>(
  tensor: Operand<N>,
  window: Shape,
  options?: WindowOptions,
): Tensor<N> {
  return overWindows("windowMin", tensor, window, options) as Tensor<N>;
}

/**
 * Means over the windows of a tensor: sums divided by the size of the window, padding included.
 *
 * The zeros of the padding count, so means near edges that are padded are too small. The mean of the elements that are there
 * is the quotient of two sums, as below.
 *
 * @param tensor - numbers of any type and shape
 * @param window - a size for each axis
 * @param options - see {@link WindowOptions}
 * @returns a floating type, `f32` for integers; the tensor's names; along each axis as many elements as there are windows
 * @throws ArgumentError for a window of another rank, and where no window fits
 * @example
 * ```ts
 * const t = Nx.tensor([1, 2, 4, 8], { names: ["x"] });
 * Nx.windowMean(t, [2], { padding: [[0, 1]] });
 * // => #Nx.Tensor<
 * //   f32[x: 4]
 * //   [1.5, 3.0, 6.0, 4.0]
 * // >
 * const sums = (x: Nx.Tensor) => Nx.windowSum(x, [2], { padding: [[0, 1]] });
 * Nx.divide(sums(t), sums(Nx.fill(t, 1)));
 * // => #Nx.Tensor<
 * //   f32[x: 4]
 * //   [1.5, 3.0, 6.0, 8.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.windowMean(Nx.u8([200, 100]), [2]);
 * // => #Nx.Tensor<
 * //   f32[1]
 * //   [150.0]
 * // >
 *
 * // @ts-expect-error wrong on purpose
 * Nx.windowMean(Nx.tensor([1, 2]), "2");
 * // throws ArgumentError: the window of Nx.windowMean must be an array of positive integers
 * ```
 */
export function windowMean<N extends Names = readonly []>(
  tensor: Operand<N>,
  window: Shape,
  options?: WindowOptions,
): Tensor<N> {
  const fn = "Nx.windowMean";
  const t = asTensor(tensor, fn);
  const working = cast(t, workingType(t.type));
  const { windows, shape } = readWindows(fn, working, window, options);
  const sums = run(WINDOW_OP, template(working.type, shape, t.names), [working], { op: "windowSum", ...windows });
  return cast(divide(sums, sizeOf(windows.window)), toFloating(t.type)) as Tensor<N>;
}

function overWindows(op: WindowOp, tensor: Operand, window: Shape, options: WindowOptions | undefined): Tensor {
  const t = asTensor(tensor, `Nx.${op}`);
  const { windows, shape } = readWindows(`Nx.${op}`, t, window, options);
  if (op === "windowMax" || op === "windowMin") refuseComplex(op, t.type);
  return run(WINDOW_OP, template(t.type, shape, t.names), [t], { op, ...windows });
}
