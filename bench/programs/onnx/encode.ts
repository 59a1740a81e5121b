/**
 * Models as bytes of the ONNX format: the few fields of its protocol buffers that a model of float tensors needs. The numbers
 * are those of `onnx.proto`.
 */
import type { Plain } from "../program";

type Bytes = readonly number[] | Uint8Array;

export interface Node {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly output: string;
  readonly attributes?: Readonly<Record<string, number | readonly number[]>>;
}

export interface Model {
  readonly nodes: readonly Node[];
  /** Tensors that are part of the model: floats, and lists of integers such as shapes. */
  readonly weights: Readonly<Record<string, Plain | readonly number[]>>;
  readonly input: { readonly name: string; readonly shape: readonly number[] };
  readonly output: string;
}

const VARINT = 0;
const LENGTH = 2;
const FIXED32 = 5;
const FLOAT = 1;
const INT64 = 7;
const OPSET = 20;
const IR_VERSION = 9;

function varint(value: number): number[] {
  const out: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 0x7fn; rest >>= 7n) out.push(Number(rest & 0x7fn) | 0x80);
  return [...out, Number(rest)];
}

function joined(parts: readonly Bytes[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  parts.reduce((at, part) => (out.set(part, at), at + part.length), 0);
  return out;
}

const integer = (field: number, value: number): Bytes => [...varint((field << 3) | VARINT), ...varint(value)];
const bytes = (field: number, value: Bytes): Bytes =>
  joined([varint((field << 3) | LENGTH), varint(value.length), value]);
const message = (field: number, parts: readonly Bytes[]): Bytes => bytes(field, joined(parts));
const text = (field: number, value: string): Bytes => bytes(field, new TextEncoder().encode(value));
const float = (field: number, value: number): Bytes =>
  joined([varint((field << 3) | FIXED32), new Uint8Array(Float32Array.of(value).buffer)]);

function attribute([name, value]: readonly [string, number | readonly number[]]): Bytes {
  const [kind, parts] =
    typeof value === "object"
      ? [7, value.map((each) => integer(8, each))]
      : Number.isInteger(value)
        ? [2, [integer(3, value)]]
        : [1, [float(2, value)]];
  return message(5, [text(1, name), ...parts, integer(20, kind)]);
}

const node = ({ op, inputs, output, attributes = {} }: Node): Bytes =>
  message(1, [
    ...inputs.map((name) => text(1, name)),
    text(2, output),
    text(4, op),
    ...Object.entries(attributes).map(attribute),
  ]);

function weight([name, value]: readonly [string, Plain | readonly number[]]): Bytes {
  const { shape, type, raw } =
    "data" in value
      ? { shape: value.shape, type: FLOAT, raw: value.data }
      : { shape: [value.length], type: INT64, raw: BigInt64Array.from(value, BigInt) };
  const content = new Uint8Array(raw.buffer, raw.byteOffset, raw.byteLength);
  return message(5, [...shape.map((size) => integer(1, size)), integer(2, type), text(8, name), bytes(9, content)]);
}

/** A named value; without a shape, of any. */
function value(field: number, name: string, shape?: readonly number[]): Bytes {
  const sizes = shape
    ? [
        message(
          2,
          shape.map((size) => message(1, [integer(1, size)])),
        ),
      ]
    : [];
  return message(field, [text(1, name), message(2, [message(1, [integer(1, FLOAT), ...sizes])])]);
}

export function encode({ nodes, weights, input, output }: Model): Uint8Array {
  const graph = message(7, [
    ...nodes.map(node),
    text(2, "program"),
    ...Object.entries(weights).map(weight),
    value(11, input.name, input.shape),
    value(12, output),
  ]);
  return joined([integer(1, IR_VERSION), graph, message(8, [text(1, ""), integer(2, OPSET)])]);
}
