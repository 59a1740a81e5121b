/**
 * Copies of the nodes that make a value, for a kernel that computes it again; seen through views, the copies work on views of
 * the operands.
 */
import { unnamed } from "../../core/names";
import { sameShape, type Shape } from "../../core/shape";
import { primitiveNode, type Node, type PrimitiveNode } from "../graph";
import { constantBehind, isBuiltIn } from "./lower";
import type { Recomputed } from "./rematerialize";

/** The value over what its operands became, as the last of `views` shows it. */
export function madeAgain({ value, nodes }: Recomputed, views: readonly Node[], became: (node: Node) => Node): Node {
  const copies = new Map<Node, Node>();
  const shape = views.length > 0 ? views[views.length - 1]!.out.shape : null;
  const operand = (input: Node): Node => {
    const copy = copies.get(input);
    if (copy) return copy;
    return shape ? throughViews(input, became(input), value.out.shape, views) : became(input);
  };
  for (const node of nodes) copies.set(node, copied(node, node.inputs.map(operand), shape));
  return copies.get(value)!;
}

/** A node of its own, though its operands may be the same. */
function copied(node: Node, inputs: readonly Node[], shape: Shape | null): Node {
  const { kind, attrs } = node as PrimitiveNode;
  const out = shape ? { type: node.out.type, shape, names: unnamed(shape.length) } : node.out;
  const copy = primitiveNode(kind, out, inputs, attrs);
  return node.origin ? { ...copy, origin: node.origin } : copy;
}

/** An operand of a value of some shape, repeated to that shape and then seen through the views. */
function throughViews(input: Node, became: Node, shape: Shape, views: readonly Node[]): Node {
  const { type } = input.out;
  const constant = isBuiltIn(input) ? constantBehind(input) : null;
  if (constant) return primitiveNode("constant", { type, shape: [], names: [] }, [], constant.attrs);
  const lead = shape.length - input.out.shape.length;
  const axes = input.out.shape.map((_, axis) => axis + lead);
  const whole = sameShape(input.out.shape, shape)
    ? became
    : primitiveNode("broadcast", { type, shape, names: unnamed(shape.length) }, [became], { axes });
  return (views as readonly PrimitiveNode[]).reduce<Node>((seen, { kind, out, attrs }) => {
    const names = unnamed(out.shape.length);
    return primitiveNode(kind, { type, shape: out.shape, names }, [seen], attrs);
  }, whole);
}
