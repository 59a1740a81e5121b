/**
 * Options of whatever goes over the blocks of an array.
 */
import { ArgumentError } from "nx-numerics";
import { shown, signalOption, wholeNumber } from "./checks";
import { product } from "./boxes";
import type { Source } from "./source";
import type { BlockWorker } from "./workers";

/** Options of whatever goes over the blocks of an array. */
export interface RunOptions {
  /**
   * How many blocks are being read while one is in hand. With workers: how many each of them has to do. When left out, as many as are 8 MiB
   * together, but 2 at least and 8 at most; 2 for each worker.
   */
  readonly ahead?: number;
  /** Ends the run when it is aborted; the error is the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Threads that read and compute in place of this one: workers whose module calls `serveBlocks`. */
  readonly workers?: readonly BlockWorker[] | undefined;
}

export const RUN_OPTIONS: readonly string[] = ["ahead", "signal", "workers"];

export function readRunOptions(fn: string, { ahead, signal, workers }: RunOptions): RunOptions {
  if (workers !== undefined && !(Array.isArray(workers) && workers.length > 0 && workers.every(isWorker))) {
    throw new ArgumentError(
      `option workers of ${fn} must be a list of workers, such as [new Worker(new URL("./blocks.js", import.meta.url), ` +
        `{ type: "module" })], got: ${shown(workers)}`,
    );
  }
  return {
    ...(ahead !== undefined && { ahead: wholeNumber(fn, "ahead", ahead, 2, 1) }),
    signal: signalOption(fn, signal),
    workers,
  };
}

/** Bytes of blocks that are being read while one is in hand, where nothing is said: more leave the caches before they are used. */
const BYTES_AHEAD = 8 * 2 ** 20;

/** How many blocks are read ahead: few chunks, though large ones, and small ones enough to hide what each waits for. */
export function aheadOf({ chunks, width }: Pick<Source, "chunks" | "width">, { ahead }: RunOptions): number {
  return ahead ?? Math.min(8, Math.max(2, Math.ceil(BYTES_AHEAD / (product(chunks) * width))));
}

const isWorker = (value: unknown): boolean => typeof (value as Partial<BlockWorker> | null)?.postMessage === "function";
