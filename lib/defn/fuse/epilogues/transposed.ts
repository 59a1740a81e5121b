/**
 * Transposes around sums of products: a transposed operand becomes other axes in the attributes, and a transpose of the result
 * that puts the axes of the right operand first becomes a product with the operands exchanged, by the rules of `kernel/transposed.ts`.
 */
import type { Attrs } from "../../../backend";
import { allAxes, freeAxes } from "../../../core/shape";
import { isComplex } from "../../../core/types";
import { isInOneOrder, isOfMatrices, keepsOrder, throughTranspose } from "../../../kernel/transposed";
import { primitiveNode, rebuild, type Node, type PrimitiveNode } from "../../graph";

type Dot = PrimitiveNode<"dot">;

const operandsOf = ({ inputs }: Dot) => inputs.map(({ out }) => out);

const isMatrixProduct = (node: Dot): boolean => isOfMatrices(operandsOf(node), node.attrs);

/** A product that reads through the transposes of its operands, as far as their axes stay in order. */
export function withTransposedOperands(node: Dot): Dot {
  if (!isInOneOrder(operandsOf(node), node.attrs)) return node;
  return withTransposedOperand(withTransposedOperand(node, 0), 1);
}

function withTransposedOperand(node: Dot, side: 0 | 1): Dot {
  const operand = node.inputs[side]!;
  if (operand.kind !== "transpose") return node;
  const attrs = throughTranspose(node.attrs, side, operand.attrs.axes);
  if (attrs === null) return node;
  const inputs = node.inputs.map((input, i) => (i === side ? operand.inputs[0]! : input));
  return { ...(rebuild(node, inputs) as Dot), attrs };
}

/**
 * A transpose of a product as a product with exchanged operands; null for all other transposes. Imaginary parts of complex products are
 * sums of two products, which exchanged operands would add up in another order.
 */
export function transposedResult(transpose: PrimitiveNode<"transpose">): Node | null {
  const node = transpose.inputs[0]!;
  if (node.kind !== "dot" || isComplex(node.out.type) || !isMatrixProduct(node)) return null;
  const { contract, batch } = node.attrs;
  const [left, right] = node.inputs as [Node, Node];
  const shared = batch[0].length;
  const rows = freeAxes(left.out.shape, contract[0], batch[0]).length;
  const columns = freeAxes(right.out.shape, contract[1], batch[1]).length;
  const exchanged = allAxes(shared + rows + columns).map((axis) => {
    if (axis < shared) return axis;
    return axis < shared + columns ? axis + rows : axis - columns;
  });
  const isExchange = transpose.attrs.axes.every((axis, i) => axis === exchanged[i]);
  if (!isExchange || !keepsOrder(contract[0], contract[1])) return null;
  const attrs: Attrs["dot"] = { contract: [contract[1], contract[0]], batch: [batch[1], batch[0]] };
  return primitiveNode("dot", transpose.out, [right, left], attrs);
}
