/**
 * Moving axes and elements along them: moveAxis, swapAxes, roll, repeat.
 */
import type { AxisOf, Moved, Swapped } from "../../core/axis-types";
import { TAKE } from "../../backends/primitives";
import { ArgumentError, show } from "../../core/errors";
import { checkOptions } from "../../core/options";
import {
  allAxes,
  checkSize,
  formatShape,
  resolveAxes,
  resolveAxis,
  sizeOf,
  type Axis,
  type Names,
} from "../../core/shape";
import { unnamed } from "../../core/names";
import type { Operand, Tensor } from "../../tensor";
import { reshapeTo, sliceAlong } from "../aggregates/core";
import { s64 } from "../creation/typed";
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
export interface RollOptions<A = Axis> {
  /** The axis, or the axes, to go along; all elements in row-major order when left out. */
  readonly axis?: A | readonly A[];
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
  options?: RollOptions<AxisOf<N>>,
): Tensor<N> {
  const fn = "Nx.roll";
  options = checkOptions(fn, options, ["axis"]);
  const t: Tensor = asTensor(tensor, fn);
  const { axis } = options ?? {};
  const isFlat = axis === undefined;
  const line = isFlat ? reshapeTo(t, [sizeOf(t.shape)]) : t;
  const axes = isFlat ? [0] : resolveAxes(Array.isArray(axis) ? axis : [axis], t.shape, t.names);
  const shifts: readonly unknown[] = Array.isArray(shift) ? Array.from(shift as unknown[]) : axes.map(() => shift);
  if (shifts.length !== axes.length || !shifts.every(Number.isInteger)) {
    const many = `${axes.length} ${axes.length === 1 ? "axis" : "axes"}`;
    throw new ArgumentError(`${fn} expects one integer for each of ${many}, got: ${show(shift)}`);
  }
  const rolled = axes.reduce((result, each, i) => rollAlong(result, each, shifts[i] as number), line);
  const out = isFlat ? run("reshape", template(t.type, t.shape, t.names), [rolled], {}) : rolled;
  return (out === t ? alias(t) : out) as Tensor<N>;
}

function rollAlong(t: Tensor, axis: number, shift: number): Tensor {
  const size = t.shape[axis]!;
  const cut = (((size - shift) % size) + size) % size;
  if (cut === 0) return t;
  const pieces = [sliceAlong(t, axis, cut, size - cut), sliceAlong(t, axis, 0, cut)];
  return run("concatenate", template(t.type, t.shape, t.names), pieces, { axis });
}

/** Options of `Nx.repeat`. */
export interface RepeatOptions<A = Axis> {
  /** The axis whose entries are repeated; all elements, as one axis, when left out. */
  readonly axis?: A;
}

/**
 * Repeats each entry of an axis. `Nx.tile` repeats the tensor as a whole.
 *
 * @param tensor - a tensor or a plain number
 * @param count - how often, at least once; or a list with a number for each entry, of which some may be 0
 * @param options - `axis`; without it all elements are repeated, as one axis
 * @returns a tensor of the same type and names, with the axis longer; without an axis a vector
 * @throws ArgumentError for counts that are no such integers, for a list of another length, and where nothing is left
 * @example
 * ```ts
 * const t = Nx.tensor([[1, 2], [3, 4]], { names: ["x", "y"] });
 * Nx.repeat(t, 2, { axis: "y" });
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 4]
 * //   [
 * //     [1, 1, 2, 2],
 * //     [3, 3, 4, 4]
 * //   ]
 * // >
 * Nx.repeat(t, [0, 2], { axis: "x" });
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 2]
 * //   [
 * //     [3, 4],
 * //     [3, 4]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.repeat(Nx.tensor([1, 2]), 2);
 * // => #Nx.Tensor<
 * //   s64[4]
 * //   [1, 1, 2, 2]
 * // >
 * Nx.repeat(Nx.tensor([1, 2]), [1, 2, 3]);
 * // throws ArgumentError: Nx.repeat expects a count for each of 2 entries of axis 0 in shape [2], got: [1, 2, 3]
 * ```
 */
export function repeat<N extends Names, const A extends AxisOf<N> = never>(
  tensor: Operand<N>,
  count: number | readonly number[],
  options?: RepeatOptions<A>,
): Tensor<[A] extends [never] ? readonly [null] : N> {
  const fn = "Nx.repeat";
  options = checkOptions(fn, options, ["axis"]);
  const given: Tensor = asTensor(tensor, fn);
  const t = options?.axis === undefined ? reshapeTo(given, [sizeOf(given.shape)]) : given;
  const axis = options?.axis === undefined ? 0 : resolveAxis(options.axis, t.shape, t.names);
  const size = t.shape[axis]!;
  const counts: readonly unknown[] = Array.isArray(count)
    ? Array.from(count as unknown[])
    : new Array<unknown>(size).fill(count);
  const place = `axis ${axis} in shape ${formatShape(t.shape, t.names)}`;
  if (counts.length !== size) {
    throw new ArgumentError(`${fn} expects a count for each of ${size} entries of ${place}, got: ${show(count)}`);
  }
  const total = counts.reduce<number>((sum, each) => sum + (isCount(each) ? each : NaN), 0);
  if (!(total >= 1)) {
    throw new ArgumentError(
      `the counts of ${fn} must be integers of at least 0, of which one is not 0, got: ${show(count)}`,
    );
  }
  const out = t.shape.map((each, i) => (i === axis ? total : each));
  checkSize(out, `the result of ${fn}, shape`);
  const repeated = Array.isArray(count) ? taken(t, axis, counts as number[]) : spread(t, axis, counts[0] as number);
  return repeated as Tensor as Tensor<[A] extends [never] ? readonly [null] : N>;
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;

/** Every entry as often: an axis of that size behind the axis, which becomes one with it. */
function spread(t: Tensor, axis: number, count: number): Tensor {
  const wide = Object.freeze([...t.shape.slice(0, axis + 1), count, ...t.shape.slice(axis + 1)]);
  const axes = t.shape.map((_, i) => (i <= axis ? i : i + 1));
  const copies = run("broadcast", template(t.type, wide, unnamed(wide.length)), [t], { axes });
  const shape = Object.freeze(t.shape.map((size, i) => (i === axis ? size * count : size)));
  return run("reshape", template(t.type, shape, t.names), [copies], {});
}

/** Entries as often as their counts say: taken by their places. */
function taken(t: Tensor, axis: number, counts: readonly number[]): Tensor {
  const places = s64(counts.flatMap((count, i) => new Array<number>(count).fill(i)));
  const shape = Object.freeze(t.shape.map((size, i) => (i === axis ? places.shape[0]! : size)));
  return run(TAKE, template(t.type, shape, t.names), [t, places], { axis });
}
