/**
 * How often numbers occur: bincount, histogram.
 */
import { IOTA } from "../../backends/primitives";
import { tracingBackend } from "../../backends/registry";
import { ArgumentError, show } from "../../core/errors";
import type { AxesOf, Binned, Unguessed } from "../../core/axis-types";
import { checkName, checkNames, unnamed } from "../../core/names";
import { booleanOption, checkOptions, checkPlace, type AlsoAxis, type More } from "../../core/options";
import { unchecked } from "../../core/promotion-scope";
import {
  checkSize,
  formatShape,
  sameShape,
  sizeOf,
  type Axis,
  type AxisList,
  type Name,
  type Names,
} from "../../core/shape";
import { isInteger, toAggregate } from "../../core/types";
import { refuseComplex } from "../../ops";
import type { Operand, Tensor } from "../../tensor";
import { reduceMax, reduceMin, sum } from "../aggregates";
import { readAxes, reshapeTo, sliceAlong } from "../aggregates/core";
import { compositeOfOftenCalled } from "../composite";
import { toNumber } from "../conversion";
import { linspace } from "../creation";
import { asTensor, cast, constant, pair, run, template } from "../dispatch";
import {
  add,
  clip,
  divide,
  equal,
  floor,
  greater,
  greaterEqual,
  isFinite,
  less,
  lessEqual,
  logicalAnd,
  min,
  multiply,
  subtract,
  where,
} from "../elementwise";
import { sizesOf, sumsOf } from "./core";
import { checkAscending, entryAt, searchsorted } from "./search";

/** Options of `Nx.bincount`. */
export interface BincountOptions<M = Name> {
  /** The number of classes; the largest label and one more when left out, which a trace cannot know. */
  readonly length?: number;
  /** What each label counts, of the shape of the labels; 1 when left out. */
  readonly weights?: Operand;
  /** Name of the axis of classes. */
  readonly name?: M;
}

/**
 * How often each class occurs among labels, or the sum of their weights.
 *
 * @param labels - integers from 0 on, of any shape
 * @param options - `length`, the number of classes, which compiled functions have to give; `weights` of the labels; `name` of the axis
 * @returns a vector with an element for each class: `s64`, or the type of the weights
 * @throws ArgumentError for labels that are no integers, below 0 or not below `length`, and for weights of another shape
 * @example
 * ```ts
 * const labels = Nx.tensor([2, 0, 2, 2]);
 * Nx.bincount(labels, { length: 3, name: "class" });
 * // => #Nx.Tensor<
 * //   s64[class: 3]
 * //   [1, 0, 3]
 * // >
 * Nx.bincount(labels, { length: 4, weights: Nx.f32([0.5, 1, 2, 3]) });
 * // => #Nx.Tensor<
 * //   f32[4]
 * //   [1.0, 0.0, 5.5, 0.0]
 * // >
 * ```
 * @example
 * ```ts
 * const compiled = Nx.defn((labels: Nx.Tensor) => Nx.bincount(labels));
 * compiled(Nx.tensor([1]));
 * // throws ArgumentError: Nx.bincount in a compiled function needs the option length: the number of classes is a shape, which
 * ```
 */
export function bincount<const M extends Name = null>(
  labels: Operand,
  options?: BincountOptions<M> & object,
): Tensor<readonly [Unguessed<M>]>;
export function bincount(labels: Operand, options?: BincountOptions): Tensor {
  const fn = "Nx.bincount";
  options = checkOptions(fn, options, ["length", "weights", "name"]);
  const t: Tensor = asTensor(labels, fn);
  if (!isInteger(t.type)) {
    throw new ArgumentError(
      `${fn} expects labels of an integer type, got ${t.type}${formatShape(t.shape, t.names)}; convert them with Nx.asType`,
    );
  }
  const weights = options?.weights === undefined ? null : pair(t, options.weights, fn)[1];
  if (weights !== null && !sameShape(weights.shape, t.shape)) {
    throw new ArgumentError(
      `option weights of ${fn} expects the shape ${formatShape(t.shape, t.names)} of the labels, got ` +
        formatShape(weights.shape, weights.names),
    );
  }
  const length = lengthOf(fn, t, options?.length);
  return unchecked(() => counted(t, weights, length, checkName(options?.name ?? null)));
}

