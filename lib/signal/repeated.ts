/**
 * Filters that run more than once: sections of second order one after the other, and one filter forth and back.
 */
import type { AxisOf } from "../core/axis-types";
import { ArgumentError } from "../core/errors";
import { checkOptions, integerOption, wordOption, type AlsoAxes } from "../core/options";
import { unchecked } from "../core/promotion-scope";
import { formatShape, resolveAxis, type Axis, type Names } from "../core/shape";
import { padAlong, reshapeTo, sliceAlong } from "../nx/aggregates/core";
import { tensor as tensorOf, tri } from "../nx/creation";
import { renamed } from "../nx/creation/tensor";
import { asTensor } from "../nx/dispatch";
import { divide, multiply, subtract } from "../nx/elementwise";
import { sum } from "../nx/aggregates";
import { concatenate, reverse } from "../nx/ndim";
import { broadcast } from "../nx/shape";
import type { Operand, Tensor } from "../tensor";
import { heldAs, lfilter, readCoefficients, type Coefficients, type FilterOptions } from "./filter";

/** Options of `Nx.Signal.sosfilt`. */
export interface SectionOptions<A = Axis> extends AlsoAxes<A> {
  /** Sections of second order, rows of `[b0, b1, b2, a0, a1, a2]`, as `Nx.Signal.butter` gives them. Numbers are taken as doubles. */
  readonly sos: Operand | readonly (readonly number[])[];
  /** The axis of time, by position (negative from the end) or by name; the last when left out. */
  readonly axis?: A;
  /**
   * What the sections hold before the first element: the sections along the first axis, then the shape of the signal with 2 elements along the
   * axis of time, or what broadcasts to that. Then the result is `[signal, final]`, and `final` is the `initial` of the next stretch.
   */
  readonly initial?: Operand | undefined;
}

/** The two polynomials of each section: lists where they are given as such, so that they take the type of the signal. */
function readSections(fn: string, given: SectionOptions["sos"] | undefined): Pick<FilterOptions, "a" | "b">[] {
  if (given === undefined) {
    throw new ArgumentError(
      `${fn} needs sections of second order as options, such as { sos: [[b0, b1, b2, a0, a1, a2]] }`,
    );
  }
  const isList = Array.isArray(given);
  const t: Tensor = isList
    ? (tensorOf(given as number[][], { type: "f64" }) as Tensor)
    : asTensor(given as Operand, fn);
  if (t.shape.length !== 2 || t.shape[1] !== 6) {
    throw new ArgumentError(
      `option sos of ${fn} expects rows of 6 coefficients, got shape ${formatShape(t.shape, t.names)}`,
    );
  }
  if (isList) return (given as readonly number[][]).map((row) => ({ b: row.slice(0, 3), a: row.slice(3) }));
  return Array.from({ length: t.shape[0]! }, (_, i) => {
    const part = (start: number): Tensor => reshapeTo(sliceAlong(sliceAlong(t, 0, i, 1), 1, start, 3), [3]);
    return { b: part(0), a: part(3) };
  });
}

/**
 * A digital filter in sections of second order, one after the other, along the axis of time: SciPy's `sosfilt`. Filters of high order keep digits
 * that they lose in one polynomial.
 *
 * @param tensor - a signal, or a batch of them
 * @param options - see {@link SectionOptions}
 * @returns the filtered signal, in the float type that the signal and sections that are a tensor have in common; with `initial` a list of that
 *   and of what the sections hold after it
 * @throws ArgumentError for sections that are no rows of 6, for `a0` of 0, and an `initial` of another shape
 * @example
 * ```ts
 * const steps = Nx.f64([1, 1, 1, 1], { names: ["time"] });
 * const { sos } = Nx.Signal.butter(3, 0.5, { output: "sos" });
 * Nx.Signal.sosfilt(steps, { sos }).roundEven({ decimals: 4 });
 * // => #Nx.Tensor<
 * //   f64[time: 4]
 * //   [0.1667, 0.6667, 1.1111, 1.1111]
 * // >
 * const [first, held] = Nx.Signal.sosfilt(steps, { sos, initial: 0 });
 * const [next] = Nx.Signal.sosfilt(steps, { sos, initial: held }); // the signal goes on
 * [first.at(-1).item().toFixed(4), next.at(0).item().toFixed(4)];
 * // => ['1.1111', '0.9630']
 * ```
 * @example
 * ```ts
 * Nx.Signal.sosfilt(Nx.f64([1, 2]), { sos: [[1, 0, 0]] });
 * // throws ArgumentError: option sos of Nx.Signal.sosfilt expects rows of 6 coefficients, got shape [1][3]
 * ```
 */
