/**
 * Looking elements up by tensors of positions: `take`, `takeAlongAxis`, `gather`.
 */
import type { AxesOf, AxisOf, Gathered, Replace } from "../../core/axis-types";
import { GATHER, TAKE, TAKE_ALONG } from "../../backends/primitives";
import { ArgumentError } from "../../core/errors";
import { uniqueNames } from "../../core/names";
import { checkOptions, type AlsoAxes } from "../../core/options";
import { checkSize, formatShape, resolveAxis, type Names, type Axis, type AxisList } from "../../core/shape";
import type { Operand, Tensor } from "../../tensor";
import { asTensor, run, template } from "../dispatch";
import { asIndices, coordinateAxes, type CoordinateOptions } from "./core";

/** The axis that a function goes along. */
export interface AlongOptions<A = Axis> extends AlsoAxes<A> {
  /** By position (negative from the end) or name; the first axis by default. */
  readonly axis?: A;
}

/**
 * Slices at the given positions of an axis, in the order given and as often as given.
 *
 * @param tensor - a tensor of at least one axis
 * @param indices - integers of any shape, from 0 to the size of the axis less one
 * @param options - `axis`: the first by default
 * @returns the tensor's type; its shape with that of the indices in place of the axis, names likewise. A vector of indices whose
 *   axis has no name leaves the axis its own name
 * @throws ArgumentError for positions out of bounds (plain numbers and negative ones included), indices that are no integers, and names that occur twice
 * @example
 * ```ts
 * const t = Nx.tensor([[1, 2], [3, 4]], { names: ["x", "y"] });
 * Nx.take(t, Nx.tensor([1, 0, 1], { names: ["pick"] }), { axis: "y" });
 * // => #Nx.Tensor<
 * //   s64[x: 2][pick: 3]
 * //   [
 * //     [2, 1, 2],
 * //     [4, 3, 4]
 * //   ]
 * // >
 * Nx.take(t, Nx.tensor([1]), { axis: "y" });
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 1]
 * //   [
 * //     [2],
 * //     [4]
 * //   ]
 * // >
 * Nx.take(t, 1);
 * // => #Nx.Tensor<
 * //   s64[y: 2]
 * //   [3, 4]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.take(Nx.tensor([1, 2, 3]), Nx.tensor([[2, 0]]));
 * // => #Nx.Tensor<
 * //   s64[1][2]
 * //   [
 * //     [3, 1]
 * //   ]
 * // >
 * Nx.take(Nx.tensor([1, 2, 3]), Nx.tensor([3]));
 * // throws ArgumentError: Nx.take: index 3 is out of bounds for axis 0 of size 3 in shape [3]
 * ```
 */
export function take<N extends Names = readonly [], M extends Names = readonly [], const A extends AxisOf<N> = never>(
  tensor: Operand<N>,
  indices: Operand<M>,
  options?: A | AlongOptions<A>,
): Tensor<Replace<N, A, M>> {
  const choice = checkOptions<AlongOptions>("Nx.take", options, ["axis"]);
  const t: Tensor = asTensor(tensor, "Nx.take");
  const axis = resolveAxis(choice?.axis === undefined ? 0 : choice.axis, t.shape, t.names);
  const places: Tensor = asIndices(indices, "Nx.take");
  const shape = Object.freeze([...t.shape.slice(0, axis), ...places.shape, ...t.shape.slice(axis + 1)]);
  checkSize(shape, "the result of Nx.take, shape");
  const inherits = places.shape.length === 1 && places.names[0] === null;
  const names = inherits
    ? t.names
    : Object.freeze([...t.names.slice(0, axis), ...places.names, ...t.names.slice(axis + 1)]);
  return run(TAKE, template(t.type, shape, uniqueNames(names, shape)), [t, places], { axis }) as Tensor as Tensor<
    Replace<N, A, M>
  >;
}

