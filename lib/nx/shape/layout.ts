/**
 * Changing the shape without changing the elements: reshape and its kin, broadcast, transpose, tile.
 */
import type {
  AxisOf,
  Drop,
  Flattened,
  Insert,
  NewNames,
  Permute,
  Renamed,
  Renaming,
  AxesOf,
  Unguessed,
} from "../../core/axis-types";
import { ArgumentError, show } from "../../core/errors";
import { checkName, checkNames, uniqueNames, unnamed } from "../../core/names";
import { checkOptions, isPlainObject, type AlsoAxis, type SomeAxes, type More } from "../../core/options";
import {
  allAxes,
  checkShape,
  checkSize,
  formatShape,
  resolveAxes,
  resolveAxis,
  sameShape,
  sizeOf,
  type Name,
  type Names,
  type Shape,
  type Axis,
  type AxisList,
} from "../../core/shape";
import { Tensor, type Operand } from "../../tensor";
import { asTensor, run, template } from "../dispatch";
import { permuted, renamed, reshaped } from "./move";

/**
 * The same elements, in row-major order, in another shape.
 *
 * @param tensor - a tensor or a plain number
 * @param shape - the new shape, one of whose sizes may be `"auto"` or -1, what follows from the others; or a tensor, whose shape and names are taken
 * @param options - `names` of the new axes; without them the result is unnamed, even when the shape stays
 * @throws ArgumentError when the numbers of elements differ
 * @example
 * ```ts
 * Nx.reshape(Nx.tensor([1, 2, 3, 4], { names: ["x"] }), [2, "auto"], { names: ["row", "column"] });
 * // => #Nx.Tensor<
 * //   s64[row: 2][column: 2]
 * //   [
 * //     [1, 2],
 * //     [3, 4]
 * //   ]
 * // >
 * Nx.reshape(Nx.iota([6]), [-1, 3]).shape;
 * // => [2, 3]
 * ```
 * @example
 * ```ts
 * Nx.reshape(Nx.iota([4]), [3]);
 * // throws ArgumentError: Nx.reshape: cannot reshape [4] of 4 elements to [3] of 3: the number of elements must stay; "auto" or -1 stands
 * ```
 */
export function reshape<const M extends Names = Names>(
  tensor: Operand,
  shape: readonly (number | "auto")[] | Tensor,
  options?: { readonly names?: M },
): Tensor<M> {
  if (typeof shape === "number") checkShape(shape, "the new shape", shape, options);
  options = checkOptions("Nx.reshape", options, ["names"]);
  const t = asTensor(tensor, "Nx.reshape");
  const target = shape instanceof Tensor ? shape.shape : fillAuto(shape, t);
  const names = options?.names ?? (shape instanceof Tensor ? shape.names : undefined);
  if (sizeOf(target) !== sizeOf(t.shape)) {
    throw new ArgumentError(
      `cannot reshape ${formatShape(t.shape, t.names)} of ${sizeOf(t.shape)} elements to ${formatShape(target)} of ` +
        `${sizeOf(target)}: the number of elements must stay; "auto" or -1 stands for one size that follows from the others`,
    );
  }
  return reshaped(t, target, checkNames(names, target)) as Tensor as Tensor<M>;
}

function fillAuto(shape: readonly unknown[], t: Tensor): Shape {
  if (!Array.isArray(shape)) return checkShape(shape, "the new shape");
  const autos = shape.filter(isAuto).length;
  if (autos > 1) throw new ArgumentError(`only one size of a shape can be "auto" or -1, got: ${show(shape)}`);
  const known = checkShape(
    shape.map((dim: unknown) => (isAuto(dim) ? 1 : dim)),
    "the new shape",
  );
  const rest = sizeOf(t.shape) / sizeOf(known);
  if (autos === 0) return known;
  if (!Number.isInteger(rest)) {
    throw new ArgumentError(
      `cannot reshape ${formatShape(t.shape, t.names)} of ${sizeOf(t.shape)} elements to ${show(shape)}: the size left open would not be whole`,
    );
  }
  return known.map((dim, i) => (isAuto(shape[i]) ? rest : dim));
}

/** Whether a size is said to follow from the others: NumPy's way, or Nx's. */
const isAuto = (dim: unknown): boolean => dim === -1 || dim === "auto";

/** Options of `Nx.flatten`. */
export interface FlattenOptions<A = Axis | AxisList | undefined, M = Name> extends AlsoAxis<A> {
  /** Neighbouring axes to merge; all when left out. */
  readonly axes?: A;
  /** Name of the merged axis; none when left out. */
  readonly name?: M;
}

