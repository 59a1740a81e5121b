/**
 * The metadata of an array in both versions of Zarr: read, made, and the attributes among it changed. Version 2 keeps attributes in a
 * file of their own, and the names of axes in one of them by a convention of xarray.
 */
import { ArgumentError, fromBinary, template, tensor, toBinary, toNumber, type Names } from "nx-numerics";
import { shown } from "./checks";
import { Folder } from "./folder";
import { elementType, typeNamed, type ZarrStore, type ZarrType } from "./types";

export type Attributes = Readonly<Record<string, unknown>>;
type Document = Readonly<Record<string, unknown>>;

export interface Metadata {
  readonly format: 2 | 3;
  readonly type: ZarrType;
  readonly shape: readonly number[];
  readonly names: Names;
  readonly attributes: Attributes;
  /** As the store has it. */
  readonly document: Document;
}

const DIMENSIONS = "_ARRAY_DIMENSIONS";

/** What is between a key of an array and the root of its store. */
export function keyOf(path: string, name: string): `/${string}` {
  const parts = `${path}/${name}`.split("/").filter((part) => part !== "");
  return `/${parts.join("/")}`;
}

/** An object of JSON, in which Python writes NaN and infinities bare, and fill values with more digits than numbers have here. */
function parse(fn: string, key: string, bytes: Uint8Array): Document {
  const text = new TextDecoder().decode(bytes);
  let found: unknown;
  try {
    found = parsed(text);
  } catch (cause) {
    throw new ArgumentError(`${fn}: ${key} of the store is no JSON`, { cause });
  }
  if (typeof found !== "object" || found === null || Array.isArray(found)) {
    throw new ArgumentError(`${fn}: ${key} of the store must be an object of JSON, got: ${shown(found)}`);
  }
  const document = found as Document;
  const fill = document["fill_value"];
  if (!Number.isInteger(fill) || Number.isSafeInteger(fill)) return document;
  const digits = (JSON.parse(quoted(text, /-?\d[\d.eE+-]*|-?\b(?:NaN|Infinity)\b/)) as Document)["fill_value"];
  return /^-?\d+$/.test(String(digits)) ? { ...document, fill_value: BigInt(digits as string) } : document;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return JSON.parse(quoted(text, /-?\b(?:NaN|Infinity)\b/));
  }
}

/** JSON with other tokens as texts. */
const quoted = (text: string, tokens: RegExp): string =>
  text.replace(new RegExp(`"(?:[^"\\\\]|\\\\.)*"|${tokens.source}`, "g"), (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  );

/** A text in place of the digits of a fill value, until the rest is written. */
const DIGITS = "fill value ";

export function encodeJson(value: unknown): Uint8Array {
  const inDigits = (key: string, entry: unknown): unknown =>
    key === "fill_value" && typeof entry === "bigint" ? `${DIGITS}${entry}` : entry;
  const text = JSON.stringify(value, inDigits, 2);
  return new TextEncoder().encode(text.replace(new RegExp(`"${DIGITS}(-?\\d+)"`), "$1"));
}

async function load(fn: string, store: ZarrStore, key: `/${string}`): Promise<Document | undefined> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = await store.get(key);
  } catch (cause) {
    throw new ArgumentError(`${fn} cannot read ${key} of the store: ${(cause as Error).message}`, { cause });
  }
  return bytes && parse(fn, key, bytes);
}

/** The metadata of the array at a path; undefined where the store has none. */
export async function findMetadata(fn: string, store: ZarrStore, path: string): Promise<Metadata | undefined> {
  const latest = await load(fn, store, keyOf(path, "zarr.json"));
  if (latest !== undefined) {
    if (latest["node_type"] !== "array") throw await noArray(fn, store, path);
    return metadataOf(fn, 3, latest, (latest["attributes"] ?? {}) as Attributes);
  }
  const document = await load(fn, store, keyOf(path, ".zarray"));
  if (document === undefined) return undefined;
  return metadataOf(fn, 2, document, (await load(fn, store, keyOf(path, ".zattrs"))) ?? {});
}

/** The metadata of an array that has to be there. */
export async function readMetadata(fn: string, store: ZarrStore, path: string): Promise<Metadata> {
  const found = await findMetadata(fn, store, path);
  if (found !== undefined) return found;
  throw await noArray(fn, store, path);
}

