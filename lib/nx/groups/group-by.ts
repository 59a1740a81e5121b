/**
 * Entries of an axis by their labels: groupBy.
 */
import type { AxisOf, Replace } from "../../core/axis-types";
import { TAKE, TAKE_ALONG } from "../../backends/primitives";
import { tracingBackend } from "../../backends/registry";
import { ArgumentError, show } from "../../core/errors";
import { checkName, uniqueNames } from "../../core/names";
import { checkOptions } from "../../core/options";
import { unchecked } from "../../core/promotion-scope";
import { allAxes, formatShape, inversePermutation, resolveAxis, sizeOf, type Name, type Names } from "../../core/shape";
import { isComplex, isFloat, isInteger, toAggregate, toFloating, toReal, type DType } from "../../core/types";
import { refuseComplex } from "../../ops";
import { Tensor, type Operand } from "../../tensor";
import { betweenPlaces } from "../aggregates/order";
import { filled, missingIn } from "../aggregates/missing";
import { positionsAlong, reshapeTo, sliceAlong, workingType } from "../aggregates/core";
import { cumulativeSum } from "../cumulative";
import { toFlatList } from "../conversion";
import { tensor } from "../creation";
import { asTensor, cast, constant, run, template } from "../dispatch";
import {
  add,
  conjugate,
  divide,
  equal,
  greater,
  isNan,
  less,
  logicalNot,
  max,
  multiply,
  notEqual,
  real,
  sqrt,
  subtract,
  where,
} from "../elementwise";
import { extremesOf, inOrder, orderOf, productsOf, sizesOf, sumsOf, type Entries } from "./core";
import { EntryGroups, type GroupOp, type GroupSettings } from "./reductions";
import { unique } from "./unique";

/** The label of a group. */
export type GroupKey = string | number | bigint | boolean;

/** Options of `Nx.groupBy`. */
export interface GroupByOptions<M extends Name = Name> {
  /** Name of the axis of groups; `"group"` when left out. */
  readonly name?: M;
  /**
   * The groups that there are: a list of labels in their order; or how many, where labels are numbers from 0 on, which compiled functions
   * have to say. The labels that occur, in ascending order, when left out.
   */
  readonly groups?: number | readonly GroupKey[];
}

/** Where results belong: the axis of groups and all names. */
interface Place {
  readonly axis: number;
  readonly names: Names;
}

/** Entries of an axis by their labels, whose reductions are methods; made by `Nx.groupBy`. */
export class GroupedBy<N extends Names = Names, Own extends Names = Names> extends EntryGroups<N> {
  /** @internal */
  protected readonly knowsNan = true;
  /** @internal */
  protected readonly maker = "Nx.groupBy";
  /** The label of each group, in the order of the axis of groups. */
  readonly keys: readonly GroupKey[];
  readonly #t: Tensor;
  readonly #labels: Tensor;
  readonly #place: Place;

  /** @internal */
  constructor(t: Tensor, labels: Tensor, keys: readonly GroupKey[], place: Place) {
    super();
    this.#t = t;
    this.#labels = labels;
    this.keys = Object.freeze(keys.slice());
    this.#place = place;
  }

  /** The number of groups. */
  get size(): number {
    return this.keys.length;
  }

  /** The number of the group of each entry, a vector. */
  get numbers(): Tensor {
    return this.#labels;
  }

