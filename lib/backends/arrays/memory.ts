/**
 * Where the arrays of a backend come from and go to. Memory that tensors gave back is kept for the next results of the same
 * size: fresh memory costs more than writing to it, since the system hands it out page by page. A backend may have an arena,
 * which is then asked first, and a copier, which copies between arrays in place of loops. Only large arrays are kept, and only
 * those that a single tensor held are used again. Each backend has a memory of its own.
 */
import { bytesOfView } from "../../core/bytes";
import { BackendError } from "../../core/errors";
import { sizeOf, type Shape } from "../../core/shape";
import { bytesOf, type DType } from "../../core/types";
import { tuning } from "../tuning";
import type { Copier } from "./copier";
import { repeatFirst } from "./fill";
import { TINY, zeroedArray } from "./slabs";
import {
  allocate,
  ArrayData,
  arrayTypeOf,
  overBytes,
  Waiting,
  widthOf,
  type ArrayOf,
  type ArrayType,
  type Elements,
} from "./storage";

/** What a memory keeps at most; more is left to the garbage collector. */
const KEPT_BYTES = 128 * 2 ** 20;

/** Whether arrays of so many bytes are kept, counted and made in arenas. */
export const isLarge = (bytes: number): boolean => bytes >= tuning.largeFrom;

/**
 * Of arrays from a quarter of that size on, an arena has as many as were given back: 1024 to 4095 elements of f32 that are released take 0.5 to 0.7 of
 * the time of ordinary arrays (abs, additions, casts), and those that nobody releases as long as before (with room for all, up to 1.3 times as long).
 */
const MEDIUM_PART = 1 / 4;

/** The size of a medium array in units of the smallest; 0 for all others. */
const mediumSize = (bytes: number): number =>
  isLarge(bytes) ? 0 : Math.floor(bytes / (tuning.largeFrom * MEDIUM_PART));

/** Room that a backend has for large arrays. */
export interface Arena {
  /** An array that may hold anything; null where there is no room. */
  create<T extends Elements>(type: ArrayType<T>, entries: number): T | null;
  /** Whether this very array was made here, and not given back. */
  owns(array: ArrayBufferView): boolean;
  /** Whether an array lies in its memory, as a view of an array made here does, too. */
  covers(array: ArrayBufferView): boolean;
  giveBack(array: Elements): void;
}

/**
 * How many tensors hold an array of an arena, or the buffer of another one. What nobody ever released counts for good. Backends
 * that take over each other's tensors hold the same arrays, so they count together. Counts of 0 stay: what comes and goes in such a map
 * takes some time, and the next tensor often holds the same array.
 */
const holders = new WeakMap<object, number>();

/** Buffers with bytes that are not the library's. */
const foreign = new WeakSet<object>();

const count = (key: object): void => void holders.set(key, (holders.get(key) ?? 0) + 1);

interface Host {
  readonly Buffer?: { allocUnsafeSlow(bytes: number): { readonly buffer: ArrayBuffer } };
}

/** A fresh buffer, which Node need not clear. */
export function uncleared(bytes: number): ArrayBuffer {
  const { Buffer: host } = globalThis as Host;
  return host ? host.allocUnsafeSlow(bytes).buffer : new ArrayBuffer(bytes);
}

/** Memory for the arrays of a backend, and how it copies within it. */
export class ArrayMemory {
  readonly #arena: Arena | null;
  /** Buffers that were given back, by their bytes. */
  readonly #free = new Map<number, ArrayBuffer[]>();
  #keptBytes = 0;
  /** How many medium arrays were given back, and not taken again, by their sizes in units of the smallest. */
  readonly #returned: number[] = [];

  constructor(
    arena: Arena | null = null,
    /** What copies between arrays of the arena. */
    readonly copier: Copier | null = null,
  ) {
    this.#arena = arena;
  }

  /** Bytes that were given back and wait to be used again, those of the arena not counted. */
  get keptBytes(): number {
    return this.#keptBytes;
  }

  /** An array for a whole tensor, every element of which is going to be written: until then it may hold anything. */
  unset<T extends DType>(type: T, shape: Shape, size = sizeOf(shape)): ArrayOf[T] {
    return this.#take(arrayTypeOf(type), size * widthOf(type)) as ArrayOf[T];
  }

  /** A zeroed array for a whole tensor. */
  zeroed<T extends DType>(type: T, shape: Shape): ArrayOf[T] {
    const size = sizeOf(shape);
    if (!isLarge(size * bytesOf(type))) return allocate(type, size);
    const array = this.unset(type, shape, size);
    array[0] = 0;
    repeatFirst(array, 1);
    return array;
  }

  /** The data of a tensor over a copy of bytes. */
  upload(type: DType, bytes: Uint8Array): ArrayData {
    const create = arrayTypeOf(type);
    const elements = this.#take(create, bytes.byteLength / create.BYTES_PER_ELEMENT);
    new Uint8Array(elements.buffer, elements.byteOffset, elements.byteLength).set(bytes);
    return this.hold(elements);
  }

  /** The data of a tensor, and its bytes, which somebody else writes. */
  reserve(type: DType, shape: Shape): { readonly data: ArrayData; readonly bytes: Uint8Array } {
    const elements = this.unset(type, shape);
    return { data: this.hold(elements), bytes: bytesOfView(elements) };
  }

  /**
   * The data of a tensor over bytes that are not the library's, or over a copy where they are not aligned: a tensor may read
   * them, but nobody ever writes to them, so they count as held by one more.
   */
  adopt(type: DType, bytes: Uint8Array): ArrayData {
    const elements = overBytes(type, bytes);
    foreign.add(elements.buffer);
    if (isLarge(elements.byteLength)) count(elements.buffer);
    return this.hold(elements);
  }

