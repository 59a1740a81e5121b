/**
 * What runs steps of plans together as programs. It comes with the functions that bring the vector code of programs, since no backend has a use for
 * it without that.
 */
import type { Tensor } from "../../tensor";
import type { Plan, Step } from "../plan/plan";
import type { Run } from "./runs";

export interface Runner {
  /** The runs of a plan, each at the place of its first step; null where there are none, or none yet. */
  runsFor(plan: Plan, args: readonly Tensor[]): readonly (Run | undefined)[] | null;
  /** Runs steps as a program and puts what they make into the slots; false where they have to run by themselves. */
  runTogether(run: Run, values: unknown[]): boolean;
  /** The results of a step of control flow as a program of its own; null where it has to run as it does. */
  runAlone(step: Step, inputs: readonly Tensor[]): readonly Tensor[] | null;
}

let runner: Runner | null = null;

/** The runner of this program, null where nothing has brought it. */
export const runnerOfPrograms = (): Runner | null => runner;

/** Has steps run together from then on. */
export function runProgramsBy(own: Runner): void {
  runner = own;
}
