/**
 * A file as a model: graphs of nodes with tensors for constants. Reading checks everything that does not depend on what a call brings: sizes,
 * depth, names, versions.
 */
import { fromBinary } from "@bufbuild/protobuf";
import { getTextEncoding } from "@bufbuild/protobuf/wire";
import { ArgumentError, type Tensor } from "nx-numerics";
import {
  AttributeProto_AttributeType as Type,
  ModelProtoSchema,
  type AttributeProto,
  type FunctionProto,
  type GraphProto,
  type ModelProto,
  type NodeProto,
  type OperatorSetIdProto,
  type TensorProto,
} from "../schema/onnx_pb";
import { tensorOf, elementType, tensorType } from "../types";
import { Attributes, type Attribute } from "./attributes";
import type { Limits } from "./limits";
import { BOOL, truthsOf, type Values } from "./truths";
import { Empty } from "./values";

/** A node; `version` is that of the operators of its domain. */
export interface Node {
  readonly op: string;
  readonly domain: string;
  readonly name: string;
  readonly version: number;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: Attributes;
}

/** A graph: names of what it takes and gives, constants by name, nodes in the order in which they run. */
export interface Graph {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly constants: ReadonlyMap<string, Tensor | Empty>;
  readonly nodes: readonly Node[];
}

/** A function of a model, which nodes call by its name and domain. */
export interface ModelFunction extends Graph {
  readonly defaults: Attributes;
}

/** A model that was read. */
export interface Model {
  readonly graph: Graph;
  readonly proto: ModelProto;
  readonly functions: ReadonlyMap<string, ModelFunction>;
}

/** The versions of the operators of each domain. */
type Versions = ReadonlyMap<string, number>;

/** The newest version of the operators that is known here. */
const NEWEST = 26;

/** Other names of the domain of the operators of ONNX itself. */
const domainOf = (domain: string): string => (domain === "ai.onnx" ? "" : domain);

export const keyOf = (domain: string, op: string): string => `${domain}:${op}`;

/** A file as a model. */
export function readModel(bytes: Uint8Array, limits: Limits): Model {
  const proto = decode(bytes, limits);
  if (!proto.graph) throw new ArgumentError("fromOnnx: the file holds no graph; is it an ONNX model?");
  const reader = new Reader(limits);
  const versions = versionsOf(proto.opsetImport);
  const functions = new Map(
    proto.functions.map((fn) => [keyOf(domainOf(fn.domain), fn.name), reader.function(fn, versions)]),
  );
  return { graph: reader.graph(proto.graph, versions, 0), proto, functions };
}

function decode(bytes: unknown, limits: Limits): ModelProto {
  if (!(bytes instanceof Uint8Array)) {
    throw new ArgumentError(
      "fromOnnx expects the bytes of an ONNX file as a Uint8Array, such as fs.readFileSync(path)",
    );
  }
  if (bytes.length > limits.bytes) {
    throw new ArgumentError(`fromOnnx: the file has ${bytes.length} bytes, more than the limit of ${limits.bytes}`);
  }
  try {
    return fromBinary(ModelProtoSchema, bytes);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ArgumentError(`fromOnnx: the bytes are no ONNX model: ${reason}`, { cause });
  }
}

function versionsOf(sets: readonly OperatorSetIdProto[]): Versions {
  const versions = new Map(sets.map(({ domain, version }) => [domainOf(domain), Number(version)]));
  const own = versions.get("");
  if (own !== undefined && !(own >= 1 && own <= NEWEST)) {
    throw new ArgumentError(
      `fromOnnx reads operators of the versions 1 to ${NEWEST}, the model has opset ${own}; export it with an older opset_version`,
    );
  }
  return versions;
}

/** Reads graphs, and counts what it has read. */
class Reader {
  private nodes = 0;
  /** Names of truth values in the graph that is read. */
  private truths: ReadonlySet<string> = new Set();

  constructor(private readonly limits: Limits) {}

  function(proto: FunctionProto, model: Versions): ModelFunction {
    const own = versionsOf(proto.opsetImport);
    const versions = new Map([...model, ...own]);
    return {
      name: proto.name,
      inputs: proto.input,
      outputs: proto.output,
      constants: new Map(),
      nodes: this.within(new Set(), proto, () => proto.node.map((node) => this.node(node, versions, 1))),
      defaults: this.attributes(proto.attributeProto, versions, 1),
    };
  }

  graph(proto: GraphProto, versions: Versions, depth: number): Graph {
    if (depth > this.limits.depth) {
      throw new ArgumentError(`fromOnnx: graphs are nested more than ${this.limits.depth} deep, the limit`);
    }
    if (proto.sparseInitializer.length > 0) {
      throw new ArgumentError("fromOnnx does not read sparse tensors; the model has some among its initializers");
    }
    return {
      name: proto.name,
      inputs: proto.input.map(({ name }) => name),
      outputs: proto.output.map(({ name }) => name),
      constants: new Map(proto.initializer.map((tensor) => [tensor.name, this.tensor(tensor)])),
      nodes: this.within(this.truths, proto, () => proto.node.map((node) => this.node(node, versions, depth))),
    };
  }

