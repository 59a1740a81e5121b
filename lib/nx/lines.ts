/**
 * Numbers along a line: polyval, trapezoid, gradient, unwrap, convolve.
 */
import type { AxisOf, Given, Reduced } from "../core/axis-types";
import { CONV } from "../backends/primitives";
import { ArgumentError, show } from "../core/errors";
import { checkOptions, wordOption, type AlsoAxes, type More } from "../core/options";
import { commonType } from "../core/promotion";
import { unchecked } from "../core/promotion-scope";
import {
  allAxes,
  formatShape,
  inversePermutation,
  resolveAxis,
  sameShape,
  sizeOf,
  type Axis,
  type Names,
} from "../core/shape";
import { isComplex, isInteger, toFloating, type DType } from "../core/types";
import { refuseComplex } from "../ops";
import type { Operand, Tensor } from "../tensor";
import { adjacent, readAxis, reduceOver, reshapeTo, sliceAlong, workingType } from "./aggregates/core";
import { entryAt } from "./groups/search";
import { cumulativeSum } from "./cumulative";
import { apart, asTensor, cast, constant, pair, run, template } from "./dispatch";
import { abs, add, divide, equal, greater, less, logicalAnd, mod, multiply, subtract, where } from "./elementwise";
import { concatenate, reverse } from "./ndim";
import { broadcast, transpose } from "./shape";

/**
 * The values of a polynomial, by Horner's scheme.
 *
 * @param coefficients - a vector, that of the highest power first, as those of `Nx.polyfit` and NumPy's `polyval`
 * @param x - where, of any shape
 * @returns the merged type of both, with the shape and names of `x`
 * @throws ArgumentError for coefficients that are no vector
 * @example
 * ```ts
 * // 2x² + 3
 * Nx.polyval(Nx.tensor([2, 0, 3]), Nx.tensor([0, 1, 2], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   s64[x: 3]
 * //   [3, 5, 11]
 * // >
 * Nx.polyval(Nx.f32([0.5]), 7);
 * // => #Nx.Tensor<
 * //   f32
 * //   0.5
 * // >
 * ```
 * @example
 * ```ts
 * Nx.polyval(2, Nx.tensor([1, 2]));
 * // throws ArgumentError: Nx.polyval expects a vector of coefficients, got shape []
 * ```
 */
export function polyval<N extends Names = readonly []>(coefficients: Operand, x: Operand<N>): Tensor<N> {
  const fn = "Nx.polyval";
  const [p, at] = pair(coefficients, x as Operand, fn);
  if (p.shape.length !== 1) {
    throw new ArgumentError(`${fn} expects a vector of coefficients, got shape ${formatShape(p.shape, p.names)}`);
  }
  const type = commonType(fn, p, at);
  const wide = isInteger(type) ? type : workingType(type);
  return unchecked(() => {
    const [factors, places] = [cast(p, wide), cast(at, wide)];
    let value: Tensor = broadcast(entryAt(factors, 0), places.shape, { names: places.names });
    for (let i = 1; i < p.shape[0]!; i++) value = add(multiply(value, places), entryAt(factors, i));
    return cast(value, type);
  }) as Tensor<N>;
}

/** Where values along an axis are: options of `Nx.trapezoid` and `Nx.gradient`. */
export interface PlacesOptions<A> extends AlsoAxes<A> {
  /** Places of the values: a vector of the size of the axis, or of the shape of the values; `dx` apart when left out. */
  readonly x?: Operand;
  /** The distance of places; 1 when left out. */
  readonly dx?: number;
  /** The axis to go along; the last when left out. */
  readonly axis?: A;
}

/** Options of `Nx.trapezoid`. */
export type TrapezoidOptions<A = number | string> = PlacesOptions<A>;

/** Options of `Nx.gradient`. */
export interface GradientOptions<A = number | string> extends PlacesOptions<A> {
  /** The order to which derivatives at both ends are exact: 1 (the slope to the neighbour) when left out, or 2 (of the parabola through three). */
  readonly edgeOrder?: 1 | 2;
}