function lengthOf(fn: string, t: Tensor, given: unknown): number {
  if (given !== undefined) {
    if (typeof given === "number" && Number.isInteger(given) && given >= 1) return given;
    throw new ArgumentError(`option length of ${fn} must be a positive integer, got: ${show(given)}`);
  }
  if (tracingBackend() !== null) {
    throw new ArgumentError(
      `${fn} in a compiled function needs the option length: the number of classes is a shape, which values do not decide there`,
    );
  }
  return Math.max(1, Number(toNumber(reduceMax(t))) + 1);
}

/** Sums of weights by label; integers are counted in 64 bits. */
function counted(labels: Tensor, weights: Tensor | null, length: number, name: Name): Tensor {
  const line = [sizeOf(labels.shape)];
  const places = reshapeTo(labels, line);
  const counts =
    weights === null
      ? sizesOf(places, length)
      : sumsOf({ t: cast(reshapeTo(weights, line), toAggregate(weights.type)), labels: places, groups: length });
  return run("reshape", template(counts.type, counts.shape, Object.freeze([name])), [counts], {});
}

/** Options of `Nx.histogram`. */
export interface HistogramOptions<A = Axis | AxisList | undefined, M = Name> extends AlsoAxis<A> {
  /** Axes to count over, one or a list, by position (negative from the end) or by name; all of them when left out. */
  readonly axes?: A;
  /** Name of the axis of bins. */
  readonly name?: M;
  /** The number of bins of one width (10 when left out), or their edges as an ascending vector. */
  readonly bins?: number | Operand;
  /** The first and the last edge of bins of one width; the least and the largest finite element when left out. */
  readonly range?: readonly [low: number, high: number];
  /** What each element counts, of the shape of the tensor; 1 when left out. */
  readonly weights?: Operand;
  /** Whether results are densities, whose integral over the bins is 1. */
  readonly density?: boolean;
}

/**
 * How many elements fall into each of several bins. A bin includes its left edge, the last one its right edge, too; elements outside of
 * all bins and NaN are not counted.
 *
 * @param tensor - real numbers of any shape
 * @param options - `axes` to count over, all when left out; `bins`: their number (10) or their edges, the same for all counts; `range` of bins of
 *   one width; `weights` of the elements; `density`; `name` of the axis of bins
 * @returns the counts (`s64`, the type of the weights, or `f64` as densities), with the axes that are left and one of bins behind them, and the
 *   edges, one more
 * @throws ArgumentError for a number of bins below 1, edges that are no vector or do not ascend (not in compiled functions), a range that does not ascend, axes
 *   that the tensor does not have, and complex numbers
 * @example
 * ```ts
 * const [counts, edges] = Nx.histogram(Nx.f32([1, 2, 1.5, 4, 3.9]), { bins: 3 });
 * counts;
 * // => #Nx.Tensor<
 * //   s64[3]
 * //   [2, 1, 2]
 * // >
 * edges;
 * // => #Nx.Tensor<
 * //   f64[4]
 * //   [1.0, 2.0, 3.0, 4.0]
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.f32([[1, 2, 2, 9], [3, 3, 1, NaN]], { names: ["x", "time"] });
 * Nx.histogram(t, { axes: ["time"], bins: 2, range: [1, 3], name: "bin" })[0];
 * // => #Nx.Tensor<
 * //   s64[x: 2][bin: 2]
 * //   [
 * //     [1, 2],
 * //     [1, 2]
 * //   ]
 * // >
 * Nx.histogram(t as Nx.Tensor, { axes: ["tmie"] });
 * // throws ArgumentError: Nx.histogram: no axis named "tmie" in shape [x: 2][time: 4]
 * ```
 * @example
 * ```ts
 * Nx.histogram(Nx.tensor([1, 2, 7]), { bins: Nx.tensor([0, 2, 4]), density: true })[0];
 * // => #Nx.Tensor<
 * //   f64[2]
 * //   [0.25, 0.25]
 * // >
 * Nx.histogram(Nx.tensor([1]), { bins: 0 });
 * // throws ArgumentError: option bins of Nx.histogram expects a number of bins, at least 1, or a vector of edges, got: 0
 * ```
 */
