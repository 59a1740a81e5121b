/**
 * Positions of extremes in WebAssembly, the same as those of the binary backend. Complex numbers, which have no order, and
 * small work are left to that.
 */
import type { Attrs, PrimitiveFunction } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { isComplex, isInteger, type DType } from "../../../core/types";
import { ARG_REDUCTIONS, type Search } from "../../../kernel/recurrence";
import type { Kernel } from "../../../kernel/value";
import type { Elements } from "../../arrays/storage";
import { gridOf } from "../../binary/arg-reduce";
import type { Grid } from "../../binary/fold";
import { arrays } from "../arrays";
import { moduleBytes } from "../emit";
import { loadModule } from "../module";
import { plain } from "../plain";
import { residentElements } from "../resident";
import { searchFunctions } from "./arg-code";
import { findShort } from "./arg-across-rows";
import { reduceTo, type Reducer } from "./grid";
import { Kept } from "./kept";
import { isShort } from "./across-rows";
import { entryBytes, lanesOf } from "./steps";
import { ARG_REDUCE_FROM } from "../schedule";

const kept = new Kept<Reducer | null>();

type Ties = Pick<Attrs["argReduce"], "op" | "tieBreak">;

/** Of elements of a type, or of what a kernel computes of them; null where these are no single vectors. */
function searcherFor(of: DType | Kernel, { op, tieBreak }: Ties, grid: Grid, out: DType): Reducer | null {
  const isForShort = isShort(grid.rows, grid.columns);
  return kept.get(of, `${op} ${tieBreak} ${isForShort ? out : ""}`, (over) => {
    const plainly = (type: DType): Search => ARG_REDUCTIONS[op](type, tieBreak);
    const search = over(plainly)!;
    if (typeof of !== "string" && lanesOf(search, search.extreme).width === 2) return null;
    const functions = isForShort ? { find: findShort(search, out) } : searchFunctions(search);
    const module = loadModule(moduleBytes(functions));
    return {
      ...{ module, name: "find", type: search.type, isForShort },
      // Of short rows none is cut, so no values are needed to compare pieces by.
      entries: isForShort ? [out] : [search.work, entryBytes(search) === 8 ? "s64" : "s32"],
      tempBytes: () => 0,
      call({ x, groups, rows, pitch, columns, first }, to) {
        const numbers = isForShort ? to[0]! : to[1]!;
        return [x, groups, rows, pitch, columns, first, to[0]!, numbers];
      },
      join: (to, count, columns) => void module.exports.merge!(to[0]!, to[1]!, count, columns),
    };
  });
}

export const wasmArgReduce: PrimitiveFunction<"argReduce"> = (out, inputs, attrs) => {
  const x = inputs[0]!;
  const suits = !isComplex(x.type) && isInteger(out.type) && sizeOf(x.shape) < 2 ** 31;
  if (!suits || sizeOf(x.shape) < ARG_REDUCE_FROM) return plain.argReduce(out, inputs, attrs);
  const grid = gridOf(x.shape, attrs.axis);
  const searcher = searcherFor(x.type, attrs, grid, out.type)!;
  return arrays.hold(reduceTo(out.type, searcher, residentElements(x), grid));
};

/**
 * Places of extremes of what a kernel computes; null where there are more elements than can be numbered, or where results of 64 bits
 * are made of what is no vector of two elements: of narrow or complex ones.
 */
export function searchOver(kernel: Kernel, ties: Ties, source: Elements, grid: Grid, out: DType): Elements | null {
  if (grid.groups * grid.rows * grid.columns >= 2 ** 31) return null;
  const searcher = searcherFor(kernel, ties, grid, out);
  return searcher && reduceTo(out, searcher, source, grid);
}
