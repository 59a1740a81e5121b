/**
 * Element types and tensors of ONNX files: which type of tensors each is, and how elements are written and read.
 */
import { create } from "@bufbuild/protobuf";
import * as Nx from "nx-numerics";
import { ArgumentError, type DType, type Tensor } from "nx-numerics";
import { TensorProto_DataLocation, TensorProtoSchema, type TensorProto } from "./schema/onnx_pb";

/** A type of elements in ONNX: one of the library's, or truth values, which are `u8` of 0 and 1 as tensors. */
export type ElementType = DType | "bool";

/** The number of each type in files. */
export const ELEMENT_TYPES: { readonly [T in ElementType]: number } = {
  f32: 1,
  u8: 2,
  s8: 3,
  u16: 4,
  s16: 5,
  s32: 6,
  s64: 7,
  bool: 9,
  f16: 10,
  f64: 11,
  u32: 12,
  u64: 13,
  c64: 14,
  c128: 15,
  bf16: 16,
};

/** What the numbers mean that are no type of tensors. */
const OTHER_TYPES: Readonly<Record<number, string>> = {
  0: "undefined",
  8: "string",
  17: "float8e4m3fn",
  18: "float8e4m3fnuz",
  19: "float8e5m2",
  20: "float8e5m2fnuz",
  21: "uint4",
  22: "int4",
  23: "float4e2m1",
  24: "float8e8m0",
  25: "uint2",
  26: "int2",
  27: "float6e2m3",
  28: "float6e3m2",
};

const BY_NUMBER: ReadonlyMap<number, ElementType> = new Map(
  (Object.keys(ELEMENT_TYPES) as ElementType[]).map((type) => [ELEMENT_TYPES[type], type]),
);

/** The type that a number of a file means; `what` is what has it, for messages. */
export function elementType(number: number, what: string): ElementType {
  const type = BY_NUMBER.get(number);
  if (type !== undefined) return type;
  const name = OTHER_TYPES[number];
  throw new ArgumentError(
    `${what} has elements of ONNX type ${number}${name === undefined ? "" : ` (${name})`}, which no tensor has`,
  );
}

/** The type of the tensors that hold elements of a type. */
export const tensorType = (type: ElementType): DType => (type === "bool" ? "u8" : type);

/** The elements of a tensor, or of bytes that are elements, as a message. */
export function tensorProto(
  name: string,
  type: ElementType,
  shape: readonly number[],
  rawData: Uint8Array,
): TensorProto {
  return create(TensorProtoSchema, { name, dataType: ELEMENT_TYPES[type], dims: shape.map(BigInt), rawData });
}

/** A tensor as a message. */
export const protoOf = (name: string, tensor: Tensor): TensorProto =>
  tensorProto(name, tensor.type, tensor.shape, Nx.toBinary(tensor));

/** The most elements that a tensor may have. */
const MAX_ELEMENTS = 2 ** 32 - 1;

