/**
 * Fusion: element-wise nodes become kernels that compute many of them in one pass over memory, with the moving about of their
 * operands done by strides.
 */
import {
  isControl,
  elementNode,
  functionsOf,
  fusedNode,
  isLeaf,
  rebuild,
  rootsOf,
  topological,
  type Graph,
  type Node,
} from "../graph";
import { fusionOf, type Fusion } from "../fuse/build";
import { clustersOf, factsOf } from "../fuse/clusters";
import type { Pass } from "./pass";

export const fuse: Pass = { name: "fuse", run: fuseGraph };

function fuseGraph(graph: Graph, fired?: () => void): Graph {
  const roots = rootsOf(graph);
  const facts = factsOf(topological(roots), roots);
  const fusionFor = new Map<Node, Fusion>();
  for (const nodes of clustersOf(facts)) {
    const fusion = fusionOf(nodes, facts);
    if (!fusion) continue;
    fired?.();
    for (const output of fusion.outputs) fusionFor.set(output, fusion);
  }
  const done = rewrite(roots, fusionFor, fired);
  const rewritten = (nodes: readonly Node[]) => nodes.map((node) => done.get(node)!);
  return { ...graph, outputs: rewritten(graph.outputs), effects: rewritten(graph.effects) };
}

/** What stands in place of each node that is still there; iterative, since chains can be deep. */
function rewrite(
  roots: readonly Node[],
  fusionFor: ReadonlyMap<Node, Fusion>,
  fired: (() => void) | undefined,
): ReadonlyMap<Node, Node> {
  const done = new Map<Node, Node>();
  const stack = [...roots].reverse();
  while (stack.length > 0) {
    const node = stack[stack.length - 1]!;
    const fusion = fusionFor.get(node);
    const missing = (fusion?.inputs ?? node.inputs).filter((input) => !done.has(input));
    if (done.has(node) || missing.length === 0) stack.pop();
    if (done.has(node)) continue;
    if (missing.length > 0) stack.push(...missing);
    else if (fusion) replace(fusion, done);
    else done.set(node, again(node, done, fired));
  }
  return done;
}

function replace({ inputs, outputs, attrs }: Fusion, done: Map<Node, Node>): void {
  const node = fusedNode(
    outputs.map(({ out }) => out),
    inputs.map((input) => done.get(input)!),
    attrs,
  );
  outputs.forEach((output, i) => done.set(output, elementNode(node, i)));
}

/** The node over rewritten inputs; the functions of control flow are fused too, those called for each element are not. */
function again(node: Node, done: ReadonlyMap<Node, Node>, fired: (() => void) | undefined): Node {
  if (isLeaf(node)) return node;
  const functions = isControl(node) ? functionsOf(node).map((fn) => fuseGraph(fn, fired)) : functionsOf(node);
  return rebuild(
    node,
    node.inputs.map((input) => done.get(input)!),
    functions,
  );
}
