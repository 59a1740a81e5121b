/** The namespace `Quantized` of the main entry. Bundlers keep namespaces whole, so that one member brings programs for all. */
import { withPrograms } from "../programs";
import * as quantized from "../quantized";

export * from "../quantized";
export const add = withPrograms(quantized.add);
