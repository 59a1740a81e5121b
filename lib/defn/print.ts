/**
 * Graphs as readable text: one line a node, named a, b, c ... in order of evaluation.
 */
import { show } from "../core/errors";
import { formatShape, sizeOf } from "../core/shape";
import { Complex } from "../core/complex";
import type { Template } from "../backend";
import {
  functionsOf,
  resultsOf,
  rootsOf,
  topological,
  type Graph,
  type HookNode,
  type Node,
  type RuntimeCallNode,
} from "./graph";

/** The name of a node in the text of its graph. */
export type NameOf = (node: Node) => string;

/** The text of a graph. */
export function printGraph(graph: Graph, indent = ""): string {
  const { order, nameOf } = namedNodes(graph);
  const lines = order.flatMap((node) => printNode(node, nameOf, indent));
  const results = graph.outputs.map(nameOf).join(", ");
  return [...lines, `${indent}return ${results}`].join("\n");
}

/** The nodes of a graph in order of evaluation, with the names that its text gives them. */
export function namedNodes(graph: Graph): { readonly order: readonly Node[]; readonly nameOf: NameOf } {
  const order = orderedNodes(graph);
  const names = new Map(order.map((node, i) => [node, letters(i)] as const));
  return { order, nameOf: (node) => names.get(node)! };
}

/** Parameters first, used or not, then the rest in order of evaluation. */
function orderedNodes(graph: Graph): Node[] {
  const parameters = new Set<Node>(graph.parameters);
  return [...graph.parameters, ...topological(rootsOf(graph)).filter((node) => !parameters.has(node))];
}

function printNode(node: Node, nameOf: NameOf, indent: string): string[] {
  const line = `${indent}${nameOf(node)} = ${expression(node, nameOf)}`.padEnd(42);
  const lines = [`${line} ${(resultsOf(node) ?? [node.out]).map(typeText).join(", ")}`];
  return functionsOf(node).reduce((all, fn) => [...all, `${indent}  with`, printGraph(fn, `${indent}    `)], lines);
}

/** What a node does, with the names of its operands. */
export function expression(node: Node, nameOf: NameOf): string {
  if (node.kind === "parameter") return `parameter ${node.index}`;
  if (node.kind === "capture") return "captured tensor";
  if (node.kind === "hook" || node.kind === "runtimeCall") return callText(node, nameOf);
  if (node.kind === "literal") return `literal of ${sizeOf(node.out.shape)} elements`;
  const {
    op,
    type: _type,
    fn: _fn,
    functions: _functions,
    nest: _nest,
    ...attrs
  } = node.attrs as Record<string, unknown>;
  const inputs = node.inputs.map(nameOf);
  const rest = Object.entries(attrs).map(([key, value]) => `${key}: ${attribute(value)}`);
  return `${(op as string | undefined) ?? node.kind}(${[...inputs, ...rest].join(", ")})`;
}

function callText({ kind, inputs, attrs: { name } }: HookNode | RuntimeCallNode, nameOf: NameOf): string {
  return `${kind}(${[...inputs.map(nameOf), ...(name === null ? [] : [`name: ${show(name)}`])].join(", ")})`;
}

function attribute(value: unknown): string {
  if (value instanceof Complex) return value.toString();
  return show(value);
}

/** Type and shape as graphs show them: a scalar is its type alone. */
export const typeText = (out: Template): string =>
  `${out.type}${out.shape.length === 0 ? "" : formatShape(out.shape, out.names)}`;

/** a, b, ..., z, aa, ab, ... */
function letters(index: number): string {
  const letter = String.fromCharCode(97 + (index % 26));
  return index < 26 ? letter : letters(Math.floor(index / 26) - 1) + letter;
}
