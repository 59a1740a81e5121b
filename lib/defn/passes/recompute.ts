/**
 * Recompute or store: a cheap value that only kernels read, but that would go through memory since something else lies between
 * those kernels, is computed again in each of them. Runs before fusion, which puts the copies into the kernels.
 */
import { madeAgain } from "../fuse/again";
import { clusteringOf } from "../fuse/clusters";
import { recomputedIn, type Recomputed, type Use } from "../fuse/recompute";
import { functionsOf, isControl, isLeaf, rebuild, rootsOf, topological, type Graph, type Node } from "../graph";
import type { Pass } from "./pass";

export const recompute: Pass = { name: "recompute", run: recomputeIn };

/** What a reader gets in the place of one of its inputs. */
interface Edge {
  readonly use: Use;
  readonly recomputed: Recomputed;
}

function recomputeIn(graph: Graph, fired?: () => void): Graph {
  const found = recomputedIn(clusteringOf(graph));
  found.forEach(() => fired?.());
  const edges = new Map<Node, Map<Node, Edge>>();
  for (const recomputed of found) {
    for (const use of recomputed.uses) {
      const of = edges.get(use.reader) ?? new Map<Node, Edge>();
      edges.set(use.reader, of.set(use.input, { use, recomputed }));
    }
  }
  return rewired(graph, edges, (fn) => recomputeIn(fn, fired));
}

/** The graph with copies in the place of some inputs, one for each kernel and view. */
function rewired(graph: Graph, edges: ReadonlyMap<Node, ReadonlyMap<Node, Edge>>, inner: (fn: Graph) => Graph): Graph {
  const done = new Map<Node, Node>();
  const copies = new Map<string, Node>();
  const became = (node: Node): Node => done.get(node)!;
  const copyFor = ({ use, recomputed }: Edge): Node => {
    const key = `${use.kernel} ${use.input.id}`;
    const copy = copies.get(key) ?? madeAgain(recomputed, use.views, became);
    copies.set(key, copy);
    return copy;
  };
  const roots = rootsOf(graph);
  for (const node of topological(roots)) {
    const own = edges.get(node);
    const inputs = node.inputs.map((input) => {
      const edge = own?.get(input);
      return edge ? copyFor(edge) : became(input);
    });
    const functions = isControl(node) ? functionsOf(node).map(inner) : functionsOf(node);
    done.set(node, isLeaf(node) ? node : rebuild(node, inputs, functions));
  }
  if (roots.every((node) => became(node) === node)) return graph;
  return { ...graph, outputs: graph.outputs.map(became), effects: graph.effects.map(became) };
}
