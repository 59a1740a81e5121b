/**
 * Folds of data that lies in the memory of kernels: what reductions are made of, and what fused kernels end in. One module
 * for each op and type, and more for short rows, each made when first needed.
 *
 * Elements lie as groups x rows x columns; a fold goes along the rows, in the order of operations that the binary backend
 * documents. Results are in a work type (f64 for sums and products of floats, 64-bit integers for those of integers, the
 * type itself or 32 bits for extremes, 0 or 1 in 32 bits for truth) until they are rounded once. Addresses are bytes,
 * counts are elements. Behind operands and results {@link SLACK} bytes must be there: they may be read, and behind results
 * overwritten.
 */
import { bytesOf, isFloat, type DType } from "../../../core/types";
import { forLength, REDUCTIONS, type WorkType } from "../../../kernel/recurrence";
import type { Kernel } from "../../../kernel/value";
import type { ReduceOp } from "../../../ops";
import { moduleBytes } from "../emit";
import { loadModule } from "../module";
import { reduceFunctions, tempBytes } from "./fold-code";
import type { Reducer } from "./grid";
import { Kept, type Over } from "./kept";
import { isShort, reduceFew, reduceShort } from "./across-rows";

export interface Folds {
  /** The type of results before they are rounded. */
  readonly work: WorkType;
  /**
   * What folds `[groups, rows, columns]` elements to results of a type. Rows of entries that are joined may be blocks, or results of
   * equal powers of two of blocks (the last one of fewer), counted from the first: folding piece by piece gives the same bits.
   */
  reducer(rows: number, columns: number, out: DType): Reducer;
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
  const { type, work } = recurrence;
  const reducers = new Map<string, Reducer>();
  const made = (
    name: string,
    entry: DType,
    isForShort: boolean,
    functions: Parameters<typeof moduleBytes>[0],
  ): Reducer => {
    const module = loadModule(moduleBytes(functions));
    const reducer: Reducer = {
      ...{ module, name: "fold", type, entries: [entry], isForShort },
      tempBytes: (rows, columns) => tempBytes(recurrence, rows, columns),
      call: ({ x, groups, rows, pitch, columns }, to, temp) => [x, groups, rows, pitch, columns, to[0]!, temp],
      join: (partials, count, columns) => void module.exports.join!(partials[0]!, count, columns),
    };
    reducers.set(name, reducer);
    return reducer;
  };
  return {
    work,
    reducer(rows, columns, out) {
      if (!isShort(rows, columns)) return reducers.get("") ?? made("", work, false, reduceFunctions(recurrence));
      // Half floats are rounded faster by themselves.
      const entry = isFloat(out) && bytesOf(out) === 2 ? work : out;
      const short = forLength(recurrence, rows, entry);
      const fold = short === recurrence ? reduceShort : reduceFew;
      const name = short === recurrence ? entry : "of two";
      return reducers.get(name) ?? made(name, entry, true, { fold: fold(short, entry) });
    },
  };
}
