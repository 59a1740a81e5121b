/**
 * Scattering to the extremes of windows.
 */
import { ArgumentError } from "../../core/errors";
import { WINDOW_SCATTER } from "../../backends/primitives";
import { formatShape, sameShape, type Names, type Shape } from "../../core/shape";
import { commonType } from "../../core/promotion";
import { refuseComplex } from "../../ops";
import type { Operand, Tensor } from "../../tensor";
import { shapeText } from "../aggregates/core";
import { asTensor, asTensorLike, run, template } from "../dispatch";
import { readWindows, type WindowOptions } from "./core";

/** Options of the scattering functions. */
export type WindowScatterOptions = Omit<WindowOptions, "windowDilations">;

/**
 * Adds each element of a source to where its window of a tensor has its maximum: the last one of several.
 *
 * This is how a gradient goes back through {@link windowMax}.
 *
 * @param tensor - real numbers of any shape, whose windows are looked at
 * @param source - an element for each window
 * @param initial - scalar that all elements of the result start from
 * @param window - a size for each axis
 * @param options - `padding` and `strides`, see {@link WindowOptions}
 * @returns the merged type of source and initial value; the tensor's shape and names
 * @throws ArgumentError for a source of another shape than the windows make, and for complex tensors, which have no order
 * @example
 * ```ts
 * const t = Nx.tensor([[7, 2, 5], [3, 10, 2]], { names: ["y", "x"] });
 * Nx.windowScatterMax(t, Nx.tensor([[2, 6]]), 0, [2, 2]);
 * // => #Nx.Tensor<
 * //   s64[y: 2][x: 3]
 * //   [
 * //     [0, 0, 0],
 * //     [0, 8, 0]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.windowScatterMax(Nx.tensor([1, 2, 3, 4]), Nx.tensor([10]), 0, [2], { strides: 2 });
 * // throws ArgumentError: Nx.windowScatterMax expects a source with an element for each window, shape [2], got shape [1]
 * ```
 */
export function windowScatterMax<N extends Names = readonly []>(
  tensor: Operand<N>,
  source: Operand,
  initial: Operand,
  window: Shape,
  options?: WindowScatterOptions,
): Tensor<N> {
  return scatterTo("max", tensor, source, initial, window, options) as Tensor<N>;
}

/**
 * Adds each element of a source to where its window of a tensor has its minimum: the last one of several.
 *
 * @param tensor - real numbers of any shape, whose windows are looked at
 * @param source - an element for each window
 * @param initial - scalar that all elements of the result start from
 * @param window - a size for each axis
 * @param options - `padding` and `strides`, see {@link WindowOptions}
 * @returns the merged type of source and initial value; the tensor's shape and names
 * @throws ArgumentError for a source of another shape than the windows make, and for complex tensors, which have no order
 * @example
 * ```ts
 * const t = Nx.tensor([7, 2, 2, 3], { names: ["x"] });
 * Nx.windowScatterMin(t, Nx.tensor([0.5, 0.25]), 1, [2], { strides: 2 });
 * // => #Nx.Tensor<
 * //   f32[x: 4]
 * //   [1.0, 1.5, 1.25, 1.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.windowScatterMin(Nx.tensor([7, 2]), Nx.tensor([1]), Nx.tensor([0, 0]), [2]);
 * // throws ArgumentError: Nx.windowScatterMin expects a scalar as initial value, got: s64[2]
 * ```
 */
export function windowScatterMin<N extends Names = readonly []>(
  tensor: Operand<N>,
  source: Operand,
  initial: Operand,
  window: Shape,
  options?: WindowScatterOptions,
): Tensor<N> {
  return scatterTo("min", tensor, source, initial, window, options) as Tensor<N>;
}

function scatterTo(
  op: "max" | "min",
  tensor: Operand,
  source: Operand,
  initial: Operand,
  window: Shape,
  options: WindowScatterOptions | undefined,
): Tensor {
  const fn = op === "max" ? "Nx.windowScatterMax" : "Nx.windowScatterMin";
  const t = asTensor(tensor, fn);
  const added = asTensor(source, fn);
  const start = asTensorLike(initial, added, fn);
  const { windows, shape } = readWindows(fn, t, window, options, ["padding", "strides"]);
  refuseComplex(fn.slice("Nx.".length), t.type);
  if (start.shape.length > 0) {
    throw new ArgumentError(`${fn} expects a scalar as initial value, got: ${shapeText(start)}`);
  }
  if (!sameShape(added.shape, shape)) {
    throw new ArgumentError(
      `${fn} expects a source with an element for each window, shape ${formatShape(shape)}, got shape ` +
        formatShape(added.shape, added.names),
    );
  }
  const out = template(commonType(fn, added, start), t.shape, t.names);
  return run(WINDOW_SCATTER, out, [t, added, start], { op, ...windows });
}
