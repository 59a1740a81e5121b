/**
 * onnxruntime on its WebAssembly, with SIMD and one thread. Models are sessions, whose calls are promises.
 */
import * as ort from "onnxruntime-web";
import { encode } from "../../programs/onnx/encode";
import { models } from "../../programs/onnx/models";
import type { Inputs, Plain } from "../../programs/program";
import { serve, type Prepared } from "../serve";
import { versionOf } from "./version";

type Result = Promise<Float32Array>;

ort.env.wasm.numThreads = 1;
ort.env.logLevel = "error";

const awaited = (result: unknown): unknown => result;

function prepared(inputs: Inputs<Plain>, modelOf: (typeof models)[string]): Prepared<Result> {
  const model = modelOf(inputs);
  const opening = ort.InferenceSession.create(encode(model), { executionProviders: ["wasm"] });
  const { data, shape } = inputs.x!;
  const feeds = { x: new ort.Tensor("float32", data, shape) };
  const call = async (): Result => {
    const found = await (await opening).run(feeds);
    return found[model.output]!.data as Float32Array;
  };
  // The protocol awaits what is sampled, so that it is numbers by then.
  return { call, finish: awaited, awaits: true, read: (result) => result as unknown as Float32Array };
}

await serve<Plain, Result>({
  name: "onnxruntime-web",
  version: versionOf("onnxruntime-web"),
  threads: "1",
  tensor: (data, shape) => ({ data, shape }),
  runs: Object.fromEntries(
    Object.entries(models).map(([name, modelOf]) => [name, (inputs: Inputs<Plain>) => prepared(inputs, modelOf)]),
  ),
});
