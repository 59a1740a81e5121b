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
import type { Attrs } from "../../../backend";
import { bytesOf, isComplex, isFloat, type DType } from "../../../core/types";
import { Recent } from "../../../kernel/generational-cache";
import { keyOf } from "../../../kernel/key";
import { ARG_REDUCTIONS, composed, REDUCTIONS, SCANS, type Recurrence, type Search } from "../../../kernel/recurrence";
import type { Kernel } from "../../../kernel/value";
import type { CumulativeOp, ReduceOp } from "../../../ops";
import type { Grid } from "../../binary/fold";
import type { RowStep } from "../codegen/access";
import { makeModule, type KernelModule } from "../module";
import { SHORT_SEARCHED_ROWS } from "../schedule";
import { findShort, foldShort, isShort, MOST_TOGETHER } from "./across-rows";
import { searchFunctions } from "./arg-code";
import { reduceFunctions, tempBytes } from "./fold-code";
import type { Reducer } from "./grid";
import { areShort, shortFunctions } from "./scan-across-rows";
import { callsOf, functionFor, scanFunctions, storedAs } from "./scan-code";
import { entryBytes, lanesOf } from "./steps";

/** The recurrence of a table's row over elements of the type, or over what the kernel computes; null where there is none. */
type Over = <R extends Recurrence>(row: (type: DType) => R | null) => R | null;

/** What a reducer or a module is made for, as text. */
const nameOf = (of: DType | Kernel): string => (typeof of === "string" ? of : keyOf(of));

/** How many are kept that kernels belong to: there are few types, and any number of kernels. */
const KEPT = 64;

/** What is made of recurrences once and kept at hand: over elements of a type, or over what a kernel computes of its only operand. */
class Kept<T> {
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
/** Modules of scans, which several reducers have. */
const modules = new Kept<KernelModule>();

/** A reducer whose function takes a piece, where its entries go, and room to work in or the number of the first row. */
function reducerOf(
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

/** What an arg-reduction seeks, and which of equal elements counts. */
export type Ties = Pick<Attrs["argReduce"], "op" | "tieBreak">;

/**
 * What finds places of extremes, as integers of a type; null for more elements than can be numbered,
 * and for what a kernel computes, where that is no single vectors: results of 64 bits of what is narrow or complex.
 */
export function searcherFor(
  of: DType | Kernel,
  { op, tieBreak }: Ties,
  { groups, rows, columns }: Grid,
  out: DType,
  by: RowStep = 1,
): Reducer | null {
  if (groups * rows * columns >= 2 ** 31) return null;
  const isForShort = isShort(rows, columns, SHORT_SEARCHED_ROWS);
  const name = `${op} ${tieBreak} ${isForShort ? out : by}`;
  return reducers.get(of, name, (over) => {
    const search = { ...over((type): Search => ARG_REDUCTIONS[op](type, tieBreak))!, by };
    if (typeof of !== "string" && lanesOf(search, search.extreme).width === 2) return null;
    const module = makeModule(`find ${name} ${nameOf(of)}`, () =>
      isForShort ? { find: findShort(search, out) } : searchFunctions(search),
    );
    // Of short rows none is cut, so no values are needed to compare pieces by.
    const entries = isForShort ? [out] : ([entryBytes(search) === 8 ? "s64" : "s32", search.work] as const);
    return reducerOf("find", module, search.type, entries, isForShort);
  });
}

/** What scans elements of a type, or what a kernel computes; null where that is narrower than its operand. */
export function scannerFor(op: CumulativeOp, of: DType | Kernel, grid: Grid, reverse: boolean): Reducer | null {
  const [from, to] = typeof of === "string" ? [of, of] : [of.inputs[0]!.type, of.outputs[0]!.type];
  if (bytesOf(to) < bytesOf(from)) return null;
  const { rows, columns } = grid;
  const short = areShort(grid) ? `short ${reverse} ${rows <= 2}` : "";
  const name = functionFor(columns);
  return reducers.get(of, `${op} ${name} ${reverse} ${short}`, (over) => {
    const scan = over(SCANS[op])!;
    const out = storedAs(SCANS[op](to));
    const parts = isComplex(to) ? 2 : 1;
    const module = modules.get(of, `${op} ${short}`, () =>
      makeModule(`scan ${op} ${short} ${nameOf(of)}`, () =>
        short ? shortFunctions(scan, rows, reverse, out) : scanFunctions(scan, out, parts),
      ),
    );
    const entry = entryBytes(scan);
    return {
      ...{ module, name, type: scan.type, entries: [out, entry === 8 ? "f64" : "f32"], least: 1, scans: { reverse } },
      tempBytes: (_, width, groups) => Math.max(width, parts * groups) * entry,
      calls: (piece, [target, after], before) => callsOf(scan, out, reverse, piece, [target!, before, after!], parts),
    };
  });
}
