/**
 * Places among sorted numbers: searchsorted, digitize, interp.
 */
import { SEARCHSORTED } from "../../backends/blocks";
import { TAKE } from "../../backends/primitives";
import { isKnown } from "../../backends/reading";
import { tracingBackend } from "../../backends/registry";
import { ArgumentError, show } from "../../core/errors";
import { checkOptions, booleanOption } from "../../core/options";
import { commonType } from "../../core/promotion";
import { unchecked } from "../../core/promotion-scope";
import { formatShape, SCALAR_SHAPE, type Names } from "../../core/shape";
import { unnamed } from "../../core/names";
import { isFloat, mergeTypes, toFloating } from "../../core/types";
import { refuseComplex } from "../../ops";
import type { Operand, Tensor } from "../../tensor";
import { reshapeTo, sliceAlong } from "../aggregates/core";
import { compositeOfOftenCalled } from "../composite";
import { toFlatList, toTypedArray } from "../conversion";
import { asTensor, cast, constant, pair, run, template } from "../dispatch";
import {
  add,
  divide,
  equal,
  isFinite,
  isNan,
  less,
  lessEqual,
  logicalAnd,
  logicalNot,
  logicalOr,
  max,
  min,
  multiply,
  select,
  subtract,
} from "../elementwise";

/** Options of `Nx.searchsorted`. */
export interface SearchOptions {
  /** Where equal numbers go: in front of those that are there (`"left"`, when left out) or behind them. */
  readonly side?: "left" | "right";
}

/**
 * The places at which numbers would be put into a sorted vector so that it stays sorted, by binary search. NaN counts as larger than
 * all numbers.
 *
 * @param sorted - a vector in ascending order
 * @param values - the numbers, of any shape
 * @param options - `side`: `"left"` puts a number in front of equal ones (default), `"right"` behind them
 * @returns places from 0 to the size of the vector, `s64`, with the shape and names of the values
 * @throws ArgumentError for anything but a vector, for one that does not ascend (in compiled functions, where elements are not known, results
 *   are then those of the search), and for complex numbers
 * @example
 * ```ts
 * Nx.searchsorted(Nx.tensor([1, 3, 3, 5]), Nx.tensor([0, 3, 4, 9], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   s64[x: 4]
 * //   [0, 1, 3, 4]
 * // >
 * Nx.searchsorted(Nx.tensor([1, 3, 3, 5]), 3, { side: "right" });
 * // => #Nx.Tensor<
 * //   s64
 * //   3
 * // >
 * ```
 * @example
 * ```ts
 * Nx.searchsorted(Nx.tensor(1), 1);
 * // throws ArgumentError: Nx.searchsorted expects a sorted vector, got shape []
 * ```
 */
export function searchsorted<N extends Names = readonly []>(
  sorted: Operand,
  values: Operand<N>,
  options?: SearchOptions,
): Tensor<N> {
  const fn = "Nx.searchsorted";
  options = checkOptions(fn, options, ["side"]);
  const side = options?.side ?? "left";
  if (side !== "left" && side !== "right") {
    throw new ArgumentError(`option side of ${fn} must be "left" or "right", got: ${show(side)}`);
  }
  const [line, x] = pair(sorted, values as Operand, fn);
  refuseComplex("searchsorted", commonType(fn, line, x));
  checkAscending(fn, "a sorted vector", line);
  return unchecked(() => placesAmong(line, x, side === "right")) as Tensor<N>;
}

/** Vectors that were found to ascend: tensors never change. */
const ASCENDING = new WeakSet<Tensor>();

/** Refuses what is no vector, and one that does not ascend, NaN last, where its elements can be read: not in compiled functions. */
export function checkAscending(fn: string, what: string, line: Tensor): void {
  if (line.shape.length !== 1) {
    throw new ArgumentError(`${fn} expects a sorted vector, got shape ${formatShape(line.shape, line.names)}`);
  }
  const size = line.shape[0]!;
  if (size < 2 || tracingBackend() !== null || !isKnown(line) || ASCENDING.has(line)) return;
  const numbers = toTypedArray(line);
  for (let i = 1; i < size; i++) {
    const [one, next] = [numbers[i - 1]!, numbers[i]!];
    if (!(next < one || (one !== one && next === next))) continue;
    const [left, right] = toFlatList(line).slice(i - 1, i + 1);
    throw new ArgumentError(
      `${fn} expects ${what} in ascending order, got ${show(right)} behind ${show(left)} (place ${i}); Nx.sort puts them in order`,
    );
  }
  ASCENDING.add(line);
}

