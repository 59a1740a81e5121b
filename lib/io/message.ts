/**
 * Tensors as messages to other threads, and to other copies of the library: plain objects over bytes, which structured cloning takes.
 */
import { ArrayData } from "../backends/arrays/storage";
import { readNow } from "../backends/reading";
import { bytesOfView, isArrayBuffer, typedArrayName } from "../core/bytes";
import { ArgumentError, refuseOtherCopy, show } from "../core/errors";
import { booleanOption, checkOptions, isPlainObject } from "../core/options";
import type { Names, Shape } from "../core/shape";
import { isType, type DType } from "../core/types";
import type { Tensor } from "../tensor";
import { byteLengthOf, fileNames, fileShape, place, placingOf, type LoadOptions, type Placing } from "./bytes";
import { build, checkRecords, describe, type RecordFactory } from "./structure";

const VERSION = 1;

/** What {@link toMessage} makes of a tensor or container: data that `postMessage` and `structuredClone` take. */
export interface Message {
  /** Version of the form of messages. */
  readonly nx: number;
  /** The container; its tensors are numbers of entries of `tensors`. */
  readonly value: unknown;
  readonly tensors: readonly MessageTensor[];
}

/** A tensor of a {@link Message}. */
export interface MessageTensor {
  readonly type: DType;
  readonly shape: Shape;
  readonly names: Names;
  /** The elements as row-major little-endian bytes, over a buffer of their own, which may be shared. */
  readonly bytes: Uint8Array;
}

/** Options of {@link toMessage}. */
export interface MessageOptions {
  /** Whether elements lie in shared memory, which any number of threads read without copying; false by default. */
  readonly shared?: boolean;
}

/** Options of {@link fromMessage}. */
export interface FromMessageOptions extends Pick<LoadOptions, "backend"> {
  /** By name, what makes the records of Immutable that have it, for example `{ Point }`. */
  readonly records?: Readonly<Record<string, RecordFactory>>;
}

/**
 * Makes a message of a tensor or a container of tensors, for a thread or another copy of the library: what `postMessage` takes, the
 * message and the buffers to be transferred. Tensors themselves cannot be posted: `structuredClone(t)` is an error that says so.
 * Cannot be used inside `defn`.
 *
 * Elements are copied once, here, into buffers that are handed over; who receives the message does not copy them. With `shared`
 * they lie in a `SharedArrayBuffer`: the message can be posted to any number of threads, none of which copies anything, and a tensor
 * that was sent so before, or came in such a message, is not copied again. Containers are those of {@link serialize}: plain numbers
 * arrive as tensors.
 *
 * @param container - the tensor or container
 * @param options - `shared`: whether elements lie in shared memory
 * @returns the arguments of `postMessage`: the message, and the buffers to be transferred, none where they are shared
 * @throws ArgumentError for what {@link serialize} does not take, and where the host has no shared memory (pages have it when they are
 *   cross-origin isolated)
 * @example
 * ```ts
 * const { port1, port2 } = new MessageChannel();
 * const received = new Promise<Nx.Tensor>((resolve) => {
 *   port2.onmessage = ({ data }) => resolve(Nx.fromMessage(data));
 * });
 * port1.postMessage(...Nx.toMessage(Nx.f32([1, 2], { names: ["x"] })));
 * await received;
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [1.0, 2.0]
 * // >
 * port1.close();
 * ```
 * @example
 * ```ts
 * const [message, transfer] = Nx.toMessage({ weights: Nx.iota([1000]) }, { shared: true });
 * message.tensors[0]!.bytes.buffer instanceof SharedArrayBuffer;
 * // => true
 * transfer;
 * // => []
 * ```
 * @example
 * ```ts
 * Nx.toMessage({ when: new Date(0) });
 * // throws ArgumentError: Nx.toMessage takes tensors, numbers, strings, booleans and null in arrays, plain objects and Immutable List, Map, OrderedMap and Record, got: an instance of Date at .when
 * ```
 */
export function toMessage(container: unknown, options?: MessageOptions): [message: Message, transfer: ArrayBuffer[]] {
  const fn = "Nx.toMessage";
  options = checkOptions(fn, options, ["shared"]);
  const isShared = booleanOption(fn, "shared", options?.shared, false);
  if (isShared && typeof SharedArrayBuffer !== "function") {
    throw new ArgumentError(
      `${fn}: this host has no shared memory; leave out the option shared, or serve the page cross-origin isolated`,
    );
  }
  const { node, tensors } = describe(container, fn);
  const parts = tensors.map((t): MessageTensor => {
    const { type, shape, names } = t;
    return { type, shape, names, bytes: isShared ? sharedBytes(t, fn) : ownBytes(t) };
  });
  const transfer = isShared ? [] : parts.map(({ bytes }) => bytes.buffer as ArrayBuffer);
  return [{ nx: VERSION, value: node, tensors: parts }, transfer];
}

