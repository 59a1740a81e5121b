import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { WORKER_SPIN_MICROSECONDS, WORKER_SPIN_MOST_MICROSECONDS } from "../../../lib/backends/wasm/schedule/threads";
import * as at from "../../../lib/backends/wasm/threads/layout";
import { workerProgram } from "../../../lib/backends/wasm/threads/program";

/** What one reading of the clock takes, in microseconds. */
const TICK = 1;

/**
 * Runs the script of a worker by a clock of its own; how long it watches before each of its sleeps, in microseconds. A job comes, and
 * turns out to be taken back, so long after each sleep has begun, or in the middle of the watch for null.
 */
function watchesOf(gaps: readonly (number | null)[]): number[] {
  const block = new SharedArrayBuffer(at.BLOCK_BYTES);
  const words = new Int32Array(block);
  const left = [...gaps];
  const watches: number[] = [];
  let clock = 0;
  let from = 0;
  const come = (): void => {
    from = clock;
    Atomics.add(words, at.TAIL, 1);
    if (left.length === 0) Atomics.store(words, at.STOP, 1);
  };
  const atomics = {
    load: (array: Int32Array, index: number) => Atomics.load(array, index),
    store: (array: Int32Array, index: number, value: number) => Atomics.store(array, index, value),
    add: (array: Int32Array, index: number, value: number) => Atomics.add(array, index, value),
    sub: (array: Int32Array, index: number, value: number) => Atomics.sub(array, index, value),
    compareExchange: (array: Int32Array, index: number, before: number, after: number) =>
      Atomics.compareExchange(array, index, before, after),
    wait: () => {
      watches.push(clock - from);
      clock += left.shift()!;
      come();
    },
  };
  const performance = {
    now: (): number => {
      clock += TICK;
      if (left[0] === null && clock - from > WORKER_SPIN_MICROSECONDS / 2) {
        left.shift();
        come();
      }
      return clock / 1000;
    },
  };
  const process = { getBuiltinModule: () => ({ workerData: { memory: null, block, worker: 0 } }) };
  runInNewContext(workerProgram(), { Atomics: atomics, performance, process });
  return watches.map((watch) => Math.round(watch / 10) * 10);
}

describe("a worker without a job", () => {
  const [short, long] = [WORKER_SPIN_MICROSECONDS, WORKER_SPIN_MOST_MICROSECONDS];

  it("watches for a short time where jobs come late", () => {
    expect(watchesOf([1000, long, 10_000])).toEqual([short, short, short]);
  });

  it("watches longer once a job came soon after it had gone to sleep, until one comes late", () => {
    expect(watchesOf([long - short - 20, 1000, 1000])).toEqual([short, long, short]);
  });

  it("goes on to watch longer while jobs come within that time", () => {
    expect(watchesOf([10, null, null, null, 1000, null, 1000])).toEqual([short, long, short]);
  });
});
