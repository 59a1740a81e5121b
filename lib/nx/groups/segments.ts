/**
 * Reductions over groups of entries: segmentSum, segmentMean, segmentMax, segmentMin, segmentProduct.
 */
import type { Entry, Plain, Unguessed } from "../../core/axis-types";
import { ArgumentError, show } from "../../core/errors";
import { checkName, uniqueNames } from "../../core/names";
import { checkOptions } from "../../core/options";
import { unchecked } from "../../core/promotion-scope";
import { formatShape, type Name, type Names } from "../../core/shape";
import { isInteger, toAggregate, toFloating } from "../../core/types";
import { refuseComplex } from "../../ops";
import type { Operand, Tensor } from "../../tensor";
import { reshapeTo, workingType } from "../aggregates/core";
import { asTensor, asTensors, cast, run, template } from "../dispatch";
import { divide } from "../elementwise";
import { extremesOf, productsOf, sizesOf, sumsOf, type Entries } from "./core";
import { checkLabels } from "./labels";

/** Options of the reductions of groups. */
export interface SegmentOptions<M = Name> {
  /** Name of the axis of groups. */
  readonly name?: M;
}

/**
 * The sum of the entries of each group, along the first axis.
 *
 * @param tensor - numbers of shape `[n, ...]`
 * @param labels - the group of each entry: a vector of `n` integers from 0 on, in any order
 * @param groups - the number of groups
 * @param options - `name` of the axis of groups
 * @returns a tensor of shape `[groups, ...]` of the type of `Nx.sum`; a group without entries has 0. Sums of floats are rounded once
 * @throws ArgumentError for labels of another size or along an axis of another name, and for those that are no group
 * @example
 * ```ts
 * const rain = Nx.f32([[1, 2], [3, 4], [10, 20]], { names: ["day", "station"] });
 * Nx.segmentSum(rain, Nx.tensor([0, 1, 0]), 3, { name: "month" });
 * // => #Nx.Tensor<
 * //   f32[month: 3][station: 2]
 * //   [
 * //     [11.0, 22.0],
 * //     [3.0, 4.0],
 * //     [0.0, 0.0]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.segmentSum(Nx.iota([3]), Nx.tensor([0, 1]), 2);
 * // throws ArgumentError: Nx.segmentSum expects a label for each of 3 entries along axis 0 of shape [3], got labels s64[2]
 * ```
 */
export function segmentSum<N extends Names, const M extends Name = null>(
  tensor: Operand<N>,
  labels: Operand,
  groups: number,
  options?: SegmentOptions<M>,
): Tensor<Plain<readonly [Unguessed<M>, ...Entry<N>]>>;
export function segmentSum(tensor: Operand, labels: Operand, groups: number, options?: SegmentOptions): Tensor {
  const fn = "Nx.segmentSum";
  const { entries, named } = read(fn, tensor, labels, groups, options);
  return named(sumsOf({ ...entries, t: cast(entries.t, toAggregate(entries.t.type)) }));
}

/**
 * The mean of the entries of each group, along the first axis.
 *
 * @param tensor - numbers of shape `[n, ...]`
 * @param labels - the group of each entry: a vector of `n` integers from 0 on, in any order
 * @param groups - the number of groups
 * @param options - `name` of the axis of groups
 * @returns a tensor of shape `[groups, ...]`, `f32` for integers; a group without entries has NaN
 * @throws ArgumentError for labels of another size or along an axis of another name, and for those that are no group
 * @example
 * ```ts
 * const rain = Nx.f32([[1, 2], [3, 4], [10, 20]], { names: ["day", "station"] });
 * Nx.segmentMean(rain, Nx.tensor([0, 1, 0]), 2, { name: "month" });
 * // => #Nx.Tensor<
 * //   f32[month: 2][station: 2]
 * //   [
 * //     [5.5, 11.0],
 * //     [3.0, 4.0]
 * //   ]
 * // >
 * Nx.segmentMean(rain, Nx.tensor([0, 1, 0]), 0);
 * // throws ArgumentError: the number of groups of Nx.segmentMean must be a positive integer, got: 0
 * ```
 */
