/**
 * Index maps: chains of nodes that only move elements about, composed into strides over the tensor at their end.
 */
import type { View } from "../../backend";
import { sizeOf, type Shape } from "../../core/shape";
import { alignedView, isRowMajor, moved, wholeView, type Move } from "../../kernel/view";
import type { Node, PrimitiveNode } from "../graph";

/** A tensor and the view through which it is read. */
export interface Viewed {
  readonly base: Node;
  readonly view: View;
}

type MoveNode = { readonly [K in Move["kind"]]: PrimitiveNode<K> }[Move["kind"]];

/** Nodes whose elements are elements of their operand, each at a place that is linear in the index. */
export function isViewNode(node: Node): node is MoveNode {
  switch (node.kind) {
    case "broadcast":
    case "transpose":
    case "reverse":
    case "reshape":
      return true;
    case "slice":
      return node.attrs.starts.every((start) => start !== null);
    default:
      return false;
  }
}

/** A tensor as it lies. */
export const whole = (base: Node): Viewed => ({ base, view: wholeView(base.out.shape) });

/** The tensor and the view behind a node: as many views as compose; the chain ends at `isOpaque` nodes. */
export function viewOf(node: Node, isOpaque: (node: Node) => boolean = () => false): Viewed {
  const chain: Node[] = [];
  let base = node;
  for (; isViewNode(base) && !isOpaque(base); base = base.inputs[0]!) chain.push(base);
  return chain.reduceRight((inner, view) => through(view, inner) ?? whole(view), whole(base));
}

/** One more view on top; null where it does not compose. */
function through(node: Node, { base, view }: Viewed): Viewed | null {
  const seen = isViewNode(node) ? moved(view, node, node.out.shape) : null;
  return seen && { base, view: seen };
}

/** A view as an operand of an element-wise op of a shape: aligned from the right, repeated where it has one element. */
export const aligned = ({ base, view }: Viewed, shape: Shape): Viewed => ({ base, view: alignedView(view, shape) });

/** Whether elements are read one after the other, all of them. */
export const isWhole = ({ base, view }: Viewed): boolean =>
  view.offset === 0 && sizeOf(base.out.shape) === sizeOf(view.shape) && isRowMajor(view);