/**
 * All elements along one axis, or several neighbouring axes made into one.
 *
 * @param tensor - a tensor or a plain number
 * @param options - `axes`: neighbouring axes to merge (all by default); `name`: name of the merged axis (none by default)
 * @throws ArgumentError when the axes are not next to each other
 * @example
 * ```ts
 * Nx.flatten(Nx.iota([2, 2, 2], { names: ["x", "y", "z"] }), { axes: ["y", "z"] });
 * // => #Nx.Tensor<
 * //   s64[x: 2][4]
 * //   [
 * //     [0, 1, 2, 3],
 * //     [4, 5, 6, 7]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.flatten(Nx.iota([2, 2, 2]), { axes: [0, 2] });
 * // throws ArgumentError: Nx.flatten expects neighbouring axes, got [0, 2] for shape
 * ```
 */
export function flatten<
  N extends Names,
  const A extends AxesOf<N> | undefined = undefined,
  const M extends Name = null,
>(
  tensor: Operand<N>,
  options?: A | FlattenOptions<A, M>,
  ..._more: More<FlattenOptions<undefined, M>>
): Tensor<Flattened<N, A, M>> {
  const choice = checkOptions<FlattenOptions>("Nx.flatten", options as Axis | AxisList | FlattenOptions | undefined, [
    "axes",
    "name",
  ]);
  const t: Tensor = asTensor(tensor, "Nx.flatten");
  const given = choice?.axes !== undefined ? resolveAxes(choice.axes, t.shape, t.names) : allAxes(t.shape.length);
  const axes = given.sort((a, b) => a - b);
  const first = axes[0] ?? 0;
  if (choice?.axes !== undefined && axes.length === 0)
    throw new ArgumentError("flatten expects at least one axis in axes, got: []");
  if (axes.some((axis, i) => axis !== first + i)) {
    throw new ArgumentError(
      `flatten expects neighbouring axes, got ${show(choice?.axes)} for shape ${formatShape(t.shape, t.names)}`,
    );
  }
  const merged = axes.reduce((product, axis) => product * t.shape[axis]!, 1);
  const splice = <T>(values: readonly T[], value: T) => [
    ...values.slice(0, first),
    value,
    ...values.slice(first + axes.length),
  ];
  const shape = splice(t.shape, merged);
  const names = Object.freeze(splice<Name>(t.names, checkName(choice?.name ?? null)));
  return reshaped(t, shape, uniqueNames(names, shape)) as Tensor as Tensor<Flattened<N, A, M>>;
}

/**
 * Adds an axis of size 1.
 *
 * @param tensor - a tensor or a plain number
 * @param axis - its position in the result, from the back when negative
 * @param name - its name, none by default
 * @throws ArgumentError when the position is out of range or the name is taken
 * @example
 * ```ts
 * Nx.newAxis(Nx.tensor([1, 2], { names: ["x"] }), -1, "y");
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 1]
 * //   [
 * //     [1],
 * //     [2]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.newAxis(Nx.tensor([1, 2]), 3);
 * // throws ArgumentError: Nx.newAxis: the position of a new axis of [2] must be an integer from -2 to 1, got
 * ```
 */
export function newAxis<N extends Names = readonly [], const A extends number = number, const M extends Name = null>(
  tensor: Operand<N>,
  axis: A,
  name?: M,
): Tensor<Insert<N, A, Unguessed<M>>> {
  const t: Tensor = asTensor(tensor, "Nx.newAxis");
  const rank = t.shape.length + 1;
  const index = Number.isInteger(axis) && axis < 0 ? axis + rank : axis;
  if (!Number.isInteger(axis) || index < 0 || index >= rank) {
    throw new ArgumentError(
      `the position of a new axis of ${formatShape(t.shape, t.names)} must be an integer from ${-rank} to ${rank - 1}, got: ${show(axis)}`,
    );
  }
  const shape = [...t.shape.slice(0, index), 1, ...t.shape.slice(index)];
  const names = Object.freeze([...t.names.slice(0, index), checkName(name ?? null), ...t.names.slice(index)]);
  return reshaped(t, shape, uniqueNames(names, shape)) as Tensor as Tensor<Insert<N, A, Unguessed<M>>>;
}

/**
 * Removes axes of size 1.
 *
 * @param tensor - a tensor or a plain number
 * @param options - `axes` to remove; all of size 1 by default
 * @throws ArgumentError when a given axis has another size
 * @example
 * ```ts
 * Nx.squeeze(Nx.tensor([[[1, 2]]], { names: ["x", "y", "z"] }), { axes: ["y"] });
 * // => #Nx.Tensor<
 * //   s64[x: 1][z: 2]
 * //   [
 * //     [1, 2]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.squeeze(Nx.iota([2, 1]), { axes: [0] });
 * // throws ArgumentError: Nx.squeeze: cannot squeeze axis 0 of [2][1]: its size is 2, only axes of size 1 can go; index it with at
 * ```
 */
