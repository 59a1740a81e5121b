/**
 * The caller's side of the threads: the pool of workers, the registry of modules, and the ring through which jobs go out
 * and are settled. All of it is synchronous.
 *
 * What happens when a worker dies in a job. A trap is caught by the worker, which says so in the slot. A worker that is
 * killed says nothing, and no event can arrive while the caller waits, so the caller asks the host now and then whether
 * the thread is over. Where the host can tell (Node), a job of a thread that is over is run again by the caller at once.
 * Where it cannot, silence proves nothing: the kernel may be long. After `LOST_AFTER_MILLISECONDS` the caller runs the
 * job itself, and then gives the worker as long again as that took: a live one has finished by then, because it began
 * long before. One that has not is stopped and counted as lost, and its slot is never used again. Running a job twice is
 * harmless because a call writes the same results each time (the contract of `runCalls`).
 */
import { BackendError } from "../../../core/errors";
import type { KernelModule } from "../modules/module";
import { kernelMemory } from "../memory/linear";
import { Request } from "../memory/refusal";
import { now, startThread, type Thread } from "./host";
import * as at from "./layout";
import { CALLER_SPIN_MILLISECONDS } from "../schedule/threads";

/** How often a sleeping caller asks whether the worker is alive. */
const PROBE_MILLISECONDS = 20;
/**
 * Where nobody can tell whether a worker is alive: how long its silence is believed. Nothing but a developer's tools kills
 * a worker of a page, and a kernel of many seconds is likelier than that.
 */
const LOST_AFTER_MILLISECONDS = 60_000;

/** The numbers by which workers know a module and its functions. */
interface Registered {
  readonly id: number;
  readonly functions: ReadonlyMap<string, number>;
}

export interface Pool {
  readonly words: Int32Array;
  readonly block: SharedArrayBuffer;
  /** Workers wanted. */
  readonly size: number;
  readonly threads: Map<number, Thread>;
  registered: WeakMap<KernelModule, Registered>;
  /** Whether the caller may sleep. */
  readonly sleeps: boolean;
  /** How long a worker may be silent where nobody can tell whether it is alive, in milliseconds. */
  readonly patience: number;
  /** Workers started so far, lost ones included. */
  started: number;
  /** Whether more may be started: not after the host refused one or one did not live to be ready. */
  open: boolean;
  modules: number;
  moduleEnd: number;
  /** Slots that are not free. */
  used: number;
  /** The number of workers that were given up and will never be ready. */
  lost: number;
  tail: number;
  /** What calls on several threads have gained so far, in milliseconds. */
  credit: number;
  /** Until when, by the host's clock, calls are not shared; 0 for no rest. */
  restsUntil: number;
}

/** Asks for the block of a pool. */
const blockRequest = new Request(() => new SharedArrayBuffer(at.BLOCK_BYTES));

/** A pool without workers; null where the host has no memory for it. */
export function createPool(size: number, sleeps: boolean): Pool | null {
  const block = blockRequest.attempt();
  if (!block) return null;
  const counters = { started: 0, open: true, modules: 0, moduleEnd: at.MODULE_BYTES, used: 0, lost: 0, tail: 0 };
  return {
    words: new Int32Array(block),
    block,
    size,
    threads: new Map(),
    registered: new WeakMap(),
    sleeps,
    patience: LOST_AFTER_MILLISECONDS,
    credit: 0,
    restsUntil: 0,
    ...counters,
  };
}

/** Workers that have said they are ready and are not known to be gone. */
export function readyWorkers(pool: Pool): number {
  let ready = 0;
  for (let worker = 0; worker < pool.started; worker++) {
    if (Atomics.load(pool.words, at.WORKERS + worker) === at.READY) ready++;
  }
  return ready;
}

/**
 * Starts one worker where some are missing. One for each use, because starting costs the caller a millisecond or two, and
 * a program of a single large operation should not pay that for all of them.
 */
export function growPool(pool: Pool): void {
  if (!pool.open || pool.threads.size >= pool.size || pool.started >= at.MAX_WORKERS) return;
  const worker = pool.started++;
  const thread = startThread({ memory: kernelMemory(), block: pool.block, worker }, () => forget(pool, worker));
  if (thread) pool.threads.set(worker, thread);
  else pool.open = false;
}

