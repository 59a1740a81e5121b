/**
 * Elements as row-major little-endian bytes, the form in which data enters and leaves every backend: typed arrays over
 * them and plain values out of them. Assumes a little-endian machine, as typed arrays are wherever JavaScript runs today.
 */
import { Complex } from "./complex";
import { ArgumentError } from "./errors";
import { bf16ToNumber, f16ToNumber } from "./half";
import { int64ToNumberOrBigInt } from "./int64";
import type { DType } from "./types";

/** A plain value read from a tensor; 64-bit integers beyond ±(2^53 - 1) are bigints. */
export type Value = number | bigint | Complex;

type NumberArray =
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Int8Array
  | Int16Array
  | Int32Array
  | Float32Array
  | Float64Array;

type ArrayType = new (buffer: ArrayBufferLike, byteOffset: number, length: number) => NumberArray;

/** The array that views the bytes of a type; 64-bit integers as their 32-bit halves, complex numbers as their parts. */
const RAW: { readonly [T in DType]: ArrayType } = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  u64: Int32Array,
  s8: Int8Array,
  s16: Int16Array,
  s32: Int32Array,
  s64: Int32Array,
  bf16: Uint16Array,
  f16: Uint16Array,
  f32: Float32Array,
  f64: Float64Array,
  c64: Float32Array,
  c128: Float64Array,
};

/** What a value is, asked of its internals: own properties, prototypes and realms make no difference. */
const tagOf = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype) as object,
  Symbol.toStringTag,
)!.get as () => string | undefined;
const byteLengthOf = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, "byteLength")!.get as () => number;

/** Name of the class of a typed array of any realm; undefined for other values, a DataView among them. */
export const typedArrayName = (value: unknown): string | undefined => tagOf.call(value as never);

/** Whether a value is an ArrayBuffer of any realm. */
export function isArrayBuffer(value: unknown): value is ArrayBuffer {
  try {
    byteLengthOf.call(value as never);
    return true;
  } catch {
    return false;
  }
}

/** Bytes as users give them, a Uint8Array or an ArrayBuffer of any realm; null for other values. */
export function givenBytes(value: unknown, fn: string): Uint8Array | null {
  const buffer = typedArrayName(value) === "Uint8Array" ? (value as Uint8Array).buffer : value;
  if (buffer === value && !isArrayBuffer(value)) return null;
  checkAttached(buffer as ArrayBufferLike, fn);
  return buffer === value ? new Uint8Array(buffer as ArrayBuffer) : bytesOfView(value as Uint8Array);
}

/** Refuses a buffer whose bytes are gone: engines let a view of it be asked for its length, which is 0, and nothing more. */
export function checkAttached(buffer: ArrayBufferLike, fn: string): void {
  if (!isDetached(buffer)) return;
  throw new ArgumentError(
    `${fn} was given an array that is detached: its bytes were transferred to another thread or buffer; ` +
      "give a copy made before that, bytes.slice()",
  );
}

/** Whether the bytes of a buffer were transferred away. */
function isDetached(buffer: ArrayBufferLike): boolean {
  if (buffer.byteLength > 0) return false;
  try {
    void new Uint8Array(buffer);
    return false;
  } catch {
    return true;
  }
}

/** The bytes of any view, without a copy. */
export function bytesOfView(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

/** Bytes that start where an array of elements may start: themselves, or a copy. */
function alignedBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
}

/** An array over bytes: half floats as their bits, 64-bit integers as halves, complex numbers as parts. */
export function rawArray(type: DType, bytes: Uint8Array): NumberArray {
  const { buffer, byteOffset, byteLength } = alignedBytes(bytes);
  const create = RAW[type] as ArrayType & { readonly BYTES_PER_ELEMENT: number };
  return new create(buffer, byteOffset, byteLength / create.BYTES_PER_ELEMENT);
}

/** Reads single elements out of bytes. */
export function elementReader(type: DType, bytes: Uint8Array): (index: number) => Value {
  const raw = rawArray(type, bytes);
  switch (type) {
    case "s64":
    case "u64":
      return (index) => int64ToNumberOrBigInt(raw as Int32Array, 2 * index, type === "s64");
    case "f16":
      return (index) => f16ToNumber(raw[index]!);
    case "bf16":
      return (index) => bf16ToNumber(raw[index]!);
    case "c64":
    case "c128":
      return (index) => new Complex(raw[2 * index]!, raw[2 * index + 1]!);
    default:
      return (index) => raw[index]!;
  }
}

/** Half floats, whose bits are given, widened to an array of f32. */
export function widenHalf(type: "f16" | "bf16", bits: Uint16Array): Float32Array {
  const toNumber = type === "f16" ? f16ToNumber : bf16ToNumber;
  const wide = new Float32Array(bits.length);
  for (let i = 0; i < bits.length; i++) wide[i] = toNumber(bits[i]!);
  return wide;
}
