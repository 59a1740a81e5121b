/**
 * Kernels as WebAssembly, made once for each key.
 */
import { keyOf } from "../../../kernel/key";
import type { Kernel } from "../../../kernel/value";
import type { KernelModule } from "../modules/module";
import { moduleFor } from "../modules/cache";
import { kernelFunction } from "./function";

/** The module of a kernel; it exports `run(n, ...inputs, ...outputs)`. */
export const wasmKernel = (kernel: Kernel, key: string = keyOf(kernel)): KernelModule =>
  moduleFor(key, () => ({ run: kernelFunction(kernel) }));