  /**
   * Results of groups brought back to the entries: for each entry that of its group.
   *
   * @param result - a tensor of which one axis, that of the groups, has an entry for each of them
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
    const { axis, names } = this.#place;
    const t: Tensor = asTensor(result, "expand of Nx.groupBy");
    if (t.shape[axis] !== this.size || t.shape.length !== names.length) {
      throw new ArgumentError(
        `expand of Nx.groupBy expects a tensor with ${this.size} groups along axis ${axis}, got shape ${formatShape(t.shape, t.names)}`,
      );
    }
    const shape = t.shape.map((size, i) => (i === axis ? this.#t.shape[axis]! : size));
    const out = template(t.type, Object.freeze(shape), this.#t.names);
    return run(TAKE, out, [t, this.#labels], { axis }) as Tensor as Tensor<Own>;
  }

  /** Each label with the entries that have it; groups without entries are left out. Not in compiled functions, where shapes are fixed. */
  *[Symbol.iterator](): IterableIterator<[key: GroupKey, entries: Tensor<Own>]> {
    const { axis } = this.#place;
    const sorted = takenAlong(this.#t, orderOf(this.#labels), axis);
    const sizes = toFlatList(sizesOf(this.#labels, this.size)).map(Number);
    let start = 0;
    for (const [i, size] of sizes.entries()) {
      if (size > 0) yield [this.keys[i]!, sliceAlong(sorted, axis, start, size) as Tensor as Tensor<Own>];
      start += size;
    }
  }

  /** @internal */
  protected reduce(op: GroupOp, settings: GroupSettings): Tensor {
    const { axis, names } = this.#place;
    return unchecked(() => {
      const order = [axis, ...allAxes(this.#t.shape.length).filter((i) => i !== axis)];
      const t = permuted(this.#t, order);
      const result = new Groups({ t, labels: this.#labels, groups: this.size }, settings).reduce(op);
      const back = permuted(result, inversePermutation(order));
      return run("reshape", template(back.type, back.shape, names), [back], {});
    });
  }
}

const permuted = (t: Tensor, axes: readonly number[]): Tensor => {
  const shape = Object.freeze(axes.map((axis) => t.shape[axis]!));
  return run("transpose", template(t.type, shape, Object.freeze(shape.map(() => null))), [t], { axes });
};

function takenAlong(t: Tensor, order: Tensor, axis: number): Tensor {
  const shape = t.shape.map((size, i) => (i === axis ? order.shape[0]! : size));
  return run(TAKE, template(t.type, Object.freeze(shape), t.names), [t, order], { axis });
}

/** The reductions of groups along the first axis. */
class Groups {
  readonly #entries: Entries;
  readonly #settings: GroupSettings;
  readonly #missing: Tensor | null;

  constructor(entries: Entries, settings: GroupSettings) {
    this.#entries = entries;
    this.#settings = settings;
    this.#missing = missingIn(entries.t, settings.skips);
  }

  reduce(op: GroupOp): Tensor {
    const { t } = this.#entries;
    switch (op) {
      case "count":
        return cast(this.#counts("f64", true), "s64");
      case "sum":
        return this.#sums(cast(this.#known(0), toAggregate(t.type)));
      case "product":
        return productsOf({ ...this.#entries, t: this.#known(1) });
      case "mean":
        return cast(this.#means(), toFloating(t.type));
      case "max":
      case "min":
        return this.#extremes(op);
      case "all":
        return notEqual(extremesOf("min", { ...this.#entries, t: notEqual(this.#known(1), 0) }), 0);
      case "any":
        return extremesOf("max", { ...this.#entries, t: notEqual(this.#known(0), 0) });
      case "variance":
        return cast(this.#variances(), toReal(toFloating(t.type)));
      case "standardDeviation":
        return cast(sqrt(this.#variances()), toReal(toFloating(t.type)));
      case "median":
      case "quantile":
        return this.#quantiles(refuseComplex(op, t.type), op === "median" ? 0.5 : this.#settings.share);
    }
  }

  /** The entries with a number in place of what is missing. */
  #known(value: number): Tensor {
    return filled(this.#entries.t, this.#missing, value);
  }

  #sums(t: Tensor): Tensor {
    return sumsOf({ ...this.#entries, t });
  }

  /** How many elements each result is made of: of the shape of results where some are missing or it is asked for, else a column. */
  #counts(type: DType, isWhole = false): Tensor {
    const { t, labels, groups } = this.#entries;
    if (this.#missing !== null) return cast(this.#sums(cast(logicalNot(this.#missing), "u32")), type);
    const column = reshapeTo(
      sizesOf(labels, groups, type),
      t.shape.map((_, i) => (i === 0 ? groups : 1)),
    );
    return isWhole ? add(column, constant(0, type, [groups, ...t.shape.slice(1)])) : column;
  }

  #means(): Tensor {
    const wide = workingType(this.#entries.t.type);
    return divide(this.#sums(cast(this.#known(0), wide)), this.#counts(toReal(wide)));
  }

  #extremes(op: "max" | "min"): Tensor {
    const { t } = this.#entries;
    refuseComplex(op, t.type);
    const value = extremesOf(op, { ...this.#entries, t: this.#known(op === "max" ? -Infinity : Infinity) });
    return isInteger(t.type) ? value : where(equal(this.#counts("f64"), 0), NaN, value);
  }

  /** Means of squared distances from the means, in double precision. */
  #variances(): Tensor {
    const { t, labels } = this.#entries;
    const wide = cast(this.#known(0), isComplex(t.type) ? "c128" : "f64");
    const counts = this.#counts("f64");
    const means = divide(this.#sums(wide), counts);
    const distances = filled(subtract(wide, inOrder(means, labels)), this.#missing, 0);
    const squares = isComplex(t.type)
      ? real(multiply(distances, conjugate(distances)))
      : multiply(distances, distances);
    const left = subtract(counts, this.#settings.ddof);
    return divide(this.#sums(squares), where(greater(left, 0), left, NaN));
  }

  /** Elements in the order of their groups, those of a group in ascending order with NaN last, and from there the value of a share. */
  #quantiles(type: DType, share: number): Tensor {
    const { t, labels, groups } = this.#entries;
    const width = sizeOf(t.shape.slice(1));
    const rows = reshapeTo(t, [t.shape[0]!, width]);
    const along = (x: Tensor, places: Tensor): Tensor =>
      run(TAKE_ALONG, template(x.type, places.shape, places.names), [x, places], { axis: 0 });
    const bySize = orderOf(rows);
    const ofRows = run(TAKE, template(labels.type, bySize.shape, bySize.names), [labels, bySize], { axis: 0 });
    const sorted = along(rows, along(bySize, orderOf(ofRows)));
    const sizes = sizesOf(labels, groups);
    const starts = reshapeTo(subtract(cumulativeSum(sizes), sizes), [groups, 1]);
    const all = add(reshapeTo(sizes, [groups, 1]), positionsAlong("s64", [1, width], 0));
    const there = isFloat(t.type) ? sumsOf({ t: cast(logicalNot(isNan(rows)), "s64"), labels, groups }) : all;
    const last = cast(max(subtract(there, 1), 0), "f64");
    const at = (place: Tensor): Tensor => {
      const places = add(starts, cast(place, "s64"));
      return cast(along(sorted, where(less(places, t.shape[0]!), places, 0)), "f64");
    };
    const value = betweenPlaces(at, last, share, 1);
    const isNone = this.#settings.skips ? equal(there, 0) : less(there, max(all, 1));
    const result = cast(where(isNone, NaN, value), toFloating(type));
    return reshapeTo(result, [groups, ...t.shape.slice(1)]);
  }
}

/**
 * Entries of an axis by their labels, to be reduced group by group: `t.groupBy("day", months).mean()` has the mean of each month. As in
 * pandas and xarray.
 *
 * @param tensor - numbers of any type and at least one axis
 * @param axis - the axis of the entries, by name or position
 * @param labels - the label of each entry: a list of strings or numbers, or a vector of integers
 * @param options - `name` of the axis of groups (`"group"`); `groups`: the labels that there are, as a list in their order, or their number
 *   where labels are numbers from 0 on, which compiled functions have to say. The labels that occur, in ascending order, when left out
 * @returns an object with `keys`, the label of each group in their order, and a method for each reduction: `sum`, `mean`, `max`, `min`,
 *   `product`, `count`, `variance`, `standardDeviation`, `median`, `quantile`, `all`, `any`, with the option `nan`. Results have the axis of
 *   groups in place of that of the entries. Groups without entries have sum 0, product 1, and NaN where floats cannot be known. `expand` brings
 *   results back to the entries; `for (const [key, entries] of groups)` goes through the groups
 * @throws ArgumentError for an axis that the tensor does not have, labels of another number, and those that are in no group
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
 */
export function groupBy<N extends Names = Names, const A extends AxisOf<N> = AxisOf<N>, const M extends Name = "group">(
  tensor: Operand<N>,
  axis: A,
  labels: Operand | readonly GroupKey[],
  options?: GroupByOptions<M>,
): GroupedBy<Replace<N, A, readonly [M]>, N> {
  const fn = "Nx.groupBy";
  options = checkOptions(fn, options, ["name", "groups"]);
  const t: Tensor = asTensor(tensor, fn);
  const at = resolveAxis(axis, t.shape, t.names);
  const name = options?.name === undefined ? "group" : checkName(options.name);
  const names = uniqueNames(Object.freeze(t.names.map((own, i) => (i === at ? name : own))), t.shape);
  const given = Array.isArray(labels) ? (labels as readonly GroupKey[]) : asTensor(labels, fn);
  const count = given instanceof Tensor ? sizeOf(given.shape) : given.length;
  if (count !== t.shape[at] || (given instanceof Tensor && given.shape.length !== 1)) {
    const got =
      given instanceof Tensor ? `labels ${given.type}${formatShape(given.shape, given.names)}` : `${count} labels`;
    const shape = formatShape(t.shape, t.names);
    throw new ArgumentError(
      `${fn} expects a label for each of ${t.shape[at]} entries along axis ${at} of shape ${shape}, got ${got}`,
    );
  }
  const [numbers, keys] =
    given instanceof Tensor ? ofTensor(fn, given, options?.groups) : ofList(fn, given, options?.groups);
  return new GroupedBy(t, numbers, keys, { axis: at, names });
}

type Numbered = [numbers: Tensor, keys: readonly GroupKey[]];

/** The groups of a list of labels. */
function ofList(fn: string, labels: readonly GroupKey[], groups: unknown): Numbered {
  labels.forEach((label) => checkKey(fn, label));
  const keys = groups === undefined ? [...new Set(labels)].sort(ascending) : readKeys(fn, groups);
  const numbers = new Map(keys.map((key, i) => [key, i]));
  const places = labels.map((label) => {
    const place = numbers.get(label);
    if (place !== undefined) return place;
    throw new ArgumentError(`${fn}: the label ${show(label)} is not among the groups ${show(keys)}`);
  });
  return [tensor(places, { type: "s64" }), keys];
}

/** The groups of a vector of integers. */
function ofTensor(fn: string, labels: Tensor, groups: unknown): Numbered {
  if (!isInteger(labels.type)) {
    throw new ArgumentError(
      `${fn} expects labels of an integer type, got ${labels.type}${formatShape(labels.shape, labels.names)}; ` +
        `Nx.digitize makes numbers of bins of real numbers`,
    );
  }
  const line = reshapeTo(labels, labels.shape);
  if (Array.isArray(groups)) return ofList(fn, toFlatList(line) as GroupKey[], groups);
  if (groups !== undefined) return [line, readKeys(fn, groups)];
  if (tracingBackend() !== null) {
    throw new ArgumentError(
      `${fn} in a compiled function needs the option groups, the number of groups, since labels are not known there`,
    );
  }
  const { values, inverse } = unique(line);
  return [inverse, toFlatList(values) as GroupKey[]];
}

/** The labels of the groups that an option says there are. */
function readKeys(fn: string, groups: unknown): readonly GroupKey[] {
  if (typeof groups === "number" && Number.isInteger(groups) && groups >= 1)
    return Array.from({ length: groups }, (_, i) => i);
  if (Array.isArray(groups) && groups.length > 0 && new Set(groups).size === groups.length) {
    return (groups as unknown[]).map((key) => checkKey(fn, key));
  }
  throw new ArgumentError(
    `option groups of ${fn} expects the number of groups or a list of different labels, got: ${show(groups)}`,
  );
}

function checkKey(fn: string, key: unknown): GroupKey {
  if (["string", "bigint", "boolean"].includes(typeof key) || (typeof key === "number" && !Number.isNaN(key))) {
    return key as GroupKey;
  }
  throw new ArgumentError(`${fn} expects labels that are strings or numbers, got: ${show(key)}`);
}

/** Numbers by size, strings by code units; of both numbers come first. */
function ascending(a: GroupKey, b: GroupKey): number {
  const [isTextA, isTextB] = [typeof a === "string", typeof b === "string"];
  if (isTextA !== isTextB) return isTextA ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}
