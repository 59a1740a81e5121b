/**
 * A server of the KServe protocol (version 2) in one process: models are functions of tensors by name, asynchronous ones too. It stands in for
 * NVIDIA's Triton where there is none, and knows as much of the protocol as a client of models needs.
 */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as Nx from "nx-numerics";

type Tensors = Record<string, Nx.Tensor>;

/** An input or an output; sizes that each request decides are -1. */
export interface Value {
  readonly name: string;
  readonly datatype: keyof typeof TYPES;
  readonly shape: readonly number[];
}

export interface Model {
  readonly inputs: readonly Value[];
  readonly outputs: readonly Value[];
  run(inputs: Tensors): Tensors | Promise<Tensors>;
  /** The names of axes, as a configuration of Triton keeps them. */
  readonly parameters?: Record<string, { readonly string_value: string }>;
}

const TYPES = {
  BOOL: "u8",
  UINT8: "u8",
  UINT16: "u16",
  UINT32: "u32",
  UINT64: "u64",
  INT8: "s8",
  INT16: "s16",
  INT32: "s32",
  INT64: "s64",
  FP16: "f16",
  BF16: "bf16",
  FP32: "f32",
  FP64: "f64",
} as const;

interface Part extends Value {
  readonly data?: readonly number[];
  readonly parameters?: { readonly binary_data_size: number };
}

interface Inference {
  readonly inputs: readonly Part[];
  readonly outputs?: readonly { readonly name: string }[];
  readonly parameters?: { readonly binary_data_output?: boolean };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** The tensors of a request: elements in JSON, or as bytes behind it. */
function tensorsOf({ inputs }: Inference, bytes: Buffer): Tensors {
  let at = 0;
  return Object.fromEntries(
    inputs.map(({ name, datatype, shape, data, parameters }) => {
      const type = TYPES[datatype];
      if (data) return [name, Nx.tensor(data.flat(9).map(Number), { type }).reshape(shape)];
      const end = at + parameters!.binary_data_size;
      const own = Uint8Array.from(bytes.subarray(at, end));
      at = end;
      return [name, Nx.fromBinary(own, type).reshape(shape)];
    }),
  );
}

/** The answer of a model: its part in JSON, and the elements where the request wants bytes. */
async function infer(model: Model, name: string, body: Buffer, length: number): Promise<[json: string, bytes: Buffer]> {
  const request = JSON.parse(body.subarray(0, length).toString()) as Inference;
  const results = await model.run(tensorsOf(request, body.subarray(length)));
  const wanted = request.outputs?.map((output) => output.name) ?? Object.keys(results);
  const parts: Uint8Array[] = [];
  const outputs = wanted.map((one) => {
    const { datatype } = model.outputs.find((output) => output.name === one)!;
    const result = results[one]!;
    const head = { name: one, datatype, shape: result.shape };
    if (!request.parameters?.binary_data_output) return { ...head, data: result.toFlatList() };
    parts.push(result.toBinary());
    return { ...head, parameters: { binary_data_size: result.toBinary().length } };
  });
  return [JSON.stringify({ model_name: name, model_version: "1", outputs }), Buffer.concat(parts)];
}

/** What lies at the places that are read. */
function read(models: Readonly<Record<string, Model>>, place: string, extensions: readonly string[]): object | null {
  if (/^v2\/health\/(live|ready)$/.test(place)) return {};
  if (place === "v2") return { name: "examples/kserve", version: "1", extensions };
  const [, name, rest] = /^v2\/models\/([^/]+)(?:\/versions\/1)?(?:\/(\w+))?$/.exec(place) ?? [];
  const model = models[decodeURIComponent(name ?? "")];
  if (model === undefined) return null;
  const { inputs, outputs, parameters = {} } = model;
  if (rest === "ready") return {};
  return rest === "config" ? { name, parameters } : { name, versions: ["1"], platform: "nx", inputs, outputs };
}

/** Starts a server at a free port of this machine. */
export async function kserve(
  models: Readonly<Record<string, Model>>,
  extensions: readonly string[] = ["binary_tensor_data", "model_configuration"],
): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer(async (request, response) => {
    const place = request.url!.slice(1);
    const [, name] = /^v2\/models\/([^/]+)(?:\/versions\/1)?\/infer$/.exec(place) ?? [];
    const refuse = (status: number, error: unknown) => response.writeHead(status).end(JSON.stringify({ error }));
    try {
      const body = await bodyOf(request);
      const model = models[name ?? ""];
      if (request.method === "GET" || model === undefined) {
        const found = read(models, place, extensions);
        return void (found ? response.end(JSON.stringify(found)) : refuse(400, `unknown model or place: ${place}`));
      }
      const length = Number(request.headers["inference-header-content-length"] ?? body.length);
      const [json, bytes] = await infer(model, name!, body, length);
      if (bytes.length > 0) response.setHeader("Inference-Header-Content-Length", Buffer.byteLength(json));
      response.end(Buffer.concat([Buffer.from(json), bytes]));
    } catch (error) {
      refuse(500, String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
