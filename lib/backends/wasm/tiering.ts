/**
 * When a kernel is worth compiling. Emitting and compiling one takes about as long as the TypeScript executor needs for some
 * thousand elements, whatever the kernel computes, since both grow with its ops; programs call many functions only a few times
 * on small tensors. Both ways give the same bits.
 */
import { Recent } from "../../kernel/generational-cache";

/** Elements that are computed by other means before a kernel is compiled. */
const COMPILED_FROM = 4096;
/** Kernels that are counted at a time. */
const COUNTED = 1024;

const settings = { from: COMPILED_FROM };
const counts = new Recent<{ elements: number }>(COUNTED);

/** Sets from how many elements on kernels are compiled; null for the default. */
export function setCompiledFrom(elements: number | null): void {
  settings.from = elements ?? COMPILED_FROM;
}

/** Whether a kernel that is to compute so many more elements, and is not compiled yet, should be. */
export function isWarm(key: string, elements: number): boolean {
  if (elements >= settings.from) return true;
  let count = counts.get(key);
  if (!count) counts.set(key, (count = { elements: 0 }));
  count.elements += elements;
  return count.elements >= settings.from;
}
