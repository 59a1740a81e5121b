/**
 * An array in a store: boxes of its elements as bytes, in and out, and its attributes. Knows zarrita, no tensors.
 */
import { ArgumentError, type Names } from "nx-numerics";
import {
  boxOfChunk,
  cellsOf,
  copyBox,
  isWholeChunks,
  offsetAt,
  product,
  rowMajor,
  type Box,
  type Layout,
} from "./boxes";
import { arrayText, shown, type Described } from "./checks";
import { filesOf, type ChunkFiles } from "./files";
import { encodeJson, forZarrita, keyOf, readMetadata, type Attributes, type Metadata } from "./metadata";
import { abortable, eachOf } from "./stream";
import {
  elementType,
  zarrita,
  type ByteRange,
  type Chunk,
  type Handle,
  type WritableZarrStore,
  type ZarrStore,
  type ZarrType,
  type Zarrita,
} from "./types";

/** Chunks of one box that are read at a time. */
const CHUNKS_AT_ONCE = 8;

/** An array in a store, opened. */
export interface Source extends Described {
  readonly type: ZarrType;
  readonly store: ZarrStore;
  readonly path: string;
  readonly format: 2 | 3;
  /** Bytes of an element. */
  readonly width: number;
  attributes: Attributes;
  /** What reads chunks straight into memory, where they are elements in a folder as they lie in memory; null where they are not. */
  readonly files: ChunkFiles | null;
  readonly library: Zarrita;
  readonly handle: Handle;
  /** The same array, in which every chunk seems unwritten: for writing chunks whole. */
  readonly blank: Handle;
}

/** The sources of the arrays that users hold. */
const sources = new WeakMap<object, Source>();

export const setSource = (array: object, source: Source): void => void sources.set(array, source);

/** The source of an array. */
export const sourceOf = (array: object): Source => sources.get(array)!;

/** The source of what a user gives as an array; undefined where it is none. */
export const sourceBehind = (given: unknown): Source | undefined =>
  typeof given === "object" && given !== null ? sources.get(given) : undefined;

/** Opens the array that metadata describe. */
export async function openSource(
  fn: string,
  store: ZarrStore,
  path: string,
  given: Metadata,
  names: Names,
): Promise<Source> {
  const library = await zarrita(fn);
  const handleOver = async (get: ZarrStore["get"]): Promise<Handle> => {
    const at = library.root(standIn(store, path, given, get)).resolve(path === "" ? "/" : path);
    try {
      return await library.open[given.format === 2 ? "v2" : "v3"](at, { kind: "array" });
    } catch (cause) {
      throw new ArgumentError(`${fn} cannot open the array at ${shown(path || "/")}: ${(cause as Error).message}`, {
        cause,
      });
    }
  };
  const handle = await handleOver((key, options) => store.get(key, options));
  const { type, shape, format, attributes } = given;
  const isCut =
    handle.chunks.length === shape.length && handle.chunks.every((size) => Number.isInteger(size) && size > 0);
  if (!isCut) {
    throw new ArgumentError(
      `${fn}: the array at ${shown(path || "/")} must have a chunk size of at least 1 for each of its ${shape.length} axes, got: ` +
        shown([...handle.chunks]),
    );
  }
  return {
    type,
    shape,
    chunks: Object.freeze([...handle.chunks]),
    names,
    store,
    path,
    format,
    width: elementType(type).bytes,
    attributes,
    files: filesOf(store, path, given),
    library,
    handle,
    blank: await handleOver(() => undefined),
  };
}

/** A store in which the metadata are those that zarrita can read; `get` gives the chunks. */
function standIn(store: ZarrStore, path: string, metadata: Metadata, get: ZarrStore["get"]): ZarrStore {
  const known = new Map<string, Uint8Array>([
    [keyOf(path, metadata.format === 3 ? "zarr.json" : ".zarray"), forZarrita(metadata)],
    [keyOf(path, ".zattrs"), encodeJson({})],
  ]);
  const { getRange } = store as { getRange?: (...args: unknown[]) => unknown };
  return {
    get: (key: `/${string}`, options?: { signal?: AbortSignal }) => known.get(key) ?? get(key, options),
    // shards need it, and maps do not have it
    getRange: getRange?.bind(store) ?? (async (key: `/${string}`, range: ByteRange) => rangeIn(await get(key), range)),
    set: (key: `/${string}`, value: Uint8Array) => (store as WritableZarrStore).set(key, value),
  } as ZarrStore;
}

function rangeIn(bytes: Uint8Array | undefined, range: ByteRange): Uint8Array | undefined {
  if ("suffixLength" in range) return bytes?.subarray(Math.max(0, bytes.length - range.suffixLength));
  return bytes?.subarray(range.offset, range.offset + range.length);
}

/**
 * The elements of a box as row-major bytes: in memory that `reserve` gives, or, where one chunk is all of them, the bytes of the store,
 * which nobody may write to.
 */
