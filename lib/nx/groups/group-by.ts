/**
 * Entries of an axis by their labels: groupBy.
 */
import type { AxisOf, Replace } from "../../core/axis-types";
import { TAKE } from "../../backends/primitives";
import { calledBy } from "../../core/entry";
import { ArgumentError, show } from "../../core/errors";
import { checkName, checkNames, uniqueNames } from "../../core/names";
import { checkOptions } from "../../core/options";
import { unchecked } from "../../core/promotion-scope";
import { allAxes, formatShape, inversePermutation, resolveAxis, sizeOf, type Name, type Names } from "../../core/shape";
import { Tensor, type Operand } from "../../tensor";
import { reshapeTo, sliceAlong } from "../aggregates/core";
import { toFlatList } from "../conversion";
import { asTensor, cast, run, template } from "../dispatch";
import { add, multiply } from "../elementwise";
import { numbersOf, orderOf, sizesOf } from "./core";
import { Groups } from "./grouped";
import { readLabels, type GroupKey, type GroupLabels, type Numbered } from "./labels";
import { EntryGroups, type GroupOp, type GroupSettings } from "./reductions";

/** The groups that there are: labels in their order, or how many, where labels are numbers from 0 on. */
export type GroupChoice = number | readonly GroupKey[];

/** Options of `Nx.groupBy`. */
export interface GroupByOptions<M extends Name = Name, E extends Names = Names> {
  /** Name of the axis of groups; `"group"` when left out. */
  readonly name?: M;
  /** Names of the axes of groups of several lists of labels; none when left out. */
  readonly names?: E;
  /**
   * The groups that there are: a list of labels in their order; or how many, where labels are numbers from 0 on, which compiled functions
   * have to say. The labels that occur, in ascending order, when left out. With several lists of labels a list with that of each.
   */
  readonly groups?: GroupChoice | readonly (GroupChoice | undefined)[];
}

/** Labels of entries: one for each, or several lists of them. */
export type SomeLabels = GroupLabels | readonly GroupLabels[];

/** The label of a group; of several lists of labels those of each. */
export type KeyOf<L> = L extends readonly (readonly unknown[] | Tensor)[] ? readonly GroupKey[] : GroupKey;

/** Names of the axes of groups: of one list of labels `M`, of several `E`, where these are given. */
export type GroupNames<L, M extends Name, E extends Names> = [E] extends [never]
  ? L extends readonly (readonly unknown[] | Tensor)[]
    ? Names
    : readonly [M]
  : E;

/** Where results belong: the axis of the entries, that of the names, and the number of groups along each axis of groups. */
interface Place {
  readonly axis: number;
  readonly names: Names;
  readonly counts: readonly number[];
}

/** Entries of an axis by their labels, whose reductions are methods; made by `Nx.groupBy`. */
export class GroupedBy<N extends Names = Names, Own extends Names = Names, K = GroupKey> extends EntryGroups<N> {
  /** @internal */
  protected readonly knowsNan = true;
  /** @internal */
  protected readonly maker = "Nx.groupBy";
  /** The label of each group, in the order of the axis of groups; of several lists of labels those of each. */
  readonly keys: readonly K[];
  /** @internal */
  protected readonly source: { readonly t: Tensor; readonly axis: number };
  readonly #labels: Tensor;
  readonly #place: Place;

  /** @internal */
  constructor(t: Tensor, labels: Tensor, keys: readonly K[], place: Place) {
    super();
    this.source = { t, axis: place.axis };
    this.#labels = labels;
    this.keys = Object.freeze(keys.slice());
    this.#place = place;
  }

