/**
 * Running calls of kernel functions on all threads, with an interface that stays synchronous: the caller hands out calls,
 * works itself, and returns when all are done. Where there are no threads (no shared memory, a host that refuses workers,
 * workers that are not up yet) it does everything itself.
 */
import type { BackendError } from "../../../core/errors";
import { threadsInForce, threadsOfProgram } from "../../default";
import { tuning } from "../../tuning";
import { isShared, isSharedSoFar, scratch, views } from "../memory/linear";
import type { KernelModule } from "../modules/module";
import { canSleep, hardwareThreads, hindranceToWorkers, now } from "./host";
import { SEQUENCE } from "./layout";
import * as pools from "./pool";
import { creditAfter, JOBS_AHEAD, restAfter, THREADS_MOST_BY_DEFAULT } from "../schedule/threads";

/** Arguments of one call: addresses and counts, all integers of 32 bits. */
export type Call = readonly number[];

interface Settings {
  standard: number | null;
  sleeps: boolean | null;
  /** The workers of the program. */
  pool: pools.Pool | null;
  /** The pools of scopes with another number of threads, the latest used last. */
  scoped: readonly pools.Pool[];
}

const settings: Settings = { standard: null, sleeps: null, pool: null, scoped: [] };

/** Pools of scopes that are kept. */
const SCOPED = 2;

/** The number of threads asked for: that of the scope, of the program, or as many as the machine has, at most eight. */
export const configuredThreads = (threads = threadsInForce()): number =>
  tuning.threads || (threads === "auto" ? (settings.standard ??= threadsByDefault()) : threads);

const programThreads = (): number => configuredThreads(threadsOfProgram());

const threadsByDefault = (): number => Math.max(1, Math.min(THREADS_MOST_BY_DEFAULT, hardwareThreads()));

/** The pool of so many workers, where there is one. */
function poolOf(size: number): pools.Pool | null {
  const { pool, scoped } = settings;
  return pool?.size === size ? pool : (scoped.find((one) => one.size === size) ?? null);
}

function openPool(size: number): pools.Pool | null {
  const pool = pools.createPool(size, (settings.sleeps ??= canSleep()));
  if (pool && size === programThreads() - 1) settings.pool = pool;
  else if (pool) {
    for (const one of settings.scoped.slice(0, 1 - SCOPED)) pools.closePool(one);
    settings.scoped = [...settings.scoped.slice(1 - SCOPED), pool];
  }
  return pool;
}

/** Threads that take part, the caller's included, once all have started. */
export function threadCount(): number {
  const threads = configuredThreads();
  if (threads === 1) return 1;
  const pool = settings.pool?.size === threads - 1 ? settings.pool : poolOf(threads - 1);
  if (pool === null && !isShared()) return 1;
  // After a host refused workers, those it did give are all there will be.
  return pool && !pool.open && pool.size === threads - 1 ? 1 + pools.readyWorkers(pool) : threads;
}

/** What hinders more threads than the caller's, as text for users; null for nothing so far. Asking starts none. */
export function whatHindersThreads(): string | null {
  if (isSharedSoFar() === false) return "the host refused memory that threads share";
  const hindrance = hindranceToWorkers();
  if (hindrance !== null) return hindrance;
  const pool = poolOf(configuredThreads() - 1);
  return pool && !pool.open ? "the host refused workers; a content security policy needs worker-src blob:" : null;
}

/** Workers that are ready at this moment. */
export function readyWorkers(): number {
  const pool = poolOf(configuredThreads() - 1);
  return pool ? pools.readyWorkers(pool) : 0;
}

/** The pool, where it has a worker that is ready and does not rest; starts workers. */
function activePool(): pools.Pool | null {
  const size = configuredThreads() - 1;
  let { pool } = settings;
  if (pool?.size !== size) {
    // A scope has another number of threads, or the program has by now.
    if (pool && pool.size !== programThreads() - 1) {
      pools.closePool(pool);
      settings.pool = null;
    }
    if (size === 0 || !isShared()) return null;
    pool = poolOf(size) ?? openPool(size);
  }
  if (!pool) return null;
  if (pool.open && pool.threads.size < size) pools.growPool(pool);
  return pools.readyWorkers(pool) > 0 && (pool.restsUntil === 0 || now() >= pool.restsUntil) ? pool : null;
}

/** A call of a function of some module. */
export interface Step {
  readonly module: KernelModule;
  readonly name: string;
  readonly args: Call;
}

/** Steps that one thread makes, in their order. */
export type Sequence = readonly Step[];

/**
 * Sequences as jobs of the workers of a pool; null where only the caller can run them: also where making a module known has made others
 * forgotten. Those of more than one step lie in scratch space.
 */
