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
import { bytesOf, isFloat, type DType } from "../../../core/types";
import { ARG_REDUCTIONS, forLength, REDUCTIONS, type Search } from "../../../kernel/recurrence";
import type { Kernel } from "../../../kernel/value";
import type { ReduceOp } from "../../../ops";
import type { Grid } from "../../binary/fold";
import { moduleBytes } from "../emit";
import { loadModule } from "../module";
import { isShort, reduceFew, reduceShort } from "./across-rows";
import { findShort } from "./arg-across-rows";
import { searchFunctions } from "./arg-code";
import { reduceFunctions, tempBytes } from "./fold-code";
import type { Reducer } from "./grid";
import { Kept } from "./kept";
import { entryBytes, lanesOf } from "./steps";

const kept = new Kept<Reducer | null>();

/**
 * What reduces a grid to results of a type; null for sums and products of complex numbers (a sum is one of the parts). Rows of entries
 * that are joined may be blocks, or results of equal powers of two of blocks (the last one of fewer), counted from the first: piece by
 * piece gives the same bits.
 */
export function reducerFor(op: ReduceOp, of: DType | Kernel, { rows, columns }: Grid, out: DType): Reducer | null {
  const isForShort = isShort(rows, columns);
  // Half floats are rounded faster by themselves.
  const isRounded = isForShort && !(isFloat(out) && bytesOf(out) === 2);
  const ofLines = columns === 1;
  const name = isForShort ? `${op} ${isRounded ? out : "short"} ${rows <= 2}` : `${op} ${ofLines}`;
  return kept.get(of, name, (over) => {
    const recurrence = over(REDUCTIONS[op]);
    if (!recurrence) return null;
    const entry = isRounded ? out : recurrence.work;
    const short = forLength(recurrence, rows, entry);
    const shortFold = short === recurrence ? reduceShort : reduceFew;
    const functions = isForShort ? { fold: shortFold(short, entry) } : reduceFunctions(recurrence, ofLines);
    const module = loadModule(moduleBytes(functions));
    return {
      ...{ module, name: "fold", type: recurrence.type, entries: [entry], isForShort },
      tempBytes: (count, width) => tempBytes(recurrence, count, width),
      call: ({ x, groups, rows: count, pitch, columns: width }, to, temp) => [
        x,
        groups,
        count,
        pitch,
        width,
        to[0]!,
        temp,
      ],
      join: (partials, count, width) => void module.exports.join!(partials[0]!, count, width),
    };
  });
}

/** What an arg-reduction seeks, and which of equal elements counts. */
export type Ties = Pick<Attrs["argReduce"], "op" | "tieBreak">;

/** What finds places of extremes, as integers of a type; null for what a kernel computes, where that is no single vectors. */
export function searcherFor(
  of: DType | Kernel,
  { op, tieBreak }: Ties,
  { rows, columns }: Grid,
  out: DType,
): Reducer | null {
  const isForShort = isShort(rows, columns);
  return kept.get(of, `${op} ${tieBreak} ${isForShort ? out : ""}`, (over) => {
    const search = over((type): Search => ARG_REDUCTIONS[op](type, tieBreak))!;
    if (typeof of !== "string" && lanesOf(search, search.extreme).width === 2) return null;
    const functions = isForShort ? { find: findShort(search, out) } : searchFunctions(search);
    const module = loadModule(moduleBytes(functions));
    return {
      ...{ module, name: "find", type: search.type, isForShort },
      // Of short rows none is cut, so no values are needed to compare pieces by.
      entries: isForShort ? [out] : [search.work, entryBytes(search) === 8 ? "s64" : "s32"],
      tempBytes: () => 0,
      call: ({ x, groups, rows: count, pitch, columns: width, first }, to) => [
        ...[x, groups, count, pitch, width, first],
        ...[to[0]!, to[isForShort ? 0 : 1]!],
      ],
      join: (to, count, width) => void module.exports.merge!(to[0]!, to[1]!, count, width),
    };
  });
}
