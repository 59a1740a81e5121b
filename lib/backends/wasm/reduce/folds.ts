/**
 * Folds of data that lies in the memory of kernels: what reductions are made of, and what fused kernels end in. One module
 * for each op and type, and one more for short rows, each made when first needed.
 *
 * Elements lie as groups x rows x columns; a fold goes along the rows, in the order of operations that the binary backend
 * documents. Results are in a work type (f64 for sums and products of floats, 64-bit integers for those of integers, the
 * type itself or 32 bits for extremes, 0 or 1 in 32 bits for truth) until `finish` rounds them once. Addresses are bytes,
 * counts are elements. Behind operands and results {@link SLACK} bytes must be there: they may be read, and behind results
 * overwritten.
 */
import { bytesOf, is64Bit, type DType } from "../../../core/types";
import { castKernel } from "../../../kernel/lower/single";
import { forLength, REDUCTIONS, type WorkType } from "../../../kernel/recurrence";
import type { Kernel } from "../../../kernel/value";
import type { ReduceOp } from "../../../ops";
import { moduleBytes } from "../emit";
import { wasmKernel } from "../codegen";
import type { Code } from "../asm";
import { loadModule, type KernelModule } from "../module";
import { BLOCK } from "./along";
import { reduceFunctions } from "./fold-code";
import { Kept, type Over } from "./kept";
import { reduceFew, reduceShort } from "./short-code";
import { entryBytes } from "./steps";
import { SLACK } from "../memory";

export interface Folds {
  /** A module with the functions below, for calls on other threads. */
  module(): KernelModule;
  /** The `fold` of contiguous rows that are short, with results as elements of a type; see `isShort`. */
  short(rows: number, out: DType): KernelModule;
  /** The type of results before they are rounded. */
  readonly work: WorkType;
  /** Bytes of an entry of that type. */
  readonly workBytes: 4 | 8;
  /** Bytes of a stored element. */
  readonly bytes: number;
  /**
   * Folds each block of 128 rows of `[rows, columns]` elements, rows `pitch` bytes apart, into a row of
   * `[ceil(rows / 128), columns]` entries at `out`. A single column must be contiguous.
   */
  blocks(x: number, rows: number, pitch: number, columns: number, out: number): void;
  /**
   * Joins `count` rows of entries in place; the first row is the result. Rows may be blocks, or results of equal powers of
   * two of blocks (the last one of fewer), counted from the first: folding piece by piece gives the same bits.
   */
  join(partials: number, count: number, columns: number): void;
  /**
   * Folds `[groups, rows, columns]` elements into `[groups, columns]` entries at `out`. `temp` has room for
   * {@link tempBytes}. Good for many short rows: one call folds all groups.
   */
  fold(x: number, groups: number, rows: number, pitch: number, columns: number, out: number, temp: number): void;
  /** Bytes that `fold` needs to work with. */
  tempBytes(rows: number, columns: number): number;
}

const kept = new Kept<Folds | null>();

/**
 * The folds of an op on elements of a type, or on what a kernel computes of its only operand; null for sums and products of
 * complex numbers (a sum is one of the parts).
 */
export const foldsFor = (op: ReduceOp, of: DType | Kernel): Folds | null =>
  kept.get(of, op, (over) => create(op, over));

function create(op: ReduceOp, over: Over): Folds | null {
  const recurrence = over(REDUCTIONS[op]);
  if (!recurrence) return null;
  let module: KernelModule | null = null;
  const any = (): KernelModule => (module ??= loadModule(moduleBytes(reduceFunctions(recurrence))));
  const shorts = new Map<string, KernelModule>();
  const short = (rows: number, out: DType): KernelModule => {
    const short = forLength(recurrence, rows, out);
    const key = short === recurrence ? out : "two";
    const fold = (): Code => (short === recurrence ? reduceShort : reduceFew)(short, out);
    const made = shorts.get(key) ?? loadModule(moduleBytes({ fold: fold() }));
    shorts.set(key, made);
    return made;
  };
  const size = entryBytes(recurrence);
  return {
    module: any,
    short,
    work: recurrence.work,
    workBytes: size,
    bytes: bytesOf(recurrence.type),
    blocks: (...args) => void any().exports.blocks!(...args),
    join: (...args) => void any().exports.join!(...args),
    fold: (...args) => void any().exports.fold!(...args),
    tempBytes: (rows, columns) => (rows <= BLOCK ? 0 : Math.ceil(rows / BLOCK) * columns * size) + SLACK,
  };
}

/**
 * Rounds or cuts `n` entries of a work type to a type, as results are stored; null where they are so already. To be asked for
 * outside of scratch space. Reads and writes up to 16 elements at a time.
 */
export function finisher(work: DType, type: DType): ((from: number, n: number, to: number) => void) | null {
  if (work === type || (is64Bit(work) && is64Bit(type))) return null;
  const { kernel, key } = castKernel({ type: work, uniform: false }, type, "wrap")!;
  const run = wasmKernel(kernel, key).exports.run!;
  return (from, n, to) => void run(n, from, to);
}
