/**
 * A fused graph as it is shown: the nodes inside of kernels stand in it openly, and it is known which kernel computes each.
 */
import {
  isLeaf,
  rebuild,
  rootsOf,
  topological,
  type ElementNode,
  type FusedNode,
  type Graph,
  type Node,
} from "../../graph";

export interface Unfused {
  readonly graph: Graph;
  /** The shown node that readers of a node of the fused graph refer to. */
  readonly valueOf: (node: Node) => Node;
  /** The shown nodes that a node of the fused graph computes: several for a kernel, else itself. */
  readonly partsOf: (node: Node) => readonly Node[];
  /** The shown nodes that a node of the fused graph writes. */
  readonly resultsOf: (node: Node) => readonly Node[];
}

/** Opens the kernels of a graph. */
export function unfused(graph: Graph): Unfused {
  const values = new Map<Node, Node>();
  const parts = new Map<Node, readonly Node[]>();
  const results = new Map<Node, readonly Node[]>();
  const valueOf = (node: Node): Node => values.get(node)!;
  for (const node of topological(rootsOf(graph))) {
    if (node.kind === "fused") {
      const inside = opened(node, valueOf);
      parts.set(node, inside.parts);
      results.set(node, inside.outputs);
    } else if (node.kind === "element" && node.inputs[0]!.kind === "fused") {
      values.set(node, results.get(node.inputs[0]!)![node.attrs.index]!);
    } else {
      values.set(node, isLeaf(node) ? node : rebuild(node, node.inputs.map(valueOf)));
    }
  }
  const shown = (nodes: readonly Node[]): Node[] => nodes.map(valueOf);
  return {
    graph: { ...graph, outputs: shown(graph.outputs), effects: shown(graph.effects) },
    valueOf,
    partsOf: (node) => parts.get(node) ?? [valueOf(node)],
    resultsOf: (node) => results.get(node) ?? [valueOf(node)],
  };
}

/** The nodes of a kernel over what it reads; kernels inside of it are opened too. */
function opened(node: FusedNode, valueOf: (node: Node) => Node): { parts: Node[]; outputs: Node[] } {
  const { fn } = node.attrs;
  const done = new Map<Node, Node>();
  const inside = new Map<Node, readonly Node[]>();
  fn.parameters.forEach((parameter, i) => done.set(parameter, valueOf(node.inputs[i]!)));
  const parts: Node[] = [];
  for (const inner of topological(fn.outputs)) {
    if (done.has(inner)) continue;
    const shown = (input: Node): Node => done.get(input)!;
    if (inner.kind === "fused") {
      const kernel = opened(inner, shown);
      inside.set(inner, kernel.outputs);
      parts.push(...kernel.parts);
      continue;
    }
    const results = inner.kind === "element" ? inside.get(inner.inputs[0]!) : undefined;
    const fresh = results
      ? results[(inner as ElementNode).attrs.index]!
      : isLeaf(inner)
        ? inner
        : rebuild(inner, inner.inputs.map(shown));
    done.set(inner, fresh);
    if (!results) parts.push(fresh);
  }
  // Several kernels inside may have the same constant.
  return { parts: [...new Set(parts)], outputs: fn.outputs.map((output) => done.get(output)!) };
}
