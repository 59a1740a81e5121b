/**
 * The kernel or the routine of a step.
 */
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
export function routineFor(step: PrimitiveStep): Routine | null {
  const cached = routines.get(step);
  if (cached !== undefined) return cached;
  const fresh = routineOf(step.primitive, step.outs, step.operands, step.attrs as never);
  routines.set(step, fresh);
  return fresh;
}
