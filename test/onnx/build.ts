/**
 * Small models for tests, made node by node.
 */
import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import * as Nx from "../../lib/index";
import type { Tensor } from "../../lib/index";
import {
  AttributeProto_AttributeType as Type,
  ModelProtoSchema,
  type AttributeProtoSchema,
  type FunctionProtoSchema,
  type GraphProtoSchema,
  type NodeProtoSchema,
  type TensorProto,
  type ValueInfoProtoSchema,
} from "../../lib/onnx/schema/onnx_pb";
import { ELEMENT_TYPES, protoOf, type ElementType } from "../../lib/onnx/types";

/** What a message is made of, which messages themselves are too. */
type Made<M> = Exclude<M, { readonly $typeName: string }>;

export type GraphInit = Made<MessageInitShape<typeof GraphProtoSchema>>;
type NodeInit = Made<MessageInitShape<typeof NodeProtoSchema>>;
type ValueInit = Made<MessageInitShape<typeof ValueInfoProtoSchema>>;
type AttributeInit = Made<MessageInitShape<typeof AttributeProtoSchema>>;

/** The value of an attribute: integers and floats are told apart by `float`. */
export type AttributeValue =
  | number
  | string
  | readonly number[]
  | readonly string[]
  | Tensor
  | { readonly float: number | readonly number[] }
  | { readonly graph: GraphInit };

function attribute(name: string, value: AttributeValue): AttributeInit {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  if (typeof value === "number") return { name, type: Type.INT, i: BigInt(value) };
  if (typeof value === "string") return { name, type: Type.STRING, s: bytes(value) };
  if (value instanceof Nx.Tensor) return { name, type: Type.TENSOR, t: protoOf("", value) };
  if (Array.isArray(value)) {
    return typeof value[0] === "string"
      ? { name, type: Type.STRINGS, strings: (value as string[]).map(bytes) }
      : { name, type: Type.INTS, ints: (value as number[]).map(BigInt) };
  }
  if ("graph" in value) return { name, type: Type.GRAPH, g: value.graph };
  const { float } = value as { float: number | readonly number[] };
  return typeof float === "number"
    ? { name, type: Type.FLOAT, f: float }
    : { name, type: Type.FLOATS, floats: [...float] };
}

/** A node: names of inputs and outputs by spaces, `_` for one that is left out. */
export function node(
  op: string,
  inputs: string,
  outputs: string,
  attributes: Readonly<Record<string, AttributeValue>> = {},
  domain = "",
): NodeInit {
  const names = (text: string): string[] =>
    text === "" ? [] : text.split(" ").map((name) => (name === "_" ? "" : name));
  return {
    opType: op,
    domain,
    input: names(inputs),
    output: names(outputs),
    attribute: Object.entries(attributes).map(([name, value]) => attribute(name, value)),
  };
}

/** A value: `x f32 batch 3`, or a name alone. */
export function value(text: string): ValueInit {
  const [name, type, ...dims] = text.split(" ");
  if (type === undefined) return { name: name! };
  const dim = dims.map((size) =>
    Number.isInteger(Number(size))
      ? { value: { case: "dimValue" as const, value: BigInt(size) } }
      : { value: size === "?" ? { case: undefined } : { case: "dimParam" as const, value: size } },
  );
  const elemType = ELEMENT_TYPES[type as ElementType];
  return { name: name!, type: { value: { case: "tensorType", value: { elemType, shape: { dim } } } } };
}

/** A graph; inputs and outputs by commas. */
export function graph(
  inputs: string,
  outputs: string,
  nodes: readonly NodeInit[],
  constants: Readonly<Record<string, Tensor | TensorProto>> = {},
): GraphInit {
  const values = (text: string): ValueInit[] => (text === "" ? [] : text.split(", ").map(value));
  return {
    name: "graph",
    input: values(inputs),
    output: values(outputs),
    node: [...nodes],
    initializer: Object.entries(constants).map(([name, each]) =>
      each instanceof Nx.Tensor ? protoOf(name, each) : each,
    ),
  };
}

interface Extra {
  readonly opset?: number;
  readonly functions?: readonly MessageInitShape<typeof FunctionProtoSchema>[];
  readonly domains?: readonly string[];
}

/** The bytes of a model of a graph. */
export function model(whole: GraphInit, { opset = 22, functions = [], domains = [] }: Extra = {}): Uint8Array {
  const opsetImport = [{ domain: "", version: BigInt(opset) }, ...domains.map((domain) => ({ domain, version: 1n }))];
  return toBinary(
    ModelProtoSchema,
    create(ModelProtoSchema, { irVersion: 9n, opsetImport, graph: whole, functions: [...functions] }),
  );
}