/**
 * The integral along an axis by the trapezoidal rule, as NumPy's `trapezoid`.
 *
 * @param y - values, of at least one axis
 * @param options - `x`: places of the values, a vector or of the shape of the values; `dx`: their distance where they have one (1); `axis` to
 *   integrate along, the last when left out
 * @returns a float tensor without the axis, `f32` for integers
 * @throws ArgumentError for places of another shape, and where both `x` and `dx` are given
 * @example
 * ```ts
 * const t = Nx.tensor([[1, 2, 4], [0, 1, 0]], { names: ["row", "time"] });
 * Nx.trapezoid(t, { axis: "time", dx: 0.5 });
 * // => #Nx.Tensor<
 * //   f32[row: 2]
 * //   [2.25, 0.5]
 * // >
 * Nx.trapezoid(t, { x: Nx.tensor([0, 2, 3]) });
 * // => #Nx.Tensor<
 * //   f32[row: 2]
 * //   [6.0, 1.5]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.trapezoid(Nx.tensor([1, 2]), { x: Nx.tensor([1, 2, 3]) });
 * // throws ArgumentError: option x of Nx.trapezoid expects places of shape [2], got shape [3]
 * ```
 */
export function trapezoid<N extends Names = readonly [], const A extends AxisOf<N> | undefined = undefined>(
  y: Operand<N>,
  options?: A | TrapezoidOptions<A>,
  ..._more: More<TrapezoidOptions<undefined>>
): Tensor<Reduced<N, Given<A, -1>, false>> {
  const fn = "Nx.trapezoid";
  const choice = checkOptions<TrapezoidOptions>(fn, options as Axis | TrapezoidOptions | undefined, [
    "x",
    "dx",
    "axis",
  ]);
  const placed = readPlaced(fn, y as Operand, choice);
  const { t, at, type } = placed;
  const { shape, names } = readAxis(fn, t, { axis: at });
  return unchecked(() => {
    if (t.shape[at] === 1) return constant(0, type, shape, names);
    const { before, after, steps } = neighbours(placed);
    const areas = multiply(multiply(add(after, before), steps), 0.5);
    return cast(reduceOver("sum", areas, { axes: [at], keepAxes: false, shape, names }), type);
  }) as Tensor as Tensor<Reduced<N, Given<A, -1>, false>>;
}

/**
 * The derivative along an axis by differences, as NumPy's `gradient`: inside of the parabola through an element and both of its neighbours (for
 * places equally far apart half of the difference of the neighbours), at both ends of the line to the only neighbour. The derivative of a function is
 * `Nx.grad`.
 *
 * @param y - values, of at least one axis
 * @param options - `x`: places of the values, a vector or of the shape of the values; `dx`: their distance where they have one (1); `axis` to
 *   go along, the last when left out; `edgeOrder`: 2 for the derivative at both ends of the parabola through three elements
 * @returns a float tensor of the same shape and names, `f32` for integers
 * @throws ArgumentError for places of another shape, where both `x` and `dx` are given, and for an axis of fewer than 2 elements (3 for
 *   `edgeOrder: 2`)
 * @example
 * ```ts
 * const height = Nx.tensor([[0, 1, 4, 9], [0, 2, 4, 6]], { names: ["path", "time"] });
 * Nx.gradient(height, { axis: "time" });
 * // => #Nx.Tensor<
 * //   f32[path: 2][time: 4]
 * //   [
 * //     [1.0, 2.0, 4.0, 5.0],
 * //     [2.0, 2.0, 2.0, 2.0]
 * //   ]
 * // >
 * Nx.gradient(Nx.tensor([0, 1, 9, 16]), { x: Nx.tensor([0, 1, 3, 4]), edgeOrder: 2 });
 * // => #Nx.Tensor<
 * //   f32[4]
 * //   [0.0, 2.0, 6.0, 8.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.gradient(Nx.tensor([[1], [2]]));
 * // throws ArgumentError: Nx.gradient expects at least 2 elements along axis 1, got shape [2][1]
 * ```
 */
