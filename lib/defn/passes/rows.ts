/**
 * Row programs: reductions of rows become one kernel with the element-wise kernels around them, so that rows stay in the caches
 * from the first step to the last. Runs after fusion.
 */
import {
  elementNode,
  functionsOf,
  fusedNode,
  isControl,
  isLeaf,
  rebuild,
  rootsOf,
  type Graph,
  type Node,
} from "../graph";
import { rowsFusionOf, type RowsFusion } from "../fuse/rows/build";
import { programsOf } from "../fuse/rows/grow";
import { Units } from "../fuse/rows/units";
import type { Pass } from "./pass";

export const rows: Pass = { name: "rows", run: joinRows };

function joinRows(graph: Graph, fired?: () => void): Graph {
  const roots = rootsOf(graph);
  const units = new Units(roots);
  const isRoot = new Set(roots);
  const fusionFor = new Map<Node, RowsFusion>();
  for (const members of programsOf(units)) {
    const fusion = rowsFusionOf(members, units, isRoot);
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
  fusionFor: ReadonlyMap<Node, RowsFusion>,
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

function replace({ inputs, outputs, attrs }: RowsFusion, done: Map<Node, Node>): void {
  const node = fusedNode(
    outputs.map(({ out }) => out),
    inputs.map((input) => done.get(input)!),
    attrs,
  );
  outputs.forEach((output, i) => done.set(output, elementNode(node, i)));
}

/** The node over rewritten inputs, and the functions of control flow. */
function again(node: Node, done: ReadonlyMap<Node, Node>, fired: (() => void) | undefined): Node {
  if (isLeaf(node)) return node;
  const functions = isControl(node) ? functionsOf(node).map((fn) => joinRows(fn, fired)) : functionsOf(node);
  return rebuild(
    node,
    node.inputs.map((input) => done.get(input)!),
    functions,
  );
}
