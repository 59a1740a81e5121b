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
import { makeModule, type KernelModule } from "../module";
import { foldShort, isShort, MOST_TOGETHER } from "./across-rows";
import { reduceFunctions, tempBytes } from "./fold-code";
import type { Reducer } from "./grid";

/** The recurrence of a table's row over elements of the type, or over what the kernel computes; null where there is none. */
type Over = <R extends Recurrence>(row: (type: DType) => R | null) => R | null;

/** What a reducer or a module is made for, as text. */
export const nameOf = (of: DType | Kernel): string => (typeof of === "string" ? of : keyOf(of));

/** How many are kept that kernels belong to: there are few types, and any number of kernels. */
const KEPT = 64;

/** What is made of recurrences once and kept at hand: over elements of a type, or over what a kernel computes of its only operand. */
export class Kept<T> {
  private readonly ofTypes = new Recent<T>(Infinity);
  private readonly ofKernels = new Recent<T>(KEPT);

  /** What was made under a name, or is made now. */
  get(of: DType | Kernel, name: string, make: (over: Over) => T): T {
    return typeof of === "string"
      ? this.ofTypes.getOrMake(`${name} ${nameOf(of)}`, () => make((row) => row(of)))
      : this.ofKernels.getOrMake(`${name} ${nameOf(of)}`, () => make((row) => composed(of, row)));
  }
}

const reducers = new Kept<Reducer | null>();

/** A reducer whose function takes a piece, where its entries go, and room to work in or the number of the first row. */
export function reducerOf(
  name: "fold" | "find",
  module: KernelModule,
  type: DType,
  entries: readonly DType[],
  isForShort: boolean,
  temp: Reducer["tempBytes"] = () => 0,
): Reducer {
  const least = isForShort ? MOST_TOGETHER : Infinity;
  return {
    ...{ module, name, type, entries, least, tempBytes: temp },
    calls({ x, groups, step, rows, pitch, columns, first }, to, room) {
      const last = name === "fold" ? room : first;
      const [one, other] = to as [number, number];
      return entries.length === 1
        ? [[x, groups, step, rows, pitch, columns, one, last]]
        : [[x, groups, step, rows, pitch, columns, one, other, last]];
    },
  };
}

/**
 * What reduces a grid to results of a type; null for sums and products of complex numbers (a sum is one of the parts). Rows of entries
 * that are joined may be blocks, or results of equal powers of two of blocks (the last one of fewer), counted from the first: piece by
 * piece gives the same bits.
 */
export function reducerFor(
  op: ReduceOp,
  of: DType | Kernel,
  { rows, columns }: Grid,
  out: DType,
  by: RowStep = 1,
): Reducer | null {
  const isForShort = isShort(rows, columns);
  // Half floats are rounded faster by themselves.
  const isRounded = isForShort && !(isFloat(out) && bytesOf(out) === 2);
  const ofLines = columns === 1;
  const name = isForShort ? `${op} ${isRounded ? out : "short"} ${rows <= 2}` : `${op} ${ofLines} ${by}`;
  return reducers.get(of, name, (over) => {
    const found = over(REDUCTIONS[op]);
    if (!found) return null;
    const recurrence = { ...found, by };
    const entry = isRounded ? out : recurrence.work;
    const module = makeModule(`fold ${name} ${nameOf(of)}`, () =>
      isForShort ? { fold: foldShort(recurrence, rows, entry) } : reduceFunctions(recurrence, ofLines),
    );
    const temp: Reducer["tempBytes"] = (count, width) => tempBytes(recurrence, count, width);
    return reducerOf("fold", module, recurrence.type, [entry], isForShort, temp);
  });
}
