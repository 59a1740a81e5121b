/**
 * The copier of a backend: copies and sums between arrays of the backend's memory, in place of loops.
 */
import type { Elements } from "./storage";

/** Elements seen as words without meaning. */
export type Words = Uint8Array | Uint16Array | Int32Array;

/** Copies a box of items of `length` words; offsets and steps in words. False where there is no room for that: nothing is copied then. */
export type BoxCopy = (
  src: Words,
  s: number,
  from: readonly number[],
  dst: Words,
  d: number,
  to: readonly number[],
  sizes: readonly number[],
  length: number,
) => boolean;

/** A lookup of runs: `dst` run (o, j) is `src` run (o, picks[j]), for `outer` groups of `size` runs of `run` elements each. */
export interface Picks {
  readonly outer: number;
  readonly size: number;
  readonly run: number;
  readonly picks: Uint32Array;
}

/** Updates of runs: run j of `values`, of `run` numbers, is added to run `picks[j]` of `sums`. */
export interface Additions {
  readonly sums: Float64Array;
  readonly picks: Uint32Array;
  readonly run: number;
  readonly values: Float64Array | Float32Array;
}

/** How a backend copies between two arrays. */
export interface Copier {
  /** Copies `n` entries that are neighbours at both ends, from entry `s` to entry `d`; false where it does not. */
  run(src: Elements, s: number, dst: Elements, d: number, n: number): boolean;
  /** The copy of boxes between two arrays; null where loops are to copy. */
  boxes(src: Elements, dst: Elements): BoxCopy | null;
  /** Copies picked runs of so many bytes; false where it does not. */
  picked(src: Elements, dst: Elements, picks: Picks, bytes: number): boolean;
  /** Adds to picked runs, in the order of the updates; false where it does not. */
  added(additions: Additions): boolean;
  /** Whether all positions are below a size; false also where it does not look. */
  areBelow(positions: Uint32Array, size: number): boolean;
  /** Takes the low halves of pairs of words as positions; gives whether they are below a size and the high halves are 0, false also where it does not look. */
  narrowed(pairs: Int32Array, into: Uint32Array, size: number): boolean;
}
