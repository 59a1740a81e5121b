/**
 * Transposes around products of matrices become part of the products, so that nothing is moved about for them and what reads
 * a product can be fused to it.
 */
import { turnedResult, withOperandsTurned } from "../fuse/epilogues/turned";
import { functionsOf, isLeaf, rebuild, rootsOf, topological, type Graph, type Node } from "../graph";
import type { Pass } from "./pass";

export const turn: Pass = { name: "turn", run: turnProducts };

function turnProducts(graph: Graph, fired?: () => void): Graph {
  const roots = rootsOf(graph);
  const order = topological(roots);
  const reads = readsOf(order, roots);
  const done = new Map<Node, Node>();
  for (const node of order) {
    const same = remade(node, done, fired);
    const isOnly = node.kind === "transpose" && reads.get(node.inputs[0]!) === 1;
    const turned = (isOnly && same.kind === "transpose" ? turnedResult(same) : null) ?? same;
    const last = turned.kind === "dot" ? withOperandsTurned(turned) : turned;
    if (last !== same) fired?.();
    done.set(node, last);
  }
  if (roots.every((node) => done.get(node) === node)) return graph;
  const made = (nodes: readonly Node[]): Node[] => nodes.map((node) => done.get(node)!);
  return { ...graph, outputs: made(graph.outputs), effects: made(graph.effects) };
}

/** How often each node is read. */
function readsOf(order: readonly Node[], roots: readonly Node[]): Map<Node, number> {
  const reads = new Map<Node, number>();
  for (const node of [...order.flatMap(({ inputs }) => inputs), ...roots]) reads.set(node, (reads.get(node) ?? 0) + 1);
  return reads;
}

/** The node over what its inputs and functions became. */
function remade(node: Node, done: ReadonlyMap<Node, Node>, fired?: () => void): Node {
  if (isLeaf(node)) return node;
  const inputs = node.inputs.map((input) => done.get(input)!);
  return rebuild(
    node,
    inputs,
    functionsOf(node).map((fn) => turnProducts(fn, fired)),
  );
}
