/**
 * A server of the KServe protocol (version 2), which NVIDIA's Triton speaks: models are functions of tensors by name, asynchronous ones too.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type * as Nx from "nx-numerics";
import { decodeRequest, encodeResponse, TritonError } from "nx-numerics/triton";

type Tensors = Record<string, Nx.Tensor>;

/** An input or an output; sizes that each request decides are -1. */
export interface Value {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
}

export interface Model {
  readonly inputs: readonly Value[];
  readonly outputs: readonly Value[];
  run(inputs: Tensors): Tensors | Promise<Tensors>;
  /** The names of axes, as a configuration of Triton keeps them. */
  readonly parameters?: Record<string, { readonly string_value: string }>;
}

/** The answer of a model to a request, of which `length` bytes are JSON. */
async function infer(name: string, { run, outputs }: Model, body: Uint8Array, length: string | undefined) {
  const { inputs, outputs: asked, binary } = decodeRequest(body, length);
  const results = await run(inputs);
  const chosen = Object.fromEntries((asked ?? Object.keys(results)).map((one) => [one, results[one]!]));
  const datatypes = Object.fromEntries(outputs.map((output) => [output.name, output.datatype]));
  return encodeResponse(chosen, { binary, datatypes, fields: { model_name: name, model_version: "1" } });
}

const EXTENSIONS: readonly string[] = ["binary_tensor_data", "model_configuration"];

/** Starts a server at a free port of this machine. */
export async function kserve(models: Readonly<Record<string, Model>>, extensions = EXTENSIONS) {
  const server = createServer(async (request, response) => {
    const json = (value: object, status = 200) => response.writeHead(status).end(JSON.stringify(value));
    const [, place, rest] = /^\/v2\/models\/([^/]+)(?:\/versions\/1)?(?:\/(\w+))?$/.exec(request.url!) ?? [];
    try {
      const name = decodeURIComponent(place ?? "");
      const model = Object.hasOwn(models, name) ? models[name] : undefined;
      if (/^\/v2\/health\/(live|ready)$/.test(request.url!)) return void json({});
      if (request.url === "/v2") return void json({ name: "examples/kserve", version: "1", extensions });
      if (model === undefined) return void json({ error: `unknown model or place: ${request.url}` }, 400);
      if (rest === undefined) return void json({ name, versions: ["1"], platform: "nx", ...model });
      if (rest !== "infer") return void json(rest === "config" ? { name, parameters: model.parameters ?? {} } : {});
      const length = request.headers["inference-header-content-length"] as string | undefined;
      const { headers, body } = await infer(name, model, await buffer(request), length);
      response.writeHead(200, headers).end(body);
    } catch (error) {
      json({ error: String(error) }, error instanceof TritonError ? (error.status ?? 500) : 500);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
