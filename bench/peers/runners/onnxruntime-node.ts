/**
 * onnxruntime as native code on one thread. Its binding is called without the promise around it, which takes longer than a
 * small model does; the binding has no public interface, so the version of the package is fixed.
 */
import { createRequire } from "node:module";
import { encode } from "../../programs/onnx/encode";
import { models } from "../../programs/onnx/models";
import type { Inputs, Plain } from "../../programs/program";
import { serve, type Prepared } from "../serve";
import { versionOf } from "./version";

interface Session {
  loadModel(buffer: ArrayBufferLike, offset: number, length: number, options: object): void;
  run(feeds: object, fetches: object, options: object): Record<string, { readonly data: Float32Array }>;
}

const require = createRequire(import.meta.url);
const { binding, initOrt } = require("onnxruntime-node/dist/binding.js") as {
  readonly binding: { readonly InferenceSession: new () => Session };
  readonly initOrt: () => void;
};
const { env, Tensor } = require("onnxruntime-common") as {
  readonly env: { logLevel: string };
  readonly Tensor: new (type: string, data: Float32Array, shape: readonly number[]) => object;
};

env.logLevel = "error";
initOrt();

function prepared(inputs: Inputs<Plain>, modelOf: (typeof models)[string]): Prepared<Float32Array> {
  const model = modelOf(inputs);
  const bytes = encode(model);
  const session = new binding.InferenceSession();
  session.loadModel(bytes.buffer, bytes.byteOffset, bytes.byteLength, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const feeds = { x: new Tensor("float32", inputs.x!.data, inputs.x!.shape) };
  const fetches = { [model.output]: null };
  return { call: () => session.run(feeds, fetches, {})[model.output]!.data, read: (result) => result };
}

await serve<Plain, Float32Array>({
  name: "onnxruntime",
  version: versionOf("onnxruntime-node"),
  threads: "1",
  tensor: (data, shape) => ({ data, shape }),
  runs: Object.fromEntries(
    Object.entries(models).map(([name, modelOf]) => [name, (inputs: Inputs<Plain>) => prepared(inputs, modelOf)]),
  ),
});
