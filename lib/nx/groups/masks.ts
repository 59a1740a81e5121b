/**
 * Elements that a mask picks: nonzero, argwhere, compress. How many there are is a shape, which values decide; compiled functions are
 * told a size.
 */
import type { AxisOf, Compressed, Unguessed } from "../../core/axis-types";
import { NONZERO } from "../../backends/blocks";
import { TAKE } from "../../backends/primitives";
import { ArgumentError } from "../../core/errors";
import { mergeNames, unnamed } from "../../core/names";
import { checkOptions, type AlsoAxes, type More } from "../../core/options";
import { unchecked } from "../../core/promotion-scope";
import {
  formatShape,
  resolveAxis,
  rowMajorStrides,
  sameShape,
  sizeOf,
  type Axis,
  type Name,
  type Names,
} from "../../core/shape";
import type { Operand, Tensor } from "../../tensor";
import { sum } from "../aggregates";
import { reshapeTo, sliceAlong } from "../aggregates/core";
import { toNumber } from "../conversion";
import { asTensor, asTensors, cast, constant, run, template } from "../dispatch";
import { equal, notEqual, quotient, remainder, where } from "../elementwise";
import { transpose } from "../shape";
import { orderOf } from "./core";
import { cropped, fillFor, FOUND_OPTIONS, inNames, isAmong, readFound, type FoundOptions } from "./unique";

/**
 * The places of elements that are not zero: for each axis a vector of their positions along it, as NumPy's `nonzero`.
 *
 * @param tensor - numbers of any type and at least one axis; NaN is not zero
 * @param options - `size`: how many places the result has, which compiled functions have to say: the first of them, or all filled up with
 *   `fill` (0); `name` of the axis of places
 * @returns for each axis of the tensor a vector of positions, `s64`, in the order of elements
 * @throws ArgumentError where nothing is found and no `size` is given, since a tensor has at least one element; for a scalar
 * @example
 * ```ts
 * const t = Nx.tensor([[0, 5, 0], [7, 0, 9]], { names: ["row", "column"] });
 * const [rows, columns] = Nx.nonzero(t, { name: "place" });
 * rows;
 * // => #Nx.Tensor<
 * //   s64[place: 3]
 * //   [0, 1, 1]
 * // >
 * columns;
 * // => #Nx.Tensor<
 * //   s64[place: 3]
 * //   [1, 0, 2]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.nonzero(Nx.tensor([0, 0, 4]), { size: 2, fill: -1 })[0];
 * // => #Nx.Tensor<
 * //   s64[2]
 * //   [2, -1]
 * // >
 * Nx.nonzero(Nx.tensor([0, 0]));
 * // throws ArgumentError: Nx.nonzero found nothing in s64[2], and a tensor has at least one element: give the option size
 * ```
 */
export function nonzero<const M extends Name = null>(
  tensor: Operand,
  options?: FoundOptions<M>,
): Tensor<readonly [Unguessed<M>]>[];
export function nonzero(tensor: Operand, options?: FoundOptions): Tensor[] {
  const fn = "Nx.nonzero";
  const found = readFound(fn, options);
  const places = positionsOf(fn, asTensor(tensor, fn), found);
  if (places.shape.length === 1) return [inNames(places, [found.name])];
  const out = template("s64", Object.freeze([places.shape[1]!]), Object.freeze([found.name]));
  return Array.from({ length: places.shape[0]! }, (_, i) => run("reshape", out, [sliceAlong(places, 0, i, 1)], {}));
}

/**
 * The places of elements that are not zero, as coordinates: a row for each, as NumPy's `argwhere`. `Nx.gather(t, places)` gives the elements.
 *
 * @param tensor - numbers of any type and at least one axis; NaN is not zero
 * @param options - `size`: how many rows the result has, which compiled functions have to say: the first of them, or all filled up with
 *   `fill` (0); `name` of the axis of places
 * @returns a matrix of shape `[places, rank]`, `s64`, in the order of elements
 * @throws ArgumentError where nothing is found and no `size` is given, since a tensor has at least one element; for a scalar
 * @example
 * ```ts
 * const t = Nx.tensor([[0, 5, 0], [7, 0, 9]], { names: ["row", "column"] });
 * Nx.argwhere(t.greater(5), { name: "place" });
 * // => #Nx.Tensor<
 * //   s64[place: 2][2]
 * //   [
 * //     [1, 0],
 * //     [1, 2]
 * //   ]
 * // >
 * Nx.gather(t, Nx.argwhere(t));
 * // => #Nx.Tensor<
 * //   s64[3]
 * //   [5, 7, 9]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.argwhere(5);
 * // throws ArgumentError: Nx.argwhere expects a tensor of at least one axis, got shape []
 * ```
 */
