/**
 * The library's own format: any container of tensors in one file. `docs/formats.md` says it byte by byte.
 */
import { readNow } from "../backends/reading";
import { ArgumentError, show } from "../core/errors";
import { checkOptions, isPlainObject } from "../core/options";
import { roundUp } from "../core/round-up";
import type { Names, Shape } from "../core/shape";
import { isType, type DType } from "../core/types";
import type { Tensor } from "../tensor";
import {
  allocateBytes,
  byteLengthOf,
  fileBytes,
  fileNames,
  fileShape,
  maxBytesOf,
  place,
  placingOf,
  Reader,
  type LoadOptions,
  type Placing,
} from "./bytes";
import {
  checkExpansion,
  crc32,
  deflate,
  inflateExactly,
  levelOf,
  type CompressionOptions,
  type Level,
} from "./deflate";
import { build, checkRecords, describe, type Node, type RecordFactory } from "./structure";
import { encodeUtf8, parseJsonObject } from "./text";

const MAGIC = Uint8Array.of(0x89, 0x4e, 0x78, 0x54, 0x0d, 0x0a, 0x1a, 0x0a);
const VERSION = 1;
/** Magic, version, length of the header, length of the file. */
const LEAD = 24;
/** Where elements may begin: every type is aligned, also for vector instructions. */
const ALIGNMENT = 64;

/** Options of {@link deserialize}. */
export interface DeserializeOptions extends LoadOptions {
  /** At most so many bytes of elements when expanded; 4 GiB by default. */
  readonly maxBytes?: number;
  /** By name, what makes the records of Immutable that have it, for example `{ Point }`. */
  readonly records?: Readonly<Record<string, RecordFactory>>;
}

/** A tensor in the header. Positions are not written: tensors follow one another, each at the next multiple of 64. */
interface TensorInfo {
  readonly type: DType;
  readonly shape: Shape;
  readonly names: Names;
  /** Compressed bytes, and the check sum of the expanded ones; absent where not compressed. */
  readonly packed?: number;
  readonly crc?: number;
}

const aligned = (at: number): number => roundUp(at, ALIGNMENT);

/**
 * Turns a tensor or a container of tensors into bytes, with types, shapes, axis names and the kinds of all containers.
 * Cannot be used inside `defn`.
 *
 * Containers are arrays, plain objects and Immutable List, Map, OrderedMap and Record, in any nesting. Strings, booleans and
 * null come back as they are; numbers, bigints and `Nx.Complex` come back as the tensors that `Nx.tensor` makes of them. A
 * tensor that stands in several places is written once.
 *
 * @param container - the tensor or container
 * @param options - `compression`: `"none"` (default) or `"deflate"`; `level`: from 0 to 9, 6 by default
 * @returns the bytes; the same value always gives the same ones
 * @throws ArgumentError for instances of other classes, functions, symbols and undefined
 * @example
 * ```ts
 * const bytes = Nx.serialize({ weights: Nx.tensor([1, 2, 3], { names: ["x"] }), steps: 7, label: "first" });
 * Nx.deserialize(bytes);
 * // => {
 * //   weights: #Nx.Tensor<
 * //     s64[x: 3]
 * //     [1, 2, 3]
 * //   >,
 * //   steps: #Nx.Tensor<
 * //     s64
 * //     7
 * //   >,
 * //   label: 'first'
 * // }
 * bytes.length;
 * // => 328
 * ```
 * @example
 * ```ts
 * const zeros = Nx.broadcast(0, [1000], { names: ["x"] });
 * Nx.serialize(zeros).length > 8000;
 * // => true
 * Nx.serialize(zeros, { compression: "deflate", level: 9 }).length < 300;
 * // => true
 * ```
 * @example
 * ```ts
 * Nx.serialize({ when: [new Date(0)] });
 * // throws ArgumentError: Nx.serialize takes tensors, numbers, strings, booleans and null in arrays, plain objects and Immutable List, Map, OrderedMap and Record, got: an instance of Date at .when[0]
 * ```
 */
export function serialize(container: unknown, options?: CompressionOptions): Uint8Array {
  const fn = "Nx.serialize";
  options = checkOptions(fn, options, ["compression", "level"]);
  const level = levelOf(fn, options);
  const { node, tensors } = describe(container, fn);
  return level === null ? plainFile(node, tensors, fn) : packedFile(node, tensors, level, fn);
}

