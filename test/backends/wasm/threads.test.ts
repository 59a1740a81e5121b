import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { setConfig } from "../../../lib/core/config";
import { BackendError } from "../../../lib/core/errors";
import { inScratch, scratch } from "../../../lib/backends/wasm/memory/linear";
import {
  configuredThreads,
  readyWorkers,
  runCalls,
  runSequences,
  runSteps,
  threadCount,
} from "../../../lib/backends/wasm/threads/index";
import { MAX_MODULES } from "../../../lib/backends/wasm/threads/layout";
import * as pools from "../../../lib/backends/wasm/threads/pool";
import { tune } from "../../../lib/backends/tuning";
import { doze, expected, handOut, hooked, setWord, storing, testKernels, until, wordAt } from "./threads-kernels";

interface Worker {
  terminate(): Promise<number>;
  on(event: string, listener: () => void): void;
}
const threads = process.getBuiltinModule("node:worker_threads") as unknown as {
  Worker: new (...args: never[]) => Worker;
};
const Original = threads.Worker;
const workers: Worker[] = [];

threads.Worker = class extends Original {
  constructor(...args: never[]) {
    super(...args);
    workers.push(this);
  }
};
afterAll(() => {
  threads.Worker = Original;
  tune({ threads: 1 });
  runCalls(kernels, "count", []);
});

const kernels = testKernels();
/** Addresses of words apart from each other, zeroed. */
const cells = (count: number): number[] => {
  const start = scratch(count * 4);
  return Array.from({ length: count }, (_, i) => {
    setWord(start + 4 * i, 0);
    return start + 4 * i;
  });
};

/** Sets the number of threads and waits until all workers are ready. */
function withThreads(count: number): void {
  tune({ threads: count });
  inScratch(() => {
    const [a, b] = cells(2) as [number, number];
    until(() => {
      runCalls(kernels, "count", [[a], [b]]);
      return readyWorkers() === count - 1;
    });
  });
}

/** A fresh pool, in which nobody has been lost and no module is known. */
function freshPool(count: number): void {
  tune({ threads: 1 });
  runCalls(kernels, "count", [[scratch(4)], [scratch(4)]]);
  withThreads(count);
}

beforeEach(() => freshPool(2));
afterEach(() => tune({ threads: 1 }));