function forget(pool: Pool, worker: number): void {
  const before = Atomics.exchange(pool.words, at.WORKERS + worker, at.GONE);
  // A worker that failed to start, or left, would fail again: the pool closes.
  if (before !== at.READY && pool.threads.has(worker)) pool.open = false;
  pool.threads.delete(worker);
}

/** Lets the workers go: each ends after the job it is in. Jobs nobody has begun are run by those who wait for them. */
export function closePool(pool: Pool): void {
  pool.open = false;
  Atomics.store(pool.words, at.STOP, 1);
  Atomics.add(pool.words, at.TAIL, 1);
  Atomics.notify(pool.words, at.TAIL);
}

/**
 * Makes a module known to the workers. Where there is no more room for modules, all are forgotten, here and by the workers:
 * those in use are soon known again. Null while other jobs are under way, whose modules are needed, and for a module that
 * would not fit at all: then only the caller can run it.
 */
export function register(pool: Pool, module: KernelModule): Registered | null {
  const cached = pool.registered.get(module);
  if (cached) return cached;
  const { length } = module.bytes;
  const isFull = pool.modules >= at.MAX_MODULES || pool.moduleEnd + length > at.BLOCK_BYTES;
  if (isFull && (at.MODULE_BYTES + length > at.BLOCK_BYTES || !forgetModules(pool))) return null;
  const id = pool.modules++;
  new Uint8Array(pool.block).set(module.bytes, pool.moduleEnd);
  pool.words[at.MODULES + 2 * id] = pool.moduleEnd;
  pool.words[at.MODULES + 2 * id + 1] = length;
  pool.moduleEnd += length;
  // Export objects keep the order of the module, so a position means the same function in every thread.
  const functions = new Map(Object.keys(module.exports).map((name, index) => [name, index]));
  const registered = { id, functions };
  pool.registered.set(module, registered);
  return registered;
}

/** Forgets all modules, unless a job may need one; workers do so before their next job. */
function forgetModules(pool: Pool): boolean {
  if (pool.used > pool.lost) return false;
  Atomics.add(pool.words, at.EPOCH, 1);
  pool.registered = new WeakMap();
  pool.modules = 0;
  pool.moduleEnd = at.MODULE_BYTES;
  return true;
}

/** A call of a function of a module that workers know. */
export interface Job {
  readonly module: number;
  readonly index: number;
  /** The name of the function, for errors. */
  readonly name: string;
  readonly args: readonly number[];
  /** Where the job lies in the ring, once it was posted. */
  slot: number;
}

/**
 * Puts the jobs from number `next` on, but not the one of number `end`, into the ring, as far as there is room, and wakes as many workers
 * where any sleep; the number of the first job that is not in the ring.
 */
export function post(pool: Pool, jobs: readonly Job[], next: number, end: number): number {
  const { words } = pool;
  let to = next;
  for (; to < end && pool.used < at.SLOTS; to++) {
    const job = jobs[to]!;
    const { args } = job;
    if (args.length > at.MAX_ARGUMENTS) break;
    let slot: number;
    do {
      slot = at.RING + (pool.tail & (at.SLOTS - 1)) * at.SLOT_WORDS;
      pool.tail = (pool.tail + 1) | 0;
    } while (Atomics.load(words, slot + at.STATE) !== at.FREE);
    job.slot = slot;
    words[slot + at.MODULE] = job.module;
    words[slot + at.FUNCTION] = job.index;
    words[slot + at.COUNT] = args.length;
    for (let i = 0; i < args.length; i++) words[slot + at.ARGUMENTS + i] = args[i]!;
    Atomics.store(words, slot + at.STATE, at.QUEUED);
    pool.used++;
    Atomics.store(words, at.TAIL, pool.tail);
  }
  if (to > next && Atomics.load(words, at.SLEEPING) > 0) Atomics.notify(words, at.TAIL, to - next);
  return to;
}

/** Whether a job has ended, so that it can be settled without waiting. */
export function isOver(pool: Pool, { slot }: Job): boolean {
  const state = Atomics.load(pool.words, slot);
  return state >= at.DONE && state <= at.REFUSED;
}

/**
 * Ends the jobs in the ring from number `first` on, but not the one of number `end`, the last one first: those that nobody has begun are run here,
 * or left out after an error, the one from before included; the first error.
 */
