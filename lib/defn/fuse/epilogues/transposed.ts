/**
 * Transposes around sums of products: a transposed operand becomes other axes in the attributes, and a transpose of the result
 * that puts the axes of the right operand first becomes a product with the operands exchanged. Sums keep their order, so
 * results stay the same and only copies go away. Products with vectors stay as they are: backends may sum them in an order that
 * depends on how the matrix lies.
 */
import type { Attrs } from "../../../backend";
import { allAxes } from "../../../core/shape";
import { primitiveNode, rebuild, type Node, type PrimitiveNode } from "../../graph";

type Axes = readonly number[];
type Pair = readonly [left: Axes, right: Axes];
type Dot = PrimitiveNode<"dot">;

const freeAxes = (node: Node, contract: Axes, batch: Axes): number[] =>
  allAxes(node.out.shape.length).filter((axis) => !contract.includes(axis) && !batch.includes(axis));

const isAscending = (axes: Axes): boolean => axes.every((axis, i) => i === 0 || axes[i - 1]! < axis);

/** The pairs of contracted axes in the order of the axes of the left operand, in which sums run. */
const orderOf = (left: Axes): string =>
  left
    .map((_, i) => i)
    .sort((i, j) => left[i]! - left[j]!)
    .join();

const keepsOrder = (before: Axes, after: Axes): boolean => orderOf(before) === orderOf(after);

/** Whether a product is one of matrices, not of a matrix and a vector. */
function isOfMatrices({ inputs, attrs: { contract, batch } }: Dot): boolean {
  return inputs.every((input, side) =>
    freeAxes(input, contract[side]!, batch[side]!).some((axis) => input.out.shape[axis] !== 1),
  );
}

/** A product that reads through the transposes of its operands, as far as their axes stay in order. */
export function withTransposedOperands(node: Dot): Dot {
  if (!isOfMatrices(node)) return node;
  return withTransposedOperand(withTransposedOperand(node, 0), 1);
}

function withTransposedOperand(node: Dot, side: 0 | 1): Dot {
  const operand = node.inputs[side]!;
  if (operand.kind !== "transpose") return node;
  const { axes } = operand.attrs;
  const { contract, batch } = node.attrs;
  const free = freeAxes(operand, contract[side], batch[side]).map((axis) => axes[axis]!);
  const renumbered = (pair: Pair): Pair => {
    const below = pair[side].map((axis) => axes[axis]!);
    return side === 0 ? [below, pair[1]] : [pair[0], below];
  };
  const attrs: Attrs["dot"] = { contract: renumbered(contract), batch: renumbered(batch) };
  if (!isAscending(free) || !keepsOrder(contract[0], attrs.contract[0])) return node;
  const inputs = node.inputs.map((input, i) => (i === side ? operand.inputs[0]! : input));
  return { ...(rebuild(node, inputs) as Dot), attrs };
}

/** A transpose of a product as a product with exchanged operands; null for all other transposes. */
export function transposedResult(transpose: PrimitiveNode<"transpose">): Node | null {
  const node = transpose.inputs[0]!;
  if (node.kind !== "dot" || !isOfMatrices(node)) return null;
  const { contract, batch } = node.attrs;
  const [left, right] = node.inputs as [Node, Node];
  const shared = batch[0].length;
  const [rows, columns] = [freeAxes(left, contract[0], batch[0]).length, freeAxes(right, contract[1], batch[1]).length];
  const exchanged = allAxes(shared + rows + columns).map((axis) => {
    if (axis < shared) return axis;
    return axis < shared + columns ? axis + rows : axis - columns;
  });
  const isExchange = transpose.attrs.axes.every((axis, i) => axis === exchanged[i]);
  if (!isExchange || !keepsOrder(contract[0], contract[1])) return null;
  const attrs: Attrs["dot"] = { contract: [contract[1], contract[0]], batch: [batch[1], batch[0]] };
  return primitiveNode("dot", transpose.out, [right, left], attrs);
}
