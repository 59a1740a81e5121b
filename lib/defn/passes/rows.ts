/**
 * Nests of folds: reductions of lines become one nest with the element-wise kernels around them, so that rows stay in the caches
 * from the first step to the last. Runs after fusion.
 */
import { replaceBy, type Fusion } from "../fuse/replace";
import { nestFusionOf } from "../fuse/rows/build";
import { nestsOf } from "../fuse/rows/grow";
import { unitsOf } from "../fuse/rows/units";
import { orderOf, rootsOf, type Graph, type Node } from "../graph";
import type { Pass } from "./pass";

export const rows: Pass = { name: "rows", run: joinRows };

const REDUCTIONS: ReadonlySet<Node["kind"]> = new Set<Node["kind"]>(["reduceOp", "argReduce", "cumulative"]);

function joinRows(graph: Graph, fired?: () => void): Graph {
  const fusions = orderOf(graph).some(({ kind }) => REDUCTIONS.has(kind)) ? nestsIn(graph) : [];
  fusions.forEach(() => fired?.());
  return replaceBy(fusions, graph, (fn) => joinRows(fn, fired));
}

function nestsIn(graph: Graph): Fusion[] {
  const roots = new Set(rootsOf(graph));
  const units = unitsOf(graph);
  return nestsOf(units, roots).map((members) => nestFusionOf(members, units, roots));
}
