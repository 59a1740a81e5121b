/** The namespace `Random` of the main entry. Bundlers keep namespaces whole, so that one member brings programs for all. */
import { withPrograms } from "../programs";
import * as random from "../random";

export * from "../random";
export const key = withPrograms(random.key);
