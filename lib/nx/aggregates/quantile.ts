/**
 * Statistics by order: quantile, percentile.
 */
import { checkOptions, wordOption, type More } from "../../core/options";
import type { AxesOf, Reduced, Known } from "../../core/axis-types";
import { ArgumentError, show } from "../../core/errors";
import { withInFront } from "../../core/names";
import { unchecked } from "../../core/promotion-scope";
import { sizeOf, type Axis, type AxisList, type Names } from "../../core/shape";
import { isFloat, toFloating } from "../../core/types";
import { refuseComplex } from "../../ops";
import type { Operand, Tensor } from "../../tensor";
import { asTensor, cast, run, template } from "../dispatch";
import { add, ceil, divide, floor, isNan, multiply, roundEven, select, subtract, where } from "../elementwise";
import { isTensor } from "../guards";
import { AXES_OPTIONS, readLines, reshapeTo, type AxesChoice } from "./core";
import { betweenPlaces, elementsAt, sortedAt, sortedPresent, type SortedAt } from "./order";

/** What a quantile is whose place lies between two elements: in proportion between them, one of them, or their middle. */
export type QuantileMethod = "linear" | "lower" | "higher" | "midpoint" | "nearest";

/** Options of `Nx.quantile` and `Nx.percentile`. */
export interface QuantileOptions<A = Axis | AxisList | undefined, K = boolean> extends AxesChoice<A, K> {
  /**
   * The value between two elements of the sorted ones: in proportion (`"linear"`, when left out), the `"lower"` or the `"higher"` one, the
   * `"nearest"` one, in the middle that of the even place, or their `"midpoint"`.
   */
  readonly method?: QuantileMethod;
}

/** Places of the methods, of numbers and of tensors. */
interface Places {
  readonly ofNumber: (place: number) => number;
  readonly ofTensor: (place: Tensor) => Tensor;
}

const METHODS: { readonly [M in QuantileMethod]: Places } = {
  linear: { ofNumber: (place) => place, ofTensor: (place) => place },
  lower: { ofNumber: Math.floor, ofTensor: floor },
  higher: { ofNumber: Math.ceil, ofTensor: ceil },
  midpoint: {
    ofNumber: (place) => (Math.floor(place) + Math.ceil(place)) / 2,
    ofTensor: (place) => divide(add(floor(place), ceil(place)), 2),
  },
  nearest: { ofNumber: evenly, ofTensor: roundEven },
};

/** The nearest integer, of two the even one. */
function evenly(place: number): number {
  const front = Math.floor(place);
  const part = place - front;
  return part < 0.5 || (part === 0.5 && front % 2 === 0) ? front : front + 1;
}

/**
 * The value below which a share of the elements lies, in proportion between the two nearest elements of the sorted ones: method 7 of
 * Hyndman and Fan (1996), the default of NumPy, pandas and R, or by another `method`. Computed in f64 and rounded once.
 *
 * Where there is a NaN the result is NaN.
 *
 * @param tensor - real numbers of any shape
 * @param q - the share, from 0 to 1; of a list of shares the results lie along a new first axis, which has no name
 * @param options - `axis` or `axes` to reduce, all elements when left out; `keepAxes` to keep them with size 1; `nan`: `"skip"` leaves NaN out;
 *   `method`: `"linear"` (default), `"lower"`, `"higher"`, `"midpoint"` or `"nearest"`
 * @returns a float tensor, `f32` for integers
 * @throws ArgumentError for a share outside 0 to 1, an axis that the tensor does not have, and complex tensors
 * @example
 * ```ts
 * const t = Nx.tensor([[1, 2, 3, 4], [10, 20, 30, 100]], { names: ["x", "y"] });
 * Nx.quantile(t, 0.5, { axis: "y" });
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [2.5, 25.0]
 * // >
 * Nx.quantile(t, [0.25, 0.75], { axis: "y" });
 * // => #Nx.Tensor<
 * //   f32[2][x: 2]
 * //   [
 * //     [1.75, 17.5],
 * //     [3.25, 47.5]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.quantile(Nx.f32([4, NaN, 1, 3]), [0, 0.25, 1], { nan: "skip" });
 * // => #Nx.Tensor<
 * //   f32[3]
 * //   [1.0, 2.0, 4.0]
 * // >
 * Nx.quantile(Nx.tensor([1, 2]), 50);
 * // throws ArgumentError: Nx.quantile expects shares from 0 to 1, got: 50; Nx.percentile takes numbers from 0 to 100
 * Nx.quantile(Nx.tensor([1, 2, 10]), [0.5, 0.6], { method: "higher" }).toList();
 * // => [ 2, 10 ]
 * ```
 */
export function quantile<
  N extends Names = readonly [],
  const A extends AxesOf<N> | undefined = undefined,
  K extends boolean = false,
  Q extends number | readonly number[] = number,
>(
  tensor: Operand<N>,
  q: Q,
  options?: A | QuantileOptions<A, K>,
  ..._more: More<QuantileOptions<undefined, K>>
): Tensor<QuantileNames<Reduced<N, A, K>, Q>> {
  return shares("Nx.quantile", tensor, q, 1, options) as Tensor as Tensor<QuantileNames<Reduced<N, A, K>, Q>>;
}

/** Names of quantiles: those of the reduction, after an axis without a name where a list of shares is given. */
export type QuantileNames<R extends Names, Q> = Q extends number
  ? R
  : Known<R> extends true
    ? readonly [null, ...R]
    : Names;

