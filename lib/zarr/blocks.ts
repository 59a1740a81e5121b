/**
 * Blocks as tensors, and giving them back.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Tensor } from "nx-numerics";
import type { Box } from "./boxes";
import type { Source } from "./source";

/** A block of the array as a tensor; the bytes are copied. */
export const tensorOf = ({ type, names }: Source, { lengths }: Box, bytes: Uint8Array): Tensor =>
  Nx.reshape(Nx.fromBinary(bytes, type), [...lengths], { names }) as Tensor;

/** Calls a function and releases what it makes and does not give. Its errors are its own, not those of `Nx.tidy`. */
export function released<R>(fn: () => R): R {
  const failures: unknown[] = [];
  const result = Nx.tidy(() => {
    try {
      return atOnce(fn());
    } catch (error) {
      failures.push(error);
      return undefined;
    }
  });
  if (failures.length > 0) throw failures[0];
  return result as R;
}

/** The block is given back when the function has returned. */
function atOnce<R>(result: R): R {
  if (typeof (result as { then?: unknown } | null)?.then !== "function") return result;
  throw new ArgumentError("the function of a block must return its result at once, and returned a promise");
}
