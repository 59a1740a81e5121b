/** The public face of the doctest runner, `nx-numerics/doctest`: a tool for Node, used from vitest files. */

export { checkTypes } from "./check";
export { doctest } from "./doctest";
export { extract, extractFrom, type Extracted } from "./extract";
export { DoctestError, type FailureKind, type Place } from "./failure";
export { runBlock } from "./run";
export type { Block, BlockResult, CheckOptions, DoctestOptions, GlobalBinding, RootOptions, RunOptions } from "./types";
