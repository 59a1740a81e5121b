/** From where on reductions, searches and scans are vector code, and how they are cut. */
import { BLOCK } from "../../../kernel/recurrence";
import { CHUNK_BYTES, CHUNKS_EACH, cutInto, RESIDENT_BYTES, spanForThreads, STAGED_TOGETHER, type Cut } from "./cuts";

// Which kernels are computed there at all is said in lib/kernel/nest.ts, since it decides what the graph becomes.

/**
 * Elements above which a kernel is computed inside of a reduction: up to so many, planning takes longer than a pass over what is in
 * the caches (sums of squares along rows of 64 x 64 f32: 8.5 microseconds in two stages, 10.2 in one).
 */
export const JOINED_FROM = 4096;

/** Bytes that are reduced at a time where they are copied, or results are; results that are rounded at a time have no more. */
export const EMITTED_BYTES = CHUNK_BYTES;
/** Rows of a block are taken whole up to so many bytes. */
export const ROW_BYTES = 8 * CHUNK_BYTES;
/** Entries of results of chunks that are held at a time. */
const HELD_ENTRIES = 2 ** 19;
/** Bytes of a chunk of rows for one thread: what is held of its blocks stays in the second cache. */
const ROWS_BYTES_ALONE = 2 ** 20;
/** Groups of a chunk at least: as many short rows as are transposed at a time. */
const GROUPS_LEAST = 4;
/** Contiguous rows of more elements are reduced one by one (they take as long from about 24 on for extremes, from 48 on for sums). */
export const SHORT_ROWS = 31;
/** The same of those in which positions are sought (positions of extremes of f32: 0.44 of the time one by one for 32, 0.68 for 64, 1 for 128). */
export const SHORT_SEARCHED_ROWS = 100;
/**
 * Elements of a view from which on it is reduced where it lies by a call for each run of groups: a million elements in calls of 1024 took 5
 * to 9 times as long as copied first, in calls of 32,768 1.1 to 1.3 times.
 */
export const SEEN_CALL_FROM = 65_536;
/** Elements whose extreme is found before its position is looked for: they stay in the first cache. */
export const SEARCHED_AT_ONCE = 256;
/** Rows that all columns go down before the next ones, where positions are sought: what is next to each other is read together (1024 x 1024: half of the time). */
export const SEARCHED_ROWS = 8;
/**
 * Bytes that rows are a multiple apart, and rows above which caches then do not hold a line of each at once, so that each line is read once, for one
 * accumulator after the other (1024 x 1024 of f32: 0.6 of the time, 2048 x 512 0.45). Of 1000 x 1000, whose lines stay in the caches though
 * processors do not know the places of so many pages, that takes 0.75 to 1.4 of the time, by the machine.
 */
export const FAR_BYTES = 512;
export const FAR_ROWS_FROM = 20;
/** A reduction of groups x rows x columns along its rows. */
export interface Reduction {
  readonly groups: number;
  readonly rows: number;
  readonly columns: number;
  /** Bytes of a stored element. */
  readonly bytes: number;
  readonly resident: boolean;
  /** From how many bytes on chunks of what is resident are shared with other threads. */
  readonly sharedFrom: number;
}

/** How rows that are longer than a chunk are cut: tiles of columns, chunks of rows. A unit is a tile of a group. */
export interface CutOfRows {
  readonly width: number;
  readonly tiles: number;
  readonly height: number;
  readonly chunks: number;
  /** Units whose results are held at a time. */
  readonly together: number;
  /** The chunks of the units whose results are held at a time, one by one. */
  readonly pieces: Cut;
}

const isReductionShared = (bytes: number, sharedFrom: number, threads: number): boolean =>
  threads > 1 && bytes >= sharedFrom;

/**
 * Slots for chunks of so many bytes: one where they are copied, since a fold takes less time than another core needs to fetch the bytes
 * that the caller has just copied.
 */
function reductionSlots({ resident, sharedFrom }: Reduction, chunks: number, bytes: number, threads: number): number {
  const isShared = resident && isReductionShared(chunks * bytes, sharedFrom, threads);
  return isShared ? Math.min(chunks, STAGED_TOGETHER) : 1;
}

/** Bytes of a chunk of what is resident. */
function reducedAtOnce(
  { groups, rows, columns, bytes, sharedFrom }: Reduction,
  threads: number,
  alone: number,
): number {
  const all = groups * rows * columns * bytes;
  if (!isReductionShared(all, sharedFrom, threads)) return alone;
  return spanForThreads(all, threads, Math.min(RESIDENT_BYTES, sharedFrom));
}

