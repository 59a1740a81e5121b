/**
 * A model of a server as a function.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, Tensor, type Names, type Operand, type Serving } from "nx-numerics";
import { shown, TritonError } from "./error";
import { ask, type Answer, type Connection, type FetchLike } from "./http";
import { DATATYPES, tensorType, wireText, wireType, type WireType } from "./types";
import { decodeAnswer, encodeRequest, fieldsOf, type Fields, type Sent } from "./wire";

/** Options of {@link triton}. */
export interface TritonOptions {
  /** The address of the server, as `"http://localhost:8000"`. */
  readonly url: string | { readonly href: string };
  /** The version of the model; the server's choice by default. */
  readonly version?: string | number;
  /** The names of the axes of inputs and outputs; those that {@link tritonModel} wrote by default. */
  readonly names?: Readonly<Record<string, Names>>;
  /** Ends all requests when it is aborted. */
  readonly signal?: Serving.Signal;
  /** How often a request is sent again after no answer or one of a busy server (429, 502, 503, 504); 2 by default. */
  readonly retries?: number;
  /** Milliseconds for each try; no limit by default. */
  readonly timeout?: number;
  /** The longest answer in bytes; 1 GB by default. */
  readonly maxBytes?: number;
  /** Headers of each request, such as `Authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Used in place of the host's `fetch`. */
  readonly fetch?: FetchLike;
}

/** Options of a call of a {@link TritonModel}. */
export interface TritonCallOptions {
  /** Ends the request when it is aborted; the error is the reason of the signal. */
  readonly signal?: Serving.Signal;
  /** The outputs that are asked for; all by default. */
  readonly outputs?: readonly string[];
}

/** An input or an output of a model. */
export interface TritonValue {
  readonly name: string;
  /** The type of the tensors: `u8` for truth values; null for texts and others, which cannot be sent. */
  readonly type: Nx.DType | null;
  /** The type as the server names it. */
  readonly datatype: string;
  /** Sizes; -1 where each request decides. */
  readonly dims: readonly number[];
}

/** Whether a server lives, is ready for requests, and is ready for those to the model. */
export interface TritonHealth {
  readonly live: boolean;
  readonly ready: boolean;
  readonly model: boolean;
}

/** A model of a server: an asynchronous function of tensors by name. */
export interface TritonModel {
  /**
   * Asks the server.
   *
   * @param inputs - a tensor or number for each input, by name
   * @param options - `signal`; `outputs`, the names of those that are wanted
   * @returns the outputs by name
   */
  (inputs: Readonly<Record<string, Operand>>, options: TritonCallOptions): Promise<Record<string, Tensor>>;
  /** The same without options, as `Nx.Serving.create` takes functions. */
  (inputs: Readonly<Record<string, Operand>>): Promise<Record<string, Tensor>>;
  readonly modelName: string;
  readonly versions: readonly string[];
  readonly platform: string;
  readonly inputs: readonly TritonValue[];
  readonly outputs: readonly TritonValue[];
  /**
   * Asks how the server is. No answer is `false`, not an error.
   *
   * @param options - `signal`
   */
  health(options?: { readonly signal?: Serving.Signal }): Promise<TritonHealth>;
}

const OPTIONS = ["url", "version", "names", "signal", "retries", "timeout", "maxBytes", "headers", "fetch"];
const MAX_BYTES = 2 ** 30;

