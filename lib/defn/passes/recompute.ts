/**
 * Recompute or store: a cheap value that only kernels read, but that would go through memory since something else lies between
 * those kernels, is computed again in each of them. Runs before fusion, which puts the copies into the kernels.
 */
import { madeAgain } from "../fuse/again";
import { clusteringOf } from "../fuse/clusters";
import { recomputedIn, type Recomputed, type Use } from "../fuse/rematerialize";
import {
  afterChanges,
  functionsOf,
  isControl,
  orderOf,
  rebuild,
  withChanges,
  type Changes,
  type Graph,
  type Node,
} from "../graph";
import type { Pass } from "./pass";

export const recompute: Pass = { name: "recompute", run: recomputeIn };

/** The replacement of an input for a reader. */
interface Edge {
  readonly use: Use;
  readonly recomputed: Recomputed;
}

function recomputeIn(graph: Graph, fired?: () => void): Graph {
  const clustering = clusteringOf(graph);
  const found = recomputedIn(clustering);
  if (found.length === 0 && !clustering.facts.order.some(isControl)) return graph;
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
  const changed: Changes = new Map();
  const copies = new Map<string, Node>();
  const became = (node: Node): Node => changed.get(node) ?? node;
  const copyFor = ({ use, recomputed }: Edge): Node => {
    const key = `${use.kernel} ${use.input.id}`;
    const copy = copies.get(key) ?? madeAgain(recomputed, use.views, became);
    copies.set(key, copy);
    return copy;
  };
  const rewiredInputs = ({ inputs }: Node, own: ReadonlyMap<Node, Edge>): Node[] =>
    inputs.map((input) => {
      const edge = own.get(input);
      return edge ? copyFor(edge) : became(input);
    });
  for (const node of orderOf(graph)) {
    const own = edges.get(node);
    const inputs = own ? rewiredInputs(node, own) : afterChanges(node.inputs, changed);
    const now = rebuild(node, inputs, isControl(node) ? functionsOf(node).map(inner) : undefined);
    if (now !== node) changed.set(node, now);
  }
  return withChanges(graph, changed);
}
