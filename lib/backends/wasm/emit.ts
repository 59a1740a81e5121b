/**
 * From functions written with the assembler to the bytes of a module that fits the memory kernels share.
 */
import { assemble, type Func } from "./asm";
import { isShared, MAXIMUM_PAGES } from "./memory";

/** The functions of a module by the names they are exported under; functions they call come along by themselves. */
export type Functions = Readonly<Record<string, Func>>;

/** Bytes of a module that exports the functions and imports its memory as `env.memory`, shared where the memory is. */
export function moduleBytes(functions: Functions): Uint8Array {
  const memory = { module: "env", name: "memory", minimum: 1, maximum: MAXIMUM_PAGES, shared: isShared() };
  return assemble({ memory, exports: functions });
}
