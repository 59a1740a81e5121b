/** The last step of reductions and scans: what is held becomes elements of the type of the results. */
import { is64Bit, type DType } from "../../../core/types";
import { castKernel } from "../../../kernel/lower/single";
import { wasmKernel } from "../codegen";

/**
 * Rounds or cuts `n` entries of a work type to a type, as results are stored; null where they are so already. To be asked for
 * outside of scratch space. Reads and writes up to 16 elements at a time.
 */
export function finisher(work: DType, type: DType): ((from: number, n: number, to: number) => void) | null {
  if (work === type || (is64Bit(work) && is64Bit(type))) return null;
  const { kernel, key } = castKernel({ type: work, uniform: false }, type, "wrap")!;
  const run = wasmKernel(kernel, key).exports.run!;
  return (from, n, to) => void run(n, from, to);
}
