/**
 * Operands of kernels that lie outside of the kernels' memory, since it was full when they were made: one that is read again is
 * taken in as soon as there is room, so that it does not stay slow for life. What a tensor holds changes, its elements never do.
 */
import type { Tensor } from "../../../tensor";
import { isLarge } from "../../arrays/memory";
import { elementsOf, type ArrayData, type ArrayType, type Elements } from "../../arrays/storage";
import { addressOf, arena } from "../memory/arena";
import { arrays } from "../arrays";

/** What was read once: taking in costs about two readings, which something that is read a single time would not save. */
const readOnce = new WeakSet<ArrayData>();

/** The elements of an operand, in the memory of kernels where they are worth it and there is room. */
export function residentElements(tensor: Tensor): Elements {
  const elements = elementsOf(tensor);
  if (!isLarge(elements.byteLength) || addressOf(elements) !== null) return elements;
  const data = tensor.data as ArrayData;
  if (data.pins > 0) return elements; // work that waits reads this very array
  if (!readOnce.has(data)) {
    readOnce.add(data);
    return elements;
  }
  return takenIn(data, elements) ?? elements;
}

function takenIn(data: ArrayData, elements: Elements): Elements | null {
  const array = arena.create(elements.constructor as ArrayType, elements.length);
  if (array === null) return null;
  array.set(elements);
  // other tensors and the work under way may still read the old array, which the garbage collector takes
  arrays.letGoOf(elements);
  data.elements = arrays.holding(array);
  return array;
}
