/**
 * Where large arrays come from and go to. Memory that tensors gave back is kept for the next results of the same size: fresh
 * memory costs more than writing to it, since the system hands it out page by page. A backend may offer an arena, which is
 * then asked first. Only large arrays come here, and only those that a single tensor held are used again.
 */
import { BackendError } from "../../core/errors";
import type { Elements } from "../../kernel/operand";

/** Arrays of fewer bytes are cheap enough to make anew. */
const LARGE = 16_384;
/** What is kept at most; more is left to the garbage collector. */
const POOL_BYTES = 128 * 2 ** 20;

/** A kind of typed array. */
export interface ArrayType<T extends Elements = Elements> {
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): T;
  new (buffer: ArrayBufferLike, offset?: number, length?: number): T;
}

/** Memory that a backend offers for large arrays. */
export interface Arena {
  /** An array that may hold anything; null where there is no room. */
  create<T extends Elements>(type: ArrayType<T>, entries: number): T | null;
  /** Whether this very array was made here, and not given back. */
  owns(array: ArrayBufferView): boolean;
  /** Whether an array lies in its memory, as a view of an array made here does, too. */
  covers(array: ArrayBufferView): boolean;
  giveBack(array: ArrayBufferView): void;
}

const settings: { arena: Arena | null; from: number } = { arena: null, from: LARGE };

/** Large arrays are made in an arena from now on, as far as it has room; null for none. */
export function offerArena(arena: Arena | null): void {
  settings.arena = arena;
}

/** Sets of how many bytes arrays are large; null for the default. */
export function setLargeFrom(bytes: number | null): void {
  settings.from = bytes ?? LARGE;
}

/** Whether arrays of so many bytes come here. */
export const isLarge = (bytes: number): boolean => bytes >= settings.from;

const free = new Map<number, ArrayBuffer[]>();
let kept = 0;

/** How many tensors hold an array of the arena, or the buffer of another one. What nobody ever released counts for good. */
const holders = new WeakMap<object, number>();

const keyOf = (array: Elements): object => (settings.arena?.owns(array) ? array : array.buffer);

/** Whether a tensor that lets go of an array was the only one that held it. */
function isLast(array: Elements): boolean {
  const key = keyOf(array);
  const others = (holders.get(key) ?? 1) - 1;
  if (others > 0) holders.set(key, others);
  else holders.delete(key);
  return others <= 0;
}

/**
 * A tensor begins to hold an array: that array, or a copy where it is part of an array of the arena, which would not live as
 * long as its part. The buffer of a small array is not even asked for: engines make it then only.
 */
export function holding(array: Elements): Elements {
  if (!isLarge(array.byteLength)) return array;
  const { arena } = settings;
  const own = arena?.owns(array) ?? false;
  if (!own && arena?.covers(array)) return array.slice();
  count(own ? array : array.buffer);
  return array;
}

const count = (key: object): void => void holders.set(key, (holders.get(key) ?? 0) + 1);

/** Memory that is not the library's: a tensor may read it, but nobody ever writes to it. */
export function foreign(array: Elements): Elements {
  if (isLarge(array.byteLength)) count(array.buffer);
  return array;
}

/** A tensor lets go of an array whose memory somebody may still read: it is not used again. */
export function letGoOf(array: Elements): void {
  if (isLarge(array.byteLength)) isLast(array);
}

/** A tensor lets go of an array: unless another one holds it, its memory can be used again. */
export function giveBack(array: Elements): void {
  const { byteLength, buffer } = array;
  if (!isLarge(byteLength) || !isLast(array)) return;
  const { arena } = settings;
  if (arena?.owns(array)) return arena.giveBack(array);
  if (kept + byteLength > POOL_BYTES) return;
  if (byteLength !== buffer.byteLength || !(buffer instanceof ArrayBuffer)) return;
  kept += byteLength;
  const same = free.get(byteLength);
  if (same) same.push(buffer);
  else free.set(byteLength, [buffer]);
}

/** Bytes that were given back and wait to be used again, those of the arena not counted. */
export const keptBytes = (): number => kept;

/**
 * The only tensor that held an array hands it over to another one, which may write to it; false where other tensors hold it
 * too, where it is a part of something, and for small arrays, of which that is not known.
 */
export function handOver(array: Elements): boolean {
  if (!isLarge(array.byteLength)) return false;
  const key = keyOf(array);
  const { buffer } = array;
  const isAll = key === array || (array.byteLength === buffer.byteLength && buffer instanceof ArrayBuffer);
  return isAll && holders.get(key) === 1 && holders.delete(key);
}

interface Host {
  readonly Buffer?: { allocUnsafeSlow(bytes: number): { readonly buffer: ArrayBuffer } };
}

/** An array that may hold anything: in the arena, over a buffer given back, or over a fresh one, which Node need not clear. */
export function takeArray<T extends Elements>(type: ArrayType<T>, entries: number): T {
  const bytes = entries * type.BYTES_PER_ELEMENT;
  try {
    if (!isLarge(bytes)) return new type(entries);
    return settings.arena?.create(type, entries) ?? new type(takeBuffer(bytes));
  } catch (cause) {
    throw new BackendError(`out of memory: cannot allocate ${bytes} bytes for a tensor`, { cause });
  }
}

function takeBuffer(bytes: number): ArrayBuffer {
  const same = free.get(bytes);
  if (same?.length) {
    kept -= bytes;
    return same.pop()!;
  }
  const { Buffer: host } = globalThis as Host;
  return host ? host.allocUnsafeSlow(bytes).buffer : new ArrayBuffer(bytes);
}
