/**
 * Distinct elements, and distinct entries of an axis: unique. How many there are is a shape, which values decide; compiled functions are
 * told a size.
 */
import { DISTINCT } from "../../backends/blocks";
import { tracingBackend } from "../../backends/registry";
import type { Alongside, AxisOf, Compressed, Unguessed } from "../../core/axis-types";
import { ArgumentError, show } from "../../core/errors";
import { checkName } from "../../core/names";
import { checkOptions, type AlsoAxes, type More } from "../../core/options";
import { unchecked } from "../../core/promotion-scope";
import { resolveAxis, sizeOf, type Axis, type Name, type Names } from "../../core/shape";
import { finiteLimits, isFloat, isInteger, type DType } from "../../core/types";
import { refuseComplex } from "../../ops";
import type { Operand, Tensor } from "../../tensor";
import { reduceMax, reduceMin, sum } from "../aggregates";
import { adjacent, padAlong, positionsAlong, reshapeTo, sliceAlong } from "../aggregates/core";
import { toNumber } from "../conversion";
import { cumulativeSum } from "../cumulative";
import { asTensor, cast, constant, run, template } from "../dispatch";
import { add, greater, isNan, less, logicalAnd, logicalNot, multiply, notEqual, subtract, where } from "../elementwise";
import { permuted } from "../shape/move";
import { givingBack } from "../tidy";
import { backwards, inOrder, orderOf, placed, sizesOf } from "./core";
import { entryAt } from "./search";

/** Options of functions that find as many elements as there are. */
export interface FoundOptions<M = Name> {
  /** How many the result has: the first of them, filled up where there are less. As many as there are when left out, which a trace cannot know. */
  readonly size?: number;
  /** What results are filled up with; of `Nx.unique` the least element when left out, of the others 0. */
  readonly fill?: number;
  /** Name of the axis of what is found. */
  readonly name?: M;
}

/** What `Nx.unique` finds, among all elements or among the entries of the axis `A`. */
export interface Unique<N extends Names = Names, M extends Name = Name, A = undefined> {
  /**
   * The distinct elements in ascending order; NaN is one, the last. Of an axis its distinct entries, in the ascending order of their first
   * elements, then of the second ones, and so on.
   */
  readonly values: Tensor<Compressed<N, A, M>>;
  /** For each element the number of its value, `s64`, of the shape and names of the tensor; of an axis for each entry, along it. */
  readonly inverse: Tensor<Alongside<N, A, N>>;
  /** How often each value occurs, `s64`. */
  readonly counts: Tensor<Alongside<N, A, readonly [M], M>>;
}

/** Options of `Nx.unique` along an axis. */
export interface UniqueOptions<A = Axis, M = Name> extends FoundOptions<M>, AlsoAxes<A> {
  /** The axis whose entries are compared as wholes, by position (negative from the end) or by name; single elements when left out. */
  readonly axis?: A;
}

/**
 * The distinct elements of a tensor, in ascending order, how often each occurs, and which of them each element is; with `axis` the distinct
 * entries along it, such as rows.
 *
 * @param tensor - real numbers of any shape; all NaN count as one value, the last
 * @param options - `axis` whose entries are compared as wholes; `size`: how many values the result has, which compiled functions have to say:
 *   the first of them, or all filled up with `fill` (the first value when left out), which occurs 0 times; `name` of the axis of values, which
 *   keeps the name of `axis` when left out
 * @returns `values`, a vector of the tensor's type, or the tensor with less entries along the axis; `inverse`, of the shape and names of the
 *   tensor, or of the axis alone, the number of each element's value (`size` and more for values that are left out); `counts`, a vector (both
 *   `s64`)
 * @throws ArgumentError for complex numbers, which have no order, and for an axis that the tensor does not have
 * @example
 * ```ts
 * const { values, inverse, counts } = Nx.unique(Nx.tensor([3, 1, 3, 3], { names: ["day"] }), { name: "value" });
 * values;
 * // => #Nx.Tensor<
 * //   s64[value: 2]
 * //   [1, 3]
 * // >
 * inverse;
 * // => #Nx.Tensor<
 * //   s64[day: 4]
 * //   [1, 0, 1, 1]
 * // >
 * counts;
 * // => #Nx.Tensor<
 * //   s64[value: 2]
 * //   [1, 3]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.unique(Nx.f32([2, NaN, 0.5, NaN]), { size: 4, fill: -1 }).values;
 * // => #Nx.Tensor<
 * //   f32[4]
 * //   [0.5, 2.0, NaN, -1.0]
 * // >
 * Nx.unique(Nx.tensor([[2, 1], [0, 5], [2, 1]], { names: ["row", "column"] }), { axis: "row" }).values;
 * // => #Nx.Tensor<
 * //   s64[row: 2][column: 2]
 * //   [
 * //     [0, 5],
 * //     [2, 1]
 * //   ]
 * // >
 * Nx.defn((t: Nx.Tensor) => Nx.unique(t).values)(Nx.tensor([1]));
 * // throws ArgumentError: Nx.unique in a compiled function needs the option size: how many it finds is a shape, which values do not decide there
 * ```
 */
