/**
 * Neighbours along an axis that are reduced together: rolling (windows that overlap), resample (blocks that do not).
 */
import type { AxisOf } from "../../core/axis-types";
import { TAKE, TAKE_ALONG } from "../../backends/primitives";
import { ArgumentError, show } from "../../core/errors";
import { booleanOption, checkOptions, integerOption, wordOption } from "../../core/options";
import { unchecked } from "../../core/promotion-scope";
import { formatShape, resolveAxis, type Name, type Names } from "../../core/shape";
import { toFloating } from "../../core/types";
import { refuseComplex } from "../../ops";
import type { Operand, Tensor } from "../../tensor";
import {
  all,
  any,
  argmax,
  argmin,
  mean,
  median,
  mode,
  percentile,
  product,
  quantile,
  reduceMax,
  reduceMin,
  standardDeviation,
  sum,
  variance,
} from "../aggregates";
import { positionsAlong, reshapeTo, sliceAlong, workingType } from "../aggregates/core";
import { missingIn } from "../aggregates/missing";
import { asTensor, cast, constant, run, template } from "../dispatch";
import {
  add,
  clip,
  divide,
  equal,
  greater,
  greaterEqual,
  isNan,
  less,
  logicalAnd,
  logicalNot,
  multiply,
  sqrt,
  subtract,
  where,
} from "../elementwise";
import { kurtosis, skewness } from "../moments";
import { logSumExp } from "../softmax";
import { windowMax, windowMin, windowSum } from "../windows";
import { inNames } from "./unique";
import { EntryGroups, type GroupOp, type GroupSettings } from "./reductions";

/** A reduction of one axis of a tensor by the function of its name; places are those along the axis. */
function reduceAxis(op: GroupOp, t: Tensor, axis: number, settings: GroupSettings): Tensor {
  const { skips, ddof, share, whole, tieBreak, bias, fisher } = settings;
  const nan = skips ? "skip" : "propagate";
  const axes = { axes: [axis], nan } as const;
  switch (op) {
    case "count":
      return cast(sum(logicalNot(missingIn(t, skips) ?? constant(0, "u8", t.shape)), { axes: [axis] }), "s64");
    case "max":
      return reduceMax(t, axes);
    case "min":
      return reduceMin(t, axes);
    case "argmax":
    case "argmin":
      return { argmax, argmin }[op](t, { axis, nan, tieBreak });
    case "first":
    case "last":
      return endOf(op, t, axis, missingIn(t, skips));
    case "median":
    case "mode":
      return { median, mode }[op](t, { axis, nan });
    case "quantile":
      return whole === 100 ? percentile(t, share, { axis, nan }) : quantile(t, share, { axis, nan });
    case "variance":
    case "standardDeviation":
      return { variance, standardDeviation }[op](t, { ...axes, ddof });
    case "skewness":
      return skewness(t, { ...axes, bias });
    case "kurtosis":
      return kurtosis(t, { ...axes, bias, fisher });
    default:
      return { all, any, logSumExp, mean, product, sum }[op](t, axes);
  }
}

/** The first or the last element along an axis that is not missing; where all are one of them. */
function endOf(which: "first" | "last", t: Tensor, axis: number, missing: Tensor | null): Tensor {
  const rest = t.shape.filter((_, i) => i !== axis);
  if (missing === null) {
    return reshapeTo(sliceAlong(t, axis, which === "first" ? 0 : t.shape[axis]! - 1, 1), rest);
  }
  const tieBreak = which === "first" ? "low" : "high";
  const place: Tensor = argmax(logicalNot(missing), { axis, keepAxis: true, tieBreak });
  return reshapeTo(run(TAKE_ALONG, template(t.type, place.shape, t.names), [t, place], { axis }), rest);
}

/** Places in groups as places along the axis that groups of an axis stand at, by where each group begins; those below 0 are no places. */
function placesFrom(places: Tensor, starts: Tensor, axis: number): Tensor {
  const along = reshapeTo(
    starts,
    places.shape.map((size, i) => (i === axis ? size : 1)),
  );
  return where(less(places, 0), places, add(reshapeTo(places, places.shape), along));
}

