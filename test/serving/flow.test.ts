import * as Nx from "nx-numerics";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { gated, quiet, settle, states } from "./work";

const { Batch, Serving } = Nx;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const full = expect.objectContaining({ name: "ServingError", reason: "full" }) as unknown;
const closed = expect.objectContaining({ name: "ServingError", reason: "closed" }) as unknown;

describe("back-pressure", () => {
  it("refuses what is beyond maxQueue at once", async () => {
    const { sizes, fn, open } = gated();
    const serving = Serving.create(fn, { batchSize: 2, jit: false, maxQueue: 3 });
    const first = [1, 2].map((x) => serving.run(x));
    await settle();
    const second = [3, 4, 5, 6, 7].map((x) => serving.run(x));
    expect(await states([...first, ...second])).toEqual(["open", "open", "open", "open", "open", full, full]);
    expect(serving.stats()).toMatchObject({ waiting: 3, running: 2, refused: 2 });
    await open();
    const third = [8, 9, 10].map((x) => serving.run(x));
    expect(await states([...first, ...third])).toEqual([10, 20, "open", "open", full]);
    await open();
    await open();
    expect(await states([...second, ...third])).toEqual([30, 40, 50, full, full, 80, "open", full]);
    expect(sizes).toEqual([2, 2, 2]);
    expect(serving.stats()).toMatchObject({ waiting: 1, running: 0, completed: 6, refused: 3 });
  });

  it("says what to do", async () => {
    const serving = Serving.create((rows: Nx.Tensor) => rows, { batchSize: 2, maxQueue: 1 });
    void serving.run(1);
    await expect(serving.run(2)).rejects.toThrow(
      "the queue of the serving is full: 1 requests wait, which is its maxQueue; try again later",
    );
    await expect(serving.run(2)).rejects.toBeInstanceOf(Nx.NxError);
  });

  it("keeps requests until there is room, in order, and prepares none before", async () => {
    const { sizes, fn, open } = gated();
    const prepared: number[] = [];
    const serving = Serving.create(fn, {
      batchSize: 2,
      batchTimeout: 5,
      jit: false,
      maxQueue: 2,
      overflow: "wait",
      preprocess: (x: number) => {
        prepared.push(x);
        return Nx.tensor(x);
      },
    });
    const answers = [1, 2, 3, 4, 5, 6, 7].map((x) => serving.run(x));
    await settle();
    expect(prepared).toEqual([1, 2, 3, 4]);
    expect(serving.stats()).toMatchObject({ waiting: 5, running: 2, refused: 0 });
    await open();
    expect(prepared).toEqual([1, 2, 3, 4, 5, 6]);
    await open();
    await open();
    await vi.advanceTimersByTimeAsync(5);
    await open();
    expect(await states(answers)).toEqual([10, 20, 30, 40, 50, 60, 70]);
    expect(sizes).toEqual([2, 2, 2, 1]);
  });

  it("frees the place of a request that fails while it is prepared", async () => {
    const serving = Serving.create((rows: Nx.Tensor) => rows, {
      batchSize: 1,
      maxQueue: 1,
      overflow: "wait",
      preprocess: (x: number) => {
        if (x < 0) throw new Error("negative");
        return x;
      },
    });
    const [a, b, c] = await states([-1, -2, 3].map((x) => serving.run(x)));
    expect([a, b, c]).toEqual([new Error("negative"), new Error("negative"), 3]);
  });

  it("of a queue smaller than a batch ends with the timeout", async () => {
    const serving = Serving.create((rows: Nx.Tensor) => rows, { batchSize: 4, maxQueue: 2, overflow: "wait" });
    const answers = [1, 2, 3].map((x) => serving.run(x));
    await vi.advanceTimersByTimeAsync(200);
    expect(await states(answers)).toEqual([1, 2, 3]);
    expect(serving.stats().sizes).toEqual({ 1: 1, 2: 1 });
  });
});

