/**
 * Element-wise kernels over operands that are several arrays as one, read where these lie: the space is cut into rows, and rows into
 * segments, in each of which every operand goes on in one array. What a segment gives is written nowhere else, so threads share them.
 */
import { bytesOf } from "../../../core/types";
import type { JoinedAccess } from "../../../kernel/joined";
import type { Access, Elements, Reader } from "../../../kernel/operand";
import { opsOf, type Kernel } from "../../../kernel/value";
import { Plans } from "../placement/plans";
import { cutSegments, KERNEL_GROUPS, SEGMENT_CALLS } from "../schedule/element-wise";
import { threadCount } from "../threads";
import { areInPlace, byParts, COPIED, runParts, type ByParts, type Part } from "./parts";

/** Where an element is: an array of its reader, and which element of that. */
interface Place {
  readonly array: number;
  readonly element: number;
}

const plans = new Plans<ByParts | typeof COPIED>();

/** Where elements are, and the places in the space at which another array begins. */
interface Walker {
  readonly cuts: readonly number[];
  at(place: number): Place;
}

/** Elements of a row of several arrays as one. */
const totalOf = ({ runs }: JoinedAccess): number => runs.reduce((sum, { inner }) => sum + inner, 0);

const isJoined = (access: Access): access is JoinedAccess => access.kind === "joined";

/** Several arrays as one, whose cuts are those in so many elements. */
function joinedWalker(access: JoinedAccess, size: number): Walker {
  const { runs } = access;
  const total = totalOf(access);
  const starts: number[] = [];
  for (let i = 0, start = 0; i < runs.length; start += runs[i++]!.inner) starts.push(start);
  return {
    cuts: Array.from({ length: size / total }, (_, i) => starts.map((start) => i * total + start)).flat(),
    at(place) {
      const row = Math.floor(place / total);
      const rest = place - row * total;
      const array = starts.filter((start) => start <= rest).length - 1;
      return { array, element: runs[array]!.offset + row * runs[array]!.pitch + rest - starts[array]! };
    },
  };
}

/** One array: all elements in order, or rows of a length that lie anywhere; null for others. */
function walkerOf({ offset, walk: { shape, strides } }: Access, length: number): Walker | null {
  const pitch = shape.length === 1 ? length : strides[0]!;
  if (strides.at(-1) !== 1 || shape.length > 2 || (shape.length === 2 && shape[1] !== length)) return null;
  const at = (place: number): Place => {
    const row = Math.floor(place / length);
    return { array: 0, element: offset + row * pitch + place - row * length };
  };
  return { cuts: [], at };
}

/** An operand that is the same for all elements. */
const ALIKE: Walker = { cuts: [], at: () => ({ array: 0, element: 0 }) };

type Ends = readonly (readonly [begin: number, end: number])[];

/** A space in rows of a length: blocks of rows, and columns, in each of which every operand goes on in one array. */
export interface Grid {
  readonly length: number;
  readonly blocks: Ends;
  readonly columns: Ends;
  /** Where the element at a place is of each operand, then of each result. */
  at(place: number): readonly Place[];
}

/** The segments of a kernel over so many elements, of which some operands are several arrays as one; null where there are none, or too many. */
export function gridOf({ inputs, outputs }: Kernel, accesses: readonly Access[], size: number): Grid | null {
  const length = Math.min(...accesses.filter(isJoined).map(totalOf));
  const columns = [length];
  const blocks = [size];
  const walkers: Walker[] = [];
  for (const [i, access] of accesses.entries()) {
    const total = isJoined(access) ? totalOf(access) : 0;
    if (total > length && size / total > SEGMENT_CALLS) return null;
    const own = isJoined(access)
      ? joinedWalker(access, total === length ? length : size)
      : inputs[i]!.uniform
        ? ALIKE
        : walkerOf(access, length);
    if (own === null || (total > length && own.cuts.some((cut) => cut % length !== 0))) return null;
    (total > length ? blocks : columns).push(...own.cuts);
    walkers.push(own);
  }
  if (blocks.length > SEGMENT_CALLS) return null;
  const dense: Access = { kind: "contiguous", offset: 0, walk: { shape: [size], strides: [1] } };
  walkers.push(...outputs.map(() => walkerOf(dense, length)!));
  const at = (place: number): readonly Place[] => walkers.map((walker) => walker.at(place));
  return { length, blocks: endsOf(blocks), columns: endsOf(columns), at };
}

function planOf(
  kernel: Kernel,
  readers: readonly Reader[],
  key: string,
  [size, threads]: readonly [size: number, threads: number],
): ByParts | typeof COPIED {
  const accesses = readers.map(({ access }) => access);
  const grid = gridOf(kernel, accesses, size);
  if (grid === null) return COPIED;
  const { length, columns, blocks } = grid;
  const bytes = [...kernel.inputs, ...kernel.outputs].map(({ type }) => bytesOf(type));
  const cut = cutSegments({ size, widest: Math.max(...bytes), ops: opsOf(kernel), columns }, threads);
  if (cut === null) return COPIED;
  const gaps = bytes.map(() => 0);
  const parts: Part[] = [];
  const add = (place: number, rows: number, n: number): void => {
    const places = grid.at(place);
    const arrays = places.map(({ array }) => array);
    const offsets = places.map(({ element }, i) => element * bytes[i]!);
    const pitches = grid.at(place + length).map(({ element }, i) => element * bytes[i]! - offsets[i]!);
    parts.push({ n, rows, planes: 1, arrays, offsets, pitches, gaps });
  };
  const span = Math.max(1, Math.floor(cut.elements / length)) * length;
  for (const [begin, end] of blocks) {
    for (let at = begin; at < end; at += span) {
      const rows = Math.min(span, end - at) / length;
      for (const [first, last] of columns) {
        for (let from = first; from < last; from += cut.elements)
          add(at + from, rows, Math.min(cut.elements, last - from));
      }
    }
    if (parts.length > SEGMENT_CALLS) return COPIED;
  }
  const steps = accesses.map((): 1 => 1);
  return byParts(key, { parts, steps, groups: KERNEL_GROUPS, hasShort: true, isShared: cut.isShared });
}

/** From each place that something ends at to the next one. */
function endsOf(places: readonly number[]): Ends {
  const sorted = [...new Set([0, ...places])].sort((a, b) => a - b);
  return sorted.slice(1).map((end, i) => [sorted[i]!, end]);
}

/**
 * Computes `outputs`, arrays of `size` elements, segment by segment, if all operands lie in the memory of kernels, or are small, and are several arrays
 * as one in few enough segments; else does nothing and says so.
 */
export function runBySegments(
  kernel: Kernel,
  readers: readonly Reader[],
  outputs: readonly Elements[],
  size: number,
  key: string,
): boolean {
  if (!areInPlace(kernel, readers, outputs)) return false;
  const figures = [size, threadCount()] as const;
  const plan = plans.get(kernel, readers, [], figures, () => planOf(kernel, readers, key, figures));
  if (plan === COPIED) return false;
  runParts(kernel, readers, outputs, size, plan);
  return true;
}
