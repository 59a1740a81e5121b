/** The functions of `io/dependencies` for Node, which require a library when it is asked for. */
import { createRequire } from "node:module";

const load = createRequire(import.meta.url);

export const compression = (): unknown => load("fflate");

export const collections = (): unknown => load("immutable");
