/**
 * Moving axes and elements along them: moveAxis, swapAxes, roll.
 */
import { ROLL } from "../../backends/blocks";
import type { AxesOf, AxisOf, Moved, Swapped } from "../../core/axis-types";
import { tracingBackend } from "../../backends/registry";
import { ArgumentError, show } from "../../core/errors";
import { checkOptions } from "../../core/options";
import {
  allAxes,
  resolveAxes,
  resolveAxis,
  sameShape,
  sizeOf,
  type Axis,
  type AxisList,
  type Names,
  type Shape,
} from "../../core/shape";
import type { Operand, Tensor } from "../../tensor";
import { reshapeTo, sliceAlong } from "../aggregates/core";
import { alias, asTensor, run, template } from "../dispatch";

/**
 * Moves one axis to another place; the others keep their order.
 *
 * @param tensor - a tensor or a plain number
 * @param axis - the axis, by position or name
 * @param place - its position in the result, from the back when negative
 * @returns a tensor whose names move with their axes
 * @throws ArgumentError for an axis that the tensor does not have
 * @example
 * ```ts
 * const images = Nx.iota([2, 4, 5, 3], { names: ["batch", "height", "width", "channel"] });
 * Nx.moveAxis(images, "channel", 1).names;
 * // => [ "batch", "channel", "height", "width" ]
 * ```
 * @example
 * ```ts
 * Nx.moveAxis(Nx.iota([2, 3], { names: ["x", "y"] }), "y", 2);
 * // throws ArgumentError: Nx.moveAxis: given axis (2) invalid for shape [x: 2][y: 3] with rank 2; expected -2 to 1
 * ```
 */
export function moveAxis<N extends Names, const A extends AxisOf<N>, const D extends number>(
  tensor: Operand<N>,
  axis: A,
  place: D,
): Tensor<Moved<N, A, D>> {
  const t: Tensor = asTensor(tensor, "Nx.moveAxis");
  const from = resolveAxis(axis, t.shape, t.names);
  const order = allAxes(t.shape.length).filter((i) => i !== from);
  order.splice(resolveAxis(place, t.shape, t.names), 0, from);
  return permuted(t, order) as Tensor as Tensor<Moved<N, A, D>>;
}

/**
 * Exchanges two axes.
 *
 * @param tensor - a tensor or a plain number
 * @param first - an axis, by position or name
 * @param second - the other one
 * @returns a tensor whose names move with their axes
 * @throws ArgumentError for an axis that the tensor does not have
 * @example
 * ```ts
 * Nx.swapAxes(Nx.tensor([[1, 2, 3]], { names: ["x", "y"] }), "x", "y");
 * // => #Nx.Tensor<
 * //   s64[y: 3][x: 1]
 * //   [
 * //     [1],
 * //     [2],
 * //     [3]
 * //   ]
 * // >
 * Nx.swapAxes(Nx.tensor([[1, 2, 3]]), 0, 2);
 * // throws ArgumentError: Nx.swapAxes: given axis (2) invalid for shape [1][3] with rank 2; expected -2 to 1
 * ```
 */
export function swapAxes<N extends Names, const A extends AxisOf<N>, const B extends AxisOf<N>>(
  tensor: Operand<N>,
  first: A,
  second: B,
): Tensor<Swapped<N, A, B>> {
  const t: Tensor = asTensor(tensor, "Nx.swapAxes");
  const [a, b] = [resolveAxis(first, t.shape, t.names), resolveAxis(second, t.shape, t.names)];
  const order = allAxes(t.shape.length).map((i) => (i === a ? b : i === b ? a : i));
  return permuted(t, order) as Tensor as Tensor<Swapped<N, A, B>>;
}

/** The axes in another order, each with its name. */
export function permuted(t: Tensor, axes: readonly number[]): Tensor {
  if (axes.every((axis, i) => axis === i)) return alias(t);
  const permute = <T>(values: readonly T[]): readonly T[] => Object.freeze(axes.map((axis) => values[axis]!));
  return run("transpose", template(t.type, permute(t.shape), permute(t.names)), [t], { axes });
}

