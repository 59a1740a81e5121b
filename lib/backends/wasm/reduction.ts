/**
 * Nests of one reduction: what a kernel computes of an operand is joined where it is computed, and never stored. The grids of
 * eager reductions do the work, with recurrences that have the kernel in them.
 */
import type { DataMembers, NestStage } from "../../backend";
import type { DType } from "../../core/types";
import type { Kernel } from "../../kernel/value";
import type { Elements } from "../arrays/storage";
import type { Grid } from "../binary/fold";
import { tuning } from "../tuning";
import { arrays } from "./arrays";
import { reduceTo, type Reducer } from "./reduce/grid";
import { reducerFor, scannerFor, searcherFor } from "./reduce/reducers";
import { inOrder } from "./reduce/strided";
import { residentElements } from "./resident";
import { runFolds } from "./lines/run";
import { JOINED_FROM } from "./schedule";

/** Runs nests of a single reduction; small ones as nests of folds, where they have that form, too. */
export const runReduction: NonNullable<DataMembers["fused"]> = (outs, inputs, nest) => {
  const { groups, rows, columns, stages } = nest;
  const [map, stage] = stages;
  if (map?.kind !== "map" || !stage) return null;
  if (groups * rows * columns < Math.min(JOINED_FROM, tuning.compiledFrom)) {
    return columns === 1 && stage.kind === "fold" ? runFolds(outs, inputs, nest) : null;
  }
  const made =
    stage.kind === "map" || stage.kind === "join"
      ? null
      : joined(nest, map.kernel, stage, residentElements(inputs[0]!), outs[0]!.type);
  return made && [arrays.hold(made)];
};

/** What is done along the rows of a grid. */
export type Joining = { [K in "fold" | "search" | "scan"]: Omit<Extract<NestStage, { kind: K }>, "input" | "output"> };

/** What is done along the rows of what a kernel computes of its only operand; null where that has no code. */
export function joined(
  grid: Grid,
  kernel: Kernel,
  stage: Joining[keyof Joining],
  source: Elements,
  out: DType,
): Elements | null {
  const reducer = reducerOf(grid, kernel, stage, out);
  return reducer && reduceTo(out, reducer, source, inOrder(grid));
}

function reducerOf(grid: Grid, kernel: Kernel, stage: Joining[keyof Joining], out: DType): Reducer | null {
  switch (stage.kind) {
    case "fold":
      return reducerFor(stage.op, kernel, grid, out);
    case "search":
      return searcherFor(kernel, stage, grid, out);
    case "scan":
      return scannerFor(stage.op, kernel, grid, stage.reverse);
    default:
      return stage satisfies never;
  }
}