export function gradient<N extends Names = readonly []>(
  y: Operand<N>,
  options?: AxisOf<N> | GradientOptions<AxisOf<N>>,
  ..._more: More<GradientOptions<undefined>>
): Tensor<N> {
  const fn = "Nx.gradient";
  const choice = checkOptions<GradientOptions>(fn, options, ["x", "dx", "axis", "edgeOrder"]);
  const edgeOrder: unknown = choice?.edgeOrder ?? 1;
  if (edgeOrder !== 1 && edgeOrder !== 2) {
    throw new ArgumentError(`option edgeOrder of ${fn} must be 1 or 2, got: ${show(edgeOrder)}`);
  }
  const placed = readPlaced(fn, y as Operand, choice);
  const { t, at, type } = placed;
  const n = t.shape[at]!;
  if (n <= edgeOrder) {
    throw new ArgumentError(
      `${fn} expects at least ${edgeOrder + 1} elements along axis ${at}${edgeOrder === 2 ? " for edgeOrder: 2" : ""}, ` +
        `got shape ${formatShape(t.shape, t.names)}`,
    );
  }
  return unchecked(() => {
    const { before, after, steps } = neighbours(placed);
    const slopes = divide(subtract(after, before), steps);
    const ends = [sliceAlong(slopes, at, 0, 1), sliceAlong(slopes, at, n - 2, 1)] as const;
    const joined = (parts: readonly Tensor[]): Tensor => cast(concatenate(parts, { axis: at }), type);
    if (n === 2) return joined(ends);
    /** Those between the first place and the last but one, and between the second and the last. */
    const pairOf = (v: Tensor): readonly [Tensor, Tensor] => (v.shape.length === 0 ? [v, v] : adjacent(v, at));
    const [left, right] = pairOf(slopes);
    const [toLeft, toRight] = pairOf(steps);
    const both = add(toLeft, toRight);
    const inside = divide(add(multiply(left, toRight), multiply(right, toLeft)), both);
    if (edgeOrder === 1) return joined([ends[0], inside, ends[1]]);
    const bend = divide(subtract(right, left), both);
    const first = subtract(left, multiply(bend, toLeft));
    const last = add(right, multiply(bend, toRight));
    return joined([sliceAlong(first, at, 0, 1), inside, sliceAlong(last, at, n - 3, 1)]);
  }) as Tensor<N>;
}

/** Values along an axis with their places, checked; without places they are `dx` apart. */
interface Placed {
  readonly t: Tensor;
  readonly at: number;
  readonly places: Tensor | null;
  readonly dx: number;
  readonly type: DType;
}

function readPlaced(fn: string, y: Operand, options: PlacesOptions<Axis> | undefined): Placed {
  const dx: unknown = options?.dx ?? 1;
  if (typeof dx !== "number" || (options?.dx !== undefined && options.x !== undefined)) {
    throw new ArgumentError(
      `${fn} expects either a number as the option dx or places as the option x, got dx: ${show(dx)}`,
    );
  }
  const [t, places] = options?.x === undefined ? [asTensor(y, fn), null] : pair(y, options.x, fn);
  const at = resolveAxis(options?.axis === undefined ? -1 : options.axis, t.shape, t.names);
  if (places && !sameShape(places.shape, [t.shape[at]!]) && !sameShape(places.shape, t.shape)) {
    throw new ArgumentError(
      `option x of ${fn} expects places of shape ${formatShape([t.shape[at]!])}` +
        `${t.shape.length > 1 ? ` or ${formatShape(t.shape)}` : ""}, got shape ${formatShape(places.shape, places.names)}`,
    );
  }
  return { t, at, places, dx, type: toFloating(places ? commonType(fn, t, places) : t.type) };
}