export function squeeze<N extends Names, const A extends AxesOf<N> = readonly AxisOf<N>[]>(
  tensor: Operand<N>,
  options?: A | SomeAxes<A>,
): Tensor<Drop<N, A>> {
  const choice = checkOptions<SomeAxes>("Nx.squeeze", options as Axis | AxisList | SomeAxes | undefined, ["axes"]);
  const t: Tensor = asTensor(tensor, "Nx.squeeze");
  const axes =
    choice?.axes !== undefined
      ? resolveAxes(choice.axes, t.shape, t.names)
      : allAxes(t.shape.length).filter((axis) => t.shape[axis] === 1);
  const wrong = axes.find((axis) => t.shape[axis] !== 1);
  if (wrong !== undefined) {
    throw new ArgumentError(
      `cannot squeeze axis ${wrong} of ${formatShape(t.shape, t.names)}: its size is ${t.shape[wrong]}, only axes of size 1 can go; ` +
        `index it with at or reduce it`,
    );
  }
  const keep = <T>(values: readonly T[]): readonly T[] => Object.freeze(values.filter((_, i) => !axes.includes(i)));
  return reshaped(t, keep(t.shape), keep(t.names)) as Tensor as Tensor<Drop<N, A>>;
}

/**
 * Gives the axes names, or takes them away.
 *
 * @param tensor - a tensor or a plain number
 * @param names - one name or null per axis; or an object with a new name for some of the old ones
 * @returns the same elements; axes that an object does not mention keep their names
 * @throws ArgumentError for a wrong number of names, an old name that no axis has, or two equal ones
 * @example
 * ```ts
 * Nx.rename(Nx.tensor([[1, 2]], { names: ["x", "y"] }), { y: "column" });
 * // => #Nx.Tensor<
 * //   s64[x: 1][column: 2]
 * //   [
 * //     [1, 2]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.rename(Nx.tensor([[1, 2]], { names: ["x", "y"] }), ["row", null]);
 * // => #Nx.Tensor<
 * //   s64[row: 1][2]
 * //   [
 * //     [1, 2]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.rename(Nx.iota([2, 2]), ["x", "x"]);
 * // throws ArgumentError: Nx.rename: operation would result in duplicate names ["x", "x"] for shape [x: 2][x: 2]; rename an axis of
 * ```
 */
export function rename<N extends Names, const M extends Names | Renaming>(
  tensor: Operand<N>,
  names: M & NewNames<N, M>,
): Tensor<Renamed<N, M>> {
  const t: Tensor = asTensor(tensor, "Nx.rename");
  const list = isPlainObject(names) ? replacedNames(t, names) : names;
  return renamed(t, checkNames(list, t.shape)) as Tensor as Tensor<Renamed<N, M>>;
}

/** The names of a tensor, some of which are replaced. */
function replacedNames({ shape, names }: Tensor, changes: Readonly<Record<string, unknown>>): unknown[] {
  const list: unknown[] = [...names];
  for (const old of Object.keys(changes)) list[resolveAxis(old, shape, names)] = changes[old];
  return list;
}

/**
 * Repeats a tensor to a larger shape.
 *
 * @param tensor - a tensor or a plain number
 * @param shape - the new shape; or a tensor, whose shape and names are taken
 * @param options - `axes`: for each axis of the tensor its position in the result (aligned from the right by default);
 *   `names` of the result, which is unnamed otherwise
 * @throws ArgumentError when an axis has neither size 1 nor that of its place
 * @example
 * ```ts
 * Nx.broadcast(Nx.tensor([1, 2]), [2, 3], { axes: [0], names: ["x", "y"] });
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 3]
 * //   [
 * //     [1, 1, 1],
 * //     [2, 2, 2]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.broadcast(Nx.tensor([1, 2]), [2, 3]);
 * // throws ArgumentError: Nx.broadcast: cannot broadcast [2] to [2][3] along axes [1]: there must be an ascending axis of the result
 * ```
 */
export function broadcast<const M extends Names = Names>(
  tensor: Operand,
  shape: Shape | Tensor,
  options?: { readonly axes?: readonly number[]; readonly names?: M },
): Tensor<M> {
  options = checkOptions("Nx.broadcast", options, ["axes", "names"]);
  const t = asTensor(tensor, "Nx.broadcast");
  const target = shape instanceof Tensor ? shape.shape : checkShape(shape, "the shape to broadcast to");
  const names = checkNames(options?.names ?? (shape instanceof Tensor ? shape.names : undefined), target);
  const axes =
    options?.axes !== undefined
      ? resolveAxes(options.axes, target, unnamed(target.length))
      : t.shape.map((_, i) => target.length - t.shape.length + i);
  checkBroadcast(t, target, axes);
  if (sameShape(t.shape, target)) return renamed(t, names) as Tensor as Tensor<M>;
  return run("broadcast", template(t.type, target, names), [t], { axes }) as Tensor as Tensor<M>;
}