export function sosfilt<N extends Names = readonly [], const A extends AxisOf<N> | undefined = undefined>(
  tensor: Operand<N>,
  options: SectionOptions<A> & { readonly initial: Operand },
): [signal: Tensor<N>, final: Tensor];
export function sosfilt<N extends Names = readonly [], const A extends AxisOf<N> | undefined = undefined>(
  tensor: Operand<N>,
  options: SectionOptions<A> & { readonly initial?: undefined },
): Tensor<N>;
export function sosfilt(tensor: Operand, given: SectionOptions): Tensor | [Tensor, Tensor] {
  const fn = "Nx.Signal.sosfilt";
  const options = checkOptions<SectionOptions>(fn, given, ["sos", "axis", "initial"]);
  const all = readSections(fn, options?.sos);
  const t: Tensor = asTensor(tensor, fn);
  const axis = resolveAxis(options!.axis === undefined ? -1 : options!.axis, t.shape, t.names);
  const { initial } = options!;
  if (initial === undefined) return all.reduce((x, section) => lfilter(x, { ...section, axis }) as Tensor, t);
  const wanted = [all.length, ...t.shape.map((size, i) => (i === axis ? 2 : size))];
  const what = `the shape ${formatShape(wanted)}, 2 elements of each of ${all.length} sections,`;
  const held = heldAs(fn, initial, wanted, what);
  let signal = t;
  const finals = all.map((section, i) => {
    const own = sliceAlong(held, 0, i, 1);
    const before = reshapeTo(own, own.shape.slice(1));
    const [next, final] = lfilter(signal, { ...section, axis, initial: before }) as [Tensor, Tensor];
    signal = next;
    return reshapeTo(final, own.shape);
  });
  return [signal, unchecked(() => concatenate(finals, { axis: 0 }) as Tensor)];
}

/** How `Nx.Signal.filtfilt` goes on with a signal in front of it and behind it. */
export type PadType = "odd" | "even" | "constant" | "none";

const PADS = ["odd", "even", "constant", "none"] as const;

/** Options of `Nx.Signal.filtfilt`. */
export interface BothWaysOptions<A = Axis> extends Omit<FilterOptions<A>, "initial"> {
  /** How the signal goes on at its ends: turned around them (`"odd"`, when left out), mirrored (`"even"`), with the last element, or not. */
  readonly padType?: PadType;
  /** By how many elements it goes on, less than the signal has; three times the number of coefficients when left out. */
  readonly padLength?: number;
}

/**
 * A digital filter that runs along the axis of time and back, so that nothing comes later than it was: SciPy's `filtfilt`.
 *
 * The response is that of the filter squared, without phases. In front of the signal and behind it the filter finds the signal going on as
 * `padType` says, and begins as after a long time of what is there first.
 *
 * @param tensor - a signal, or a batch of them
 * @param options - see {@link BothWaysOptions}
 * @returns the filtered signal, of the shape and names of the signal, in the float type that the signal and coefficients that are tensors have
 *   in common
 * @throws ArgumentError for coefficients that do not have one axis, for `a[0]` of 0, and for signals that are not longer than `padLength`
 * @example
 * ```ts
 * const noisy = Nx.f64([0, 4, 1, 5, 2, 6, 3, 7, 4, 8], { names: ["time"] });
 * Nx.Signal.filtfilt(noisy, { b: [0.5, 0.5] });
 * // => #Nx.Tensor<
 * //   f64[time: 10]
 * //   [0.0, 2.25, 2.75, 3.25, 3.75, 4.25, 4.75, 5.25, 5.75, 8.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Signal.filtfilt(Nx.f64([1, 2]), { b: [0.5, 0.5] });
 * // throws ArgumentError: Nx.Signal.filtfilt goes on by 6 elements at each end of axis 0, which must have more, got 2: give a shorter padLength
 * ```
 */
