/**
 * `nx-numerics/onnxruntime` on the packages of onnxruntime: what comes back is what the library computes, within what the engine rounds, in the
 * containers of the function.
 */
import { List } from "immutable";
import { expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { onnxruntime, type Engine, type OnnxruntimeOptions } from "nx-numerics/onnxruntime";
import { tritonModel, triton } from "nx-numerics/triton";
import { kserve, type Value } from "../../examples/kserve";
import { describeWith, findEngine } from "./find";

const engines = {
  "onnxruntime-node": await findEngine<Engine>("onnxruntime-node"),
  "onnxruntime-web": await findEngine<Engine>("onnxruntime-web"),
};

/** The greatest difference, by the greatest element. */
const off = (actual: Nx.Tensor, expected: Nx.Tensor): number => {
  expect([actual.type, actual.shape, actual.names]).toEqual([expected.type, expected.shape, expected.names]);
  const [a, b] = [actual.asType("f64"), expected.asType("f64")];
  return a.subtract(b).abs().reduceMax().divide(b.abs().reduceMax().add(1e-30)).item();
};

const seeded = (shape: readonly number[], names: readonly (string | null)[], seed = 1): Nx.Tensor =>
  Nx.Random.normal(Nx.Random.key(seed), 0, 1, { shape, names } as never)[0] as Nx.Tensor;

for (const [name, found] of Object.entries(engines)) {
  describeWith(name, found, (engine) => {
    const options: OnnxruntimeOptions = {
      engine,
      threads: 1,
      ...(name.endsWith("web") ? { providers: ["wasm"] } : {}),
    };

    it("runs a network and its gradient, containers in and out, names kept", async () => {
      type Parameters = { readonly w: Nx.Tensor; readonly b: readonly [Nx.Tensor] };
      const loss = ({ w, b: [bias] }: Parameters, rows: Nx.Tensor) => rows.dot(w).add(bias).tanh().square().mean();
      const step = (parameters: Parameters, rows: Nx.Tensor) => {
        const [value, gradient] = Nx.valueAndGrad(loss)(parameters, rows);
        return { value, gradient, scores: rows.dot(parameters.w) };
      };
      const parameters: Parameters = { w: seeded([5, 3], ["feature", "class"]), b: [seeded([3], ["class"], 2)] };
      const rows = seeded([7, 5], ["batch", "feature"], 3);
      const run = await onnxruntime(step, [parameters, rows], options);
      const [actual, expected] = [await run(parameters, rows), step(parameters, rows)];
      expect(Object.keys(actual)).toEqual(["value", "gradient", "scores"]);
      expect(Array.isArray(actual.gradient.b)).toBe(true);
      expect(off(actual.value, expected.value)).toBeLessThan(1e-6);
      expect(off(actual.gradient.w, expected.gradient.w)).toBeLessThan(1e-6);
      expect(off(actual.gradient.b[0], expected.gradient.b[0])).toBeLessThan(1e-6);
      expect(off(actual.scores, expected.scores)).toBeLessThan(1e-6);
      await run.dispose();
    });

    it("runs at sizes that are names, which must agree", async () => {
      const centred = (rows: Nx.Tensor, weights: Nx.Tensor) =>
        rows.subtract(rows.multiply(weights).sum({ axes: [0], keepAxes: true }));
      const templates = [
        Nx.template(["n", 2], "f32", { names: ["row", null] }),
        Nx.template(["n", 1], "f32", { names: ["row", null] }),
      ] as const;
      const run = await onnxruntime(centred, templates as never, options);
      for (const n of [1, 4, 9]) {
        const [rows, weights] = [seeded([n, 2], ["row", null]), seeded([n, 1], ["row", null], 2)];
        expect(off(await run(rows, weights), centred(rows, weights))).toBeLessThan(1e-6);
      }
      await expect(run(seeded([3, 2], ["row", null]), seeded([4, 1], ["row", null]))).rejects.toThrow(
        "a function of onnxruntime was called with f32[row: 4][1] at argument 1, but it was compiled for f32[row: n][1] (n = 3)",
      );
      await run.dispose();
    });

    const TYPES = ["u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "f16", "bf16", "f32", "f64"] as const;

    it.each(TYPES)("%s crosses the boundary bit for bit", async (type) => {
      const run = await onnxruntime(
        (t: Nx.Tensor) => ({ same: t.reverse(), more: List([t]) }),
        [Nx.template([4], type, { names: ["x"] })],
        options,
      );
      const values = { u64: [0n, 1n, 2n ** 63n, 2n ** 64n - 1n], s64: [0n, -1n, 2n ** 62n + 1n, -(2n ** 63n)] };
      const t = Nx.tensor(
        type === "u64" || type === "s64"
          ? values[type]
          : type.startsWith("u")
            ? [0, 1, 100, 255]
            : [0, -1, 1.5, 100].map(type.startsWith("s") ? Math.trunc : (v) => v),
        { type, names: ["x"] },
      );
      const { same, more } = await run(t);
      expect(same.reverse().equals(t)).toBe(true);
      expect([same.type, same.names, List.isList(more)]).toEqual([type, ["x"], true]);
      expect((more as List<Nx.Tensor>).get(0)!.equals(t)).toBe(true);
      await run.dispose();
    });

    it("computes bf16 in bf16, though it crosses as f32", async () => {
      const third = (t: Nx.Tensor) => t.divide(3).add(t);
      const t = Nx.tensor([1, 2, 100, -7], { type: "bf16" });
      const run = await onnxruntime(third, [t], options);
      expect(run.model.inputs[0]!.type).toBe("f32");
      expect((await run(t)).equals(third(t))).toBe(true);
      await run.dispose();
    });

    it("takes shared memory, and plain numbers as weak as they are", async () => {
      const scaled = (t: Nx.Tensor, by: Nx.Operand) => t.multiply(by);
      const large = Nx.iota([300_000], { type: "f64", names: ["x"] }).add(0.5); // lies in shared memory, where there are threads
      const run = await onnxruntime(scaled, [Nx.template(["n"], "f64", { names: ["x"] }), 0.1] as never, options);
      expect(off(await run(large, 0.3), scaled(large, 0.3))).toBe(0);
      await run.dispose();
      const whole = await onnxruntime(scaled, [Nx.template([2], "f64"), 2] as never, options);
      await expect(whole(Nx.f64([1, 2]), 0.5)).rejects.toThrow(
        "was called with 0.5 at argument 1, but it was compiled for integers there",
      );
      await whole.dispose();
    });

    it("runs loops and branches", async () => {
      const collatz = (start: Nx.Tensor) =>
        Nx.Defn.whileLoop(
          { n: start, steps: Nx.tensor(0) },
          ({ n }) => n.greater(1),
          ({ n, steps }) => ({
            n: Nx.Defn.cond([[n.remainder(2).equal(0), () => n.quotient(2)]], () => n.multiply(3).add(1)),
            steps: steps.add(1),
          }),
        ).steps;
      const run = await onnxruntime(collatz, [Nx.template([], "s64")], options);
      expect((await run(Nx.tensor(27))).item()).toBe(111);
      await run.dispose();
    });

    it("answers calls in their order, those before dispose too", async () => {
      const run = await onnxruntime((t: Nx.Tensor) => t.add(1), [Nx.template([], "f32")], options);
      const answers = Promise.all([1, 2, 3, 4].map((one) => run(Nx.f32(one))));
      const end = run.dispose();
      expect((await answers).map((t) => t.item())).toEqual([2, 3, 4, 5]);
      await end;
      await run.dispose();
      await expect(run(Nx.f32(1))).rejects.toThrow("a function of onnxruntime was called after it was disposed");
    });

    it("says what the engine says", async () => {
      const run = () =>
        onnxruntime((t: Nx.Tensor) => t, [Nx.template([2], "f32")], { ...options, providers: ["nowhere"] });
      await expect(run()).rejects.toThrow(
        /^onnxruntime does not take the model: .*nowhere|^onnxruntime does not take the model: /,
      );
      await expect(run()).rejects.toBeInstanceOf(Nx.BackendError);
      const quotient = (a: Nx.Tensor, b: Nx.Tensor) => a.quotient(b);
      const divided = await onnxruntime(quotient, [Nx.template([1], "s64"), Nx.template([1], "s64")], {
        ...options,
        strict: false,
      });
      expect((await divided(Nx.s64([7]), Nx.s64([2]))).toList()).toEqual([3]);
      await divided.dispose();
    });

    it("keeps numbers weak beside tensors that cross in another type", async () => {
      const scaled = ([t]: readonly [Nx.Tensor], { by }: { readonly by: Nx.Operand }) => t.multiply(by);
      const t = Nx.tensor([1, 2, 3], { type: "bf16" });
      const run = await onnxruntime(scaled, [[Nx.template(["n"], "bf16")], { by: 0.1 }] as never, options);
      const answer = await run([t], { by: 0.7 });
      expect([answer.type, answer.equals(scaled([t], { by: 0.7 }))]).toEqual(["bf16", true]);
      await run.dispose();
    });

    it("is the function of a serving, and answers behind a server of the KServe protocol", async () => {
      const model = (rows: Nx.Tensor) => rows.dot(Nx.f32([1, 10, 100]));
      const run = await onnxruntime(model, [Nx.template(["batch", 3], "f32")], options);
      const serving = Nx.Serving.create(run as (rows: Nx.Tensor) => Promise<Nx.Tensor>, {
        jit: false,
        batchSize: 2,
        batchTimeout: 5,
      });
      const rows = [Nx.f32([1, 2, 3]), Nx.f32([4, 5, 6]), Nx.f32([7, 8, 9])];
      const answers = await Promise.all(rows.map((row) => serving.run(row)));
      expect(answers.map((t) => t.item())).toEqual([321, 654, 987]);
      await serving.close();

      const [input, output] = [run.model.inputs[0]!, run.model.outputs[0]!];
      const files = tritonModel(run.model, { name: "rows", maxBatchSize: 4 });
      expect(new TextDecoder().decode(files["rows/config.pbtxt"])).toContain("data_type: TYPE_FP32 dims: [ 3 ]");
      const value = (of: { readonly name: string; readonly dims: readonly (number | string | null)[] }): Value => ({
        name: of.name,
        datatype: "FP32",
        shape: of.dims.map((dim) => (typeof dim === "number" ? dim : -1)),
      });
      const { url, server } = await kserve({
        rows: {
          inputs: [value(input)],
          outputs: [value(output)],
          run: async (tensors) => ({ [output.name]: await run(tensors[input.name]!) }),
        },
      });
      try {
        const remote = await triton("rows", { url });
        const answer = await remote({ [input.name]: Nx.stack(rows) });
        expect(answer[output.name]!.toList()).toEqual([321, 654, 987]);
      } finally {
        server.closeAllConnections();
        server.close();
        await run.dispose();
      }
    });
  });
}