function checkBroadcast(t: Tensor, target: Shape, axes: readonly number[]): void {
  const fits = axes.length === t.shape.length && axes.every((axis, i) => axis >= 0 && (i === 0 || axis > axes[i - 1]!));
  if (fits && t.shape.every((dim, i) => dim === 1 || dim === target[axes[i]!])) return;
  throw new ArgumentError(
    `cannot broadcast ${formatShape(t.shape, t.names)} to ${formatShape(target)} along axes ${show(axes)}: there must be an ` +
      `ascending axis of the result for each axis, whose size is the same or which has size 1`,
  );
}

/**
 * Reorders the axes.
 *
 * @param tensor - a tensor or a plain number
 * @param options - `axes`: every axis, by position or name, in the new order; reversed by default
 * @returns a tensor whose names move with their axes
 * @throws ArgumentError unless every axis is given once
 * @example
 * ```ts
 * Nx.transpose(Nx.iota([2, 3], { names: ["x", "y"] }));
 * // => #Nx.Tensor<
 * //   s64[y: 3][x: 2]
 * //   [
 * //     [0, 3],
 * //     [1, 4],
 * //     [2, 5]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.transpose(Nx.iota([1, 2, 3], { names: ["x", "y", "z"] }), { axes: ["z", "x", "y"] }).shape;
 * // => [ 3, 1, 2 ]
 * ```
 * @example
 * ```ts
 * Nx.transpose(Nx.iota([2, 3]), { axes: [0] });
 * // throws ArgumentError: Nx.transpose expects every axis of [2][3] once, got [0] with 1 of
 * ```
 */
export function transpose<N extends Names = readonly [], const A extends AxesOf<N> = never>(
  tensor: Operand<N>,
  options?: A | SomeAxes<A>,
): Tensor<Permute<N, [A][A extends unknown ? 0 : never]>> {
  const choice = checkOptions<SomeAxes>("Nx.transpose", options as Axis | AxisList | SomeAxes | undefined, ["axes"]);
  const t: Tensor = asTensor(tensor, "Nx.transpose");
  const axes =
    choice?.axes !== undefined ? resolveAxes(choice.axes, t.shape, t.names) : allAxes(t.shape.length).reverse();
  if (axes.length !== t.shape.length) {
    throw new ArgumentError(
      `transpose expects every axis of ${formatShape(t.shape, t.names)} once, got ${show(choice?.axes)} with ${axes.length} of ${t.shape.length}`,
    );
  }
  return permuted(t, axes) as Tensor as Tensor<Permute<N, A>>;
}

/**
 * Repeats a tensor along its axes.
 *
 * @param tensor - a tensor or a plain number
 * @param repetitions - how often, per axis from the last; more entries than axes add axes in front
 * @param options - `names` of the result, which is unnamed otherwise
 * @throws ArgumentError unless the repetitions are positive integers
 * @example
 * ```ts
 * Nx.tile(Nx.tensor([[1, 2]], { names: ["x", "y"] }), [2, 2], { names: ["x", "y"] });
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 4]
 * //   [
 * //     [1, 2, 1, 2],
 * //     [1, 2, 1, 2]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.tile(Nx.tensor([1, 2]), [0]);
 * // throws ArgumentError: Nx.tile: repetitions must hold positive integers only, got 0 in [0]; empty tensors do not
 * ```
 */
export function tile<const M extends Names = Names>(
  tensor: Operand,
  repetitions: readonly number[],
  options?: { readonly names?: M },
): Tensor<M> {
  options = checkOptions("Nx.tile", options, ["names"]);
  const t = asTensor(tensor, "Nx.tile");
  const times = checkShape(repetitions, "repetitions");
  const rank = Math.max(times.length, t.shape.length);
  const pad = (values: readonly number[]) => [...new Array<number>(rank - values.length).fill(1), ...values];
  const [dims, counts] = [pad(t.shape), pad(times)];
  const shape = Object.freeze(dims.map((dim, i) => dim * counts[i]!));
  checkSize(shape, "the tiled shape");
  const names = checkNames(options?.names, shape);
  if (counts.every((count) => count === 1)) return reshaped(t, shape, names) as Tensor as Tensor<M>;
  const spread = Object.freeze(dims.flatMap((dim, i) => [counts[i]!, dim]));
  const axes = dims.map((_, i) => 2 * i + 1);
  const flat = run("reshape", template(t.type, Object.freeze(dims), unnamed(rank)), [t], {});
  const repeated = run("broadcast", template(t.type, spread, unnamed(2 * rank)), [flat], { axes });
  return run("reshape", template(t.type, shape, names), [repeated], {}) as Tensor as Tensor<M>;
}