/** Options of `Nx.resample`. */
export interface ResampleOptions {
  /** What becomes of entries behind the last whole block: an error (`"exact"`, when left out), or they are left out (`"trim"`). */
  readonly boundary?: "exact" | "trim";
}

/** Blocks of neighbours along an axis, whose reductions are methods; made by `Nx.resample`. */
export class Resampled<N extends Names = Names> extends EntryGroups<N> {
  /** @internal */
  protected readonly knowsNan = true;
  /** @internal */
  protected readonly maker = "Nx.resample";
  /** @internal */
  protected readonly source: { readonly t: Tensor; readonly axis: number };
  readonly #size: number;

  /** @internal */
  constructor(t: Tensor, axis: number, size: number) {
    super();
    this.source = { t, axis };
    this.#size = size;
  }

  /** @internal */
  protected of(t: Tensor): Resampled {
    return new Resampled(t, this.source.axis, this.#size);
  }

  /** @internal */
  protected reduce(op: GroupOp, settings: GroupSettings): Tensor {
    const { t, axis } = this.source;
    const { shape, names } = t;
    const blocks = shape[axis]! / this.#size;
    const inBlocks = [...shape.slice(0, axis), blocks, this.#size, ...shape.slice(axis + 1)];
    return unchecked(() => {
      const result = reduceAxis(op, reshapeTo(t, inBlocks), axis + 1, settings);
      if (op !== "argmax" && op !== "argmin") return inNames(result, names);
      const starts = multiply(positionsAlong("s64", [blocks], 0), this.#size);
      return inNames(placesFrom(result, starts, axis), names);
    });
  }
}

/**
 * Blocks of as many neighbours along an axis, one behind the other, each of which becomes one entry: `t.resample("day", 7).mean()` are means
 * of weeks. (For months, which differ in length, see `Nx.groupBy`.)
 *
 * @param tensor - numbers of any type and at least one axis
 * @param axis - the axis, by name or position
 * @param size - how many entries a block has
 * @param options - `boundary`: `"trim"` leaves out entries behind the last whole block, which are an error otherwise (`"exact"`)
 * @returns an object with a method for each reduction, as that of `Nx.groupBy`, with the option `nan`; results have the axes of the tensor and
 *   their names
 * @throws ArgumentError for an axis that the tensor does not have, a size that is no positive integer, and entries that are left over
 * @example
 * ```ts
 * const rain = Nx.tensor([1, 2, 3, 4, 5, 9, 7], { names: ["day"] });
 * rain.resample("day", 3, { boundary: "trim" }).sum();
 * // => #Nx.Tensor<
 * //   s64[day: 2]
 * //   [6, 18]
 * // >
 * Nx.resample(rain, "day", 7).median();
 * // => #Nx.Tensor<
 * //   s64[day: 1]
 * //   [4]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.resample(Nx.iota([7], { names: ["day"] }), "day", 3);
 * // throws ArgumentError: Nx.resample expects whole blocks of 3, and axis 0 of shape [day: 7] has 1 left over; boundary: "trim" leaves these out
 * ```
 */
export function resample<N extends Names = Names>(
  tensor: Operand<N>,
  axis: AxisOf<N>,
  size: number,
  options?: ResampleOptions,
): Resampled<N> {
  const fn = "Nx.resample";
  options = checkOptions(fn, options, ["boundary"]);
  const boundary = wordOption(fn, "boundary", options?.boundary, ["exact", "trim"], "exact");
  const t: Tensor = asTensor(tensor, fn);
  const at = resolveAxis(axis, t.shape, t.names);
  const [length, place] = [t.shape[at]!, formatShape(t.shape, t.names)];
  const blocks = Math.floor(length / checkLength(fn, size, t, at));
  const over = length - blocks * size;
  if (over > 0 && boundary === "exact") {
    throw new ArgumentError(
      `${fn} expects whole blocks of ${size}, and axis ${at} of shape ${place} has ${over} left over; boundary: "trim" leaves these out`,
    );
  }
  const whole = over > 0 ? sliceAlong(t, at, 0, blocks * size) : t;
  return new Resampled<N>(whole, at, size);
}

/** A number of neighbours, of which the axis has as many. */
function checkLength(fn: string, size: unknown, t: Tensor, axis: number): number {
  if (typeof size === "number" && Number.isInteger(size) && size >= 1 && size <= t.shape[axis]!) return size;
  throw new ArgumentError(
    `${fn} expects a number of entries from 1 to the ${t.shape[axis]!} of axis ${axis} of shape ${formatShape(t.shape, t.names)}, got: ` +
      show(size),
  );
}

/** Options of `Nx.rolling`. */
export interface RollingOptions {
  /** How many elements that are not NaN a window needs; as many as the window has when left out. With less the result is NaN. */
  readonly minPeriods?: number;
  /** Whether a window reaches to both sides of its entry, and not backwards from it. */
  readonly center?: boolean;
}

/** Windows that go along an axis, whose reductions are methods; made by `Nx.rolling`. */
export class Rolling<N extends Names = Names> extends EntryGroups<N> {
  /** @internal */
  protected readonly knowsNan = false;
  /** @internal */
  protected readonly maker = "Nx.rolling";
  /** @internal */
  protected readonly source: { readonly t: Tensor; readonly axis: number };
  readonly #reach: readonly [before: number, behind: number];
  readonly #least: number;

  /** @internal */
  constructor(t: Tensor, axis: number, reach: readonly [before: number, behind: number], least: number) {
    super();
    this.source = { t, axis };
    this.#reach = reach;
    this.#least = least;
  }

  /** @internal */
  protected of(t: Tensor): Rolling {
    return new Rolling(t, this.source.axis, this.#reach, this.#least);
  }

  /** @internal */
  protected reduce(op: GroupOp, settings: GroupSettings): Tensor {
    const { t, axis } = this.source;
    return unchecked(() => {
      const missing = isNan(t);
      const counts = this.#overWindows(windowSum, cast(logicalNot(missing), "s64"));
      if (op === "count") return counts;
      const least =
        op === "variance" || op === "standardDeviation" ? Math.max(this.#least, settings.ddof + 1) : this.#least;
      const isEnough = greaterEqual(counts, least);
      const value = this.#value(op, missing, counts, isEnough, { ...settings, skips: true });
      if (op === "argmax" || op === "argmin") {
        const starts = subtract(positionsAlong("s64", [t.shape[axis]!], 0), this.#reach[0]);
        const places = placesFrom(value, starts, axis);
        return inNames(where(isEnough, places, -1), t.names);
      }
      return where(isEnough, cast(value, t.type), NaN);
    });
  }

  /** Sums and extremes of windows take as long for wide windows as for narrow ones; all else takes windows apart. */
  #value(op: GroupOp, missing: Tensor, counts: Tensor, isEnough: Tensor, settings: GroupSettings): Tensor {
    const known = (value: number): Tensor => where(missing, value, this.source.t);
    switch (op) {
      case "sum":
      case "mean": {
        const wide = cast(
          known(0),
          workingType(this.source.t.type) === "f32" ? "f64" : workingType(this.source.t.type),
        );
        const sums = this.#overWindows(windowSum, wide);
        return op === "sum" ? sums : divide(sums, counts);
      }
      case "max":
        return this.#overWindows(windowMax, known(-Infinity));
      case "min":
        return this.#overWindows(windowMin, known(Infinity));
      case "variance":
      case "standardDeviation":
        return this.#spread(op, counts, isEnough, settings);
      default:
        return reduceAxis(op, this.#windows(isEnough), this.source.axis + 1, settings);
    }
  }

  /** Variances; of windows that have no more elements than `ddof` they are not looked at. */
  #spread(op: "standardDeviation" | "variance", counts: Tensor, isEnough: Tensor, settings: GroupSettings): Tensor {
    const windows = cast(this.#windows(isEnough), workingType(this.source.t.type));
    const all = reduceAxis("variance", windows, this.source.axis + 1, { ...settings, ddof: 0 });
    const left = subtract(counts, settings.ddof);
    const scaled = multiply(all, divide(cast(counts, all.type), cast(where(greater(left, 0), left, 1), all.type)));
    return op === "variance" ? scaled : sqrt(scaled);
  }

  #overWindows(over: typeof windowSum, t: Tensor): Tensor {
    const [before, behind] = this.#reach;
    const at = <T>(own: T, other: T): T[] => t.shape.map((_, i) => (i === this.source.axis ? own : other));
    return over(t, at(before + behind + 1, 1), { padding: at<readonly [number, number]>([before, behind], [0, 0]) });
  }

  /**
   * The elements of each window along an axis behind that of the windows; NaN outside of the tensor, and in windows that have too few
   * elements, of which nothing is taken: gradients by these would be NaN.
   */
  #windows(isEnough: Tensor): Tensor {
    const [before, behind] = this.#reach;
    const { t, axis } = this.source;
    const { type, shape } = t;
    const [n, size] = [shape[axis]!, before + behind + 1];
    const grid = [n, size];
    const places = subtract(add(positionsAlong("s64", [n, 1], 0), positionsAlong("s64", [1, size], 1)), before);
    const inside = clip(places, 0, n - 1);
    const out = Object.freeze([...shape.slice(0, axis), ...grid, ...shape.slice(axis + 1)]);
    const names = Object.freeze(out.map((): Name => null));
    const taken = run(TAKE, template(type, out, names), [t, inside], { axis });
    const isInside = reshapeTo(
      equal(places, inside),
      out.map((dim, i) => (i === axis || i === axis + 1 ? dim : 1)),
    );
    const enough = reshapeTo(isEnough, [...shape.slice(0, axis + 1), 1, ...shape.slice(axis + 1)]);
    return where(logicalAnd(isInside, enough), taken, NaN);
  }
}

/**
 * Windows that go along an axis: one for each entry, of the entry and those in front of it. Windows that reach over the edge have too few
 * elements, and so NaN, as have windows with NaN; `minPeriods` says how many elements that are not NaN are enough. As in pandas and xarray.
 *
 * @param tensor - real numbers and at least one axis; integers count as `f32`
 * @param axis - the axis, by name or position
 * @param size - how many entries a window has
 * @param options - `minPeriods`: how many elements that are not NaN a window needs (all); `center`: windows reach to both sides of their
 *   entries, of an even size one further to the front (`false`)
 * @returns an object with a method for each reduction, as that of `Nx.groupBy`, whose results have the shape and names of the tensor. Sums,
 *   means and extremes take as long for wide windows as for narrow ones; the others hold all elements of all windows at once
 * @throws ArgumentError for an axis that the tensor does not have, a size that does not fit it, and complex numbers
 * @example
 * ```ts
 * const t = Nx.tensor([1, 2, 3, 6, 10], { names: ["day"] });
 * t.rolling("day", 3).mean();
 * // => #Nx.Tensor<
 * //   f32[day: 5]
 * //   [NaN, NaN, 2.0, 3.6666667, 6.3333335]
 * // >
 * Nx.rolling(t, "day", 3, { minPeriods: 1, center: true }).max();
 * // => #Nx.Tensor<
 * //   f32[day: 5]
 * //   [2.0, 3.0, 6.0, 10.0, 10.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.rolling(Nx.f32([1, NaN, 3, 4]), 0, 2, { minPeriods: 1 }).sum();
 * // => #Nx.Tensor<
 * //   f32[4]
 * //   [1.0, 1.0, 3.0, 7.0]
 * // >
 * Nx.rolling(Nx.iota([3]), 0, 5);
 * // throws ArgumentError: Nx.rolling expects a number of entries from 1 to the 3 of axis 0 of shape [3], got: 5
 * ```
 */
export function rolling<N extends Names = Names>(
  tensor: Operand<N>,
  axis: AxisOf<N>,
  size: number,
  options?: RollingOptions,
): Rolling<N> {
  const fn = "Nx.rolling";
  options = checkOptions(fn, options, ["minPeriods", "center"]);
  const center = booleanOption(fn, "center", options?.center, false);
  const t: Tensor = asTensor(tensor, fn);
  refuseComplex("rolling", t.type);
  const at = resolveAxis(axis, t.shape, t.names);
  checkLength(fn, size, t, at);
  const least = integerOption(fn, "minPeriods", options?.minPeriods, size, 1);
  if (least > size) {
    throw new ArgumentError(`option minPeriods of ${fn} must be at most the size of a window (${size}), got: ${least}`);
  }
  const behind = center ? Math.floor((size - 1) / 2) : 0;
  return new Rolling<N>(cast(t, toFloating(t.type)), at, [size - 1 - behind, behind], least);
}
