/**
 * Modules of kernels: bytes made by the generators, compiled once and bound to the memory all kernels share.
 */
import { assemble, type Func } from "../asm";
import { compilesNow, wasmHost, type WasmFunction } from "../memory/host";
import { isShared, kernelMemory, MAXIMUM_PAGES } from "../memory/linear";
import { readyBytes } from "./ready";
import { Refused } from "../memory/refusal";
import { placeTables } from "./tables";

/** The functions of a module by the names they are exported under; functions they call come along by themselves. */
export type Functions = Readonly<Record<string, Func>>;

/** A compiled module. The bytes are kept, so that other threads compile the module, too. */
export interface KernelModule {
  readonly bytes: Uint8Array;
  readonly exports: Readonly<Record<string, WasmFunction>>;
}

/** Bytes of an instance, its exports and its tables, besides the machine code. */
const INSTANCE_BYTES = 16_384;
/** Bytes of machine code and tables for each byte of a module. */
const EXPANSION = 8;

/** About the bytes that a module and the key it is kept under take. */
export const weightOf = ({ bytes }: KernelModule, key: string): number =>
  INSTANCE_BYTES + EXPANSION * bytes.length + 2 * key.length;

/** Bytes of a module that exports the functions and imports its memory as `env.memory`, shared where the memory is. */
export function moduleBytes(functions: Functions): Uint8Array {
  const memory = { module: "env", name: "memory", minimum: 1, maximum: MAXIMUM_PAGES, shared: isShared() };
  return assemble({ memory, exports: functions });
}

/** Compiles a module that imports its memory as `env.memory`. */
export function loadModule(bytes: Uint8Array): KernelModule {
  const host = wasmHost()!;
  const memory = kernelMemory();
  try {
    return { bytes, exports: new host.Instance(new host.Module(bytes), { env: { memory } }).exports };
  } catch (cause) {
    // That there is no room for code, or a policy that came later; whatever else is wrong with the bytes, and with the library.
    if (cause instanceof RangeError || !compilesNow())
      throw new Refused("the host does not take the code of a kernel", { cause });
    throw cause;
  }
}

/** The module of functions that are written, unless its bytes are in the package: these are of memory that is shared. */
export function makeModule(key: string, make: () => Functions): KernelModule {
  placeTables(key);
  const assemble = (): Uint8Array => moduleBytes(make());
  return loadModule(isShared() ? readyBytes(key, assemble) : assemble());
}
