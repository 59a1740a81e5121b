/**
 * Sorting along an axis, always stable. Order: -Inf, numbers, +Inf, NaN; -0 and 0 are equal. Descending reverses the order
 * around but not that of equals: lower indices stay first.
 *
 * Lanes are brought side by side, sorted as integer keys, and taken back. The permutation is what is sorted, so that `sort`
 * and `argsort` agree and every element keeps its bits.
 */
import type { Direction } from "../../backend";
import { bytesOfView } from "../../core/bytes";
import { sizeOf, type Shape } from "../../core/shape";
import { is64Bit, type DType } from "../../core/types";
import type { Tensor } from "../../tensor";
import { storeF64 } from "../arrays/convert";
import type { Words } from "../arrays/copier";
import { gatherLattice, wordsOf } from "../arrays/copy";
import type { ArrayMemory } from "../arrays/memory";
import type { ArrayPrimitive } from "../arrays/primitives";
import { elementsOf, widthOf, type Elements } from "../arrays/storage";
import { LaneSorter } from "./radix";
import { allocateKeys, keyBits, writeKeys } from "./sort-keys";

/** Elements with the lanes of an axis one after another: before x after x along. */
export function toLanes(
  memory: ArrayMemory,
  type: DType,
  elements: Elements,
  [before, along, after]: Triple,
): Elements {
  if (after === 1) return elements;
  const steps = [along * after, 1, after];
  return gatherLattice(memory, type, [before, after, along], elements, { offset: 0, steps });
}

/** The way back. */
export function fromLanes(memory: ArrayMemory, type: DType, lanes: Elements, [before, along, after]: Triple): Elements {
  if (after === 1) return lanes;
  const steps = [along * after, 1, along];
  return gatherLattice(memory, type, [before, along, after], lanes, { offset: 0, steps });
}

export type Triple = readonly [before: number, along: number, after: number];

export function splitAt(shape: Shape, axis: number): Triple {
  return [sizeOf(shape.slice(0, axis)), shape[axis]!, sizeOf(shape.slice(axis + 1))];
}

/** Calls `use` with the sorting permutation of each lane and the index of its first element. */
function sortLanes(
  { type }: Tensor,
  lanes: Elements,
  along: number,
  direction: Direction,
  use: (order: Uint32Array, first: number) => void,
): void {
  const { words } = wordsOf(type, lanes);
  const sorter = new LaneSorter(allocateKeys(type, along), keyBits(type));
  const size = lanes.length / widthOf(type);
  for (let first = 0; first < size; first += along) {
    writeKeys(type, words, first, along, sorter.keys, direction === "desc");
    use(sorter.sort(), first);
  }
}

const sort: ArrayPrimitive<"sort"> =
  (memory) =>
  (out, [x], { axis, direction }) => {
    const split = splitAt(x!.shape, axis);
    if (split[1] === 1) return memory.upload(out.type, bytesOfView(elementsOf(x!)));
    const lanes = toLanes(memory, x!.type, elementsOf(x!), split);
    const { words, count } = wordsOf(x!.type, lanes);
    const sorted = memory.unset(out.type, out.shape);
    const target = wordsOf(out.type, sorted).words;
    const pick = count === 2 ? pickPairs : words instanceof Int32Array ? pickWords : pickNarrow;
    sortLanes(x!, lanes, split[1], direction, (order, first) => pick(words, target, first, order));
    return memory.hold(fromLanes(memory, out.type, sorted, split));
  };

/** The sorted elements of a lane, from its permutation; one loop per kind of word, so that each stays plain. */
type Pick = (words: Words, target: Words, first: number, order: Uint32Array) => void;

const pickNarrow: Pick = (words, target, first, order) => {
  for (let i = 0; i < order.length; i++) target[first + i] = words[first + order[i]!]!;
};

const pickWords: Pick = (words, target, first, order) => {
  for (let i = 0; i < order.length; i++) target[first + i] = words[first + order[i]!]!;
};

const pickPairs: Pick = (words, target, first, order) => {
  for (let i = 0, to = 2 * first; i < order.length; i++, to += 2) {
    const from = 2 * (first + order[i]!);
    target[to] = words[from]!;
    target[to + 1] = words[from + 1]!;
  }
};

const argsort: ArrayPrimitive<"argsort"> =
  (memory) =>
  (out, [x], { axis, direction }) => {
    const split = splitAt(x!.shape, axis);
    const positions = memory.zeroed(out.type, out.shape);
    if (split[1] === 1) return memory.hold(positions);
    const lanes = toLanes(memory, x!.type, elementsOf(x!), split);
    const numbers = new Float64Array(is64Bit(out.type) ? 0 : split[1]);
    sortLanes(x!, lanes, split[1], direction, (order, first) => {
      if (is64Bit(out.type)) return putWide(positions as Int32Array, first, order);
      numbers.set(order);
      storeF64(out.type, positions, first, numbers, numbers.length);
    });
    return memory.hold(fromLanes(memory, out.type, positions, split));
  };

function putWide(positions: Int32Array, first: number, order: Uint32Array): void {
  for (let i = 0; i < order.length; i++) positions[2 * (first + i)] = order[i]!;
}

/** Sorting. */
export const sorting = { sort, argsort };
