/**
 * Tensors in requests and answers of the KServe protocol (version 2): a part in JSON and, with the extension for binary tensors, the
 * elements behind it as little-endian bytes.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Names, type Tensor } from "nx-numerics";
import { shown, TritonError } from "./error";
import { HEADER_LENGTH, joined, type Answer, type Request } from "./http";
import { DATATYPES, tensorType, widthOf, wireText, wireType, type WireType } from "./types";

/** A tensor of the request with the name and the type that the model gives it. */
export interface Sent {
  readonly name: string;
  readonly type: WireType;
  readonly tensor: Tensor;
}

interface Texts {
  readonly TextEncoder: new () => { encode(text: string): Uint8Array };
  readonly TextDecoder: new (encoding: string, options: { fatal: boolean }) => { decode(bytes: Uint8Array): string };
}

const texts = (): Texts => globalThis as unknown as Texts;

/** The bytes of a message, and the headers that say how to read them. */
export interface InferenceMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Requests have their tensors as `inputs`, answers as `outputs`. */
type Side = "inputs" | "outputs";

function encodeTensors(side: Side, sent: readonly Sent[], fields: object, isBinary: boolean): InferenceMessage {
  const parts: Uint8Array[] = [];
  const heads = sent.map(({ name, type, tensor }) => {
    const head = { name, datatype: DATATYPES[type], shape: tensor.shape };
    if (!isBinary) return { ...head, data: listOf(nounOf(side), name, type, tensor) };
    const bytes = Nx.toBinary(truthOf(type, tensor));
    parts.push(bytes);
    return { ...head, parameters: { binary_data_size: bytes.length } };
  });
  const json = new (texts().TextEncoder)().encode(JSON.stringify({ [side]: heads, ...fields }));
  const headers = { "Content-Type": isBinary ? "application/octet-stream" : "application/json" };
  if (!isBinary) return { headers, body: json };
  const length = parts.reduce((sum, part) => sum + part.length, json.length);
  return { headers: { ...headers, [HEADER_LENGTH]: String(json.length) }, body: joined([json, ...parts], length) };
}

/** `input` or `output`, for messages. */
const nounOf = (side: Side): string => side.slice(0, -1);

/** A request for inference. */
export function encodeRequest(
  path: string,
  inputs: readonly Sent[],
  outputs: readonly string[],
  isBinary: boolean,
): Request {
  const parameters = isBinary ? { parameters: { binary_data_output: true } } : {};
  return {
    path,
    ...encodeTensors("inputs", inputs, { outputs: outputs.map((name) => ({ name })), ...parameters }, isBinary),
  };
}

/** Truth values are bytes of 0 and 1. */
const truthOf = (type: WireType, tensor: Tensor): Tensor => (type === "bool" ? Nx.notEqual(tensor, 0) : tensor);

/** Elements as JSON has them, in one list. */
function listOf(noun: string, name: string, type: WireType, tensor: Tensor): unknown[] {
  if (type === "f16" || type === "bf16") {
    throw new ArgumentError(`the ${noun} ${name} is ${type}, which has no form in JSON: ${needOf(noun)}`);
  }
  return Nx.toFlatList(tensor).map((value) => {
    if (type === "bool") return value !== 0;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    throw new ArgumentError(
      `the ${noun} ${name} has the element ${String(value)}, which JSON cannot hold: ${needOf(noun)}`,
    );
  });
}

/** What has to be so for elements to travel as bytes. */
const needOf = (noun: string): string =>
  noun === "input" ? "the server needs the extension for binary tensors" : "the request has to ask for bytes";

/** A part of an answer in JSON, whatever it is. */
export type Fields = Readonly<Record<string, unknown>>;

/** The object that bytes of an answer are in JSON. */
export function fieldsOf(bytes: Uint8Array, status: number, what: string): Fields {
  try {
    const value: unknown = JSON.parse(new (texts().TextDecoder)("utf-8", { fatal: true }).decode(bytes));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  } catch {
    // what follows says it
  }
  throw new TritonError(`${what} is not the JSON of the KServe protocol (status ${status})`, status);
}

/** A received message, with its name in errors. */
interface Came extends Pick<Answer, "bytes" | "status"> {
  readonly headerLength: string | number | null;
  readonly what: string;
  readonly side: Side;
}

