/**
 * The kernel or the routine of a step.
 */
import { getOrMake } from "../../../core/get-or-make";
import { mapKernelOf } from "../../../kernel/nest";
import type { Kernel } from "../../../kernel/value";
import type { MapStep, PrimitiveStep } from "../../../program";
import { routineOf, type Routine } from "../routines";

/** The kernel of a step over all elements. */
export const kernelOf = ({ nest }: MapStep): Kernel => mapKernelOf(nest);

const routines = new WeakMap<PrimitiveStep, Routine | null>();

/** The routine of a primitive; null where it has none. */
export const routineFor = (step: PrimitiveStep): Routine | null =>
  getOrMake(routines, step, () => routineOf(step.primitive, step.outs, step.operands, step.attrs as never));
