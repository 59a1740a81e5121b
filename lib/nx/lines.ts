/**
 * Numbers along a line: polyval, trapezoid, convolve.
 */
import type { AxisOf, Reduced } from "../core/axis-types";
import { CONV } from "../backends/primitives";
import { ArgumentError, show } from "../core/errors";
import { checkOptions, wordOption } from "../core/options";
import { commonType } from "../core/promotion";
import { unchecked } from "../core/promotion-scope";
import { allAxes, formatShape, inversePermutation, resolveAxis, sameShape, sizeOf, type Names } from "../core/shape";
import { isComplex, isInteger, toFloating } from "../core/types";
import type { Operand, Tensor } from "../tensor";
import { readAxis, reduceOver, reshapeTo, sliceAlong, workingType } from "./aggregates/core";
import { entryAt } from "./groups/search";
import { asTensor, cast, constant, pair, run, template } from "./dispatch";
import { add, multiply, subtract } from "./elementwise";
import { reverse } from "./ndim";
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

/** Options of `Nx.trapezoid`. */
export interface TrapezoidOptions<A = number | string> {
  /** Places of the values: a vector of the size of the axis, or of the shape of the values; `dx` apart when left out. */
  readonly x?: Operand;
  /** The distance of places; 1 when left out. */
  readonly dx?: number;
  /** The axis to integrate along; the last when left out. */
  readonly axis?: A;
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
export function trapezoid<N extends Names = readonly [], const A extends AxisOf<N> = -1>(
  y: Operand<N>,
  options?: TrapezoidOptions<A>,
): Tensor<Reduced<N, A, false>> {
  const fn = "Nx.trapezoid";
  options = checkOptions(fn, options, ["x", "dx", "axis"]);
  const dx: unknown = options?.dx ?? 1;
  if (typeof dx !== "number" || (options?.dx !== undefined && options.x !== undefined)) {
    throw new ArgumentError(
      `${fn} expects either a number as the option dx or places as the option x, got dx: ${show(dx)}`,
    );
  }
  const [t, given] = options?.x === undefined ? [asTensor(y as Operand, fn), null] : pair(y as Operand, options.x, fn);
  const { axis, shape, names } = readAxis(fn, t, { axis: options?.axis ?? -1 });
  const at = axis!;
  if (given && !sameShape(given.shape, [t.shape[at]!]) && !sameShape(given.shape, t.shape)) {
    throw new ArgumentError(
      `option x of ${fn} expects places of shape ${formatShape([t.shape[at]!])}` +
        `${t.shape.length > 1 ? ` or ${formatShape(t.shape)}` : ""}, got shape ${formatShape(given.shape, given.names)}`,
    );
  }
  const type = toFloating(given ? commonType(fn, t, given) : t.type);
  const n = t.shape[at]!;
  return unchecked(() => {
    const wide = isComplex(type) ? "c128" : "f64";
    if (n === 1) return constant(0, type, shape, names);
    const parts = (x: Tensor, along: number): [Tensor, Tensor] => [
      sliceAlong(x, along, 1, n - 1),
      sliceAlong(x, along, 0, n - 1),
    ];
    const sums = add(...parts(cast(t, wide), at));
    const isLine = given?.shape.length === 1;
    const column = (x: Tensor): Tensor =>
      isLine
        ? reshapeTo(
            x,
            t.shape.map((_, i) => (i === at ? x.shape[0]! : 1)),
          )
        : reshapeTo(x, x.shape);
    const steps = given ? subtract(...parts(column(cast(given, wide)), at)) : constant(dx, wide);
    const areas = multiply(multiply(sums, steps), 0.5);
    return cast(reduceOver("sum", areas, { axes: [at], keepAxes: false, shape, names }), type);
  }) as Tensor as Tensor<Reduced<N, A, false>>;
}

const MODES = ["full", "same", "valid"] as const;

/** Options of `Nx.convolve`. */
export interface ConvolveOptions<A = number | string> {
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
  options?: ConvolveOptions<AxisOf<N>>,
): Tensor<N> {
  const fn = "Nx.convolve";
  options = checkOptions(fn, options, ["mode", "axis"]);
  const mode = wordOption(fn, "mode", options?.mode, MODES, "full");
  const [t, filter] = pair(tensor as Operand, kernel, fn);
  if (filter.shape.length !== 1) {
    throw new ArgumentError(`${fn} expects a vector as kernel, got shape ${formatShape(filter.shape, filter.names)}`);
  }
  const axis = resolveAxis(options?.axis === undefined ? -1 : options.axis, t.shape, t.names);
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
