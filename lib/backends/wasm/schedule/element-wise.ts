/** From where on element-wise work is done by kernels, and how it is cut: in order, by rows, or by segments; and draws. */
import type { DType } from "../../../core/types";
import { SIDE_BY_SIDE } from "../../../kernel/operand";
import {
  CHUNKS_EACH,
  cutInto,
  cutTogether,
  picosecondsOf,
  RESIDENT_BYTES,
  spanForThreads,
  STAGED_TOGETHER,
  threadsFor,
  type Cut,
  type Viewed,
} from "./cuts";

/** Ops that copying an element counts for. */
const COPY_OPS = 8;

/** Elements from which a kernel that is not at hand is faster than the loops of the reference (add of f32; special functions have no loops). */
export const ELEMENTWISE_FROM = 512;

/**
 * Elements below which these loops are faster than a kernel that is at hand: engines compile those of f64 to what a kernel does (add of 64,
 * 200 and 400: 0.50, 0.83, 1.35 us and 0.74, 0.96, 1.50 by a kernel), those of other types round or convert (f32 0.69, 1.06, 1.7 and 0.64, 0.60, 0.78;
 * s32 0.85, 1.3, 2.2 and 0.72, 0.81, 0.93; f16 1.6, 4.2, 8.2 and 0.76, 0.95, 1.2). In JavaScriptCore f32 gain from 400 on, in SpiderMonkey from 300 (100,
 * 300, 500: 0.55, 0.91, 1.3 and 1.0, 1.05, 1.1).
 */
export const loopsBelow = (type: DType): number => (type === "f64" ? ELEMENTWISE_FROM : 128);

/** The part of the time of the interpreter that loops take: in their place a kernel is worth compiling so much later. */
export const LOOPS_PART = 1 / 8;
/**
 * Groups of four elements that a kernel does side by side, and vectors held at a time above which these are fewer: about as many as the
 * registers of a machine hold.
 */
export const KERNEL_GROUPS = 4;
export const KERNEL_VECTORS_MOST = 28;
/** Elements that a call of a kernel is rounded up to: operands must have room for a multiple of so many. */
export const STEP = 16;
/** Spaces of at most this many elements are done in one go, without a plan. */
export const ELEMENTWISE_AT_ONCE = 1024;
/** Bytes of an operand in a chunk that is staged: all operands of a chunk stay in a core's first two caches. */
const STAGED_BYTES = 32_768;
const STAGED_SHARED_FROM = 6;
/** Below this many ops for each element, copying operands is most of the work, and that is the caller's. */
const SHARED_FROM_OPS = 24;

