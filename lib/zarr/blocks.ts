/**
 * Blocks as tensors, and giving them back.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Tensor } from "nx-numerics";
import type { Box } from "./boxes";
import { readBox, type Source } from "./source";

/** Elements that have been read. */
export interface Block {
  /** The tensor of them, which is asked for once. */
  tensor(): Tensor;
  /** Gives their memory back, where nobody asks for the tensor. */
  drop(): void;
}

/** Reads a box into memory of the backend in force, or has its bytes copied there when the tensor is asked for. */
export async function readBlock(source: Source, box: Box, signal?: AbortSignal): Promise<Block> {
  const { type, names } = source;
  const { backend } = Nx.u8(0);
  const out = { type, shape: Object.freeze([...box.lengths]), names };
  let room: Nx.Reserved | undefined;
  const tensor = (): Tensor => new Nx.Tensor(backend, room!.data, type, out.shape, names);
  const drop = (): void => void (room && backend.deallocate(tensor()));
  const reserve = backend.reserve && (() => (room = backend.reserve!(out)).bytes);
  try {
    const bytes = await readBox(source, box, signal, reserve);
    signal?.throwIfAborted();
    if (room !== undefined) return { tensor, drop };
    return { tensor: () => Nx.reshape(Nx.fromBinary(bytes, type), out.shape, { names }) as Tensor, drop };
  } catch (error) {
    drop();
    throw error;
  }
}

/** Calls a function and releases the tensors that it makes and does not return. Errors of the function stay its own, unlike those of `Nx.tidy`. */
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
