/** How nests that are run by lines are cut. */
import { BLOCK } from "../../../kernel/recurrence";
import {
  CHUNK_BYTES,
  CHUNKS_EACH,
  cutInto,
  cutTogether,
  RESIDENT_BYTES,
  spanForThreads,
  STAGED_TOGETHER,
  threadsFor,
  type Cut,
  type Viewed,
} from "./cuts";

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
  /** Whether a result is copied out after each chunk. */
  readonly collected?: boolean;
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
    if (!nest.collected && !nest.viewed.isScattered((least * length) / 2)) {
      const most = threads === 1 ? 1 : CHUNKS_EACH * threads;
      const inTurn = cutInto(lines, least, (chunks) => Math.min(chunks, most));
      return { ...inTurn, isInTurn: true, each: Math.min(own, least) };
    }
    return {
      ...cutTogether(nest.viewed, lines, least, { each: length, bytes, alone: threads === 1 }),
      each: Math.min(own, least),
    };
  }
  return { ...cutInto(lines, span, (chunks) => chunks, true), each: own };
}

/** How each line of a nest is cut, into whole blocks of elements, each of which is done by itself. */
export function cutLongLines(nest: Lines, threads: number): CutOfLines {
  const { lines, length, full, stages, staged, viewed } = nest;
  const bytes = Math.max(...full);
  const most = stages === 1 ? RESIDENT_BYTES / bytes : elementsTogether(nest);
  const span = Math.max(1, Math.floor(most / BLOCK)) * BLOCK;
  const chunks = lines * Math.ceil(length / span);
  if (!staged) return { span, chunks, slots: chunks, isAtOnce: true, each: 1 };
  if (viewed) {
    const { slots } = cutTogether(viewed, chunks * span, span, { each: 1, bytes, alone: threads === 1 });
    return { span, chunks, slots: Math.min(slots, chunks), isAtOnce: false, isTogether: true, each: 1 };
  }
  return { span, chunks, slots: lineSlots(nest, chunks, threads), isAtOnce: false, each: 1 };
}
