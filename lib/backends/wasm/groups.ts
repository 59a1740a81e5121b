/**
 * Groups of vector code that come with the functions that need them, each by itself, so that a bundler drops those that no function of a
 * program needs. Where a group is not there, the loops of `binary` do its work, with the same results.
 */
import type { Group } from "./backend";
import { runContraction } from "./contractions";
import { wasmConv } from "./contractions/conv";
import { lookups } from "./copy/lookups";
import { dot } from "./deferred/dot";
import { cumulative } from "./deferred/scan";
import { explainedOf } from "./deferred/explain";
import { argReduce } from "./deferred/search";
import { drawn } from "./elements/draws";
import { wasmFft } from "./fft";
import { joins } from "./joins";
import { wasmLinalg } from "./linalg";
import { programs } from "./program";
import { decompositions } from "./routines/decompositions";
import { scannerFor } from "./reduce/scan";
import { searcherFor } from "./reduce/search";
import { wasmArgsort, wasmSort } from "./sort";
import { wasmWindowOp } from "./elements/windows";

export const SEARCHES: Group = {
  primitives: { argReduce },
  reducers: { search: (stage, kernel, grid, out) => searcherFor(kernel, stage, grid, out) },
};
export const SCANS: Group = {
  primitives: { cumulative },
  reducers: { scan: ({ op, reverse }, kernel, grid) => scannerFor(op, kernel, grid, reverse) },
};
export const DRAWS: Group = { draws: drawn };
export const EXPLAINING: Group = { members: { waiting: explainedOf } };
export const JOINS: Group = joins;
export const LOOKUPS: Group = { copies: lookups };
export const SORTING: Group = { primitives: { sort: wasmSort, argsort: wasmArgsort } };
export const PRODUCTS: Group = { primitives: { dot, conv: wasmConv }, contraction: runContraction };
export const TRANSFORMS: Group = { primitives: { fft: wasmFft } };
export const WINDOWS: Group = { primitives: { windowOp: wasmWindowOp } };
export const DECOMPOSITIONS: Group = { members: { linalg: wasmLinalg }, decompositions };
export const PROGRAMS: Group = { members: { programs } };
