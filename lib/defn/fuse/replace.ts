/**
 * Putting fused nodes in the place of what they compute.
 */
import type { Nest } from "../../backend";
import {
  elementNode,
  functionsOf,
  fusedNode,
  isControl,
  isLeaf,
  orderOf,
  parameterNode,
  rebuild,
  rootsOf,
  type FusedAttrs,
  type Graph,
  type Node,
} from "../graph";

/** A future nest: the inputs in order, and the computed nodes with readers outside. */
export interface Fusion {
  readonly inputs: readonly Node[];
  readonly outputs: readonly Node[];
  readonly attrs: FusedAttrs;
}

/** A nest with the graph that it computes, which is made when someone asks for it: backends that run the nest never do. */
export class LazyFused implements FusedAttrs {
  #fn: Graph | null = null;
  readonly #inputs: readonly Node[];
  readonly #outputs: readonly Node[];

  constructor(
    readonly nest: Nest,
    inputs: readonly Node[],
    outputs: readonly Node[],
  ) {
    this.#inputs = inputs;
    this.#outputs = outputs;
  }

  get fn(): Graph {
    return (this.#fn ??= graphOf(this.#inputs, this.#outputs));
  }
}

/** The nodes that `outputs` are made of as a graph of their own, with `inputs` as parameters. */
function graphOf(inputs: readonly Node[], outputs: readonly Node[]): Graph {
  const done = new Map<Node, Node>();
  const parameters = inputs.map((input, i) => {
    const parameter = parameterNode(input.out, i);
    if (!done.has(input)) done.set(input, parameter);
    return parameter;
  });
  visit(
    outputs,
    done,
    (node) => node.inputs,
    (node) => done.set(node, over(node, done)),
  );
  return { parameters, outputs: outputs.map((output) => done.get(output)!), effects: [], free: 0 };
}

/**
 * A graph with fusions in place of their outputs. The functions of control flow are made anew by `inner`; those that are
 * called for each element stay as they are.
 */
export function replaceBy(fusions: readonly Fusion[], graph: Graph, inner: (fn: Graph) => Graph): Graph {
  if (fusions.length === 0 && !orderOf(graph).some(isControl)) return graph;
  const fusionFor = new Map(fusions.flatMap((fusion) => fusion.outputs.map((output) => [output, fusion] as const)));
  const done = new Map<Node, Node>();
  visit(
    rootsOf(graph),
    done,
    (node) => fusionFor.get(node)?.inputs ?? node.inputs,
    (node) => {
      const fusion = fusionFor.get(node);
      if (fusion) place(fusion, done);
      else done.set(node, over(node, done, inner));
    },
  );
  const replaced = (nodes: readonly Node[]) => nodes.map((node) => done.get(node)!);
  return { ...graph, outputs: replaced(graph.outputs), effects: replaced(graph.effects) };
}

/** Calls `make` for each node that is not done, after those it needs; iterative, since chains can be deep. */
function visit(
  roots: readonly Node[],
  done: ReadonlyMap<Node, Node>,
  needs: (node: Node) => readonly Node[],
  make: (node: Node) => void,
): void {
  const stack = [...roots].reverse();
  while (stack.length > 0) {
    const node = stack[stack.length - 1]!;
    const missing = done.has(node) ? [] : needs(node).filter((input) => !done.has(input));
    if (missing.length > 0) {
      stack.push(...missing);
      continue;
    }
    stack.pop();
    if (!done.has(node)) make(node);
  }
}

function place({ inputs, outputs, attrs }: Fusion, done: Map<Node, Node>): void {
  const node = fusedNode(
    outputs.map(({ out }) => out),
    inputs.map((input) => done.get(input)!),
    attrs,
  );
  outputs.forEach((output, i) => done.set(output, elementNode(node, i)));
}

/** The node over inputs that are done. */
function over(node: Node, done: ReadonlyMap<Node, Node>, inner?: (fn: Graph) => Graph): Node {
  if (isLeaf(node)) return node;
  return rebuild(
    node,
    node.inputs.map((input) => done.get(input)!),
    inner && isControl(node) ? functionsOf(node).map(inner) : undefined,
  );
}
