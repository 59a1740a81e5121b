/**
 * Reducing windows with a function of the user's.
 */
import { ArgumentError } from "../../core/errors";
import { WINDOW_REDUCE } from "../../backends/primitives";
import type { Names, Shape } from "../../core/shape";
import type { Operand, Tensor } from "../../tensor";
import { shapeText } from "../aggregates/core";
import { checkReducer, scalarReducer, type Reducer } from "../aggregates/reduce";
import { asTensor, asTensorLike, cast, run, template } from "../dispatch";
import { readWindows, type WindowOptions } from "./core";

/**
 * Reduces the windows of a tensor with a function of your own, which puts one element after the other into an accumulator.
 *
 * Padding has the value that the accumulator starts with, so that should be neutral to the function. A function of scalars
 * is slow: prefer {@link windowSum}, {@link windowMax} and the like where they do.
 *
 * @param tensor - numbers of any type and shape
 * @param accumulator - scalar to start from, and value of the padding
 * @param window - a size for each axis
 * @param fn - given an element and the accumulator as scalar tensors, returns the new accumulator, a scalar
 * @param options - see {@link WindowOptions}
 * @returns the tensor's type and names; along each axis as many elements as there are windows
 * @throws ArgumentError for a window of another rank, where no window fits, and where the accumulator or what the function
 *   returns is not a scalar
 * @example
 * ```ts
 * const t = Nx.tensor([[1, 2, 3], [4, 5, 6]], { names: ["y", "x"] });
 * Nx.windowReduce(t, 0, [2, 2], (x, acc) => Nx.add(x, acc));
 * // => #Nx.Tensor<
 * //   s64[y: 1][x: 2]
 * //   [
 * //     [12, 16]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.windowReduce(Nx.tensor([1, 2, 3, 4]), 1, [2], (x, acc) => Nx.multiply(x, acc), { strides: 2 });
 * // => #Nx.Tensor<
 * //   s64[2]
 * //   [2, 12]
 * // >
 * Nx.windowReduce(Nx.tensor([1, 2]), Nx.tensor([0]), [2], (x) => x);
 * // throws ArgumentError: Nx.windowReduce expects a scalar as accumulator, got: s64[1]
 * ```
 */
export function windowReduce<N extends Names = readonly []>(
  tensor: Operand<N>,
  accumulator: Operand,
  window: Shape,
  fn: Reducer,
  options?: WindowOptions,
): Tensor<N> {
  const name = "Nx.windowReduce";
  checkReducer(name, fn);
  const t = asTensor(tensor, name);
  const initial = asTensorLike(accumulator, t, name);
  if (initial.shape.length > 0) {
    throw new ArgumentError(`${name} expects a scalar as accumulator, got: ${shapeText(initial)}`);
  }
  const { windows, shape } = readWindows(name, t, window, options);
  const inputs = [t, cast(initial, t.type)];
  const attrs = { fn: scalarReducer(name, fn, t.type), ...windows };
  return run(WINDOW_REDUCE, template(t.type, shape, t.names), inputs, attrs) as Tensor<N>;
}
