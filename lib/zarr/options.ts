/**
 * Options of whatever goes over the blocks of an array.
 */
import { ArgumentError } from "nx-numerics";
import { shown, signalOption, wholeNumber } from "./checks";
import type { BlockWorker } from "./workers";

/** Options of whatever goes over the blocks of an array. */
export interface RunOptions {
  /** How many blocks are being read while one is in hand; 2 when left out. With workers: how many each of them has to do. */
  readonly ahead?: number;
  /** Ends the run when it is aborted; the error is the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Threads that read and compute in place of this one: workers whose module calls `serveBlocks`. */
  readonly workers?: readonly BlockWorker[] | undefined;
}

export const RUN_OPTIONS: readonly string[] = ["ahead", "signal", "workers"];

export function readRunOptions(
  fn: string,
  { ahead, signal, workers }: RunOptions,
): RunOptions & { readonly ahead: number } {
  if (workers !== undefined && !(Array.isArray(workers) && workers.length > 0 && workers.every(isWorker))) {
    throw new ArgumentError(
      `option workers of ${fn} must be a list of workers, such as [new Worker(new URL("./blocks.js", import.meta.url), ` +
        `{ type: "module" })], got: ${shown(workers)}`,
    );
  }
  return {
    ahead: wholeNumber(fn, "ahead", ahead, 2, 1),
    signal: signalOption(fn, signal),
    workers,
  };
}

const isWorker = (value: unknown): boolean => typeof (value as Partial<BlockWorker> | null)?.postMessage === "function";