describe("runCalls", () => {
  for (const count of [1, 2, 4]) {
    it(`gives the same results on ${count} threads`, () => {
      withThreads(count);
      const at = cells(300);
      const calls = at.map((address, i) => [address, 1 + ((i * 37) % 500), i]);
      runCalls(kernels, "work", calls);
      expect(at.map(wordAt)).toEqual(calls.map(([, rounds, seed]) => expected(rounds!, seed!)));
    });
  }

  it("runs calls at the same time", () => {
    const [a, b, begun, gate] = cells(4) as [number, number, number, number];
    const [alsoBegun] = cells(1) as [number];
    // Here the last call is run; the first can have begun only in a worker, and cannot end before this opens the gate.
    const module = hooked(kernels, "gated", () => {
      until(() => wordAt(begun) === 1);
      setWord(gate, 1);
    });
    runCalls(module, "gated", [
      [a, 11, begun, gate],
      [b, 12, alsoBegun, gate],
    ]);
    expect([a, b].map(wordAt)).toEqual([11, 12]);
  });

  it("runs no other module in place of one that was forgotten while those of the same steps were made known", () => {
    const at = cells(4);
    // the last step is run here, and leaves the others to the worker
    const modules = [1, 2, 3].map((value) => hooked(storing(value), "store", () => doze(20)));
    const step = (value: number, i: number) => ({ module: modules[value - 1]!, name: "store", args: [at[i]!] });
    const register = vi.spyOn(pools, "register");
    runSteps([step(1, 0), step(1, 1)]);
    const [pool] = register.mock.calls[0]!;
    register.mockRestore();
    while (pool.modules < MAX_MODULES) pools.register(pool, storing(9));
    runSteps([step(1, 0), step(2, 1), step(3, 2), step(1, 3)]);
    expect(pool.modules).toBeLessThan(MAX_MODULES);
    expect(at.map(wordAt)).toEqual([1, 2, 3, 1]);
  });

  it("runs calls here for a while after several threads took longer than one", () => {
    let clock = performance.now();
    const [begun, gate, ...results] = cells(4) as [number, number, number, number];
    let isShared = false;
    let here = 0;
    const module = hooked(kernels, "gated", () => {
      here++;
      if (isShared) until(() => wordAt(begun) === 1);
      else doze(5);
      setWord(gate, 1);
    });
    const runTwo = (shared: boolean): number => {
      [isShared, here] = [shared, 0];
      for (const word of [begun, gate]) setWord(word, 0);
      runCalls(
        module,
        "gated",
        results.map((at) => [at, 1, begun, gate]),
      );
      return here;
    };
    // Whoever asks for the time makes it pass: the call here takes 1 ms of at least 3.
    const asked = vi.spyOn(performance, "now").mockImplementation(() => clock++);
    const before = setConfig({ threads: 2 });
    try {
      tune({ threads: null });
      expect(runTwo(true)).toBe(1);
      expect(runTwo(false)).toBe(2);
      clock += 200;
      expect(runTwo(true)).toBe(1);
    } finally {
      asked.mockRestore();
      setConfig({ threads: before.threads });
    }
  });

  it("runs each of many small calls once", () => {
    withThreads(3);
    const at = cells(100_000);
    runCalls(
      kernels,
      "count",
      at.map((address) => [address]),
    );
    for (let i = 0; i < 50_000; i++) runCalls(kernels, "count", [[at[2 * i]!], [at[2 * i + 1]!]]);
    expect(at.filter((address) => wordAt(address) !== 2)).toEqual([]);
  });

  it("passes many arguments, and runs here what has more than fit", () => {
    for (const [name, terms] of [
      ["few", 42],
      ["many", 60],
    ] as const) {
      const at = cells(4);
      const numbers = Array.from({ length: terms }, (_, i) => i * i - 500);
      runCalls(kernels, name, [
        [at[0]!, at[1]!, ...numbers],
        [at[2]!, at[3]!, ...numbers],
      ]);
      const total = numbers.reduce((sum, x) => sum + x, 0);
      expect(at.map(wordAt)).toEqual([total, 1, total, 1]);
    }
  });

  it("sees memory that has grown since the workers started", () => {
    for (let i = 0; i < 4; i++) {
      inScratch(() => {
        const far = scratch(24 * 1024 * 1024 * (i + 1)) + 24 * 1024 * 1024 * (i + 1) - 64;
        const module = hooked(kernels, "trapping", () => until(() => wordAt(far + 8) === 1));
        runCalls(module, "trapping", [
          [far, 7 + i, far + 8, 0],
          [far + 16, 1, far + 24, 0],
        ]);
        expect(wordAt(far)).toBe(7 + i);
      });
    }
  });

  it("goes on without the workers when there is no room for more modules", () => {
    const [a, b] = cells(2) as [number, number];
    // Each copy is a module of its own to the registry, which has room for 1024.
    for (let i = 0; i < 1100; i++) runCalls({ ...kernels }, "count", [[a], [b]]);
    expect([a, b].map(wordAt)).toEqual([1100, 1100]);
  });
});

