/**
 * Elements in order: sort, argsort, the largest few, and reversing axes. Sorting is stable, and NaN is larger than
 * every number.
 */
import type { Direction } from "../../backend";
import { REVERSE, SORT, TAKE_ALONG } from "../../backends/primitives";
import type { AxisOf, AxesOf } from "../../core/axis-types";
import { ArgumentError } from "../../core/errors";
import {
  booleanOption,
  checkOptions,
  integerOption,
  wordOption,
  type AlsoAxes,
  type SomeAxes,
  type More,
} from "../../core/options";
import { allAxes, formatShape, resolveAxes, resolveAxis, type Names, type Axis } from "../../core/shape";
import { finiteLimits, isInteger, normalizeType, type DType, type IntegerType } from "../../core/types";
import { refuseComplex } from "../../ops";
import type { Operand, Tensor } from "../../tensor";
import { argsortAlong, firstOfArgsort } from "../aggregates/order";
import { alias, asTensor, cast, run, template } from "../dispatch";

/** Options of `Nx.sort`. */
export interface SortOptions<A = Axis> extends AlsoAxes<A> {
  /** Axis to sort along, by position (negative from the end) or by name; the first when left out. */
  readonly axis?: A;
  /** Smallest first (`"asc"`, when left out) or largest first. */
  readonly direction?: Direction;
  /** Whether equal elements must keep their order. They do either way. */
  readonly stable?: boolean;
}

/** Options of `Nx.argsort`. */
export interface ArgsortOptions<A = Axis> extends SortOptions<A> {
  /** Integer type of the positions, `s64` when left out. */
  readonly type?: IntegerType;
}

const SORT_OPTIONS: readonly string[] = ["axis", "direction", "stable"];
const DIRECTIONS = ["asc", "desc"] as const;

function readSort(fn: "sort" | "argsort", t: Tensor, options: SortOptions | undefined) {
  const name = `Nx.${fn}`;
  const axis = resolveAxis(options?.axis === undefined ? 0 : options.axis, t.shape, t.names);
  const direction = wordOption(name, "direction", options?.direction, DIRECTIONS, "asc");
  booleanOption(name, "stable", options?.stable, true);
  refuseComplex(fn, t.type);
  return { axis, direction };
}

/**
 * The elements in order along an axis.
 *
 * NaN counts as larger than every number: it comes last, and first in descending order. Negative zero is equal to zero.
 * Elements that are equal keep their order.
 *
 * @param tensor - real numbers and a shape of at least one axis
 * @param options - `axis` to sort along, the first when left out; `direction`: `"asc"` (default) or `"desc"`
 * @returns the type, shape and names of the tensor
 * @throws ArgumentError for an axis the tensor does not have, and for complex tensors, which have no order
 * @example
 * ```ts
 * Nx.sort(Nx.tensor([16, 23, 42, 4, 8, 15]));
 * // => #Nx.Tensor<
 * //   s64[6]
 * //   [4, 8, 15, 16, 23, 42]
 * // >
 * Nx.sort(Nx.tensor([3, NaN, Infinity, -Infinity, 1]), { direction: "desc" });
 * // => #Nx.Tensor<
 * //   f32[5]
 * //   [NaN, Inf, 3.0, 1.0, -Inf]
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.tensor([[3, 1, 7], [2, 5, 4]], { names: ["x", "y"] });
 * Nx.sort(t, { axis: "x" });
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 3]
 * //   [
 * //     [2, 1, 4],
 * //     [3, 5, 7]
 * //   ]
 * // >
 * Nx.sort(t, { axis: "y" });
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 3]
 * //   [
 * //     [1, 3, 7],
 * //     [2, 4, 5]
 * //   ]
 * // >
 *
 * // @ts-expect-error wrong on purpose
 * Nx.sort(t, { axis: "z" });
 * // throws ArgumentError: Nx.sort: no axis named "z" in shape [x: 2][y: 3]: the axes are "x", "y"
 * ```
 */
export function sort<N extends Names = readonly []>(
  tensor: Operand<N>,
  options?: AxisOf<N> | SortOptions<AxisOf<N>>,
  ..._more: More<SortOptions<undefined>>
): Tensor<N> {
  const choice = checkOptions<SortOptions>("Nx.sort", options, SORT_OPTIONS);
  const t = asTensor(tensor, "Nx.sort");
  return run(SORT, template(t.type, t.shape, t.names), [t], readSort("sort", t, choice)) as Tensor<N>;
}

/**
 * The positions that put a tensor in order along an axis: `Nx.takeAlongAxis` of them gives what `Nx.sort` gives, so NaN is last
 * in ascending order and first in descending order.
 *
 * @param tensor - real numbers and a shape of at least one axis
 * @param options - `axis` to sort along, the first when left out; `direction`: `"asc"` (default) or `"desc"`; `type` of the
 *   positions, `s64` when left out
 * @returns integers in the tensor's shape, with its names
 * @throws ArgumentError for an axis the tensor does not have, for complex tensors, which have no order, and a type that is
 *   too narrow for the positions
 * @example
 * ```ts
 * Nx.argsort(Nx.tensor([16, 23, 42, 4, 8, 15]));
 * // => #Nx.Tensor<
 * //   s64[6]
 * //   [3, 4, 5, 0, 1, 2]
 * // >
 * Nx.argsort(Nx.tensor([3, 1, 3, 1]), { direction: "desc", type: "u8" });
 * // => #Nx.Tensor<
 * //   u8[4]
 * //   [0, 2, 1, 3]
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.tensor([[3, 1, 7], [2, 5, 4]], { names: ["x", "y"] });
 * Nx.argsort(t, { axis: "y" });
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 3]
 * //   [
 * //     [1, 0, 2],
 * //     [0, 2, 1]
 * //   ]
 * // >
 *
 * // @ts-expect-error wrong on purpose
 * Nx.argsort(t, { type: "f32" });
 * // throws ArgumentError: option type of Nx.argsort must be an integer type, got: "f32"
 * ```
 */
