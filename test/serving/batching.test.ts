import { List, Map as ImmutableMap } from "immutable";
import * as Nx from "nx-numerics";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { gated, recorded, settle, states, valuesOf } from "./work";

const { Batch, Serving } = Nx;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const double = () => recorded((rows) => rows.multiply(2));

describe("a batch is computed", () => {
  it("at once when it is full", async () => {
    const { calls, fn } = double();
    const serving = Serving.create(fn, { batchSize: 2, jit: false });
    const answers = [1, 2, 3, 4, 5].map((x) => serving.run(x));
    expect(await states(answers)).toEqual([2, 4, 6, 8, "open"]);
    expect(calls.map(({ rows }) => rows)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    await vi.advanceTimersByTimeAsync(100);
    expect(await states(answers)).toEqual([2, 4, 6, 8, 10]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("when its oldest entry has waited for the timeout", async () => {
    const { calls, fn } = double();
    const serving = Serving.create(fn, { batchSize: 10, batchTimeout: 50, jit: false });
    const first = serving.run(1);
    await vi.advanceTimersByTimeAsync(30);
    const second = serving.run(2);
    await vi.advanceTimersByTimeAsync(19);
    expect(await states([first, second])).toEqual(["open", "open"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await states([first, second])).toEqual([2, 4]);
    const third = serving.run(3);
    await vi.advanceTimersByTimeAsync(49);
    expect(await states([third])).toEqual(["open"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await states([third])).toEqual([6]);
    expect(calls.map(({ rows }) => rows)).toEqual([[1, 2], [3]]);
  });

  it("after 100 ms where no timeout is given, and after the turn with a timeout of 0", async () => {
    const [slow, quick] = [{ batchSize: 4 }, { batchSize: 4, batchTimeout: 0 }].map((options) =>
      Serving.create((rows: Nx.Tensor) => rows.add(1), options),
    );
    const answers = [slow!.run(1), quick!.run(1), quick!.run(2)];
    expect(await states(answers)).toEqual(["open", "open", "open"]);
    await vi.advanceTimersByTimeAsync(0);
    expect(await states(answers)).toEqual(["open", 2, 3]);
    await vi.advanceTimersByTimeAsync(99);
    expect(await states(answers)).toEqual(["open", 2, 3]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await states(answers)).toEqual([2, 2, 3]);
    expect(quick!.stats().sizes).toEqual({ 2: 1 });
  });

  it("one after the other, and fills up while another one runs", async () => {
    const { sizes, fn, open } = gated();
    const serving = Serving.create(fn, { batchSize: 3, batchTimeout: 10, jit: false });
    const answers = [serving.run(1)];
    await vi.advanceTimersByTimeAsync(10);
    answers.push(serving.run(2), serving.run(3));
    await vi.advanceTimersByTimeAsync(1000);
    answers.push(serving.run(4), serving.run(5));
    expect(await states(answers)).toEqual(["open", "open", "open", "open", "open"]);
    expect(sizes).toEqual([1]);
    await open();
    expect(sizes).toEqual([1, 3]);
    await open();
    expect(await states(answers)).toEqual([10, 20, 30, 40, "open"]);
    await vi.advanceTimersByTimeAsync(10);
    expect(sizes).toEqual([1, 3, 1]);
    await open();
    expect(await states(answers)).toEqual([10, 20, 30, 40, 50]);
  });

  it("by the time its own oldest entry came", async () => {
    const { sizes, fn, open } = gated();
    const serving = Serving.create(fn, { batchSize: 2, batchTimeout: 100, jit: false });
    const answers = [serving.run(1), serving.run(2)];
    await settle();
    const controller = new AbortController();
    void serving.run(3, { signal: controller.signal }).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(60);
    answers.push(serving.run(Batch.stack([4, 5, 6])) as Promise<Nx.Tensor>);
    await vi.advanceTimersByTimeAsync(20);
    controller.abort();
    await open();
    await open();
    expect(sizes).toEqual([2, 2]);
    await vi.advanceTimersByTimeAsync(79);
    expect(sizes).toEqual([2, 2]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sizes).toEqual([2, 2, 1]);
    await open();
    expect(await states(answers)).toEqual([10, 20, [40, 50, 60]]);
  });

  it("in time even if the entry before it is gone, whatever the clock does", async () => {
    const serving = Serving.create((rows: Nx.Tensor) => rows, { batchSize: 9, batchTimeout: 100 });
    const abort = new AbortController();
    const first = serving.run(1, { signal: abort.signal });
    await vi.advanceTimersByTimeAsync(60);
    const second = serving.run(2);
    await vi.advanceTimersByTimeAsync(20);
    vi.setSystemTime(Date.now() - 3_600_000);
    abort.abort(new Error("gone"));
    expect(await states([first, second])).toEqual([new Error("gone"), "open"]);
    await vi.advanceTimersByTimeAsync(100);
    expect(await states([second])).toEqual([2]);
  });
});

describe("keys", () => {
  it("have batches of their own, and the function is told", async () => {
    const { calls, fn } = recorded((rows, key) => (key === "half" ? rows.divide(2) : rows.multiply(2)));
    const serving = Serving.create(fn, { batchSize: 2, jit: false, batchKeys: ["double", "half"] });
    const answers = [1, 2, 3, 4].map((x) => serving.run(Nx.f32(x), { key: x % 2 === 0 ? "half" : "double" }));
    expect(await states(answers)).toEqual([2, 1, 6, 2]);
    expect(calls).toEqual([
      { shape: [2], rows: [1, 3], key: "double" },
      { shape: [2], rows: [2, 4], key: "half" },
    ]);
  });

  it("are part of the trace", async () => {
    const traces: string[] = [];
    const fn = (rows: Nx.Tensor, key: "up" | "down") => {
      traces.push(key);
      return key === "up" ? rows.add(1) : rows.subtract(1);
    };
    const serving = Serving.create(fn, { batchSize: 1, batchKeys: ["up", "down"] });
    const keys = ["up", "down", "up", "down", "up"] as const;
    const answers = keys.map((key) => serving.run(5, { key }));
    expect(await states(answers)).toEqual([6, 4, 6, 4, 6]);
    expect(traces).toEqual(["up", "down"]);
  });

  it("take turns, so that a busy one does not keep others waiting", async () => {
    const { sizes, fn, open } = gated();
    const keys: string[] = [];
    const noted = (rows: Nx.Tensor, key: string) => {
      keys.push(key);
      return fn(rows);
    };
    const serving = Serving.create(noted, { batchSize: 2, jit: false, batchKeys: ["busy", "rare"] });
    const busy = Array.from({ length: 8 }, (_, i) => serving.run(i, { key: "busy" }));
    await settle();
    const rare = [serving.run(1, { key: "rare" }), serving.run(2, { key: "rare" })];
    await settle();
    for (let i = 0; i < 5; i++) await open();
    expect(keys).toEqual(["busy", "busy", "rare", "busy", "busy"]);
    expect(sizes).toEqual([2, 2, 2, 2, 2]);
    expect(await states([...busy, ...rare])).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 10, 20]);
  });

  it("are not given to a function where there are none", async () => {
    const serving = Serving.create(Nx.negate as (rows: Nx.Tensor, ...rest: unknown[]) => Nx.Tensor, { batchSize: 1 });
    expect(await states([serving.run(3)])).toEqual([-3]);
    const { calls, fn } = double();
    const plain = Serving.create(fn, { batchSize: 1, jit: false });
    expect(await states([plain.run(3, { key: "default" })])).toEqual([6]);
    expect(calls[0]!.key).toBe(undefined);
  });
});

describe("entries", () => {
  it("share a batch only with their like", async () => {
    const { calls, fn } = double();
    const serving = Serving.create(fn, { batchSize: 2, jit: false });
    const inputs = [
      Nx.tensor([1, 2]),
      Nx.f32([1, 2]),
      Nx.tensor([1, 2, 3]),
      Nx.tensor([1, 2], { names: ["x"] }),
      Nx.tensor([3, 4], { names: ["x"] }),
      Nx.f32([3, 4]),
      Nx.tensor([4, 5, 6]),
      Nx.tensor([3, 4]),
    ];
    const answers = await Promise.all(inputs.map((input) => serving.run(input)));
    expect(calls.map(({ rows }) => JSON.stringify(rows)).sort()).toEqual([
      "[[1,2,3],[4,5,6]]",
      "[[1,2],[3,4]]",
      "[[1,2],[3,4]]",
      "[[1,2],[3,4]]",
    ]);
    answers.forEach((answer, i) => expect(Nx.inspect(answer)).toBe(Nx.inspect(inputs[i]!.multiply(2))));
  });

  it("keep the names of their axes", async () => {
    const serving = Serving.create((rows: Nx.Tensor) => rows.sum({ axes: ["y"] }), { batchSize: 2 });
    const t = Nx.iota([2, 3], { names: ["x", "y"] });
    const [a] = await Promise.all([serving.run(t), serving.run(t)]);
    expect([a!.names, Nx.toList(a!)]).toEqual([["x"], [3, 12]]);
    const batch = Batch.concatenate([Nx.iota([2, 2, 3], { names: ["day", "x", "y"] })]);
    const b = await serving.run(batch);
    expect([b.shape, b.names]).toEqual([
      [2, 2],
      ["day", "x"],
    ]);
  });

  it("are containers of any kind, and results too", async () => {
    const serving = Serving.create(
      ({ a, b: [c] }: { readonly a: Nx.Tensor; readonly b: readonly [Nx.Tensor] }) => ({ sum: a.add(c), all: [a, c] }),
      { batchSize: 2 },
    );
    const [first, second] = await Promise.all([
      serving.run({ a: 1, b: [Nx.f32(0.5)] }),
      serving.run({ b: [Nx.f32(2.5)], a: 2 }),
    ]);
    expect([valuesOf(first!.sum), valuesOf(second!.sum)]).toEqual([1.5, 4.5]);
    expect(second!.all.map(valuesOf)).toEqual([2, 2.5]);
    expect(serving.stats().sizes).toEqual({ 2: 1 });

    const immutable = Serving.create((m: ImmutableMap<string, Nx.Tensor>) => List([m.get("x")!.add(1)]), {
      batchSize: 2,
    });
    const both = await Promise.all([1, 2].map((x) => immutable.run(ImmutableMap({ x: Nx.tensor(x) }))));
    expect(both.map((list) => valuesOf(list.get(0)!))).toEqual([2, 3]);
  });

  it("of a batch stay together in the result", async () => {
    const { calls, fn } = double();
    const serving = Serving.create(fn, { batchSize: 4, jit: false });
    const answers = [
      serving.run(Batch.stack([1, 2])),
      serving.run(3),
      serving.run(Batch.concatenate([Nx.tensor([4, 5, 6, 7, 8, 9, 10])])),
      serving.run(11),
      serving.run(12),
    ];
    expect(await states(answers)).toEqual([[2, 4], 6, [8, 10, 12, 14, 16, 18, 20], 22, 24]);
    expect(calls.map(({ rows }) => rows)).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7, 8],
      [9, 10, 11, 12],
    ]);
  });

  it("of classes that look alike stay apart", async () => {
    class Plus {
      constructor(readonly x: Nx.Tensor) {}
      [Nx.container](visit: Nx.Visit): Plus {
        return new Plus(visit(this.x, "x"));
      }
      apply(): Nx.Tensor {
        return this.x.add(1);
      }
    }
    const Times = class extends Plus {
      override [Nx.container](visit: Nx.Visit): Plus {
        return new Times(visit(this.x, "x"));
      }
      override apply(): Nx.Tensor {
        return this.x.multiply(10);
      }
    };
    const serving = Serving.create((entries: Plus) => entries.apply(), { batchSize: 2 });
    const inputs = [new Plus(Nx.tensor(1)), new Times(Nx.tensor(2)), new Plus(Nx.tensor(3)), new Times(Nx.tensor(4))];
    expect(await states(inputs.map((input) => serving.run(input)))).toEqual([2, 20, 4, 40]);
    expect(serving.stats().sizes).toEqual({ 2: 2 });
  });
});

describe("padding", () => {
  it("gives the function one shape and stays out of results", async () => {
    const { calls, fn } = recorded((rows) => rows.add(1));
    const serving = Serving.create(fn, { batchSize: 4, pad: true, jit: false });
    const answers = [1, 2, 3, 4, 5].map((x) => serving.run(x));
    answers.push(serving.run(Batch.pad(Batch.stack([6, 7]), 3)));
    await vi.advanceTimersByTimeAsync(100);
    expect(await states(answers)).toEqual([2, 3, 4, 5, 6, [7, 8]]);
    expect(calls.map(({ rows }) => rows)).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7, 0],
    ]);
    expect(serving.stats().sizes).toEqual({ 3: 1, 4: 1 });
  });

  it("lets the function be traced once for batches of any size", async () => {
    const traced = { plain: 0, padded: 0 };
    const [plain, padded] = (["plain", "padded"] as const).map((kind) =>
      Serving.create((rows: Nx.Tensor) => (traced[kind]++, rows.multiply(3)), { batchSize: 8, pad: kind === "padded" }),
    );
    for (const size of [1, 2, 5, 8, 2]) {
      const answers = Array.from({ length: size }, (_, i) => [plain!.run(i), padded!.run(i)]).flat();
      await vi.advanceTimersByTimeAsync(100);
      expect(await states(answers)).toEqual(Array.from({ length: size }, (_, i) => [3 * i, 3 * i]).flat());
    }
    expect(traced).toEqual({ plain: 4, padded: 1 });
  });

  it("is there when requests are computed one by one, too", async () => {
    const { calls, fn } = recorded((rows) => {
      if ((Nx.toFlatList(rows) as number[]).includes(13)) throw new Error("unlucky");
      return rows;
    });
    const serving = Serving.create(fn, { batchSize: 3, pad: true, jit: false });
    expect(await states([1, 13].map((x) => serving.run(x)))).toEqual(["open", "open"]);
    await vi.advanceTimersByTimeAsync(100);
    expect(calls.map(({ rows }) => rows)).toEqual([
      [1, 13, 0],
      [1, 0, 0],
      [13, 0, 0],
    ]);
  });
});