/** Options of `Nx.roll`. */
export interface RollOptions<A = Axis | AxisList> {
  /** The axis, or the axes, to go along; all elements in row-major order when left out. */
  readonly axis?: A;
  /** The same as `axis`. */
  readonly axes?: A;
}

/**
 * Moves elements along an axis; those that leave at one end come in at the other.
 *
 * @param tensor - a tensor or a plain number
 * @param shift - by how many places, backwards when negative; a list with one number for each of several axes
 * @param options - `axis`, or a list of axes; without it the elements move through the tensor in row-major order
 * @returns a tensor of the same type, shape and names
 * @throws ArgumentError for shifts that are no integers, and where their number is not that of the axes
 * @example
 * ```ts
 * const t = Nx.tensor([[1, 2, 3], [4, 5, 6]], { names: ["x", "y"] });
 * Nx.roll(t, 1, { axis: "y" });
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 3]
 * //   [
 * //     [3, 1, 2],
 * //     [6, 4, 5]
 * //   ]
 * // >
 * Nx.roll(t, -1);
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 3]
 * //   [
 * //     [2, 3, 4],
 * //     [5, 6, 1]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.roll(Nx.iota([2, 2]), [1, 1], { axis: 0 });
 * // throws ArgumentError: Nx.roll expects one integer for each of 1 axis, got: [1, 1]
 * ```
 */
export function roll<N extends Names>(
  tensor: Operand<N>,
  shift: number | readonly number[],
  options?: AxesOf<N> | RollOptions<AxesOf<N>>,
): Tensor<N> {
  const fn = "Nx.roll";
  const choice = checkOptions<RollOptions>(fn, options, ["axis"]);
  const t: Tensor = asTensor(tensor, fn);
  const { axis } = choice ?? {};
  const isFlat = axis === undefined;
  const line = isFlat ? reshapeTo(t, [sizeOf(t.shape)]) : t;
  const axes = isFlat ? [0] : resolveAxes(Array.isArray(axis) ? axis : [axis], t.shape, t.names);
  const shifts: readonly unknown[] | null = Array.isArray(shift) ? Array.from(shift as unknown[]) : null;
  if (shifts === null ? !Number.isInteger(shift) : shifts.length !== axes.length || !shifts.every(Number.isInteger)) {
    const many = `${axes.length} ${axes.length === 1 ? "axis" : "axes"}`;
    throw new ArgumentError(
      `${fn} expects one integer for each of ${many}, got: ${show(shift)}${isFlat && shifts !== null ? "; a list of shifts needs the option axes" : ""}`,
    );
  }
  let rolled = line;
  for (let i = 0; i < axes.length; i++)
    rolled = rollAlong(rolled, axes[i]!, (shifts === null ? shift : shifts[i]) as number);
  const out = isFlat ? run("reshape", template(t.type, t.shape, t.names), [rolled], {}) : rolled;
  return (out === t ? alias(t) : out) as Tensor<N>;
}

function rollAlong(t: Tensor, axis: number, shift: number): Tensor {
  const size = t.shape[axis]!;
  const cut = (((size - shift) % size) + size) % size;
  if (cut === 0) return t;
  // in a trace as what passes know
  if (tracingBackend() !== null) return rolledAt(t, axis, cut);
  const out = template(t.type, t.shape, t.names);
  return run("block", out, [t], { name: ROLL, options: { axis, cut }, fn: (x) => rolledAt(x!, axis, cut) });
}

/** The elements of an axis from `cut` on, then those before. */
function rolledAt(t: Tensor, axis: number, cut: number): Tensor {
  const pieces = [sliceAlong(t, axis, cut, t.shape[axis]! - cut), sliceAlong(t, axis, 0, cut)];
  return run("concatenate", template(t.type, t.shape, t.names), pieces, { axis });
}

/** The same elements in another shape. */
export function reshaped(t: Tensor, shape: Shape, names: Names): Tensor {
  if (sameShape(t.shape, shape)) return renamed(t, names);
  return run("reshape", template(t.type, Object.freeze(shape.slice()), names), [t], {});
}

/** The same elements under other names. */
export function renamed(t: Tensor, names: Names): Tensor {
  if (t.names === names || t.names.every((name, i) => name === names[i])) return alias(t);
  return run("reshape", template(t.type, t.shape, names), [t], {});
}
