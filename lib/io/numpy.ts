/**
 * NumPy's files: single arrays (`.npy`) and archives of them (`.npz`).
 */
import { readNow } from "../backends/reading";
import { ArgumentError, show } from "../core/errors";
import { booleanOption, checkOptions } from "../core/options";
import { asTensor } from "../nx/dispatch";
import { transpose } from "../nx/shape";
import type { Operand, Tensor } from "../tensor";
import {
  allocateBytes,
  checkRank,
  fileBytes,
  maxBytesOf,
  place,
  placingOf,
  truths,
  type LoadOptions,
  type Placing,
} from "./bytes";
import { checkExpansion, crc32, inflateExactly, inflatePrefix, levelOf, type CompressionOptions } from "./deflate";
import { NPY_LEAD, npyStart, readNpyHeader, writeNpyHeader, type NpyHeader } from "./npy-header";
import { chosen, namedTensors, type NamedTensors } from "./named";
import { readZip, writeZip, type ZipEntry } from "./zip";

/** Options of {@link loadNumpyArchive}. */
export interface LoadArchiveOptions extends LoadOptions {
  /** Only these arrays; all by default. The others may be what no tensor holds, such as text. */
  readonly keys?: readonly string[];
  /** At most so many bytes when expanded, all arrays together; 4 GiB by default. */
  readonly maxBytes?: number;
}

/** Options of {@link toNumpy}. */
export interface NumpyOptions {
  /** Write column by column, the first axis fastest; off by default. */
  readonly fortranOrder?: boolean;
  /** Version of the file format; 1, which every NumPy reads, by default. */
  readonly version?: 1 | 2 | 3;
}

/**
 * Reads a `.npy` file as `numpy.save` writes it: versions 1.0 to 3.0, either byte order, C or Fortran order.
 *
 * Booleans become `u8`; the other types keep their kind and width. NumPy has no axis names: give them with `Nx.rename`.
 * Cannot be used inside `defn`.
 *
 * @param bytes - the whole file
 * @param options - `backend`; `copy: false` reads the elements where they lie, see `Nx.deserialize`
 * @returns a tensor without names
 * @throws ArgumentError if the file is malformed or cut off, or holds what a tensor cannot: no elements, text, objects,
 *   structured elements
 * @example
 * ```ts
 * const file = Nx.toNumpy(Nx.f32([[1, 2.5], [3, 4]], { names: ["x", "y"] }));
 * Nx.loadNumpy(file).rename(["row", "column"]);
 * // => #Nx.Tensor<
 * //   f32[row: 2][column: 2]
 * //   [
 * //     [1.0, 2.5],
 * //     [3.0, 4.0]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.loadNumpy(new Uint8Array([80, 75, 3, 4]));
 * // throws ArgumentError: Nx.loadNumpy: the file is no .npy file: it should begin with the bytes 93 4e 55 4d 50 59, got: 50 4b 03 04
 * ```
 */
export function loadNumpy(bytes: Uint8Array | ArrayBuffer, options?: LoadOptions): Tensor {
  const fn = "Nx.loadNumpy";
  options = checkOptions(fn, options, ["backend", "copy"]);
  return readNpy(fileBytes(bytes, fn), placingOf(fn, options), false, fn, "the file");
}

/**
 * Writes a tensor as a `.npy` file, which `numpy.load` reads.
 *
 * Axis names are lost, NumPy has none. The same tensor always gives the same bytes, those `numpy.save` writes.
 * Cannot be used inside `defn`.
 *
 * @param tensor - a tensor or plain value of any type but `bf16`
 * @param options - `fortranOrder`: write the first axis fastest; `version`: 1 (default), 2 or 3
 * @returns the bytes of the file
 * @throws ArgumentError for `bf16`, which NumPy does not have: convert with `Nx.asType` first
 * @example
 * ```ts
 * const file = Nx.toNumpy(Nx.u16([[1, 2], [3, 4]], { names: ["x", "y"] }));
 * file.length;
 * // => 136
 * String.fromCharCode(...file.subarray(10, 69));
 * // => "{'descr': '<u2', 'fortran_order': False, 'shape': (2, 2), }"
 * file.subarray(128);
 * // => Uint8Array(8) [1, 0, 2, 0, 3, 0, 4, 0]
 * Nx.toNumpy(Nx.u16([[1, 2], [3, 4]]), { fortranOrder: true }).subarray(128);
 * // => Uint8Array(8) [1, 0, 3, 0, 2, 0, 4, 0]
 * ```
 * @example
 * ```ts
 * Nx.toNumpy(Nx.bf16([1.5]));
 * // throws ArgumentError: Nx.toNumpy: NumPy has no bf16; convert the tensor with Nx.asType(tensor, "f32") first
 * ```
 */
