/**
 * Blocks as tensors, and giving them back.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Tensor } from "nx-numerics";
import type { Box } from "./boxes";
import type { Reduction } from "./partials";
import type { Source } from "./source";

/** A block of the array as a tensor; the bytes are copied. */
export const tensorOf = ({ type, names }: Source, { lengths }: Box, bytes: Uint8Array): Tensor =>
  Nx.reshape(Nx.fromBinary(bytes, type), [...lengths], { names }) as Tensor;

/**
 * A block for a part of a reduction, or for a function of a user, which may keep its block, or give it. A part goes over the bytes as they
 * are, since it is nothing of them: but for reductions of single elements, which may be the elements themselves.
 */
export function blockFor(reduction: Reduction | undefined, source: Source, box: Box, bytes: Uint8Array): Tensor {
  if (reduction === undefined) return tensorOf(source, box, bytes);
  const isOfSeveral = !("axes" in reduction) || reduction.axes.some((axis) => box.lengths[axis]! > 1);
  if (!isOfSeveral) return tensorOf(source, box, bytes);
  const [message] = Nx.toMessage(Nx.u8(0));
  const { type, names } = source;
  return Nx.fromMessage<Tensor>({ ...message, tensors: [{ type, shape: box.lengths, names, bytes }] });
}

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
