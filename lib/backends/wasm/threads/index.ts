/**
 * Running calls of kernel functions on all threads, with an interface that stays synchronous: the caller hands out calls,
 * works itself, and returns when all are done. Where there are no threads (no shared memory, a host that refuses workers,
 * workers that are not up yet) it does everything itself.
 */
import type { BackendError } from "../../../core/errors";
import { threadsInForce, threadsOfProgram, type Threads } from "../../default";
import { tuning } from "../../tuning";
import type { WasmFunction } from "../host";
import { isShared, isSharedSoFar } from "../memory";
import type { KernelModule } from "../module";
import { canSleep, hardwareThreads, hindranceToWorkers, now } from "./host";
import * as pools from "./pool";
import { JOBS_AHEAD, restAfter, THREADS_MOST_BY_DEFAULT } from "../schedule";

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
export const configuredThreads = (): number => tuning.threads || numberOf(threadsInForce());

const programThreads = (): number => tuning.threads || numberOf(threadsOfProgram());

function numberOf(threads: Threads): number {
  if (threads !== "auto") return threads;
  return (settings.standard ??= Math.max(1, Math.min(THREADS_MOST_BY_DEFAULT, hardwareThreads())));
}

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
  if (threads === 1 || !isShared()) return 1;
  const pool = poolOf(threads - 1);
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
  return pools.readyWorkers(pool) > 0 && now() >= pool.restsUntil ? pool : null;
}

/** A function to be called, here or in a worker. */
interface Target {
  readonly pool: pools.Pool;
  readonly module: number;
  readonly index: number;
  readonly name: string;
}

/** How workers find the function; null where only the caller can run it. */
function targetOf(module: KernelModule, name: string): Target | null {
  const pool = activePool();
  const known = pool && pools.register(pool, module);
  const index = known?.functions.get(name);
  return pool && known && index !== undefined ? { pool, module: known.id, index, name } : null;
}

/** A call of a function of some module. */
export interface Step {
  readonly module: KernelModule;
  readonly name: string;
  readonly args: Call;
}

/**
 * How workers find the functions of steps; null where only the caller can run them: also where making a module known has made others
 * forgotten.
 */
function targetsOf(steps: readonly Step[]): readonly Target[] | null {
  const targets: Target[] = [];
  for (const { module, name } of steps) {
    const target = targetOf(module, name);
    if (target === null) return null;
    targets.push(target);
  }
  const [first, last] = [steps[0]!, targets.at(-1)!];
  return last.pool.registered.has(first.module) ? targets : null;
}

function runHere(run: WasmFunction, name: string, call: Call): BackendError | null {
  try {
    run(...call);
    return null;
  } catch (cause) {
    return pools.trapped(name, (cause as Error).message, { cause });
  }
}

function raise(error: BackendError | null): void {
  if (error) throw error;
}

/**
 * Runs calls of one exported function that do not depend on each other, in any order and at the same time where there are
 * threads; all are done when it returns. Two or three calls for each thread balance better than one: what a worker has not
 * begun, because it had to wake, the caller runs itself.
 *
 * A call whose worker dies is run again, so a call must make its results from memory that no call writes, and set what it
 * accumulates in before it does.
 *
 * @throws BackendError where a call traps; those not begun by then are left out
 */
export function runCalls(module: KernelModule, name: string, calls: readonly Call[]): void {
  const target = calls.length > 1 ? targetOf(module, name) : null;
  const run = module.exports[name]!;
  const here = (i: number): BackendError | null => runHere(run, name, calls[i]!);
  if (target)
    return raise(runShared(target.pool, { count: calls.length, here, target: () => target, args: (i) => calls[i]! }));
  for (let i = 0; i < calls.length; i++) raise(here(i));
}

/** The same for calls of functions of several modules. */
export function runSteps(steps: readonly Step[]): void {
  const targets = steps.length > 1 ? targetsOf(steps) : null;
  const here = (i: number): BackendError | null => {
    const { module, name, args } = steps[i]!;
    return runHere(module.exports[name]!, name, args);
  };
  if (targets) {
    const jobs = { count: steps.length, here, target: (i: number) => targets[i]!, args: (i: number) => steps[i]!.args };
    return raise(runShared(targets[0]!.pool, jobs));
  }
  for (let i = 0; i < steps.length; i++) raise(here(i));
}