export function argsort<N extends Names = readonly []>(
  tensor: Operand<N>,
  options?: AxisOf<N> | ArgsortOptions<AxisOf<N>>,
  ..._more: More<ArgsortOptions<undefined>>
): Tensor<N> {
  const choice = checkOptions<ArgsortOptions>("Nx.argsort", options, [...SORT_OPTIONS, "type"]);
  const type: DType = normalizeType(choice?.type === undefined ? "s64" : choice.type);
  if (!isInteger(type)) throw new ArgumentError(`option type of Nx.argsort must be an integer type, got: "${type}"`);
  const t = asTensor(tensor, "Nx.argsort");
  const order = readSort("argsort", t, choice);
  if (t.shape[order.axis]! - 1 > finiteLimits(type).max) {
    throw new ArgumentError(
      `option type of Nx.argsort must be able to hold ${t.shape[order.axis]! - 1}, the last position of axis ${order.axis} of ` +
        `shape ${formatShape(t.shape, t.names)}, got: "${type}"`,
    );
  }
  return cast(argsortAlong("s64", t, order.axis, order.direction), type) as Tensor<N>;
}

/**
 * The largest elements along the last axis, in descending order, and where they are. NaN counts as larger than every
 * number, so it comes first: put `-Infinity` in its place to have the largest numbers. Of equal elements the one with the lowest
 * position comes first.
 *
 * @param tensor - real numbers and a shape of at least one axis
 * @param options - `k`: how many, 1 when left out
 * @returns the elements, in the tensor's type, and their positions, `s64`; both with `k` for the last size, and its names
 * @throws ArgumentError when the last axis has fewer than `k` elements, for scalars and for complex tensors
 * @example
 * ```ts
 * const [values, indices] = Nx.topK(Nx.tensor([[1, 5, 3], [9, 7, 9]], { names: ["row", "place"] }), { k: 2 });
 * values;
 * // => #Nx.Tensor<
 * //   s64[row: 2][place: 2]
 * //   [
 * //     [5, 3],
 * //     [9, 9]
 * //   ]
 * // >
 * indices;
 * // => #Nx.Tensor<
 * //   s64[row: 2][place: 2]
 * //   [
 * //     [1, 2],
 * //     [0, 2]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.f64([3, NaN, 1], { names: ["x"] });
 * Nx.topK(t)[0];
 * // => #Nx.Tensor<
 * //   f64[x: 1]
 * //   [NaN]
 * // >
 * Nx.topK(Nx.where(Nx.isNan(t), -Infinity, t))[0];
 * // => #Nx.Tensor<
 * //   f64[x: 1]
 * //   [3.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.topK(Nx.tensor([1, 2]), { k: 3 });
 * // throws ArgumentError: Nx.topK expects at least k = 3 elements in the last axis, got shape [2]
 * ```
 */
export function topK<N extends Names = readonly []>(
  tensor: Operand<N>,
  options?: { readonly k?: number },
): readonly [values: Tensor<N>, indices: Tensor<N>] {
  const fn = "Nx.topK";
  options = checkOptions(fn, options, ["k"]);
  const k = integerOption(fn, "k", options?.k, 1, 1);
  const t = asTensor(tensor, fn);
  const axis = t.shape.length - 1;
  if (axis < 0 || t.shape[axis]! < k) {
    const shape = formatShape(t.shape, t.names);
    throw new ArgumentError(`${fn} expects at least k = ${k} elements in the last axis, got shape ${shape}`);
  }
  refuseComplex("topK", t.type);
  const indices = firstOfArgsort("s64", t, axis, "desc", k);
  const values = run(TAKE_ALONG, template(t.type, indices.shape, t.names), [t, indices], { axis });
  return [values as Tensor<N>, indices as Tensor<N>];
}

/**
 * The elements in the opposite order along axes.
 *
 * @param tensor - a tensor or a plain number
 * @param options - `axes` to reverse, all of them when left out
 * @returns the type, shape and names of the tensor
 * @throws ArgumentError for axes the tensor does not have and repeated ones
 * @example
 * ```ts
 * Nx.reverse(Nx.tensor([1, 2, 3]));
 * // => #Nx.Tensor<
 * //   s64[3]
 * //   [3, 2, 1]
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.tensor([[1, 2, 3], [4, 5, 6]], { names: ["x", "y"] });
 * Nx.reverse(t, { axes: ["y"] });
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 3]
 * //   [
 * //     [3, 2, 1],
 * //     [6, 5, 4]
 * //   ]
 * // >
 * Nx.reverse(t, { axes: [0, "x"] });
 * // throws ArgumentError: Nx.reverse: axes must not repeat, got [0, "x"] for shape [x: 2][y: 3]
 * ```
 */
export function reverse<N extends Names = readonly []>(
  tensor: Operand<N>,
  options?: AxesOf<N> | SomeAxes<AxesOf<N>>,
): Tensor<N> {
  const choice = checkOptions<SomeAxes>("Nx.reverse", options, ["axes"]);
  const t = asTensor(tensor, "Nx.reverse");
  const axes = choice?.axes === undefined ? allAxes(t.shape.length) : resolveAxes(choice.axes, t.shape, t.names);
  if (axes.length === 0) return alias(t) as Tensor<N>;
  return run(REVERSE, template(t.type, t.shape, t.names), [t], { axes }) as Tensor<N>;
}
