/**
 * Sums and means over groups of entries: segmentSum, segmentMean.
 */
import { INDEXED } from "../../backends/primitives";
import { ArgumentError, show } from "../../core/errors";
import { checkName, uniqueNames } from "../../core/names";
import { checkOptions } from "../../core/options";
import { unchecked } from "../../core/promotion-scope";
import { checkSize, formatShape, type Name } from "../../core/shape";
import { isInteger, toAggregate, toFloating } from "../../core/types";
import type { Operand, Tensor } from "../../tensor";
import { reshapeTo, workingType } from "../aggregates/core";
import { asTensor, asTensors, cast, constant, run, template } from "../dispatch";
import { divide } from "../elementwise";

/** Options of the reductions of groups. */
export interface SegmentOptions {
  /** Name of the axis of groups. */
  readonly name?: Name;
}

/**
 * The sum of the entries of each group, along the first axis.
 *
 * @param tensor - numbers of shape `[n, ...]`
 * @param labels - the group of each entry: a vector of `n` integers from 0 on, in any order
 * @param groups - the number of groups
 * @param options - `name` of the axis of groups
 * @returns a tensor of shape `[groups, ...]` of the type of `Nx.sum`; a group without entries has 0. Sums of floats are rounded once
 * @throws ArgumentError for labels of another size, and for those that are no group
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
 * // throws ArgumentError: Nx.segmentSum expects a label for each of 3 entries of shape [3], got labels s64[2]
 * ```
 */
export function segmentSum(tensor: Operand, labels: Operand, groups: number, options?: SegmentOptions): Tensor {
  const fn = "Nx.segmentSum";
  const { t, places, name } = read(fn, tensor, labels, groups, options);
  return added(cast(t, toAggregate(t.type)), places, groups, name);
}

/**
 * The mean of the entries of each group, along the first axis.
 *
 * @param tensor - numbers of shape `[n, ...]`
 * @param labels - the group of each entry: a vector of `n` integers from 0 on, in any order
 * @param groups - the number of groups
 * @param options - `name` of the axis of groups
 * @returns a tensor of shape `[groups, ...]`, `f32` for integers; a group without entries has NaN
 * @throws ArgumentError for labels of another size, and for those that are no group
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
export function segmentMean(tensor: Operand, labels: Operand, groups: number, options?: SegmentOptions): Tensor {
  const fn = "Nx.segmentMean";
  const { t, places, name } = read(fn, tensor, labels, groups, options);
  return unchecked(() => {
    const wide = workingType(t.type);
    const sums = added(cast(t, wide), places, groups, name);
    const counts = added(constant(1, wide, Object.freeze([t.shape[0]!])), places, groups, null);
    const column = reshapeTo(
      counts,
      sums.shape.map((size, i) => (i === 0 ? size : 1)),
    );
    return cast(divide(sums, column), toFloating(t.type));
  });
}

interface Segments {
  readonly t: Tensor;
  /** One coordinate for each entry, of shape `[n, 1]`. */
  readonly places: Tensor;
  readonly name: Name;
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
  const entries = t.shape[0] ?? 0;
  if (!isInteger(given.type) || given.shape.length !== 1 || given.shape[0] !== entries) {
    throw new ArgumentError(
      `${fn} expects a label for each of ${entries} entries of shape ${formatShape(t.shape, t.names)}, got labels ` +
        `${given.type}${formatShape(given.shape, given.names)}`,
    );
  }
  return { t, places: reshapeTo(given, [entries, 1]), name: checkName(options?.name ?? null) };
}

function added(t: Tensor, places: Tensor, groups: number, name: Name): Tensor {
  const shape = Object.freeze([groups, ...t.shape.slice(1)]);
  checkSize(shape);
  const names = uniqueNames(Object.freeze([name, ...t.names.slice(1)]), shape);
  const none = constant(0, t.type, shape, names);
  return run(INDEXED, template(t.type, shape, names), [none, places, t], { op: "add", axes: [0] });
}
