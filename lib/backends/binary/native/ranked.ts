/**
 * Elements of long lines at a few places of their order: only what has the same first 16 bits as a wanted element is sorted (a million `f64` 13 ms
 * -> 5). The composite in `lib/nx/aggregates` sorts the lines.
 */
import type { Template } from "../../../backend";
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

/**
 * The block "ranked": along the axis the elements that lie at the places once the lines are sorted, bit for bit. Null for types of 8 bits, and where
 * first bits do not say enough.
 */
export function ranked(out: Template, [x]: readonly Tensor[], options: object, memory: ArrayMemory): Elements | null {
  const { axis, places } = options as Ranked;
  const { type, shape } = x!;
  if (bitsOf(type) === 8) return null;
  const [before, n, after] = splitAt(shape, axis);
  const lines = wordsOf(type, toLanes(memory, type, elementsOf(x!), [before, n, after]));
  const chosen = memory.unset(type, out.shape);
  const target = wordsOf(type, chosen).words;
  const size = n * lines.count;
  for (let first = 0, to = 0; to < target.length; first += size, to += places.length * lines.count) {
    const found = foundIn(type, lines.words.subarray(first, first + size), n, places);
    if (found === null) return null;
    target.set(found, to);
  }
  return fromLanes(memory, type, chosen, [before, places.length, after]);
}

/** A part of the elements that are sorted, at most. */
const PART = 1 / 8;

/** The elements at places of the order of a line of `n`, as words. */
function foundIn(type: DType, line: Words, n: number, places: readonly number[]): number[] | null {
  const step = line.byteLength / 2 / n;
  const bits = new Uint16Array(line.buffer, line.byteOffset, n * step).subarray(step - 1);
  const counts = new Uint32Array(2 ** 16);
  for (let at = 0; at < bits.length; at += step) counts[bits[at]!]!++;
  if (isFloat(type) && hasSpecial(INFINITY[type], counts)) return null;
  const wanted = new Uint8Array(counts.length);
  let [below, sorted] = [0, 0];
  const own: number[] = [];
  for (let rank = 0, next = 0; next < places.length; rank++) {
    // negative floats are the larger the smaller they are
    const at = isUnsigned(type) ? rank : rank ^ (isFloat(type) && rank < 0x8000 ? 0xffff : 0x8000);
    const end = below + counts[at]!;
    for (; places[next]! < end; next++) {
      wanted[at] = 1;
      own.push(places[next]! - below + sorted);
    }
    sorted += wanted[at]! * counts[at]!;
    below = end;
  }
  return sorted > n * PART
    ? null
    : ofSorted(type, gathered(line, bits, step, wanted, sorted * (line.length / n)), sorted, own);
}

/** First bits of infinity. */
const INFINITY = { f16: 0x7c00, bf16: 0x7f80, f32: 0x7f80, f64: 0x7ff0 };

/** Whether there may be NaN, which has no order by its bits, or a zero with a sign, which is equal to the other one. */
const hasSpecial = (infinity: number, counts: Uint32Array): boolean =>
  counts.some((count, bits) => count > 0 && (bits === 0x8000 || (bits & 0x7fff) >= infinity));

/** The words of the elements with wanted bits, in their order. */
function gathered(line: Words, bits: Uint16Array, step: number, wanted: Uint8Array, length: number): Words {
  const kept = new (line.constructor as new (length: number) => Words)(length);
  const width = line.BYTES_PER_ELEMENT === 2 ? 1 : step >> 1;
  for (let at = 0, i = 0, to = 0; to < length; at += step, i += width) {
    if (wanted[bits[at]!] === 0) continue;
    kept[to++] = line[i]!;
    if (width === 2) kept[to++] = line[i + 1]!;
  }
  return kept;
}

function ofSorted(type: DType, words: Words, n: number, places: readonly number[]): number[] {
  const sorter = new LaneSorter(allocateKeys(type, n), keyBits(type));
  writeKeys(type, words, 0, n, sorter.keys, false);
  const order = sorter.sort();
  const width = words.length / n;
  return places.flatMap((place) => [...words.subarray(order[place]! * width, (order[place]! + 1) * width)]);
}