describe("abort", () => {
  it("takes a waiting request out of its queue", async () => {
    const serving = Serving.create((rows: Nx.Tensor) => rows.add(1), { batchSize: 3 });
    const controller = new AbortController();
    const answers = [
      serving.run(1),
      serving.run(2, { signal: controller.signal }),
      serving.run(Batch.stack([3]), { signal: controller.signal }),
    ];
    await settle();
    expect(serving.stats().batches).toBe(1);
    expect(await states(answers)).toEqual([2, 3, [4]]);
    const others = [serving.run(5), serving.run(6, { signal: controller.signal })];
    await settle();
    controller.abort(new Error("gone"));
    others.push(serving.run(7), serving.run(8));
    expect(await states(others)).toEqual([6, new Error("gone"), 8, 9]);
    expect(serving.stats()).toMatchObject({ aborted: 1, failed: 0, completed: 6, sizes: { 3: 2 } });
  });

  it("before the call refuses it, with the usual reason", async () => {
    const serving = Serving.create((rows: Nx.Tensor) => rows, { batchSize: 1 });
    const [state] = await states([serving.run(1, { signal: AbortSignal.abort() })]);
    expect((state as Error).name).toBe("AbortError");
    expect(serving.stats()).toMatchObject({ aborted: 1, batches: 0 });
  });

  it("of the only request leaves no timer behind", async () => {
    const serving = Serving.create((rows: Nx.Tensor) => rows, { batchSize: 2 });
    const controller = new AbortController();
    const answer = serving.run(1, { signal: controller.signal });
    await settle();
    expect(vi.getTimerCount()).toBe(1);
    controller.abort("enough");
    expect(await states([answer])).toEqual(["enough"]);
    expect([vi.getTimerCount(), String(serving)]).toEqual([0, "#Nx.Serving<waiting: 0, running: 0>"]);
  });

  it("while it is prepared, held or computed ends it, and nothing else", async () => {
    const { fn, open } = gated();
    const controllers = [new AbortController(), new AbortController(), new AbortController()];
    const [early, running, held] = controllers.map(({ signal }) => ({ signal }));
    const serving = Serving.create(fn, {
      batchSize: 2,
      jit: false,
      maxQueue: 2,
      overflow: "wait",
      preprocess: async (x: number) => {
        if (x === 3) await new Promise<void>((resolve) => setTimeout(resolve, 50));
        return Nx.tensor(x);
      },
    });
    const answers = [
      serving.run(1, running),
      serving.run(2),
      serving.run(3, early),
      serving.run(4),
      serving.run(5, held),
    ];
    answers.push(serving.run(6));
    await settle();
    expect(serving.stats()).toMatchObject({ waiting: 4, running: 2 });
    for (const controller of controllers) controller.abort("aborted");
    expect(await states(answers)).toEqual(["aborted", "open", "aborted", "open", "aborted", "open"]);
    await open();
    await open();
    expect(await states(answers)).toEqual(["aborted", 20, "aborted", 40, "aborted", 60]);
    await vi.advanceTimersByTimeAsync(50);
    expect([vi.getTimerCount(), String(serving)]).toEqual([0, "#Nx.Serving<waiting: 0, running: 0>"]);
  });

  it("of a request of several batches computes no more of them", async () => {
    const { sizes, fn, open } = gated();
    const serving = Serving.create(fn, { batchSize: 2, batchTimeout: 1, jit: false });
    const controller = new AbortController();
    const answers = [quiet(serving.run(Batch.stack([1, 2, 3, 4, 5]), { signal: controller.signal })), serving.run(6)];
    await settle();
    controller.abort("aborted");
    await open();
    await vi.advanceTimersByTimeAsync(1);
    await open();
    expect(await states(answers)).toEqual(["aborted", 60]);
    expect(sizes).toEqual([2, 1]);
  });

  it("while a batch that failed is computed one by one leaves a request out", async () => {
    const { sizes, fn, open } = gated();
    const seen: unknown[] = [];
    const failing = async (rows: Nx.Tensor): Promise<Nx.Tensor> => {
      seen.push(Nx.toList(rows));
      const result = await fn(rows);
      if (rows.shape[0] === 3) throw new Error("too many");
      return result;
    };
    const serving = Serving.create(failing, { batchSize: 3, jit: false });
    const controller = new AbortController();
    const answers = [1, 2, 3].map((x) => serving.run(x, x === 2 ? { signal: controller.signal } : {}));
    await settle();
    await open();
    controller.abort("aborted");
    await settle();
    await open();
    await open();
    expect(await states(answers)).toEqual([10, "aborted", 30]);
    expect([seen, sizes]).toEqual([
      [[1, 2, 3], [1], [3]],
      [3, 1, 1],
    ]);
  });

  it("at the moment it is prepared keeps it out of the queue", async () => {
    let prepared: (x: number) => void = () => undefined;
    const serving = Serving.create((rows: Nx.Tensor) => rows, {
      batchSize: 1,
      preprocess: (_x: number) => new Promise<number>((resolve) => (prepared = resolve)),
    });
    const controller = new AbortController();
    const answer = serving.run(1, { signal: controller.signal });
    await settle();
    prepared(1);
    await Promise.resolve();
    await Promise.resolve();
    controller.abort("aborted");
    expect(await states([answer])).toEqual(["aborted"]);
    expect(serving.stats().batches).toBe(0);
  });

  it("is no longer listened to when the request is over", async () => {
    const serving = Serving.create((rows: Nx.Tensor) => rows, { batchSize: 1 });
    const listeners = new Set<() => void>();
    const signal = {
      aborted: false,
      addEventListener: (_type: "abort", listener: () => void) => void listeners.add(listener),
      removeEventListener: (_type: "abort", listener: () => void) => void listeners.delete(listener),
    };
    const answer = serving.run(1, { signal });
    expect(listeners.size).toBe(1);
    expect(await states([answer])).toEqual([1]);
    expect(listeners.size).toBe(0);
  });
});