/** How groups are cut: where nothing is copied, for threads alone. */
export function cutGroups(reduction: Reduction, isAtOnce: boolean, threads: number): Cut {
  const { groups, rows, columns, bytes } = reduction;
  const each = rows * columns * bytes;
  if (isAtOnce) {
    const most = Math.floor(reducedAtOnce(reduction, threads, Infinity) / each);
    return cutInto(groups, Math.min(groups, Math.max(GROUPS_LEAST, most)), (chunks) => chunks, true);
  }
  const span = Math.min(groups, Math.max(1, Math.floor(EMITTED_BYTES / each)));
  return cutInto(groups, span, (chunks) => reductionSlots(reduction, chunks, span * each, threads));
}

/** The same where the thread that has done a chunk makes results of what is held. */
export function cutFinished(reduction: Reduction, isAtOnce: boolean, threads: number): Cut {
  const cut = cutGroups(reduction, isAtOnce, threads);
  return { ...cut, slots: Math.min(cut.slots, CHUNKS_EACH * threads), isInTurn: true };
}

/**
 * How a group that is larger than a chunk is cut, along which scans go: columns of a piece, and rows, a multiple of `run`. At
 * least eight rows a piece, since what is held goes from piece to piece through memory.
 */
export function cutLongScan(
  rows: number,
  columns: number,
  bytes: number,
  run: number,
): { readonly width: number; readonly height: number } {
  const width = columns * bytes * 8 <= CHUNK_BYTES ? columns : Math.min(columns, CHUNK_BYTES / bytes / 8);
  return { width, height: Math.min(rows, Math.max(run, Math.floor(CHUNK_BYTES / bytes / width / run) * run)) };
}

/** The width of tiles, of so many chunks each: narrower than could be where threads would have too few, as long as these are worth a call. */
function narrowed(reduction: Reduction, chunks: number, width: number, threads: number): number {
  const { groups, rows, columns, bytes, resident, sharedFrom } = reduction;
  if (!resident || !isReductionShared(groups * rows * columns * bytes, sharedFrom, threads)) return width;
  const wanted = (CHUNKS_EACH * threads) / (groups * chunks * Math.ceil(columns / width));
  const most = (Math.ceil(rows / chunks) * width * bytes) / CHUNK_BYTES;
  return Math.min(width, Math.ceil(width / Math.max(1, Math.min(wanted, most)) / 16) * 16);
}

/** How rows are cut, into powers of two of blocks. */
export function cutRowsOfGroups(reduction: Reduction, threads: number): CutOfRows {
  const { groups, rows, columns, bytes, resident } = reduction;
  const tall = Math.min(rows, BLOCK) * bytes;
  const widest = tall * columns <= ROW_BYTES ? columns : Math.max(16, Math.floor(ROW_BYTES / 2 / tall / 16) * 16);
  const most = resident ? reducedAtOnce(reduction, threads, ROWS_BYTES_ALONE) : CHUNK_BYTES;
  let height = BLOCK;
  while (height < rows && 2 * height * widest * bytes <= most) height *= 2;
  const chunks = Math.ceil(rows / height);
  const width = narrowed(reduction, chunks, widest, threads);
  const tiles = Math.ceil(columns / width);
  const units = groups * tiles;
  const together = Math.max(1, Math.min(units, Math.floor(HELD_ENTRIES / (chunks * Math.ceil(width / 4) * 4))));
  // A column by itself is made contiguous.
  const isAtOnce = resident && (columns === 1 || columns % width !== 1);
  const piece = Math.min(rows, height) * width * bytes;
  const pieces = cutInto(
    together * chunks,
    1,
    (count) => (isAtOnce ? count : reductionSlots(reduction, count, piece, threads)),
    isAtOnce,
  );
  return { width, tiles, height, chunks, together, pieces };
}

/**
 * Elements from which on the module of a reduction is made for one of them; and from which on reductions by vector code are faster than the
 * loops of the reference once there is one (sums of 512 f32: 3.5 and 4.2 microseconds; of 4095: 4.0 and 10.2).
 */
export const REDUCE_FROM = 4096;
export const REDUCE_AGAIN_FROM = 512;
/** The same for positions of extremes (256 f32: 0.72 of the time, 1024 0.35). */
export const ARG_REDUCE_FROM = 2048;
export const ARG_REDUCE_AGAIN_FROM = 256;
/** The same for running reductions (sums of 256 f32 1.1, of 512 0.78, of 1024 0.62). */
export const SCAN_FROM = 2048;
export const SCAN_AGAIN_FROM = 512;
/** Columns from which on a scan takes them side by side: fewer are lines of their own. A vector has four. */
export const SCAN_COLUMNS_FROM = 4;
