/**
 * Operands of kernels that lie outside of the kernels' memory, since it was full when they were made: one that is read again is
 * taken in as soon as there is room, so that it does not stay slow for life. What a tensor holds changes, its elements never do.
 */
import type { Tensor } from "../../tensor";
import { holding, isLarge, letGoOf, type ArrayType } from "../binary/pool";
import { elementsOf, type BinaryData, type Elements } from "../binary/storage";
import { addressOf, arena } from "./arena";

/** What was read once: taking in costs about two readings, which something that is read a single time would not save. */
const readOnce = new WeakSet<BinaryData>();

/** The elements of an operand, in the memory of kernels where they are worth it and there is room. */
export function residentElements(tensor: Tensor): Elements {
  const elements = elementsOf(tensor);
  if (!isLarge(elements.byteLength) || addressOf(elements) !== null) return elements;
  const data = tensor.data as BinaryData;
  if (!readOnce.has(data)) {
    readOnce.add(data);
    return elements;
  }
  return takenIn(data, elements) ?? elements;
}

function takenIn(data: BinaryData, elements: Elements): Elements | null {
  const array = arena.create(elements.constructor as ArrayType, elements.length);
  if (array === null) return null;
  array.set(elements);
  // other tensors and the work under way may still read the old array, which the garbage collector takes
  letGoOf(elements);
  data.elements = holding(array);
  return array;
}
