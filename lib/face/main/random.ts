/** The namespace `Random` of the main entry. Bundlers keep namespaces whole, so that one member brings the vector code of programs for all. */
import { withCode } from "../../backends/wasm/backend";
import { PROGRAMS } from "../../backends/wasm/groups";
import * as random from "../random";

export * from "../random";
export const key = withCode(random.key, PROGRAMS);
