/**
 * From functions written with the emitter to the bytes of a module that fits the memory kernels share.
 */
import { importMemory, Module, type Dependency } from "./asm";
import { isShared, kernelMemory, MAXIMUM_PAGES } from "./memory";

/** The functions of a module by the names they are exported under; functions they call come along by themselves. */
export type Functions = Readonly<Record<string, Dependency.AnyFunc>>;

/** Bytes of a module that exports the functions and imports its memory as `env.memory`, shared where the memory is. */
export function moduleBytes(functions: Functions): Uint8Array {
  const limits = { min: 1, max: MAXIMUM_PAGES, shared: isShared() };
  // The emitter would name an import by its position; these two fields give it the name that every module here uses.
  const memory = { ...importMemory(limits, kernelMemory() as never), module: "env", string: "memory" };
  return Module({ exports: { ...functions }, memory }).toBytes();
}
