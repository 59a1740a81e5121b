/**
 * Kernels as WebAssembly, made once for each key.
 */
import { keyOf } from "../../../kernel/key";
import type { Kernel } from "../../../kernel/value";
import { keep } from "../memory";
import type { KernelModule } from "../module";
import { moduleFor } from "../module-cache";
import { kernelFunction } from "./function";

export { STEP } from "./function";

const tables = new Map<Float64Array, number>();

/** Where a table of the kernel language lies in memory; it is put there at its first use and stays. */
export function tableAddress(table: Float64Array): number {
  const cached = tables.get(table);
  if (cached !== undefined) return cached;
  const at = keep(table);
  tables.set(table, at);
  return at;
}

/**
 * The module of a kernel; it exports `run(n, ...inputs, ...outputs)`. Call it outside of scratch space, since it may have to
 * place tables.
 */
export const wasmKernel = (kernel: Kernel, key: string = keyOf(kernel)): KernelModule =>
  moduleFor(key, () => ({ run: kernelFunction(kernel, tableAddress) }));
