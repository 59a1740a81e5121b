/**
 * Transposes around products of matrices become part of the products, so that nothing is moved about for them and what reads
 * a product can be fused to it.
 */
import { transposedResult, withTransposedOperands } from "../fuse/epilogues/transposed";
import {
  afterChanges,
  functionsOf,
  orderOf,
  rebuild,
  rootsOf,
  withChanges,
  type Changes,
  type Graph,
  type Node,
} from "../graph";
import type { Pass } from "./pass";

export const transposes: Pass = { name: "transposes", run: absorbTransposes };

function absorbTransposes(graph: Graph, fired?: () => void): Graph {
  if (!hasProducts(graph)) return graph;
  const order = orderOf(graph);
  const reads = readsOf(order, rootsOf(graph));
  const changed: Changes = new Map();
  for (const node of order) {
    const same = remade(node, changed, fired);
    const isOnly = node.kind === "transpose" && reads.get(node.inputs[0]!) === 1;
    const result = (isOnly && same.kind === "transpose" ? transposedResult(same) : null) ?? same;
    const last = result.kind === "dot" ? withTransposedOperands(result) : result;
    if (last !== same) fired?.();
    if (last !== node) changed.set(node, last);
  }
  return withChanges(graph, changed);
}

/** Whether a graph has products, in its functions too. */
const hasProducts = (graph: Graph): boolean =>
  orderOf(graph).some((node) => node.kind === "dot" || functionsOf(node).some(hasProducts));

/** How often each node is read. */
function readsOf(order: readonly Node[], roots: readonly Node[]): Map<Node, number> {
  const reads = new Map<Node, number>();
  for (const node of [...order.flatMap(({ inputs }) => inputs), ...roots]) reads.set(node, (reads.get(node) ?? 0) + 1);
  return reads;
}

/** A copy of a node with its changed inputs and functions. */
function remade(node: Node, changed: ReadonlyMap<Node, Node>, fired?: () => void): Node {
  const functions = functionsOf(node);
  const inner = functions.length === 0 ? undefined : functions.map((fn) => absorbTransposes(fn, fired));
  return rebuild(node, afterChanges(node.inputs, changed), inner);
}
