/** The namespace `Serving` as users call it. */
import { entry } from "../core/entry";
import * as serving from "../serving";

export type * from "../serving";
export { Serving } from "../serving";

export const create = entry("Nx.Serving.create", serving.create);