export function filtfilt<N extends Names = readonly [], const A extends AxisOf<N> | undefined = undefined>(
  tensor: Operand<N>,
  options: BothWaysOptions<A>,
): Tensor<N>;
export function filtfilt(tensor: Operand, given: BothWaysOptions): Tensor {
  const fn = "Nx.Signal.filtfilt";
  const options = checkOptions<BothWaysOptions>(fn, given, ["b", "a", "axis", "padType", "padLength"]);
  if (options?.b === undefined) {
    throw new ArgumentError(`${fn} needs its coefficients as options, such as { b: [0.5, 0.5] }`);
  }
  const t: Tensor = asTensor(tensor, fn);
  const axis = resolveAxis(options.axis === undefined ? -1 : options.axis, t.shape, t.names);
  const [b, a] = [readCoefficients(fn, "b", options.b), readCoefficients(fn, "a", options.a ?? [1])];
  const pad = wordOption(fn, "padType", options.padType, PADS, "odd");
  const taps = Math.max(a.t.shape[0]!, b.t.shape[0]!);
  const length = pad === "none" ? 0 : integerOption(fn, "padLength", options.padLength, 3 * taps, 0);
  if (length >= t.shape[axis]!) {
    throw new ArgumentError(
      `${fn} goes on by ${length} elements at each end of axis ${axis}, which must have more, got ${t.shape[axis]}: give a shorter padLength`,
    );
  }
  const filter = { b: options.b, ...(options.a === undefined ? {} : { a: options.a }), axis };
  return unchecked(() => {
    const steady = taps === 1 ? null : steadyState(b, a, t.shape.length - 1 - axis);
    const once = (x: Tensor): Tensor => {
      if (steady === null) return lfilter(x, filter) as Tensor;
      const start = multiply(steady, sliceAlong(x, axis, 0, 1));
      const [y] = lfilter(x, { ...filter, initial: start }) as [Tensor, Tensor];
      return reverse(y, { axes: [axis] }) as Tensor;
    };
    const whole = extended(reshapeTo(t, t.shape), axis, length, pad);
    return renamed(sliceAlong(once(once(whole)), axis, length, t.shape[axis]!), t.names);
  });
}

/** What a filter holds after a long time of ones, along an axis with `behind` more behind it. */
function steadyState(b: Coefficients, a: Coefficients, behind: number): Tensor {
  const taps = Math.max(a.t.shape[0]!, b.t.shape[0]!);
  const whole = ({ t }: Coefficients): Tensor =>
    divide(padAlong(t, 0, 0, taps - t.shape[0]!), sliceAlong(a.t, 0, 0, 1));
  const [forward, back] = [whole(b), whole(a)];
  const changes = sliceAlong(subtract(forward, multiply(back, sliceAlong(forward, 0, 0, 1))), 0, 1, taps - 1);
  const first = divide(sum(changes), sum(back));
  const lower = tri(taps) as Tensor;
  const summed = (x: Tensor): Tensor => {
    const size = x.shape[0]!;
    const part = sliceAlong(sliceAlong(lower, 0, 0, size), 1, 0, size);
    return sum(multiply(part, reshapeTo(x, [1, size])), { axes: [1] }) as Tensor;
  };
  const backs = sliceAlong(summed(back), 0, 0, taps - 1);
  const sums = summed(changes);
  const before = padAlong(sums, 0, 1, -1);
  return reshapeTo(subtract(multiply(backs, first), before), [taps - 1, ...Array.from({ length: behind }, () => 1)]);
}

/** A signal that goes on at both ends. */
function extended(t: Tensor, axis: number, length: number, pad: PadType): Tensor {
  if (length === 0) return t;
  const last = t.shape[axis]! - 1;
  const part = (start: number, count: number): Tensor => sliceAlong(t, axis, start, count);
  const side = (end: Tensor, near: Tensor): Tensor => {
    const shape = near.shape;
    if (pad === "constant") return broadcast(end, shape) as Tensor;
    const mirrored = reverse(near, { axes: [axis] }) as Tensor;
    return pad === "even" ? mirrored : subtract(multiply(end, 2), mirrored);
  };
  const front = side(part(0, 1), part(1, length));
  const behind = side(part(last, 1), part(last - length, length));
  return concatenate([front, t, behind], { axis }) as Tensor;
}