export function toNumpy(tensor: Operand, options?: NumpyOptions): Uint8Array {
  const fn = "Nx.toNumpy";
  options = checkOptions(fn, options, ["fortranOrder", "version"]);
  const fortran = booleanOption(fn, "fortranOrder", options?.fortranOrder, false);
  const version = options?.version === undefined ? 1 : options.version;
  if (version !== 1 && version !== 2 && version !== 3) {
    throw new ArgumentError(`option version of ${fn} must be 1, 2 or 3, got: ${show(version)}`);
  }
  return npyBytes(asTensor(tensor, fn), fortran, version, fn);
}

/**
 * Reads a `.npz` archive as `numpy.savez` and `numpy.savez_compressed` write it. Cannot be used inside `defn`.
 *
 * Nothing is expanded further than the header of its array says, and all together not beyond `maxBytes`.
 *
 * @param bytes - the whole file
 * @param options - `keys`: only these arrays, in this order; `maxBytes`: the limit of the expanded size; `backend`; `copy: false` reads
 *   the elements of arrays that are not compressed where they lie, see `Nx.deserialize`
 * @returns names and tensors as pairs, in the order of the archive; `Object.fromEntries` makes an object of them
 * @throws ArgumentError if the archive or an array in it is malformed, cut off, encrypted, too large, or holds what a
 *   tensor cannot, such as text, and if it has no array of one of the `keys`
 * @example
 * ```ts
 * const file = Nx.toNumpyArchive({ foo: Nx.tensor([1, 2, 3], { names: ["x"] }), bar: Nx.tensor(0.5) });
 * const { foo, bar } = Object.fromEntries(Nx.loadNumpyArchive(file));
 * foo;
 * // => #Nx.Tensor<
 * //   s64[3]
 * //   [1, 2, 3]
 * // >
 * bar;
 * // => #Nx.Tensor<
 * //   f32
 * //   0.5
 * // >
 * Nx.loadNumpyArchive(file, { keys: ["bar"] }).length;
 * // => 1
 * ```
 * @example
 * ```ts
 * const file = Nx.toNumpyArchive({ zeros: Nx.broadcast(0, [1000]) }, { compression: "deflate" });
 * Nx.loadNumpyArchive(file, { maxBytes: 1000 });
 * // throws ArgumentError: Nx.loadNumpyArchive: the archive expands to 8128 bytes, more than the 1000 of maxBytes
 * ```
 */
export function loadNumpyArchive(
  bytes: Uint8Array | ArrayBuffer,
  options?: LoadArchiveOptions,
): (readonly [name: string, tensor: Tensor])[] {
  const fn = "Nx.loadNumpyArchive";
  options = checkOptions(fn, options, ["backend", "copy", "keys", "maxBytes"]);
  const maxBytes = maxBytesOf(fn, options?.maxBytes);
  const placing = placingOf(fn, options);
  const all = readZip(fileBytes(bytes, fn), fn).map((entry) => ({
    ...entry,
    file: entry.name,
    name: entry.name.replace(/\.npy$/, ""),
  }));
  const entries = chosen(all, options?.keys, fn);
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  if (total > maxBytes) {
    throw new ArgumentError(`${fn}: the archive expands to ${total} bytes, more than the ${maxBytes} of maxBytes`);
  }
  return entries.map((entry) => {
    try {
      return [entry.name, readArray(entry, placing, fn)] as const;
    } catch (cause) {
      if (options?.keys !== undefined || entries.length === 1 || !(cause instanceof ArgumentError)) throw cause;
      throw new ArgumentError(`${cause.message}; the option keys reads other arrays alone`, { cause });
    }
  });
}

