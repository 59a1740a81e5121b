/**
 * Inlining: a named composite that the backend does not do natively becomes the nodes it stands for, so that the passes after
 * this one see them and they fuse with what is around them. Gradients are made before any pass runs, so a composite with a
 * gradient of its own has been differentiated by then.
 */
import { currentBackend, runTracing } from "../../backends/registry";
import { functionsOf, instantiate, mapGraph, orderOf, type Graph, type Node } from "../graph";
import { forward } from "./identities/forward";
import type { Pass } from "./pass";

type IsNative = (name: string) => boolean;

export const inline: Pass = { name: "inline", run: inlineBlocks };

/** Most graphs have no composites: those are not even rebuilt. */
function inlineBlocks(graph: Graph, fired?: () => void): Graph {
  if (!hasBlocks(graph)) return graph;
  const backend = runTracing(null, currentBackend);
  const isNative: IsNative = (name) => backend.isNative?.(name) ?? false;
  return mapGraph(graph, (node) => {
    const inside = inlined(node, isNative);
    if (inside !== node) fired?.();
    return inside;
  });
}

const hasBlocks = (graph: Graph): boolean =>
  orderOf(graph).some((node) => node.kind === "block" || functionsOf(node).some(hasBlocks));

/** The result node of an inlined composite; the composite itself where the backend has it, or where its graph has hooks. */
function inlined(node: Node, isNative: IsNative): Node {
  if (node.kind !== "block" || isNative(node.attrs.name) || node.attrs.fn.effects.length > 0) return node;
  const [result] = instantiate(node.attrs.fn, node.inputs);
  return forward(node, result!) ?? node;
}
