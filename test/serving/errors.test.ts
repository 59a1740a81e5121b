import * as Nx from "nx-numerics";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { quiet, recorded, settle, states } from "./work";

const { Batch, Serving } = Nx;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Fails for every batch with a 13. */
const unlucky = () =>
  recorded((rows) => {
    if ((Nx.toFlatList(rows) as number[]).includes(13)) throw new Error("unlucky");
    return rows.multiply(2);
  });

const message = (state: unknown): unknown => (state instanceof Error ? state.message : state);
const outcomes = async (promises: readonly Promise<unknown>[]): Promise<unknown[]> =>
  (await states(promises)).map(message);

describe("an error reaches only the request that caused it", () => {
  it("in preprocess and postprocess, sync and async", async () => {
    const guard = (value: number, wrong: number, text: string): void => {
      if (value === wrong) throw new Error(text);
    };
    const serving = Serving.create((rows: Nx.Tensor) => rows.add(1), {
      batchSize: 4,
      batchTimeout: 5,
      preprocess: (x: number): Nx.Tensor | Promise<Nx.Tensor> => {
        guard(x, 1, "before");
        return x === 2 ? Promise.reject(new Error("before, later")) : Nx.tensor(x);
      },
      postprocess: (result, x): number | Promise<number> => {
        guard(x, 3, "after");
        return x === 4 ? Promise.reject(new Error("after, later")) : (Nx.toNumber(result) as number);
      },
    });
    const answers = [1, 2, 3, 4, 5, 6].map((x) => serving.run(x));
    expect(await outcomes(answers)).toEqual(["before", "before, later", "after", "after, later", 6, 7]);
    expect(serving.stats()).toMatchObject({ batches: 1, sizes: { 4: 1 }, completed: 2, failed: 4, retries: 0 });
  });

  it("in the function: the others of its batch are computed without it", async () => {
    const { calls, fn } = unlucky();
    const serving = Serving.create(fn, { batchSize: 3, jit: false });
    const answers = [1, 13, 2, 3, 4, 5].map((x) => serving.run(x));
    expect(await outcomes(answers)).toEqual([2, "unlucky", 4, 6, 8, 10]);
    expect(calls.map(({ rows }) => rows)).toEqual([[1, 13, 2], [1], [13], [2], [3, 4, 5]]);
    expect(serving.stats()).toMatchObject({ batches: 5, retries: 3, failed: 1, completed: 5, sizes: { 1: 3, 3: 2 } });
  });

  it("in an async function", async () => {
    const { fn } = unlucky();
    const serving = Serving.create(
      async (rows: Nx.Tensor) => {
        await Promise.resolve();
        return fn(rows);
      },
      { batchSize: 2, jit: false },
    );
    expect(await outcomes([13, 1, 13, 13].map((x) => serving.run(x)))).toEqual(["unlucky", 2, "unlucky", "unlucky"]);
  });

  it("in a request of several batches, of which no more are computed", async () => {
    const { calls, fn } = unlucky();
    const serving = Serving.create(fn, { batchSize: 2, jit: false });
    const answers = [Batch.stack([1, 2, 3, 13, 4, 5, 6]), Batch.stack([7])].map((batch) => quiet(serving.run(batch)));
    await vi.advanceTimersByTimeAsync(100);
    expect(await outcomes(answers)).toEqual(["unlucky", [14]]);
    expect(calls.map(({ rows }) => rows)).toEqual([[1, 2], [3, 13], [7]]);
    expect([String(serving), vi.getTimerCount()]).toEqual(["#Nx.Serving<waiting: 0, running: 0>", 0]);
  });

  it("when its shape does not fit the function", async () => {
    const weights = Nx.f32([1, 2, 3]);
    const serving = Serving.create((rows: Nx.Tensor) => Nx.dot(rows, weights), { batchSize: 2, batchTimeout: 1 });
    const answers = [[1, 1, 1], [1, 1], [2, 2, 2], 5].map((row) => quiet(serving.run(Nx.f32(row))));
    await vi.advanceTimersByTimeAsync(1);
    const [first, wrong, second, scalar] = await states(answers);
    expect([first, second]).toEqual([6, 12]);
    expect(wrong).toBeInstanceOf(Nx.ArgumentError);
    expect(scalar).toBeInstanceOf(Nx.ArgumentError);
  });

  it("when its shape does not fit the template", async () => {
    const { calls, fn } = recorded((rows) => rows);
    const serving = Serving.create(fn, {
      batchSize: 2,
      jit: false,
      template: Nx.template([2], "f32", { names: ["x"] }),
    });
    const inputs = [
      Nx.f32([1, 2]),
      Nx.f32([1]),
      Nx.tensor([1, 2]),
      Batch.stack([{ a: Nx.f32([1, 2]) }]),
      Nx.f32([3, 4]),
    ];
    expect(await outcomes(inputs.map((input) => serving.run(input)))).toEqual([
      [1, 2],
      "Nx.Serving.run expects entries like the template of the serving, f32[x: 2], got f32[1]; bring them into that form in preprocess",
      expect.stringContaining("f32[x: 2], got s64[2]"),
      expect.stringContaining("f32[x: 2], got .a: f32[2]"),
      [3, 4],
    ]);
    expect(calls.length).toBe(1);
  });

  it("when its tensor was deallocated while it waited", async () => {
    const serving = Serving.create((rows: Nx.Tensor) => rows.add(1), { batchSize: 3 });
    const inputs = [Nx.tensor([1]), Nx.tensor([2]), Nx.tensor([3])];
    const answers = inputs.slice(0, 2).map((input) => serving.run(input));
    await settle();
    Nx.backendDeallocate(inputs[1]!);
    answers.push(serving.run(inputs[2]!));
    expect(await outcomes(answers)).toEqual([[2], expect.stringContaining("the tensor s64[1] was deallocated"), [4]]);
  });

  it("when it holds no data of its own", async () => {
    const serving = Serving.create((rows: Nx.Tensor) => rows.add(1), { batchSize: 1 });
    const traced: Nx.Tensor[] = [];
    Nx.defn((t: Nx.Tensor) => (traced.push(t), t))(Nx.tensor(1));
    const inputs = [Nx.template([2], "f32"), Nx.vectorize(Nx.iota([2]), "row"), traced[0]!];
    const found = await states(inputs.map((input) => serving.run(input)));
    for (const state of found.slice(0, 2)) {
      expect(state).toBeInstanceOf(Nx.ArgumentError);
      expect(message(state)).toMatch(/expects tensors with data, got/);
    }
    expect(message(found[2])).toMatch(
      /traced tensor of the function given to Nx.defn was used in .*run after its trace/,
    );
  });

  it.each([
    ["x", /expects a tensor or a number/],
    [null, /expects a tensor or a number/],
    [undefined, /expects a tensor or a number/],
    [{ a: "x" }, /expects a tensor or a number/],
    [{}, /holds no tensors/],
    [[], /holds no tensors/],
    [Batch.new(), /expects a batch with entries/],
    [() => 1, /expects a tensor or a number/],
  ])("when it is no entry: %s", async (input, text) => {
    const serving = Serving.create((rows: Nx.Tensor) => rows.add(1), { batchSize: 2 });
    const [good, wrong, other] = await states([serving.run(1), serving.run(input as never), serving.run(2)]);
    expect([good, other]).toEqual([2, 3]);
    expect(wrong).toBeInstanceOf(Nx.ArgumentError);
    expect(message(wrong)).toMatch(text);
  });
});

