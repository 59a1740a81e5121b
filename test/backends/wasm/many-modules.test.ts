/**
 * More modules than there is room for among the workers: kernels made late run on several threads like those made early.
 */
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { scratch } from "../../../lib/backends/wasm/memory/linear";
import type { KernelModule } from "../../../lib/backends/wasm/modules/module";
import { BLOCK_BYTES, MAX_MODULES } from "../../../lib/backends/wasm/threads/layout";
import * as pools from "../../../lib/backends/wasm/threads/pool";
import { handOut, setWord, storing, testKernels, until, wordAt } from "./threads-kernels";

const open: pools.Pool[] = [];
function readyPool(): pools.Pool {
  const pool = pools.createPool(1, true)!;
  open.push(pool);
  pools.growPool(pool);
  until(() => pools.readyWorkers(pool) === 1);
  return pool;
}
afterEach(() => open.splice(0).forEach(pools.closePool));

const refuse = (): never => {
  throw new Error("ran on the caller");
};

/** Runs a module on a worker, and nowhere else. */
function runThere(pool: pools.Pool, module: KernelModule, at: number): void {
  const job = handOut(pool, module, "store", [at]) ?? refuse();
  until(() => pools.isOver(pool, job));
  expect(pools.settle(pool, job, refuse)).toBeNull();
}

describe("workers", () => {
  const at = scratch(64);
  const other = scratch(64);
  const gate = scratch(64);
  afterAll(() => setWord(gate, 1));

  it("run each of 3,000 modules, and the first ones again", () => {
    const pool = readyPool();
    const modules = Array.from({ length: 3000 }, (_, i) => storing(i));
    let there = 0;
    for (const [i, module] of [...modules, ...modules.slice(0, 100)].entries()) {
      runThere(pool, module, at);
      if (wordAt(at) === i % 3000) there++;
    }
    expect(there).toBe(3100);
    expect(pool.modules).toBeLessThanOrEqual(MAX_MODULES);
    expect([pool.used, pool.threads.size]).toEqual([0, 1]);
  });

  it("run modules that have more bytes in all than there is room for, but none that has more by itself", () => {
    const pool = readyPool();
    const large = Array.from({ length: 12 }, (_, i) => storing(100 + i, 700_000));
    for (const [i, module] of [...large, ...large].entries()) {
      runThere(pool, module, at);
      expect(wordAt(at)).toBe(100 + (i % 12));
      expect(pool.moduleEnd).toBeLessThanOrEqual(BLOCK_BYTES);
    }
    expect(pools.register(pool, storing(7, BLOCK_BYTES))).toBeNull();
    runThere(pool, large[11]!, at);
  });

  it("forget no module while a job may need it", () => {
    const pool = readyPool();
    const kernels = testKernels();
    for (const address of [at, other, gate]) setWord(address, 0);
    const job = handOut(pool, kernels, "gated", [at, 5, other, gate])!;
    until(() => wordAt(other) === 1);
    const modules = Array.from({ length: MAX_MODULES + 5 }, (_, i) => storing(i));
    const refused = modules.filter((module) => pools.register(pool, module) === null);
    expect(refused.length).toBe(6);
    setWord(gate, 1);
    expect(pools.settle(pool, job, refuse)).toBeNull();
    expect(wordAt(at)).toBe(5);
    for (const module of refused) runThere(pool, module, at);
    expect(wordAt(at)).toBe(MAX_MODULES + 4);
  });
});