export function segmentMean<N extends Names, const M extends Name = null>(
  tensor: Operand<N>,
  labels: Operand,
  groups: number,
  options?: SegmentOptions<M>,
): Tensor<Plain<readonly [Unguessed<M>, ...Entry<N>]>>;
export function segmentMean(tensor: Operand, labels: Operand, groups: number, options?: SegmentOptions): Tensor {
  const fn = "Nx.segmentMean";
  const { entries, named } = read(fn, tensor, labels, groups, options);
  return unchecked(() => {
    const { type } = entries.t;
    const wide = workingType(type);
    const sums = sumsOf({ ...entries, t: cast(entries.t, wide) });
    const counts = sizesOf(entries.labels, groups, wide);
    const column = reshapeTo(
      counts,
      sums.shape.map((size, i) => (i === 0 ? size : 1)),
    );
    return named(cast(divide(sums, column), toFloating(type)));
  });
}

/**
 * The largest entry of each group, along the first axis. A group with NaN has NaN.
 *
 * @param tensor - real numbers of shape `[n, ...]`
 * @param labels - the group of each entry: a vector of `n` integers from 0 on, in any order
 * @param groups - the number of groups
 * @param options - `name` of the axis of groups
 * @returns a tensor of shape `[groups, ...]` of the tensor's type; a group without entries has -Infinity, or the least
 *   integer of the type
 * @throws ArgumentError for labels of another size or along an axis of another name, for those that are no group, and for complex numbers
 * @example
 * ```ts
 * const rain = Nx.f32([[1, 2], [3, 4], [10, 20]], { names: ["day", "station"] });
 * Nx.segmentMax(rain, Nx.tensor([0, 1, 0]), 3, { name: "month" });
 * // => #Nx.Tensor<
 * //   f32[month: 3][station: 2]
 * //   [
 * //     [10.0, 20.0],
 * //     [3.0, 4.0],
 * //     [-Inf, -Inf]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.segmentMax(Nx.f32([1, NaN, 3, 2]), Nx.tensor([0, 0, 1, 1]), 2);
 * // => #Nx.Tensor<
 * //   f32[2]
 * //   [NaN, 3.0]
 * // >
 * Nx.segmentMax(Nx.iota([3]), Nx.tensor([0, 5, 1]), 2);
 * // throws ArgumentError: Nx.segmentMax: index 5 is out of bounds for axis 0 of size 2
 * ```
 */
export function segmentMax<N extends Names, const M extends Name = null>(
  tensor: Operand<N>,
  labels: Operand,
  groups: number,
  options?: SegmentOptions<M>,
): Tensor<Plain<readonly [Unguessed<M>, ...Entry<N>]>>;
export function segmentMax(tensor: Operand, labels: Operand, groups: number, options?: SegmentOptions): Tensor {
  const { entries, named } = read("Nx.segmentMax", tensor, labels, groups, options);
  refuseComplex("segmentMax", entries.t.type);
  return unchecked(() => named(extremesOf("max", entries)));
}

/**
 * The smallest entry of each group, along the first axis. A group with NaN has NaN.
 *
 * @param tensor - real numbers of shape `[n, ...]`
 * @param labels - the group of each entry: a vector of `n` integers from 0 on, in any order
 * @param groups - the number of groups
 * @param options - `name` of the axis of groups
 * @returns a tensor of shape `[groups, ...]` of the tensor's type; a group without entries has Infinity, or the largest
 *   integer of the type
 * @throws ArgumentError for labels of another size or along an axis of another name, for those that are no group, and for complex numbers
 * @example
 * ```ts
 * const rain = Nx.f32([[1, 2], [3, 4], [10, 20]], { names: ["day", "station"] });
 * Nx.segmentMin(rain, Nx.tensor([0, 1, 0]), 3, { name: "month" });
 * // => #Nx.Tensor<
 * //   f32[month: 3][station: 2]
 * //   [
 * //     [1.0, 2.0],
 * //     [3.0, 4.0],
 * //     [Inf, Inf]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.segmentMin(Nx.u8([1, 7, 3]), Nx.tensor([0, 2, 0]), 3);
 * // => #Nx.Tensor<
 * //   u8[3]
 * //   [1, 255, 7]
 * // >
 * Nx.segmentMin(Nx.iota([3]), Nx.tensor([0, 1]), 2);
 * // throws ArgumentError: Nx.segmentMin expects a label for each of 3 entries along axis 0 of shape [3], got labels s64[2]
 * ```
 */
