/**
 * Repeating entries of axes, by counts and by patterns.
 */
import type { AxisOf } from "../../core/axis-types";
import { TAKE } from "../../backends/primitives";
import { ArgumentError, show } from "../../core/errors";
import { checkOptions, type AlsoAxes } from "../../core/options";
import type { LaidOut, LayoutPattern, PatternSizes } from "../../core/pattern-types";
import { checkSize, formatShape, resolveAxis, sizeOf, type Axis, type Names } from "../../core/shape";
import { unnamed } from "../../core/names";
import type { Operand, Tensor } from "../../tensor";
import { reshapeTo } from "../aggregates/core";
import { s64 } from "../creation/typed";
import { asTensor, run, template } from "../dispatch";
import { isTensor } from "../guards";
import { laidOut } from "../patterns/layout";

/** Options of `Nx.repeat`. */
export interface RepeatOptions<A = Axis> extends AlsoAxes<A> {
  /** The axis whose entries are repeated; all elements, as one axis, when left out. */
  readonly axis?: A;
}

/** What `Nx.repeat` is told: how often, once or for each entry, or a pattern. */
export type RepeatCount = number | readonly number[];

/** Names of what `Nx.repeat` gives. */
export type Repeated<C extends RepeatCount | string, N extends Names, A> = C extends string
  ? LaidOut<C, N>
  : [A] extends [never]
    ? readonly [null]
    : N;

/**
 * Repeats each entry of an axis, as in NumPy; or, given a pattern, the tensor along new axes, as in einops. `Nx.tile` repeats the tensor as
 * a whole.
 *
 * A pattern is that of {@link rearrange}; words and numbers that stand behind `->` only are new axes, along which everything is the same.
 *
 * @param tensor - a tensor or a plain number
 * @param count - how often, at least once; or a list with a number for each entry, of which some may be 0; or a pattern
 * @param options - `axis`; without it all elements are repeated, as one axis. For a pattern the sizes of words, by the words
 * @returns a tensor of the same type and names, with the axis longer; without an axis a vector; the axes that a pattern says
 * @throws ArgumentError for counts that are no such integers, for a list of another length, where nothing is left, and for patterns that do
 *   not fit
 * @example
 * ```ts
 * const row = Nx.tensor([1, 2], { names: ["x"] });
 * Nx.repeat(row, "x -> y x", { y: 2 });
 * // => #Nx.Tensor<
 * //   s64[y: 2][x: 2]
 * //   [
 * //     [1, 2],
 * //     [1, 2]
 * //   ]
 * // >
 * Nx.repeat(row, "x -> (x 2)");
 * // => #Nx.Tensor<
 * //   s64[4]
 * //   [1, 1, 2, 2]
 * // >
 * Nx.repeat(row, "x -> y x");
 * // throws ArgumentError: Nx.repeat: "y" is new, so its size must be given: { y: 2 }
 * ```
 * @example
 * ```ts
 * const t = Nx.tensor([[1, 2], [3, 4]], { names: ["x", "y"] });
 * Nx.repeat(t, 2, { axis: "y" });
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 4]
 * //   [
 * //     [1, 1, 2, 2],
 * //     [3, 3, 4, 4]
 * //   ]
 * // >
 * Nx.repeat(t, [0, 2], { axis: "x" });
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 2]
 * //   [
 * //     [3, 4],
 * //     [3, 4]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.repeat(Nx.tensor([1, 2]), 2);
 * // => #Nx.Tensor<
 * //   s64[4]
 * //   [1, 1, 2, 2]
 * // >
 * Nx.repeat(Nx.tensor([1, 2]), [1, 2, 3]);
 * // throws ArgumentError: Nx.repeat expects a count for each of 2 entries of axis 0 in shape [2], got: [1, 2, 3]
 * ```
 */
export function repeat<N extends Names, const C extends RepeatCount | string, const A extends AxisOf<N> = never>(
  tensor: Operand<N>,
  count: C extends string ? LayoutPattern<C, N> : C,
  options?: C extends string ? PatternSizes<C> : A | RepeatOptions<A>,
): Tensor<Repeated<C, N, A>>;
export function repeat(tensor: Operand, count: RepeatCount | string, options?: unknown): Tensor {
  if (typeof count === "string") return laidOut("Nx.repeat", "repeat", tensor, count, options as object | undefined);
  return repeated(tensor, count, options as Axis | RepeatOptions | undefined);
}

function repeated(tensor: Operand, count: RepeatCount, given: Axis | RepeatOptions | undefined): Tensor {
  const fn = "Nx.repeat";
  const options = checkOptions<RepeatOptions>(fn, given, ["axis"]);
  const whole: Tensor = asTensor(tensor, fn);
  const t = options?.axis === undefined ? reshapeTo(whole, [sizeOf(whole.shape)]) : whole;
  const axis = options?.axis === undefined ? 0 : resolveAxis(options.axis, t.shape, t.names);
  const size = t.shape[axis]!;
  const counts: readonly unknown[] = Array.isArray(count) ? Array.from(count as unknown[]) : [count];
  if (Array.isArray(count) && counts.length !== size) {
    const place = `axis ${axis} in shape ${formatShape(t.shape, t.names)}`;
    throw new ArgumentError(`${fn} expects a count for each of ${size} entries of ${place}, got: ${show(count)}`);
  }
  const sum = counts.reduce<number>((before, each) => before + (isCount(each) ? each : NaN), 0);
  const total = Array.isArray(count) ? sum : sum * size;
  if (!(total >= 1)) {
    const hint = isTensor(count) ? "; write a number or a list of numbers, such as t.toNumbers()" : "";
    throw new ArgumentError(
      `the counts of ${fn} must be integers of at least 0, of which one is not 0, got: ${show(count)}${hint}`,
    );
  }
  const out = t.shape.map((each, i) => (i === axis ? total : each));
  checkSize(out, `the result of ${fn}, shape`);
  return Array.isArray(count) ? taken(t, axis, counts as number[]) : spread(t, axis, counts[0] as number);
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;

/** Every entry as often: an axis of that size behind the axis, which becomes one with it. */
function spread(t: Tensor, axis: number, count: number): Tensor {
  const wide = Object.freeze([...t.shape.slice(0, axis + 1), count, ...t.shape.slice(axis + 1)]);
  const axes = t.shape.map((_, i) => (i <= axis ? i : i + 1));
  const copies = run("broadcast", template(t.type, wide, unnamed(wide.length)), [t], { axes });
  const shape = Object.freeze(t.shape.map((size, i) => (i === axis ? size * count : size)));
  return run("reshape", template(t.type, shape, t.names), [copies], {});
}

/** Entries as often as their counts say: taken by their places. */
function taken(t: Tensor, axis: number, counts: readonly number[]): Tensor {
  const places = s64(counts.flatMap((count, i) => new Array<number>(count).fill(i)));
  const shape = Object.freeze(t.shape.map((size, i) => (i === axis ? places.shape[0]! : size)));
  return run(TAKE, template(t.type, shape, t.names), [t, places], { axis });
}
