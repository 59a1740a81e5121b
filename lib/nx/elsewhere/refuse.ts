/**
 * The error of a name that other libraries have for what this one calls otherwise.
 */
import { NxError } from "../../core/errors";

/** Says what there is not, and what to write. */
export function refuse(missing: string, instead: string): never {
  throw new NxError(`nx-numerics has no ${missing}; write ${instead}`);
}
