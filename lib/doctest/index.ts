/** `nx-numerics/doctest`: examples as tests, a tool for Node that vitest files call. */

export { checkTypes } from "./check";
export { doctest } from "./doctest";
export { extract, extractFrom, type Extracted } from "./extract";
export { DoctestError, type FailureKind, type Place } from "./failure";
export { runBlock } from "./run";
export type { Block, BlockResult, CheckOptions, DoctestOptions, GlobalBinding, RootOptions, RunOptions } from "./types";
