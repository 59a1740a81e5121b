/**
 * Dead code: what user functions no longer read of their surroundings stops being computed. At the top of a graph dead
 * nodes need no removal, since only what the outputs reach is ever visited.
 */
import { functionsOf, mapGraph, orderOf, rebuild, type Graph, type Node } from "../graph";
import type { Pass } from "./pass";

export const dce: Pass = {
  name: "dce",
  run: (graph: Graph, fired?: () => void): Graph =>
    mapGraph(graph, (node) => {
      const rest = dropUnreadInputs(node);
      if (rest !== node) fired?.();
      return rest;
    }),
};

function dropUnreadInputs(node: Node): Node {
  const functions = functionsOf(node);
  const free = functions[0]?.free ?? 0;
  if (free === 0) return node;
  const read = functions.map((fn) => readParameters(fn));
  const keep = read[0]!.map((_, i) => read.some((reads) => reads[i]));
  if (keep.every(Boolean)) return node;
  const operands = node.inputs.length - free;
  const inputs = node.inputs.filter((_, i) => i < operands || keep[i - operands]);
  return rebuild(
    node,
    inputs,
    functions.map((fn) => withoutParameters(fn, keep)),
  );
}

/** Of each parameter that comes from the surroundings, whether the function reads it. */
function readParameters(fn: Graph): boolean[] {
  const reached = new Set<Node>(orderOf(fn));
  return fn.parameters.slice(fn.parameters.length - fn.free).map((parameter) => reached.has(parameter));
}

function withoutParameters(fn: Graph, keep: readonly boolean[]): Graph {
  const own = fn.parameters.length - fn.free;
  const parameters = fn.parameters.filter((_, i) => i < own || keep[i - own]);
  return { ...fn, parameters, free: parameters.length - own };
}
