/**
 * Elements of long lines at a few places of their order, and where they come from: only what has the same first 16 bits as a wanted element is sorted
 * (the median of a million `f64` 13 ms -> 5, the ten largest of a million `f32` 10 -> 2). The composites in `lib/nx/aggregates` sort the lines.
 */
import type { Direction, Template } from "../../../backend";
import { bitsOf, isFloat, isUnsigned, type DType } from "../../../core/types";
import type { Tensor } from "../../../tensor";
import type { Words } from "../../arrays/copier";
import { wordsOf } from "../../arrays/copy";
import type { ArrayMemory } from "../../arrays/memory";
import { elementsOf, type Elements } from "../../arrays/storage";
import { LaneSorter } from "../radix";
import { fromLanes, splitAt, toLanes } from "../sorting";
import { allocateKeys, keyBits, writeKeys } from "../sort-keys";

/** Options of the block "ranked": places in ascending order, each once. */
export interface Ranked {
  readonly axis: number;
  readonly places: readonly number[];
}

/** Options of the block "argsortAt". */
export interface ArgsortAt {
  readonly axis: number;
  readonly direction: Direction;
}

/**
 * The block "ranked": along the axis the elements that lie at the places once the lines are sorted, bit for bit. Null for types of 8 bits, and where
 * first bits do not say enough.
 */
export function ranked(out: Template, [x]: readonly Tensor[], options: object, memory: ArrayMemory): Elements | null {
  const { axis, places } = options as Ranked;
  const chosen = memory.unset(out.type, out.shape);
  const { words, count: width } = wordsOf(out.type, chosen);
  let to = 0;
  const isFound = eachLine(x!, axis, places, "asc", memory, (line, positions) => {
    for (const position of positions) {
      for (let word = position * width; word < (position + 1) * width; word++) words[to++] = line[word]!;
    }
  });
  return isFound ? fromLanes(memory, out.type, chosen, splitAt(out.shape, axis)) : null;
}

/**
 * The block "argsortAt": of the positions that sort the lines along the axis those at places, a vector of `u32` in any order; as `u32`. Null where
 * "ranked" gives it.
 */
export function argsortAt(
  out: Template,
  [x, at]: readonly Tensor[],
  options: object,
  memory: ArrayMemory,
): Elements | null {
  const { axis, direction } = options as ArgsortAt;
  const wanted = elementsOf(at!) as Uint32Array;
  const ascending = Uint32Array.from(wanted.keys()).sort((a, b) => wanted[a]! - wanted[b]!);
  const places = ascending.map((i) => wanted[i]!);
  const chosen = memory.unset("u32", out.shape);
  let first = 0;
  const isFound = eachLine(x!, axis, places, direction, memory, (_line, positions) => {
    for (let i = 0; i < positions.length; i++) chosen[first + ascending[i]!] = positions[i]!;
    first += positions.length;
  });
  return isFound ? fromLanes(memory, "u32", chosen, splitAt(out.shape, axis)) : null;
}

/** Calls `use` with the words of each line and the positions of what lies at places of its order; false where a line has to be sorted whole. */
function eachLine(
  x: Tensor,
  axis: number,
  places: ArrayLike<number>,
  direction: Direction,
  memory: ArrayMemory,
  use: (line: Words, positions: Uint32Array) => void,
): boolean {
  const { type, shape } = x;
  if (bitsOf(type) === 8) return false;
  const [before, n, after] = splitAt(shape, axis);
  const lines = wordsOf(type, toLanes(memory, type, elementsOf(x), [before, n, after]));
  const size = n * lines.count;
  for (let first = 0; first < size * before * after; first += size) {
    const line = lines.words.subarray(first, first + size);
    const positions = positionsAt(type, line, n, places, direction === "desc");
    if (positions === null) return false;
    use(line, positions);
  }
  return true;
}

/** A part of the elements that are sorted, at most. */
const PART = 1 / 8;

interface Tables {
  /** How many elements begin with each 16 bits. */
  readonly counts: Uint32Array;
  /** 1 for the first bits of wanted elements. */
  readonly wanted: Uint8Array;
}

/** The tables are kept: fresh memory of their size takes as long as counting 50,000 elements. */
let tables: Tables | undefined;

function clearTables(): Tables {
  tables ??= { counts: new Uint32Array(2 ** 16), wanted: new Uint8Array(2 ** 16) };
  tables.counts.fill(0);
  tables.wanted.fill(0);
  return tables;
}

/** The positions of what lies at places, in ascending order, of the order of a line of `n`. */
function positionsAt(
  type: DType,
  line: Words,
  n: number,
  places: ArrayLike<number>,
  descending: boolean,
): Uint32Array | null {
  const step = line.byteLength / 2 / n;
  const bits = new Uint16Array(line.buffer, line.byteOffset, n * step).subarray(step - 1);
  const { counts, wanted } = clearTables();
  for (let at = 0; at < bits.length; at += step) counts[bits[at]!]!++;
  if (isFloat(type) && hasSpecial(INFINITY[type], counts)) return null;
  // negative floats are the larger the smaller they are
  const sign = isUnsigned(type) ? 0 : 0x8000;
  const negative = isFloat(type) ? 0xffff : sign;
  const own = new Uint32Array(places.length);
  let [below, sorted] = [0, 0];
  for (let rank = 0, next = 0; next < own.length; rank++) {
    const ascending = descending ? 0xffff - rank : rank;
    const at = ascending ^ (ascending < 0x8000 ? negative : sign);
    const end = below + counts[at]!;
    if (places[next]! < end) {
      wanted[at] = 1;
      for (; places[next]! < end; next++) own[next] = places[next]! - below + sorted;
      sorted += counts[at]!;
    }
    below = end;
  }
  if (sorted > n * PART) return null;
  const positions = gathered(bits, step, wanted, sorted);
  const order = sortedOrder(type, line, positions, descending);
  return own.map((place) => positions[order[place]!]!);
}

/** First bits of infinity. */
const INFINITY = { f16: 0x7c00, bf16: 0x7f80, f32: 0x7f80, f64: 0x7ff0 };

/** Whether there may be NaN, which has no order by its bits, or a zero with a sign, which is equal to the other one. */
function hasSpecial(infinity: number, counts: Uint32Array): boolean {
  if (counts[0x8000]! > 0) return true;
  for (let size = infinity; size < 0x8000; size++) if (counts[size]! + counts[size + 0x8000]! > 0) return true;
  return false;
}

/** The positions of the elements with wanted bits, in their order. */
function gathered(bits: Uint16Array, step: number, wanted: Uint8Array, count: number): Uint32Array {
  const kept = new Uint32Array(count);
  for (let at = 0, i = 0, to = 0; to < count; at += step, i++) if (wanted[bits[at]!] === 1) kept[to++] = i;
  return kept;
}

/** The order of the elements of a line at positions. */
function sortedOrder(type: DType, line: Words, positions: Uint32Array, descending: boolean): Uint32Array {
  const n = positions.length;
  const width = bitsOf(type) === 64 ? 2 : 1;
  const words = new (line.constructor as new (length: number) => Words)(n * width);
  for (let i = 0, to = 0; i < n; i++) {
    for (let word = 0; word < width; word++) words[to++] = line[positions[i]! * width + word]!;
  }
  const sorter = new LaneSorter(allocateKeys(type, n), keyBits(type));
  writeKeys(type, words, 0, n, sorter.keys, descending);
  return sorter.sort();
}
