/**
 * Which entries of vectorized tensors take a branch or a turn of a loop, while the branch or the body is computed for all of them: what
 * refuses some numbers is not given those of the others.
 */
import { logicalAnd } from "../../nx/elementwise";
import type { Tensor } from "../../tensor";

let taken: Tensor | null = null;

/** A predicate for each entry; null where all entries take what is computed. */
export const takenEntries = (): Tensor | null => taken;

/** Runs a function that only the entries take for which a predicate holds. */
export function takenWhere<R>(predicate: Tensor, fn: () => R): R {
  const around = taken;
  taken = around === null ? predicate : logicalAnd(around, predicate);
  try {
    return fn();
  } finally {
    taken = around;
  }
}
