/**
 * What a model needs: operators that there are, and which of its constants are weights.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Tensor } from "nx-numerics";
import { keyOf, type Graph, type Model, type Node } from "./model";
import { isFloat, type Operator } from "./operator";
import { OPERATORS } from "./operators/table";
import { unknownAttributes } from "./schema";

/** The operator of a name, which comes from a file. */
export function operatorOf(domain: string, op: string): Operator | undefined {
  const own = Object.hasOwn(OPERATORS, domain) ? OPERATORS[domain]! : {};
  return Object.hasOwn(own, op) ? own[op] : undefined;
}

/** All nodes, those of graphs among the attributes and of functions included. */
function nodesOf(model: Model): Node[] {
  const within = (graph: Graph): Node[] =>
    graph.nodes.flatMap((node) => [node, ...node.attributes.graphs().flatMap(within)]);
  return [model.graph, ...model.functions.values()].flatMap(within);
}

/** Refuses models with operators that are not known, naming all of them. */
export function checkOperators(model: Model): void {
  const missing = new Map<string, { readonly node: Node; count: number }>();
  for (const node of nodesOf(model)) {
    const key = keyOf(node.domain, node.op);
    if (model.functions.has(key) || operatorOf(node.domain, node.op)) continue;
    const known = missing.get(key);
    if (known) known.count++;
    else missing.set(key, { node, count: 1 });
  }
  if (missing.size === 0) return checkAttributes(model);
  const list = [...missing.values()].map(({ node: { op, domain, name, version }, count }) => {
    const where = domain === "" ? `opset ${version}` : `${domain} ${version}`;
    return `${op} (${where}${name === "" ? "" : `, node ${JSON.stringify(name)}`}${count > 1 ? `, ${count} times` : ""})`;
  });
  const own = Object.keys(OPERATORS[""]!).length;
  throw new ArgumentError(
    `fromOnnx does not have these operators: ${list.join(", ")}; it has ${own} of ONNX's own, which docs/onnx.md lists, and functions that the file itself defines`,
  );
}

/** Refuses attributes that an operator does not have here: they would change what it computes. */
function checkAttributes(model: Model): void {
  for (const { op, domain, name, version, attributes } of nodesOf(model)) {
    if (model.functions.has(keyOf(domain, op))) continue;
    const unknown = unknownAttributes(op, attributes.names());
    if (unknown.length === 0) continue;
    const where = `opset ${version}${name === "" ? "" : `, node ${JSON.stringify(name)}`}`;
    throw new ArgumentError(
      `fromOnnx: ${op} (${where}) has the attribute ${unknown.join(", ")}, which is not supported`,
    );
  }
}

/** The weights of a model: constants of floats, but for those that say how to compute, such as the scales of Resize. */
export function trainable(model: Model): Readonly<Record<string, Tensor>> {
  const fixed = new Set(
    nodesOf(model).flatMap(({ domain, op, inputs }) => operatorOf(domain, op)?.known.map((i) => inputs[i] ?? "") ?? []),
  );
  const weights = [...model.graph.constants].flatMap(([name, value]): [string, Tensor][] =>
    value instanceof Nx.Tensor && isFloat(value.type) && !fixed.has(name) ? [[name, value]] : [],
  );
  return Object.freeze(Object.fromEntries(weights));
}
