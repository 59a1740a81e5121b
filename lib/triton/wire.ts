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

/** A request for inference. */
export function encodeRequest(
  path: string,
  inputs: readonly Sent[],
  outputs: readonly string[],
  isBinary: boolean,
): Request {
  const parts: Uint8Array[] = [];
  const heads = inputs.map(({ name, type, tensor }) => {
    const head = { name, datatype: DATATYPES[type], shape: tensor.shape };
    if (!isBinary) return { ...head, data: listOf(name, type, tensor) };
    const bytes = Nx.toBinary(truthOf(type, tensor));
    parts.push(bytes);
    return { ...head, parameters: { binary_data_size: bytes.length } };
  });
  const parameters = isBinary ? { parameters: { binary_data_output: true } } : {};
  const request = { inputs: heads, outputs: outputs.map((name) => ({ name })), ...parameters };
  const json = new (texts().TextEncoder)().encode(JSON.stringify(request));
  const headers = { "Content-Type": isBinary ? "application/octet-stream" : "application/json" };
  if (!isBinary) return { path, headers, body: json };
  const length = parts.reduce((sum, part) => sum + part.length, json.length);
  return {
    path,
    headers: { ...headers, [HEADER_LENGTH]: String(json.length) },
    body: joined([json, ...parts], length),
  };
}

/** Truth values are bytes of 0 and 1. */
const truthOf = (type: WireType, tensor: Tensor): Tensor => (type === "bool" ? Nx.notEqual(tensor, 0) : tensor);

/** Elements as JSON has them, in one list. */
function listOf(name: string, type: WireType, tensor: Tensor): unknown[] {
  if (type === "f16" || type === "bf16") {
    throw new ArgumentError(
      `the input ${name} is ${type}, which has no form in JSON: the server needs the extension for binary tensors`,
    );
  }
  return Nx.toFlatList(tensor).map((value) => {
    if (type === "bool") return value !== 0;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    throw new ArgumentError(
      `the input ${name} has the element ${String(value)}, which JSON cannot hold: the server needs the extension for binary tensors`,
    );
  });
}

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

/** The tensors of an answer to a request for inference, by name. */
export function decodeAnswer(
  { bytes, headerLength, status }: Answer,
  names: Readonly<Record<string, Names>>,
): Record<string, Tensor> {
  const length = headerLength === null ? bytes.length : Number(headerLength);
  if (!Number.isInteger(length) || length < 0 || length > bytes.length) {
    throw new TritonError(`the answer says that ${shown(headerLength)} of its ${bytes.length} bytes are JSON`, status);
  }
  const { outputs } = fieldsOf(bytes.subarray(0, length), status, "the answer");
  if (!Array.isArray(outputs)) throw new TritonError(`the answer has no list of outputs: ${shown(outputs)}`, status);
  let at = length;
  const tensors: Record<string, Tensor> = {};
  for (const output of outputs as readonly Fields[]) {
    const head = headOf(output, status);
    const size = binarySize(output);
    const elements = size === null ? bytesOfList(head, output.data) : bytes.subarray(at, at + size);
    if (elements.length !== head.bytes) {
      throw new TritonError(
        `the output ${head.name} has ${elements.length} bytes of elements, ${wireText(head.datatype, head.shape)} takes ${head.bytes}`,
        status,
      );
    }
    at += size ?? 0;
    Object.defineProperty(tensors, head.name, {
      value: tensorOf(head, elements, names),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return tensors;
}

/** An output without its elements. */
interface Head {
  readonly name: string;
  readonly datatype: string;
  readonly type: WireType;
  readonly shape: readonly number[];
  readonly bytes: number;
  readonly status: number;
}

function headOf(output: Fields | null, status: number): Head {
  const { name, datatype, shape } = output ?? {};
  const type = wireType(datatype);
  const isShape =
    Array.isArray(shape) && shape.length <= 64 && shape.every((dim) => Number.isSafeInteger(dim) && dim >= 0);
  if (typeof name !== "string" || type === null || !isShape) {
    throw new TritonError(`the answer has an output that no tensor is: ${shown({ name, datatype, shape })}`, status);
  }
  const sizes = shape as readonly number[];
  const head = { name, datatype: datatype as string, type, shape: sizes, status };
  return { ...head, bytes: sizes.reduce((product, dim) => product * dim, widthOf(type)) };
}

function binarySize({ parameters }: Fields): number | null {
  const size = (parameters as { readonly binary_data_size?: unknown } | undefined)?.binary_data_size;
  return Number.isSafeInteger(size) && (size as number) >= 0 ? (size as number) : null;
}

/** Elements of JSON, in lists within lists or in one, as bytes. */
function bytesOfList({ name, type, status, bytes }: Head, data: unknown): Uint8Array {
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
      `the output ${name} has elements that are no ${DATATYPES[type]}: ${shown(wrong < 0 ? data : list[wrong])}`,
      status,
    );
  }
  if (isWhole && !list.every((value) => Number.isSafeInteger(value))) {
    throw new TritonError(
      `the output ${name} has integers beyond 2^53 in JSON, which lose digits: the server needs the extension for binary tensors`,
      status,
    );
  }
  const length = list.length * widthOf(type);
  if (length !== bytes || length === 0) return new Uint8Array(length);
  return Nx.toBinary(Nx.tensor(list.map(Number), { type: tensorType(type), backend: "binary" }));
}

function tensorOf(
  { name, type, shape, status }: Head,
  bytes: Uint8Array,
  names: Readonly<Record<string, Names>>,
): Tensor {
  if (shape.includes(0)) {
    throw new TritonError(
      `the output ${name} is ${wireText(DATATYPES[type], shape)}, and empty tensors do not exist`,
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
