/** The last step of reductions and scans: what is held becomes elements of the type of the results. */
import { bytesOf, is64Bit, isFloat, type DType } from "../../../core/types";
import { castKernel, type Keyed } from "../../../kernel/lower/single";
import { storeF64 } from "../../arrays/convert";
import { wasmKernel } from "../codegen";
import { VIEW, views } from "../memory/linear";
import type { KernelModule } from "../modules/module";
import { isWarm } from "../modules/tiering";

/** Whether entries of a work type are stored as elements of a type are. */
export const isStored = (work: DType, type: DType): boolean => work === type || (is64Bit(work) && is64Bit(type));

/** The kernel that rounds or cuts entries of a work type to a type; null where they are stored so already. */
export const roundingOf = (work: DType, type: DType): Keyed | null =>
  isStored(work, type) ? null : castKernel({ type: work, uniform: false }, type, "wrap");

/** The last step for `n` entries at an address, whose elements go to another. */
export interface Finish {
  run(from: number, n: number, to: number): void;
  /** The kernel that does so, if it is one: `run(n, from, to)`. */
  readonly module: KernelModule | null;
}

/**
 * Rounds or cuts `n` entries of a work type to a type, as results are stored; null where they are so already. To be asked for
 * for so many entries in all: a kernel is not made for few. Reads and writes up to 16 elements at a time.
 */
export function finisher(work: DType, type: DType, entries: number): Finish | null {
  if (isStored(work, type)) return null;
  if (work === "f64" && isFloat(type) && !isWarm(`round to ${type}`, entries))
    return { run: roundingTo(type), module: null };
  const { kernel, key } = roundingOf(work, type)!;
  const module = wasmKernel(kernel, key);
  return { run: (from, n, to) => void module.exports.run!(n, from, to), module };
}

/** The same by a loop in TypeScript. */
const roundingTo = (type: DType) => (from: number, n: number, to: number) => {
  const memory = views();
  storeF64(type, memory[VIEW[type]], to / bytesOf(type), memory.f64.subarray(from / 8, from / 8 + n), n);
};
