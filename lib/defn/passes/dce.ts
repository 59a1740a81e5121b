/**
 * Dead code: what user functions no longer read of their surroundings stops being computed. At the top of a graph dead
 * nodes need no removal, since only what the outputs reach is ever visited.
 */
import { functionOf, mapGraph, rebuild, topological, type Graph, type Node } from "../graph";
import type { Pass } from "./pass";

export const dce: Pass = {
  name: "dce",
  run: (graph: Graph): Graph => mapGraph(graph, dropUnreadInputs),
};

function dropUnreadInputs(node: Node): Node {
  const fn = functionOf(node);
  if (!fn || fn.free === 0) return node;
  const read = new Set<Node>(topological(fn.outputs));
  const own = fn.parameters.length - fn.free;
  const keep = fn.parameters.map((parameter, i) => i < own || read.has(parameter));
  if (keep.every(Boolean)) return node;
  const parameters = fn.parameters.filter((_, i) => keep[i]);
  const operands = node.inputs.length - fn.free;
  const inputs = node.inputs.filter((_, i) => i < operands || keep[own + i - operands]);
  return rebuild(node, inputs, { ...fn, parameters, free: parameters.length - own });
}
