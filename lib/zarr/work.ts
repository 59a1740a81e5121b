/**
 * What is done to each block: on this thread, or on others.
 */
import type { Tensor } from "nx-numerics";
import { readBlock, released } from "./blocks";
import type { Box } from "./boxes";
import { aheadOf, type RunOptions } from "./options";
import type { Reduction } from "./partials";
import type { Source } from "./source";
import { WorkerPool } from "./workers";

/** What is computed of each block: a function, by its name where other threads compute it, or part of a reduction. */
export interface Job {
  readonly each?: ((block: Tensor) => unknown) | undefined;
  readonly name?: string;
  readonly reduction?: Reduction;
}

/** A worker of a job: it computes the results of one box after the other. */
export interface Work<T> {
  /** How many boxes may be under way before their turn. */
  readonly ahead: number;
  /** `take` is given what the job gives, before that is given back with the block. */
  on(box: Box, signal: AbortSignal, take?: (result: unknown) => T): Promise<T>;
  end(): void;
}

/** The work of a job; blocks are given back when it has been done, unless they are what it gives. */
export function workOver<T>(fn: string, source: Source, job: Job, run: RunOptions): Work<T> {
  const { workers } = run;
  const asIs = (result: unknown): T => result as T;
  if (workers !== undefined) {
    const pool = new WorkerPool(fn, source, workers);
    const { name, reduction } = job;
    const what = name === undefined ? { reduction: reduction! } : { name };
    return {
      ahead: (run.ahead ?? 2) * workers.length,
      on: async (box, stop, take = asIs) => take(await pool.run(what, box, stop)),
      end: () => pool.end(),
    };
  }
  const { each } = job;
  return {
    ahead: aheadOf(source, run),
    async on(box, stop, take = asIs) {
      const block = await readBlock(source, box, stop);
      return released(() => take(each!(block.tensor())));
    },
    end: () => undefined,
  };
}
