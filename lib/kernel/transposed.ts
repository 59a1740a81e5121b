/**
 * Sums of products that read an operand through its transpose: other axes in place of elements that are moved about. Sums keep their
 * order, so results stay the same. Products of vectors with matrices of other types than f64 stay as they are: backends may sum them in an
 * order that depends on how the matrix lies.
 */
import type { Attrs, Template } from "../backend";
import { freeAxes } from "../core/shape";

type Axes = readonly number[];
type Pair = readonly [left: Axes, right: Axes];

const isAscending = (axes: Axes): boolean => axes.every((axis, i) => i === 0 || axes[i - 1]! < axis);

/** The pairs of contracted axes in the order of the axes of the left operand, in which sums run. */
const orderOf = (left: Axes): string =>
  left
    .map((_, i) => i)
    .sort((i, j) => left[i]! - left[j]!)
    .join();

/** Whether sums over these axes of the left operand run in the same order. */
export const keepsOrder = (before: Axes, after: Axes): boolean => orderOf(before) === orderOf(after);

/** Whether a product is one of matrices, not of a matrix and a vector. */
export function isOfMatrices(operands: readonly Pick<Template, "shape">[], { contract, batch }: Attrs["dot"]): boolean {
  return operands.every(({ shape }, side) =>
    freeAxes(shape, contract[side]!, batch[side]!).some((axis) => shape[axis] !== 1),
  );
}

/** Whether sums of a product are made in one order however the operands lie. */
export const isInOneOrder = (operands: readonly Pick<Template, "type" | "shape">[], attrs: Attrs["dot"]): boolean =>
  operands.every(({ type }) => type === "f64") || isOfMatrices(operands, attrs);

/**
 * The axes of such a product, one operand of which is a tensor whose axes were put in this order, as those of the product with that
 * tensor as it was; null where elements of the result, or what is added up, would come in another order.
 */
export function throughTranspose({ contract, batch }: Attrs["dot"], side: 0 | 1, axes: Axes): Attrs["dot"] | null {
  const free = freeAxes(axes, contract[side], batch[side]).map((axis) => axes[axis]!);
  const renumbered = (pair: Pair): Pair => {
    const below = pair[side].map((axis) => axes[axis]!);
    return side === 0 ? [below, pair[1]] : [pair[0], below];
  };
  const attrs: Attrs["dot"] = { contract: renumbered(contract), batch: renumbered(batch) };
  return isAscending(free) && keepsOrder(contract[0], attrs.contract[0]) ? attrs : null;
}