  /** Whether the bytes of an array are not the library's, and may be transferred away at any time. */
  isForeign(array: Elements): boolean {
    return array.byteLength > TINY && foreign.has(array.buffer);
  }

  /** The array of a tensor is to stay as it is, also when the tensor is released, until {@link unpin}. */
  pin(data: ArrayData): void {
    data.pins++;
  }

  unpin(data: ArrayData): void {
    data.pins--;
    if (data.pins === 0 && data.pinned !== undefined) this.drop(data.pinned);
  }

  /** Counts one more holder of an array: a tensor, or a pending value. */
  keep(array: Elements): Elements {
    return this.isCounted(array) ? this.holding(array) : array;
  }

  /** Whether the holders of an array are counted, so that its memory is used again: of large ones, and of all in the arena. */
  isCounted(array: Elements): boolean {
    const { byteLength } = array;
    if (byteLength >= tuning.largeFrom) return true; // as isLarge says, without a call: every result asks
    return mediumSize(byteLength) > 0 && (this.#arena?.owns(array) ?? false);
  }

  /** One holder of an array less: if it was the last, its memory can be used again. */
  drop(array: Elements): void {
    if (this.isCounted(array)) {
      if (!this.#isLast(array)) return;
      this.#giveBack(array);
    }
    const size = mediumSize(array.byteLength);
    if (size > 0) this.#returned[size] = (this.#returned[size] ?? 0) + 1;
  }

  /** The data of a tensor that holds an array from now on: a whole one, or a large part, since small arrays are not counted. */
  hold(array: Elements): ArrayData {
    return new ArrayData(this.keep(array));
  }

  /**
   * A tensor begins to hold a large array: that array, or a copy where it is part of an array of the arena, which would not live
   * as long as its part. The buffer of a small array is not even asked for: engines make it then only.
   */
  holding(array: Elements): Elements {
    const own = this.#arena?.owns(array) ?? false;
    const held = !own && this.#arena?.covers(array) ? array.slice() : array;
    count(own ? held : held.buffer);
    return held;
  }

  /** Lets go of the data of a tensor: unless another one holds its array, that memory can be used again; false when done before. */
  release(data: ArrayData, by?: "tidy"): boolean {
    const { elements } = data;
    if (elements === null) return false;
    if (by !== undefined) data.endedBy = by;
    if (data.pins > 0) data.pinned = elements as Elements;
    else if (elements instanceof Waiting) elements.letGo();
    else this.drop(elements);
    data.elements = null;
    return true;
  }

  /** A tensor lets go of an array whose memory somebody may still read: it is not used again. */
  letGoOf(array: Elements): void {
    if (this.isCounted(array)) this.#isLast(array);
  }

  /**
   * Hands an array over from the only tensor that held it to a result, which may write to it; false where other tensors hold the
   * array, where the array is a part of a buffer, and for small arrays, whose holders are not counted.
   */
  handOver(array: Elements): boolean {
    if (!this.isCounted(array)) return false;
    const key = this.#keyOf(array);
    const { buffer } = array;
    const isAll = key === array || (array.byteLength === buffer.byteLength && buffer instanceof ArrayBuffer);
    if (!isAll || holders.get(key) !== 1) return false;
    holders.set(key, 0);
    return true;
  }

  #keyOf(array: Elements): object {
    return this.#arena?.owns(array) ? array : array.buffer;
  }

  /** Takes one holder off an array; whether no tensor holds the array any more. */
  #isLast(array: Elements): boolean {
    const key = this.#keyOf(array);
    const others = Math.max(0, (holders.get(key) ?? 1) - 1);
    holders.set(key, others);
    return others === 0;
  }

  #giveBack(array: Elements): void {
    if (this.#arena?.owns(array)) return this.#arena.giveBack(array);
    const { byteLength, buffer } = array;
    if (this.#keptBytes + byteLength > KEPT_BYTES) return;
    if (byteLength !== buffer.byteLength || !(buffer instanceof ArrayBuffer)) return;
    this.#keptBytes += byteLength;
    const same = this.#free.get(byteLength);
    if (same) same.push(buffer);
    else this.#free.set(byteLength, [buffer]);
  }

  /** An array that may hold anything: in the arena, over a buffer given back, or over a fresh one, which Node need not clear. */
  #take<T extends Elements>(type: ArrayType<T>, entries: number): T {
    const bytes = entries * type.BYTES_PER_ELEMENT;
    try {
      if (!isLarge(bytes)) return this.#takeReturned(type, entries) ?? zeroedArray(type, entries);
      return this.#arena?.create(type, entries) ?? new type(this.#takeBuffer(bytes));
    } catch (cause) {
      throw new BackendError(`out of memory: cannot allocate ${bytes} bytes for a tensor`, { cause });
    }
  }

  /** A medium array in the arena, for one that was given back. */
  #takeReturned<T extends Elements>(type: ArrayType<T>, entries: number): T | null {
    const size = mediumSize(entries * type.BYTES_PER_ELEMENT);
    if (size === 0 || !this.#returned[size]) return null;
    this.#returned[size] -= 1;
    return this.#arena?.create(type, entries) ?? null;
  }

  #takeBuffer(bytes: number): ArrayBuffer {
    const same = this.#free.get(bytes);
    if (same?.length) {
      this.#keptBytes -= bytes;
      return same.pop()!;
    }
    return uncleared(bytes);
  }
}