function jobsFor(pool: pools.Pool, sequences: readonly Sequence[]): readonly pools.Job[] | null {
  const { registered } = pool;
  const jobs: pools.Job[] = [];
  let [known, index, last]: [ReturnType<typeof pools.register>, number | undefined, Step | null] = [
    null,
    undefined,
    null,
  ];
  for (const sequence of sequences) {
    const words: number[] = [];
    for (const step of sequence) {
      const { module, name, args } = step;
      if (module !== last?.module) known = pools.register(pool, module);
      if (module !== last?.module || name !== last.name) index = known?.functions.get(name);
      if (!known || index === undefined) return null;
      last = step;
      if (sequence.length === 1) jobs.push({ module: known.id, index, name, args, slot: -1 });
      else words.push(known.id, index, args.length, ...args);
    }
    if (sequence.length === 1) continue;
    const at = scratch(4 * words.length);
    views().s32.set(words, at / 4);
    jobs.push({ module: SEQUENCE, index: 0, name: last!.name, args: [at, words.length], slot: -1 });
  }
  return pool.registered === registered ? jobs : null;
}

/** Runs steps here, in their order, up to the first that traps. */
function runHere(steps: readonly Step[]): BackendError | null {
  let i = 0;
  try {
    for (; i < steps.length; i++) {
      const { module, name, args } = steps[i]!;
      module.exports[name]!(...args);
    }
    return null;
  } catch (cause) {
    return pools.trapped(steps[i]!.name, (cause as Error).message, { cause });
  }
}

/** Makes calls of one function: as {@link runSteps} does, or here, in their order. */
export function runCalls(module: KernelModule, name: string, calls: readonly Call[], isShared = true): void {
  if (isShared) {
    const sequences: Sequence[] = [];
    for (const args of calls) sequences.push([{ module, name, args }]);
    return runSequences(sequences);
  }
  const fn = module.exports[name]!;
  for (const call of calls) fn(...call);
}

/**
 * Runs calls that do not depend on each other, in any order and at the same time where there are threads; all are done when it
 * returns. Two or three calls for each thread balance better than one: what a worker has not begun, because it had to wake, the
 * caller runs itself.
 *
 * A call whose worker dies is run again, so a call must make its results from memory that no call writes, and set what it
 * accumulates in before it does.
 *
 * @throws BackendError where a call traps; those not begun by then are left out
 */
export function runSteps(steps: readonly Step[]): void {
  const sequences: Sequence[] = [];
  for (const step of steps) sequences.push([step]);
  runSequences(sequences);
}

/** The same of sequences, which do not depend on each other: the steps of one follow each other on one thread. In scratch space. */
export function runSequences(sequences: readonly Sequence[]): void {
  const pool = sequences.length > 1 ? activePool() : null;
  const jobs = pool && jobsFor(pool, sequences);
  const error = jobs ? runShared(pool, sequences, jobs) : runHere(sequences.flat());
  if (error) throw error;
}

/** Runs sequences on all threads; where these take longer than the caller's own say that it would alone, the pool rests. */
function runShared(pool: pools.Pool, all: readonly Sequence[], jobs: readonly pools.Job[]): BackendError | null {
  const start = now();
  const own = { count: 0, milliseconds: 0 };
  const here = (i: number): BackendError | null => {
    const from = now();
    const error = runHere(all[i]!);
    own.milliseconds += now() - from;
    own.count++;
    return error;
  };
  const error = share(pool, jobs, here);
  const end = now();
  // A number of threads that a test asks for takes part at any price.
  const alone = (own.milliseconds / own.count) * all.length;
  if (tuning.threads === 0) {
    const credit = creditAfter(pool.credit, end - start, alone);
    pool.credit = Math.max(0, credit);
    pool.restsUntil = credit < 0 ? end + restAfter(credit) : 0;
  }
  return error;
}

/** Hands jobs out, as many at a time as is sensible, and runs others here meanwhile, from the last one on. */
function share(
  pool: pools.Pool,
  jobs: readonly pools.Job[],
  here: (number: number) => BackendError | null,
): BackendError | null {
  const ahead = pool.size * JOBS_AHEAD;
  let error: BackendError | null = null;
  let [first, next] = [0, 0];
  for (let last = jobs.length - 1; next <= last && !error; last--) {
    for (; first < next && pools.isOver(pool, jobs[first]!) && !error; first++) {
      const number = first;
      error = pools.settle(pool, jobs[number]!, () => here(number));
    }
    // The caller takes one from the end of the list itself, so at least that one is not handed out.
    next = pools.post(pool, jobs, next, Math.min(last, first + ahead));
    error ??= here(last);
  }
  return pools.endAll(pool, jobs, [first, next], here, error);
}
