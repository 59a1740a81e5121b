/**
 * Differences of neighbours along an axis.
 */
import type { AxisOf } from "../core/axis-types";
import { ArgumentError } from "../core/errors";
import { checkOptions, checkPlace, integerOption, type AlsoAxes, type More } from "../core/options";
import { formatShape, resolveAxis, type Axis, type Names } from "../core/shape";
import type { Operand, Tensor } from "../tensor";
import { adjacent } from "./aggregates/core";
import { alias, asTensor } from "./dispatch";
import { subtract } from "./elementwise";

/** Options of `Nx.diff`. */
export interface DiffOptions<A = Axis> extends AlsoAxes<A> {
  /** The axis to go along, by position or name; the last when left out. */
  readonly axis?: A;
  /** How often differences are taken; 1 when left out. */
  readonly order?: number;
}

/**
 * Differences of neighbours along an axis: each element less the one before it.
 *
 * Differences of unsigned integers wrap around; convert them first.
 *
 * @param tensor - numbers of any type, with at least one axis
 * @param options - `axis` (the last), `order`: how often differences are taken (1)
 * @returns a tensor of the same type and names, whose axis is shorter by `order`
 * @throws ArgumentError for an order below 0, and for an axis that is not longer than the order
 * @example
 * ```ts
 * const t = Nx.tensor([[1, 2, 4, 7], [0, 5, 6, 8]], { names: ["row", "time"] });
 * Nx.diff(t, { axis: "time" });
 * // => #Nx.Tensor<
 * //   s64[row: 2][time: 3]
 * //   [
 * //     [1, 2, 3],
 * //     [5, 1, 2]
 * //   ]
 * // >
 * Nx.diff(t, { order: 2 });
 * // => #Nx.Tensor<
 * //   s64[row: 2][time: 2]
 * //   [
 * //     [1, 1],
 * //     [-4, 1]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.diff(Nx.tensor([1, 2]), { order: 2 });
 * // throws ArgumentError: Nx.diff of order 2 along axis 0 of shape [2] has no elements: the axis must be longer than the order
 * ```
 */
export function diff<N extends Names>(
  tensor: Operand<N>,
  options?: AxisOf<N> | DiffOptions<AxisOf<N>>,
  ..._more: More<DiffOptions<undefined>>
): Tensor<N> {
  const fn = "Nx.diff";
  const choice = checkOptions<DiffOptions>(fn, options, ["axis", "order"]);
  const t: Tensor = asTensor(tensor, fn);
  checkPlace(fn, options, t, "order");
  const axis = resolveAxis(choice?.axis === undefined ? -1 : choice.axis, t.shape, t.names);
  const order = integerOption(fn, "order", choice?.order, 1);
  const size = t.shape[axis]!;
  if (order < 0) throw new ArgumentError(`option order of ${fn} must be at least 0, got: ${order}`);
  if (order >= size) {
    throw new ArgumentError(
      `${fn} of order ${order} along axis ${axis} of shape ${formatShape(t.shape, t.names)} has no elements: the axis must be ` +
        `longer than the order`,
    );
  }
  let result = t;
  for (let i = 0; i < order; i++) {
    const [before, behind] = adjacent(result, axis);
    result = subtract(behind, before);
  }
  return (result === t ? alias(t) : result) as Tensor<N>;
}