const infoOf = ({ type, shape, names }: Tensor): TensorInfo => ({ type, shape, names });

/** One tensor at a time is copied out of its backend. */
function plainFile(node: Node, tensors: readonly Tensor[], fn: string): Uint8Array {
  const sizes = tensors.map(({ type, shape }) => byteLengthOf(type, shape));
  return assemble(node, tensors.map(infoOf), sizes, (i) => readNow(tensors[i]!), fn);
}

function packedFile(node: Node, tensors: readonly Tensor[], level: Exclude<Level, null>, fn: string): Uint8Array {
  const sections = tensors.map((t) => {
    const bytes = readNow(t);
    const packed = deflate(bytes, level);
    if (packed.length >= bytes.length) return { info: infoOf(t), bytes };
    return { info: { ...infoOf(t), packed: packed.length, crc: crc32(bytes) }, bytes: packed };
  });
  const infos = sections.map(({ info }) => info);
  const sizes = sections.map(({ bytes }) => bytes.length);
  return assemble(node, infos, sizes, (i) => sections[i]!.bytes, fn);
}

function assemble(
  node: Node,
  tensors: readonly TensorInfo[],
  sizes: readonly number[],
  bytesOf: (i: number) => Uint8Array,
  fn: string,
): Uint8Array {
  const json = encodeUtf8(JSON.stringify({ tensors, value: node }), fn, "the header");
  const header = aligned(LEAD + json.length) - LEAD;
  const total = sizes.reduce((end, size) => aligned(end) + size, LEAD + header);
  const out = allocateBytes(total, fn);
  out.set(MAGIC);
  const view = new DataView(out.buffer);
  view.setUint32(8, VERSION, true);
  view.setUint32(12, header, true);
  view.setUint32(16, total % 2 ** 32, true);
  view.setUint32(20, Math.floor(total / 2 ** 32), true);
  out.set(json, LEAD);
  out.fill(0x20, LEAD + json.length, LEAD + header);
  let end = LEAD + header;
  sizes.forEach((size, i) => {
    out.set(bytesOf(i), aligned(end));
    end = aligned(end) + size;
  });
  return out;
}

/**
 * Turns bytes that {@link serialize} made back into the tensor or container. Cannot be used inside `defn`.
 *
 * Kinds of containers, axis names and types come back as they were, numbers as tensors. A record of Immutable comes back as
 * a record with the same name and fields; to get one of your own class, name it in `records`. `C` is what you know the
 * result to be; it is not checked.
 *
 * @param bytes - the whole file
 * @param options - `records`: classes of records by their names; `maxBytes`: the limit of the expanded size; `backend`;
 *   `copy`: with `false` the tensors of the binary backend read their elements out of `bytes` wherever these are aligned and
 *   not compressed, which saves time and memory, but you must never write to `bytes` again
 * @returns the tensor or container
 * @throws ArgumentError if the bytes are malformed or cut off
 * @example
 * ```ts
 * const bytes = Nx.serialize([Nx.f32([0.5, 1], { names: ["x"] }), { deep: true }]);
 * const [t, rest] = Nx.deserialize<[Nx.Tensor, { deep: boolean }]>(bytes);
 * t;
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [0.5, 1.0]
 * // >
 * rest;
 * // => { deep: true }
 * ```
 * @example
 * ```ts
 * import { List, Record } from "immutable";
 * const Layer = Record({ weights: Nx.tensor(0), kind: "dense" }, "Layer");
 * const bytes = Nx.serialize(List([Layer({ weights: Nx.tensor([1, 2]) })]));
 * const layers = Nx.deserialize<List<InstanceType<typeof Layer>>>(bytes, { records: { Layer } });
 * layers.first() instanceof Layer;
 * // => true
 * layers.first()?.weights;
 * // => #Nx.Tensor<
 * //   s64[2]
 * //   [1, 2]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.deserialize(Nx.serialize(Nx.iota([100])).subarray(0, 500));
 * // throws ArgumentError: Nx.deserialize: the file should have 928 bytes, got 500; is it cut off?
 * ```
 */