/** Jobs by their number: how they are run here, and how by workers. */
interface Jobs {
  readonly count: number;
  here(job: number): BackendError | null;
  target(job: number): Target;
  args(job: number): Call;
}

interface Posted {
  readonly slot: number;
  readonly job: number;
}

/** Runs jobs on all threads; where that takes longer than the caller's own jobs say that it would alone, the pool rests afterwards. */
function runShared(pool: pools.Pool, jobs: Jobs): BackendError | null {
  const start = now();
  const own = { jobs: 0, milliseconds: 0 };
  const here = (job: number): BackendError | null => {
    const from = now();
    const error = jobs.here(job);
    own.milliseconds += now() - from;
    own.jobs++;
    return error;
  };
  const error = share(pool, { ...jobs, here });
  const end = now();
  // A number of threads that a test asks for takes part at any price.
  if (tuning.threads === 0) pool.restsUntil = end + restAfter(end - start, (own.milliseconds / own.jobs) * jobs.count);
  return error;
}

function share(pool: pools.Pool, jobs: Jobs): BackendError | null {
  const posted: Posted[] = [];
  const settle = ({ slot, job }: Posted) => pools.settle(pool, slot, jobs.target(job).name, () => jobs.here(job));
  let error: BackendError | null = null;
  let next = 0;
  let first = 0;
  for (let last = jobs.count - 1; next <= last && !error; last--) {
    while (first < posted.length && pools.isOver(pool, posted[first]!.slot) && !error) error = settle(posted[first++]!);
    // The caller takes one from the end of the list itself, so at least that one is not handed out.
    next = handOut(pool, jobs, next, last, posted, first);
    if (!error) error = jobs.here(last);
  }
  for (let i = posted.length - 1; i >= first; i--) {
    const { slot, job } = posted[i]!;
    const outcome = pools.takeBack(pool, slot) ? (error ?? jobs.here(job)) : settle(posted[i]!);
    error ??= outcome;
  }
  return error;
}

/** Posts jobs from `next` on, up to but not including `last`, as far as is sensible; the next one. */
function handOut(pool: pools.Pool, jobs: Jobs, next: number, last: number, posted: Posted[], first: number) {
  const limit = pool.size * JOBS_AHEAD;
  const before = next;
  while (next < last && posted.length - first < limit) {
    const { module, index } = jobs.target(next);
    const slot = pools.post(pool, module, index, jobs.args(next));
    if (slot < 0) break;
    posted.push({ slot, job: next++ });
  }
  if (next > before) pools.wake(pool, next - before);
  return next;
}

/** A call that may be running. Every ticket must be waited for: until then its place in the ring is taken. */
export interface Ticket {
  /**
   * Returns when the call is done; runs it here where no other thread has begun it.
   *
   * @throws BackendError where the call traps
   */
  wait(): void;
  /** Whether the call has ended, so that waiting takes no time. */
  isOver(): boolean;
  /** Whether nobody has begun the call. */
  isWaiting(): boolean;
}

/** Hands a call to another thread, or keeps it until its ticket is waited for. */
export function submit(module: KernelModule, name: string, call: Call): Ticket {
  const target = targetOf(module, name);
  const slot = target ? pools.post(target.pool, target.module, target.index, call) : -1;
  if (target && slot >= 0) pools.wake(target.pool, 1);
  const here = () => runHere(module.exports[name]!, name, call);
  const finish = () =>
    target && slot >= 0 && !pools.takeBack(target.pool, slot) ? pools.settle(target.pool, slot, name, here) : here();
  let outcome: { error: BackendError | null } | null = null;
  const posted = target !== null && slot >= 0;
  return {
    wait: () => raise((outcome ??= { error: finish() }).error),
    isOver: () => outcome !== null || (posted && pools.isOver(target.pool, slot)),
    isWaiting: () => outcome === null && (!posted || pools.isWaiting(target.pool, slot)),
  };
}