export function unique<
  N extends Names = readonly [],
  const A extends AxisOf<N> | undefined = undefined,
  const M extends Name = null,
>(
  tensor: Operand<N>,
  options?: A | UniqueOptions<A, M>,
  ..._more: More<UniqueOptions<undefined, M>>
): Unique<N, Unguessed<M>, A>;
export function unique(tensor: Operand, given?: Axis | UniqueOptions): Found {
  const fn = "Nx.unique";
  const options = checkOptions<UniqueOptions>(fn, given, [...FOUND_OPTIONS, "axis"]);
  const { size, fill, name } = readFound(fn, options, ["axis"]);
  const t: Tensor = asTensor(tensor, fn);
  refuseComplex("unique", t.type);
  if (options?.axis !== undefined) {
    const axis = resolveAxis(options.axis, t.shape, t.names);
    return givingBack(sizeOf(t.shape), () => unchecked(() => uniqueEntries(fn, t, axis, { size, fill, name })));
  }
  return givingBack(sizeOf(t.shape), () =>
    unchecked(() => {
      const line = reshapeTo(t, [sizeOf(t.shape)]);
      const { values, inverse, counts, found } =
        (size === undefined ? amongFew(line) : null) ?? amongSorted(line, size);
      const wanted = size ?? values.shape[0]!;
      const filled = (): Tensor => {
        const value = fill === undefined ? entryAt(values, 0) : constant(fillFor(fn, fill, t.type), t.type);
        return where(isAmong(found, wanted), cropped(values, wanted), value);
      };
      return {
        values: inNames(size === undefined ? values : filled(), [name]),
        inverse: run("reshape", template("s64", t.shape, t.names), [cast(inverse, "s64")], {}),
        counts: inNames(cropped(counts, wanted), [name]),
      };
    }),
  );
}

type Found = { [K in keyof Unique]: Tensor };

/** The distinct entries of an axis. */
function uniqueEntries(fn: string, t: Tensor, axis: number, options: ReturnType<typeof readFound>): Found {
  const { size, fill, name } = options;
  const n = t.shape[axis]!;
  const others = t.shape.map((_, i) => i).filter((i) => i !== axis);
  const inverse = rowNumbers(reshapeTo(permuted(t, [...others, axis]), [sizeOf(t.shape) / n, n]), size === undefined);
  const found = size === undefined ? countIn(inverse) : add(cast(reduceMax(inverse), "s64"), 1);
  const room = typeof found === "number" ? found : n;
  const wanted = size ?? room;
  const firsts = placed(room, backwards(inverse), backwards(positionsAlong("u32", [n], 0)));
  const entries = inOrder(permuted(t, [axis, ...others]), cropped(firsts, wanted));
  const filled = (): Tensor => {
    const along = reshapeTo(isAmong(found, wanted), [wanted, ...others.map(() => 1)]);
    const rest = fill === undefined ? sliceAlong(entries, 0, 0, 1) : constant(fillFor(fn, fill, t.type), t.type);
    return where(along, entries, rest);
  };
  const values = size === undefined ? entries : filled();
  const places = others.map((_, i) => i + 1);
  const own = t.names[axis]!;
  return {
    values: inNames(
      permuted(values, [...places.slice(0, axis), 0, ...places.slice(axis)]),
      t.names.map((other, i) => (i === axis ? (name ?? own) : other)),
    ),
    inverse: inNames(cast(inverse, "s64"), [own]),
    counts: inNames(cropped(sizesOf(inverse, room), wanted), [name ?? own]),
  };
}

/**
 * The numbers of the distinct rows among rows, whose columns are given, in their order: those by the columns so far, with the next one, are
 * numbered again. Where they may be read, columns behind those that tell all rows apart are left out.
 */
function rowNumbers(columns: Tensor, isRead: boolean): Tensor {
  const [width, n] = columns.shape as [number, number];
  const column = (i: number): Tensor => numbered(reshapeTo(sliceAlong(columns, 0, i, 1), [n]));
  const type = n <= 2 ** 16 ? "u32" : "s64"; // which holds n * n - 1
  let numbers = column(0);
  for (let i = 1; i < width; i++) {
    if (isRead && countIn(numbers) === n) break;
    numbers = numbered(add(multiply(cast(numbers, type), n), cast(column(i), type)));
  }
  return numbers;
}

/** For each element of a vector the number of its value, `u32`. */
function numbered(line: Tensor): Tensor {
  const n = line.shape[0]!;
  return run("block", template("u32", line.shape, line.names), [line, orderOf(line)], {
    name: DISTINCT,
    options: {},
    fn: (t, order) => placed(n, order!, numbersOf(inOrder(t!, order!))),
  });
}

/** How many numbers from 0 on there are, which is read. */
const countIn = (numbers: Tensor): number => Number(toNumber(reduceMax(numbers))) + 1;

