/**
 * The metadata of arrays to be created. Everything is said: readers differ in what they take for granted.
 */
import { ArgumentError, Type, type Names } from "nx-numerics";
import { didYouMean, shown } from "./checks";
import { elementType, type Zarrita, type ZarrType } from "./types";

/** A codec as the metadata have it: in version 3 `name` and `configuration`, in version 2 `id` and its settings. */
export type ZarrCodec = Readonly<Record<string, unknown>>;

/** How chunks are compressed. */
export type ZarrCodecs = "none" | "zstd" | "blosc" | readonly ZarrCodec[];

/** What codecs are set to where nothing is said. Readers and zarrita itself take nothing for granted, so it is written out. */
const SETTINGS = {
  zstd: { 3: { level: 1, checksum: false }, 2: { level: 1 } },
  blosc: {
    3: { cname: "lz4", clevel: 5, shuffle: "shuffle", typesize: 0, blocksize: 0 },
    2: { cname: "lz4", clevel: 5, shuffle: 1, blocksize: 0 },
  },
  lz4: { 3: { acceleration: 1 }, 2: { acceleration: 1 } },
} as const satisfies Record<string, Record<2 | 3, ZarrCodec>>;

/** A codec with all its settings. */
function settled(codec: ZarrCodec, format: 2 | 3): ZarrCodec {
  const name = String(codec[format === 3 ? "name" : "id"]);
  const known = Object.hasOwn(SETTINGS, name) ? SETTINGS[name as keyof typeof SETTINGS][format] : undefined;
  if (known === undefined) return codec;
  if (format === 2) return { ...codec, ...known, ...codec };
  return { ...codec, configuration: { ...known, ...(codec["configuration"] as object | undefined) } };
}

/** Codecs of zarrita that cannot be written, or not after others: what they make is no bytes, or of no bytes. */
const READ_ONLY: readonly string[] = [
  "gzip", "zlib", "crc32c", "bitround", "scale_offset", "cast_value", "transpose", "delta", "shuffle", "vlen-utf8", "json2", "sharding_indexed",
]; // prettier-ignore

/** The codecs that zarrita knows, by their names; a program may add its own. */
type Registry = Zarrita["registry"];

/** Version 2 calls codecs without the prefix that they have among those of version 3. */
const PREFIX = "numcodecs.";
const plainName = (name: string): string => name.replace(PREFIX, "");

function checkCodec(fn: string, format: 2 | 3, name: string, registry: Registry): void {
  const isReadOnly = READ_ONLY.includes(plainName(name));
  if (!isReadOnly && registry.has(format === 2 ? PREFIX + name : name)) return;
  const known = [...registry.keys()].filter((own) => own.startsWith(PREFIX) === (format === 2)).map(plainName);
  const names = known.filter((own) => !READ_ONLY.includes(own) && own !== "bytes");
  const why = isReadOnly
    ? `zarrita reads ${shown(name)} but cannot write it.`
    : `there is no codec ${shown(name)}${didYouMean(name, names)}`;
  throw new ArgumentError(`${fn}: ${why} Those that can be written are ${names.map(shown).join(", ")}`);
}

/** The codecs from bytes to bytes. */
export function codecsOf(fn: string, format: 2 | 3, given: unknown, registry: Registry): readonly ZarrCodec[] {
  const key = format === 3 ? "name" : "id";
  if (given === undefined || given === "zstd" || given === "blosc")
    return [settled({ [key]: given ?? "zstd" }, format)];
  if (given === "none") return [];
  const isCodec = (codec: unknown): boolean => typeof (codec as ZarrCodec | null)?.[key] === "string";
  if (!Array.isArray(given) || !given.every(isCodec)) {
    const example =
      format === 3 ? `{ name: "zstd", configuration: { level: 5, checksum: false } }` : `{ id: "zstd", level: 5 }`;
    throw new ArgumentError(
      `option codecs of ${fn} must be "none", "zstd", "blosc" or a list such as [${example}], got: ${shown(given)}`,
    );
  }
  const codecs = given as ZarrCodec[];
  for (const codec of codecs) {
    checkCodec(fn, format, String(codec[key]), registry);
    const { endian = "little" } = (codec["configuration"] ?? {}) as { readonly endian?: unknown };
    if (codec[key] === "bytes" && endian !== "little")
      throw new ArgumentError(`${fn} writes little-endian elements, and the codec "bytes" says ${shown(endian)}`);
  }
  if (format === 2 && codecs.length > 1)
    throw new ArgumentError(`${fn}: an array of version 2 has one compressor at most`);
  return codecs.filter((codec) => codec[key] !== "bytes").map((codec) => settled(codec, format));
}

