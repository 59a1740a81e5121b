/** The namespace `Serving` of the main entry. Bundlers keep namespaces whole, so that one member brings programs for all. */
import { withPrograms } from "../programs";
import * as serving from "../serving";

export * from "../serving";
export const create = withPrograms(serving.create);