/** The tensors of a message by name, and its part in JSON. */
function decodeTensors(
  { bytes, headerLength, status, what, side }: Came,
  names: Readonly<Record<string, Names>>,
): { readonly tensors: Record<string, Tensor>; readonly fields: Fields } {
  const length = headerLength === null ? bytes.length : Number(headerLength);
  if (!Number.isInteger(length) || length < 0 || length > bytes.length) {
    throw new TritonError(`${what} says that ${shown(headerLength)} of its ${bytes.length} bytes are JSON`, status);
  }
  const fields = fieldsOf(bytes.subarray(0, length), status, what);
  const values = fields[side];
  if (!Array.isArray(values)) throw new TritonError(`${what} has no list of ${side}: ${shown(values)}`, status);
  let at = length;
  const tensors: Record<string, Tensor> = {};
  for (const value of values as readonly Fields[]) {
    const head = headOf(value, status, what, nounOf(side));
    const size = binarySize(value);
    const elements = size === null ? bytesOfList(head, value.data) : bytes.subarray(at, at + size);
    if (elements.length !== head.bytes) {
      throw new TritonError(
        `the ${head.noun} ${head.name} has ${elements.length} bytes of elements, ${wireText(head.datatype, head.shape)} takes ${head.bytes}`,
        status,
      );
    }
    at += size ?? 0;
    if (Object.hasOwn(tensors, head.name)) throw new TritonError(`${what} has two ${side} called ${head.name}`, status);
    Object.defineProperty(tensors, head.name, {
      value: tensorOf(head, elements, names),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return { tensors, fields };
}

/** The tensors of an answer to a request for inference, by name. */
export const decodeAnswer = (answer: Answer, names: Readonly<Record<string, Names>>): Record<string, Tensor> =>
  decodeTensors({ ...answer, what: "the answer", side: "outputs" }, names).tensors;

/** A request for inference, as a server reads it. */
export interface InferenceRequest {
  /** The tensors by name. */
  readonly inputs: Record<string, Tensor>;
  /** The names of the outputs that are asked for; null for all. */
  readonly outputs: readonly string[] | null;
  /** Whether the answer may have bytes behind its part in JSON. */
  readonly binary: boolean;
}

/** Status of requests that make no sense. */
const BAD_REQUEST = 400;

/**
 * Reads a request for inference of the KServe protocol, version 2, as servers do: {@link triton} and other clients send it to
 * `/v2/models/NAME/infer`.
 *
 * @param body - the bytes of the request
 * @param headerLength - the header `Inference-Header-Content-Length`; all of the body is JSON where there is none
 * @returns the inputs by name, the outputs that are asked for, and whether bytes may answer
 * @throws TritonError with status 400 for what is no such request, and for tensors without elements
 * @example
 * ```ts
 * import { decodeRequest, encodeResponse } from "nx-numerics/triton";
 * const body = new TextEncoder().encode('{"inputs":[{"name":"x","datatype":"FP32","shape":[2],"data":[1,2.5]}]}');
 * const { inputs, outputs, binary } = decodeRequest(body);
 * inputs.x;
 * // => #Nx.Tensor<
 * //   f32[2]
 * //   [1.0, 2.5]
 * // >
 * [outputs, binary];
 * // => [null, false]
 * new TextDecoder().decode(encodeResponse({ y: inputs.x!.multiply(2) }, { binary }).body);
 * // => '{"outputs":[{"name":"y","datatype":"FP32","shape":[2],"data":[2,5]}]}'
 * decodeRequest(new Uint8Array(3));
 * // throws TritonError: the request is not the JSON of the KServe protocol (status 400)
 * ```
 */
export function decodeRequest(body: Uint8Array, headerLength?: string | number | null): InferenceRequest {
  if (!(body instanceof Uint8Array)) {
    throw new ArgumentError(`decodeRequest expects the bytes of a request as a Uint8Array, got: ${shown(body)}`);
  }
  const isLength = headerLength == null || typeof headerLength === "string" || typeof headerLength === "number";
  if (!isLength)
    throw new ArgumentError(`decodeRequest expects the length of the part in JSON, got: ${shown(headerLength)}`);
  const came = { bytes: body, headerLength: headerLength ?? null, status: BAD_REQUEST, what: "the request" };
  const { tensors, fields } = decodeTensors({ ...came, side: "inputs" }, {});
  const { outputs, parameters } = fields as { readonly outputs?: unknown; readonly parameters?: Fields | null };
  const asked = Array.isArray(outputs) ? (outputs as (Fields | null)[]) : null;
  const named = asked && asked.map((one) => one?.name);
  if (named?.some((name) => typeof name !== "string"))
    throw new TritonError(`the request asks for outputs without names: ${shown(outputs)}`, BAD_REQUEST);
  const all = parameters?.binary_data_output === true;
  const isBinary = (one: Fields | null): boolean => ((one?.parameters as Fields | null | undefined)?.binary_data ?? all) === true; // prettier-ignore
  const binary = asked === null || asked.length === 0 ? all : asked.every(isBinary);
  return { inputs: tensors, outputs: named as string[] | null, binary };
}

/** Options of {@link encodeResponse}. */
export interface ResponseOptions {
  /** Whether elements are bytes behind the part in JSON, as the request allows; false by default. */
  readonly binary?: boolean;
  /** Names of types by output, such as `"BOOL"` for a tensor of `u8`; those of the tensors by default. */
  readonly datatypes?: Readonly<Record<string, string>>;
  /** Further fields of the part in JSON, such as `model_name`. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

const OPTIONS: readonly string[] = ["binary", "datatypes", "fields"];

/** The depth of nested objects in a message, at most: an object that contains itself has no end. */
const DEPTH = 64;

/** Whether a value is one of JSON: texts, finite numbers, truth values, null, and lists and objects of them. */
const isJsonValue = (value: unknown, depth = 0): boolean =>
  value === null ||
  ["string", "boolean"].includes(typeof value) ||
  Number.isFinite(value) ||
  (typeof value === "object" && depth < DEPTH && Object.values(value).every((one) => isJsonValue(one, depth + 1)));

/**
 * Writes the answer to a request for inference of the KServe protocol, version 2: the other side of {@link decodeRequest}.
 *
 * @param outputs - tensors by name
 * @param options - `binary`; `datatypes`; `fields`
 * @returns the headers and the body of the answer
 * @throws ArgumentError for tensors that the protocol has no type for, and for elements that JSON cannot hold
 * @example
 * ```ts
 * import { encodeResponse } from "nx-numerics/triton";
 * const { headers, body } = encodeResponse({ seen: Nx.u8([0, 1]) }, { binary: true, datatypes: { seen: "BOOL" } });
 * [headers["Inference-Header-Content-Length"], body.length];
 * // => ["95", 97]
 * encodeResponse({ z: Nx.c64([new Nx.Complex(1, 2)]) });
 * // throws ArgumentError: encodeResponse: the output z is c64[1], which has no type in the KServe protocol
 * ```
 */
export function encodeResponse(
  outputs: Readonly<Record<string, Tensor>>,
  options: ResponseOptions = {},
): InferenceMessage {
  const isObject = (value: unknown): value is object => typeof value === "object" && value !== null && !Array.isArray(value); // prettier-ignore
  if (!isObject(outputs) || outputs instanceof Nx.Tensor)
    throw new ArgumentError(`encodeResponse expects tensors by name, got: ${shown(outputs)}`);
  const unknown = isObject(options) ? Object.keys(options).find((key) => !OPTIONS.includes(key)) : shown(options);
  if (unknown !== undefined)
    throw new ArgumentError(`encodeResponse takes the options ${OPTIONS.join(", ")}, got: ${unknown}`);
  const { binary = false, datatypes = {}, fields = {} } = options;
  const isNamed = isObject(datatypes) && Object.values<unknown>(datatypes).every((type) => typeof type === "string");
  const isJson = isObject(fields) && isJsonValue(fields) && !Object.hasOwn(fields, "outputs");
  if (typeof binary !== "boolean" || !isNamed || !isJson)
    throw new ArgumentError(
      "encodeResponse expects binary: a boolean, datatypes: names of types, fields: values of JSON other than outputs",
    );
  const sent = Object.entries(outputs).map(([name, tensor]): Sent => {
    if (!(tensor instanceof Nx.Tensor))
      throw new ArgumentError(`encodeResponse: the output ${name} must be a tensor, got: ${shown(tensor)}`);
    const wanted = Object.hasOwn(datatypes, name) ? datatypes[name] : undefined;
    const type = wireType(wanted ?? DATATYPES[tensor.type as WireType]);
    if (type !== null && tensorType(type) === tensor.type) return { name, type, tensor };
    const own = wireText(tensor.type, tensor.shape);
    throw new ArgumentError(
      wanted === undefined
        ? `encodeResponse: the output ${name} is ${own}, which has no type in the KServe protocol`
        : `encodeResponse: the output ${name} is ${own}, and not of the type ${wanted}`,
    );
  });
  return encodeTensors("outputs", sent, fields, binary);
}

/** A tensor of a message without its elements. */
interface Head {
  readonly noun: string;
  readonly name: string;
  readonly datatype: string;
  readonly type: WireType;
  readonly shape: readonly number[];
  readonly bytes: number;
  readonly status: number;
}

function headOf(value: Fields | null, status: number, what: string, noun: string): Head {
  const { name, datatype, shape } = value ?? {};
  const type = wireType(datatype);
  const isShape =
    Array.isArray(shape) && shape.length <= 64 && shape.every((dim) => Number.isSafeInteger(dim) && dim >= 0);
  if (typeof name !== "string" || type === null || !isShape) {
    throw new TritonError(`${what} has an ${noun} that no tensor is: ${shown({ name, datatype, shape })}`, status);
  }
  const sizes = shape as readonly number[];
  const head = { noun, name, datatype: datatype as string, type, shape: sizes, status };
  return { ...head, bytes: sizes.reduce((product, dim) => product * dim, widthOf(type)) };
}

function binarySize({ parameters }: Fields): number | null {
  const size = (parameters as { readonly binary_data_size?: unknown } | undefined)?.binary_data_size;
  return Number.isSafeInteger(size) && (size as number) >= 0 ? (size as number) : null;
}

/** Elements of JSON, in lists within lists or in one, as bytes. */
function bytesOfList({ noun, name, type, status, bytes }: Head, data: unknown): Uint8Array {
  const list = Array.isArray(data) ? (data.flat(64) as unknown[]) : [];
  const isWhole = /^[su]/.test(type);
  const isElement = (value: unknown): boolean => {
    if (type === "bool") return typeof value === "boolean" || value === 0 || value === 1;
    if (typeof value !== "number" || !isWhole) return typeof value === "number";
    return Number.isInteger(value) && value >= Nx.Type.minFinite(type) && value <= Nx.Type.maxFinite(type);
  };
  const wrong = list.findIndex((value) => !isElement(value));
  if (!Array.isArray(data) || wrong >= 0) {
    throw new TritonError(
      `the ${noun} ${name} has elements that are no ${DATATYPES[type]}: ${shown(wrong < 0 ? data : list[wrong])}`,
      status,
    );
  }
  if (isWhole && !list.every((value) => Number.isSafeInteger(value))) {
    throw new TritonError(
      `the ${noun} ${name} has integers beyond 2^53 in JSON, which lose digits: the server needs the extension for binary tensors`,
      status,
    );
  }
  const length = list.length * widthOf(type);
  if (length !== bytes || length === 0) return new Uint8Array(length);
  return Nx.toBinary(Nx.tensor(list.map(Number), { type: tensorType(type), backend: "binary" }));
}

function tensorOf(
  { noun, name, type, shape, status }: Head,
  bytes: Uint8Array,
  names: Readonly<Record<string, Names>>,
): Tensor {
  if (shape.includes(0)) {
    throw new TritonError(
      `the ${noun} ${name} is ${wireText(DATATYPES[type], shape)}, and empty tensors do not exist`,
      status,
    );
  }
  const own = Object.hasOwn(names, name) ? names[name]! : null;
  if (own !== null && own.length !== shape.length) {
    throw new ArgumentError(
      `there are ${own.length} names of axes for the output ${name}, which is ${wireText(DATATYPES[type], shape)}; ` +
        `give others by the option names of triton`,
    );
  }
  const elements = type === "bool" ? bytes.map((byte) => (byte === 0 ? 0 : 1)) : bytes.slice(); // of a buffer of their own
  return Nx.reshape(Nx.fromBinary(elements, tensorType(type)), shape, own === null ? {} : { names: own });
}
