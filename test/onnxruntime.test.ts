/**
 * `nx-numerics/onnxruntime` without an engine: what is given to one, what is made of its answers, and what is refused before. Engines
 * themselves are in `test/engines`.
 */
import { List } from "immutable";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { fromOnnx } from "nx-numerics/onnx";
import { onnxruntime, type Engine, type EngineTensor } from "nx-numerics/onnxruntime";

interface Seen {
  readonly options: object;
  readonly feeds: Record<string, EngineTensor & { readonly data: { readonly buffer: object } }>[];
  released: number;
}

const OUTER: Record<string, Nx.DType> = { float32: "f32", float16: "f16", int64: "s64", uint8: "u8", float64: "f64" };
const NAMES = Object.fromEntries(Object.entries(OUTER).map(([name, type]) => [type, name]));

class FakeTensor {
  constructor(
    readonly type: string,
    readonly data: Uint8Array,
    readonly dims: readonly number[],
  ) {}
  getData = () => Promise.resolve(this.data);
  dispose(): void {
    // nothing is held
  }
}

/** An engine that reads models by `fromOnnx`. */
function fakeEngine(): { readonly engine: Engine; readonly seen: Seen } {
  const seen = { options: {}, feeds: [] as Seen["feeds"], released: 0 };
  const create = (bytes: Uint8Array, options?: object) => {
    const model = fromOnnx(bytes);
    seen.options = options ?? {};
    const run = (feeds: Seen["feeds"][number]) => {
      seen.feeds.push(feeds);
      const inputs = Object.entries(feeds).map(([name, { data, type, dims }]) => {
        const { buffer, byteOffset, byteLength } = data as unknown as Uint8Array;
        return [name, Nx.fromBinary(new Uint8Array(buffer, byteOffset, byteLength), OUTER[type]!).reshape(dims)];
      });
      const results = Object.entries(model(Object.fromEntries(inputs) as never) as Record<string, Nx.Tensor>);
      return Promise.resolve(
        Object.fromEntries(
          results.map(([name, t]) => [name, new FakeTensor(NAMES[t.type]!, Nx.toBinary(t), t.shape)] as const),
        ),
      );
    };
    return Promise.resolve({ run, release: () => Promise.resolve(void seen.released++) });
  };
  return { engine: { InferenceSession: { create }, Tensor: FakeTensor as never }, seen };
}

const message = async (run: () => Promise<unknown>): Promise<string> => {
  try {
    await run();
  } catch (error) {
    return String(error);
  }
  return "no error";
};

