/**
 * The page of thresholds: from how many elements on something is worth doing, how work is cut, how much of it is under way at a
 * time. Pure: what a nest looks like and what the machine has in, a schedule out. Each number says what it was measured on; where
 * nothing else is said that is two cores of an x86 server (32 KB, 512 KB and 32 MB of cache), f32. Whoever has another machine
 * finds here what to measure again; no result depends on any of it.
 */

import { SIDE_BY_SIDE } from "../../kernel/operand";

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
}

const cutInto = (units: number, span: number, slotsOf: (chunks: number) => number, isAtOnce = false): Cut => {
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
/** Ops that copying an element counts for. */
const COPY_OPS = 8;

/** Chunks of so many elements that are copied together. */
function cutTogether(
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

// ---- element-wise work

/** Below this many elements the loops of the reference are faster than a kernel (add of f32; special functions have no loops). */
export const ELEMENTWISE_FROM = 512;
/**
 * Groups of four elements that a kernel does side by side, and vectors held at a time above which these are fewer: about as many as the
 * registers of a machine hold.
 */
export const KERNEL_GROUPS = 4;
export const KERNEL_VECTORS_MOST = 28;
/** Spaces of at most this many elements are done in one go, without a plan. */
export const ELEMENTWISE_AT_ONCE = 1024;
/** Bytes of an operand in a chunk that is staged: all operands of a chunk stay in a core's first two caches. */
const STAGED_BYTES = 32_768;
/** The same where nothing is staged: the least that is worth handing to another thread, and the most, so that threads end together. */
const RESIDENT_BYTES = 262_144;
const RESIDENT_BYTES_MOST = 2 ** 20;
/** Chunks for each thread where nothing is staged: two or three balance better than one (see the calls of threads). */
const CHUNKS_EACH = 3;
/**
 * Chunks that are copied at a time before threads share them. Exp * tanh * erf of 4e6 f32 outside of the memory of kernels, two threads: with
 * 4 the second thread gained nothing (38 ms). With 32 it took 20 to 30 ms, and a ring of slots, where copying and work overlapped, 20 to 38, in
 * four runs on a busy machine, whose noise is larger than the difference. With fewer chunks in all the caller does them.
 */
const STAGED_TOGETHER = 32;
const STAGED_SHARED_FROM = 6;
/** Below this many ops for each element, copying operands is most of the work, and that is the caller's. */
const SHARED_FROM_OPS = 24;

/** An element-wise nest. */
interface Elementwise {
  readonly size: number;
  /** Bytes of its widest element. */
  readonly widest: number;
  /** Elements that a kernel does in a step. */
  readonly step: number;
  readonly ops: number;
  /** Whether an operand or a result is copied. */
  readonly staged: boolean;
  /** Whether results are written over operands: what a thread did not finish must find these, so the caller does all. */
  readonly inPlace: boolean;
  /** Elements of the longest row of an operand whose rows are read side by side; 0 where there is none. */
  readonly transposedRow: number;
  /** Elements after which operands repeat themselves. */
  readonly periods: readonly number[];
  /** Operands that are copied, where nothing else is. */
  readonly viewed?: Viewed | null;
}

/** Picoseconds that a nest in the memory of kernels takes on one thread for each element, and for each op on one (add, exp of f32). */
const ELEMENT_PICOSECONDS = 100;
const OP_PICOSECONDS = 25;
/**
 * Nests that take less on one thread are done there: a wake-up takes up to half as long, so two threads gain nothing even where
 * both cores are free, and where one is busy the call takes twice as long (exp of 1e5: 66 microseconds alone, 130 on two threads).
 */
const SHARED_FROM_PICOSECONDS = 1e8;

const picosecondsOf = (elements: number, ops: number): number =>
  elements * (ELEMENT_PICOSECONDS + ops * OP_PICOSECONDS);

/** The threads that a nest of so many elements in the memory of kernels is cut for. */
const threadsFor = (elements: number, ops: number, threads: number): number =>
  picosecondsOf(elements, ops) < SHARED_FROM_PICOSECONDS ? 1 : threads;

/** Whether copying is most of the work of a kernel of so many ops. */
export const isLight = (ops: number): boolean => ops < SHARED_FROM_OPS;

/** How an element-wise nest is cut. */
export function cutElements(nest: Elementwise, threads: number): Cut {
  const { size, staged, inPlace, ops } = nest;
  const alone = threads === 1 || inPlace;
  if (!staged) {
    const bytes = spanForThreads(size * nest.widest, alone ? 1 : threadsFor(size, ops, threads));
    return cutInto(size, Math.ceil(bytes / nest.widest / nest.step) * nest.step, () => 1, true);
  }
  if (nest.viewed && size * nest.widest > RESIDENT_BYTES) {
    const unshared = alone || threadsFor(size, ops + COPY_OPS, threads) === 1;
    const span = stagedSpan(nest, RESIDENT_BYTES);
    return cutTogether(nest.viewed, size, span, { each: 1, bytes: nest.widest, alone: unshared });
  }
  return cutInto(size, stagedSpan(nest, STAGED_BYTES), (chunks) =>
    alone || chunks < STAGED_SHARED_FROM || isLight(ops) ? 1 : Math.min(chunks, STAGED_TOGETHER),
  );
}

/** Bytes of a chunk where nothing is staged: chunks are for threads to share then. */
function spanForThreads(bytes: number, threads: number, least = RESIDENT_BYTES): number {
  if (threads === 1) return bytes;
  return Math.min(RESIDENT_BYTES_MOST, Math.max(least, Math.ceil(bytes / (CHUNKS_EACH * threads))));
}

/**
 * A multiple of the step by which the widest operand fills so many bytes, and where there are some, of rows that are read side by
 * side, or of a period.
 */
function stagedSpan({ size, widest, step, transposedRow, periods }: Elementwise, bytes: number): number {
  const whole = Math.ceil(size / step) * step;
  const rows = transposedRow * SIDE_BY_SIDE;
  if (rows > 0 && rows * widest <= RESIDENT_BYTES) {
    return Math.min(Math.max(1, Math.floor(bytes / widest / rows)) * rows, whole);
  }
  return alignedSpan({ size, widest, step, periods }, bytes);
}

/** A multiple of the step, and of periods where these are short, that fills so many bytes. */
function alignedSpan(
  { size, widest, step, periods }: Pick<Elementwise, "size" | "widest" | "step" | "periods">,
  bytes: number,
): number {
  const unit = Math.max(step, ...periods.map((period) => leastMultiple(period, step)));
  const each = unit * widest <= bytes ? unit : step;
  return Math.min(Math.floor(bytes / widest / each) * each, Math.ceil(size / step) * step);
}

/** The least number that is a multiple of both; 0 for none. */
function leastMultiple(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x === 0 ? 0 : (a / x) * b;
}

// ---- draws of pseudo-random numbers

/**
 * Counters that a kernel is made for at once, since loops draw as many in the time that this takes; and from which on a kernel that is there takes
 * less time than loops (a counter has two uniform numbers: 2100 take 0.72 of the time, 4000 0.5, 10,000 0.3).
 */
export const DRAWN_FROM = 8192;
export const DRAWN_AGAIN_FROM = 1024;
/** Counters of a block at most; and of those that all kernels do in a step. */
const DRAWN_AT_ONCE = 8192;
const DRAWN_STEP = 16;
/** Counters of a block of so many: whole steps, so that what is left is a block of its own. */
export const drawnAtOnce = (space: number): number =>
  Math.min(DRAWN_AT_ONCE, Math.floor(space / DRAWN_STEP) * DRAWN_STEP);
/** Bytes at most that are drawn in scratch memory and copied out, where the arena has no room. */
export const DRAWN_BYTES = 2 ** 26;

// ---- element-wise work by rows that lie apart from each other

/** Elements of rows that are read where they lie; shorter ones are copied. */
const ROW_FROM = 24;
/** Calls at most where there are more than threads ask for: planes that do not lie equally far apart. Each takes about a microsecond. */
const ROW_CALLS = 128;
/** Operands at most, for each of which a call has three arguments. */
const ROW_OPERANDS = 12;

/** An element-wise nest by rows. */
interface Rows extends Pick<Elementwise, "size" | "widest" | "step" | "ops"> {
  /** Elements of a row, of a plane of rows that lie equally far apart, of such planes, and so on. */
  readonly ends: readonly number[];
  readonly operands: number;
}

/** What calls have: so many elements of the only row (level 0), rows (1) or planes (2); whether threads share the calls. */
interface CutOfPlanes {
  readonly level: number;
  readonly span: number;
  readonly isShared: boolean;
}

/**
 * How rows are cut; null where elements are better copied. Kernels write whole steps, so rows that have no whole ones are done in their
 * order, each of which is written over what the one before has put behind it.
 */
export function cutRows(nest: Rows, threads: number): CutOfPlanes | null {
  const { size, ends, widest, step, ops, operands } = nest;
  const [length = 1, plane = size] = ends;
  const sharing = threadsFor(size, ops, threads);
  if (length < ROW_FROM || operands > ROW_OPERANDS) return null;
  if (sharing > 1 && length % step !== 0 && length < size) return null;
  const elements = Math.ceil(spanForThreads(size * widest, sharing) / widest / step) * step;
  const level = Math.min(ends.length - 1, plane > elements ? 1 : 2);
  if (size / ends[level]! > ROW_CALLS) return null;
  return { level, span: Math.max(1, Math.floor(elements / (ends[level - 1] ?? 1))), isShared: sharing > 1 };
}

// ---- element-wise work over operands that are several arrays as one

/** Calls at most: of arrays that take turns every few rows, chunks are copied. */
export const SEGMENT_CALLS = 128;
/** A row may have so many steps for segments that are no whole ones, for each step of its elements. */
const SEGMENT_WASTE = 0.5;

/** An element-wise nest by segments of rows, which are these columns. */
interface Segments extends Pick<Elementwise, "size" | "widest" | "step" | "ops"> {
  readonly columns: readonly (readonly [begin: number, end: number])[];
}

/** Whether segments that are no whole steps are too much of a row, which are these columns. */
export function wastes(columns: Segments["columns"], step: number): boolean {
  const broken = columns.filter(([begin, end]) => (end - begin) % step !== 0).length;
  return broken * step > SEGMENT_WASTE * columns.at(-1)![1];
}

/** Elements of a call, and whether threads share the calls; null where elements are better copied. */
export function cutSegments(
  { size, widest, step, ops, columns }: Segments,
  threads: number,
): { readonly elements: number; readonly isShared: boolean } | null {
  const sharing = threadsFor(size, ops, threads);
  if (wastes(columns, step)) return null;
  const bytes = Math.min(RESIDENT_BYTES, spanForThreads(size * widest, sharing));
  return { elements: Math.ceil(bytes / widest / step) * step, isShared: sharing > 1 };
}

// ---- nests that are run by lines

/** Spaces of fewer elements are not gone through by line, and lines of fewer are copied: a call for each line has to pay. */
export const LINES_FROM = 16_384;
export const LINE_LENGTH_FROM = 64;

/** Bytes of all values of a chunk of lines with an element for each of the space: less than a core's second cache. */
const LINES_BYTES = 6 * 65_536;
/** Chunks of lines that are few: the caller does them. */
const LINES_SHARED_FROM = 4;
/** Below this many ops for each element copying is most of the work, and that is the caller's (a layer norm has 20). */
const LINES_SHARED_FROM_OPS = 32;
/** What a fold counts for. */
const FOLD_OPS = 4;

/** A nest that is run by its lines. */
export interface Lines {
  readonly lines: number;
  /** Elements of a line. */
  readonly length: number;
  /** Bytes of an element of each value that has one for each element of the space. */
  readonly full: readonly number[];
  readonly stages: number;
  readonly folds: number;
  /** Values that kernels compute for each element. */
  readonly ops: number;
  /** Whether an operand or a result with an element for each of the space is copied. */
  readonly staged: boolean;
  /** Operands that are copied, where nothing else is. */
  readonly viewed?: Viewed | null;
}

/** Elements of each value in a chunk. */
const elementsTogether = ({ full }: Lines): number =>
  Math.min(CHUNK_BYTES / Math.max(...full), LINES_BYTES / full.reduce((sum, bytes) => sum + bytes, 0));

function lineSlots({ ops, folds, staged }: Lines, chunks: number, threads: number): number {
  const isFew = staged && ops + FOLD_OPS * folds < LINES_SHARED_FROM_OPS;
  return threads === 1 || chunks < LINES_SHARED_FROM || isFew ? 1 : Math.min(chunks, STAGED_TOGETHER);
}

/** How lines are cut, of which each is done as a whole: a chunk does so many at a time that what is computed of them stays in the caches. */
export interface CutOfLines extends Cut {
  readonly each: number;
}

/** How the lines of a nest are cut: for threads alone where nothing is copied. What nobody reads again is done in one go. */
export function cutLines(nest: Lines, threads: number): CutOfLines {
  const { lines, length, full, stages, folds, ops, staged } = nest;
  const each = Math.min(lines, Math.max(1, Math.floor(elementsTogether(nest) / length)));
  const few = Math.ceil(lines / each) < LINES_SHARED_FROM;
  if (staged && (!nest.viewed || few)) {
    return { ...cutInto(lines, each, (chunks) => lineSlots(nest, chunks, threads)), each };
  }
  const isRead = stages > 1 || folds > 0;
  const line = length * Math.max(...full);
  const sharing = isRead ? (few ? 1 : threads) : threadsFor(lines * length, ops, threads);
  const span = Math.min(lines, Math.ceil(spanForThreads(lines * line, sharing) / line));
  const own = isRead ? Math.min(span, each) : span;
  if (nest.viewed) {
    const bytes = Math.max(...full);
    const least = Math.min(span, Math.max(each, Math.ceil(RESIDENT_BYTES / line)));
    return {
      ...cutTogether(nest.viewed, lines, least, { each: length, bytes, alone: threads === 1 }),
      each: Math.min(own, least),
    };
  }
  return { ...cutInto(lines, span, (chunks) => chunks, true), each: own };
}

/** How each line of a nest is cut, into whole blocks of elements, each of which is done by itself. */
export function cutLongLines(nest: Lines, block: number, threads: number): CutOfLines {
  const { lines, length, full, stages, staged, viewed } = nest;
  const bytes = Math.max(...full);
  const most = stages === 1 ? RESIDENT_BYTES / bytes : elementsTogether(nest);
  const span = Math.max(1, Math.floor(most / block)) * block;
  const chunks = lines * Math.ceil(length / span);
  if (!staged) return { span, chunks, slots: chunks, isAtOnce: true, each: 1 };
  if (viewed) {
    const { slots } = cutTogether(viewed, chunks * span, span, { each: 1, bytes, alone: threads === 1 });
    return { span, chunks, slots: Math.min(slots, chunks), isAtOnce: false, isTogether: true, each: 1 };
  }
  return { span, chunks, slots: lineSlots(nest, chunks, threads), isAtOnce: false, each: 1 };
}

// ---- reductions of what kernels compute
// Which kernels are computed there at all is said in lib/kernel/nest.ts, since it decides what the graph becomes.

/**
 * Elements above which a kernel is computed inside of a reduction: up to so many, planning takes longer than a pass over what is in
 * the caches (sums of squares along rows of 64 x 64 f32: 8.5 microseconds in two stages, 10.2 in one).
 */
export const JOINED_FROM = 4096;

// ---- reductions

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
 * Bytes that rows are a multiple apart, and rows above which caches then do not hold a line of each at once, so that columns go strip by strip.
 */
export const FAR_BYTES = 512;
export const FAR_ROWS_FROM = 20;
/**
 * Rows, and bytes of all of them, of which the pages are more than processors know the places of at a time (1000 x 1000 of f32: 180 us line by
 * line, 241 strip by strip; 64 x 10,000: 161 and 140). Lines of wider elements are two to a strip, of narrower ones a part of one.
 */
export const PAGED_ROWS_FROM = 96;
export const PAGED_BYTES_FROM = 96 * 4096;

/** A reduction of groups x rows x columns along its rows. */
export interface Reduction {
  readonly groups: number;
  readonly rows: number;
  readonly columns: number;
  /** Bytes of a stored element. */
  readonly bytes: number;
  /** Rows of a block, whose results are joined in pairs. */
  readonly block: number;
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
  const { groups, rows, columns, bytes, block, resident } = reduction;
  const tall = Math.min(rows, block) * bytes;
  const widest = tall * columns <= ROW_BYTES ? columns : Math.max(16, Math.floor(ROW_BYTES / 2 / tall / 16) * 16);
  const most = resident ? reducedAtOnce(reduction, threads, ROWS_BYTES_ALONE) : CHUNK_BYTES;
  let height = block;
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

// ---- kernels around contractions

/** Elements that are copied at a time: they stay in a core's first cache. */
const BLOCK = 4096;
/** Picoseconds on one thread that are worth handing to other threads, which are awake where the contraction was shared. */
const BLOCKS_SHARED_FROM = 4e7;
/** Calls for each thread. */
const BLOCKS_EACH = 3;

/** A kernel over at most so many elements that are in the caches, or are to be. */
interface AroundContraction {
  readonly most: number;
  readonly ops: number;
  /** Whether an operand or a result is copied. */
  readonly staged: boolean;
  readonly step: number;
  /** Elements of a row, none of which is cut; 1 where there are none. */
  readonly row: number;
}

/**
 * How such a kernel is cut: elements of a chunk, and of a call, whole steps, so that no call writes what another one does. Rows that
 * are no whole steps are done in order.
 */
export function cutBlocks(
  { most, ops, staged, step, row }: AroundContraction,
  threads: number,
): { readonly span: number; readonly each: number } {
  const unit = row === 1 ? step : row;
  const whole = Math.ceil(most / unit) * unit;
  if (threads === 1 || picosecondsOf(most, ops) < BLOCKS_SHARED_FROM || unit % step !== 0) {
    const span = staged ? Math.min(BLOCK, whole) : whole;
    return { span, each: span };
  }
  return { span: whole, each: Math.ceil(Math.max(BLOCK, most / (BLOCKS_EACH * threads)) / unit) * unit };
}

// ---- copies

/** Runs of fewer entries than this are copied by a loop: a call of the engine's own copy takes as long. */
export const SHORT_RUN = 24;

// ---- contractions and convolutions

/** Products of elements from which on staging matrices takes less time than the loops of the reference (f32, squares). */
export const DOT_FROM = 2 ** 12;
/** A module for integers takes as long to make as the loops take for so many times more; results are the same. */
export const INTEGER_DOT_TIMES = 2 ** 8;
/** The same for a convolution, whose input is laid out among zeros first (f32, kernels of 3 x 3). */
export const CONV_FROM = 2 ** 15;
/** Elements of a block of positions that is packed at a time: it stays in the second-level cache. */
export const CONV_BLOCK = 2 ** 16;
/** Positions of a block, at least, so that the filters are not read too often, and at most. */
export const CONV_BLOCK_LEAST = 64;
export const CONV_BLOCK_MOST = 2048;
/** Filters of a group up to which positions are not packed, but read where they lie (3 x 3 of 16 to 32 channels: 0.82 to 0.85 of the time with 48 and 64). */
export const CONV_DIRECT_ROWS = 64;
/** Columns that are done for each of a line at most, where the last ones are done twice. */
export const CONV_LINE_WASTE = 1.34;
/** Parts that a convolution is cut into. */
export const CONV_PARTS = 16;
/** Products that make a part worth handing to another thread. */
export const CONV_PART_FROM = 2 ** 20;
/** Steps of k between which sums are written back, so that two panels stay in the first-level cache. */
export const STRETCH = 256;
/**
 * Right operands of products with up to so many rows, or of so many bytes, are read where they lie (48 x 48 of f32: 0.7 of the time that
 * packing takes, 64 x 64 0.87, 100 x 100 0.97, 128 x 128 1.0), and so are left ones that do not lie in rows, of so few columns of the result
 * or so few bytes.
 */
export const DIRECT_ROWS = 16;
export const DIRECT_BYTES = 2 ** 16;
/** The same for more rows by operands that stay in the second-level cache (24 x 300 x 300 of f32 0.7 of the time, 32 0.9, 64 0.95; by 1000 x 1000 1.0). */
export const DIRECT_CACHED_ROWS = 64;
export const DIRECT_CACHED_BYTES = 2 ** 19;
/** Rows of a region at most: their panels over a stretch stay in the second-level cache; and at least, if there are so many. */
export const REGION_ROWS = 128;
export const REGION_ROWS_LEAST = 32;
/** Columns of a region, a multiple of those of a tile. */
export const REGION_COLUMNS = 512;
/** Elements packed by one call. */
export const PACK_AT_ONCE = 2 ** 16;
/** Parts that work is cut into, if they are worth handing to another thread: products of a call that are. */
export const MATMUL_PARTS = 16;
export const CALL_LEAST = 2 ** 20;
/** The same for calls that do little with each element. */
export const LIGHT_CALL_LEAST = 2 ** 15;
/** Products of a call that multiplies lines with a vector, at least; and how many calls there are at most for that. */
export const LINES_LEAST = 2 ** 17;
export const LINE_CALLS = 8;
/** Lines side by side that a call takes at least: narrower strips of a matrix are read slowly. */
export const STRIP = 512;
/** Bytes of rows that go through a kernel before they are multiplied with a vector: they stay in the first cache. */
const THROUGH_BYTES = 2 ** 14;
/** Such rows, of so many bytes, at a time: whole fours, which is how many lines are summed side by side. */
export const rowsThrough = (bytes: number): number => Math.max(4, Math.floor(THROUGH_BYTES / bytes / 4) * 4);
/** Columns that a call takes of such rows, where sums go down them. */
export const columnsThrough = (columns: number, threads: number): number =>
  Math.ceil(columns / Math.min(LINE_CALLS, threads));
/** The fewest: a row is read piece by piece, and short pieces are read slowly (4000 x 1000 of f32 through relu: 3.9 ms in strips of 512, 2.6 in one). */
const THROUGH_COLUMNS = 2048;
/** Elements of a matrix from which on, and of its rows in which, that is worth a module; and matrices of a batch at most, whose calls have buffers. */
const THROUGH_FROM = 2 ** 15;
const THROUGH_ROW_FROM = 64;
const THROUGH_ROW_MOST = 2 ** 14;
const THROUGH_BATCH = 8;
interface MadeByRows {
  readonly batch: number;
  readonly rows: number;
  /** Elements of a row. */
  readonly length: number;
  /** Whether sums go down the columns. */
  readonly isDown: boolean;
}

/** Whether rows of a matrix go through a kernel by themselves before they are multiplied with a vector, which runs along them or down. */
export function isMadeByRows(sizes: MadeByRows, threads: number): boolean {
  const { batch, rows, length, isDown } = sizes;
  if (batch > THROUGH_BATCH || batch * rows * length < THROUGH_FROM) return false;
  if (isDown && threads > 1 && columnsThrough(length, threads) < THROUGH_COLUMNS) return false;
  return length >= THROUGH_ROW_FROM && length <= THROUGH_ROW_MOST;
}
/** Bytes of scratch space that such a matrix of at most 8 bytes an element takes: a buffer for each call, and operands that are the same along rows or columns. */
export const bytesThrough = (length: number, rows: number, operands: number): number =>
  (LINE_CALLS + 1) * THROUGH_BATCH * (THROUGH_BYTES + 32 * (length + 16)) + 16 * operands * (rows + length + 64);
/** Bytes of packed operands of a batch that are held at the same time. */
export const PACKED_AT_ONCE = 2 ** 25;
/** Bytes of finished rows that are handed on at a time, while they lie in the second-level cache. */
export const HANDED_ON = 2 ** 20;
/** Bytes of operands and results that are in the memory of kernels at the same time, so that it does not grow for good. */
export const STAGED_AT_ONCE = 2 ** 28;

// ---- windows

/**
 * Places of windows that are worth a kernel: elements of the operand times places in a window (maxima of 2 x 2: of 10 x 10 f32 0.78 of the time of
 * loops, of 16 x 16 0.5, of 20 x 20 0.43).
 */
export const WINDOWS_FROM = 384;
/** Places that a kernel reads at most; larger windows go axis by axis. */
export const WINDOW_PLACES = 32;
/**
 * Whether windows go axis by axis where that reads each element so many times less: a further pass writes and reads it once, and takes
 * about 5 microseconds (3 x 3 of a million f32: 0.56 to 0.66 of the time, 5 x 5 0.45; 3 x 3 of 64 x 64 u8 1.3, 2 x 4 1.0).
 */
export const isWorthSplitting = (saved: number, elements: number): boolean => saved >= 3 && saved * elements >= 2 ** 14;
/** Elements of rows of results from which on a kernel is called for each. */
export const WINDOW_ROW_FROM = 8;
/**
 * Elements that are computed for each result at most: a kernel does all places, strides or not (maxima of 512 x 512 f32: 6 x 6 by 6 0.33 of the
 * time of loops, 10 x 10 by 10 0.7, 14 x 14 by 14 1.0 to 1.4).
 */
export const WINDOW_WASTE = 128;

// ---- sorts and transforms

/**
 * Elements from which on the module of a sort is made for one of them; and from which on sorting by vector code is faster than the loops of the
 * reference once there is one (f32: 64 take 0.7 of the time, 200 0.6).
 */
export const SORT_FROM = 256;
export const SORT_AGAIN_FROM = 64;
/** Lines of up to this length go through a network, where they fill at least half of its lanes (measured). */
export const NETWORK_TO = 512;
/** Lines of up to this length always do. */
export const NETWORK_ALWAYS_TO = 64;
/** From this length on, digits of 11 bits are worth their larger counts (measured). */
export const WIDE_DIGITS_FROM = 2048;
/** Elements that are sorted at a time, unless a line is longer. */
export const SORTED_AT_ONCE = 16_384;
/** What work may take of memory, which is not given back to the system; larger work is the binary backend's. */
export const WORK_BYTES_MOST = 2 ** 29;
/** The same for Fourier transforms (128 f32: 0.83 of the time, 256 0.55). */
export const FFT_FROM = 512;
export const FFT_AGAIN_FROM = 128;
/** Pairs of numbers that are worked on at a time where lines are short: they stay in the first cache. */
export const FFT_PAIRS = 512;

// ---- decompositions

/** Elements of a matrix from which on its decompositions by vector code are faster than by the loops of the reference (qr of f32). */
export const LINALG_FROM = 256;

// ---- copies of planes

/** Arrays of so many bytes are put into scratch memory whole to be copied from there. */
export const PUT_BYTES = 65_536;
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

// ---- routines of programs

/** Instructions in a row at most, where a loop would do: the code of a copy stays below about 200 bytes for each loop of it. */
export const UNROLLED = 8;
/** Vectors of a pattern that a copy repeats, at most: they stay in registers. */
export const PATTERN_VECTORS_MOST = 16;
/** Products up to which sums of them are made without packing: operands stay in the second-level cache. */
export const UNPACKED_TO = 2 ** 21;
/**
 * Products of vectors of all k steps of a tile up to which they are written out. A loop does a tile's vectors once a turn, and V8 unrolls it
 * (32 x 64 x 64 of f32: 6.3 us; two, four and eight steps a turn took 8.8, 11.2 and 14.0).
 */
export const UNROLLED_PRODUCTS = 32;
/**
 * Rows of matrices whose decompositions are written out: the code grows with their cube (LU of 8 rows has 9 kB). A loop of 20 turns that solves 12
 * equations takes 34 us written out and 1000 not so, 16 equations 50 and 1140, with first calls as long; of 24 rows first calls take 20 to 80 ms
 * more, of 32 170 to 330.
 */
export const LINALG_TO = 16;
/** Elements of lines that routines sort: the comparisons of a network are written out (191 pairs for 32 elements, 2 kB). */
export const NETWORK_ROUTINE_TO = 32;
/** Items from which on a plane is transposed in squares of vectors. */
export const TRANSPOSED_FROM = 64;

// ---- from where on eager work is vector code

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

/**
 * Elements of an operand from which on the library's composites run as compiled functions when they are called eagerly: those of two to
 * eleven passes take 0.2 to 0.5 of the time from there on (f32, one thread), and no less below, where a kernel is not compiled at once.
 */
export const COMPOSITES_FROM = 4096;

// ---- rooms of the arena

/** Bytes below which rooms are kept by size, so that there may be many of them, and what these may take of the budget. */
export const SMALL_ROOM_BYTES = 65_536;
export const SMALL_ROOMS_SHARE = 1 / 4;
/** Rooms given back last that are kept as they are, for arrays of the same size: more than most functions have temporaries at once. */
export const RECENT_ROOMS = 16;

/**
 * Parts of the arena that are in use when the engine is urged to collect, and that are taken until it is urged again. With 3/4 it has
 * collected before the arena is full: of loops that add to 1e5 or 1e6 elements, release nothing and return to the event loop, 0 to 0.1 % of the
 * results are ordinary arrays then, and 4 to 20 % where nobody urges it; with 1/2 it collects half as often again, to no use.
 */
export const URGED_FROM = 3 / 4;
export const URGED_AGAIN = 1 / 8;
/** Bytes that make V8 collect, which begins at 64 MB of external memory since it last did. */
export const WEIGHT_BYTES = 96 * 2 ** 20;
/**
 * Bytes of a buffer that is let go of at once when the engine is urged for the first time. The C library of most Linux systems (glibc, mallopt: M_MMAP_THRESHOLD)
 * takes the largest memory that was freed, up to 32 MB, as the measure: less comes from its heap, which keeps twice as much of what is freed.
 * So ordinary arrays of loops that release nothing lie where collected ones have been: results of 4 MB took 200 to 1000 microseconds of system time for
 * fresh pages, 0 to 50 so; the whole of a synchronous loop of exp 0.7 of the time, of additions of 1e5 0.8.
 */
export const FREED_BYTES = 2 ** 25 - 2 ** 16;
/** Milliseconds between two collections from which on the arena is large enough, and the part of what the host has to spare that it may be. */
const COLLECTED_EVERY = 500;
const SPARE_SHARE = 1 / 8;
/** The largest arena: twice its first size, since untouched pages cost more than touched ones. */
const GROWN_MOST = 2 ** 29;
/**
 * Whether the arena is to become so large, so many milliseconds after the last collection that was urged. Results of 4 and 40 MB that nobody
 * releases (exp of 1e6, additions of 1e7) took 1.7 and 4.4 times the processor time of released ones with 256 MB, 1.3 and 1.8 times
 * with 512 MB, 1.1 and 1.3 times with 1 GB.
 */
export const isWorthMore = (since: number, bytes: number, spareBytes: () => number): boolean =>
  since < COLLECTED_EVERY && bytes <= GROWN_MOST && bytes <= spareBytes() * SPARE_SHARE;

// ---- requests to the host

/** How many times as long as a refusal took nothing is asked for again: engines collect garbage before each refusal. */
export const REFUSAL_TIMES = 20;

// ---- threads

/** Threads used by default on machines that have more. */
export const THREADS_MOST_BY_DEFAULT = 8;
/** Jobs put into the ring for each worker before the caller works itself. */
export const JOBS_AHEAD = 8;
/**
 * How long an idle worker watches for the next job before it sleeps, in microseconds. A wake-up takes 15 to 50 on the
 * machines measured; a worker that watches for about as long as its wake-up costs is never worse than twice the better
 * choice (Karlin et al., "Empirical studies of competitive spinning for a shared-memory multiprocessor", 1991). One that
 * is given no more work watches this long once and then costs nothing.
 */
export const WORKER_SPIN_MICROSECONDS = 50;
/**
 * How long it watches after a job that came within so long of the last one while it slept, in microseconds, and until a job takes longer to
 * come: plain calls leave gaps of 50 to 150 between two launches, in which workers slept each time (polynomial of 1e6 f32: 1.3 to
 * 1.4 times the time of the compiled function with 50 alone, 1.14 so; rows standardised 1.1 to 1.2, 1.1; no better with 400).
 */
export const WORKER_SPIN_MOST_MICROSECONDS = 200;
/**
 * How long the caller watches for the end of a job before it sleeps, in milliseconds. Longer than a worker's, because the
 * caller has nothing else to do and the wait is bounded by a call much like the one it has just run itself; short enough
 * to leave the core to the worker where the machine has too few.
 */
export const CALLER_SPIN_MILLISECONDS = 0.2;

/** The part of the time on one thread by which several may take longer, and the milliseconds of a rest at most. */
const LOSS = 0.1;
const REST_MOST = 100;

/**
 * How long the caller works alone after calls that took so long on several threads, and would have taken so long alone, all in milliseconds:
 * until both together have taken at most a tenth longer than on one thread. Another core that is busy, or slow to wake, makes a call of 0.1 ms take
 * 0.2 to 4 ms.
 */
export const restAfter = (taken: number, alone: number): number =>
  Math.min(REST_MOST, Math.max(0, (taken - (1 + LOSS) * alone) / LOSS));

// ---- programs

/** Turns that are expected of a loop whose number of turns is unknown. */
export const LOOP_TURNS = 4096;
/** Steps with a result of more elements run by themselves, where all threads can take part. */
export const PROGRAM_ELEMENTS = 65_536;
/**
 * Sums of products of more multiplications run by themselves, where other threads can take some: up to as many as a call makes, a graph
 * of a product and an addition takes 1.15 to 1.3 times as long as a program (64 x 64 to 128 x 128, 20 x 224 x 224, one thread).
 */
export const PROGRAM_PRODUCTS = 2 ** 20;
/** Matrices of more elements are decomposed by themselves (solving 64 equations as a program took 1.1 times as long). */
export const PROGRAM_MATRIX = 1024;
/** Rows of fewer elements are copied before a kernel reads them: a call for each row has to pay. */
export const PROGRAM_ROW_FROM = 8;
/** Elements of a last axis at most, and of its planes at least, that values are held as planes for. */
export const PLANES_MOST = 4;
export const PLANE_FROM = 64;
/** Values of the kernel language, and operands, of kernels that become one. */
export const JOINED_VALUES = 200;
export const JOINED_OPERANDS = 24;

/**
 * Vectors of state that a block of a loop holds at most: 12 of the 16 registers of x86. A thousand turns of two ops on 64 f32 took 1.3
 * times as long with 6, as long with 24.
 */
export const BLOCK_VECTORS = 12;
/**
 * Values of the kernel language for each byte of state that a turn moves, up to which a large loop is done block by block on one thread
 * rather than turn by turn on all: threads share the way to memory, and a turn of few values waits for it.
 */
export const BLOCK_BYTE_VALUES = 2;
/**
 * Values of the kernel language that are written out for a block of more than four elements (100 turns of ten operations on 10,000 f32: 1.5 ms
 * with 200, 0.87 with 400, 0.72 with 800 and with 1600).
 */
export const BLOCK_VALUES = 800;
/**
 * Turns, a power of 2, between two looks at whether a block still changes; a look takes about three instructions for each vector of
 * state. The Mandelbrot set, 256x256 points, 100 turns, took 2.4 ms with it
 * and 5.3 ms without.
 */
export const SETTLED_EVERY = 8;

// ---- eager work that waits

/**
 * Moves and reductions of arrays wait from so many times as many elements on as other work: to wait takes 0.5 to 1.5 microseconds, a tenth of
 * a transpose or of sums of rows of 20,000 f32. What is left of an axis without one of its ends waits as other work does, since such slices
 * are joined to ends.
 */
export const DEFERRED_ALONE = 5;
/** An array may be so many times as large as its view that waits: a slice of every second element keeps an array of twice its size. */
export const VIEWED_MOST = 2.5;
/** Values that wait and are read by no other value: the oldest are computed where there are more. */
export const DEFERRED_MOST = 64;
/** Bytes that pending values may keep alive beyond the bytes of their own arrays. */
export const DEFERRED_EXCESS = 2 ** 26;
/** Results of more bytes are made at once: where there is no memory for them, the call that makes them says so. */
export const DEFERRED_BYTES = 2 ** 28;
/** Ops of a kernel, values of the kernel language (each takes about 0.1 ms to compile), and arrays that it reads. */
export const DEFERRED_OPS = 64;
export const DEFERRED_VALUES = 800;
export const DEFERRED_INPUTS = 20;
/**
 * A value of more arrays of its size is stored: should the program hold it alone, it would keep so many times the memory that it takes.
 */
export const DEFERRED_KEPT = 4;
/** Elements of a line from which on a result of a reduction whose tensor lives is stored. */
export const DEFERRED_LINE_FROM = 16;
/** Values of the kernel language up to which an op is computed again after a reduction of its lines; heavier ops are kept. */
export const DEFERRED_REPEATED = 8;
/** Values that a kernel stores besides the wanted one, at most. */
export const DEFERRED_OUTPUTS = 4;
/**
 * A value of so many values of the kernel language is stored when it is computed a second time, a lighter one the third time: storing
 * and reading a value again takes as long as computing some 50.
 */
export const DEFERRED_HEAVY = 100;
/**
 * Elements times ops that are not stored, for each value of the kernel language, from which on a kernel is compiled: 0.1 ms against
 * about a nanosecond for each element that is neither written nor read again. Where kernels are compiled early, so are these.
 */
export const DEFERRED_GAIN = 100_000;
export const DEFERRED_GAIN_EACH = 6;
