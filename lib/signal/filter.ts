/**
 * Digital filters: difference equations along the axis of time.
 */
import { runTracing } from "../backends/registry";
import type { AxisOf } from "../core/axis-types";
import { ArgumentError } from "../core/errors";
import { checkOptions, type AlsoAxes } from "../core/options";
import { commonTypeOf } from "../core/promotion";
import { unchecked } from "../core/promotion-scope";
import { formatShape, resolveAxis, type Axis, type Names } from "../core/shape";
import { toFloating, type DType } from "../core/types";
import { scan } from "../defn/control/scan";
import { padAlong, reshapeTo, sliceAlong } from "../nx/aggregates/core";
import { toFlatList } from "../nx/conversion";
import { tensor as tensorOf } from "../nx/creation";
import { renamed } from "../nx/creation/tensor";
import { compositeOfAnySize } from "../nx/composite";
import { asTensor, cast } from "../nx/dispatch";
import { add, divide, multiply, subtract } from "../nx/elementwise";
import { broadcast } from "../nx/shape";
import { permuted } from "../nx/shape/move";
import type { Operand, Tensor } from "../tensor";

/** Options of `Nx.Signal.lfilter`. */
export interface FilterOptions<A = Axis> extends AlsoAxes<A> {
  /** The coefficients of the numerator, those of what goes in: `b[0], b[1], ...`. Numbers are taken as doubles. */
  readonly b: Operand | readonly number[];
  /** The coefficients of the denominator, those of what came out: `a[0], a[1], ...`, where `a[0]` is not 0; `[1]`, no feedback, when left out. */
  readonly a?: Operand | readonly number[];
  /** The axis of time, by position (negative from the end) or by name; the last when left out. */
  readonly axis?: A;
  /**
   * What the filter holds before the first element, of the shape of the signal with `max(a.size, b.size) - 1` elements along the axis, or what
   * broadcasts to that. Then the result is `[signal, final]`, and `final` is the `initial` of the next stretch.
   */
  readonly initial?: Operand | undefined;
}

/** Coefficients, of which lists of numbers take the type of the rest. */
export interface Coefficients {
  readonly t: Tensor;
  readonly isList: boolean;
}

export function readCoefficients(fn: string, key: "a" | "b", value: unknown): Coefficients {
  const isList = Array.isArray(value);
  const t: Tensor = isList ? (tensorOf(value as number[], { type: "f64" }) as Tensor) : asTensor(value as Operand, fn);
  if (t.shape.length === 1) return { t, isList };
  throw new ArgumentError(
    `option ${key} of ${fn} expects coefficients of one axis, got: ${t.type}${formatShape(t.shape, t.names)}`,
  );
}

/** Refuses 0 as the coefficient by which all others are divided, where it is known. */
function checkLeading(fn: string, a: Operand | readonly number[], { t, isList }: Coefficients): void {
  const isKnown = isList || t.backend.absorbs === undefined;
  const first = isList ? (a as readonly number[])[0] : isKnown && runTracing(null, () => toFlatList(t)[0]);
  if (first === 0) throw new ArgumentError(`${fn} divides by a[0], which is 0`);
}

/**
 * What a filter holds after a signal, whose axis of time is the first, and the filtered signal. Coefficients are operands, so calls with any of
 * them share what is compiled.
 */
const filtered = compositeOfAnySize(function filtered(along: Tensor, b: Tensor, a: Tensor, held: Tensor) {
  const filter = filterOf(b, a, along.shape.length - 1);
  return scan((state: Tensor, x: Tensor) => step(filter, state, x), held, along) as [final: Tensor, signal: Tensor];
});

/** A filter: the first coefficient of what goes in, and those of what it holds, of shape `[order, 1, ...]`; null for none. */
interface Filter {
  readonly first: Tensor;
  readonly forward: Tensor | null;
  readonly back: Tensor | null;
  readonly order: number;
}

function filterOf(b: Tensor, a: Tensor, lanes: number): Filter {
  const leading = sliceAlong(a, 0, 0, 1);
  const order = Math.max(a.shape[0]!, b.shape[0]!) - 1;
  const rest = (t: Tensor): Tensor | null => {
    const size = t.shape[0]! - 1;
    if (size === 0) return null;
    const own = padAlong(divide(sliceAlong(t, 0, 1, size), leading), 0, 0, order - size);
    return reshapeTo(own, [order, ...Array.from({ length: lanes }, () => 1)]);
  };
  const first = reshapeTo(divide(sliceAlong(b, 0, 0, 1), leading), []);
  return { first, forward: rest(b), back: rest(a), order };
}

/** One element of the signal: what comes out, and what is held from then on (the transposed direct form II). */
function step({ first, forward, back, order }: Filter, held: Tensor, x: Tensor): [next: Tensor, y: Tensor] {
  const y = add(multiply(x, first), reshapeTo(sliceAlong(held, 0, 0, 1), x.shape));
  let next: Tensor = order === 1 ? multiply(held, 0) : padAlong(sliceAlong(held, 0, 1, order - 1), 0, 0, 1);
  if (forward !== null) next = add(next, multiply(forward, x));
  if (back !== null) next = subtract(next, multiply(back, y));
  return [next, y];
}