export function histogram<
  N extends Names = readonly [],
  const A extends AxesOf<N> | undefined = undefined,
  const M extends Name = null,
>(
  tensor: Operand<N>,
  options?: A | HistogramOptions<A, M>,
  ..._more: More<HistogramOptions<undefined, M>>
): [counts: Tensor<Binned<N, A, Unguessed<M>>>, edges: Tensor<readonly [null]>];
export function histogram(
  tensor: Operand,
  given?: Axis | AxisList | HistogramOptions,
): [counts: Tensor, edges: Tensor] {
  const fn = "Nx.histogram";
  const options = checkOptions<HistogramOptions>(fn, given, ["axes", "bins", "range", "weights", "density", "name"]);
  const density = booleanOption(fn, "density", options?.density, false);
  const t: Tensor = asTensor(tensor, fn);
  refuseComplex("histogram", t.type);
  checkPlace(fn, given, t, "bins");
  const weights = options?.weights === undefined ? null : asTensor(options.weights, fn);
  if (weights !== null && !sameShape(weights.shape, t.shape)) {
    throw new ArgumentError(
      `option weights of ${fn} expects the shape ${formatShape(t.shape, t.names)} of the tensor, got ` +
        formatShape(weights.shape, weights.names),
    );
  }
  const { axes, shape, names } = readAxes(fn, t, options?.axes === undefined ? undefined : { axes: options.axes });
  const own = checkNames([...names, options?.name ?? null], [...shape, 1]);
  return unchecked(() => {
    const x = reshapeTo(t, [sizeOf(t.shape)]);
    const edges = edgesOf(fn, x, options?.bins ?? 10, options?.range);
    const bins = edges.shape[0]! - 1;
    const places = (typeof options?.bins === "object" ? placeAmong : placeOfOneWidth)(edges, x);
    const given = weights === null ? null : reshapeTo(weights, x.shape);
    const rows = sizeOf(shape);
    const labels = rows === 1 ? places : inRows(reshapeTo(places, t.shape), axes, bins + 1);
    const all = reshapeTo(counted(labels, given, rows * (bins + 1), null), [rows, bins + 1]);
    const counts = sliceAlong(all, 1, 0, bins);
    const found = density ? densities(counts, edges) : counts;
    return [run("reshape", template(found.type, Object.freeze([...shape, bins]), own), [found], {}), edges];
  });
}

/** Places among so many as places among those of all rows, which are what is left when axes are counted over. */
function inRows(places: Tensor, axes: readonly number[], each: number): Tensor {
  const rows = Object.freeze(places.shape.map((size, axis) => (axes.includes(axis) ? 1 : size)));
  const starts = multiply(run(IOTA, template("s32", rows, unnamed(rows.length)), [], { axis: null }), each);
  checkSize([sizeOf(rows) * each]);
  return add(places, starts);
}

/** The bin of each number by binary search; the last bin includes its right edge. What lies outside has the number after the last one. */
const placeAmong = compositeOfOftenCalled(function placeAmong(edges: Tensor, t: Tensor): Tensor {
  const x = cast(t, "f64");
  return orOutside(edges, x, min(subtract(searchsorted(edges, x, { side: "right" }), 1), edges.shape[0]! - 2));
});

