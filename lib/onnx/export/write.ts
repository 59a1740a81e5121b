/**
 * Operations as the messages of a file: values get names, constants become initializers.
 */
import { create, toBinary } from "@bufbuild/protobuf";
import {
  AttributeProto_AttributeType as AttributeType,
  AttributeProtoSchema,
  GraphProtoSchema,
  ModelProtoSchema,
  NodeProtoSchema,
  ValueInfoProtoSchema,
  type AttributeProto,
  type GraphProto,
  type NodeProto,
  type TensorProto,
  type ValueInfoProto,
} from "../schema/onnx_pb";
import type { DType } from "nx-numerics";
import { ELEMENT_TYPES, tensorProto } from "../types";
import { NAMES_KEY, type OnnxValue } from "../value";
import type { Attribute, Body, Operation, Value } from "./ir";

/** The version of the file format that came with each version of the operators. */
const FORMATS: readonly (readonly [opset: number, format: bigint])[] = [
  [25, 12n],
  [24, 11n],
  [23, 11n],
  [21, 10n],
  [19, 9n],
  [0, 8n],
];

export interface Written {
  readonly body: Body;
  /** Which sizes of the inputs of graphs within nodes differ from those that were traced. */
  readonly varying?: ReadonlyMap<Value, readonly boolean[]>;
  readonly opset: number;
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
}

/** The bytes of a model. What goes in or comes out in another type than the body's is cast. */
export function modelBytes({ body, varying = new Map(), opset, inputs, outputs }: Written): Uint8Array {
  const namer = new Namer(varying);
  const casts = inputs.flatMap(({ name, type }, i): Operation[] => {
    const value = body.inputs[i]!;
    const outer: Value = isOther(type, value) ? { type, shape: value.shape } : value;
    namer.give(outer, name);
    return outer === value ? [] : [castOf(outer, value)];
  });
  const named = new Set(body.inputs);
  const made = new Set(body.operations.flatMap((operation) => operation.outputs));
  const copies = body.outputs.flatMap((value, i): Operation[] => {
    const { name, type } = outputs[i]!;
    if (isOther(type, value)) {
      const outer: Value = { type, shape: value.shape };
      namer.give(outer, name);
      return [castOf(value, outer)];
    }
    if (made.has(value) && !named.has(value)) {
      named.add(value);
      namer.give(value, name);
      return [];
    }
    const copy: Value = { type: value.type, shape: value.shape };
    namer.give(copy, name);
    return [{ op: "Identity", inputs: [value], outputs: [copy], attributes: {}, place: () => null }];
  });
  const node = [...casts, ...body.operations, ...copies].map((operation) => namer.node(operation));
  const graph = create(GraphProtoSchema, {
    name: "nx",
    node,
    initializer: namer.initializers,
    input: inputs.map(valueInfo),
    output: outputs.map(valueInfo),
  });
  const model = create(ModelProtoSchema, {
    irVersion: FORMATS.find(([first]) => opset >= first)![1],
    producerName: "nx-numerics",
    graph,
    opsetImport: [{ domain: "", version: BigInt(opset) }],
  });
  return toBinary(ModelProtoSchema, model);
}

/** Whether a value crosses the boundary of the model in another type; truth values of the body are `u8` there. */
const isOther = (type: DType, value: Value): boolean => value.type === "bf16" && type !== "bf16";

const castOf = (from: Value, to: Value): Operation => ({
  op: "Cast",
  inputs: [from],
  outputs: [to],
  attributes: { to: ELEMENT_TYPES[to.type] },
  place: () => null,
});

/** Names of axes stand with each value, and as the meaning of its dimensions. */
function valueInfo({ name, type, dims, names }: OnnxValue): ValueInfoProto {
  const dim = dims.map((size, i) => ({
    ...(names[i] == null ? {} : { denotation: names[i] }),
    value:
      typeof size === "number"
        ? { case: "dimValue" as const, value: BigInt(size) }
        : { case: "dimParam" as const, value: size ?? "" },
  }));
  const hasNames = names.some((axis) => axis !== null);
  return create(ValueInfoProtoSchema, {
    name,
    type: { value: { case: "tensorType", value: { elemType: ELEMENT_TYPES[type], shape: { dim } } } },
    ...(hasNames ? { metadataProps: [{ key: NAMES_KEY, value: JSON.stringify(names) }] } : {}),
  });
}

/** Gives names, once for each value. */
class Namer {
  readonly initializers: TensorProto[] = [];
  private readonly names = new Map<Value, string>();
  private readonly taken = new Set<string>();
  private next = { v: 0, c: 0 };

  constructor(private readonly varying: ReadonlyMap<Value, readonly boolean[]>) {}

  give(value: Value, name: string): void {
    this.names.set(value, name);
    this.taken.add(name);
  }

  private fresh(prefix: "v" | "c"): string {
    for (;;) {
      const name = `${prefix}${this.next[prefix]++}`;
      if (!this.taken.has(name)) return name;
    }
  }

  nameOf(value: Value): string {
    const known = this.names.get(value);
    if (known !== undefined) return known;
    const name = this.fresh(value.bytes === undefined ? "v" : "c");
    this.give(value, name);
    if (value.bytes !== undefined) this.initializers.push(tensorProto(name, value.type, value.shape, value.bytes));
    return name;
  }

  node({ op, inputs, outputs, attributes }: Operation): NodeProto {
    return create(NodeProtoSchema, {
      opType: op,
      input: inputs.map((value) => (value === null ? "" : this.nameOf(value))),
      output: outputs.map((value) => this.nameOf(value)),
      attribute: Object.entries(attributes).map(([name, value]) => this.attribute(name, value)),
    });
  }

  private attribute(name: string, value: Attribute): AttributeProto {
    if (typeof value === "number")
      return create(AttributeProtoSchema, { name, type: AttributeType.INT, i: BigInt(value) });
    if (typeof value === "string") {
      return create(AttributeProtoSchema, {
        name,
        type: AttributeType.STRING,
        s: Uint8Array.from(value, (c) => c.charCodeAt(0)),
      });
    }
    if ("operations" in value)
      return create(AttributeProtoSchema, { name, type: AttributeType.GRAPH, g: this.graph(value) });
    if ("float" in value) return create(AttributeProtoSchema, { name, type: AttributeType.FLOAT, f: value.float });
    return create(AttributeProtoSchema, { name, type: AttributeType.INTS, ints: value.map(BigInt) });
  }

  /** A graph within a node. */
  private graph({ inputs, operations, outputs }: Body): GraphProto {
    const input = inputs.map((value) => this.info(value));
    const node = operations.map((operation) => this.node(operation));
    const output = outputs.map((value) => this.info(value)); // onnxruntime cannot always find the shapes of a body's results
    return create(GraphProtoSchema, { name: `${this.fresh("v")}_body`, node, input, output });
  }

  private info(value: Value): ValueInfoProto {
    const varies = this.varying.get(value);
    const dim = value.shape.map((size, i) =>
      varies?.[i] ? {} : { value: { case: "dimValue" as const, value: BigInt(size) } },
    );
    return create(ValueInfoProtoSchema, {
      name: this.nameOf(value),
      type: { value: { case: "tensorType", value: { elemType: ELEMENT_TYPES[value.type], shape: { dim } } } },
    });
  }
}
