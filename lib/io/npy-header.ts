/**
 * The header of `.npy` files (NumPy, `numpy.lib.format`, versions 1.0 to 3.0), read and written. Knows no tensors.
 */
import { ArgumentError, show } from "../core/errors";
import type { Shape } from "../core/shape";
import { bytesOf, type DType } from "../core/types";
import { byteLengthOf, fileShape, Reader } from "./bytes";
import { parseLiteral, type Literal } from "./python";
import { decodeUtf8, latin1 } from "./text";

const MAGIC = Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59);
/** Far more than a header of plain numbers needs. */
const MAX_HEADER = 1 << 20;
const ALIGNMENT = 64;
/** NumPy leaves room to write a longer size of the axis that grows. */
const GROWTH_DIGITS = 21;

/** Types by kind and bytes, as NumPy names them. */
const TYPES: Readonly<Record<string, DType>> = {
  b1: "u8",
  u1: "u8",
  u2: "u16",
  u4: "u32",
  u8: "u64",
  i1: "s8",
  i2: "s16",
  i4: "s32",
  i8: "s64",
  f2: "f16",
  f4: "f32",
  f8: "f64",
  c8: "c64",
  c16: "c128",
};

const DESCR: { readonly [T in Exclude<DType, "bf16">]: string } = {
  u8: "|u1",
  u16: "<u2",
  u32: "<u4",
  u64: "<u8",
  s8: "|i1",
  s16: "<i2",
  s32: "<i4",
  s64: "<i8",
  f16: "<f2",
  f32: "<f4",
  f64: "<f8",
  c64: "<c8",
  c128: "<c16",
};

/** What a header says of the array. */
export interface NpyHeader {
  readonly type: DType;
  readonly shape: Shape;
  /** The first axis varies fastest. */
  readonly fortran: boolean;
  /** Bytes of each number whose order is reversed, or 1. */
  readonly swap: number;
  readonly bool: boolean;
  /** Where the elements begin. */
  readonly start: number;
  /** Bytes of the elements. */
  readonly size: number;
}

/** Bytes that the length of the header can be read from. */
export const NPY_LEAD = 12;

/** What helps where the bytes are an archive of .npy files. */
const archiveHint = ([p, k]: Uint8Array): string =>
  p === 0x50 && k === 0x4b ? "; a ZIP archive is read by Nx.loadNumpyArchive" : "";

/** Where the elements begin, from the first {@link NPY_LEAD} bytes. */
export function npyStart(bytes: Uint8Array, fn: string, what: string): number {
  const reader = new Reader(bytes, fn);
  if (!reader.startsWith(MAGIC)) {
    const got = [...bytes.subarray(0, MAGIC.length)].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    throw reader.fail(
      `${what} is no .npy file: it should begin with the bytes 93 4e 55 4d 50 59, got: ${got}${archiveHint(bytes)}`,
    );
  }
  reader.need(0, NPY_LEAD, `the beginning of ${what}`);
  const [major, minor] = [bytes[6]!, bytes[7]!];
  if (minor !== 0 || major < 1 || major > 3) {
    throw reader.fail(`${what} has the version ${major}.${minor}, expected 1.0, 2.0 or 3.0`);
  }
  const length = major === 1 ? reader.u16(8) : reader.u32(8);
  if (length > MAX_HEADER)
    throw reader.fail(`${what} states a header of ${length} bytes, expected at most ${MAX_HEADER}`);
  return (major === 1 ? 10 : 12) + length;
}

/** The header of a file of which at least the header is given. */
export function readNpyHeader(bytes: Uint8Array, fn: string, what: string): NpyHeader {
  const start = npyStart(bytes, fn, what);
  const reader = new Reader(bytes, fn);
  const major = bytes[6]!;
  const lead = major === 1 ? 10 : 12;
  const raw = reader.slice(lead, start - lead, `the header of ${what}`);
  const text = major === 3 ? decodeUtf8(raw, fn, `the header of ${what}`) : latin1(raw);
  const { descr, fortran, shape: sizes } = fields(parseLiteral(text, fn), fn, what);
  const element = elementOf(descr, fn, what);
  const shape = fileShape(sizes, fn, what);
  return { ...element, shape, fortran, start, size: byteLengthOf(element.type, shape) };
}

