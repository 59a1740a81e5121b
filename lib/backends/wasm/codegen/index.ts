/**
 * Kernels as WebAssembly, made once for each key.
 */
import { keyOf } from "../../../kernel/key";
import { Recent } from "../../../kernel/generational-cache";
import type { Kernel } from "../../../kernel/value";
import { moduleBytes } from "../emit";
import { keep } from "../memory";
import { loadModule, weightOf, type KernelModule } from "../module";
import { kernelFunction } from "./function";

export { STEP } from "./function";

const tables = new Map<Float64Array, number>();
/** Bytes of modules kept at hand. Who holds one can go on using it after it is forgotten; asked for again, it is made anew. */
const KEPT_BYTES = 16 * 2 ** 20;

const modules = new Recent<KernelModule>(KEPT_BYTES, weightOf);

/** Where a table of the kernel language lies in memory; it is put there at its first use and stays. */
export function tableAddress(table: Float64Array): number {
  const cached = tables.get(table);
  if (cached !== undefined) return cached;
  const at = keep(table);
  tables.set(table, at);
  return at;
}

/** Whether the module of a kernel is at hand. */
export const isCompiled = (key: string): boolean => modules.get(key) !== undefined;

/**
 * The module of a kernel; it exports `run(n, ...inputs, ...outputs)`. Call it outside of scratch space, since it may have to
 * place tables.
 */
export function wasmKernel(kernel: Kernel, key: string = keyOf(kernel)): KernelModule {
  const cached = modules.get(key);
  if (cached) return cached;
  const module = loadModule(moduleBytes({ run: kernelFunction(kernel, tableAddress) }));
  modules.set(key, module);
  return module;
}