describe("runSteps", () => {
  it("runs each step once, more of them than the ring holds, of functions of two modules", () => {
    const at = cells(300);
    const other = { ...kernels };
    runSteps(at.map((address, i) => ({ module: i % 2 === 0 ? kernels : other, name: "count", args: [address] })));
    expect(at.map(wordAt)).toEqual(at.map(() => 1));
  });

  it("runs steps of several functions of a module", () => {
    const at = cells(60);
    const stepOf = (address: number, i: number) => {
      if (i % 3 === 0) return { module: kernels, name: "count", args: [address] };
      return { module: kernels, name: "work", args: [address, 50_000 + i, 7] };
    };
    for (let round = 0; round < 3; round++) runSteps(at.map(stepOf));
    expect(at.map(wordAt)).toEqual(at.map((_, i) => (i % 3 === 0 ? 3 : expected(50_000 + i, 7))));
  });

  it("makes the steps of a sequence in their order, on one thread, once", () => {
    const at = cells(200);
    const rooms = cells(200);
    const sequences = at.map((address, i) => [
      ...Array.from({ length: 3 }, () => ({ module: kernels, name: "count", args: [rooms[i]!] })),
      { module: { ...kernels }, name: "work", args: [address, 1000 + i, 7] },
      { module: kernels, name: "count", args: [address] },
    ]);
    inScratch(() => runSequences([...sequences, [sequences[0]![0]!]]));
    expect(at.map(wordAt)).toEqual(at.map((_, i) => expected(1000 + i, 7) + 1));
    expect(rooms.map(wordAt)).toEqual(rooms.map((_, i) => (i === 0 ? 4 : 3)));
  });

  it("sleeps while a worker takes long", () => {
    const [a, b] = cells(2) as [number, number];
    const module = hooked(kernels, "work", () => doze(5));
    runCalls(module, "work", [
      [a, 60_000_000, 5],
      [b, 3, 5],
    ]);
    expect([a, b].map(wordAt)).toEqual([expected(60_000_000, 5), expected(3, 5)]);
  });

  it("outlives a change of the number of threads", () => {
    const [a, b, begun, gate, alsoBegun] = cells(5) as [number, number, number, number, number];
    const module = hooked(kernels, "gated", () => {
      until(() => wordAt(begun) === 1);
      withThreads(3);
      setWord(gate, 1);
    });
    runCalls(module, "gated", [
      [a, 31, begun, gate],
      [b, 32, alsoBegun, gate],
    ]);
    expect([a, b].map(wordAt)).toEqual([31, 32]);
  });
});

describe("a trap", () => {
  const message = "the kernel trapping failed: divide by zero";

  it("in a worker is an error here, and the pool goes on", () => {
    const [a, begunA, b, begunB] = cells(4) as [number, number, number, number];
    const module = hooked(kernels, "trapping", () => until(() => wordAt(begunA) === 1));
    const run = () =>
      runCalls(module, "trapping", [
        [a, 1, begunA, 1],
        [b, 2, begunB, 0],
      ]);
    expect(run).toThrow(new BackendError(message));
    expect([a, b].map(wordAt)).toEqual([0, 2]);
    expect(readyWorkers()).toBe(1);
    const at = cells(50);
    runCalls(
      kernels,
      "count",
      at.map((address) => [address]),
    );
    expect(at.map(wordAt)).toEqual(at.map(() => 1));
  });

  it("here is the same error, with its cause, after the other calls have ended", () => {
    const [a, begunA, b, begunB] = cells(4) as [number, number, number, number];
    const module = hooked(kernels, "trapping", () => until(() => wordAt(begunA) === 1));
    try {
      runCalls(module, "trapping", [
        [a, 1, begunA, 0],
        [b, 2, begunB, 1],
      ]);
      expect.unreachable();
    } catch (error) {
      expect(error).toEqual(new BackendError(message));
      expect((error as Error).cause).toBeInstanceOf(WebAssembly.RuntimeError);
    }
    expect([a, b].map(wordAt)).toEqual([1, 0]);
  });

  it("leaves out the calls that have not begun", () => {
    tune({ threads: 1 });
    const [a, begunA, b, begunB] = cells(4) as [number, number, number, number];
    const calls = [
      [a, 1, begunA, 1],
      [b, 2, begunB, 0],
    ];
    expect(() => runCalls(kernels, "trapping", calls)).toThrow(BackendError);
    expect(wordAt(b)).toBe(0);
  });
});