/** The same by division, which may be one off: the edges decide. One pass, whatever the type of the numbers. */
const placeOfOneWidth = compositeOfOftenCalled(function placeOfOneWidth(edges: Tensor, t: Tensor): Tensor {
  const x = cast(t, "f64");
  const bins = edges.shape[0]! - 1;
  const [low, high] = [entryAt(edges, 0), entryAt(edges, bins)];
  const share = divide(subtract(x, low), subtract(high, low));
  const guess = clip(floor(multiply(where(isFinite(share), share, 0), bins)), 0, bins - 1);
  const width = divide(subtract(high, low), bins);
  const edgeAt = (place: Tensor): Tensor => add(low, multiply(place, width)); // as Nx.linspace has them
  const isBefore = logicalAnd(less(x, edgeAt(guess)), greater(guess, 0));
  const place = where(isBefore, subtract(guess, 1), guess);
  const next = add(place, 1);
  const isNext = logicalAnd(greaterEqual(x, edgeAt(next)), less(next, bins));
  return cast(orOutside(edges, x, where(isNext, next, place)), "s32");
});

/** Places of what is inside of all bins; what is not is counted in a bin more, which is left out. */
function orOutside(edges: Tensor, x: Tensor, places: Tensor): Tensor {
  const bins = edges.shape[0]! - 1;
  const isInside = logicalAnd(greaterEqual(x, entryAt(edges, 0)), lessEqual(x, entryAt(edges, bins)));
  return where(isInside, places, bins);
}

/** Rows of counts over their sums and the widths of the bins. */
function densities(counts: Tensor, edges: Tensor): Tensor {
  const bins = counts.shape[1]!;
  const widths = subtract(sliceAlong(edges, 0, 1, bins), sliceAlong(edges, 0, 0, bins));
  const wide = cast(counts, "f64");
  return divide(divide(wide, widths), sum(wide, { axes: [1], keepAxes: true }));
}

function edgesOf(fn: string, x: Tensor, bins: unknown, range: readonly [number, number] | undefined): Tensor {
  if (typeof bins === "number" && Number.isInteger(bins) && bins >= 1) {
    if (range === undefined) return edgesAround(x, { bins });
    const [low, high] = rangeOf(fn, range);
    return linspace(low, high, { n: bins + 1, type: "f64" });
  }
  const edges = typeof bins === "object" && bins !== null ? asTensor(bins as Operand, fn) : null;
  if (edges !== null) refuseComplex("histogram", edges.type);
  if (edges?.shape.length === 1 && edges.shape[0]! >= 2) {
    checkAscending(fn, "edges", edges);
    return reshapeTo(cast(edges, "f64"), edges.shape);
  }
  throw new ArgumentError(
    `option bins of ${fn} expects a number of bins, at least 1, or a vector of edges, got: ${show(bins)}`,
  );
}

/** From the least to the largest finite element; half a unit further on each side where all are one. */
const edgesAround = compositeOfOftenCalled(function edgesAround(t: Tensor, { bins }: { bins: number }): Tensor {
  const x = cast(t, "f64");
  const known = isFinite(x);
  const [low, high] = [reduceMin(where(known, x, Infinity)), reduceMax(where(known, x, -Infinity))];
  const more = multiply(cast(equal(low, high), "f64"), 0.5);
  return linspace(subtract(low, more), add(high, more), { n: bins + 1, type: "f64" });
});

function rangeOf(fn: string, range: unknown): [Tensor, Tensor] {
  const [low, high] = Array.isArray(range) ? (range as unknown[]) : [];
  if (Number.isFinite(low) && Number.isFinite(high) && (low as number) < (high as number)) {
    return [constant(low as number, "f64"), constant(high as number, "f64")];
  }
  throw new ArgumentError(`option range of ${fn} expects two ascending numbers, got: ${show(range)}`);
}
