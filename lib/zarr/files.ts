/**
 * Chunks that are files of elements as they lie in memory: little-endian, in row-major order, not compressed. They are read straight into
 * the memory of tensors. What is not known to be so has none, and is read by zarrita.
 */
import { Folder } from "./folder";
import { keyOf, type Metadata } from "./metadata";
import { elementType, type ZarrStore } from "./types";

/** Reads chunks of an array. */
export interface ChunkFiles {
  /** Reads a chunk into memory that is as long; false where there is none, or one of another length: zarrita knows what that means. */
  read(cell: readonly number[], into: Uint8Array, signal: AbortSignal): Promise<boolean>;
}

type Document = Readonly<Record<string, unknown>>;

/** What reads chunks of an array in a store. */
export function filesOf(store: ZarrStore, path: string, metadata: Metadata): ChunkFiles | null {
  const keys = store instanceof Folder && isLittleEndian() && isPlain(metadata) ? keysOf(metadata) : null;
  if (keys === null) return null;
  return { read: (cell, into, signal) => (store as Folder).readInto(keyOf(path, keys(cell)), into, signal) };
}

const isLittleEndian = (): boolean => new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

function isPlain({ format, type, shape, document }: Metadata): boolean {
  const { bytes } = elementType(type);
  if (format === 2) {
    const { dtype, compressor, filters, order } = document;
    const isOrdered = String(dtype).startsWith("<") || (bytes === 1 && String(dtype).startsWith("|"));
    const isRowMajor = order === "C" || shape.length < 2;
    return isOrdered && isRowMajor && compressor === null && (filters === null || isEmpty(filters));
  }
  const { codecs, chunk_grid: grid } = document as { codecs?: unknown; chunk_grid?: Document };
  if (!Array.isArray(codecs) || codecs.length !== 1 || grid?.["name"] !== "regular") return false;
  const { name, configuration } = codecs[0] as { name?: unknown; configuration?: Document };
  return name === "bytes" && (bytes === 1 || configuration?.["endian"] === "little");
}

const isEmpty = (list: unknown): boolean => Array.isArray(list) && list.length === 0;

/** The keys of chunks by their coordinates. */
function keysOf({ format, document }: Metadata): ((cell: readonly number[]) => string) | null {
  const encoding = document["chunk_key_encoding"] as { name?: unknown; configuration?: Document } | undefined;
  const isOld = format === 2 || encoding?.name === "v2";
  if (!isOld && encoding?.name !== "default") return null;
  const given = format === 2 ? document["dimension_separator"] : encoding?.configuration?.["separator"];
  const separator = given ?? (isOld ? "." : "/");
  if (separator !== "." && separator !== "/") return null;
  return isOld ? (cell) => cell.join(separator) || "0" : (cell) => ["c", ...cell].join(separator);
}