function fields(header: Literal, fn: string, what: string): { descr: Literal; fortran: boolean; shape: Literal } {
  const keys = header instanceof Map ? [...(header as Map<string, Literal>).keys()].sort().join(", ") : null;
  if (keys !== "descr, fortran_order, shape") {
    const got = keys === null ? "something else" : `one with the keys ${keys}`;
    throw new ArgumentError(
      `${fn}: the header of ${what} must be a dictionary with the keys descr, fortran_order, shape, got: ${got}`,
    );
  }
  const map = header as ReadonlyMap<string, Literal>;
  const fortran = map.get("fortran_order")!;
  if (typeof fortran === "boolean") return { descr: map.get("descr")!, fortran, shape: map.get("shape")! };
  throw new ArgumentError(`${fn}: fortran_order of ${what} must be True or False, got: ${show(fortran)}`);
}

function elementOf(descr: Literal, fn: string, what: string): { type: DType; swap: number; bool: boolean } {
  if (typeof descr !== "string") {
    throw new ArgumentError(`${fn}: ${what} is a structured array; save each of its fields as an array of its own`);
  }
  const [, order = "", code = ""] = /^([<>|=]?)([a-zA-Z?][0-9]*)$/.exec(descr) ?? [];
  const name = code === "?" ? "b1" : code;
  if (!Object.hasOwn(TYPES, name)) throw unknownElement(descr, fn, what);
  const type = TYPES[name]!;
  const width = bytesOf(type);
  if (width > 1 && order !== "<" && order !== ">") {
    throw new ArgumentError(`${fn}: the dtype ${show(descr)} of ${what} must say its byte order by "<" or ">"`);
  }
  const swap = order === ">" ? (name.startsWith("c") ? width / 2 : width) : 1;
  return { type, swap, bool: name === "b1" };
}

/** What to do instead, by the kind of dtype. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/^[<>|=]?[OV]2$/, "two raw bytes; if they are bfloat16 of ml_dtypes, save array.astype('float32')"],
  [/^[<>|=]?O/, "Python objects, which need Python to be read; save an array of numbers"],
  [/^[<>|=]?[USa]/, "text; save an array of numbers"],
  [/^[<>|=]?V/, "raw bytes; save a view of a type of numbers"],
  [/^[<>|=]?[mM]/, "dates or times; save array.astype('int64')"],
  [/^[<>|=]?[fgG]/, "of a precision that tensors do not have; save array.astype('float64')"],
  [/^[<>|=]?c/, "of a precision that tensors do not have; save array.astype('complex128')"],
];

function unknownElement(descr: string, fn: string, what: string): ArgumentError {
  const remedy =
    REMEDIES.find(([pattern]) => pattern.test(descr))?.[1] ?? `expected one of: ${Object.keys(TYPES).join(", ")}`;
  return new ArgumentError(`${fn}: the elements of ${what} have the dtype ${show(descr)}: ${remedy}`);
}

/** A header, byte for byte what NumPy writes. */
export function writeNpyHeader(
  type: DType,
  shape: Shape,
  fortran: boolean,
  version: 1 | 2 | 3,
  fn: string,
): Uint8Array {
  if (type === "bf16") {
    throw new ArgumentError(`${fn}: NumPy has no bf16; convert the tensor with Nx.asType(tensor, "f32") first`);
  }
  const sizes = shape.length === 1 ? `${shape[0]},` : shape.join(", ");
  const text = `{'descr': '${DESCR[type]}', 'fortran_order': ${fortran ? "True" : "False"}, 'shape': (${sizes}), }`;
  const grows = shape.at(fortran ? -1 : 0);
  const room = grows === undefined ? 0 : GROWTH_DIGITS - String(grows).length;
  const lead = version === 1 ? 10 : 12;
  const length = lead + text.length + room + 1;
  const bytes = new Uint8Array(length + ALIGNMENT - (length % ALIGNMENT)).fill(0x20);
  bytes.set(MAGIC);
  bytes.set([version, 0], 6);
  const view = new DataView(bytes.buffer);
  if (version === 1) view.setUint16(8, bytes.length - lead, true);
  else view.setUint32(8, bytes.length - lead, true);
  for (let i = 0; i < text.length; i++) bytes[lead + i] = text.charCodeAt(i);
  bytes[bytes.length - 1] = 0x0a;
  return bytes;
}