function placesAmong(line: Tensor, x: Tensor, isRight: boolean): Tensor {
  return run("block", template("s64", x.shape, x.names), [line, x], {
    name: SEARCHSORTED,
    options: { isRight },
    fn: (sorted, values) => halving(sorted!, values!, isRight),
  });
}

/** Binary search: every step halves how many of the places there may still be on the way up from each place found so far. */
function halving(line: Tensor, x: Tensor, isRight: boolean): Tensor {
  const isBehind = (at: Tensor): Tensor => {
    const found = run(TAKE, template(line.type, x.shape, x.names), [line, at], { axis: 0 });
    return isRight ? logicalNot(isBelow(x, found)) : isBelow(found, x);
  };
  let low = constant(0, "u32", x.shape, x.names);
  for (let half, rest = line.shape[0]!; rest > 1; rest -= half) {
    half = Math.floor(rest / 2);
    low = add(low, select(isBehind(add(low, half - 1)), constant(half, "u32"), 0));
  }
  return cast(add(low, isBehind(low)), "s64");
}

/** The order of sorting: NaN is larger than all numbers. */
function isBelow(a: Tensor, b: Tensor): Tensor {
  const below = less(a, b);
  return isFloat(a.type) || isFloat(b.type) ? logicalOr(below, logicalAnd(isNan(b), logicalNot(isNan(a)))) : below;
}

/** Options of `Nx.digitize`. */
export interface DigitizeOptions {
  /** Whether bins include their right edges and not their left ones. */
  readonly right?: boolean;
}

/**
 * The bins that numbers fall into: `i` where `edges[i - 1] <= x < edges[i]`, 0 below the first edge and their number above the last.
 *
 * @param values - numbers of any shape
 * @param edges - a vector in ascending order
 * @param options - `right`: bins include their right edges, `edges[i - 1] < x <= edges[i]` (false)
 * @returns numbers of bins, `s64`, with the shape and names of the values
 * @throws ArgumentError for edges that are no vector or do not ascend (not in compiled functions), and for complex numbers
 * @example
 * ```ts
 * const edges = Nx.tensor([0, 10, 20]);
 * Nx.digitize(Nx.tensor([-5, 0, 15, 20, 99], { names: ["x"] }), edges);
 * // => #Nx.Tensor<
 * //   s64[x: 5]
 * //   [0, 1, 2, 3, 3]
 * // >
 * Nx.digitize(10, edges, { right: true });
 * // => #Nx.Tensor<
 * //   s64
 * //   1
 * // >
 * Nx.digitize(1, 10);
 * // throws ArgumentError: Nx.digitize expects a sorted vector, got shape []
 * Nx.digitize(1, Nx.tensor([0, 20, 10]));
 * // throws ArgumentError: Nx.digitize expects edges in ascending order, got 10 behind 20 (place 2); Nx.sort puts them in order
 * ```
 */
export function digitize<N extends Names = readonly []>(
  values: Operand<N>,
  edges: Operand,
  options?: DigitizeOptions,
): Tensor<N> {
  const fn = "Nx.digitize";
  options = checkOptions(fn, options, ["right"]);
  const right = booleanOption(fn, "right", options?.right, false);
  const [x, line] = pair(values as Operand, edges, fn);
  refuseComplex("digitize", commonType(fn, x, line));
  checkAscending(fn, "edges", line);
  return unchecked(() => placesAmong(line, x, !right)) as Tensor<N>;
}

/** Options of `Nx.interp`. */
export interface InterpOptions {
  /** The value in front of the first point; that of the first point when left out. */
  readonly left?: number;
  /** The value behind the last point; that of the last point when left out. */
  readonly right?: number;
}