  /** The number of groups. */
  get size(): number {
    return sizeOf(this.#place.counts);
  }

  /** The number of the group of each entry, a vector; of several lists of labels groups are counted row by row. */
  get numbers(): Tensor {
    return this.#labels;
  }

  /**
   * Results of groups brought back to the entries: for each entry that of its group.
   *
   * @param result - a tensor of which one axis, that of the groups, has an entry for each of them; with several lists of labels as many axes
   * @returns the same with the axis of the entries in place of that of the groups
   * @example
   * ```ts
   * const t = Nx.f32([1, 5, 3], { names: ["day"] });
   * const seasons = t.groupBy("day", ["dry", "wet", "dry"]);
   * t.subtract(seasons.expand(seasons.mean()));
   * // => #Nx.Tensor<
   * //   f32[day: 3]
   * //   [-1.0, 0.0, 1.0]
   * // >
   * ```
   */
  expand(result: Operand): Tensor<Own> {
    return calledBy(this.expand, () => this.#expanded(result));
  }

  #expanded(result: Operand): Tensor<Own> {
    const { axis, names, counts } = this.#place;
    const t: Tensor = asTensor(result, "expand of Nx.groupBy");
    const behind = axis + counts.length;
    if (counts.some((count, i) => t.shape[axis + i] !== count) || t.shape.length !== names.length) {
      const place = counts.length === 1 ? `along axis ${axis}` : `along the axes ${axis} to ${behind - 1}`;
      throw new ArgumentError(
        `expand of Nx.groupBy expects a tensor with ${counts.join(" by ")} groups ${place}, got shape ${formatShape(t.shape, t.names)}`,
      );
    }
    const [front, rest] = [t.shape.slice(0, axis), t.shape.slice(behind)];
    const flat = counts.length === 1 ? t : reshapeTo(t, [...front, this.size, ...rest]);
    const shape = Object.freeze([...front, this.source.t.shape[axis]!, ...rest]);
    return run(TAKE, template(t.type, shape, this.source.t.names), [flat, this.#labels], {
      axis,
    }) as Tensor as Tensor<Own>;
  }

  /**
   * Each label with the entries that have it, of several lists of labels one of each; groups without entries are left out. Not in compiled
   * functions, where shapes are fixed.
   */
  *[Symbol.iterator](): IterableIterator<
    [key: K extends readonly unknown[] ? readonly GroupKey[] : K, entries: Tensor<Own>]
  > {
    const { axis, counts } = this.#place;
    const sorted = takenAlong(this.source.t, orderOf(numbersOf(this.#labels, this.size)), axis);
    const sizes = toFlatList(sizesOf(this.#labels, this.size)).map(Number);
    let start = 0;
    for (const [i, size] of sizes.entries()) {
      if (size > 0)
        yield [keyAt(this.keys, counts, i) as never, sliceAlong(sorted, axis, start, size) as Tensor as Tensor<Own>];
      start += size;
    }
  }

  /** @internal */
  protected of(t: Tensor): GroupedBy {
    return new GroupedBy(t, this.#labels, this.keys as readonly GroupKey[], this.#place);
  }

  /** @internal */
  protected reduce(op: GroupOp, settings: GroupSettings): Tensor {
    const { axis, names, counts } = this.#place;
    return unchecked(() => {
      const order = [axis, ...allAxes(this.source.t.shape.length).filter((i) => i !== axis)];
      const t = permuted(this.source.t, order);
      const result = new Groups({ t, labels: this.#labels, groups: this.size }, settings).reduce(op);
      const back = permuted(result, inversePermutation(order));
      const shape = Object.freeze([...back.shape.slice(0, axis), ...counts, ...back.shape.slice(axis + 1)]);
      return run("reshape", template(back.type, shape, names), [back], {});
    });
  }
}

/** The label of a group by its number; of several lists of labels one of each. */
function keyAt(keys: readonly unknown[], counts: readonly number[], group: number): unknown {
  if (counts.length === 1) return keys[group];
  let left = group;
  return counts
    .map((count, i) => [count, keys[i] as readonly GroupKey[]] as const)
    .reverse()
    .map(([count, own]) => {
      const key = own[left % count];
      left = Math.floor(left / count);
      return key;
    })
    .reverse();
}

const permuted = (t: Tensor, axes: readonly number[]): Tensor => {
  const shape = Object.freeze(axes.map((axis) => t.shape[axis]!));
  return run("transpose", template(t.type, shape, Object.freeze(shape.map(() => null))), [t], { axes });
};

function takenAlong(t: Tensor, order: Tensor, axis: number): Tensor {
  const shape = t.shape.map((size, i) => (i === axis ? order.shape[0]! : size));
  return run(TAKE, template(t.type, Object.freeze(shape), t.names), [t, order], { axis });
}

/**
 * Entries of an axis by their labels, to be reduced group by group: `t.groupBy("day", months).mean()` has the mean of each month. As in
 * pandas and xarray.
 *
 * @param tensor - numbers of any type and at least one axis
 * @param axis - the axis of the entries, by name or position
 * @param labels - the label of each entry: a list of strings or numbers, or a vector of integers; or several of these in a list, each of
 *   which makes an axis of groups
 * @param options - `name` of the axis of groups (`"group"`), of several lists of labels `names` of their axes; `groups`: the labels that there
 *   are, as a list in their order, or their number where labels are numbers from 0 on, which compiled functions have to say. The labels that
 *   occur, in ascending order, when left out. Of several lists of labels a list with that of each
 * @returns an object with `keys`, the label of each group in their order (of several lists of labels those of each), and a method for each
 *   reduction: `sum`, `mean`, `weightedMean`, `max`, `min`, `argmax`, `argmin`, `first`, `last`, `product`, `count`, `variance`,
 *   `standardDeviation`, `skewness`, `kurtosis`, `logSumExp`, `median`, `mode`, `quantile`, `percentile`, `all`, `any`, with the option `nan`.
 *   Results have the axis of groups in place of that of the entries. Groups without entries have sum 0, product 1, position -1, NaN where
 *   floats cannot be known, and 0 where integers cannot. `expand` brings results back to the entries; `for (const [key, entries] of groups)`
 *   goes through the groups
 * @throws ArgumentError for an axis that the tensor does not have, labels of another number or along an axis of another name, and those that are in no group
 * @example
 * ```ts
 * const rain = Nx.f32([[1, 2], [3, 4], [10, 20]], { names: ["day", "station"] });
 * const months = rain.groupBy("day", ["jan", "feb", "jan"], { groups: ["jan", "feb"], name: "month" });
 * months.mean();
 * // => #Nx.Tensor<
 * //   f32[month: 2][station: 2]
 * //   [
 * //     [5.5, 11.0],
 * //     [3.0, 4.0]
 * //   ]
 * // >
 * months.keys;
 * // => ["jan", "feb"]
 * ```
 * @example
 * ```ts
 * const groups = Nx.groupBy(Nx.tensor([5, 6, 7, 8]), 0, Nx.tensor([2001, 1999, 2001, 1999]));
 * groups.max();
 * // => #Nx.Tensor<
 * //   s64[group: 2]
 * //   [8, 7]
 * // >
 * groups.keys;
 * // => [1999, 2001]
 * Nx.groupBy(Nx.tensor([5, 6, 7, 8]), 0, ["a", "b"]);
 * // throws ArgumentError: Nx.groupBy expects a label for each of 4 entries along axis 0 of shape [4], got 2 labels
 * ```
 * @example
 * ```ts
 * const rain = Nx.f32([1, 2, 4, 8], { names: ["day"] });
 * const labels = [[2023, 2023, 2024, 2024], ["jan", "feb", "jan", "feb"]];
 * rain.groupBy("day", labels, { names: ["year", "month"], groups: [undefined, ["jan", "feb"]] }).max();
 * // => #Nx.Tensor<
 * //   f32[year: 2][month: 2]
 * //   [
 * //     [1.0, 2.0],
 * //     [4.0, 8.0]
 * //   ]
 * // >
 * ```
 */
export function groupBy<
  N extends Names = Names,
  const A extends AxisOf<N> = AxisOf<N>,
  L extends SomeLabels = SomeLabels,
  const M extends Name = "group",
  const E extends Names = never,
>(
  tensor: Operand<N>,
  axis: A,
  labels: L,
  options?: GroupByOptions<M, E>,
): GroupedBy<Replace<N, A, GroupNames<L, M, E>>, N, KeyOf<L>> {
  const fn = "Nx.groupBy";
  const isEach = isSeveral(labels);
  options = checkOptions(fn, options, isEach ? ["names", "groups"] : ["name", "groups"]);
  const t: Tensor = asTensor(tensor, fn);
  const at = resolveAxis(axis, t.shape, t.names);
  const { numbers, keys, counts } = isEach
    ? readEach(fn, t, at, labels, options?.groups)
    : single(readLabels(fn, t, at, labels as GroupLabels, options?.groups));
  const own = isEach
    ? checkNames(options?.names, counts)
    : [options?.name === undefined ? "group" : checkName(options.name)];
  const spliced = <T>(whole: readonly T[], part: readonly T[]): readonly T[] =>
    Object.freeze([...whole.slice(0, at), ...part, ...whole.slice(at + 1)]);
  const names = uniqueNames(spliced(t.names, own), spliced(t.shape, counts));
  return new GroupedBy(t, numbers, keys as readonly KeyOf<L>[], { axis: at, names, counts });
}

/** Groups by their numbers, their labels, and how many there are along each axis of groups. */
interface Read {
  readonly numbers: Tensor;
  readonly keys: readonly unknown[];
  readonly counts: readonly number[];
}

const single = ({ numbers, keys }: Numbered): Read => ({ numbers, keys, counts: [keys.length] });

/** Places of an array that hold nothing are no lists. */
const isSeveral = (labels: unknown): labels is readonly GroupLabels[] =>
  Array.isArray(labels) &&
  labels.length > 0 &&
  labels.findIndex((each) => !(Array.isArray(each) || each instanceof Tensor)) < 0;

/** Groups of several lists of labels, counted row by row. */
function readEach(fn: string, t: Tensor, axis: number, labels: readonly GroupLabels[], groups: unknown): Read {
  if (groups !== undefined && !(Array.isArray(groups) && groups.length === labels.length)) {
    throw new ArgumentError(
      `option groups of ${fn} expects a list with the groups of each of ${labels.length} lists of labels, got: ${show(groups)}`,
    );
  }
  const each = labels.map((own, i) => readLabels(fn, t, axis, own, (groups as readonly unknown[] | undefined)?.[i]));
  const keys = Object.freeze(each.map((read) => Object.freeze(read.keys.slice())));
  const numbers = unchecked(() =>
    each
      .map((read) => cast(numbersOf(read.numbers, read.keys.length, 2 ** 32), "s64"))
      .reduce((all, own, i) => add(multiply(all, keys[i]!.length), own)),
  );
  return { numbers, keys, counts: keys.map((own) => own.length) };
}
