/**
 * Groups of vector code that come with the functions that need them, each by itself, so that a bundler drops those that no function of a
 * program needs. Where a group is not there, the loops of `binary` do its work, with the same results.
 */
import type { Group } from "./backend";
import { runContraction } from "./contraction";
import { wasmConv } from "./conv";
import { dot } from "./deferred/dot";
import { wasmFft } from "./fft";
import { wasmLinalg } from "./linalg";
import { programs } from "./program";
import { wasmArgsort, wasmSort } from "./sort";
import { wasmWindowOp } from "./windows";

export const SORTING: Group = { primitives: { sort: wasmSort, argsort: wasmArgsort } };
export const PRODUCTS: Group = { primitives: { dot, conv: wasmConv }, contraction: runContraction };
export const TRANSFORMS: Group = { primitives: { fft: wasmFft } };
export const WINDOWS: Group = { primitives: { windowOp: wasmWindowOp } };
export const DECOMPOSITIONS: Group = { members: { linalg: wasmLinalg } };
export const PROGRAMS: Group = { members: { programs } };
