/**
 * The first page of thresholds: how any work is cut into chunks for threads. All pages say from how many elements on something is worth
 * doing, how work is cut, how much of it is under way at a time. Pure: what a nest looks like and what the machine has in, a schedule out.
 * Each number says what it was measured on; where nothing else is said that is two cores of an x86 server (32 KB, 512 KB and 32 MB of
 * cache), f32. Whoever has another machine finds here what to measure again; no result depends on any of it
 * but that of a convolution on CONV_FROM.
 */

/** How work is cut into chunks, and how many of these have rooms in memory at a time: one where the caller does all. */
export interface Cut {
  /** Units of a chunk: elements, or rows. */
  readonly span: number;
  readonly chunks: number;
  readonly slots: number;
  /** Whether nothing is copied for a chunk, or each has rooms of its own, so that all are handed out at once. */
  readonly isAtOnce: boolean;
  /** Whether what is copied for the chunks that have rooms at a time is copied by all threads, before these work on the chunks. */
  readonly isTogether?: boolean;
  /** Whether a thread takes the chunks of a slot in turn, and copies each right before the work on it, so that the copy is in its caches. */
  readonly isInTurn?: boolean;
}

export const cutInto = (units: number, span: number, slotsOf: (chunks: number) => number, isAtOnce = false): Cut => {
  const chunks = Math.ceil(units / span);
  return { span, chunks, slots: slotsOf(chunks), isAtOnce };
};

/** How operands that work cannot read where they are lie, if all of these are in the memory of kernels, and so are results. */
export interface Viewed {
  /** Whether pieces of so many elements read little of each line of memory that they touch. */
  isScattered(piece: number): boolean;
}

/** Bytes of an operand that are copied together, which stay in the cache that cores share; of one that is scattered. */
const TOGETHER_BYTES = 2 ** 22;
const SCATTERED_BYTES = 2 ** 24;

/** Chunks of so many elements that are copied together. */
export function cutTogether(
  { isScattered }: Viewed,
  units: number,
  span: number,
  { each, bytes, alone }: { readonly each: number; readonly bytes: number; readonly alone: boolean },
): Cut {
  const together = isScattered(Math.min(TOGETHER_BYTES / bytes, alone ? span * each : Infinity));
  const most = together ? SCATTERED_BYTES : alone ? 0 : TOGETHER_BYTES;
  const slots = Math.max(1, Math.floor(most / bytes / each / span));
  return { ...cutInto(units, span, (chunks) => Math.min(chunks, slots)), isTogether: true };
}

/** Bytes of a chunk that is copied: enough that a call is worth handing over, little enough to stay in a core's own caches. */
export const CHUNK_BYTES = 65_536;
/** The same where nothing is staged: the least that is worth handing to another thread, and the most, so that threads end together. */
export const RESIDENT_BYTES = 262_144;
const RESIDENT_BYTES_MOST = 2 ** 20;
/** Chunks for each thread where nothing is staged: two or three balance better than one (see the calls of threads). */
export const CHUNKS_EACH = 3;
/**
 * Chunks that are copied at a time before threads share them. Exp * tanh * erf of 4e6 f32 outside of the memory of kernels, two threads: with
 * 4 the second thread gained nothing (38 ms). With 32 it took 20 to 30 ms, and a ring of slots, where copying and work overlapped, 20 to 38, in
 * four runs on a busy machine, whose noise is larger than the difference. With fewer chunks in all the caller does them.
 */
export const STAGED_TOGETHER = 32;

/** Picoseconds that a nest in the memory of kernels takes on one thread for each element, and for each op on one (add, exp of f32). */
const ELEMENT_PICOSECONDS = 100;
const OP_PICOSECONDS = 25;
/**
 * Nests that take less on one thread are done there: a wake-up takes up to half as long, so two threads gain nothing even where
 * both cores are free, and where one is busy the call takes twice as long (exp of 1e5: 66 microseconds alone, 130 on two threads).
 */
const SHARED_FROM_PICOSECONDS = 1e8;
/** Elements from which on threads share a nest whatever it does with them. */
export const SHARED_FROM_ELEMENTS = SHARED_FROM_PICOSECONDS / ELEMENT_PICOSECONDS;

export const picosecondsOf = (elements: number, ops: number): number =>
  elements * (ELEMENT_PICOSECONDS + ops * OP_PICOSECONDS);

/** The threads that a nest of so many elements in the memory of kernels is cut for. */
export const threadsFor = (elements: number, ops: number, threads: number): number =>
  picosecondsOf(elements, ops) < SHARED_FROM_PICOSECONDS ? 1 : threads;

/** Bytes of a chunk where nothing is staged: chunks are for threads to share then. */
export function spanForThreads(bytes: number, threads: number, least = RESIDENT_BYTES): number {
  if (threads === 1) return bytes;
  return Math.min(RESIDENT_BYTES_MOST, Math.max(least, Math.ceil(bytes / (CHUNKS_EACH * threads))));
}