describe("before and after", () => {
  it("come preprocess and postprocess, which may be async", async () => {
    const { calls, fn } = double();
    const serving = Serving.create(fn, {
      batchSize: 2,
      jit: false,
      preprocess: async (text: string) => {
        await new Promise<void>((resolve) => setTimeout(resolve, text.length));
        return Nx.tensor(text.length);
      },
      postprocess: async (result, text) => {
        await Promise.resolve();
        return `${text}: ${String(Nx.toNumber(result))}`;
      },
    });
    const answers = ["four", "two", "!"].map((text) => serving.run(text));
    await vi.advanceTimersByTimeAsync(104);
    expect(await states(answers)).toEqual(["four: 8", "two: 6", "!: 2"]);
    expect(calls.map(({ rows }) => rows)).toEqual([[1, 3], [4]]);
  });

  it("the backend is that of the serving, and of the request for all around it", async () => {
    const other: Nx.Backend = { ...Nx.binaryBackend, name: "other" };
    const seen: unknown[] = [];
    const note = <T>(value: T): T => (seen.push(Nx.defaultBackend()[0]), value);
    const serving = Serving.create((rows: Nx.Tensor) => note(rows), {
      batchSize: 1,
      jit: false,
      preprocess: (x: number) => note(Nx.tensor(x)),
      postprocess: (result) => note(result),
    });
    const answer = await Nx.withDefaultBackend(other, () => serving.run(1));
    expect(seen).toEqual(["other", Nx.defaultBackend()[0], "other"]);
    expect(answer.backend.name).toBe("other");
  });
});
