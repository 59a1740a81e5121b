/**
 * How often numbers occur: bincount, histogram.
 */
import { tracingBackend } from "../../backends/registry";
import { ArgumentError, show } from "../../core/errors";
import { checkName } from "../../core/names";
import { booleanOption, checkOptions } from "../../core/options";
import { unchecked } from "../../core/promotion-scope";
import { formatShape, sameShape, sizeOf, type Name } from "../../core/shape";
import { isInteger, toAggregate } from "../../core/types";
import { refuseComplex } from "../../ops";
import type { Operand, Tensor } from "../../tensor";
import { reduceMax, reduceMin, sum } from "../aggregates";
import { reshapeTo, sliceAlong } from "../aggregates/core";
import { composite } from "../composite";
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
  options?: BincountOptions<M>,
): Tensor<readonly [M]>;
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
export interface HistogramOptions {
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
 * @param options - `bins`: their number (10) or their edges; `range` of bins of one width; `weights` of the elements; `density`
 * @returns the counts (`s64`, the type of the weights, or `f64` as densities) and the edges, one more
 * @throws ArgumentError for a number of bins below 1, edges that are no vector or do not ascend (not in compiled functions), a range that does not ascend, and complex numbers
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
 * Nx.histogram(Nx.tensor([1, 2, 7]), { bins: Nx.tensor([0, 2, 4]), density: true })[0];
 * // => #Nx.Tensor<
 * //   f64[2]
 * //   [0.25, 0.25]
 * // >
 * Nx.histogram(Nx.tensor([1]), { bins: 0 });
 * // throws ArgumentError: option bins of Nx.histogram expects a number of bins, at least 1, or a vector of edges, got: 0
 * ```
 */
export function histogram(
  tensor: Operand,
  options?: HistogramOptions,
): [counts: Tensor<readonly [null]>, edges: Tensor<readonly [null]>];
export function histogram(tensor: Operand, options?: HistogramOptions): [counts: Tensor, edges: Tensor] {
  const fn = "Nx.histogram";
  options = checkOptions(fn, options, ["bins", "range", "weights", "density"]);
  const density = booleanOption(fn, "density", options?.density, false);
  const t: Tensor = asTensor(tensor, fn);
  refuseComplex("histogram", t.type);
  const weights = options?.weights === undefined ? null : asTensor(options.weights, fn);
  if (weights !== null && !sameShape(weights.shape, t.shape)) {
    throw new ArgumentError(
      `option weights of ${fn} expects the shape ${formatShape(t.shape, t.names)} of the tensor, got ` +
        formatShape(weights.shape, weights.names),
    );
  }
  return unchecked(() => {
    const x = cast(reshapeTo(t, [sizeOf(t.shape)]), "f64");
    const edges = edgesOf(fn, x, options?.bins ?? 10, options?.range);
    const bins = edges.shape[0]! - 1;
    const place = typeof options?.bins === "object" ? placeAmong(edges, x) : placeOfOneWidth(edges, x);
    const isInside = logicalAnd(greaterEqual(x, entryAt(edges, 0)), lessEqual(x, entryAt(edges, bins)));
    const places = where(isInside, place, bins); // what lies outside is counted in a bin more, which is left out
    const given = weights === null ? null : reshapeTo(weights, x.shape);
    const counts = sliceAlong(counted(places, given, bins + 1, null), 0, 0, bins);
    return [density ? densities(counts, edges) : counts, edges];
  });
}

/** The bin of each number by binary search; the last bin includes its right edge. */
function placeAmong(edges: Tensor, x: Tensor): Tensor {
  return min(subtract(searchsorted(edges, x, { side: "right" }), 1), edges.shape[0]! - 2);
}

/** The same by division, which may be one off: the edges decide. */
const placeOfOneWidth = composite(function placeOfOneWidth(edges: Tensor, x: Tensor): Tensor {
  const bins = edges.shape[0]! - 1;
  const [low, high] = [entryAt(edges, 0), entryAt(edges, bins)];
  const share = divide(subtract(x, low), subtract(high, low));
  const guess = cast(clip(floor(multiply(where(isFinite(share), share, 0), bins)), 0, bins - 1), "s32");
  const width = divide(subtract(high, low), bins);
  const edgeAt = (place: Tensor): Tensor => add(low, multiply(cast(place, "f64"), width)); // as Nx.linspace has them
  const isBefore = logicalAnd(less(x, edgeAt(guess)), greater(guess, 0));
  const place = subtract(guess, cast(isBefore, "s32"));
  const isNext = logicalAnd(greaterEqual(x, edgeAt(add(place, 1))), less(place, bins - 1));
  return add(place, cast(isNext, "s32"));
});

/** Counts over their sum and the widths of the bins. */
function densities(counts: Tensor, edges: Tensor): Tensor {
  const bins = counts.shape[0]!;
  const widths = subtract(sliceAlong(edges, 0, 1, bins), sliceAlong(edges, 0, 0, bins));
  const wide = cast(counts, "f64");
  return divide(divide(wide, widths), sum(wide));
}

function edgesOf(fn: string, x: Tensor, bins: unknown, range: readonly [number, number] | undefined): Tensor {
  if (typeof bins === "number" && Number.isInteger(bins) && bins >= 1) {
    const [low, high] = range === undefined ? extremesOf(x) : rangeOf(fn, range);
    return linspace(low, high, { n: bins + 1, type: "f64" });
  }
  const edges = typeof bins === "object" && bins !== null ? asTensor(bins as Operand, fn) : null;
  if (edges?.shape.length === 1 && edges.shape[0]! >= 2) {
    checkAscending(fn, "edges", edges);
    return reshapeTo(cast(edges, "f64"), edges.shape);
  }
  throw new ArgumentError(
    `option bins of ${fn} expects a number of bins, at least 1, or a vector of edges, got: ${show(bins)}`,
  );
}

/** The least and the largest finite element; half a unit more on each side where all are one. */
function extremesOf(x: Tensor): [Tensor, Tensor] {
  const known = isFinite(x);
  const [low, high] = [reduceMin(where(known, x, Infinity)), reduceMax(where(known, x, -Infinity))];
  const more = multiply(cast(equal(low, high), "f64"), 0.5);
  return [subtract(low, more), add(high, more)];
}

function rangeOf(fn: string, range: unknown): [Tensor, Tensor] {
  const [low, high] = Array.isArray(range) ? (range as unknown[]) : [];
  if (Number.isFinite(low) && Number.isFinite(high) && (low as number) < (high as number)) {
    return [constant(low as number, "f64"), constant(high as number, "f64")];
  }
  throw new ArgumentError(`option range of ${fn} expects two ascending numbers, got: ${show(range)}`);
}
