/**
 * Exact identities: nodes that change no bit of any value go, and chains of the same kind become one node. What is only nearly
 * the same (sums in another order, products with a reciprocal that rounds) is left alone.
 */
import { runTracing } from "../../backends/registry";
import { isLeaf, mapGraph, type Graph, type Node } from "../graph";
import { ARITHMETIC } from "./identities/arithmetic";
import { MOVEMENT } from "./identities/movement";
import { instead, type Identity } from "./identities/forward";
import type { Pass } from "./pass";

export const normalize: Pass = { name: "normalize", run: normalizeGraph };

const IDENTITIES: { readonly [kind: string]: Identity<never> | undefined } = { ...ARITHMETIC, ...MOVEMENT };

function normalizeGraph(graph: Graph, fired?: () => void): Graph {
  const normal = runTracing(null, () =>
    mapGraph(graph, (node) => {
      const simple = simplest(node);
      if (simple !== node && !isOwn(node)) fired?.();
      return simple;
    }),
  );
  return normal === graph ? graph : { ...normal, outputs: normal.outputs.map((now, i) => own(now, graph.outputs[i]!)) };
}

/** Applies identities until none does. */
function simplest(node: Node): Node {
  let now = node;
  for (;;) {
    const next = (IDENTITIES[now.kind] as Identity | undefined)?.(now);
    if (!next || next === now) return now;
    now = next;
  }
}

/** A result that was computed does not become an argument itself: whoever disposes of it would dispose of the argument. */
function own(now: Node, before: Node): Node {
  if (!isLeaf(now) || isLeaf(before)) return now;
  return isOwn(before) && before.inputs[0] === now ? before : instead(before, "reshape", [now], {});
}

/** A view of a leaf, as the pass makes them for results. */
const isOwn = (node: Node): boolean => node.kind === "reshape" && isLeaf(node.inputs[0]!);
