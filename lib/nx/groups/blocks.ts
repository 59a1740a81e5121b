/**
 * Neighbours along an axis that are reduced together: rolling (windows that overlap), resample (blocks that do not).
 */
import type { AxisOf } from "../../core/axis-types";
import { TAKE } from "../../backends/primitives";
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
  mean,
  median,
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
  logicalNot,
  multiply,
  sqrt,
  subtract,
  where,
} from "../elementwise";
import { windowMax, windowMin, windowSum } from "../windows";
import { inNames } from "./unique";
import { EntryGroups, type GroupOp, type GroupSettings } from "./reductions";

/** A reduction of one axis of a tensor by the function of its name. */
function reduceAxis(op: GroupOp, t: Tensor, axis: number, { skips, ddof, share }: GroupSettings): Tensor {
  const nan = skips ? "skip" : "propagate";
  const axes = { axes: [axis], nan } as const;
  switch (op) {
    case "count":
      return cast(sum(logicalNot(missingIn(t, skips) ?? constant(0, "u8", t.shape)), { axes: [axis] }), "s64");
    case "max":
      return reduceMax(t, axes);
    case "min":
      return reduceMin(t, axes);
    case "median":
      return median(t, { axis, nan });
    case "quantile":
      return quantile(t, share, { axis, nan });
    case "variance":
      return variance(t, { ...axes, ddof });
    case "standardDeviation":
      return standardDeviation(t, { ...axes, ddof });
    default:
      return { all, any, mean, product, sum }[op](t, axes);
  }
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
  readonly #blocks: Tensor;
  readonly #axis: number;
  readonly #names: Names;

  /** @internal */
  constructor(blocks: Tensor, axis: number, names: Names) {
    super();
    this.#blocks = blocks;
    this.#axis = axis;
    this.#names = names;
  }

  /** @internal */
  protected reduce(op: GroupOp, settings: GroupSettings): Tensor {
    return unchecked(() => inNames(reduceAxis(op, this.#blocks, this.#axis + 1, settings), this.#names));
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
 * @returns an object with a method for each reduction: `sum`, `mean`, `max`, `min`, `product`, `count`, `variance`, `standardDeviation`,
 *   `median`, `quantile`, `all`, `any`, with the option `nan`; results have the axes of the tensor and their names
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
  const shape = [...t.shape.slice(0, at), blocks, size, ...t.shape.slice(at + 1)];
  return new Resampled<N>(reshapeTo(whole, shape), at, t.names);
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
  readonly #t: Tensor;
  readonly #axis: number;
  readonly #reach: readonly [before: number, behind: number];
  readonly #least: number;

  /** @internal */
  constructor(t: Tensor, axis: number, reach: readonly [before: number, behind: number], least: number) {
    super();
    this.#t = t;
    this.#axis = axis;
    this.#reach = reach;
    this.#least = least;
  }

  /** @internal */
  protected reduce(op: GroupOp, settings: GroupSettings): Tensor {
    const t = this.#t;
    return unchecked(() => {
      const missing = isNan(t);
      const counts = this.#overWindows(windowSum, cast(logicalNot(missing), "s64"));
      if (op === "count") return counts;
      const least =
        op === "variance" || op === "standardDeviation" ? Math.max(this.#least, settings.ddof + 1) : this.#least;
      const value = this.#value(op, missing, counts, { ...settings, skips: true });
      return where(greaterEqual(counts, least), cast(value, t.type), NaN);
    });
  }

  /** Sums and extremes of windows take as long for wide windows as for narrow ones; all else takes windows apart. */
  #value(op: GroupOp, missing: Tensor, counts: Tensor, settings: GroupSettings): Tensor {
    const known = (value: number): Tensor => where(missing, value, this.#t);
    switch (op) {
      case "sum":
      case "mean": {
        const wide = cast(known(0), workingType(this.#t.type) === "f32" ? "f64" : workingType(this.#t.type));
        const sums = this.#overWindows(windowSum, wide);
        return op === "sum" ? sums : divide(sums, counts);
      }
      case "max":
        return this.#overWindows(windowMax, known(-Infinity));
      case "min":
        return this.#overWindows(windowMin, known(Infinity));
      case "variance":
      case "standardDeviation":
        return this.#spread(op, counts, settings.ddof);
      default:
        return reduceAxis(op, this.#windows(), this.#axis + 1, settings);
    }
  }

  /** Variances; of windows that have no more elements than `ddof` they are not looked at. */
  #spread(op: "standardDeviation" | "variance", counts: Tensor, ddof: number): Tensor {
    const windows = this.#windows();
    const all = reduceAxis("variance", windows, this.#axis + 1, { skips: true, ddof: 0, share: 0 });
    const left = subtract(counts, ddof);
    const scaled = multiply(all, divide(cast(counts, all.type), cast(where(greater(left, 0), left, 1), all.type)));
    return op === "variance" ? scaled : sqrt(scaled);
  }

  #overWindows(over: typeof windowSum, t: Tensor): Tensor {
    const [before, behind] = this.#reach;
    const at = <T>(own: T, other: T): T[] => t.shape.map((_, i) => (i === this.#axis ? own : other));
    return over(t, at(before + behind + 1, 1), { padding: at<readonly [number, number]>([before, behind], [0, 0]) });
  }

  /** The elements of each window along an axis behind that of the windows; NaN outside of the tensor. */
  #windows(): Tensor {
    const [before, behind] = this.#reach;
    const { type, shape } = this.#t;
    const axis = this.#axis;
    const [n, size] = [shape[axis]!, before + behind + 1];
    const grid = [n, size];
    const places = subtract(add(positionsAlong("s64", [n, 1], 0), positionsAlong("s64", [1, size], 1)), before);
    const inside = clip(places, 0, n - 1);
    const out = Object.freeze([...shape.slice(0, axis), ...grid, ...shape.slice(axis + 1)]);
    const names = Object.freeze(out.map((): Name => null));
    const taken = run(TAKE, template(type, out, names), [this.#t, inside], { axis });
    const isInside = reshapeTo(
      equal(places, inside),
      out.map((dim, i) => (i === axis || i === axis + 1 ? dim : 1)),
    );
    return where(isInside, taken, NaN);
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
 * @returns an object with a method for each reduction: `sum`, `mean`, `max`, `min`, `product`, `count`, `variance`, `standardDeviation`,
 *   `median`, `quantile`, `all`, `any`, whose results have the shape and names of the tensor. Sums, means and extremes take as long for wide
 *   windows as for narrow ones; the others hold all elements of all windows at once
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