  /** Reads the nodes of a graph, with its truth values known. */
  private within<R>(outer: ReadonlySet<string>, values: Values, read: () => R): R {
    const before = this.truths;
    this.truths = truthsOf(values, outer);
    const result = read();
    this.truths = before;
    return result;
  }

  private node(proto: NodeProto, versions: Versions, depth: number): Node {
    if (++this.nodes > this.limits.nodes) {
      throw new ArgumentError(`fromOnnx: the model has more than ${this.limits.nodes} nodes, the limit`);
    }
    const domain = domainOf(proto.domain);
    if (domain === "" && proto.opType === "CastLike" && this.truths.has(proto.input[1] ?? "")) {
      return {
        ...this.node({ ...proto, opType: "Cast", input: proto.input.slice(0, 1) }, versions, depth),
        attributes: TO_TRUTHS,
      };
    }
    return {
      op: proto.opType,
      domain,
      name: proto.name,
      version: versions.get(domain) ?? 1,
      inputs: withoutEnd(proto.input),
      outputs: withoutEnd(proto.output),
      attributes: this.attributes(proto.attribute, versions, depth),
    };
  }

  private attributes(list: readonly AttributeProto[], versions: Versions, depth: number): Attributes {
    return new Attributes(new Map(list.map((proto) => [proto.name, this.attribute(proto, versions, depth)])));
  }

  private attribute(proto: AttributeProto, versions: Versions, depth: number): Attribute {
    if (proto.refAttrName !== "") return { kind: "reference", value: proto.refAttrName };
    switch (kindOf(proto)) {
      case Type.FLOAT:
        return { kind: "float", value: proto.f };
      case Type.INT:
        return { kind: "int", value: Number(proto.i) };
      case Type.STRING:
        return { kind: "string", value: text(proto.s) };
      case Type.TENSOR:
        return proto.t ? this.constant(proto.t) : { kind: "unsupported", value: "missing tensor" };
      case Type.GRAPH:
        return proto.g
          ? { kind: "graph", value: this.graph(proto.g, versions, depth + 1) }
          : { kind: "unsupported", value: "missing graph" };
      case Type.FLOATS:
        return { kind: "floats", value: proto.floats };
      case Type.INTS:
        return { kind: "ints", value: proto.ints.map(Number) };
      case Type.STRINGS:
        return { kind: "strings", value: proto.strings.map(text) };
      default:
        return { kind: "unsupported", value: Type[proto.type] ?? `kind ${proto.type}` };
    }
  }

  /** A tensor among the attributes; one that has no type of ours is an error where it is used. */
  private constant(proto: TensorProto): Attribute {
    return proto.dataType === STRINGS
      ? { kind: "unsupported", value: "tensor of strings" }
      : { kind: "tensor", value: this.tensor(proto) };
  }

  private tensor(proto: TensorProto): Tensor | Empty {
    const size = proto.dims.reduce((product, dim) => product * Number(dim), 1);
    if (size > this.limits.elements) {
      throw new ArgumentError(
        `fromOnnx: the tensor ${JSON.stringify(proto.name)} has ${size} elements, more than the limit of ${this.limits.elements}`,
      );
    }
    const dims = proto.dims.map(Number);
    if (dims.includes(0) && dims.every((dim) => dim >= 0)) {
      return new Empty(tensorType(elementType(proto.dataType, `the tensor ${JSON.stringify(proto.name)}`)), dims);
    }
    return tensorOf(proto);
  }
}

const STRINGS = 8;

const TO_TRUTHS = new Attributes(new Map([["to", { kind: "int", value: BOOL }]]));

const text = (bytes: Uint8Array): string => getTextEncoding().decodeUtf8(bytes);

/** The kind of an attribute; the oldest files do not say it. */
function kindOf(proto: AttributeProto): Type {
  if (proto.type !== Type.UNDEFINED) return proto.type;
  if (proto.t) return Type.TENSOR;
  if (proto.g) return Type.GRAPH;
  if (proto.ints.length > 0) return Type.INTS;
  if (proto.floats.length > 0) return Type.FLOATS;
  if (proto.strings.length > 0) return Type.STRINGS;
  if (proto.s.length > 0) return Type.STRING;
  return proto.f === 0 ? Type.INT : Type.FLOAT;
}

/** Names without those left out at the end. */
function withoutEnd(names: readonly string[]): readonly string[] {
  let length = names.length;
  while (length > 0 && names[length - 1] === "") length--;
  return names.slice(0, length);
}
