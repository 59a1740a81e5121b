/**
 * Reducers of data that lies in the memory of kernels, by the op and by what is reduced: elements of a type, or what a kernel computes of
 * them. One module for each, and more for short rows, each made when first needed.
 *
 * Elements lie as groups x rows x columns; a reduction goes along the rows, in the order of operations that the binary backend
 * documents. Results are in a work type (f64 for sums and products of floats, 64-bit integers for those of integers, the
 * type itself or 32 bits for extremes, 0 or 1 in 32 bits for truth) until they are rounded once, but for those of short rows. Addresses
 * are bytes, counts are elements. Behind operands and results {@link SLACK} bytes must be there: they may be read, and behind results
 * overwritten.
 */
import { bytesOf, isFloat, type DType } from "../../../core/types";
import { Recent } from "../../../kernel/generational-cache";
import { keyOf } from "../../../kernel/key";
import { composed, REDUCTIONS, type Recurrence } from "../../../kernel/recurrence";
import type { Kernel } from "../../../kernel/value";
import type { ReduceOp } from "../../../ops";
import type { Grid } from "../../binary/fold";
import type { RowStep } from "../codegen/access";
import { makeModule } from "../modules/module";
import { foldShort, isShort, MOST_TOGETHER } from "./across-rows";
import { reduceFunctions, tempBytes, type Functions } from "./fold-code";
import type { Reducer } from "./grid";

/** The recurrence of a table's row over elements of the type, or over what the kernel computes; null where there is none. */
type Over = <R extends Recurrence>(row: (type: DType) => R | null) => R | null;

/** What makes reducers of grids that are alike, under the name of their modules but for what is reduced. */
export interface Maker {
  readonly name: string;
  /** A reducer without its module, over elements of a type or over what a kernel computes of its only operand; null where there is none. */
  make(over: Over): (Omit<Reducer, "module"> & { functions(): Functions }) | null;
}

/** How many are kept that kernels belong to: there are few types, and any number of kernels. */
const KEPT = 64;
const ofTypes = new Recent<Reducer | null>(Infinity);
const ofKernels = new Recent<Reducer | null>(KEPT);

/** What a maker makes of elements of a type, or of what a kernel computes: made once and kept at hand. */
export function reducerOf(of: DType | Kernel, { name, make }: Maker): Reducer | null {
  const [kept, over, text]: [typeof ofTypes, Over, string] =
    typeof of === "string" ? [ofTypes, (row) => row(of), of] : [ofKernels, (row) => composed(of, row), keyOf(of)];
  const key = `${name} ${text}`;
  return kept.getOrMake(key, () => {
    const made = make(over);
    return made && { ...made, module: makeModule(key, made.functions) };
  });
}

/**
 * What makes reducers to results of a type; none of sums and products of complex numbers (a sum is one of the parts). Rows of entries
 * that are joined may be blocks, or results of equal powers of two of blocks (the last one of fewer), counted from the first: piece by
 * piece gives the same bits. With `areBlocks` modules are smaller, of rows of a block at most.
 */
export function foldOf(op: ReduceOp, grid: Grid, out: DType, by: RowStep, areBlocks = false): Maker {
  const { rows, columns } = grid;
  const isForShort = isShort(grid);
  // Half floats are rounded faster by themselves.
  const isRounded = isForShort && !(isFloat(out) && bytesOf(out) === 2);
  const ofLines = columns === 1;
  const way = isForShort ? `${isRounded ? out : "short"} ${rows <= 2}` : `${ofLines} ${by} ${areBlocks}`;
  return {
    name: `fold ${op} ${way}`,
    make(over) {
      const found = over(REDUCTIONS[op]);
      if (!found) return null;
      const recurrence = { ...found, by };
      const entry = isRounded ? out : recurrence.work;
      return {
        type: recurrence.type,
        entries: [entry],
        least: isForShort ? MOST_TOGETHER : Infinity,
        tempBytes: (count, width) => tempBytes(recurrence, count, width),
        functions: () =>
          isForShort ? { run: foldShort(recurrence, rows, entry) } : reduceFunctions(recurrence, ofLines, areBlocks),
      };
    },
  };
}

/** What reduces a grid of elements of a type, or of what a kernel computes; see {@link foldOf}. */
export const reducerFor = (op: ReduceOp, of: DType | Kernel, grid: Grid, out: DType, by: RowStep = 1): Reducer | null =>
  reducerOf(of, foldOf(op, grid, out, by));