/** Bytes that are alone in their buffer, so that it can be transferred. */
function ownBytes(t: Tensor): Uint8Array {
  const bytes = readNow(t);
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
}

/** Shared copies of tensors that were sent: nothing changes a tensor, so one is enough. */
const sent = new WeakMap<Tensor, Uint8Array>();

/**
 * Shared memory that came in messages, which nobody gives back. That of kernels is shared as well, but a room in it goes to another
 * tensor as soon as this thread needs it no more.
 */
const lasting = new WeakSet<ArrayBufferLike>();

/** The elements in shared memory: where they lie, if they came so, or in a copy. */
function sharedBytes(t: Tensor, fn: string): Uint8Array {
  const elements = t.data instanceof ArrayData ? t.data.elements : null;
  if (ArrayBuffer.isView(elements) && lasting.has(elements.buffer)) return bytesOfView(elements);
  const known = sent.get(t);
  const bytes = readNow(t, known && 1); // whatever was sent, a released tensor is an error
  if (known !== undefined) return known;
  const copy = new Uint8Array(allocateShared(bytes.byteLength, fn));
  copy.set(bytes);
  sent.set(t, copy);
  return copy;
}

function allocateShared(bytes: number, fn: string): SharedArrayBuffer {
  try {
    return new SharedArrayBuffer(bytes);
  } catch (cause) {
    throw new ArgumentError(`${fn}: cannot allocate ${bytes} bytes of shared memory`, { cause });
  }
}

/**
 * The tensor or container that a message holds, on this side: the tensors of the usual backends read their elements where the message
 * has them, without copying. Nobody may write to them afterwards. Cannot be used inside `defn`.
 *
 * @param message - what {@link toMessage} gave on the other side: `event.data` in a listener
 * @param options - `backend` of the tensors; `records`: classes of records by their names, as for {@link deserialize}
 * @returns the tensor or container
 * @throws ArgumentError for what is no such message
 * @example
 * ```ts
 * const [message] = Nx.toMessage({ step: 7, weights: Nx.f32([[1, 2]], { names: ["x", "y"] }) });
 * Nx.fromMessage<{ weights: Nx.Tensor }>(structuredClone(message)).weights;
 * // => #Nx.Tensor<
 * //   f32[x: 1][y: 2]
 * //   [
 * //     [1.0, 2.0]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.fromMessage({ data: [1, 2] });
 * // throws ArgumentError: Nx.fromMessage expects what Nx.toMessage made
 * ```
 */
export function fromMessage<C = unknown>(message: unknown, options?: FromMessageOptions): C {
  const fn = "Nx.fromMessage";
  options = checkOptions(fn, options, ["backend", "records"]);
  const placing = placingOf(fn, options);
  const records = checkRecords(options?.records, fn);
  const { value, tensors } = checkMessage(message, fn);
  return build(value, { fn, records, tensors: tensors.map((part, i) => received(part, i, placing, fn)) }) as C;
}

function checkMessage(message: unknown, fn: string): { readonly value: unknown; readonly tensors: readonly unknown[] } {
  refuseOtherCopy(fn, message);
  const { nx, value, tensors } = isPlainObject(message) ? message : ({} as Record<string, unknown>);
  if (typeof nx === "number" && Array.isArray(tensors)) {
    if (nx === VERSION) return { value, tensors };
    throw new ArgumentError(`${fn}: the message has version ${nx} of the form, this library reads version ${VERSION}`);
  }
  const hint = Array.isArray(message)
    ? "; give the message alone, without the list of what is transferred"
    : "; in a listener that is event.data, where the other side called postMessage(...Nx.toMessage(tensor))";
  throw new ArgumentError(`${fn} expects what Nx.toMessage made, got: ${show(message)}${hint}`);
}

function received(part: unknown, i: number, placing: Placing, fn: string): Tensor {
  const what = `tensor ${i} of the message`;
  const { type, shape, names, bytes } = isPlainObject(part) ? part : ({} as Record<string, unknown>);
  if (!isType(type)) throw new ArgumentError(`${fn}: ${what} has no known type: ${show(type)}`);
  const sizes = fileShape(shape, fn, what);
  const checked = fileNames(names, sizes, fn, what);
  const length = typedArrayName(bytes) === "Uint8Array" ? (bytes as Uint8Array).byteLength : -1;
  const expected = byteLengthOf(type, sizes);
  if (length === expected) {
    const given = bytes as Uint8Array;
    if (!isArrayBuffer(given.buffer)) lasting.add(given.buffer);
    return place(placing, type, sizes, given, true, checked);
  }
  const got = length < 0 ? show(bytes) : `${length} bytes`;
  const reason =
    length === 0
      ? "; they were transferred to another thread: a message with a list of what is transferred is posted once"
      : "";
  throw new ArgumentError(`${fn}: ${what} should have ${expected} bytes, got: ${got}${reason}`);
}
