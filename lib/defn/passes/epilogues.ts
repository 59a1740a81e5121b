/**
 * Epilogues: the element-wise kernel on the result of a contraction becomes part of it, and so do the views and conversions
 * of its operands. Runs after fusion has made the kernels, and after nests of folds have taken theirs.
 */
import { contractionFusions } from "../fuse/epilogues/build";
import { isContraction } from "../fuse/epilogues/grow";
import { replaceBy } from "../fuse/replace";
import { unitsOf } from "../fuse/rows/units";
import { orderOf, rootsOf, type Graph } from "../graph";
import type { Pass } from "./pass";

export const epilogues: Pass = { name: "epilogues", run: fuseContractions };

function fuseContractions(graph: Graph, fired?: () => void): Graph {
  const fusions = orderOf(graph).some(isContraction) ? contractionFusions(unitsOf(graph), new Set(rootsOf(graph))) : [];
  fusions.forEach(() => fired?.());
  return replaceBy(fusions, graph, (fn) => fuseContractions(fn, fired));
}