/** The elements of a message: their type in the file, the shape, and little-endian bytes. */
export interface Elements {
  readonly type: ElementType;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/** The elements of a message. Files have lists without elements, which no tensor is. */
export function elementsOf(proto: TensorProto): Elements {
  const what = `the ONNX tensor ${JSON.stringify(proto.name)}`;
  const type = elementType(proto.dataType, what);
  if (proto.dataLocation === TensorProto_DataLocation.EXTERNAL || proto.externalData.length > 0) {
    throw new ArgumentError(`${what} lies in another file: save the model with its data in one file`);
  }
  if (proto.segment !== undefined) throw new ArgumentError(`${what} is one segment of a tensor, which is not read`);
  const shape = shapeOf(proto, what);
  return { type, shape, bytes: bytesOf(proto, type, shape, what) };
}

/** A message as a tensor, on the default backend. */
export function tensorOf(proto: TensorProto): Tensor {
  const { type, shape, bytes } = elementsOf(proto);
  if (shape.includes(0)) {
    throw new ArgumentError(
      `the ONNX tensor ${JSON.stringify(proto.name)} has no elements, and empty tensors do not exist`,
    );
  }
  return Nx.reshape(Nx.fromBinary(bytes, tensorType(type)), shape);
}

function shapeOf({ dims }: TensorProto, what: string): number[] {
  const shape = dims.map(Number);
  const size = shape.reduce((product, dim) => product * dim, 1);
  if (shape.every((dim) => dim >= 0 && dim <= MAX_ELEMENTS) && size <= MAX_ELEMENTS) return shape;
  throw new ArgumentError(`${what} has the sizes [${dims.join(", ")}], which no tensor has`);
}

/** The elements as little-endian bytes; their count is that of the shape. */
function bytesOf(proto: TensorProto, type: ElementType, shape: readonly number[], what: string): Uint8Array {
  const size = shape.reduce((product, dim) => product * dim, 1);
  const width = widthOf(type);
  const field = FIELDS[type];
  const isRaw = proto.rawData.length > 0;
  const count = isRaw ? proto.rawData.length / width : proto[field].length / (IS_PAIR[type] ? 2 : 1);
  if (count !== size) {
    throw new ArgumentError(
      `${what} has ${count} elements of type ${type} for the shape [${shape.join(", ")}], which takes ${size}`,
    );
  }
  return isRaw ? asU8(type, proto.rawData) : asU8(type, written(type, proto));
}

/** Truth values are 0 and 1, whatever a file holds. */
const asU8 = (type: ElementType, bytes: Uint8Array): Uint8Array =>
  type === "bool" ? bytes.map((byte) => (byte === 0 ? 0 : 1)) : bytes;

/** Bytes of an element. */
export const widthOf = (type: ElementType): number => Nx.byteSize(Nx.template([], tensorType(type)));

const IS_PAIR: { readonly [T in ElementType]?: true } = { c64: true, c128: true };

/** The field that holds elements of a type where they are no raw bytes. */
const FIELDS: {
  readonly [T in ElementType]: "int32Data" | "int64Data" | "uint64Data" | "floatData" | "doubleData";
} = {
  u8: "int32Data",
  u16: "int32Data",
  u32: "uint64Data",
  u64: "uint64Data",
  s8: "int32Data",
  s16: "int32Data",
  s32: "int32Data",
  s64: "int64Data",
  f16: "int32Data", // the bits
  bf16: "int32Data",
  f32: "floatData",
  f64: "doubleData",
  c64: "floatData",
  c128: "doubleData",
  bool: "int32Data",
};

/** The elements of a typed field as bytes. */
function written(type: ElementType, proto: TensorProto): Uint8Array {
  const values: readonly (number | bigint)[] = proto[FIELDS[type]];
  const step = IS_PAIR[type] ? widthOf(type) / 2 : widthOf(type);
  const bytes = new Uint8Array(values.length * step);
  const view = new DataView(bytes.buffer);
  const put = PUT[FIELDS[type]];
  values.forEach((value, i) => put(view, i * step, value as never, step));
  return bytes;
}

/** Puts an element of a field at a place, in so many bytes. */
const PUT = {
  int32Data: (view: DataView, at: number, value: number, step: number): void => {
    if (step === 1) view.setInt8(at, value);
    else if (step === 2) view.setInt16(at, value, true);
    else view.setInt32(at, value, true);
  },
  int64Data: (view: DataView, at: number, value: bigint): void => view.setBigInt64(at, value, true),
  uint64Data: (view: DataView, at: number, value: bigint, step: number): void => {
    if (step === 4) view.setUint32(at, Number(BigInt.asUintN(32, value)), true);
    else view.setBigUint64(at, value, true);
  },
  floatData: (view: DataView, at: number, value: number): void => view.setFloat32(at, value, true),
  doubleData: (view: DataView, at: number, value: number): void => view.setFloat64(at, value, true),
} as const;