export function segmentMin<N extends Names, const M extends Name = null>(
  tensor: Operand<N>,
  labels: Operand,
  groups: number,
  options?: SegmentOptions<M>,
): Tensor<Plain<readonly [Unguessed<M>, ...Entry<N>]>>;
export function segmentMin(tensor: Operand, labels: Operand, groups: number, options?: SegmentOptions): Tensor {
  const { entries, named } = read("Nx.segmentMin", tensor, labels, groups, options);
  refuseComplex("segmentMin", entries.t.type);
  return unchecked(() => named(extremesOf("min", entries)));
}

/**
 * The product of the entries of each group, along the first axis.
 *
 * @param tensor - numbers of shape `[n, ...]`
 * @param labels - the group of each entry: a vector of `n` integers from 0 on, in any order
 * @param groups - the number of groups
 * @param options - `name` of the axis of groups
 * @returns a tensor of shape `[groups, ...]` of the type of `Nx.product`; a group without entries has 1. Products of floats are
 *   rounded once
 * @throws ArgumentError for labels of another size or along an axis of another name, and for those that are no group
 * @example
 * ```ts
 * const rain = Nx.f32([[1, 2], [3, 4], [10, 20]], { names: ["day", "station"] });
 * Nx.segmentProduct(rain, Nx.tensor([0, 1, 0]), 3, { name: "month" });
 * // => #Nx.Tensor<
 * //   f32[month: 3][station: 2]
 * //   [
 * //     [10.0, 40.0],
 * //     [3.0, 4.0],
 * //     [1.0, 1.0]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.segmentProduct(Nx.u8([100, 2, 100]), Nx.tensor([0, 1, 0]), 2);
 * // => #Nx.Tensor<
 * //   u64[2]
 * //   [10000, 2]
 * // >
 * Nx.segmentProduct(Nx.iota([3]), Nx.f32([0, 1, 0]), 2);
 * // throws ArgumentError: Nx.segmentProduct expects labels of an integer type, got f32[3]
 * ```
 */
export function segmentProduct<N extends Names, const M extends Name = null>(
  tensor: Operand<N>,
  labels: Operand,
  groups: number,
  options?: SegmentOptions<M>,
): Tensor<Plain<readonly [Unguessed<M>, ...Entry<N>]>>;
export function segmentProduct(tensor: Operand, labels: Operand, groups: number, options?: SegmentOptions): Tensor {
  const { entries, named } = read("Nx.segmentProduct", tensor, labels, groups, options);
  return unchecked(() => named(productsOf(entries)));
}

interface Segments {
  readonly entries: Entries;
  /** Gives results their names. */
  readonly named: (result: Tensor) => Tensor;
}

function read(
  fn: string,
  tensor: Operand,
  labels: Operand,
  groups: unknown,
  options: SegmentOptions | undefined,
): Segments {
  options = checkOptions(fn, options, ["name"]);
  const [t, given] = asTensors([asTensor(tensor, fn), labels], fn) as [Tensor, Tensor];
  if (typeof groups !== "number" || !Number.isInteger(groups) || groups < 1) {
    throw new ArgumentError(`the number of groups of ${fn} must be a positive integer, got: ${show(groups)}`);
  }
  if (!isInteger(given.type)) {
    throw new ArgumentError(
      `${fn} expects labels of an integer type, got ${given.type}${formatShape(given.shape, given.names)}; convert them with Nx.asType`,
    );
  }
  if (t.shape.length === 0) throw new ArgumentError(`${fn} expects a tensor of at least one axis, got shape []`);
  checkLabels(fn, t, 0, given);
  const names = uniqueNames(Object.freeze([checkName(options?.name ?? null), ...t.names.slice(1)]), t.shape);
  return {
    entries: { t: reshapeTo(t, t.shape), labels: reshapeTo(given, given.shape), groups },
    named: (result) => run("reshape", template(result.type, result.shape, names), [result], {}),
  };
}
