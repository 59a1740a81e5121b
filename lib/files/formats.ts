/**
 * All formats behind one interface: the format of a file, and reading and writing by the name of a format.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Tensor } from "nx-numerics";

/** The formats, by the endings of their files. */
export type FileFormat = "nx" | "npy" | "npz" | "safetensors";

const FORMATS: readonly FileFormat[] = ["nx", "npy", "npz", "safetensors"];

/** The result of reading, by format. */
export interface Decoded {
  nx: unknown;
  npy: Tensor;
  npz: (readonly [name: string, tensor: Tensor])[];
  safetensors: Record<string, Tensor>;
}

/** Options of the reader of each format. */
export interface FileOptions {
  nx: Nx.DeserializeOptions;
  npy: Nx.LoadOptions;
  npz: Nx.LoadArchiveOptions;
  safetensors: Nx.LoadSafetensorsOptions;
}

/** Options of the writer of each format. */
export interface EncodeOptions {
  nx: Nx.CompressionOptions;
  npy: Nx.NumpyOptions;
  npz: Nx.CompressionOptions;
  safetensors: Nx.SafetensorsOptions;
}

/** How each format begins; a safetensors file has its `{` after eight bytes of length. */
const SIGNATURES: readonly (readonly [format: FileFormat, at: number, bytes: readonly number[]])[] = [
  ["nx", 0, [0x89, 0x4e, 0x78, 0x54]],
  ["npy", 0, [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]],
  ["npz", 0, [0x50, 0x4b, 0x03, 0x04]],
  ["npz", 0, [0x50, 0x4b, 0x05, 0x06]],
  ["safetensors", 8, [0x7b]],
];

/** All formats, for messages. */
export const FORMAT_LIST = FORMATS.map((format) => `"${format}"`).join(", ");

/** A value in a message. */
export const shown = (value: unknown): string => (typeof value === "string" ? JSON.stringify(value) : typeof value);

/** Whether a value is a Uint8Array, of whatever realm; one whose bytes were transferred away is refused. */
export function isBytes(value: unknown, fn: string): value is Uint8Array {
  if (!ArrayBuffer.isView(value) || Object.prototype.toString.call(value) !== "[object Uint8Array]") return false;
  try {
    if (value.byteLength === 0) void new Uint8Array(value.buffer);
  } catch (cause) {
    throw new ArgumentError(`${fn} was given an array that is detached: its bytes were transferred away`, { cause });
  }
  return true;
}

/** The word as a format, or an error that lists them. */
export function checkFormat(fn: string, format: unknown): FileFormat {
  if (FORMATS.includes(format as FileFormat)) return format as FileFormat;
  throw new ArgumentError(`${fn} knows the formats ${FORMAT_LIST}, got: ${shown(format)}`);
}

/**
 * The format of a file: by the ending of its name, or by how its bytes begin.
 *
 * @param file - a name or path, or the bytes
 * @returns `"nx"`, `"npy"`, `"npz"` or `"safetensors"`; null when it looks like none of them
 * @example
 * ```ts
 * import { formatOf } from "nx-numerics/files";
 * formatOf("weights/layer.safetensors");
 * // => 'safetensors'
 * formatOf(Nx.toNumpy(Nx.tensor([1, 2])));
 * // => 'npy'
 * formatOf("notes.txt");
 * // => null
 * ```
 */
export function formatOf(file: string | Uint8Array): FileFormat | null {
  if (typeof file === "string") {
    const ending = /\.([^./\\]+)$/.exec(file)?.[1]?.toLowerCase();
    return FORMATS.find((format) => format === ending) ?? null;
  }
  if (!isBytes(file, "formatOf")) {
    throw new ArgumentError(`formatOf expects a name or the bytes of a file, got: ${shown(file)}`);
  }
  const found = SIGNATURES.find(([, at, bytes]) => bytes.every((byte, i) => file[at + i] === byte));
  return found?.[0] ?? null;
}

/**
 * Reads the bytes of a file of a given format.
 *
 * @param bytes - the whole file
 * @param format - `"nx"`, `"npy"`, `"npz"` or `"safetensors"`
 * @param options - those of `Nx.deserialize`, `Nx.loadNumpy`, `Nx.loadNumpyArchive` or `Nx.loadSafetensors`
 * @returns what that function returns
 * @throws ArgumentError for an unknown format or a malformed file
 * @example
 * ```ts
 * import { decode, encode } from "nx-numerics/files";
 * decode(encode(Nx.tensor([1, 2], { names: ["x"] }), "nx"), "nx");
 * // => #Nx.Tensor<
 * //   s64[x: 2]
 * //   [1, 2]
 * // >
 * ```
 * @example
 * ```ts
 * import { decode } from "nx-numerics/files";
 * // @ts-expect-error
 * decode(new Uint8Array(1), "csv");
 * // throws ArgumentError: decode knows the formats "nx", "npy", "npz", "safetensors", got: "csv"
 * ```
 */
export function decode<F extends FileFormat>(bytes: Uint8Array, format: F, options?: FileOptions[F]): Decoded[F] {
  const readers: { readonly [G in FileFormat]: (bytes: Uint8Array, options?: FileOptions[G]) => Decoded[G] } = {
    nx: Nx.deserialize,
    npy: Nx.loadNumpy,
    npz: Nx.loadNumpyArchive,
    safetensors: Nx.loadSafetensors,
  };
  checkFormat("decode", format);
  return readers[format](bytes, options);
}

/**
 * Writes a value as the bytes of a file of a given format.
 *
 * @param value - for `"nx"` any container, for `"npy"` a tensor, for `"npz"` and `"safetensors"` tensors by name
 * @param format - `"nx"`, `"npy"`, `"npz"` or `"safetensors"`
 * @param options - those of `Nx.serialize`, `Nx.toNumpy`, `Nx.toNumpyArchive` or `Nx.toSafetensors`
 * @returns the bytes
 * @throws ArgumentError for an unknown format, or a value that the format cannot keep
 * @example
 * ```ts
 * import { decode, encode } from "nx-numerics/files";
 * const bytes = encode({ w: Nx.f32([1, 2], { names: ["x"] }) }, "safetensors", { metadata: { by: "me" } });
 * decode(bytes, "safetensors")["w"];
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [1.0, 2.0]
 * // >
 * encode("text", "npy");
 * // throws ArgumentError: Nx.toNumpy expects a tensor or a number, got: "text"
 * ```
 */
export function encode<F extends FileFormat>(value: unknown, format: F, options?: EncodeOptions[F]): Uint8Array {
  const writers: { readonly [G in FileFormat]: (value: never, options?: EncodeOptions[G]) => Uint8Array } = {
    nx: Nx.serialize,
    npy: Nx.toNumpy,
    npz: Nx.toNumpyArchive,
    safetensors: Nx.toSafetensors,
  };
  checkFormat("encode", format);
  return writers[format](value as never, options);
}