describe("a worker that is killed", () => {
  it("in a job: the result is right, and another worker takes its place", () => {
    const [a, b, begun, gate, alsoBegun] = cells(5) as [number, number, number, number, number];
    const worker = workers.at(-1)!;
    const module = hooked(kernels, "gated", () => {
      if (wordAt(gate) === 1) return;
      until(() => wordAt(begun) === 1);
      void worker.terminate();
      doze(100);
      setWord(gate, 1);
    });
    runCalls(module, "gated", [
      [a, 41, begun, gate],
      [b, 42, alsoBegun, gate],
    ]);
    expect([a, b].map(wordAt)).toEqual([41, 42]);
    expect(readyWorkers()).toBe(0);
    withThreads(2);
    expect(workers.at(-1)).not.toBe(worker);
  });

  it("while it sleeps: the result is right, and another worker takes its place", async () => {
    doze(5);
    await workers.at(-1)!.terminate();
    const at = cells(50);
    runCalls(
      kernels,
      "count",
      at.map((address) => [address]),
    );
    expect(at.map(wordAt)).toEqual(at.map(() => 1));
    withThreads(2);
  });

  /** A pool of one worker of which the host cannot tell whether it is alive. */
  function blindPool(): pools.Pool {
    const pool = { ...pools.createPool(1, true)!, patience: 60 };
    pools.growPool(pool);
    until(() => pools.readyWorkers(pool) === 1);
    pool.threads.set(0, { ...pool.threads.get(0)!, isOver: () => null });
    return pool;
  }

  /** Posts a gated call and waits until a worker is in it. */
  function posted(pool: pools.Pool, args: readonly number[]): pools.Job {
    const job = handOut(pool, kernels, "gated", args)!;
    until(() => wordAt(args[2]!) === 1);
    return job;
  }

  it("where nobody can tell: its job is run here, and it is given up", () => {
    const pool = blindPool();
    const [a, begun, gate] = cells(3) as [number, number, number];
    const job = posted(pool, [a, 51, begun, gate]);
    let runs = 0;
    const again = () => {
      runs++;
      setWord(a, 51);
      return null;
    };
    expect(pools.settle(pool, job, again)).toBeNull();
    expect([wordAt(a), runs, pool.threads.size, pools.readyWorkers(pool), pool.used]).toEqual([51, 1, 0, 0, 1]);
    setWord(gate, 1);
    pools.closePool(pool);
  });

  it("or was only slow: it stays", () => {
    const pool = blindPool();
    const [a, begun, gate] = cells(3) as [number, number, number];
    const job = posted(pool, [a, 61, begun, gate]);
    const again = () => {
      setWord(gate, 1);
      until(() => wordAt(a) === 61);
      doze(20); // the worker has as long again to say so
      return null;
    };
    expect(pools.settle(pool, job, again)).toBeNull();
    expect([wordAt(a), pool.threads.size, pools.readyWorkers(pool), pool.used]).toEqual([61, 1, 1, 0]);
    pools.closePool(pool);
  });
});

describe("the number of threads", () => {
  it("is what was set, else what the machine has, at most eight", () => {
    tune({ threads: 3 });
    expect([configuredThreads(), threadCount()]).toEqual([3, 3]);
    tune({ threads: null });
    const { availableParallelism } = process.getBuiltinModule("node:os");
    expect(configuredThreads()).toBe(Math.min(8, availableParallelism()));
  });

  it("lets the workers of before go when it changes", async () => {
    const worker = workers.at(-1)!;
    const over = new Promise<void>((resolve) => worker.on("exit", resolve));
    tune({ threads: 1 });
    runCalls(kernels, "count", [[scratch(4)], [scratch(4)]]);
    await over;
    expect(readyWorkers()).toBe(0);
  });

  it("is one where the host refuses workers", () => {
    const before = threads.Worker;
    threads.Worker = class {
      constructor() {
        throw new Error("not allowed here");
      }
    } as never;
    try {
      tune({ threads: 5 });
      const at = cells(2);
      for (let i = 0; i < 3; i++) runCalls(kernels, "count", [[at[0]!], [at[1]!]]);
      expect([at.map(wordAt), threadCount()]).toEqual([[3, 3], 1]);
    } finally {
      threads.Worker = before;
    }
  });
});