/**
 * Writes tensors as a `.npz` archive, which `numpy.load` reads.
 *
 * Axis names are lost, NumPy has none. The same tensors always give the same bytes. Cannot be used inside `defn`.
 *
 * @param tensors - tensors by name: an object, an Immutable Map, or pairs of a name and a tensor
 * @param options - `compression`: `"none"` (default) or `"deflate"`; `level`: from 0 to 9, 6 by default
 * @returns the bytes of the file
 * @throws ArgumentError for names that repeat or are empty, and for `bf16`, which NumPy does not have
 * @example
 * ```ts
 * const file = Nx.toNumpyArchive([["w", Nx.iota([2], { names: ["x"] })], ["b", 1]], { compression: "deflate" });
 * Nx.loadNumpyArchive(file).map(([name]) => name);
 * // => ['w', 'b']
 * ```
 * @example
 * ```ts
 * Nx.toNumpyArchive([["w", 1], ["w", 2]]);
 * // throws ArgumentError: Nx.toNumpyArchive got the name "w" twice
 * ```
 */
export function toNumpyArchive(tensors: NamedTensors, options?: CompressionOptions): Uint8Array {
  const fn = "Nx.toNumpyArchive";
  options = checkOptions(fn, options, ["compression", "level"]);
  const level = levelOf(fn, options);
  const files = namedTensors(tensors, fn).map(([name, t]) => [`${name}.npy`, npyBytes(t, false, 1, fn)] as const);
  return writeZip(files, level, fn);
}

/** An array of an archive, by its name without the ending of its file. */
interface ArrayEntry extends ZipEntry {
  readonly file: string;
}

function readArray(entry: ArrayEntry, placing: Placing, fn: string): Tensor {
  const what = `the entry ${show(entry.file)}`;
  if (entry.deflated) checkHeader(entry, fn, what);
  const bytes = entry.deflated ? inflateExactly(entry.packed, entry.size, fn, what) : entry.packed;
  const crc = crc32(bytes);
  if (crc === entry.crc) return readNpy(bytes, placing, entry.deflated, fn, what);
  throw new ArgumentError(`${fn}: ${what} is damaged: its check sum is ${crc}, the archive states ${entry.crc}`);
}

/** Expands the header alone, and refuses an entry that is to become larger than its array. */
function checkHeader({ packed, size }: ZipEntry, fn: string, what: string): void {
  checkExpansion(packed.length, size, fn, what);
  const start = npyStart(inflatePrefix(packed, NPY_LEAD, fn, what), fn, what);
  if (start <= size) checkSizes(readNpyHeader(inflatePrefix(packed, start, fn, what), fn, what), size, fn, what);
  else throw new ArgumentError(`${fn}: ${what} has ${size} bytes, its header alone should take ${start}`);
}

function checkSizes({ type, shape, start, size }: NpyHeader, length: number, fn: string, what: string): void {
  if (start + size === length) return;
  throw new ArgumentError(
    `${fn}: ${what} should have ${size} bytes of elements of type ${type} and shape ${show(shape)} from byte ${start}, ` +
      `but has ${length - start}`,
  );
}

function readNpy(bytes: Uint8Array, placing: Placing, own: boolean, fn: string, what: string): Tensor {
  const header = readNpyHeader(bytes, fn, what);
  checkSizes(header, bytes.length, fn, what);
  const raw = bytes.subarray(header.start);
  const elements = header.bool ? truths(raw) : header.swap > 1 ? swapped(raw, header.swap, fn) : raw;
  const mine = own || elements !== raw;
  if (!header.fortran) return place(placing, header.type, header.shape, elements, mine);
  return transpose(place(placing, header.type, Object.freeze(header.shape.slice().reverse()), elements, mine));
}

/** A copy with the bytes of each number reversed. */
function swapped(bytes: Uint8Array, width: number, fn: string): Uint8Array {
  const out = allocateBytes(bytes.length, fn);
  for (let start = 0; start < bytes.length; start += width) {
    for (let i = 0; i < width; i++) out[start + i] = bytes[start + width - 1 - i]!;
  }
  return out;
}

function npyBytes(t: Tensor, fortran: boolean, version: 1 | 2 | 3, fn: string): Uint8Array {
  const isTransposed = fortran && checkRank(t, fn).shape.length > 1;
  const header = writeNpyHeader(t.type, t.shape, isTransposed, version, fn);
  const elements = elementBytes(isTransposed ? transpose(t) : t);
  const out = allocateBytes(header.length + elements.length, fn);
  out.set(header);
  out.set(elements, header.length);
  return out;
}

const elementBytes = (t: Tensor): Uint8Array => readNow(t);