describe("a function that breaks its contract", () => {
  it.each([
    [(rows: Nx.Tensor) => rows.sum(), /first axis has the size of the batch, 2, got s64\[\]/],
    [(rows: Nx.Tensor) => rows.sum({ axes: [0], keepAxes: true }), /the size of the batch, 2, got s64\[1\]/],
    [(rows: Nx.Tensor) => ({ a: rows, b: [Nx.f32([1])] }), /got f32\[1\] at \.b\[0\]/],
    [() => [], /must return tensors, got: \[\]/],
    [() => "x", /got "x"|tensor/],
    [() => null, /got null|tensor/],
  ] as [(rows: Nx.Tensor) => unknown, RegExp][])("%#", async (fn, text) => {
    for (const jit of [false, true]) {
      const serving = Serving.create(fn, { batchSize: 2, jit });
      for (const state of await states([serving.run(1), serving.run(2)])) {
        expect(state).toBeInstanceOf(Nx.NxError);
        expect(message(state)).toMatch(text);
      }
    }
  });

  it("being async although it is traced", async () => {
    const fn = async (rows: Nx.Tensor): Promise<Nx.Tensor> => {
      await Promise.resolve();
      throw new Error(`nobody sees this: ${rows}`);
    };
    const serving = Serving.create(fn, { batchSize: 1 });
    const [state] = await states([serving.run(1)]);
    expect(state).toBeInstanceOf(Nx.DefnError);
    expect(message(state)).toMatch(/is async, which cannot be traced; give the option { jit: false }/);
  });

  it("giving another structure for the second batch of a request", async () => {
    let calls = 0;
    const fn = (rows: Nx.Tensor) => (calls++ === 0 ? [rows] : { rows });
    const serving = Serving.create(fn, { batchSize: 2, jit: false });
    const answers = [serving.run(Batch.stack([1, 2, 3])), serving.run(4)];
    const [wrong, right] = await states(answers);
    expect(wrong).toBeInstanceOf(Nx.ArgumentError);
    expect(Nx.toNumber((right as { rows: Nx.Tensor }).rows)).toBe(4);
  });
});

