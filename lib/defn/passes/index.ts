/**
 * The passes that every graph goes through before it runs, in order.
 */
import type { Graph } from "../graph";
import { cse } from "./cse";
import { dce } from "./dce";
import { fold } from "./fold";
import type { Pass } from "./pass";

/** Folding first, so that equal results merge; then what nobody reads goes. */
export const NORMALIZE: readonly Pass[] = Object.freeze([fold, cse, dce]);

/** Runs passes one after the other; `observe` sees every intermediate graph. */
export function runPasses(graph: Graph, passes: readonly Pass[], observe?: (pass: Pass, graph: Graph) => void): Graph {
  return passes.reduce((current, pass) => {
    const next = pass.run(current);
    observe?.(pass, next);
    return next;
  }, graph);
}
