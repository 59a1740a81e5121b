/**
 * Element types as the protocol and configurations of servers name them.
 */
import { byteSize, template, type DType } from "nx-numerics";

/** A type of elements that travels: all real types, and truth values, which are `u8` of 0 and 1 as tensors. */
export type WireType = Exclude<DType, "c64" | "c128"> | "bool";

/** The name in requests and answers. */
export const DATATYPES: { readonly [T in WireType]: string } = {
  u8: "UINT8",
  u16: "UINT16",
  u32: "UINT32",
  u64: "UINT64",
  s8: "INT8",
  s16: "INT16",
  s32: "INT32",
  s64: "INT64",
  f16: "FP16",
  bf16: "BF16",
  f32: "FP32",
  f64: "FP64",
  bool: "BOOL",
};

const BY_NAME: ReadonlyMap<string, WireType> = new Map(
  (Object.keys(DATATYPES) as WireType[]).map((type) => [DATATYPES[type], type]),
);

/** The type that a name stands for; null for texts and others that no tensor has. */
export const wireType = (datatype: unknown): WireType | null => BY_NAME.get(String(datatype)) ?? null;

/** The type of the tensors that hold elements of a type. */
export const tensorType = (type: WireType): DType => (type === "bool" ? "u8" : type);

/** Bytes of an element. */
export const widthOf = (type: WireType): number => byteSize(template([], tensorType(type)));

/** `FP32[-1][10]`, sizes that each request decides as -1. */
export const wireText = (type: string, dims: readonly number[]): string =>
  type + dims.map((dim) => `[${dim}]`).join("");
