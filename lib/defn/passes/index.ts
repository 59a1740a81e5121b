/**
 * The passes that every graph goes through before it runs, in order.
 */
import type { Graph } from "../graph";
import { cse } from "./cse";
import { dce } from "./dce";
import { fold } from "./fold";
import { epilogues, fuse, joins, rows } from "./fusions";
import { inline } from "./inline";
import { normalize } from "./normalize";
import type { Pass } from "./pass";
import { rematerialize } from "./rematerialize";
import { transposes } from "./transposes";

/** Folding shows identities and equal results; then what nobody reads goes. */
export const NORMALIZE: readonly Pass[] = Object.freeze([inline, fold, normalize, cse, dce]);

/** All passes of the optimizing compiler. */
export const OPTIMIZE: readonly Pass[] = Object.freeze([
  ...NORMALIZE,
  transposes,
  rematerialize,
  fuse,
  rows,
  epilogues,
  joins,
]);

/** Sees every graph that a pass made, and in how many places the pass rewrote it. */
export type PassObserver = (pass: Pass, graph: Graph, fired: number) => void;

/** Runs passes one after the other. */
export function runPasses(graph: Graph, passes: readonly Pass[], observe?: PassObserver): Graph {
  return passes.reduce((current, pass) => {
    let fired = 0;
    const next = pass.run(current, () => fired++);
    observe?.(pass, next, fired);
    return next;
  }, graph);
}
