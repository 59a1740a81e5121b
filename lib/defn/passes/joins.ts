/**
 * Joins: concatenations, and what is made of them such as rolls, that one kernel alone reads are read where their parts lie. Runs last,
 * when nests of folds and contractions have taken the kernels that are better part of them.
 */
import { joins as read } from "../../backends/arrays/kernels";
import { joinFusions } from "../fuse/joins";
import { replaceBy } from "../fuse/replace";
import { unitsOf } from "../fuse/rows/units";
import { orderOf, rootsOf, type Graph } from "../graph";
import type { Pass } from "./pass";

export const joins: Pass = { name: "joins", run: readJoins };

function readJoins(graph: Graph, fired?: () => void): Graph {
  const has = read.read !== null && orderOf(graph).some(({ kind }) => kind === "concatenate");
  const fusions = has ? joinFusions(unitsOf(graph), new Set(rootsOf(graph))) : [];
  fusions.forEach(() => fired?.());
  return replaceBy(fusions, graph, (fn) => readJoins(fn, fired));
}