export function argwhere<const M extends Name = null>(
  tensor: Operand,
  options?: FoundOptions<M>,
): Tensor<readonly [Unguessed<M>, null]>;
export function argwhere(tensor: Operand, options?: FoundOptions): Tensor {
  const fn = "Nx.argwhere";
  const found = readFound(fn, options);
  const places = positionsOf(fn, asTensor(tensor, fn), found);
  const [rank, count] = places.shape.length === 1 ? [1, places.shape[0]!] : (places.shape as [number, number]);
  const rows = transpose(reshapeTo(places, [rank, count]));
  return run("reshape", template("s64", rows.shape, Object.freeze([found.name, null])), [rows], {});
}

/** Options of `Nx.compress`. */
export interface CompressOptions<A = Axis, M = Name> extends FoundOptions<M>, AlsoAxes<A> {
  /** The axis of which the mask picks entries; of all elements, one after the other, when left out. */
  readonly axis?: A;
}

/**
 * The elements at which a mask is not zero, one after the other; or the entries of an axis, as NumPy's `compress`.
 *
 * @param tensor - numbers of any type and shape
 * @param mask - of the shape of the tensor; with `axis` a vector with an element for each entry of the axis. NaN is not zero
 * @param options - `axis` of which entries are picked; `size`: how many are, which compiled functions have to say: the first of them, or all
 *   filled up with `fill` (0); `name` of the axis of what is picked, which keeps the name of `axis` when left out
 * @returns a vector, or the tensor with less entries along the axis, of the tensor's type
 * @throws ArgumentError for a mask of another shape, and where nothing is picked and no `size` is given
 * @example
 * ```ts
 * const t = Nx.tensor([[1, 2, 3], [4, 5, 6]], { names: ["station", "day"] });
 * Nx.compress(t, Nx.tensor([1, 0, 1]), { axis: "day" });
 * // => #Nx.Tensor<
 * //   s64[station: 2][day: 2]
 * //   [
 * //     [1, 3],
 * //     [4, 6]
 * //   ]
 * // >
 * t.compress(t.greater(2));
 * // => #Nx.Tensor<
 * //   s64[4]
 * //   [3, 4, 5, 6]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.compress(Nx.f32([1, 2, 3]), Nx.tensor([0, 1, 0]), { size: 2, fill: NaN });
 * // => #Nx.Tensor<
 * //   f32[2]
 * //   [2.0, NaN]
 * // >
 * Nx.compress(Nx.f32([1, 2, 3]), Nx.tensor([0, 1]));
 * // throws ArgumentError: Nx.compress expects a mask of shape [3], got shape [2]
 * ```
 */
export function compress<
  N extends Names = readonly [],
  const A extends AxisOf<N> | undefined = undefined,
  const M extends Name = null,
>(
  tensor: Operand<N>,
  mask: Operand,
  options?: A | CompressOptions<A, M>,
  ..._more: More<CompressOptions<undefined, M>>
): Tensor<Compressed<N, A, Unguessed<M>>>;
export function compress(tensor: Operand, mask: Operand, given?: Axis | CompressOptions): Tensor {
  const fn = "Nx.compress";
  const options = checkOptions<CompressOptions>(fn, given, [...FOUND_OPTIONS, "axis"]);
  const found = readFound(fn, options, ["axis"]);
  const [t, picks] = asTensors([asTensor(tensor, fn), mask], fn) as [Tensor, Tensor];
  if (options?.axis === undefined) {
    if (!sameShape(t.shape, picks.shape)) throw misfit(fn, t.shape, t.names, picks);
    mergeNames(t.names, t.shape, picks.names, picks.shape);
    return picked(fn, reshapeTo(t, [sizeOf(t.shape)]), picks, 0, found, [found.name]);
  }
  const axis = resolveAxis(options.axis, t.shape, t.names);
  const own = Object.freeze([t.names[axis]!]);
  if (!sameShape(picks.shape, [t.shape[axis]!])) throw misfit(fn, [t.shape[axis]!], own, picks);
  mergeNames(own, picks.shape, picks.names, picks.shape);
  const names = t.names.map((name, i) => (i === axis ? (found.name ?? name) : name));
  return picked(fn, t, picks, axis, found, names);
}

