/**
 * Fusion: element-wise nodes become kernels that compute many of them in one pass over memory, with the moving about of their
 * operands done by strides.
 */
import { fusionOf } from "../fuse/build";
import { clusteringOf } from "../fuse/clusters";
import { replaceBy } from "../fuse/replace";
import type { Graph } from "../graph";
import type { Pass } from "./pass";

export const fuse: Pass = { name: "fuse", run: fuseGraph };

function fuseGraph(graph: Graph, fired?: () => void): Graph {
  const { facts, clusters } = clusteringOf(graph);
  const fusions = clusters.flatMap((nodes) => fusionOf(nodes, facts) ?? []);
  fusions.forEach(() => fired?.());
  return replaceBy(fusions, graph, (fn) => fuseGraph(fn, fired));
}