describe("wrong arguments", () => {
  const fn = (rows: Nx.Tensor) => rows;
  it.each([
    [undefined, { batchSize: 1 }, /expects a function of batches, got: undefined/],
    [fn, undefined, /needs the option batchSize/],
    [fn, {}, /needs the option batchSize/],
    [fn, null, /expects its options as an object/],
    [fn, { batchSize: 1.5 }, /batchSize .* integer of at least 1, got: 1.5/],
    [fn, { batchSize: 2, batchTimeout: -1 }, /batchTimeout .* from 0 to 2147483647, got: -1/],
    [fn, { batchSize: 2, batchTimeout: Infinity }, /got: Infinity/],
    [fn, { batchSize: 2, batchTimeout: NaN }, /got: NaN/],
    [fn, { batchSize: 2, batchKeys: [] }, /list of different words/],
    [fn, { batchSize: 2, batchKeys: ["a", "a"] }, /list of different words/],
    [fn, { batchSize: 2, batchKeys: "ab" }, /list of different words/],
    [fn, { batchSize: 2, batchKeys: [1] }, /list of different words/],
    [fn, { batchSize: 2, maxQueue: 0 }, /maxQueue/],
    [fn, { batchSize: 2, overflow: "drop" }, /must be one of "refuse", "wait", got: "drop"/],
    [fn, { batchSize: 2, pad: 1 }, /pad of Nx.Serving.create must be true or false/],
    [fn, { batchSize: 2, jit: "yes" }, /jit/],
    [fn, { batchSize: 2, template: "x" }, /expects a tensor or a number/],
    [fn, { batchSize: 2, preprocess: 1 }, /preprocess of Nx.Serving.create must be a function, got: 1/],
    [fn, { batchSize: 2, postprocess: null }, /postprocess/],
    [fn, { batchsize: 2 }, /did you mean "batchSize"/],
  ])("of create %#", (given, options, text) => {
    const create = () => Serving.create(given as never, options as never);
    expect(create).toThrow(Nx.ArgumentError);
    expect(create).toThrow(text);
  });

  it("of create in a trace", () => {
    const traced = Nx.defn((t: Nx.Tensor) => (Serving.create(fn, { batchSize: 1 }), t));
    expect(() => traced(Nx.tensor(1))).toThrow(/cannot be called while a function is traced/);
  });

  it.each([
    [null, /expects its options as an object/],
    ["key", /expects its options as an object/],
    [{ kex: "a" }, /did you mean "key"/],
    [{}, /needs the option key where there are several batchKeys: one of "a", "b"/],
    [{ key: "c" }, /must be one of "a", "b", got: "c"/],
    [{ key: "a", signal: {} }, /must be an AbortSignal/],
    [{ key: "a", signal: null }, /must be an AbortSignal/],
    [{ key: "a", signal: 1 }, /must be an AbortSignal/],
  ])("of run %#", async (options, text) => {
    const serving = Serving.create(fn, { batchSize: 1, batchKeys: ["a", "b"] });
    const [state] = await states([serving.run(1, options as never)]);
    expect(state).toBeInstanceOf(Nx.ArgumentError);
    expect(message(state)).toMatch(text);
  });

  it.each([
    [null, /expects its options as an object/],
    [{ waiting: "drop" }, /must be one of "finish", "reject", got: "drop"/],
    [{ waitin: "finish" }, /did you mean "waiting"/],
  ])("of close %#", async (options, text) => {
    const serving = Serving.create(fn, { batchSize: 1 });
    const [state] = await states([serving.close(options as never)]);
    expect(state).toBeInstanceOf(Nx.ArgumentError);
    expect(message(state)).toMatch(text);
    expect(await states([serving.run(1)])).toEqual([1]);
  });
});
