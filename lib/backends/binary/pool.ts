/**
 * Memory that tensors gave back, kept for the next results of the same size: fresh memory costs more than writing to it, since
 * the system hands it out page by page. Only large arrays come here, and only those that a single tensor held.
 */

/** Arrays of fewer bytes are cheap enough to make anew. */
export const POOLED_FROM = 65_536;
/** What is kept at most; more is left to the garbage collector. */
const POOL_BYTES = 128 * 2 ** 20;

const free = new Map<number, ArrayBuffer[]>();
let kept = 0;

/** Buffers that some tensor holds, and those that several do. */
const held = new WeakSet<ArrayBufferLike>();
const shared = new WeakSet<ArrayBufferLike>();

/** A tensor begins to hold an array. The buffer of a small array is not even asked for: engines make it then only. */
export function noteHolder(array: ArrayBufferView): void {
  if (array.byteLength < POOLED_FROM) return;
  const { buffer } = array;
  if (held.has(buffer)) shared.add(buffer);
  else held.add(buffer);
}

/** The only tensor that held an array lets go of it: unless another one does too, its memory can be used again. */
export function giveBack(array: ArrayBufferView): void {
  const { byteLength } = array;
  if (byteLength < POOLED_FROM || kept + byteLength > POOL_BYTES) return;
  const { buffer } = array;
  if (byteLength !== buffer.byteLength || !(buffer instanceof ArrayBuffer) || shared.has(buffer)) return;
  held.delete(buffer);
  kept += byteLength;
  const same = free.get(byteLength);
  if (same) same.push(buffer);
  else free.set(byteLength, [buffer]);
}

interface Host {
  readonly Buffer?: { allocUnsafeSlow(bytes: number): { readonly buffer: ArrayBuffer } };
}

/** A buffer whose bytes may be anything: one given back, else a fresh one, which Node need not clear. */
export function takeBuffer(bytes: number): ArrayBuffer {
  const same = bytes < POOLED_FROM ? undefined : free.get(bytes);
  if (same?.length) {
    kept -= bytes;
    return same.pop()!;
  }
  const { Buffer: host } = globalThis as Host;
  return host && bytes >= POOLED_FROM ? host.allocUnsafeSlow(bytes).buffer : new ArrayBuffer(bytes);
}
