/**
 * Passes that put nests in the place of nodes.
 */
import { joins as read } from "../../backends/arrays/kernels";
import { fusionOf } from "../fuse/build";
import { clusteringOf } from "../fuse/clusters";
import { contractionFusions } from "../fuse/epilogues/build";
import { isContraction } from "../fuse/epilogues/grow";
import { joinFusions } from "../fuse/joins";
import { replaceBy, type Fusion } from "../fuse/replace";
import { nestFusionOf } from "../fuse/rows/build";
import { nestsOf } from "../fuse/rows/grow";
import { unitsOf } from "../fuse/rows/units";
import { orderOf, type Graph, type Node } from "../graph";
import type { Pass } from "./pass";

/** A pass that makes the fusions of a graph, and of the functions in the graph. */
function fusing(name: string, fusionsIn: (graph: Graph) => readonly Fusion[]): Pass {
  const run: Pass["run"] = (graph, fired) => {
    const fusions = fusionsIn(graph);
    fusions.forEach(() => fired?.());
    return replaceBy(fusions, graph, (fn) => run(fn, fired));
  };
  return { name, run };
}

/**
 * Fusion: element-wise nodes become kernels that compute many of them in one pass over memory, with the moving about of their
 * operands done by strides.
 */
export const fuse = fusing("fuse", (graph) => {
  const { facts, clusters } = clusteringOf(graph);
  return clusters.flatMap((nodes) => fusionOf(nodes, facts) ?? []);
});

const REDUCTIONS: ReadonlySet<Node["kind"]> = new Set<Node["kind"]>(["reduceOp", "argReduce", "cumulative"]);

/**
 * Nests of folds: reductions of lines become one nest with the element-wise kernels around them, so that rows stay in the caches
 * from the first step to the last. Runs after fusion.
 */
export const rows = fusing("rows", (graph) => {
  if (!orderOf(graph).some(({ kind }) => REDUCTIONS.has(kind))) return [];
  const units = unitsOf(graph);
  return nestsOf(units).map((members) => nestFusionOf(members, units));
});

/**
 * Epilogues: the element-wise kernel on the result of a contraction becomes part of it, and so do the views and conversions
 * of its operands. Runs after fusion has made the kernels, and after nests of folds have taken theirs.
 */
export const epilogues = fusing("epilogues", (graph) =>
  orderOf(graph).some(isContraction) ? contractionFusions(unitsOf(graph)) : [],
);

/**
 * Joins: concatenations, and what is made of them such as rolls, that one kernel alone reads are read where their parts lie. Runs last,
 * when nests of folds and contractions have taken the kernels that are better part of them.
 */
export const joins = fusing("joins", (graph) => {
  const has = read.read !== null && orderOf(graph).some(({ kind }) => kind === "concatenate");
  return has ? joinFusions(unitsOf(graph)) : [];
});
