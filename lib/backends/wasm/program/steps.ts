/**
 * The kernel or the routine of a step.
 */
import { getOrMake } from "../../../core/get-or-make";
import type { Kernel } from "../../../kernel/value";
import type { MapStep, PrimitiveStep } from "../../../program";
import { routineOf, type Routine } from "../routines";

/** The kernel of a step over all elements. */
export function kernelOf({ nest }: MapStep): Kernel {
  const [stage] = nest.stages;
  if (stage?.kind !== "map") throw new Error(`a nest of the kind map expected, got: ${nest.kind}`);
  return stage.kernel;
}

const routines = new WeakMap<PrimitiveStep, Routine | null>();

/** The routine of a primitive; null where it has none. */
export const routineFor = (step: PrimitiveStep): Routine | null =>
  getOrMake(routines, step, () => routineOf(step.primitive, step.outs, step.operands, step.attrs as never));
