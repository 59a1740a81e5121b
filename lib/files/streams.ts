/**
 * Tensors out of blobs, responses and streams, and into blobs. Streams are read to their end, up to a limit.
 */
import { ArgumentError } from "nx-numerics";
import {
  FORMAT_LIST,
  checkFormat,
  decode,
  encode,
  formatOf,
  isBytes,
  shown,
  type EncodeOptions,
  type FileFormat,
  type FileOptions,
} from "./formats";

const DEFAULT_MAX_BYTES = 2 ** 32;
const OPTIONS = ["format", "maxBytes", "options"];

/** Whatever gives all its bytes at once: a Blob, a File, a Response. */
export interface WithBytes {
  arrayBuffer(): Promise<ArrayBuffer>;
  /** The name of a File. */
  readonly name?: string;
  /** The address of a Response. */
  readonly url?: string;
  /** Whether a Response succeeded. */
  readonly ok?: boolean;
  readonly status?: number;
}

/** A ReadableStream of the web. */
export interface WebStream {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
    cancel(reason?: unknown): Promise<void>;
  };
}

/** A stream of bytes: of Node, of the web, or any iteration over pieces. */
export type ByteStream = WebStream | AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Options of {@link readStream} and {@link fromBlob}. */
export interface ReadOptions<F extends FileFormat = FileFormat> {
  /** The format; else it is told by the name, where there is one with a known ending, or by how the bytes begin. */
  readonly format?: F;
  /** The most bytes that are taken; 4 GiB by default. */
  readonly maxBytes?: number;
  /** Options of the reader of the format. */
  readonly options?: FileOptions[F];
}

/** The options, checked; unknown ones are errors. */
export function checkReadOptions(fn: string, options: unknown): ReadOptions {
  if (options === undefined) return {};
  const plain = typeof options === "object" && options !== null && !Array.isArray(options);
  const unknown = plain ? Object.keys(options).find((key) => !OPTIONS.includes(key)) : shown(options);
  if (unknown !== undefined) {
    throw new ArgumentError(`${fn} takes the options ${OPTIONS.join(", ")}, got: ${unknown}`);
  }
  const { format, maxBytes } = options as ReadOptions;
  if (format !== undefined) checkFormat(fn, format);
  if (maxBytes !== undefined && !(Number.isInteger(maxBytes) && maxBytes > 0)) {
    throw new ArgumentError(`option maxBytes of ${fn} must be an integer of at least 1, got: ${shown(maxBytes)}`);
  }
  return options as ReadOptions;
}

/** The format asked for, or told by the name, or by the bytes. */
export function decodeAs(fn: string, bytes: Uint8Array, name: string | undefined, options: ReadOptions): unknown {
  const format = options.format ?? (name === undefined ? null : formatOf(name)) ?? formatOf(bytes);
  if (format !== null) return decode(bytes, format, options.options);
  throw new ArgumentError(
    `${fn} cannot tell the format of ${shown(name ?? "the stream")}, which is none of ${FORMAT_LIST} by its name or first bytes; ` +
      'give it by { format: "npy" }; tables of text or Arrow are read by nx-numerics/columns and a parser',
  );
}

/**
 * Reads a file out of a stream: a `ReadableStream` such as the body of a response, a Node stream, or any iteration over
 * pieces of bytes.
 *
 * @param stream - the stream; it is read to its end
 * @param options - `format`, by default told by the first bytes; `maxBytes`; `options` of the format's own reader
 * @returns what the reader of the format gives: a tensor (`npy`), pairs (`npz`), an object (`safetensors`), a container (`nx`)
 * @throws ArgumentError for a stream of anything but bytes, or too many of them, and for a malformed file
 * @example
 * ```ts
 * import { readStream } from "nx-numerics/files";
 * const bytes = Nx.toNumpy(Nx.u8([1, 2, 3]));
 * const stream = new Blob([bytes.slice()]).stream();
 * await readStream(stream, { format: "npy" });
 * // => #Nx.Tensor<
 * //   u8[3]
 * //   [1, 2, 3]
 * // >
 * await readStream([bytes], { maxBytes: 100 });
 * // throws ArgumentError: readStream: the stream has more than the 100 bytes of maxBytes
 * ```
 */
export async function readStream(stream: ByteStream, options?: ReadOptions): Promise<unknown> {
  const checked = checkReadOptions("readStream", options);
  const bytes = await collect(pieces(stream), checked.maxBytes ?? DEFAULT_MAX_BYTES);
  return decodeAs("readStream", bytes, undefined, checked);
}

