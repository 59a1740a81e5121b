/**
 * Row programs: reductions of rows become one kernel with the element-wise kernels around them, so that rows stay in the caches
 * from the first step to the last. Runs after fusion.
 */
import { replaceBy } from "../fuse/replace";
import { rowsFusionOf } from "../fuse/rows/build";
import { programsOf } from "../fuse/rows/grow";
import { Units } from "../fuse/rows/units";
import { rootsOf, type Graph } from "../graph";
import type { Pass } from "./pass";

export const rows: Pass = { name: "rows", run: joinRows };

function joinRows(graph: Graph, fired?: () => void): Graph {
  const roots = rootsOf(graph);
  const units = new Units(roots);
  const isRoot = new Set(roots);
  const fusions = programsOf(units).map((members) => rowsFusionOf(members, units, isRoot));
  fusions.forEach(() => fired?.());
  return replaceBy(fusions, graph, (fn) => joinRows(fn, fired));
}