/**
 * Values in between: the points `(xs, ys)` joined by straight lines, at the places `x`. Computed in f64 and rounded once.
 *
 * @param x - places of any shape
 * @param xs - places of the points, a vector in ascending order without repetitions
 * @param ys - their values, a vector of the same size
 * @param options - `left` and `right`: the values in front of the first point and behind the last one
 * @returns a float tensor of the shape and names of the places
 * @throws ArgumentError for points that are no vectors of one size, for places that do not ascend (not in compiled functions), and for
 *   complex numbers
 * @example
 * ```ts
 * const hours = Nx.tensor([0, 6, 12]);
 * const degrees = Nx.f32([10, 7, 19]);
 * Nx.interp(Nx.f32([3, 9, 12, 15], { names: ["hour"] }), hours, degrees);
 * // => #Nx.Tensor<
 * //   f32[hour: 4]
 * //   [8.5, 13.0, 19.0, 19.0]
 * // >
 * Nx.interp(-1, hours, degrees, { left: 0 });
 * // => #Nx.Tensor<
 * //   f32
 * //   0.0
 * // >
 * ```
 * @example
 * ```ts
 * Nx.interp(1, Nx.tensor([1, 2]), Nx.tensor([1, 2, 3]));
 * // throws ArgumentError: Nx.interp expects points as two vectors of one size, got shapes [2] and [3]
 * ```
 */
export function interp<N extends Names = readonly []>(
  x: Operand<N>,
  xs: Operand,
  ys: Operand,
  options?: InterpOptions,
): Tensor<N> {
  const fn = "Nx.interp";
  options = checkOptions(fn, options, ["left", "right"]);
  for (const [end, value] of Object.entries(options ?? {}) as [string, unknown][]) {
    if (value === undefined || typeof value === "number") continue;
    throw new ArgumentError(`option ${end} of ${fn} must be a number, got: ${show(value)}`);
  }
  const [at, places] = pair(x as Operand, xs, fn);
  const values: Tensor = asTensor(ys, fn);
  const type = toFloating(refuseComplex("interp", mergeTypes(commonType(fn, at, places), values.type)));
  if (places.shape.length !== 1 || values.shape.length !== 1 || places.shape[0] !== values.shape[0]) {
    const shapes = `${formatShape(places.shape, places.names)} and ${formatShape(values.shape, values.names)}`;
    throw new ArgumentError(`${fn} expects points as two vectors of one size, got shapes ${shapes}`);
  }
  checkAscending(fn, "places of points", places);
  const found = unchecked(() => interpolated(at, places, values, options ?? {}));
  return cast(found, type) as Tensor<N>;
}

/** Values of `f64` between points, whose places ascend, and in front of them and behind them. */
const interpolated = compositeOfOftenCalled(function interpolated(
  at: Tensor,
  places: Tensor,
  values: Tensor,
  { left, right }: InterpOptions,
): Tensor {
  const t = cast(at, "f64");
  const [px, py] = [places, values].map((line) => reshapeTo(cast(line, "f64"), line.shape)) as [Tensor, Tensor];
  const last = places.shape[0]! - 1;
  const behind = placesAmong(px, t, true);
  const low = max(min(subtract(behind, 1), Math.max(last - 1, 0)), 0);
  const high = min(add(low, 1), last);
  const taken = (line: Tensor, index: Tensor): Tensor =>
    run(TAKE, template("f64", t.shape, t.names), [line, index], { axis: 0 });
  const [x0, x1, y0, y1] = [taken(px, low), taken(px, high), taken(py, low), taken(py, high)];
  const width = select(equal(x1, x0), 1, subtract(x1, x0));
  const [way, slope] = [subtract(t, x0), divide(subtract(y1, y0), width)];
  // no line leads to a value that is not finite: places of points still have theirs, those between what the shares of both make
  const share = divide(way, width);
  const shared = add(multiply(y0, subtract(1, share)), multiply(y1, share));
  const apart = select(equal(t, x0), y0, select(equal(t, x1), y1, shared));
  const inside = select(isFinite(slope), add(y0, multiply(slope, way)), apart);
  const isFront = less(t, entryAt(px, 0));
  const end = select(isNan(t), t, right ?? entryAt(py, last));
  return select(isFront, left ?? entryAt(py, 0), select(lessEqual(t, entryAt(px, last)), inside, end));
});

/** One entry of a vector, as a scalar. */
export const entryAt = (line: Tensor, at: number): Tensor =>
  run("reshape", template(line.type, SCALAR_SHAPE, unnamed(0)), [sliceAlong(line, 0, at, 1)], {});
