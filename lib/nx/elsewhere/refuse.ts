/**
 * The error of a name that belongs to other libraries.
 */
import { raisedAt } from "../../core/entry";
import { NxError } from "../../core/errors";

/** Says what there is not, and what to write, at the line that called `fn`. */
export function refuse(missing: string, instead: string, fn: unknown): never {
  throw raisedAt(fn, new NxError(`nx-numerics has no ${missing}; write ${instead}`));
}