export function deserialize<C = unknown>(bytes: Uint8Array | ArrayBuffer, options?: DeserializeOptions): C {
  const fn = "Nx.deserialize";
  options = checkOptions(fn, options, ["backend", "copy", "maxBytes", "records"]);
  const maxBytes = maxBytesOf(fn, options?.maxBytes);
  const records = checkRecords(options?.records, fn);
  const placing = placingOf(fn, options);
  const reader = new Reader(fileBytes(bytes, fn), fn);
  const start = checkLead(reader);
  const header = parseJsonObject(reader.bytes.subarray(LEAD, start), fn, "the header");
  if (!Array.isArray(header["tensors"])) throw reader.fail(`the header has no list of tensors: ${show(header)}`);
  const infos = header["tensors"].map((info, i) => checkInfo(info, i, fn));
  const tensors = readTensors(reader, start, infos, placing, maxBytes);
  return build(header["value"], { fn, tensors, records }) as C;
}

/** Checks what stands before the header, and gives where the header ends. */
function checkLead(reader: Reader): number {
  if (!reader.startsWith(MAGIC)) throw reader.fail("the bytes were not made by Nx.serialize: they begin otherwise");
  reader.need(0, LEAD, "the beginning of the file");
  const version = reader.u32(8);
  if (version !== VERSION) {
    throw reader.fail(`the file has version ${version} of the format, this library reads version ${VERSION}`);
  }
  const [total, { length }] = [reader.u64(16), reader.bytes];
  if (total !== length) {
    throw reader.fail(`the file should have ${total} bytes, got ${length}${length < total ? "; is it cut off?" : ""}`);
  }
  const start = LEAD + reader.u32(12);
  reader.need(LEAD, start - LEAD, "the header");
  if (start % ALIGNMENT === 0) return start;
  throw reader.fail(`the header ends at byte ${start}, which is no multiple of ${ALIGNMENT}`);
}

function checkInfo(info: unknown, i: number, fn: string): TensorInfo {
  const what = `tensor ${i} of the file`;
  const { type, shape, names, packed, crc } = isPlainObject(info) ? info : ({} as Record<string, unknown>);
  if (!isType(type)) throw new ArgumentError(`${fn}: ${what} has no known type: ${show(type)}`);
  const sizes = fileShape(shape, fn, what);
  const checked = { type, shape: sizes, names: fileNames(names, sizes, fn, what) };
  if (packed === undefined) return checked;
  if (isSize(packed) && isSize(crc)) return { ...checked, packed, crc };
  throw new ArgumentError(`${fn}: ${what} states ${show(packed)} compressed bytes with the check sum ${show(crc)}`);
}

const isSize = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** All places and sizes are checked before the first tensor is made. */
function readTensors(
  reader: Reader,
  start: number,
  infos: readonly TensorInfo[],
  placing: Placing,
  maxBytes: number,
): Tensor[] {
  let end = start;
  let expanded = 0;
  const begins = infos.map(({ type, shape, packed }, i) => {
    const begin = aligned(end);
    const size = byteLengthOf(type, shape);
    if (packed !== undefined) checkExpansion(packed, size, reader.fn, `tensor ${i} of the file`);
    end = begin + (packed ?? size);
    expanded += size;
    return begin;
  });
  if (end !== reader.bytes.length) {
    throw reader.fail(`the tensors of the header end at byte ${end}, the file at byte ${reader.bytes.length}`);
  }
  if (expanded > maxBytes) {
    throw reader.fail(`the tensors take ${expanded} bytes, more than the ${maxBytes} of maxBytes`);
  }
  return infos.map((info, i) => readTensor(reader, begins[i]!, info, i, placing));
}

function readTensor(reader: Reader, begin: number, info: TensorInfo, i: number, placing: Placing): Tensor {
  const { type, shape, names, packed, crc } = info;
  const size = byteLengthOf(type, shape);
  const raw = reader.bytes.subarray(begin, begin + (packed ?? size));
  if (packed === undefined) return place(placing, type, shape, raw, false, names);
  const what = `tensor ${i} of the file`;
  const bytes = inflateExactly(raw, size, reader.fn, what);
  if (crc32(bytes) === crc) return place(placing, type, shape, bytes, true, names);
  throw reader.fail(`${what} is damaged: its check sum is ${crc32(bytes)}, the header states ${show(crc)}`);
}
