/**
 * Constant folding: a node all of whose inputs are known, captured tensors among them, is computed once, by the backend that
 * will run the graph. Results that are large, and larger than what they are made of, are left alone, since holding them costs
 * more than making them; so is anything that raises, since it must raise when it is run.
 */
import type { Attrs, Primitive } from "../../backend";
import { runTracing } from "../../backends/registry";
import { NxError } from "../../core/errors";
import { sizeOf } from "../../core/shape";
import { rerun } from "../../nx/dispatch";
import type { Tensor } from "../../tensor";
import { functionsOf, isLeaf, mapGraph, tensorNode, type Graph, type Node } from "../graph";
import type { Pass } from "./pass";

/** Results of more elements than this, and than their largest operand, are not folded. */
const FOLD_LIMIT = 256;

export const fold: Pass = {
  name: "fold",
  run: (graph: Graph, fired?: () => void): Graph =>
    runTracing(null, () =>
      mapGraph(graph, (node) => {
        const folded = foldNode(node);
        if (folded !== node) fired?.();
        return folded;
      }),
    ),
};

function foldNode(node: Node): Node {
  if (isLeaf(node) || node.kind === "constant" || functionsOf(node).length > 0) return node;
  if (node.kind === "element" || node.kind === "hook" || "outs" in node) return node;
  if (!node.inputs.every(isKnown)) return node;
  if (sizeOf(node.out.shape) > Math.max(FOLD_LIMIT, ...node.inputs.map(heldBy))) return node;
  try {
    const inputs = node.inputs.map(valueOf);
    return tensorNode("literal", rerun(node.kind, node.out, inputs, node.attrs as Attrs[Primitive]));
  } catch (error) {
    if (error instanceof NxError) return node;
    throw error;
  }
}

const isKnown = (node: Node): boolean => "tensor" in node || node.kind === "constant";

/** Elements that are held already. */
const heldBy = (node: Node): number => ("tensor" in node ? sizeOf(node.out.shape) : 0);

function valueOf(node: Node): Tensor {
  if ("tensor" in node) return node.tensor;
  return rerun("constant", node.out, [], (node as Extract<Node, { kind: "constant" }>).attrs);
}
