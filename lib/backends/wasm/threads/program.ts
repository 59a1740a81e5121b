/**
 * What a worker runs: one script, as text, because a worker is started from text wherever the library ends up in (a
 * bundle, a CommonJS file, a page that has no file of ours). Plain JavaScript of 2020 that imports nothing; the numbers
 * in it come from the layout of the shared block.
 */
import * as at from "./layout";
import { WORKER_SPIN_MICROSECONDS, WORKER_SPIN_MOST_MICROSECONDS } from "../schedule/threads";

/** The script. In Node and its like it finds its data in `workerData`, in browsers in the first message. */
export const workerProgram = (): string =>
  [prologue, claiming, executing, resting, serving, starting].map((part) => part()).join("");

/** What a worker holds. */
const prologue = (): string => `"use strict";
const serve = ({ memory, block, worker }) => {
  const words = new Int32Array(block);
  const bytes = new Uint8Array(block);
  let modules = [];
  let epoch = 0;
  const pause = typeof Atomics.pause === "function" ? () => Atomics.pause() : () => {};

  // A module is copied out of shared memory before it is compiled: compilers refuse bytes that could change.
  const instantiate = (id) => {
    const start = words[${at.MODULES} + 2 * id];
    const module = new WebAssembly.Module(bytes.slice(start, start + words[${at.MODULES} + 2 * id + 1]));
    return Object.values(new WebAssembly.Instance(module, { env: { memory } }).exports);
  };
`;

/** Getting a job. */
const claiming = (): string => `
  // The next position, or null where there is none. NEXT is read before TAIL, so it can never overtake it. Positions a
  // whole ring behind hold newer jobs under newer positions and are skipped.
  const claim = () => {
    for (;;) {
      const next = Atomics.load(words, ${at.NEXT});
      const tail = Atomics.load(words, ${at.TAIL});
      if (next === tail) return null;
      const position = ((tail - next) | 0) > ${at.SLOTS} ? (tail - ${at.SLOTS}) | 0 : next;
      if (Atomics.compareExchange(words, ${at.NEXT}, next, (position + 1) | 0) === next) return position;
    }
  };
`;

/** Running it. */
const executing = (): string => `
  // An end state; wakes the caller where it sleeps for this job.
  const finish = (slot, state) => {
    if (Atomics.exchange(words, slot, state) & ${at.AWAITED}) Atomics.notify(words, slot);
  };

  const fail = (slot, error) => {
    const text = String((error && error.message) || error).slice(0, ${at.MAX_ARGUMENTS});
    words[slot + ${at.COUNT}] = text.length;
    for (let i = 0; i < text.length; i++) words[slot + ${at.ARGUMENTS} + i] = text.charCodeAt(i);
    finish(slot, ${at.FAILED});
  };

  // Module, function, number of arguments and these.
  const callAt = (from, at) => {
    const args = [];
    for (let i = 0; i < from[at + 2]; i++) args.push(from[at + 3 + i]);
    return { id: from[at], index: from[at + 1], args };
  };

  const callsOf = (slot) => {
    const call = callAt(words, slot + ${at.MODULE});
    if (call.id !== ${at.SEQUENCE}) return [call];
    const [address, length] = call.args;
    const all = new Int32Array(memory.buffer, address, length);
    const calls = [];
    for (let i = 0; i < length; i += 3 + all[i + 2]) calls.push(callAt(all, i));
    return calls;
  };

  // False where this worker is of no use.
  const execute = (slot) => {
    const now = Atomics.load(words, ${at.EPOCH});
    if (now !== epoch) {
      epoch = now;
      modules = [];
    }
    const calls = callsOf(slot);
    try {
      for (const { id } of calls) modules[id] = modules[id] || instantiate(id);
    } catch {
      finish(slot, ${at.REFUSED});
      return false;
    }
    try {
      for (const { id, index, args } of calls) modules[id][index](...args);
    } catch (error) {
      fail(slot, error);
      return true;
    }
    finish(slot, ${at.DONE});
    return true;
  };
`;

/** What a worker does while there is no job. */
const resting = (): string => `
  const idle = () => Atomics.load(words, ${at.NEXT}) === Atomics.load(words, ${at.TAIL});
  const short = ${WORKER_SPIN_MICROSECONDS / 1000};
  const long = ${WORKER_SPIN_MOST_MICROSECONDS / 1000};
  let spin = short;

  const rest = () => {
    const from = performance.now();
    do {
      for (let i = 0; i < 40; i++) {
        if (!idle()) return;
        pause();
      }
    } while (performance.now() - from < spin);
    const tail = Atomics.load(words, ${at.TAIL});
    Atomics.add(words, ${at.SLEEPING}, 1);
    // The caller changes TAIL first and looks at SLEEPING then: one of the two sees the other.
    if (Atomics.load(words, ${at.NEXT}) === tail && !Atomics.load(words, ${at.STOP})) Atomics.wait(words, ${at.TAIL}, tail);
    Atomics.sub(words, ${at.SLEEPING}, 1);
    // A job that came soon after the watch had ended would have been seen by a longer one.
    spin = performance.now() - from < long ? long : short;
  };
`;

/** The loop, until the pool is closed or the worker finds that it cannot run modules. */
const serving = (): string => `
  Atomics.store(words, ${at.WORKERS} + worker, ${at.READY});
  let useful = true;
  while (useful && !Atomics.load(words, ${at.STOP})) {
    const position = claim();
    if (position === null) {
      rest();
      continue;
    }
    const slot = ${at.RING} + (position & ${at.SLOTS - 1}) * ${at.SLOT_WORDS};
    // A position may be empty by now: the caller takes back what nobody has begun.
    if (Atomics.compareExchange(words, slot, ${at.QUEUED}, ${at.RUNNING} + worker) === ${at.QUEUED}) useful = execute(slot);
  }
  Atomics.store(words, ${at.WORKERS} + worker, ${at.GONE});
};
`;

/** Where the data comes from. */
const starting = (): string => `
const builtin = globalThis.process && globalThis.process.getBuiltinModule;
const threads = builtin && builtin.call(globalThis.process, "node:worker_threads");
if (threads && threads.workerData && threads.workerData.block) {
  serve(threads.workerData);
} else {
  globalThis.onmessage = (event) => {
    serve(event.data);
    globalThis.close();
  };
}
`;
