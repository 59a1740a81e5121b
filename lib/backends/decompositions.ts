/**
 * The primitive of matrix decompositions, which brings its loops and its vector code. It stands in a file of its own, since no function of
 * `nx-numerics/reference` has it: that entry would read the whole backend "wasm" with it.
 */
import { brings } from "./arrays/on-demand";
import { decompositions } from "./binary/linalg";
import { withCode } from "./wasm/backend";
import { DECOMPOSITIONS } from "./wasm/groups";

export const LINALG = withCode(brings("linalg", decompositions), DECOMPOSITIONS);