/**
 * A digital filter along the axis of time: SciPy's `lfilter`.
 *
 * What comes out is `y[n] = (b[0] x[n] + b[1] x[n-1] + ... - a[1] y[n-1] - a[2] y[n-2] - ...) / a[0]`, in the transposed direct form II. It
 * works in `defn` and in gradients, also by the coefficients. A long signal without feedback is filtered in less time by `Nx.convolve`.
 *
 * @param tensor - a signal, or a batch of them
 * @param options - see {@link FilterOptions}
 * @returns the filtered signal, in the float type that the signal and coefficients that are tensors have in common; with `initial` a list
 *   of that and of what the filter holds after it
 * @throws ArgumentError for coefficients that do not have one axis, for `a[0]` of 0, and an `initial` of another shape
 * @example
 * ```ts
 * const steps = Nx.f64([1, 1, 1, 1], { names: ["time"] });
 * Nx.Signal.lfilter(steps, { b: [0.5], a: [1, -0.5] }); // half of what comes in, half of what came out
 * // => #Nx.Tensor<
 * //   f64[time: 4]
 * //   [0.5, 0.75, 0.875, 0.9375]
 * // >
 * const [first, held] = Nx.Signal.lfilter(steps, { b: [0.5], a: [1, -0.5], initial: 0 });
 * const [next] = Nx.Signal.lfilter(steps, { b: [0.5], a: [1, -0.5], initial: held }); // the signal goes on
 * [first.at(-1).item(), next.at(0).item()];
 * // => [0.9375, 0.96875]
 * ```
 * @example
 * ```ts
 * Nx.Signal.lfilter(Nx.f64([1, 2]), { b: [1], a: [0, 1] });
 * // throws ArgumentError: Nx.Signal.lfilter divides by a[0], which is 0
 * ```
 */
export function lfilter<N extends Names = readonly [], const A extends AxisOf<N> | undefined = undefined>(
  tensor: Operand<N>,
  options: FilterOptions<A> & { readonly initial: Operand },
): [signal: Tensor<N>, final: Tensor];
export function lfilter<N extends Names = readonly [], const A extends AxisOf<N> | undefined = undefined>(
  tensor: Operand<N>,
  options: FilterOptions<A> & { readonly initial?: undefined },
): Tensor<N>;
export function lfilter(tensor: Operand, given: FilterOptions, ...more: readonly unknown[]): Tensor | [Tensor, Tensor] {
  const fn = "Nx.Signal.lfilter";
  if (more[0] !== undefined) {
    throw new ArgumentError(
      `${fn} takes the signal and its options, where SciPy has lfilter(b, a, x); write ${fn}(x, { b, a })`,
    );
  }
  const options = checkOptions<FilterOptions>(fn, given, ["b", "a", "axis", "initial"]);
  if (options?.b === undefined) {
    throw new ArgumentError(`${fn} needs its coefficients as options, such as { b: [0.5], a: [1, -0.5] }`);
  }
  const t: Tensor = asTensor(tensor, fn);
  const axis = resolveAxis(options.axis === undefined ? -1 : options.axis, t.shape, t.names);
  const b = readCoefficients(fn, "b", options.b);
  const a = readCoefficients(fn, "a", options.a ?? [1]);
  checkLeading(fn, options.a ?? [1], a);
  const typed = [t, ...[b, a].filter(({ isList }) => !isList).map((one) => one.t)];
  const type = toFloating(commonTypeOf(fn, typed));
  return unchecked(() => {
    const wide: DType = type === "f16" || type === "bf16" ? "f32" : type;
    const axes = t.shape.map((_, i) => i).filter((i) => i !== axis);
    const moved = permuted(t, [axis, ...axes]);
    const along = cast(reshapeTo(moved, moved.shape), wide);
    const places = axes.map((_, i) => i + 1);
    const back = (own: Tensor): Tensor =>
      cast(permuted(own, [...places.slice(0, axis), 0, ...places.slice(axis)]), type);
    const named = (own: Tensor): Tensor => renamed(back(own), t.names);
    const [numerator, denominator] = [cast(b.t, wide), cast(a.t, wide)];
    const order = Math.max(b.t.shape[0]!, a.t.shape[0]!) - 1;
    if (order === 0) {
      if (options.initial === undefined) return named(multiply(along, reshapeTo(divide(numerator, denominator), [])));
      throw new ArgumentError(`${fn} of one coefficient holds nothing: leave out the option initial`);
    }
    const held = heldOf(fn, options.initial ?? 0, t, axis, order);
    const start = cast(permuted(held, [axis, ...axes]), wide);
    const [final, signal] = filtered(along, numerator, denominator, start);
    return options.initial === undefined ? named(signal) : [named(signal), back(final)];
  });
}

/** What a filter holds before the first element, of the shape of the signal with `order` elements along the axis. */
function heldOf(fn: string, initial: Operand, { shape }: Tensor, axis: number, order: number): Tensor {
  const wanted = shape.map((size, i) => (i === axis ? order : size));
  return heldAs(fn, initial, wanted, `${order} elements along the axis of time, shape ${formatShape(wanted)}`);
}

/** The option `initial` in the shape that is wanted, as `what` names it in the message for what does not broadcast to it. */
export function heldAs(fn: string, initial: Operand, wanted: readonly number[], what: string): Tensor {
  const given: Tensor = asTensor(initial, fn);
  const own = reshapeTo(given, given.shape);
  const offset = wanted.length - own.shape.length;
  if (offset >= 0 && own.shape.every((size, i) => size === 1 || size === wanted[offset + i])) {
    return broadcast(own, wanted) as Tensor;
  }
  throw new ArgumentError(
    `option initial of ${fn} expects ${what} or what broadcasts to it, got shape ${formatShape(given.shape, given.names)}`,
  );
}