/** Distinct elements of a vector in front of whatever else, and how many they are. */
interface Distinct {
  readonly values: Tensor;
  readonly inverse: Tensor;
  readonly counts: Tensor;
  readonly found: Tensor | number;
}

/** Distinct elements are numbered in their order. Where a size is asked for nothing is read. */
function amongSorted(line: Tensor, size: number | undefined): Distinct {
  const n = line.shape[0]!;
  const inverse = numbered(line);
  const found = size === undefined ? countIn(inverse) : add(cast(reduceMax(inverse), "s64"), 1);
  const room = typeof found === "number" ? found : n;
  return { values: placed(room, inverse, line), inverse, counts: sizesOf(inverse, room), found };
}

/** Distinct elements stand together when sorted, and are numbered by where they begin. */
const numbersOf = (sorted: Tensor): Tensor => subtract(cumulativeSum(cast(beginnings(sorted), "u32")), 1);

/** Up to so many integers in a row are counted, which takes no sorting: of as many elements as this is worth (below 10,000 counting took 1.5 to 2 times as long). */
const FEW = 2 ** 16;
const COUNTED_FROM = 2 ** 14;

/** Distinct elements of integers that lie close together; null where they do not. */
function amongFew(line: Tensor): Distinct | null {
  const n = line.shape[0]!;
  if (!isInteger(line.type) || n < COUNTED_FROM) return null;
  const [low, high] = [toNumber(reduceMin(line)), toNumber(reduceMax(line))];
  if (typeof low !== "number" || typeof high !== "number" || high - low >= Math.min(FEW, n)) return null;
  const width = high - low + 1;
  const shifted = cast(subtract(cast(line, "s64"), low), "u32");
  const counts = sizesOf(shifted, width);
  const isThere = cast(greater(counts, 0), "u32");
  const numbers = subtract(cumulativeSum(isThere), isThere);
  const front = orderOf(isThere, "desc"); // numbers that occur, in their order, in front of the others
  const found = Number(toNumber(sum(isThere)));
  const cut = (t: Tensor): Tensor => sliceAlong(inOrder(t, front), 0, 0, found);
  const values = cast(cut(add(positionsAlong("s64", [width], 0), low)), line.type);
  return { values, inverse: inOrder(numbers, shifted), counts: cut(counts), found };
}

/** Where a value stands for the first time among sorted ones. */
export function beginnings(sorted: Tensor): Tensor {
  if (sorted.shape[0] === 1) return constant(1, "u8", sorted.shape);
  const [before, behind] = adjacent(sorted, 0);
  const differs = notEqual(behind, before);
  const begins = isFloat(sorted.type) ? logicalAnd(differs, logicalNot(isNan(before))) : differs;
  return run("concatenate", template("u8", sorted.shape, sorted.names), [constant(1, "u8", [1]), begins], { axis: 0 });
}

/** Which of so many places are there. */
export const isAmong = (there: Tensor | number, count: number): Tensor =>
  less(positionsAlong("s64", [count], 0), there);

/** The first entries, as many as are asked for; zeros where there are less. */
export const cropped = (t: Tensor, count: number): Tensor =>
  count === t.shape[0] ? t : padAlong(t, 0, 0, count - t.shape[0]!);

/** The same elements with names. */
export const inNames = (t: Tensor, names: readonly Name[]): Tensor =>
  run("reshape", template(t.type, t.shape, Object.freeze(names.slice())), [t], {});

/** What results are filled up with, 0 where nothing is said: a number that their type holds. */
export function fillFor(fn: string, fill: number | undefined, type: DType): number {
  if (fill === undefined) return 0;
  if (!isInteger(type)) return fill;
  const { min, max } = finiteLimits(type);
  if (Number.isInteger(fill) && fill >= min && fill <= max) return fill;
  throw new ArgumentError(
    `option fill of ${fn} must be a number that the type ${type} of the result holds, from ${min} to ${max}, got: ${show(fill)}`,
  );
}

export const FOUND_OPTIONS: readonly string[] = ["size", "fill", "name"];

/** Reads the options of a function that finds as many elements as there are. */
export function readFound(
  fn: string,
  options: FoundOptions | undefined,
  extra: readonly string[] = [],
): { size: number | undefined; fill: number | undefined; name: Name } {
  options = checkOptions(fn, options, [...FOUND_OPTIONS, ...extra]);
  const { size, fill } = options ?? {};
  if (size === undefined ? tracingBackend() !== null : !(Number.isInteger(size) && size >= 1)) {
    throw new ArgumentError(
      size === undefined
        ? `${fn} in a compiled function needs the option size: how many it finds is a shape, which values do not decide there`
        : `option size of ${fn} must be a positive integer, got: ${show(size)}`,
    );
  }
  if (fill !== undefined && typeof fill !== "number") {
    throw new ArgumentError(`option fill of ${fn} must be a number, got: ${show(fill)}`);
  }
  return { size, fill, name: checkName(options?.name ?? null) };
}
