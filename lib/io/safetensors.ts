/**
 * The safetensors format of Hugging Face: a JSON header with types, shapes and offsets, then the elements.
 */
import { readNow } from "../backends/reading";
import { ArgumentError, show } from "../core/errors";
import { checkNames, unnamed } from "../core/names";
import { booleanOption, checkOptions, isPlainObject } from "../core/options";
import { roundUp } from "../core/round-up";
import type { Names, Shape } from "../core/shape";
import type { DType } from "../core/types";
import type { Tensor } from "../tensor";
import {
  allocateBytes,
  byteLengthOf,
  fileBytes,
  fileShape,
  MAX_RANK,
  place,
  placingOf,
  Reader,
  truths,
  type LoadOptions,
} from "./bytes";
import { chosen, namedTensors, type NamedTensors } from "./named";
import { encodeUtf8, parseJsonObject } from "./text";

/** The limit of the reference implementation. */
const MAX_HEADER = 100_000_000;
const METADATA = "__metadata__";
/** The key of the metadata that axis names are kept under, as JSON: `{ "tensor": ["x", null] }`. */
const NAMES = "nx.names";

/** Types by the names of the format, in its order: tensors are written by descending place in it, then by name. */
const TYPES: readonly (readonly [name: string, type: DType])[] = [
  ["BOOL", "u8"],
  ["U8", "u8"],
  ["I8", "s8"],
  ["I16", "s16"],
  ["U16", "u16"],
  ["F16", "f16"],
  ["BF16", "bf16"],
  ["I32", "s32"],
  ["U32", "u32"],
  ["F32", "f32"],
  ["C64", "c64"],
  ["F64", "f64"],
  ["I64", "s64"],
  ["U64", "u64"],
];
const TYPE_OF: ReadonlyMap<string, DType> = new Map(TYPES);
const NAME_OF: ReadonlyMap<DType, string> = new Map(TYPES.map(([name, type]) => [type, name]));
const RANK_OF: ReadonlyMap<DType, number> = new Map(TYPES.map(([, type], i) => [type, i]));

/** Options of {@link loadSafetensors}. */
export interface LoadSafetensorsOptions extends LoadOptions {
  /** Only these tensors; all by default. */
  readonly keys?: readonly string[];
  /** Whether to take up the axis names that {@link toSafetensors} wrote; on by default. */
  readonly names?: boolean;
}

