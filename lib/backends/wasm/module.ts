/**
 * Modules of kernels: bytes made by the generators, compiled once and bound to the memory all kernels share.
 */
import { wasmHost, type WasmFunction } from "./host";
import { kernelMemory } from "./memory";
import { Refused } from "./refusal";

/** A compiled module. Its bytes are kept so that other threads can compile it for themselves. */
export interface KernelModule {
  readonly bytes: Uint8Array;
  readonly exports: Readonly<Record<string, WasmFunction>>;
}

/** Compiles a module that imports its memory as `env.memory`. */
export function loadModule(bytes: Uint8Array): KernelModule {
  const host = wasmHost()!;
  const memory = kernelMemory();
  try {
    return { bytes, exports: new host.Instance(new host.Module(bytes), { env: { memory } }).exports };
  } catch (cause) {
    // That there is no room for code.
    if (cause instanceof RangeError) throw new Refused("the host does not take the code of a kernel", { cause });
    throw cause;
  }
}