/** Each element but the last, the one after it, and the distance of the two: a scalar where all are equally far apart. */
function neighbours({ t, at, places, dx, type }: Placed): Readonly<Record<"before" | "after" | "steps", Tensor>> {
  const wide = isComplex(type) ? "c128" : "f64";
  const n = t.shape[at]!;
  const [before, after] = adjacent(cast(t, wide), at);
  if (places === null) return { before, after, steps: constant(dx, wide) };
  const shape = places.shape.length === 1 ? t.shape.map((_, i) => (i === at ? n : 1)) : places.shape;
  const [from, to] = adjacent(reshapeTo(cast(places, wide), shape), at);
  return { before, after, steps: subtract(to, from) };
}

/** Options of `Nx.unwrap`. */
export interface UnwrapOptions<A = Axis> extends AlsoAxes<A> {
  /** The axis to go along, by position or name; the last when left out. */
  readonly axis?: A;
  /** What angles are the same apart from: 2π when left out. */
  readonly period?: number;
}

/**
 * Angles without the jumps of their representation, as NumPy's `unwrap`: whole periods are added, so that neighbours along an axis are no more than
 * half a period apart.
 *
 * @param tensor - angles, of at least one axis
 * @param options - `axis` (the last), `period`: 2π when left out, 360 for degrees
 * @returns a float tensor of the same shape and names, `f32` for integers
 * @throws ArgumentError for complex numbers, and for a period that is no positive number
 * @example
 * ```ts
 * Nx.unwrap(Nx.tensor([[350, 355, 2, 10], [10, 350, 330, 20]], { names: ["track", "time"] }), { period: 360 });
 * // => #Nx.Tensor<
 * //   f32[track: 2][time: 4]
 * //   [
 * //     [350.0, 355.0, 362.0, 370.0],
 * //     [10.0, -10.0, -30.0, 20.0]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.unwrap(Nx.f32([1, 2]), { period: 0 });
 * // throws ArgumentError: option period of Nx.unwrap must be a positive number, got: 0
 * ```
 */
export function unwrap<N extends Names = readonly []>(
  tensor: Operand<N>,
  options?: AxisOf<N> | UnwrapOptions<AxisOf<N>>,
  ..._more: More<UnwrapOptions<undefined>>
): Tensor<N> {
  const fn = "Nx.unwrap";
  const choice = checkOptions<UnwrapOptions>(fn, options, ["axis", "period"]);
  const t: Tensor = asTensor(tensor as Operand, fn);
  const axis = resolveAxis(choice?.axis === undefined ? -1 : choice.axis, t.shape, t.names);
  const period: unknown = choice?.period ?? 2 * Math.PI;
  if (typeof period !== "number" || !(period > 0) || period === Infinity) {
    throw new ArgumentError(`option period of ${fn} must be a positive number, got: ${show(period)}`);
  }
  refuseComplex("unwrap", t.type);
  const type = toFloating(t.type);
  const n = t.shape[axis]!;
  return unchecked(() => {
    if (n === 1) return apart(cast(t, type), t);
    const wide = cast(t, "f64");
    const [before, rest] = adjacent(wide, axis);
    const steps = subtract(rest, before);
    const near = subtract(mod(add(steps, period / 2), period), period / 2);
    // half a period ahead stays ahead
    const short = where(logicalAnd(equal(near, -period / 2), greater(steps, 0)), period / 2, near);
    const added = where(less(abs(steps), period / 2), 0, subtract(short, steps));
    return cast(concatenate([sliceAlong(wide, axis, 0, 1), add(rest, cumulativeSum(added, { axis }))], { axis }), type);
  }) as Tensor<N>;
}

const MODES = ["full", "same", "valid"] as const;

/** Options of `Nx.convolve`. */
export interface ConvolveOptions<A = number | string> extends AlsoAxes<A> {
  /** Which places the result has: all at which both overlap (`"full"`), as many as the longer has, in the middle of these (`"same"`), or those at
   * which they overlap wholly (`"valid"`). */
  readonly mode?: (typeof MODES)[number];
  /** The axis to go along; the last when left out. */
  readonly axis?: A;
}

