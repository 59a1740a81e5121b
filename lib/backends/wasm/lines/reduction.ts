/**
 * Nests of one reduction: what a kernel computes of an operand is joined where it is computed, and never stored. The grids of
 * eager reductions do the work, with recurrences that have the kernel in them.
 */
import type { DataMembers, NestStage } from "../../../backend";
import type { DType } from "../../../core/types";
import type { Kernel } from "../../../kernel/value";
import type { Grid } from "../../binary/fold";
import { tuning } from "../../tuning";
import { arrays } from "../arrays";
import { reduceTo, type Reducer } from "../reduce/grid";
import { reducerFor } from "../reduce/reducers";
import { inOrder } from "../reduce/strided";
import { residentElements } from "../placement/resident";
import { runFolds } from "./run";
import { JOINED_FROM } from "../schedule/reductions";

/** What does a stage along the rows of what a kernel computes of its only operand; null where that has no code. */
type ReducerOf<K extends NestStage["kind"]> = (
  stage: Extract<NestStage, { kind: K }>,
  kernel: Kernel,
  grid: Grid,
  out: DType,
) => Reducer | null;

/** The same for each kind of stage along rows. */
export type Reducers = { readonly [K in "fold" | "search" | "scan"]: ReducerOf<K> };

export const foldReducer: Reducers["fold"] = ({ op }, kernel, grid, out) => reducerFor(op, kernel, grid, out);

/** The runner of nests of a single reduction; small nests of that form run as nests of folds. */
export const reductionsBy =
  (reducers: Reducers): NonNullable<DataMembers["fused"]> =>
  (outs, inputs, nest) => {
    const { groups, rows, columns, stages } = nest;
    const [map, stage] = stages;
    if (map?.kind !== "map" || !stage) return null;
    if (groups * rows * columns < Math.min(JOINED_FROM, tuning.compiledFrom)) {
      return columns === 1 && stage.kind === "fold" ? runFolds(outs, inputs, nest) : null;
    }
    if (stage.kind === "map" || stage.kind === "join") return null;
    const { type } = outs[0]!;
    const reducer = reducers[stage.kind](stage as never, map.kernel, nest, type);
    return reducer && [arrays.hold(reduceTo(type, reducer, residentElements(inputs[0]!), inOrder(nest)))];
  };