/**
 * Elements at positions along an axis, each place having positions of its own: what {@link argsort} gives puts a tensor
 * in order.
 *
 * @param tensor - a tensor of at least one axis
 * @param indices - integers from 0 to the size of the axis less one; of the tensor's shape but for the size of the axis
 * @param options - `axis`: the first by default
 * @returns the tensor's type and names, the shape of the indices
 * @throws ArgumentError for positions out of bounds and shapes that differ elsewhere
 * @example
 * ```ts
 * const t = Nx.tensor([[3, 1, 2], [5, 6, 4]], { names: ["x", "y"] });
 * Nx.takeAlongAxis(t, Nx.argsort(t, { axis: "y" }), { axis: "y" });
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 3]
 * //   [
 * //     [1, 2, 3],
 * //     [4, 5, 6]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.takeAlongAxis(Nx.tensor([[1, 2], [3, 4]]), Nx.tensor([[1, 0]]));
 * // => #Nx.Tensor<
 * //   s64[1][2]
 * //   [
 * //     [3, 2]
 * //   ]
 * // >
 * Nx.takeAlongAxis(Nx.tensor([[1, 2], [3, 4]]), Nx.tensor([[0, 0, 0]]));
 * // throws ArgumentError: Nx.takeAlongAxis expects indices of the tensor's shape but for axis 0, got indices of shape [1][3]
 * ```
 */
export function takeAlongAxis<N extends Names = readonly []>(
  tensor: Operand<N>,
  indices: Operand,
  options?: AxisOf<N> | AlongOptions<AxisOf<N>>,
): Tensor<N> {
  const fn = "Nx.takeAlongAxis";
  const choice = checkOptions<AlongOptions>(fn, options, ["axis"]);
  const t = asTensor(tensor, fn);
  const axis = resolveAxis(choice?.axis === undefined ? 0 : choice.axis, t.shape, t.names);
  const places = asIndices(indices, fn);
  const fits =
    places.shape.length === t.shape.length && t.shape.every((dim, i) => i === axis || dim === places.shape[i]);
  if (!fits) {
    throw new ArgumentError(
      `${fn} expects indices of the tensor's shape but for axis ${axis}, got indices of shape ` +
        `${formatShape(places.shape, places.names)} for shape ${formatShape(t.shape, t.names)}`,
    );
  }
  return run(TAKE_ALONG, template(t.type, places.shape, t.names), [t, places], { axis }) as Tensor<N>;
}

/**
 * Elements, or slices, at coordinates.
 *
 * @param tensor - a tensor of at least one axis
 * @param indices - integers; the last axis holds coordinates
 * @param options - `axes` that the coordinates are of; by default the first ones, as many as a coordinate has entries
 * @returns the tensor's type; the shape of the indices without their last axis, followed by the axes that are not indexed
 * @throws ArgumentError for coordinates out of bounds, and where their number of entries does not fit
 * @example
 * ```ts
 * const t = Nx.tensor([[1, 2], [3, 4]], { names: ["x", "y"] });
 * Nx.gather(t, Nx.tensor([[1, 1], [0, 1], [1, 0]], { names: ["n", null] }));
 * // => #Nx.Tensor<
 * //   s64[n: 3]
 * //   [4, 2, 3]
 * // >
 * Nx.gather(t, Nx.tensor([[1], [0]]), { axes: ["y"] });
 * // => #Nx.Tensor<
 * //   s64[2][x: 2]
 * //   [
 * //     [2, 4],
 * //     [1, 3]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.gather(Nx.iota([2, 2]), Nx.tensor([[1, 2]]));
 * // throws ArgumentError: Nx.gather: index 2 is out of bounds for axis 1 of size 2 in shape [2][2]
 * Nx.gather(Nx.iota([2, 2]), Nx.tensor([[0, 0, 0]]));
 * // throws ArgumentError: Nx.gather expects coordinates of at most 2 entries in the last axis of the indices, got indices of
 * ```
 */
export function gather<N extends Names = readonly [], M extends Names = readonly [], const A extends AxesOf<N> = never>(
  tensor: Operand<N>,
  indices: Operand<M>,
  options?: A | CoordinateOptions<A>,
): Tensor<Gathered<N, M, A>> {
  const choice = checkOptions<CoordinateOptions>(
    "Nx.gather",
    options as Axis | AxisList | CoordinateOptions | undefined,
    ["axes"],
  );
  const t: Tensor = asTensor(tensor, "Nx.gather");
  const places: Tensor = asIndices(indices, "Nx.gather");
  const axes = coordinateAxes("Nx.gather", t, places, choice?.axes);
  const isLeft = (_: unknown, axis: number) => !axes.includes(axis);
  const shape = Object.freeze([...places.shape.slice(0, -1), ...t.shape.filter(isLeft)]);
  checkSize(shape, "the result of Nx.gather, shape");
  const names = Object.freeze([...places.names.slice(0, -1), ...t.names.filter(isLeft)]);
  return run(GATHER, template(t.type, shape, uniqueNames(names, shape)), [t, places], { axes }) as Tensor as Tensor<
    Gathered<N, M, A>
  >;
}