const misfit = (fn: string, shape: readonly number[], names: Names, mask: Tensor): ArgumentError =>
  new ArgumentError(
    `${fn} expects a mask of shape ${formatShape(shape, names)}, got shape ${formatShape(mask.shape, mask.names)}`,
  );

type Found = ReturnType<typeof readFound>;

/** The entries of an axis at which a mask is not zero. */
function picked(fn: string, t: Tensor, mask: Tensor, axis: number, found: Found, names: Names): Tensor {
  return unchecked(() => {
    const { count, there } = countOf(fn, mask, found);
    const shape = Object.freeze(t.shape.map((size, i) => (i === axis ? count : size)));
    const places = placesOf("u32", reshapeTo(mask, [sizeOf(mask.shape)]), count);
    const taken = run(TAKE, template(t.type, shape, Object.freeze(names.slice())), [t, places], { axis });
    if (there === null) return taken;
    const along = reshapeTo(
      isAmong(there, count),
      shape.map((size, i) => (i === axis ? size : 1)),
    );
    return where(along, taken, constant(fillFor(fn, found.fill, t.type), t.type));
  });
}

/** The positions of places along each axis: a row for each, of a vector just these. */
function positionsOf(fn: string, t: Tensor, found: Found): Tensor {
  if (t.shape.length === 0) throw new ArgumentError(`${fn} expects a tensor of at least one axis, got shape []`);
  return unchecked(() => {
    const { count, there } = countOf(fn, t, found);
    const places = placesOf("s64", t, count);
    if (there === null || (found.fill ?? 0) === 0) return places;
    return where(isAmong(there, count), places, constant(fillFor(fn, found.fill, "s64"), "s64"));
  });
}

/** How many places are asked for, and how many there are where these may be others. */
function countOf(fn: string, mask: Tensor, { size }: Found): { count: number; there: Tensor | null } {
  const there = sum(notEqual(mask, 0));
  const count = size ?? Number(toNumber(there));
  if (count > 0) return { count, there: size === undefined ? null : there };
  throw new ArgumentError(
    `${fn} found nothing in ${mask.type}${formatShape(mask.shape, mask.names)}, and a tensor has at least one element: give the ` +
      `option size, up to which results are filled up`,
  );
}

/** The first places of what is not zero, zeros where there are less: along each axis, a row for each, of a vector just these. */
const placesOf = (type: "s64" | "u32", mask: Tensor, count: number): Tensor => {
  const rank = mask.shape.length;
  const shape = Object.freeze(rank === 1 ? [count] : [rank, count]);
  return run("block", template(type, shape, unnamed(shape.length)), [mask], {
    name: NONZERO,
    options: {},
    fn: (t) => firstPlaces(type, t!, count),
  });
};

/** Zeros are sorted behind all else. */
function firstPlaces(type: "s64" | "u32", mask: Tensor, count: number): Tensor {
  const isZero = equal(reshapeTo(mask, [sizeOf(mask.shape)]), 0);
  const order = cropped(orderOf(isZero), count);
  const places = where(isAmong(sum(equal(isZero, 0)), count), order, 0);
  if (mask.shape.length === 1) return cast(places, type);
  const strides = rowMajorStrides(mask.shape);
  const rows = mask.shape.map((size, i) => reshapeTo(remainder(quotient(places, strides[i]!), size), [1, count]));
  const all = template("u32", Object.freeze([rows.length, count]), unnamed(2));
  return cast(run("concatenate", all, rows, { axis: 0 }), type);
}
