/**
 * Changing elements at coordinates: `indexedAdd`, `indexedPut`.
 */
import type { AxesOf } from "../../core/axis-types";
import { INDEXED } from "../../backends/primitives";
import { ArgumentError } from "../../core/errors";
import { checkOptions } from "../../core/options";
import { formatShape, sameShape, type Axis, type AxisList, type Names } from "../../core/shape";
import { commonType } from "../../core/promotion";
import type { Operand, Tensor } from "../../tensor";
import { asTensors, run, template } from "../dispatch";
import { asIndices, coordinateAxes, type CoordinateOptions } from "./core";

/**
 * A tensor with values added at coordinates; where a coordinate occurs several times all of its values are added.
 *
 * Sums of floats are taken in f64 and rounded once.
 *
 * @param tensor - a tensor of at least one axis
 * @param indices - integers; the last axis holds coordinates
 * @param updates - a value, or a slice of the axes that are not indexed, for each coordinate: the shape that
 *   {@link gather} would give
 * @param options - `axes` that the coordinates are of; by default the first ones
 * @returns the merged type, the tensor's shape and names
 * @throws ArgumentError for coordinates out of bounds and updates of another shape
 * @example
 * ```ts
 * const t = Nx.iota([2, 3], { names: ["x", "y"] });
 * Nx.indexedAdd(t, Nx.tensor([[0, 0], [1, 2], [0, 0]]), Nx.tensor([1, 10, 100]));
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 3]
 * //   [
 * //     [101, 1, 2],
 * //     [3, 4, 15]
 * //   ]
 * // >
 * Nx.indexedAdd(t, Nx.tensor([[2]]), Nx.f32([[0.5, 0.5]]), { axes: ["y"] });
 * // => #Nx.Tensor<
 * //   f32[x: 2][y: 3]
 * //   [
 * //     [0.0, 1.0, 2.5],
 * //     [3.0, 4.0, 5.5]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.indexedAdd(Nx.iota([2, 3]), Nx.tensor([[0, 0]]), Nx.tensor([1, 2]));
 * // throws ArgumentError: Nx.indexedAdd expects updates of shape [1] for indices of shape [1][2] and a tensor of shape [2][3]
 * ```
 */
export function indexedAdd<N extends Names = readonly []>(
  tensor: Operand<N>,
  indices: Operand,
  updates: Operand,
  options?: AxesOf<N> | CoordinateOptions<AxesOf<N>>,
): Tensor<N> {
  return indexed("Nx.indexedAdd", "add", tensor, indices, updates, options) as Tensor<N>;
}

/**
 * A tensor with values put at coordinates; where a coordinate occurs several times the last of its values stays.
 *
 * @param tensor - a tensor of at least one axis
 * @param indices - integers; the last axis holds coordinates
 * @param updates - a value, or a slice of the axes that are not indexed, for each coordinate: the shape that
 *   {@link gather} would give
 * @param options - `axes` that the coordinates are of; by default the first ones
 * @returns the merged type, the tensor's shape and names
 * @throws ArgumentError for coordinates out of bounds and updates of another shape
 * @example
 * ```ts
 * const t = Nx.iota([2, 3], { names: ["x", "y"] });
 * Nx.indexedPut(t, Nx.tensor([[0, 0], [1, 2], [0, 0]]), Nx.tensor([1, 10, 100]));
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 3]
 * //   [
 * //     [100, 1, 2],
 * //     [3, 4, 10]
 * //   ]
 * // >
 * Nx.indexedPut(t, Nx.tensor([[1]]), Nx.tensor([[7, 8, 9]]));
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 3]
 * //   [
 * //     [0, 1, 2],
 * //     [7, 8, 9]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.indexedPut(Nx.iota([3]), Nx.tensor([[3]]), Nx.tensor([0]));
 * // throws ArgumentError: Nx.indexedPut: index 3 is out of bounds for axis 0 of size 3 in shape [3]
 * ```
 */
export function indexedPut<N extends Names = readonly []>(
  tensor: Operand<N>,
  indices: Operand,
  updates: Operand,
  options?: AxesOf<N> | CoordinateOptions<AxesOf<N>>,
): Tensor<N> {
  return indexed("Nx.indexedPut", "put", tensor, indices, updates, options) as Tensor<N>;
}

function indexed(
  fn: string,
  op: "add" | "put",
  tensor: Operand,
  indices: Operand,
  updates: Operand,
  options: Axis | AxisList | CoordinateOptions | undefined,
): Tensor {
  const choice = checkOptions<CoordinateOptions>(fn, options, ["axes"]);
  const [t, values] = asTensors([tensor, updates], fn) as [Tensor, Tensor];
  const places = asIndices(indices, fn);
  const axes = coordinateAxes(fn, t, places, choice?.axes);
  const expected = [...places.shape.slice(0, -1), ...t.shape.filter((_, axis) => !axes.includes(axis))];
  if (!sameShape(values.shape, expected)) {
    throw new ArgumentError(
      `${fn} expects updates of shape ${formatShape(expected)} for indices of shape ${formatShape(places.shape, places.names)} ` +
        `and a tensor of shape ${formatShape(t.shape, t.names)}, got ${formatShape(values.shape, values.names)}`,
    );
  }
  const out = template(commonType(fn, t, values), t.shape, t.names);
  return run(INDEXED, out, [t, places, values], { op, axes });
}