/** Options of {@link toSafetensors}. */
export interface SafetensorsOptions {
  /** Further texts by key, such as `{ format: "pt" }`. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** What a file says of one tensor. */
export interface SafetensorsEntry {
  /** The type as the format names it, such as `"F32"`. */
  readonly dtype: string;
  readonly shape: Shape;
  readonly names: Names;
  /** Size of the elements. */
  readonly bytes: number;
}

/** What a file holds. */
export interface SafetensorsInfo {
  readonly metadata: Readonly<Record<string, string>>;
  readonly tensors: Readonly<Record<string, SafetensorsEntry>>;
}

interface Entry {
  readonly name: string;
  readonly dtype: string;
  readonly sizes: readonly number[];
  readonly begin: number;
  readonly end: number;
}

interface File {
  readonly data: Uint8Array;
  /** In the order of their elements. */
  readonly entries: readonly Entry[];
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * Reads a safetensors file. Cannot be used inside `defn`.
 *
 * Axis names come back if {@link toSafetensors} wrote the file. `BOOL` becomes `u8`. The elements must lie in the file
 * without gaps and without sharing a byte, as the format demands.
 *
 * @param bytes - the whole file
 * @param options - `keys`: only these tensors; `names: false` leaves axis names out; `backend`; `copy: false` reads the
 *   elements where they lie, see `Nx.deserialize`
 * @returns an object with the tensors by name, in the order in which they lie in the file
 * @throws ArgumentError if the file is malformed or cut off, has no tensor of a key, or holds what a tensor cannot: no
 *   elements, 8-bit floats
 * @example
 * ```ts
 * const file = Nx.toSafetensors({ w: Nx.f32([[1, 2]], { names: ["in", "out"] }), b: Nx.bf16([0.5]) });
 * const { w, b } = Nx.loadSafetensors(file);
 * w;
 * // => #Nx.Tensor<
 * //   f32[in: 1][out: 2]
 * //   [
 * //     [1.0, 2.0]
 * //   ]
 * // >
 * b;
 * // => #Nx.Tensor<
 * //   bf16[1]
 * //   [0.5]
 * // >
 * Nx.loadSafetensors(file, { keys: ["v"] });
 * // throws ArgumentError: Nx.loadSafetensors: the file has no tensor named "v"
 * ```
 * @example
 * ```ts
 * Nx.loadSafetensors(new Uint8Array(4));
 * // throws ArgumentError: Nx.loadSafetensors: the file ends too early: the length of the header takes 8 bytes at byte 0
 * ```
 */
export function loadSafetensors(
  bytes: Uint8Array | ArrayBuffer,
  options?: LoadSafetensorsOptions,
): Record<string, Tensor> {
  const fn = "Nx.loadSafetensors";
  options = checkOptions(fn, options, ["backend", "copy", "keys", "names"]);
  const placing = placingOf(fn, options);
  const file = readFile(bytes, fn);
  const names = namesOf(file, booleanOption(fn, "names", options?.names, true), fn);
  const load = (entry: Entry): [string, Tensor] => {
    const { type, shape } = elementsOf(entry, fn);
    const raw = file.data.subarray(entry.begin, entry.end);
    const elements = entry.dtype === "BOOL" ? truths(raw) : raw;
    return [entry.name, place(placing, type, shape, elements, elements !== raw, names(entry.name, shape))];
  };
  return Object.fromEntries(chosen(file.entries, options?.keys, fn).map(load));
}

/**
 * What a safetensors file holds, from its header alone: metadata, and type, shape and names of every tensor. The types may
 * be such that no tensor has.
 *
 * @param bytes - the whole file
 * @returns `metadata`, texts by key; `tensors`, entries by name with `dtype`, `shape`, `names`, `bytes`
 * @throws ArgumentError if the file is malformed or cut off
 * @example
 * ```ts
 * const file = Nx.toSafetensors({ w: Nx.f32([[1, 2]], { names: ["in", "out"] }) }, { metadata: { step: "7" } });
 * const { metadata, tensors } = Nx.safetensorsInfo(file);
 * metadata;
 * // => { step: '7' }
 * tensors["w"];
 * // => { dtype: 'F32', shape: [1, 2], names: ['in', 'out'], bytes: 8 }
 * ```
 * @example
 * ```ts
 * Nx.safetensorsInfo(new Uint8Array([200, 0, 0, 0, 0, 0, 0, 0, 123]));
 * // throws ArgumentError: Nx.safetensorsInfo: the file ends too early: the header takes 200 bytes at byte 8
 * ```
 */
export function safetensorsInfo(bytes: Uint8Array | ArrayBuffer): SafetensorsInfo {
  const fn = "Nx.safetensorsInfo";
  const file = readFile(bytes, fn);
  const names = namesOf(file, true, fn);
  const tensors = file.entries.map(({ name, dtype, sizes, begin, end }) => {
    const shape = Object.freeze(sizes.slice());
    return [name, { dtype, shape, names: names(name, shape), bytes: end - begin }] as const;
  });
  const metadata = Object.fromEntries(Object.entries(file.metadata).filter(([key]) => key !== NAMES));
  return { metadata, tensors: Object.fromEntries(tensors) };
}

/**
 * Writes tensors as a safetensors file. Cannot be used inside `defn`.
 *
 * Axis names are kept in the file's metadata under the key `nx.names`, which other readers pass over. The same tensors
 * always give the same bytes, those of the reference implementation.
 *
 * @param tensors - tensors by name: an object, an Immutable Map, or pairs of a name and a tensor
 * @param options - `metadata`: further texts by key
 * @returns the bytes of the file
 * @throws ArgumentError for `c128`, which the format does not have, for names that repeat or are empty, for metadata other
 *   than texts
 * @example
 * ```ts
 * const file = Nx.toSafetensors({ w: Nx.u8([1, 2, 3], { names: ["x"] }) });
 * JSON.parse(String.fromCharCode(...file.subarray(8, -3)));
 * // => {
 * //   __metadata__: { 'nx.names': '{"w":["x"]}' },
 * //   w: { dtype: 'U8', shape: [3], data_offsets: [0, 3] }
 * // }
 * file.subarray(-3);
 * // => Uint8Array(3) [1, 2, 3]
 * ```
 * @example
 * ```ts
 * Nx.toSafetensors({ z: Nx.tensor([new Nx.Complex(1, 2)], { type: "c128" }) });
 * // throws ArgumentError: Nx.toSafetensors: safetensors has no type for c128, of which is "z"; convert it with Nx.asType first, for example to "c64"
 * ```
 */
export function toSafetensors(tensors: NamedTensors, options?: SafetensorsOptions): Uint8Array {
  const fn = "Nx.toSafetensors";
  options = checkOptions(fn, options, ["metadata"]);
  const pairs = inFileOrder(namedTensors(tensors, fn), fn);
  const metadata = metadataOf(options?.metadata, pairs, fn);
  const header: Record<string, unknown> = {};
  if (Object.keys(metadata).length > 0) define(header, METADATA, metadata);
  let end = 0;
  for (const [name, { type, shape }] of pairs) {
    const begin = end;
    end += byteLengthOf(type, shape);
    define(header, name, { dtype: NAME_OF.get(type)!, shape, data_offsets: [begin, end] });
  }
  return assemble(encodeUtf8(JSON.stringify(header), fn, "the header"), pairs, end, fn);
}

/** Defines a property of any name, `__proto__` included. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Wide elements first, so that all are aligned. */
function inFileOrder(pairs: readonly [string, Tensor][], fn: string): readonly [string, Tensor][] {
  for (const [name, { type }] of pairs) {
    if (name === METADATA) throw new ArgumentError(`${fn}: the name ${METADATA} belongs to the format`);
    if (NAME_OF.has(type)) continue;
    throw new ArgumentError(
      `${fn}: safetensors has no type for ${type}, of which is ${show(name)}; convert it with Nx.asType first, for example to "c64"`,
    );
  }
  const rank = ({ type }: Tensor): number => RANK_OF.get(type)!;
  return [...pairs].sort(([a, left], [b, right]) => rank(right) - rank(left) || (a < b ? -1 : 1));
}

function metadataOf(given: unknown, pairs: readonly [string, Tensor][], fn: string): Record<string, string> {
  const metadata: Record<string, string> = {};
  if (given !== undefined) copyTexts(given, metadata, `option metadata of ${fn}`);
  if (Object.hasOwn(metadata, NAMES))
    throw new ArgumentError(`the key ${NAMES} of option metadata of ${fn} is for axis names`);
  const named = pairs.filter(([, t]) => t.names.some((name) => name !== null));
  if (named.length > 0) metadata[NAMES] = JSON.stringify(Object.fromEntries(named.map(([name, t]) => [name, t.names])));
  return metadata;
}

function copyTexts(from: unknown, to: Record<string, string>, what: string): void {
  if (!isPlainObject(from)) throw new ArgumentError(`${what} must be an object of texts by key, got: ${show(from)}`);
  for (const [key, text] of Object.entries(from)) {
    if (typeof text !== "string")
      throw new ArgumentError(`${what} must hold texts only, got ${show(text)} at ${show(key)}`);
    define(to, key, text);
  }
}

function assemble(json: Uint8Array, pairs: readonly [string, Tensor][], size: number, fn: string): Uint8Array {
  const start = 8 + roundUp(json.length, 8);
  if (start - 8 > MAX_HEADER) {
    throw new ArgumentError(`${fn}: the header would take ${start - 8} bytes, the format allows ${MAX_HEADER}`);
  }
  const out = allocateBytes(start + size, fn);
  new DataView(out.buffer).setUint32(0, start - 8, true);
  out.fill(0x20, 8, start);
  out.set(json, 8);
  let at = start;
  for (const [, t] of pairs) {
    out.set(readNow(t), at);
    at += byteLengthOf(t.type, t.shape);
  }
  return out;
}

function readFile(value: unknown, fn: string): File {
  const reader = new Reader(fileBytes(value, fn), fn);
  reader.need(0, 8, "the length of the header");
  const length = reader.u64(0);
  if (length > MAX_HEADER)
    throw reader.fail(`the file states a header of ${length} bytes, the format allows ${MAX_HEADER}`);
  const header = parseJsonObject(reader.slice(8, length, "the header"), fn, "the header");
  const data = reader.bytes.subarray(8 + length);
  const entries = Object.entries(header)
    .filter(([name]) => name !== METADATA)
    .map(([name, info]) => checkEntry(name, info, fn))
    .sort((a, b) => a.begin - b.begin || a.end - b.end);
  checkOffsets(entries, data.length, fn);
  const metadata: Record<string, string> = {};
  if (Object.hasOwn(header, METADATA)) copyTexts(header[METADATA], metadata, `${fn}: ${METADATA}`);
  return { data, entries, metadata };
}

function checkEntry(name: string, info: unknown, fn: string): Entry {
  const { dtype, shape, data_offsets: offsets } = isPlainObject(info) ? info : ({} as Record<string, unknown>);
  if (typeof dtype === "string" && isSizes(shape) && isSizes(offsets) && offsets.length === 2) {
    const [begin, end] = offsets as [number, number];
    const type = TYPE_OF.get(dtype);
    const size = type === undefined ? end - begin : byteLengthOf(type, shape);
    if (size === end - begin) return { name, dtype, sizes: shape, begin, end };
    throw new ArgumentError(
      `${fn}: the tensor ${show(name)} has ${end - begin} bytes, its shape ${show(shape)} of ${dtype} takes ${size}`,
    );
  }
  throw new ArgumentError(
    `${fn}: the tensor ${show(name)} must state dtype, shape and data_offsets: [begin, end], got: ${show(info)}`,
  );
}

const isSizes = (value: unknown): value is number[] =>
  Array.isArray(value) &&
  value.length <= MAX_RANK &&
  value.every((size) => Number.isSafeInteger(size) && (size as number) >= 0);

/** One after the other, without gaps, from the first byte of the data to the last. */
function checkOffsets(entries: readonly Entry[], length: number, fn: string): void {
  let at = 0;
  for (const { name, begin, end } of entries) {
    if (begin !== at || end < begin || end > length) {
      throw new ArgumentError(
        `${fn}: the tensor ${show(name)} states bytes ${begin} to ${end}, expected a range from ${at} to at most ${length}; ` +
          `elements must fill the file without gaps and overlaps`,
      );
    }
    at = end;
  }
  if (at === length) return;
  throw new ArgumentError(`${fn}: the tensors take ${at} bytes, but the file has ${length} bytes of elements`);
}

function elementsOf({ name, dtype, sizes }: Entry, fn: string): { type: DType; shape: Shape } {
  const what = `the tensor ${show(name)}`;
  const type = TYPE_OF.get(dtype);
  if (type === undefined) {
    throw new ArgumentError(
      `${fn}: ${what} has the type ${show(dtype)}, supported are ${[...TYPE_OF.keys()].join(", ")}`,
    );
  }
  return { type, shape: fileShape(sizes, fn, what) };
}

/** How the names of a tensor are found. */
function namesOf({ metadata }: File, wanted: boolean, fn: string): (name: string, shape: Shape) => Names {
  const text = wanted && Object.hasOwn(metadata, NAMES) ? metadata[NAMES]! : "{}";
  const all = parseJsonObject(encodeUtf8(text, fn, `the metadata ${NAMES}`), fn, `the metadata ${NAMES}`);
  return (name, shape) => {
    if (!Object.hasOwn(all, name)) return unnamed(shape.length);
    try {
      return checkNames(all[name], shape);
    } catch (cause) {
      throw new ArgumentError(
        `${fn}: the axis names of the tensor ${show(name)} in the metadata ${NAMES} do not fit it: ` +
          `${(cause as Error).message}; leave them out with { names: false }`,
        { cause },
      );
    }
  };
}