/** The pieces of a stream; one of the web that is left early is told to stop. */
async function* pieces(stream: unknown): AsyncGenerator<unknown, void> {
  const kind = stream as Partial<WebStream & AsyncIterable<unknown> & Iterable<unknown>> | null | undefined;
  if (typeof kind === "object" && kind !== null) {
    if (typeof kind.getReader === "function") return yield* webPieces(kind as WebStream);
    if (typeof kind[Symbol.asyncIterator] === "function" || typeof kind[Symbol.iterator] === "function") {
      return yield* kind as AsyncIterable<unknown>;
    }
  }
  throw new ArgumentError(
    `readStream expects a ReadableStream, a Node stream or an iteration over bytes, got: ${shown(stream)}`,
  );
}

async function* webPieces(stream: WebStream): AsyncGenerator<unknown, void> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}

async function collect(stream: AsyncIterable<unknown>, maxBytes: number): Promise<Uint8Array> {
  const taken: Uint8Array[] = [];
  let total = 0;
  for await (const piece of stream) {
    if (!isBytes(piece, "readStream")) {
      throw new ArgumentError(`readStream expects pieces that are Uint8Arrays, got: ${shown(piece)}`);
    }
    total += piece.length;
    if (total > maxBytes)
      throw new ArgumentError(`readStream: the stream has more than the ${maxBytes} bytes of maxBytes`);
    taken.push(piece);
  }
  const bytes = new Uint8Array(total);
  let at = 0;
  for (const piece of taken) {
    if (!isBytes(piece, "readStream")) continue;
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/**
 * Reads a file out of a Blob, a File or a Response.
 *
 * @param blob - what holds the bytes
 * @param options - `format`, by default told by the name of a File, the address of a Response or the first bytes;
 *   `maxBytes`; `options` of the format's own reader
 * @returns what the reader of the format gives: a tensor (`npy`), pairs (`npz`), an object (`safetensors`), a container (`nx`)
 * @throws ArgumentError for a response that is no success, too many bytes, and for a malformed file
 * @example
 * ```ts
 * import { fromBlob, toBlob } from "nx-numerics/files";
 * const blob = toBlob(Nx.tensor([1, 2], { names: ["x"] }), "nx");
 * await fromBlob(blob);
 * // => #Nx.Tensor<
 * //   s64[x: 2]
 * //   [1, 2]
 * // >
 * await fromBlob(new Response("not found", { status: 404 }));
 * // throws ArgumentError: fromBlob got a response of status 404
 * ```
 */
export async function fromBlob(blob: WithBytes, options?: ReadOptions): Promise<unknown> {
  const checked = checkReadOptions("fromBlob", options);
  if (typeof blob !== "object" || blob === null || typeof blob.arrayBuffer !== "function") {
    throw new ArgumentError(`fromBlob expects a Blob, a File or a Response, got: ${shown(blob)}`);
  }
  if (blob.ok === false) throw new ArgumentError(`fromBlob got a response of status ${String(blob.status)}`);
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const maxBytes = checked.maxBytes ?? DEFAULT_MAX_BYTES;
  if (bytes.length > maxBytes) {
    throw new ArgumentError(`fromBlob: there are ${bytes.length} bytes, more than the ${maxBytes} of maxBytes`);
  }
  return decodeAs("fromBlob", bytes, nameOf(blob), checked);
}

/** A name with a known ending, if there is one. */
function nameOf({ name, url }: WithBytes): string | undefined {
  const names = [name, url?.replace(/[?#].*$/s, "")];
  return names.find((candidate) => typeof candidate === "string" && formatOf(candidate) !== null);
}

/**
 * Writes a value as a Blob, to be downloaded, sent or kept.
 *
 * @param value - for `"nx"` any container, for `"npy"` a tensor, for `"npz"` and `"safetensors"` tensors by name
 * @param format - `"nx"`, `"npy"`, `"npz"` or `"safetensors"`
 * @param options - those of the format's own writer
 * @returns the blob, of type `application/zip` for `"npz"`, else `application/octet-stream`
 * @throws ArgumentError for an unknown format, or a value that the format cannot keep
 * @example
 * ```ts
 * import { toBlob } from "nx-numerics/files";
 * const { size, type } = toBlob({ w: Nx.u8([1, 2], { names: ["x"] }) }, "npz");
 * [size, type];
 * // => [238, 'application/zip']
 * toBlob(Nx.bf16(1), "npy");
 * // throws ArgumentError: Nx.toNumpy: NumPy has no bf16; convert the tensor with Nx.asType(tensor, "f32") first
 * ```
 */
export function toBlob<F extends FileFormat>(value: unknown, format: F, options?: EncodeOptions[F]): Blob {
  const bytes = encode(value, format, options) as Uint8Array<ArrayBuffer>;
  return new Blob([bytes], { type: format === "npz" ? "application/zip" : "application/octet-stream" });
}