/**
 * The convolution of lines with a line: sums of products of the one and the other reversed, at every place, as NumPy's `convolve`.
 *
 * The products themselves are added up, so that integers are exact and a zero or NaN reaches no further than the kernel. Of kernels with thousands of
 * elements that takes long; there multiply transforms, which round differently: `Nx.irfft` of the product of two `Nx.rfft` of the length
 * `n + m - 1`.
 *
 * @param tensor - lines along an axis
 * @param kernel - a vector
 * @param options - `mode`: `"full"` (default) for all places at which both overlap, `"same"` for as many as the longer one has, `"valid"` for
 *   those at which they overlap wholly; `axis` of the lines, the last when left out
 * @returns the merged type of both, with the axes and names of the tensor; integers wrap around, and are exact while sums
 *   of products are below 2^53
 * @throws ArgumentError for a kernel that is no vector, and for an axis that the tensor does not have
 * @example
 * ```ts
 * Nx.convolve(Nx.tensor([1, 2, 3], { names: ["x"] }), Nx.f32([0, 1, 0.5]));
 * // => #Nx.Tensor<
 * //   f32[x: 5]
 * //   [0.0, 1.0, 2.5, 4.0, 1.5]
 * // >
 * Nx.convolve(Nx.tensor([[1, 2, 3], [4, 5, 6]]), Nx.tensor([1, 1]), { mode: "valid" });
 * // => #Nx.Tensor<
 * //   s64[2][2]
 * //   [
 * //     [3, 5],
 * //     [9, 11]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.convolve(Nx.tensor([1, 2, 3]), Nx.tensor([[1], [2]]));
 * // throws ArgumentError: Nx.convolve expects a vector as kernel, got shape [2][1]
 * ```
 */
export function convolve<N extends Names = readonly []>(
  tensor: Operand<N>,
  kernel: Operand,
  options?: AxisOf<N> | ConvolveOptions<AxisOf<N>>,
  ..._more: More<ConvolveOptions<undefined>>
): Tensor<N> {
  const fn = "Nx.convolve";
  const choice = checkOptions<ConvolveOptions>(fn, options, ["mode", "axis"]);
  const mode = wordOption(fn, "mode", choice?.mode, MODES, "full");
  const [t, filter] = pair(tensor as Operand, kernel, fn);
  if (filter.shape.length !== 1) {
    throw new ArgumentError(`${fn} expects a vector as kernel, got shape ${formatShape(filter.shape, filter.names)}`);
  }
  const axis = resolveAxis(choice?.axis === undefined ? -1 : choice.axis, t.shape, t.names);
  const type = commonType(fn, t, filter);
  return unchecked(() => {
    const order = [...allAxes(t.shape.length).filter((i) => i !== axis), axis];
    const lines: Tensor = transpose(cast(reshapeTo(t, t.shape), type), { axes: order });
    const [n, m] = [t.shape[axis]!, filter.shape[0]!];
    const [start, length] = placesOf(mode, n, m);
    const low = m - 1 - start;
    const rows = reshapeTo(lines, [sizeOf(t.shape) / n, 1, n]);
    const weights = reshapeTo(reverse(cast(filter, type)), [1, 1, m]);
    const out = template(type, Object.freeze([rows.shape[0]!, 1, length]), Object.freeze([null, null, null]));
    const made = run(CONV, out, [rows, weights], {
      strides: [1],
      padding: [[low, length + m - 1 - n - low]],
      inputDilation: [1],
      kernelDilation: [1],
      featureGroups: 1,
      batchGroups: 1,
    });
    const back = transpose(reshapeTo(made, [...lines.shape.slice(0, -1), length]), { axes: inversePermutation(order) });
    return run("reshape", template(type, back.shape, t.names), [back], {});
  }) as Tensor<N>;
}

/** The first place of all at which lines of two lengths overlap, and how many there are. */
function placesOf(mode: (typeof MODES)[number], n: number, m: number): [start: number, length: number] {
  const [short, long] = [Math.min(n, m), Math.max(n, m)];
  if (mode === "full") return [0, n + m - 1];
  return mode === "same" ? [Math.floor((short - 1) / 2), long] : [short - 1, long - short + 1];
}
