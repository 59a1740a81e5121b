/**
 * Modules of functions that are made when first needed and kept, each under a key of its own.
 */
import { moduleBytes, type Functions } from "./emit";
import type { WasmFunction } from "./host";
import { loadModule } from "./module";

export type Exports = Readonly<Record<string, WasmFunction>>;

const known = new Map<string, Exports>();

/** What the module of a key exports; its functions are written at the first call. */
export function exportsOf(key: string, make: () => Functions): Exports {
  const cached = known.get(key);
  if (cached) return cached;
  const fresh = loadModule(moduleBytes(make())).exports;
  known.set(key, fresh);
  return fresh;
}
