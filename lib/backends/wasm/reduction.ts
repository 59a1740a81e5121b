/**
 * Nests of one reduction: what a kernel computes of an operand is joined where it is computed, and never stored. The grids of
 * eager reductions do the work, with recurrences that have the kernel in them.
 */
import type { DataMembers } from "../../backend";
import { tuning } from "../tuning";
import { arrays } from "./arrays";
import { foldsOver } from "./reduce/folds";
import { foldGrid } from "./reduce/reduce";
import { residentElements } from "./resident";
import { runFolds } from "./rows";
import { JOINED_FROM } from "./schedule";

/** Runs nests of a single reduction; small ones as nests of folds, where they have that form, too. */
export const runReduction: NonNullable<DataMembers["fused"]> = (outs, inputs, nest) => {
  const [map, stage] = nest.stages;
  const size = nest.groups * nest.rows * nest.columns;
  if (map?.kind !== "map" || stage?.kind !== "fold") return null;
  if (size < Math.min(JOINED_FROM, tuning.compiledFrom))
    return nest.columns === 1 ? runFolds(outs, inputs, nest) : null;
  const folds = foldsOver(stage.op, map.kernel);
  const source = residentElements(inputs[0]!);
  return folds && [arrays.hold(foldGrid(folds, map.kernel.inputs[0]!.type, source, nest, outs[0]!.type))];
};
