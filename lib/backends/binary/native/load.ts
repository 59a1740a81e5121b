/** Elements of tensors as doubles. */
import { is64Bit } from "../../../core/types";
import type { Tensor } from "../../../tensor";
import { loadF64 } from "../../arrays/convert";
import { elementsOf } from "../../arrays/storage";

/** Loads elements as doubles; gives whether none of them may be rounded. */
export function load(t: Tensor, first: number, into: Float64Array, count: number): boolean {
  loadF64(t.type, elementsOf(t), first, into, count);
  return !is64Bit(t.type) || into.every((value) => Math.abs(value) < 2 ** 53);
}