describe("onnxruntime", () => {
  it("gives copies of elements in ordinary memory, and takes answers into the containers of the function", async () => {
    const { engine, seen } = fakeEngine();
    type Both = { readonly a: Nx.Tensor; readonly b: List<Nx.Tensor> };
    const fn = ({ a, b }: Both) => [{ sum: a.add(b.get(0)!) }, List([a])] as const;
    const args: Both = { a: Nx.f32([1, 2], { names: ["x"] }), b: List([Nx.f32([10, 20])]) };
    const run = await onnxruntime(fn, [args], { engine });
    const [{ sum }, list] = await run(args);
    expect([sum.toList(), sum.names, List.isList(list), (list as List<Nx.Tensor>).get(0)!.toList()]).toEqual([
      [11, 22],
      ["x"],
      true,
      [1, 2],
    ]);
    for (const { data } of Object.values(seen.feeds[0]!)) {
      expect(data.buffer).toBeInstanceOf(ArrayBuffer);
      expect(data).toBeInstanceOf(Float32Array);
    }
  });

  it("gives half floats as bits, and bf16 as f32", async () => {
    const { engine, seen } = fakeEngine();
    const run = await onnxruntime((a: Nx.Tensor, b: Nx.Tensor) => [a.add(a), b.add(b)], [Nx.f16([0.5]), Nx.tensor([0.5], { type: "bf16" })], { engine }); // prettier-ignore
    const [a, b] = await run(Nx.f16([0.5]), Nx.tensor([0.5], { type: "bf16" }));
    expect([a!.type, a!.toList(), b!.type, b!.toList()]).toEqual(["f16", [1], "bf16", [1]]);
    const [half, brain] = Object.values(seen.feeds[0]!);
    expect([half!.type, half!.data, brain!.type, brain!.data]).toEqual([
      "float16",
      Uint16Array.from([0x3800]),
      "float32",
      Float32Array.from([0.5]),
    ]);
  });

  it("passes providers, threads and other options on, and lets sessions go once", async () => {
    const { engine, seen } = fakeEngine();
    const wasm = { numThreads: 0 };
    const run = await onnxruntime((t: Nx.Tensor) => t.add(1), [Nx.template([], "f32")], {
      engine: { ...engine, env: { wasm } },
      providers: ["cuda", { name: "cpu" }],
      threads: 3,
      session: { logSeverityLevel: 3 },
    });
    expect(seen.options).toEqual({
      executionProviders: ["cuda", { name: "cpu" }],
      intraOpNumThreads: 3,
      interOpNumThreads: 1,
      logSeverityLevel: 3,
    });
    expect(wasm.numThreads).toBe(3);
    await run.dispose();
    await run.dispose();
    expect(seen.released).toBe(1);
    expect(await message(() => run(Nx.f32(1)))).toBe(
      "BackendError: a function of onnxruntime was called after it was disposed",
    );
  });

  it("calls the engine once at a time, in order", async () => {
    const { engine } = fakeEngine();
    let running = 0;
    const create: Engine["InferenceSession"]["create"] = async (bytes, options) => {
      const session = (await engine.InferenceSession.create(bytes, options)) as {
        run(feeds: unknown): Promise<unknown>;
      };
      const run = async (feeds: unknown) => {
        expect(++running).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running--;
        return session.run(feeds);
      };
      return { ...session, run };
    };
    const slow = { ...engine, InferenceSession: { create } };
    const run = await onnxruntime((t: Nx.Tensor) => t.add(1), [Nx.template([], "f32")], { engine: slow });
    const answers = await Promise.all([1, 2, 3].map((one) => run(Nx.f32(one))));
    expect(answers.map((t) => t.item())).toEqual([2, 3, 4]);
  });

  it("goes on after a call that failed", async () => {
    const { engine } = fakeEngine();
    let isFirst = true;
    const create: Engine["InferenceSession"]["create"] = async (bytes, options) => {
      const session = (await engine.InferenceSession.create(bytes, options)) as {
        run(feeds: unknown): Promise<unknown>;
      };
      const run = (feeds: unknown) => {
        if (!isFirst) return session.run(feeds);
        isFirst = false;
        return Promise.reject(new Error("out of memory"));
      };
      return { ...session, run };
    };
    const failing = { ...engine, InferenceSession: { create } };
    const run = await onnxruntime((t: Nx.Tensor) => t.add(1), [Nx.template([], "f32")], { engine: failing });
    const [first, second] = await Promise.allSettled([run(Nx.f32(1)), run(Nx.f32(2))]);
    expect(String((first as PromiseRejectedResult).reason)).toBe("BackendError: onnxruntime failed: out of memory");
    expect((second as PromiseFulfilledResult<Nx.Tensor>).value.item()).toBe(3);
  });

  it("refuses arguments of other types, shapes, names and numbers than the templates'", async () => {
    const { engine } = fakeEngine();
    const template = Nx.template(["n", 2], "f32", { names: ["row", "column"] });
    const fn = (t: Nx.Tensor, { by }: { readonly by: Nx.Operand }) => t.multiply(by);
    const run = await onnxruntime(fn, [template, { by: 2 }] as never, { engine });
    const t = Nx.f32([[1, 2]]); // prettier-ignore
    const compiled = "but it was compiled for f32[row: n][column: 2]";
    const called = "ArgumentError: a function of onnxruntime was called with";
    expect((await run(t, { by: 3 })).toList()).toEqual([[3, 6]]);
    expect(await message(() => run(t.asType("f64"), { by: 3 }))).toBe(`${called} f64[1][2] at argument 0, ${compiled}`);
    expect(await message(() => run(t.transpose(), { by: 3 }))).toBe(
      `${called} f32[2][1] at argument 0, ${compiled} (n = 2)`,
    );
    expect(await message(() => run(t.rename(["column", "row"]), { by: 3 }))).toBe(
      `${called} f32[column: 1][row: 2] at argument 0, ${compiled} (n = 1)`,
    );
    expect(await message(() => run(t, { by: 0.5 }))).toBe(
      `${called} 0.5 at argument 1 (by), but it was compiled for integers there: give a number such as 0.5 among the templates`,
    );
    expect(await message(() => run(t, { by: Nx.f32([1, 2]) }))).toMatch(
      /f32\[2\] at argument 1 \(by\), but it was compiled for s64/,
    );
    expect(await message(() => run(t, {} as never))).toBe(
      "ArgumentError: a function of onnxruntime was compiled for 2 tensors and numbers in its arguments, got 1",
    );
  });

  it("refuses what is no function, no list, no engine, and options that are none", async () => {
    const { engine } = fakeEngine();
    const fn = (t: Nx.Tensor) => t.add(1);
    const templates = [Nx.template([1], "f32")] as const;
    expect(await message(() => onnxruntime(1 as never, [], { engine }))).toBe(
      "ArgumentError: onnxruntime expects a function of tensors, got: number",
    );
    expect(await message(() => onnxruntime(fn, templates[0] as never, { engine }))).toBe(
      "ArgumentError: onnxruntime expects a list of arguments, got: object",
    );
    expect(await message(() => onnxruntime(fn, templates as never, { engine: {} as Engine }))).toMatch(
      /^ArgumentError: option engine of onnxruntime must be the module/,
    );
    expect(await message(() => onnxruntime(fn, templates as never, { engine, threads: 0 }))).toBe(
      "ArgumentError: option threads of onnxruntime must be an integer of at least 1, got: 0",
    );
    expect(await message(() => onnxruntime(fn, templates as never, { engine, providers: [] }))).toMatch(
      /^ArgumentError: option providers of onnxruntime must be a list such as/,
    );
    expect(await message(() => onnxruntime(fn, templates as never, { engine, provider: "cuda" } as object))).toBe(
      "ArgumentError: onnxruntime takes the options engine, providers, threads, strict, opset, session, got: provider",
    );
    const fft = (t: Nx.Tensor) => Nx.abs(Nx.fft(t));
    expect(await message(() => onnxruntime(fft, [Nx.template([8], "f32")], { engine }))).toMatch(
      /^ArgumentError: toOnnx: Fourier transforms/,
    );
  });

  it("says what to install where the package of Node is not there", async () => {
    expect(await message(() => onnxruntime((t: Nx.Tensor) => t, [Nx.template([1], "f32")]))).toMatch(
      /^BackendError: onnxruntime needs the package onnxruntime-node, which cannot be loaded \(.*\): npm install onnxruntime-node, or give another one by the option engine$/s,
    );
  });
});