/** An element-wise nest. */
interface Elementwise {
  readonly size: number;
  /** Bytes of its widest element. */
  readonly widest: number;
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

/** Whether copying is most of the work of a kernel of so many ops. */
export const isLight = (ops: number): boolean => ops < SHARED_FROM_OPS;

/**
 * Whether threads may share an element-wise nest of at most so many ops, however it is cut. Else nobody asks how many there are, which takes
 * a twentieth of the first call in a process.
 */
export const isForThreads = (size: number, ops: number): boolean =>
  ops >= SHARED_FROM_OPS || threadsFor(size, ops + COPY_OPS, 2) > 1;

/** How an element-wise nest is cut. */
export function cutElements(nest: Elementwise, threads: number): Cut {
  const { size, staged, inPlace, ops } = nest;
  const alone = threads === 1 || inPlace;
  if (!staged) {
    const bytes = spanForThreads(size * nest.widest, alone ? 1 : threadsFor(size, ops, threads));
    return cutInto(size, Math.ceil(bytes / nest.widest / STEP) * STEP, () => 1, true);
  }
  if (nest.viewed && size * nest.widest > RESIDENT_BYTES) {
    const unshared = alone || threadsFor(size, ops + COPY_OPS, threads) === 1;
    const span = stagedSpan(nest, RESIDENT_BYTES);
    // two lines of the cache from where one row of what is transposed lies; of fewer, places in memory are looked up too often
    if (!nest.viewed.isScattered(span / 2)) {
      const most = unshared ? 1 : CHUNKS_EACH * threads;
      return { ...cutInto(size, span, (chunks) => Math.min(chunks, most)), isInTurn: true };
    }
    return cutTogether(nest.viewed, size, span, { each: 1, bytes: nest.widest, alone: unshared });
  }
  return cutInto(size, stagedSpan(nest, STAGED_BYTES), (chunks) =>
    alone || chunks < STAGED_SHARED_FROM || isLight(ops) ? 1 : Math.min(chunks, STAGED_TOGETHER),
  );
}

/**
 * A multiple of the step by which the widest operand fills so many bytes, and where there are some, of rows that are read side by
 * side, or of a period.
 */
function stagedSpan({ size, widest, transposedRow, periods }: Elementwise, bytes: number): number {
  const whole = Math.ceil(size / STEP) * STEP;
  const rows = transposedRow * SIDE_BY_SIDE;
  if (rows > 0 && rows * widest <= RESIDENT_BYTES) {
    return Math.min(Math.max(1, Math.floor(bytes / widest / rows)) * rows, whole);
  }
  return alignedSpan({ size, widest, periods }, bytes);
}

/** A multiple of the step, and of periods where these are short, that fills so many bytes. */
function alignedSpan(
  { size, widest, periods }: Pick<Elementwise, "size" | "widest" | "periods">,
  bytes: number,
): number {
  const unit = Math.max(STEP, ...periods.map((period) => leastMultiple(period, STEP)));
  const each = unit * widest <= bytes ? unit : STEP;
  return Math.min(Math.floor(bytes / widest / each) * each, Math.ceil(size / STEP) * STEP);
}

/** The least number that is a multiple of both; 0 for none. */
function leastMultiple(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x === 0 ? 0 : (a / x) * b;
}

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

/** Elements of rows that are read where they lie; shorter ones are copied. */
export const ROW_FROM = 24;
/** Calls at most where there are more than threads ask for, planes that do not lie equally far apart; and picoseconds that a call takes to begin. */
const ROW_CALLS = 128;
const ROW_CALL_PICOSECONDS = 1e6;

/** An element-wise nest by rows. */
interface Rows extends Pick<Elementwise, "size" | "widest" | "ops"> {
  /** Elements of a row, of a plane of rows that lie equally far apart, of such planes, and so on. */
  readonly ends: readonly number[];
  /** Elements of a row at least: eight and more, which two groups have. */
  readonly least: number;
}

/**
 * What calls have: so many elements of the only row (level 0), rows (1) or planes (2); groups of four elements side by side, few where rows
 * are short, since the last elements of a row are done again; whether threads share the calls.
 */
interface CutOfPlanes {
  readonly level: number;
  readonly span: number;
  readonly groups: 2 | 4;
  readonly isShared: boolean;
}

/** How rows are cut; null where elements are better copied. */
export function cutRows(nest: Rows, threads: number): CutOfPlanes | null {
  const { size, ends, widest, ops, least } = nest;
  const [length = 1, plane = size] = ends;
  if (length < least) return null;
  const sharing = threadsFor(size, ops, threads);
  const elements = Math.ceil(spanForThreads(size * widest, sharing) / widest / STEP) * STEP;
  const level = Math.min(ends.length - 1, plane > elements ? 1 : 2);
  if (size / ends[level]! > ROW_CALLS && picosecondsOf(ends[level]!, ops) < ROW_CALL_PICOSECONDS) return null;
  const span = Math.max(1, Math.floor(elements / (ends[level - 1] ?? 1)));
  return { level, span, groups: length < 2 * STEP ? 2 : KERNEL_GROUPS, isShared: sharing > 1 };
}

/** Calls at most: of arrays that take turns every few rows, chunks are copied. */
export const SEGMENT_CALLS = 128;
/** A row may have so many steps for segments that are no whole ones, for each step of its elements. */
const SEGMENT_WASTE = 0.5;

/** An element-wise nest by segments of rows, which are these columns. */
interface Segments extends Pick<Elementwise, "size" | "widest" | "ops"> {
  readonly columns: readonly (readonly [begin: number, end: number])[];
}

/** Whether segments that are no whole steps are too much of a row, which are these columns. */
export function wastes(columns: Segments["columns"], step: number): boolean {
  const broken = columns.filter(([begin, end]) => (end - begin) % step !== 0).length;
  return broken * step > SEGMENT_WASTE * columns.at(-1)![1];
}

/** Elements of a call, and whether threads share the calls; null where elements are better copied. */
export function cutSegments(
  { size, widest, ops, columns }: Segments,
  threads: number,
): { readonly elements: number; readonly isShared: boolean } | null {
  const sharing = threadsFor(size, ops, threads);
  if (wastes(columns, STEP)) return null;
  const bytes = Math.min(RESIDENT_BYTES, spanForThreads(size * widest, sharing));
  return { elements: Math.ceil(bytes / widest / STEP) * STEP, isShared: sharing > 1 };
}