/**
 * Opens a model of a server that speaks the KServe protocol, version 2: NVIDIA's Triton, KServe, OpenVINO's model server, and others.
 *
 * Elements travel as bytes where the server has the extension for binary tensors (`bf16`, `f16` and 64-bit integers need it), else as
 * JSON. A request is tried again, after a growing time, when there was no answer or the server was busy: the model must give the same for
 * the same request, else say `retries: 0`.
 *
 * @param model - the name of the model
 * @param options - `url` of the server (required); `version`; `names` of axes by input and output; `signal`; `retries`; `timeout`;
 *   `maxBytes` of an answer; `headers`; `fetch`
 * @returns a function of tensors by name, with `inputs`, `outputs` and `health`; `Nx.Serving.create(model, { jit: false, ... })` takes it
 * @throws ArgumentError for wrong options, and for inputs of other names, types or shapes than the model's
 * @throws TritonError for what the server refuses, and answers that break the protocol
 * @example
 * ```ts
 * import { triton, type FetchLike } from "nx-numerics/triton";
 * // in place of a server: it doubles
 * const fetch: FetchLike = async (url, { body }) => {
 *   const value = { name: "x", datatype: "FP32", shape: [-1] };
 *   if (!body) return Response.json({ name: "double", versions: ["1"], platform: "", inputs: [value], outputs: [value] });
 *   const [{ shape, data }] = JSON.parse(new TextDecoder().decode(body)).inputs;
 *   return Response.json({ outputs: [{ ...value, shape, data: data.map((one: number) => 2 * one) }] });
 * };
 * const double = await triton("double", { url: "http://localhost:8000", names: { x: ["step"] }, fetch });
 * const { x } = await double({ x: Nx.f32([1, 2, 3]) });
 * x;
 * // => #Nx.Tensor<
 * //   f32[step: 3]
 * //   [2.0, 4.0, 6.0]
 * // >
 * await double({ x: Nx.f64([1, 2]) });
 * // throws ArgumentError: the input x of the model double is FP32[-1], got f64[2]; cast it by Nx.asType(x, "f32")
 * await double({ y: 1 });
 * // throws ArgumentError: the model double has the inputs x: FP32[-1], got: y
 * ```
 * @example
 * ```ts
 * import { triton, type FetchLike } from "nx-numerics/triton";
 * const fetch: FetchLike = async () => Response.json({ error: "Request for unknown model: 'digits' is not found" }, { status: 400 });
 * await triton("digits", { url: "http://localhost:8000", fetch });
 * // throws TritonError: the server refuses the model digits (status 400): Request for unknown model: 'digits' is not found
 * ```
 */
export async function triton(model: string, options: TritonOptions): Promise<TritonModel> {
  const connection = connect(model, options);
  const { version } = options;
  const path = `v2/models/${encodeURIComponent(model)}${version === undefined ? "" : `/versions/${version}`}`;
  const server = await extensionsOf(connection);
  const about = await fieldsAt(connection, path, `the model ${model}`);
  const inputs = valuesOf(about.inputs, "inputs", model);
  const outputs = valuesOf(about.outputs, "outputs", model);
  const isBinary = server.has("binary_tensor_data");
  const written = server.has("model_configuration") ? await writtenNames(connection, path) : {};
  const names = { ...written, ...options.names };
  const call = async (given: Readonly<Record<string, Operand>>, own: TritonCallOptions = {}) => {
    checkCall(own);
    const sent = sentOf(model, inputs, given, names);
    const request = encodeRequest(`${path}/infer`, sent, own.outputs ?? outputs.map(({ name }) => name), isBinary);
    const answer = await ask(withSignal(connection, own.signal), request);
    return decodeAnswer(succeeded(answer, `the request to the model ${model}`), names);
  };
  return Object.freeze(
    Object.assign(call, {
      modelName: model,
      versions: Object.freeze(Array.isArray(about.versions) ? about.versions.map(String) : []),
      platform: typeof about.platform === "string" ? about.platform : "",
      inputs,
      outputs,
      health: async (own: { readonly signal?: Serving.Signal } = {}) => {
        checkCall(own);
        return healthOf(withSignal(connection, own.signal), path);
      },
    }),
  );
}