export function endAll(
  pool: Pool,
  jobs: readonly Job[],
  [first, end]: readonly [first: number, end: number],
  here: (number: number) => BackendError | null,
  before: BackendError | null,
): BackendError | null {
  const { words } = pool;
  let error = before;
  for (let i = end - 1; i >= first; i--) {
    const job = jobs[i]!;
    const { slot } = job;
    const state = Atomics.compareExchange(words, slot, at.QUEUED, at.FREE);
    if (state === at.DONE) Atomics.store(words, slot, at.FREE);
    if (state === at.DONE || state === at.QUEUED) pool.used--;
    const outcome =
      state === at.DONE ? null : state === at.QUEUED ? (error ?? here(i)) : settle(pool, job, () => here(i));
    error ??= outcome;
  }
  return error;
}

/** Runs a job here; what went wrong, or null. */
type Attempt = () => BackendError | null;

/** Outcomes of waiting besides the end states of a slot. */
const LOST = -1;
const SILENT = -2;

/** Waits for a job that a worker has begun, and frees its slot. Runs it here where the worker could not. */
export function settle(pool: Pool, { slot, name }: Job, again: Attempt): BackendError | null {
  const state = Atomics.load(pool.words, slot);
  const outcome = state < at.RUNNING ? state : awaitEnd(pool, slot);
  if (outcome === SILENT) return outlive(pool, slot, again);
  const error = outcome === at.FAILED ? trapped(name, messageOf(pool, slot)) : null;
  release(pool, slot);
  return outcome === at.REFUSED || outcome === LOST ? again() : error;
}

/** The error for a kernel that trapped, here or in a worker. */
export const trapped = (name: string, message: string, options?: ErrorOptions): BackendError =>
  new BackendError(`the kernel ${name} failed: ${message}`, options);

const messageOf = ({ words }: Pool, slot: number): string =>
  String.fromCharCode(...words.subarray(slot + at.ARGUMENTS, slot + at.ARGUMENTS + words[slot + at.COUNT]!));

function release(pool: Pool, slot: number): void {
  Atomics.store(pool.words, slot, at.FREE);
  pool.used--;
}

function awaitEnd(pool: Pool, slot: number): number {
  let state = watch(pool, slot, CALLER_SPIN_MILLISECONDS);
  // Time is counted in rounds of waiting, so that a process that was stopped for an hour does not think of its workers
  // as silent for an hour.
  for (let silent = 0; state >= at.RUNNING; silent += PROBE_MILLISECONDS) {
    state = pool.sleeps ? sleep(pool, slot, state) : watch(pool, slot, PROBE_MILLISECONDS);
    if (state < at.RUNNING) return state;
    const worker = state & (at.RUNNING - 1);
    const thread = pool.threads.get(worker);
    const over = thread ? thread.isOver() : true;
    // It may have finished the job between the two questions.
    if (over) return stillRunning(pool, slot) ? lose(pool, worker) : Atomics.load(pool.words, slot);
    if (over === null && silent >= pool.patience) return SILENT;
  }
  return state;
}

const stillRunning = (pool: Pool, slot: number): boolean => Atomics.load(pool.words, slot) >= at.RUNNING;

function lose(pool: Pool, worker: number): number {
  Atomics.store(pool.words, at.WORKERS + worker, at.GONE);
  pool.threads.delete(worker);
  return LOST;
}

/** Runs the job of a worker that may be dead, and then waits for the worker as long as that took. */
function outlive(pool: Pool, slot: number, again: Attempt): BackendError | null {
  const start = now();
  const error = again();
  const state = watch(pool, slot, now() - start + PROBE_MILLISECONDS);
  if (state < at.RUNNING) {
    release(pool, slot);
    return error;
  }
  const worker = state & (at.RUNNING - 1);
  pool.threads.get(worker)?.stop();
  lose(pool, worker);
  pool.lost++;
  return error;
}

/** Spins until a job ends, for so long at most; its state. */
function watch({ words }: Pool, slot: number, milliseconds: number): number {
  const until = now() + milliseconds;
  do {
    for (let i = 0; i < 40; i++) {
      const state = Atomics.load(words, slot);
      if (state < at.RUNNING) return state;
    }
  } while (now() < until);
  return Atomics.load(words, slot);
}

/** Sleeps until a job ends, or until it is time to ask whether the worker is alive; its state. */
function sleep({ words }: Pool, slot: number, state: number): number {
  const awaited = state | at.AWAITED;
  if (Atomics.compareExchange(words, slot, state, awaited) === state) {
    Atomics.wait(words, slot, awaited, PROBE_MILLISECONDS);
  }
  return Atomics.load(words, slot);
}