/** Refuses settings that a codec does not take, before there is an array which nobody could write. */
export async function tryCodecs(
  fn: string,
  registry: Registry,
  { type, chunks, format, codecs }: Wanted,
): Promise<void> {
  const { v3, carrier } = elementType(type);
  const meta = { dataType: carrier?.v3 ?? v3, shape: chunks, codecs: [], fillValue: null };
  for (const codec of codecs) {
    const { name, id, configuration, ...settings } = codec;
    const [key, given] = format === 3 ? [name, configuration] : [PREFIX + String(id), settings];
    try {
      (await registry.get(String(key))!()).fromConfig(given, meta);
    } catch (cause) {
      const what = `the codec ${shown(name ?? id)} does not take the settings ${JSON.stringify(given) ?? "none"}`;
      throw new ArgumentError(`${fn}: ${what}: ${(cause as Error).message}`, { cause });
    }
  }
}

export interface Wanted {
  readonly type: ZarrType;
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  readonly names: Names;
  readonly format: 2 | 3;
  readonly codecs: readonly ZarrCodec[];
  readonly fillValue?: number;
  readonly attributes?: Readonly<Record<string, unknown>>;
}

/** The files of the metadata, by name. */
export function documentsOf(fn: string, wanted: Wanted): [name: string, document: object][] {
  const { type, shape, chunks, names, format, codecs, attributes = {} } = wanted;
  checkAttributes(fn, attributes);
  const { v3, v2, bytes } = elementType(type);
  const fill = fillOf(fn, wanted);
  if (format === 3) {
    const document = {
      zarr_format: 3,
      node_type: "array",
      shape,
      data_type: v3,
      chunk_grid: { name: "regular", configuration: { chunk_shape: chunks } },
      chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
      codecs: [{ name: "bytes", ...(bytes > 1 && { configuration: { endian: "little" } }) }, ...codecs.map(sized)],
      fill_value: fill,
      dimension_names: names,
      attributes,
    };
    return [["zarr.json", document]];
  }
  if (v2 === null) throw new ArgumentError(`${fn}: version 2 of Zarr has no type ${shown(type)}; write version 3`);
  const document = {
    zarr_format: 2,
    shape,
    chunks,
    dtype: `${bytes > 1 ? "<" : "|"}${v2}`,
    compressor: codecs[0] ?? null,
    fill_value: fill,
    order: "C",
    filters: null,
    dimension_separator: ".",
  };
  const named = names.some((name) => name !== null);
  return [
    [".zattrs", named ? { ...attributes, _ARRAY_DIMENSIONS: names } : attributes],
    [".zarray", document],
  ];

  /** Blosc shuffles by the size of elements. */
  function sized(codec: ZarrCodec): ZarrCodec {
    const { configuration } = codec as { configuration?: { typesize?: number } };
    if (codec["name"] !== "blosc" || configuration?.typesize !== 0) return codec;
    return { ...codec, configuration: { ...configuration, typesize: bytes } };
  }
}

function fillOf(fn: string, { type, format, fillValue }: Wanted): bigint | number | string | null {
  const isFloat = /^b?f/.test(type);
  // xarray takes elements equal to the fill value of version 2 as missing
  if (fillValue === undefined) return isFloat ? "NaN" : format === 2 ? null : 0;
  if (typeof fillValue !== "number" || !(isFloat || isIn(type, fillValue))) {
    throw new ArgumentError(`option fillValue of ${fn} must be a number of type ${type}, got: ${shown(fillValue)}`);
  }
  if (!Number.isFinite(fillValue)) return String(fillValue);
  return isFloat || Number.isSafeInteger(fillValue) ? fillValue : BigInt(fillValue);
}

const isIn = (type: ZarrType, value: number): boolean =>
  Number.isInteger(value) && value >= Type.minFinite(type) && value <= Type.maxFinite(type);

function checkAttributes(fn: string, attributes: unknown): void {
  const isPlain = typeof attributes === "object" && attributes !== null && !Array.isArray(attributes);
  if (!isPlain) throw new ArgumentError(`option attributes of ${fn} must be an object, got: ${shown(attributes)}`);
  try {
    JSON.stringify(attributes);
  } catch (cause) {
    throw new ArgumentError(`option attributes of ${fn} must be what JSON has: ${(cause as Error).message}`, { cause });
  }
}
