/** How copies are cut. */
import { CHUNKS_EACH } from "./cuts";

/** Runs of fewer entries than this are copied by a loop: a call of the engine's own copy takes as long. */
export const SHORT_RUN = 24;

/**
 * Bytes of a run that one instruction copies, the fewest and the most: engines copy memory that threads share by words, and by bytes where the
 * ends are no whole words apart (16 kB: 0.1 us, by V8 0.5 and 3.6); a call of the code for boxes takes 2 us more.
 */
export const RUN_FROM = 4096;
export const RUN_TO = 2 ** 16;

/** Arrays of so many bytes are put into scratch memory whole to be copied from there. */
export const PUT_BYTES = 65_536;
/**
 * Boxes of so many bytes are copied through scratch memory where an array lies outside of the memory of kernels, if their runs have fewer
 * bytes than these: engines copy longer ones as quickly. Pieces of the target, which stay in the second cache. (1000 x 1000 of f32 where the arena is full:
 * transposed 2.6 ms by loops, 1.5 so, two stacked along a new last axis 10.9 and 2.8, each element repeated along rows 6.8 and 2.4; of which to touch the
 * pages of the result takes 1.)
 */
export const STAGED_FROM = 65_536;
export const STAGED_RUN = 192;
export const STAGED_BYTES = 2 ** 18;
/** Where pieces read more than so many times what they copy, the source is put into scratch memory whole, up to so many bytes. */
export const STAGED_READ = 2;
export const STAGED_WHOLE = 2 ** 26;
/** Pieces of an operand whose copies are kept as they were planned, which took 1.4 microseconds each (a transposed 256 x 256 of f32 plus another: 29, 20 so). */
export const COPIES_KEPT = 64;
/** Bytes that are worth handing to other threads, about 40 microseconds, and those of a part at least. */
const COPY_SHARED_FROM = 2 ** 20;
const COPY_PART = 2 ** 17;

/** The parts that a copy of so many bytes is cut into. */
export function copyParts(bytes: number, threads: () => number): number {
  if (bytes < COPY_SHARED_FROM) return 1;
  const count = threads();
  return count === 1 ? 1 : Math.min(CHUNKS_EACH * count, Math.floor(bytes / COPY_PART));
}

/** Items that are transposed at a time, in at least as many rows as are written side by side: what is read stays in the caches. */
export const TRANSPOSED_ITEMS = 8192;
/** Rows that are written side by side in a transposed plane (1000 x 1000 of f32: 650 us with 32, 730 with 64, 1300 with 128; of f64 1090, 1490, 1850). */
export const TRANSPOSED_ROWS = 32;
/**
 * Rows so many bytes apart meet in few places of a cache, so that a line of them is filled at once: 1024 x 1024 of f32 took 1100 us square by
 * square, 650 so, of u16 500 and 270; 1000 x 1000 of f32 650 and 850.
 */
export const ALIKE_BYTES = 512;
/** The most items apart that rows are read in whole vectors: a million of every second item took 346 us one by one, 127 so. */
export const SPARSE_TO = 4;
/** Bytes of a part of a run that is worth handing to another thread. */
export const RUN_PART = 2 ** 18;
/** Rows shorter than this are gone through the other way round: a loop over few items is mostly its beginning. */
export const SHORT_ROW = 8;
