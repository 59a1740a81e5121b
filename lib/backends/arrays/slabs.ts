/**
 * Small arrays next to each other in buffers, where the engine is V8: there a buffer of its own makes an array of 17 to 256 numbers take 0.6 to 1.2 us, a
 * place in a buffer 0.1 to 0.4; arrays of SpiderMonkey and JavaScriptCore have no buffers from the system, and take 0.05 to 0.3 (0.08 to 0.7 in slabs).
 * An array that lives longer than its neighbours keeps the whole buffer: a few arrays of about the same size.
 */
import type { ArrayType, Elements } from "./storage";

/** Bytes up to which engines keep an array without a buffer, which they would have to make when asked for it. */
export const TINY = 64;

/** The largest arrays that share buffers. */
const SHARED_TO = 4096;

/** Arrays that a buffer has room for at least. */
const EACH = 4;

/** Bytes that every type can lie at a multiple of. */
const ALIGNED = 8;

interface Slab {
  buffer: ArrayBuffer;
  used: number;
}

/** The buffers that are being filled, by the bits of the sizes of their arrays. */
const slabs: Slab[] = [];

/** The engine is V8 by the first line of its stacks, which Bun's engine writes as well. */
const isV8 = (): boolean => !("Bun" in globalThis) && String(new Error().stack).startsWith("Error");

/** Whether the engine is one where slabs pay; null until an array is asked for. */
const engine: { hasSlabs: boolean | null } = { hasSlabs: null };

/** A zeroed array. */
export function zeroedArray<T extends Elements>(type: ArrayType<T>, entries: number): T {
  const bytes = entries * type.BYTES_PER_ELEMENT;
  if (bytes <= TINY || bytes > SHARED_TO || !(engine.hasSlabs ??= isV8())) return new type(entries);
  const bits = 32 - Math.clz32(bytes - 1);
  let slab = slabs[bits];
  if (slab === undefined || slab.used + bytes > slab.buffer.byteLength) {
    slabs[bits] = slab = { buffer: new ArrayBuffer(EACH << bits), used: 0 };
  }
  const array = new type(slab.buffer, slab.used, entries);
  slab.used += Math.ceil(bytes / ALIGNED) * ALIGNED;
  return array;
}
