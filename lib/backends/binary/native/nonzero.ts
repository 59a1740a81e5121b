/**
 * Places of what is not zero, one element after the other: the composite in `lib/nx/groups` sorts zeros behind all else, and these are the
 * first places of that order.
 */
import type { Template } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { isComplex, type DType } from "../../../core/types";
import type { Tensor } from "../../../tensor";
import { BLOCK } from "../../arrays/blocks";
import { loadF64 } from "../../arrays/convert";
import type { ArrayMemory } from "../../arrays/memory";
import { elementsOf, widthOf, type Elements } from "../../arrays/storage";

/** The block "nonzero": for each axis its positions, one row behind the other; zeros where there are less. Null for complex numbers. */
export function nonzero(
  out: Template,
  [mask]: readonly Tensor[],
  _options: object,
  memory: ArrayMemory,
): Elements | null {
  const { type, shape } = mask!;
  if (isComplex(type)) return null;
  const wanted = out.shape.at(-1)!;
  const places = new Uint32Array(wanted);
  const found = find(type, elementsOf(mask!), sizeOf(shape), places);
  const result = memory.zeroed(out.type, out.shape);
  const width = widthOf(out.type);
  for (let axis = shape.length - 1; axis > 0; axis--) {
    divide(places, found, shape[axis]!, result, axis * wanted * width, width);
  }
  for (let i = 0; i < found; i++) result[i * width] = places[i]!;
  return result;
}

/** Finds the first places, as many as there is room for; gives how many there are. */
function find(type: DType, elements: Elements, size: number, places: Uint32Array): number {
  if (type === "u8") return findSet(elements as Uint8Array, 0, size, places, 0);
  const part = new Float64Array(Math.min(size, BLOCK));
  const isSet = new Uint8Array(part.length);
  let found = 0;
  for (let first = 0; first < size && found < places.length; first += BLOCK) {
    const count = Math.min(BLOCK, size - first);
    loadF64(type, elements, first, part, count);
    for (let i = 0; i < count; i++) isSet[i] = Number(part[i] !== 0);
    found = findSet(isSet, first, count, places, found);
  }
  return found;
}

/** A place is written always, and stays where its byte is set: a branch would be predicted wrongly every second time. */
function findSet(isSet: Uint8Array, first: number, count: number, places: Uint32Array, found: number): number {
  const wanted = places.length;
  for (let i = 0; i < count && found < wanted; i++) {
    places[found] = first + i;
    found += -isSet[i]! >>> 31;
  }
  return found;
}

/** Positions along an axis of places that ascend, which become those of the axes in front of it. */
function divide(places: Uint32Array, count: number, size: number, out: Elements, at: number, width: 1 | 2): void {
  let [row, start] = [0, 0];
  for (let i = 0; i < count; i++, at += width) {
    const place = places[i]!;
    while (place - start >= size) {
      row++;
      start += size;
    }
    out[at] = place - start;
    places[i] = row;
  }
}
