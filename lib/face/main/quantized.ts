/** The namespace `Quantized` of the main entry. Bundlers keep namespaces whole, so that one member brings the vector code of programs for all. */
import { withCode } from "../../backends/wasm/backend";
import { PROGRAMS } from "../../backends/wasm/groups";
import * as quantized from "../quantized";

export * from "../quantized";
export const add = withCode(quantized.add, PROGRAMS);
