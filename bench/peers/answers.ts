/**
 * The part of a runner that is the same in every host: makes the operands, calls, times, samples. It knows no library, and neither Node
 * nor a browser.
 */
import { choice, dataOf } from "./data";
import {
  NOT_FINITE,
  PARTS,
  SAMPLES,
  type CallCosts,
  type Hello,
  type InputSpecs,
  type Memory,
  type Request,
  type Sample,
  type Timed,
} from "./protocol";

export type Inputs<T> = Readonly<Record<string, T>>;

/** One way to do a work, ready to be called again and again. */
export interface Prepared<R> {
  readonly call: () => R;
  /** Waits until the result is there, and gives it back to the library where the library asks for it. */
  readonly finish?: (result: R) => unknown;
  /** Whether `finish` has to be awaited. */
  readonly awaits?: boolean;
  /** Whether the loop of calls returns to the event loop every millisecond, as a server does. */
  readonly turns?: boolean;
  readonly read: (result: R) => ArrayLike<number>;
}

/** Functions of ten operations, different ones for each variant. */
export interface Compiling {
  /** A new function that was never called, applied to `length` numbers; returns when the result is there. */
  readonly make: (operations: readonly number[]) => (length: number) => void;
  /** Traces the function without running it. */
  readonly trace: (operations: readonly number[]) => void;
}

export interface Peer<T, R> {
  readonly name: string;
  readonly version: string;
  readonly threads: string;
  readonly tensor: (data: Float32Array, shape: readonly number[]) => T;
  readonly runs: Readonly<Record<string, (inputs: Inputs<T>) => Prepared<R>>>;
  /** Gives operands back where the library asks for it. */
  readonly drop?: (operand: T) => void;
  readonly compiling?: Compiling;
}

const now = (): number => performance.now() * 1000;

let sink: unknown; // keeps an engine from dropping the work

/** Times the parts of a turn one by one. */
class Stopwatch {
  readonly part: number;
  private readonly start = now();
  private last = this.start;
  private least = Infinity;

  constructor(private readonly repeats: number) {
    this.part = Math.ceil(repeats / PARTS);
  }

  /** A part has ended, of so many calls. */
  stop(calls: number): void {
    const time = now();
    this.least = Math.min(this.least, (time - this.last) / calls);
    this.last = time;
  }

  timed(): Timed {
    return { microseconds: (this.last - this.start) / this.repeats, least: this.least };
  }
}

function timeSync<R>({ call, finish }: Prepared<R>, repeats: number): Timed {
  const watch = new Stopwatch(repeats);
  for (let left = repeats; left > 0; left -= watch.part) {
    const calls = Math.min(left, watch.part);
    for (let i = 0; i < calls; i++) {
      const result = call();
      sink = finish ? finish(result) : result;
    }
    watch.stop(calls);
  }
  return watch.timed();
}

async function timeAwaiting<R>({ call, finish }: Prepared<R>, repeats: number): Promise<Timed> {
  const watch = new Stopwatch(repeats);
  for (let left = repeats; left > 0; left -= watch.part) {
    const calls = Math.min(left, watch.part);
    for (let i = 0; i < calls; i++) sink = await finish!(call());
    watch.stop(calls);
  }
  return watch.timed();
}

const TURN = 1000;
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Calls that return to the event loop now and then: microseconds a call, what a library does between them included. */
async function callsInTurns<R>({ call }: Prepared<R>, repeats: number): Promise<number> {
  const start = now();
  for (let i = 0, due = start + TURN; i < repeats; i++) {
    sink = call();
    if (now() < due) continue;
    await nextTurn();
    due = now() + TURN;
  }
  return (now() - start) / repeats;
}

/** There are no parts, which would be times without what is done between calls. As many calls come before, since others have had the caches. */
async function timeTurning<R>(prepared: Prepared<R>, repeats: number): Promise<Timed> {
  await callsInTurns(prepared, repeats);
  const microseconds = await callsInTurns(prepared, repeats);
  return { microseconds, least: microseconds };
}

async function time<R>(prepared: Prepared<R>, repeats: number): Promise<Timed> {
  if (prepared.turns) return timeTurning(prepared, repeats);
  return prepared.awaits ? timeAwaiting(prepared, repeats) : timeSync(prepared, repeats);
}

