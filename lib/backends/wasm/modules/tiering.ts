/**
 * When a kernel is worth compiling. Emitting and compiling one takes about as long as the TypeScript executor needs for ten
 * thousand elements or more, whatever the kernel computes, since both grow with its ops; programs call many functions only a few times
 * on small tensors. Both ways give the same bits.
 */
import { Recent } from "../../../kernel/generational-cache";
import { tuning } from "../../tuning";

/** Kernels that are counted at a time. */
const COUNTED = 1024;

const counts = new Recent<{ elements: number }>(COUNTED);

/** Whether a kernel that is to compute so many more elements, and is not compiled yet, should be. */
export function isWarm(key: string, elements: number): boolean {
  if (elements >= tuning.compiledFrom) return true;
  const count = counts.getOrMake(key, () => ({ elements: 0 }));
  count.elements += elements;
  return count.elements >= tuning.compiledFrom;
}

/**
 * Whether a call of a primitive on so many elements is done by the module of a key: of `from` elements at once, of `again` and more once such calls
 * have computed what a module takes as long to make as.
 */
export const isWorthModule = (key: string, elements: number, from: number, again: number): boolean =>
  elements >= from || (elements >= again && isWarm(key, elements));