async function noArray(fn: string, store: ZarrStore, path: string): Promise<ArgumentError> {
  const group = (await load(fn, store, keyOf(path, "zarr.json"))) ?? (await load(fn, store, keyOf(path, ".zgroup")));
  const place = shown(path === "" ? "/" : path);
  if (group === undefined) return new ArgumentError(`${fn}: ${nameOf(store)} has no Zarr array at ${place}`);
  const below = await arraysBelow(fn, store, path, group);
  const list =
    below.length === 0 ? "" : `: ${below.slice(0, 8).map(shown).join(", ")}${below.length > 8 ? ", ..." : ""}`;
  return new ArgumentError(
    `${fn}: at ${place} ${nameOf(store)} has a group; give the path of one of its arrays${list}`,
  );
}

const nameOf = (store: ZarrStore): string => (store instanceof Folder ? String(store) : "the store");

/** The arrays that consolidated metadata of a group lists. */
async function arraysBelow(fn: string, store: ZarrStore, path: string, group: Document): Promise<string[]> {
  const latest = (group["consolidated_metadata"] as { metadata?: Record<string, Document> } | null)?.metadata ?? {};
  const arrays = Object.keys(latest).filter((key) => latest[key]?.["node_type"] === "array");
  if (arrays.length > 0 || group["zarr_format"] === 3) return arrays;
  const listed = (await load(fn, store, keyOf(path, ".zmetadata")))?.["metadata"] ?? {};
  return Object.keys(listed).flatMap((key) => (key.endsWith("/.zarray") ? [key.slice(0, -"/.zarray".length)] : []));
}

function metadataOf(fn: string, format: 2 | 3, document: Document, attributes: Attributes): Metadata {
  const type = typeNamed(fn, format, format === 3 ? document["data_type"] : document["dtype"]);
  const shape = document["shape"];
  if (!Array.isArray(shape) || !shape.every((size) => Number.isSafeInteger(size) && (size as number) >= 0)) {
    throw new ArgumentError(`${fn}: the shape of the array must be a list of sizes, got: ${shown(shape)}`);
  }
  if (shape.includes(0)) {
    throw new ArgumentError(`${fn}: the array of shape ${shown(shape)} has no elements; empty tensors do not exist`);
  }
  const given = format === 3 ? document["dimension_names"] : attributes[DIMENSIONS];
  const names = Array.isArray(given) && given.length === shape.length ? (given as unknown[]) : shape.map(() => null);
  return {
    format,
    type,
    shape: Object.freeze([...(shape as number[])]),
    names: Object.freeze(names.map((name) => (typeof name === "string" && name !== "" ? name : null))),
    attributes: Object.freeze({ ...attributes }),
    document,
  };
}

/** Names, refused where a tensor could not have them. */
export function checkNames(fn: string, rank: number, names: unknown): Names {
  if (!Array.isArray(names) || names.length !== rank) {
    throw new ArgumentError(`${fn} expects a name or null for each of the ${rank} axes, got: ${shown(names)}`);
  }
  return template(
    Array.from({ length: rank }, () => 1),
    "u8",
    { names: names as string[] },
  ).names;
}

/** The metadata as zarrita is to see it: half floats by their bits, and something in chunks that were never written. */
export function forZarrita({ format, type, document }: Metadata): Uint8Array {
  const { carrier } = elementType(type);
  const fill = document["fill_value"] ?? 0;
  if (carrier === undefined) return encodeJson({ ...document, fill_value: fillFor(type, fill) });
  const bits = { ...document, fill_value: halfBits(type, fill) };
  if (format === 3) return encodeJson({ ...bits, data_type: carrier.v3 });
  return encodeJson({ ...bits, dtype: String(document["dtype"]).replace(/\w+$/, carrier.v2) });
}

/** A fill value as zarrita takes it: digits as a text, and floats that are said by their bits as numbers. */
function fillFor(type: ZarrType, fill: unknown): unknown {
  if (typeof fill === "bigint") return String(fill);
  if (typeof fill !== "string" || !/^f/.test(type) || !/^0x[\da-f]+$/i.test(fill)) return fill;
  const { bytes } = elementType(type);
  const bits = BigInt.asUintN(8 * bytes, BigInt(fill));
  const value = Number(toNumber(fromBinary(new Uint8Array(new BigUint64Array([bits]).buffer, 0, bytes), type).at(0)));
  return Number.isFinite(value) ? value : String(value);
}

/** The two bytes of a number, as one. */
function halfBits(type: ZarrType, fill: unknown): number {
  if (typeof fill === "string" && fill.startsWith("0x")) return Number(fill);
  const [low, high] = toBinary(tensor(Number(fill), { type }));
  return low! + high! * 256;
}
