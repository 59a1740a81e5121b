/** The namespace `Serving` of the main entry. Bundlers keep namespaces whole, so that one member brings the vector code of programs for all. */
import { withCode } from "../../backends/wasm/backend";
import { PROGRAMS } from "../../backends/wasm/groups";
import * as serving from "../serving";

export * from "../serving";
export const create = withCode(serving.create, PROGRAMS);