/**
 * The value below which so many percent of the elements lie: `Nx.quantile` of a hundredth.
 *
 * @param tensor - real numbers of any shape
 * @param q - percents, from 0 to 100; of a list of them the results lie along a new first axis, which has no name
 * @param options - `axis` or `axes` to reduce, all elements when left out; `keepAxes` to keep them with size 1; `nan`: `"skip"` leaves NaN out;
 *   `method` as in `Nx.quantile`
 * @returns a float tensor, `f32` for integers
 * @throws ArgumentError for a number outside 0 to 100, an axis that the tensor does not have, and complex tensors
 * @example
 * ```ts
 * const t = Nx.tensor([[1, 2, 3, 4], [10, 20, 30, 100]], { names: ["x", "y"] });
 * Nx.percentile(t, 90, { axis: "y", keepAxis: true });
 * // => #Nx.Tensor<
 * //   f32[x: 2][y: 1]
 * //   [
 * //     [3.7],
 * //     [79.0]
 * //   ]
 * // >
 * Nx.percentile(t, 101);
 * // throws ArgumentError: Nx.percentile expects numbers from 0 to 100, got: 101
 * ```
 */
export function percentile<
  N extends Names = readonly [],
  const A extends AxesOf<N> | undefined = undefined,
  K extends boolean = false,
  Q extends number | readonly number[] = number,
>(
  tensor: Operand<N>,
  q: Q,
  options?: A | QuantileOptions<A, K>,
  ..._more: More<QuantileOptions<undefined, K>>
): Tensor<QuantileNames<Reduced<N, A, K>, Q>> {
  return shares("Nx.percentile", tensor, q, 100, options) as Tensor as Tensor<QuantileNames<Reduced<N, A, K>, Q>>;
}

const OPTIONS = [...AXES_OPTIONS, "method"];
const WORDS = Object.keys(METHODS) as QuantileMethod[];

function shares(
  fn: string,
  tensor: Operand,
  q: number | readonly number[],
  whole: 1 | 100,
  choice: QuantileOptions | Axis | AxisList | undefined,
): Tensor {
  const options = checkOptions<QuantileOptions>(fn, choice, OPTIONS);
  const method = METHODS[wordOption(fn, "method", options?.method, WORDS, "linear")];
  const given = asTensor(tensor, fn);
  const type = toFloating(refuseComplex(fn.slice("Nx.".length), given.type));
  const { lines, axis, skips, shape, names } = readLines(fn, given, options, ["method"]);
  const list: readonly unknown[] = Array.isArray(q) ? Array.from(q as unknown[]) : [q]; // holes are no numbers
  const isShare = (value: unknown): value is number => typeof value === "number" && value >= 0 && value <= whole;
  if (list.length === 0 || !list.every(isShare)) {
    const plain = "; write a number or a list of numbers, such as t.toNumbers()";
    const other = isTensor(q) ? plain : whole === 1 ? "; Nx.percentile takes numbers from 0 to 100" : "";
    const what = whole === 1 ? "shares from 0 to 1" : "numbers from 0 to 100";
    throw new ArgumentError(`${fn} expects ${what}, got: ${show(q)}${other}`);
  }
  return unchecked(() => {
    const values = (skips && isFloat(given.type) ? amongPresent : amongAll)(
      lines,
      axis,
      list as number[],
      whole,
      method,
    );
    const results = values.map((value) => run("reshape", template(type, shape, names), [cast(value, type)], {}));
    if (!Array.isArray(q)) return results[0]!;
    const front = Object.freeze([1, ...shape]);
    const rows = results.map((t) => run("reshape", template(type, front, withInFront(null, names)), [t], {}));
    const out = template(type, Object.freeze([list.length, ...shape]), withInFront(null, names));
    return run("concatenate", out, rows, { axis: 0 });
  });
}

/** The values of shares, in f64. */
function amongAll(
  given: Tensor,
  axis: number | null,
  list: readonly number[],
  whole: number,
  { ofNumber }: Places,
): Tensor[] {
  const lines = axis === null ? reshapeTo(given, [sizeOf(given.shape)]) : given;
  const along = axis ?? 0;
  const last = lines.shape[along]! - 1;
  const places = list.map((share) => ofNumber((last * share) / whole));
  const ends = isFloat(given.type) ? [last] : [];
  const at = sortedAt(lines, along, [...places.flatMap((place) => [Math.floor(place), Math.ceil(place)]), ...ends]);
  const values = places.map((place) => between(at, place));
  if (!isFloat(given.type)) return values;
  const end = at(last, 1); // NaN is sorted to the end
  return values.map((value) => select(isNan(end), cast(end, "f64"), value));
}

/** The same of the elements that are not missing, of which each line may have another number. */
function amongPresent(
  given: Tensor,
  axis: number | null,
  list: readonly number[],
  whole: number,
  { ofTensor }: Places,
): Tensor[] {
  const { sorted, along, last, isNone } = sortedPresent(given, axis);
  const at = (place: Tensor): Tensor => elementsAt(sorted, along, place);
  return list.map((share) => where(isNone, NaN, betweenPlaces(at, last, share, whole, ofTensor)));
}

/** The value at a place that may lie between two elements, taken from the nearer one as NumPy does. */
function between(sorted: SortedAt, place: number): Tensor {
  const at = Math.floor(place);
  const low = cast(sorted(at, 1), "f64");
  const part = place - at;
  if (part === 0) return low;
  const high = cast(sorted(at + 1, 1), "f64");
  const step = subtract(high, low);
  return part < 0.5 ? add(low, multiply(step, part)) : subtract(high, multiply(step, 1 - part));
}