export async function readBox(
  source: Source,
  box: Box,
  signal?: AbortSignal,
  reserve: (count: number) => Uint8Array = (count) => allocate(source, count),
): Promise<Uint8Array> {
  const { chunks, width, files } = source;
  const cells = cellsOf(chunks, box);
  const isOne = cells.length === 1 && box.lengths.every((length, axis) => length === chunks[axis]);
  const only = isOne && files === null ? await readChunk(source, cells[0]!, signal) : null;
  if (only !== null && isRowMajor(only.strides, chunks)) return only.bytes;
  const bytes = reserve(product(box.lengths) * width);
  const strides = rowMajor(box.lengths);
  await eachOf(cells.length, CHUNKS_AT_ONCE, signal, async (i, stop) => {
    const cell = cells[i]!;
    const starts = cell.map((at, axis) => Math.max(at * chunks[axis]!, box.starts[axis]!));
    const lengths = starts.map(
      (start, axis) => Math.min((cell[axis]! + 1) * chunks[axis]!, box.starts[axis]! + box.lengths[axis]!) - start,
    );
    const inBox = offsetAt(
      strides,
      starts.map((start, axis) => start - box.starts[axis]!),
    );
    const isWhole = lengths.every((length, axis) => length === chunks[axis]);
    if (files !== null && isWhole && isRowMajor(strides, lengths)) {
      const into = bytes.subarray(inBox * width, (inBox + product(lengths)) * width);
      if (await files.read(cell, into, stop)) return;
    }
    const chunk = only ?? (await readChunk(source, cell, stop));
    const inChunk = offsetAt(
      chunk.strides,
      starts.map((start, axis) => start - cell[axis]! * chunks[axis]!),
    );
    copyBox({ bytes, offset: inBox, strides }, { ...chunk, offset: inChunk }, lengths, width);
  });
  return bytes;
}

/** Whether elements lie in row-major order, without gaps. */
function isRowMajor(strides: readonly number[], lengths: readonly number[]): boolean {
  return rowMajor(lengths).every((stride, axis) => lengths[axis] === 1 || strides[axis] === stride);
}

function allocate(source: Source, count: number): Uint8Array {
  try {
    return new Uint8Array(count);
  } catch (cause) {
    throw new ArgumentError(
      `a part of ${count} bytes of ${arrayText(source)} has no room in memory; read smaller parts`,
      { cause },
    );
  }
}

async function readChunk(source: Source, cell: readonly number[], signal?: AbortSignal): Promise<Layout> {
  const { handle, chunks, width } = source;
  let chunk: Chunk;
  try {
    chunk = await abortable(handle.getChunk(cell, { signal }), signal);
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw new ArgumentError(`cannot read chunk ${shown([...cell])} of ${arrayText(source)}: ${reasonOf(cause)}`, {
      cause,
    });
  }
  const data = chunk.data as { buffer: ArrayBufferLike; byteOffset: number; byteLength: number };
  const expected = product(chunks) * width;
  if (data.byteLength !== expected) {
    throw new ArgumentError(
      `cannot read chunk ${shown([...cell])} of ${arrayText(source)}: it has ${data.byteLength} bytes in place of ${expected}`,
    );
  }
  return { bytes: new Uint8Array(data.buffer, data.byteOffset, data.byteLength), offset: 0, strides: chunk.stride };
}

/** The message at the root of an error of zarrita. */
function reasonOf(error: unknown): string {
  const { message, cause } = Object(error) as { message?: string; cause?: unknown };
  return cause instanceof Error ? `${message}: ${cause.message}` : (message ?? String(error));
}

/** Writes row-major bytes into a box; chunks that lie in it whole are written without being read. */
export async function writeBox(source: Source, box: Box, bytes: Uint8Array): Promise<void> {
  const { library, shape, chunks, handle, blank } = source;
  const target = isWholeChunks(shape, chunks, box) ? blank : handle;
  const data = elementsOf(source, bytes);
  const selection = box.starts.map((start, axis) => library.slice(start, start + box.lengths[axis]!));
  const value = shape.length === 0 ? data[0] : { data, shape: [...box.lengths], stride: rowMajor(box.lengths) };
  try {
    await library.set(target, selection, value);
  } catch (cause) {
    throw new ArgumentError(`cannot write to ${arrayText(source)}: ${reasonOf(cause)}`, { cause });
  }
}

const ARRAYS = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  u64: BigUint64Array,
  s8: Int8Array,
  s16: Int16Array,
  s32: Int32Array,
  s64: BigInt64Array,
  f16: Uint16Array,
  bf16: Uint16Array,
  f32: Float32Array,
  f64: Float64Array,
} satisfies Record<ZarrType, unknown>;

function elementsOf({ type, width }: Source, bytes: Uint8Array): ArrayLike<number | bigint> {
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % width === 0 ? bytes : bytes.slice();
  return new ARRAYS[type](buffer as ArrayBuffer, byteOffset, byteLength / width);
}

/** The box of a chunk by its number in row-major order. */
export const chunkBox = ({ shape, chunks }: Source, cell: readonly number[]): Box => boxOfChunk(shape, chunks, cell);

/** The store, where it can be written to. */
export function writable(fn: string, store: ZarrStore): WritableZarrStore {
  if (typeof (store as Partial<WritableZarrStore>).set === "function") return store as WritableZarrStore;
  throw new ArgumentError(`${fn}: the store cannot be written to: it has no method set`);
}

/** Sets an attribute, or takes it away; others stay as the store has them. */
export async function setAttribute(fn: string, source: Source, key: string, value?: unknown): Promise<void> {
  const { path, format } = source;
  const store = writable(fn, source.store);
  const { document, attributes } = await readMetadata(fn, store, path);
  const { [key]: _, ...others } = attributes;
  const changed = value === undefined ? others : { ...others, [key]: value };
  if (format === 3) await store.set(keyOf(path, "zarr.json"), encodeJson({ ...document, attributes: changed }));
  else await store.set(keyOf(path, ".zattrs"), encodeJson(changed));
  source.attributes = Object.freeze(changed);
}