describe("close", () => {
  it("computes what waits at once, and takes nothing more", async () => {
    const { sizes, fn, open } = gated();
    const serving = Serving.create(fn, { batchSize: 2, jit: false, maxQueue: 2, overflow: "wait" });
    const answers = [1, 2, 3, 4, 5].map((x) => serving.run(x));
    await settle();
    const end = serving.close();
    answers.push(serving.run(6));
    expect(await states([end, ...answers])).toEqual(["open", "open", "open", "open", "open", "open", closed]);
    await open();
    await open();
    expect(await states([end, ...answers])).toEqual(["open", 10, 20, 30, 40, "open", closed]);
    await open();
    expect(await states([end, ...answers])).toEqual([undefined, 10, 20, 30, 40, 50, closed]);
    expect([sizes, vi.getTimerCount()]).toEqual([[2, 2, 1], 0]);
  });

  it("may end what waits, but never what runs", async () => {
    const { fn, open } = gated();
    const serving = Serving.create(fn, { batchSize: 2, jit: false, maxQueue: 2, overflow: "wait" });
    const answers = [1, 2, 3, 4, 5].map((x) => serving.run(x));
    await settle();
    const end = serving.close({ waiting: "reject" });
    expect(await states([end, ...answers])).toEqual(["open", "open", "open", closed, closed, closed]);
    await open();
    expect(await states([end, ...answers])).toEqual([undefined, 10, 20, closed, closed, closed]);
    expect(serving.stats()).toMatchObject({ waiting: 0, running: 0, completed: 2, failed: 3 });
  });

  it("waits for requests that are prepared or finished", async () => {
    const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
    const serving = Serving.create((rows: Nx.Tensor) => rows.add(1), {
      batchSize: 4,
      preprocess: async (x: number) => {
        await pause(30);
        return x;
      },
      postprocess: async (result) => {
        await pause(20);
        return Nx.toNumber(result);
      },
    });
    const answer = serving.run(1);
    const end = serving.close();
    await vi.advanceTimersByTimeAsync(49);
    expect(await states([end, answer])).toEqual(["open", "open"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await states([end, answer])).toEqual([undefined, 2]);
  });

  it("may be called again, also to end what still waits", async () => {
    const serving = Serving.create((rows: Nx.Tensor) => rows, {
      batchSize: 1,
      preprocess: (_x: number) => new Promise<Nx.Tensor>(() => undefined),
    });
    const answer = serving.run(1);
    const ends = [serving.close()];
    expect(await states([...ends, answer])).toEqual(["open", "open"]);
    ends.push(serving.close({ waiting: "reject" }));
    expect(await states([...ends, answer])).toEqual([undefined, undefined, closed]);
    expect(await states([serving.close()])).toEqual([undefined]);
  });

  it("is what the end of an await using block calls", async () => {
    const serving = Serving.create((rows: Nx.Tensor) => rows.add(1), { batchSize: 2 });
    const answer = serving.run(1);
    expect(await states([serving[Symbol.asyncDispose](), answer, serving.run(1)])).toEqual([undefined, 2, closed]);
  });
});

describe("stats", () => {
  it("are a snapshot", async () => {
    const serving = Serving.create((rows: Nx.Tensor) => rows, { batchSize: 1 });
    const before = serving.stats();
    await settle();
    expect(await states([serving.run(1)])).toEqual([1]);
    expect(before).toEqual({
      waiting: 0,
      running: 0,
      completed: 0,
      failed: 0,
      aborted: 0,
      refused: 0,
      batches: 0,
      retries: 0,
      sizes: {},
    });
  });
});
