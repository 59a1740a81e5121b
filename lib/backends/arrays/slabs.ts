/**
 * Small arrays next to each other in buffers, where the engine is V8: there a buffer of its own makes an array of 17 to 256 numbers take 0.7 to 1 us, a
 * place in a buffer 0.04 to 0.2; arrays of SpiderMonkey and JavaScriptCore have no buffers from the system, and take 0.05 to 0.3 (0.08 to 0.7 in slabs).
 * An array that lives longer than its neighbours keeps the whole buffer, so buffers are as small as those of Node's `Buffer`, and arrays of more than half
 * of one get their own.
 */
import type { ArrayType, Elements } from "./storage";

/** Bytes up to which engines keep an array without a buffer, which they would have to make when asked for it. */
export const TINY = 64;

const SLAB_BYTES = 8192;

/** Bytes that every type can lie at a multiple of. */
const ALIGNED = 8;

interface Host {
  readonly Buffer?: { allocUnsafeSlow(bytes: number): { readonly buffer: ArrayBuffer } };
}

/** A fresh buffer, which Node need not clear. */
export function uncleared(bytes: number): ArrayBuffer {
  const { Buffer: host } = globalThis as Host;
  return host ? host.allocUnsafeSlow(bytes).buffer : new ArrayBuffer(bytes);
}

/** The engine is V8 by the first line of its stacks, which Bun's engine writes as well. */
const isV8 = (): boolean => !("Bun" in globalThis) && String(new Error().stack).startsWith("Error");

interface Slab {
  buffer: ArrayBuffer | null;
  used: number;
  /** Whether the engine is one where slabs pay; null until it is asked. */
  pays: boolean | null;
}

const slab: Slab = { buffer: null, used: SLAB_BYTES, pays: null };

const isShared = (bytes: number): boolean => bytes > TINY && bytes <= SLAB_BYTES / 2 && (slab.pays ??= isV8());

/** An array that may hold anything where it is small. */
export function unsetArray<T extends Elements>(type: ArrayType<T>, entries: number): T {
  const bytes = entries * type.BYTES_PER_ELEMENT;
  if (!isShared(bytes)) return new type(entries);
  if (slab.buffer === null || slab.used + bytes > SLAB_BYTES) {
    slab.buffer = uncleared(SLAB_BYTES);
    slab.used = 0;
  }
  const array = new type(slab.buffer, slab.used, entries);
  slab.used += Math.ceil(bytes / ALIGNED) * ALIGNED;
  return array;
}

export function zeroedArray<T extends Elements>(type: ArrayType<T>, entries: number): T {
  const array = unsetArray(type, entries);
  return isShared(array.byteLength) ? (array.fill(0) as T) : array;
}