/** How many times as long a loop warms up that releases nothing: a server has long touched all of the memory that it uses again and again. */
const TURNING_WARMS = 10;

/** Calls until the time is used up; the time of a call is that of the last batch. */
async function warm<R>(prepared: Prepared<R>, milliseconds: number): Promise<Timed> {
  const end = now() + milliseconds * 1000 * (prepared.turns ? TURNING_WARMS : 1);
  for (let repeats = 1; ; repeats = Math.min(2 * repeats, 1 << 14)) {
    const timed = await time(prepared, repeats);
    if (now() > end) return timed;
  }
}

async function sample<R>({ call, finish, read }: Prepared<R>): Promise<Sample> {
  const result = await call();
  const values = read(result);
  await finish?.(result);
  const count = Math.min(SAMPLES, values.length);
  let sum = 0;
  let magnitude = 0;
  for (let i = 0; i < values.length; i++) {
    sum += values[i]!;
    magnitude += Math.abs(values[i]!);
  }
  const finite = (value: number): number => (Number.isFinite(value) ? value : NOT_FINITE);
  const sampled = Array.from({ length: count }, (_, i) =>
    finite(values[Math.floor(((i + 0.5) * values.length) / count)]!),
  );
  return { length: values.length, sum: finite(sum), magnitude: finite(magnitude), values: sampled };
}

/** Kinds of operations a variant is put together of; the runners know what each number means. */
export const OPERATIONS = 6;
const variant = (number: number): number[] => Array.from({ length: 10 }, (_, i) => choice(number, i, OPERATIONS));

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!;

function timeOf(action: () => void): number {
  const start = now();
  action();
  return now() - start;
}

const TRIES = 31;
const medianOf = (action: (i: number) => void): number =>
  median(Array.from({ length: TRIES }, (_, i) => timeOf(() => action(i))));

/** First calls are timed one by one: they cannot be repeated. */
function calls({ make, trace }: Compiling): CallCosts {
  const known = make(variant(0));
  const first = timeOf(() => known(8));
  const fresh = medianOf((i) => make(variant(i + 1))(8));
  const again = medianOf(() => make(variant(1))(8));
  const shape = medianOf((i) => known(9 + i));
  const traced = medianOf((i) => trace(variant(i + 1)));
  const repeats = 1000;
  for (let i = 0; i < 10 * repeats; i++) known(8);
  const hit = medianOf(() => {
    for (let i = 0; i < repeats; i++) known(8);
  });
  return { first, fresh, again, shape, trace: traced, hit: hit / repeats };
}

/** What a host adds to the answers: its name, and what it knows of memory. */
export interface Host {
  readonly runtime: string;
  readonly memory: () => Memory;
}

export interface Answering {
  readonly hello: Hello;
  /** Answers any request but the one to end, which is the host's. */
  readonly answer: (request: Exclude<Request, { readonly do: "exit" }>) => Promise<unknown>;
}

/** The answers of a library to requests. */
export function answering<T, R>(peer: Peer<T, R>, host: Host): Answering {
  const { name, version, threads, runs, compiling } = peer;
  const hello: Hello = {
    peer: name,
    version,
    threads,
    runtime: host.runtime,
    runs: Object.keys(runs),
    compiles: compiling !== undefined,
  };
  let operands: T[] = [];
  let prepared: Prepared<R> | null = null;

  function drop(): void {
    if (peer.drop) operands.forEach(peer.drop);
    operands = [];
    prepared = null;
    sink = undefined;
  }

  function prepare(run: string, inputs: InputSpecs): void {
    drop();
    const entries = Object.entries(inputs).map(([key, spec]) => [key, peer.tensor(dataOf(spec), spec.shape)] as const);
    operands = entries.map(([, operand]) => operand);
    prepared = runs[run]!(Object.fromEntries(entries));
  }

  const answer: Answering["answer"] = async (request) => {
    switch (request.do) {
      case "prepare":
        return prepare(request.run, request.inputs);
      case "warm":
        return warm(prepared!, request.milliseconds);
      case "time":
        return time(prepared!, request.repeats);
      case "sample":
        return sample(prepared!);
      case "memory":
        return host.memory();
      case "calls":
        return calls(compiling!);
      case "drop":
        return drop();
    }
    return request satisfies never;
  };
  return { hello, answer };
}

/** The last result; reading it keeps an engine from dropping the work. */
export const lastResult = (): unknown => sink;
