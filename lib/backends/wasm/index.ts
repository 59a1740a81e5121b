/**
 * The wasm backend with the vector code that methods of tensors may need. That of decompositions comes with their loops
 * (`backends/decompositions.ts`), that of programs with compiled functions (`lib/index.ts`), since no method has them.
 */
import { wasmBackend as core, withCode } from "./backend";
import { DRAWS, EXPLAINING, JOINS, LOOKUPS, PRODUCTS, SCANS, SEARCHES, SORTING, TRANSFORMS, WINDOWS } from "./groups";

export const wasmBackend = withCode(
  core,
  DRAWS,
  EXPLAINING,
  JOINS,
  LOOKUPS,
  SEARCHES,
  SCANS,
  SORTING,
  PRODUCTS,
  TRANSFORMS,
  WINDOWS,
);