function connect(model: unknown, options: TritonOptions): Connection {
  if (typeof model !== "string" || model === "")
    throw new ArgumentError(`triton expects the name of a model, got: ${shown(model)}`);
  const isObject = typeof options === "object" && options !== null;
  const unknown = isObject ? Object.keys(options).find((key) => !OPTIONS.includes(key)) : shown(options);
  if (unknown !== undefined) throw new ArgumentError(`triton takes the options ${OPTIONS.join(", ")}, got: ${unknown}`);
  const { retries = 2, timeout = Infinity, maxBytes = MAX_BYTES } = options;
  const url = typeof options.url === "object" ? options.url?.href : options.url;
  expect("url", url, "an address such as http://localhost:8000", typeof url === "string" && /^https?:\/\//.test(url));
  expect("retries", retries, "an integer from 0 to 20", Number.isInteger(retries) && retries >= 0 && retries <= 20);
  expect(
    "timeout",
    timeout,
    "a number of milliseconds above 0",
    timeout === Infinity || (typeof timeout === "number" && timeout > 0 && timeout < 2 ** 31),
  );
  expect("maxBytes", maxBytes, "a number of bytes above 0", typeof maxBytes === "number" && maxBytes > 0);
  const { version, names = {} } = options;
  const isVersion = version === undefined || typeof version === "string" || Number.isInteger(version);
  expect("version", version, "a version such as 1", isVersion);
  const isNames =
    typeof names === "object" && names !== null && Object.values<unknown>(names).every((own) => Array.isArray(own));
  expect("names", names, 'a list of names for each input and output, such as { x: ["row"] }', isNames);
  const fetch = options.fetch ?? (globalThis as { readonly fetch?: unknown }).fetch;
  expect("fetch", fetch, "a function like fetch, which this host does not have", typeof fetch === "function");
  const connection = {
    url: url!.replace(/\/+$/, ""),
    fetch: fetch as FetchLike,
    headers: options.headers ?? {},
    retries,
    timeout,
    maxBytes,
    signals: [],
  };
  return withSignal(connection, options.signal);
}

function expect(key: string, value: unknown, what: string, isRight: boolean): void {
  if (!isRight) throw new ArgumentError(`option ${key} of triton must be ${what}, got: ${shown(value)}`);
}

function withSignal(connection: Connection, signal: Serving.Signal | undefined): Connection {
  if (signal === undefined) return connection;
  const isSignal = typeof signal === "object" && typeof signal?.addEventListener === "function";
  expect("signal", signal, "an AbortSignal, the signal of an AbortController", isSignal);
  return { ...connection, signals: [...connection.signals, signal] };
}

function checkCall(options: TritonCallOptions): void {
  const isObject = typeof options === "object" && options !== null;
  const unknown = isObject ? Object.keys(options).find((key) => key !== "signal" && key !== "outputs") : shown(options);
  if (unknown !== undefined)
    throw new ArgumentError(`a model of triton takes the options signal, outputs, got: ${unknown}`);
  const { outputs } = options;
  const isList = outputs === undefined || (Array.isArray(outputs) && outputs.every((name) => typeof name === "string"));
  if (!isList)
    throw new ArgumentError(`option outputs of a model of triton must be a list of names, got: ${shown(outputs)}`);
}

/** The answer, unless it is that of a server that refuses. */
function succeeded(answer: Answer, what: string): Answer {
  const { status, bytes } = answer;
  if (status >= 200 && status < 300) return answer;
  let why = "";
  try {
    const { error } = fieldsOf(bytes, status, what);
    why = typeof error === "string" ? `: ${error.slice(0, 400)}` : "";
  } catch {
    // a page of a proxy
  }
  throw new TritonError(`the server refuses ${what} (status ${status})${why}`, status);
}

async function fieldsAt(connection: Connection, path: string, what: string): Promise<Fields> {
  const { bytes, status } = succeeded(await ask(connection, { path }), what);
  return fieldsOf(bytes, status, `what ${connection.url} says of ${what}`);
}

/** What the server knows beyond the protocol; nothing where it does not say. */
async function extensionsOf(connection: Connection): Promise<ReadonlySet<unknown>> {
  const answer = await ask(connection, { path: "v2" });
  if (answer.status !== 200) return new Set();
  const { extensions } = fieldsOf(answer.bytes, answer.status, `what ${connection.url} says of itself`);
  return new Set(Array.isArray(extensions) ? extensions : []);
}

/** The key of the configuration that has the names of the axes of a value, as a list in JSON. */
export const NAMES_KEY = "nx.names.";

/** The names of axes in the configuration of the model. */
async function writtenNames(connection: Connection, path: string): Promise<Record<string, Names>> {
  const answer = await ask(connection, { path: `${path}/config` });
  if (answer.status !== 200) return {};
  const { parameters } = fieldsOf(answer.bytes, answer.status, "the configuration of the model");
  const entries = Object.entries((parameters ?? {}) as Readonly<Record<string, { readonly string_value?: unknown }>>);
  return Object.fromEntries(
    entries.flatMap(([key, value]) => {
      const names = key.startsWith(NAMES_KEY) ? namesOf(value?.string_value) : null;
      return names === null ? [] : [[key.slice(NAMES_KEY.length), names]];
    }),
  );
}

function namesOf(text: unknown): Names | null {
  try {
    const names: unknown = JSON.parse(String(text));
    const isName = (one: unknown): boolean => one === null || (typeof one === "string" && one !== "");
    return Array.isArray(names) && names.every(isName) ? (names as Names) : null;
  } catch {
    return null;
  }
}

function valuesOf(list: unknown, key: string, model: string): readonly TritonValue[] {
  const values = (Array.isArray(list) ? list : []) as readonly Fields[];
  const isValue = ({ name, datatype, shape }: Fields): boolean =>
    typeof name === "string" && typeof datatype === "string" && Array.isArray(shape) && shape.every(isDim);
  if (!Array.isArray(list) || !values.every((value) => typeof value === "object" && value !== null && isValue(value))) {
    throw new TritonError(
      `the server says nothing that makes sense of the ${key} of the model ${model}: ${shown(list)}`,
      200,
    );
  }
  return Object.freeze(
    values.map(({ name, datatype, shape }) => {
      const type = wireType(datatype);
      const dims = Object.freeze((shape as readonly unknown[]).map(Number));
      return { name: name as string, type: type && tensorType(type), datatype: datatype as string, dims };
    }),
  );
}

/** Sizes are integers; servers write some of them as text. */
const isDim = (dim: unknown): boolean => Number.isSafeInteger(Number(dim)) && Number(dim) >= -1;

const textOf = ({ name, datatype, dims }: TritonValue): string => `${name}: ${wireText(datatype, dims)}`;

/** The tensors of a request, checked against what the model takes. */
function sentOf(
  model: string,
  inputs: readonly TritonValue[],
  given: Readonly<Record<string, Operand>>,
  names: Readonly<Record<string, Names>>,
): Sent[] {
  const isPlain = typeof given === "object" && given !== null && !(given instanceof Tensor);
  const found = isPlain ? Object.keys(given) : [shown(given)];
  const isEach = found.length === inputs.length && inputs.every(({ name }) => found.includes(name));
  if (!isPlain || !isEach) {
    throw new ArgumentError(
      `the model ${model} has the inputs ${inputs.map(textOf).join(", ")}, got: ${found.join(", ") || "none"}`,
    );
  }
  return inputs.map((input) => sentInput(model, input, given[input.name]!, names[input.name]));
}

function sentInput(model: string, input: TritonValue, given: Operand, names: Names | undefined): Sent {
  const { name, datatype, type, dims } = input;
  const is = `the input ${name} of the model ${model} is ${wireText(datatype, dims)}`;
  if (type === null) throw new ArgumentError(`${is}, whose elements no tensor has`);
  const tensor = given instanceof Tensor ? given : Nx.tensor(given, { type });
  const got =
    tensor.type +
    tensor.shape.map((size, i) => (tensor.names[i] == null ? `[${size}]` : `[${tensor.names[i]}: ${size}]`)).join("");
  const isShape = tensor.rank === dims.length && dims.every((dim, i) => dim === -1 || dim === tensor.shape[i]);
  if (!isShape) throw new ArgumentError(`${is}, got ${got}`);
  if (tensor.type !== type) throw new ArgumentError(`${is}, got ${got}; cast it by Nx.asType(${name}, "${type}")`);
  const isNamed = (names ?? []).every((own, i) => own === null || tensor.names[i] == null || own === tensor.names[i]);
  if (!isNamed) throw new ArgumentError(`${is} with the axes ${shown(names)}, got ${got}`);
  return { name, type: wireTypeOf(datatype), tensor };
}

const wireTypeOf = (datatype: string): WireType =>
  (Object.keys(DATATYPES) as WireType[]).find((type) => DATATYPES[type] === datatype)!;

async function healthOf(connection: Connection, path: string): Promise<TritonHealth> {
  const isWell = async (place: string): Promise<boolean> => {
    try {
      return (await ask({ ...connection, retries: 0 }, { path: place })).status === 200;
    } catch (error) {
      if (error instanceof TritonError) return false;
      throw error;
    }
  };
  const [live, ready, model] = await Promise.all(["v2/health/live", "v2/health/ready", `${path}/ready`].map(isWell));
  return { live: live!, ready: ready!, model: model! };
}
