/**
 * The element types of Zarr beside those of the library, and the parts of zarrita that are used, by structure: the published types
 * need no peer.
 */
import { ArgumentError, type DType } from "nx-numerics";
import { shown } from "./checks";

/** What Zarr keeps bytes in under keys that begin with `/`: a `Map`, or any store of zarrita (files, HTTP, zip, ...). */
export interface ZarrStore {
  get(key: `/${string}`, options?: { signal?: AbortSignal }): Promise<Uint8Array | undefined> | Uint8Array | undefined;
}

/** A store that can be written to. */
export interface WritableZarrStore extends ZarrStore {
  set(key: `/${string}`, value: Uint8Array): unknown;
  delete?(key: `/${string}`): unknown;
}

/** Part of a value of a store: from the front, or so many bytes at the end. */
export type ByteRange = { readonly offset: number; readonly length: number } | { readonly suffixLength: number };

interface ElementType {
  /** In the metadata of version 3; `bool` is read as `u8`. */
  readonly v3: string;
  /** In version 2, after the sign of byte order; null where it has none. */
  readonly v2: string | null;
  readonly bytes: number;
  /** What zarrita takes in its place: it knows half floats in few hosts, and bfloat16 nowhere. */
  readonly carrier?: { readonly v3: string; readonly v2: string };
}

const HALF = { v3: "uint16", v2: "u2" };

/** By type; what is missing, Zarr or zarrita have not. */
export const ELEMENT_TYPES = {
  u8: { v3: "uint8", v2: "u1", bytes: 1 },
  u16: { v3: "uint16", v2: "u2", bytes: 2 },
  u32: { v3: "uint32", v2: "u4", bytes: 4 },
  u64: { v3: "uint64", v2: "u8", bytes: 8 },
  s8: { v3: "int8", v2: "i1", bytes: 1 },
  s16: { v3: "int16", v2: "i2", bytes: 2 },
  s32: { v3: "int32", v2: "i4", bytes: 4 },
  s64: { v3: "int64", v2: "i8", bytes: 8 },
  f16: { v3: "float16", v2: "f2", bytes: 2, carrier: HALF },
  bf16: { v3: "bfloat16", v2: null, bytes: 2, carrier: HALF },
  f32: { v3: "float32", v2: "f4", bytes: 4 },
  f64: { v3: "float64", v2: "f8", bytes: 8 },
} satisfies Partial<Record<DType, ElementType>>;

export type ZarrType = keyof typeof ELEMENT_TYPES;

export const elementType = (type: ZarrType): ElementType => ELEMENT_TYPES[type];

export const isZarrType = (type: string): type is ZarrType => Object.hasOwn(ELEMENT_TYPES, type);

/** The type of elements by its name in the metadata. */
export function typeNamed(fn: string, format: 2 | 3, name: unknown): ZarrType {
  const text = typeof name === "string" ? (format === 2 ? name.replace(/^[<>|]/, "") : name) : "";
  const found = Object.entries<ElementType>(ELEMENT_TYPES).find(([, row]) => row[`v${format}`] === text);
  if (found !== undefined) return found[0] as ZarrType;
  if (text === (format === 2 ? "b1" : "bool")) return "u8";
  throw new ArgumentError(
    `${fn}: the array has elements of type ${shown(name)}, which cannot be read here; ` +
      `integers, booleans and real floats can`,
  );
}

/** A chunk as zarrita gives it. */
export interface Chunk {
  readonly data: unknown;
  readonly shape: readonly number[];
  readonly stride: readonly number[];
}

/** An array of zarrita. */
export interface Handle {
  readonly chunks: readonly number[];
  getChunk(cell: readonly number[], options?: { signal?: AbortSignal | undefined }): Promise<Chunk>;
}

interface CodecClass {
  fromConfig(configuration: unknown, array: object): unknown;
}

/** The functions of zarrita that are used. */
export interface Zarrita {
  open: Record<"v2" | "v3", (location: unknown, options: { kind: "array" }) => Promise<Handle>>;
  root(store: unknown): { resolve(path: string): unknown };
  set(array: Handle, selection: readonly unknown[], value: unknown): Promise<void>;
  slice(start: number, end: number): unknown;
  /** What loads each codec. */
  readonly registry: ReadonlyMap<string, () => CodecClass | Promise<CodecClass>>;
}

let loaded: Promise<Zarrita> | undefined;

/** The peer, loaded when the first array is opened. */
export function zarrita(fn: string): Promise<Zarrita> {
  loaded ??= (import("zarrita") as Promise<unknown> as Promise<Zarrita>).catch((cause: unknown) => {
    loaded = undefined;
    throw new ArgumentError(`${fn} needs the package zarrita: npm install zarrita`, { cause });
  });
  return loaded;
}
