/**
 * Sorting along an axis, always stable. Order: -Inf, numbers, +Inf, NaN; -0 and 0 are equal. Descending turns the order
 * around but not that of equals: lower indices stay first.
 *
 * Lanes are brought side by side, sorted as integer keys, and taken back. The permutation is what is sorted, so that `sort`
 * and `argsort` agree and every element keeps its bits.
 */
import type { Attrs, Direction, PrimitiveFunction, Template } from "../../backend";
import { rowMajorStrides, sizeOf, type Shape } from "../../core/shape";
import { isWide } from "../../core/types";
import type { Tensor } from "../../tensor";
import { storeF64 } from "./convert";
import { copyPicked, gatherLattice, wordsOf } from "./copy";
import { LaneSorter } from "./radix";
import { allocateKeys, keyBits, writeKeys } from "./sort-keys";
import { allocateFor, BinaryData, elementsOf, widthOf, type Elements } from "./storage";

/** Elements with the lanes of an axis one after another: before x after x along. */
function toLanes(type: Template["type"], elements: Elements, [before, along, after]: Triple): Elements {
  if (after === 1) return elements;
  const steps = [along * after, 1, after];
  return gatherLattice(type, [before, after, along], elements, { offset: 0, steps });
}

/** The way back. */
function fromLanes(type: Template["type"], lanes: Elements, [before, along, after]: Triple): Elements {
  if (after === 1) return lanes;
  const steps = [along * after, 1, along];
  return gatherLattice(type, [before, along, after], lanes, { offset: 0, steps });
}

type Triple = readonly [before: number, along: number, after: number];

function splitAt(shape: Shape, axis: number): Triple {
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

function sort(out: Template, [x]: readonly Tensor[], { axis, direction }: Attrs["sort"]): BinaryData {
  const split = splitAt(x!.shape, axis);
  const lanes = toLanes(x!.type, elementsOf(x!), split);
  const { words, count } = wordsOf(x!.type, lanes);
  const sorted = allocateFor(out.type, out.shape);
  const target = wordsOf(out.type, sorted).words;
  const pick = count === 1 ? pickOnes : pickPairs;
  sortLanes(x!, lanes, split[1], direction, (order, first) => pick(words, target, first, order));
  return new BinaryData(fromLanes(out.type, sorted, split));
}
