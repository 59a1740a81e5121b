/**
 * Searches for positions of extremes: what makes their reducers, and the primitive, bit for bit that of the binary backend.
 */
import type { Attrs, PrimitiveFunction, Template } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { isComplex, isInteger, type DType } from "../../../core/types";
import { ARG_REDUCTIONS, type Search } from "../../../kernel/recurrence";
import type { Kernel } from "../../../kernel/value";
import type { Elements } from "../../arrays/storage";
import { gridOf, type Grid } from "../../binary/fold";
import { arrays } from "../arrays";
import type { RowStep } from "../codegen/access";
import { plain } from "../plain";
import { residentElements } from "../placement/resident";
import { ARG_REDUCE_AGAIN_FROM, ARG_REDUCE_FROM, SHORT_SEARCHED_ROWS } from "../schedule/reductions";
import { isWorthModule } from "../modules/tiering";
import { findShort, isShort, MOST_TOGETHER } from "./across-rows";
import { searchFunctions } from "./arg-code";
import { reduceTo, reduceView, type Reducer } from "./grid";
import type { Viewed } from "./reduce";
import { reducerOf, type Maker } from "./reducers";
import { entryBytes, lanesOf } from "./steps";
import { inOrder, StridedView, type StridedGrid } from "./strided";

/** What an arg-reduction seeks, and which of equal elements counts. */
type Ties = Pick<Attrs["argReduce"], "op" | "tieBreak">;

/**
 * What makes searchers of grids that are alike, with places as integers of a type; null for more elements than can be numbered. None is made
 * of what a kernel computes where that is no single vectors: results of 64 bits of what is narrow or complex.
 */
export function searcherOf({ op, tieBreak }: Ties, grid: Grid, out: DType, by: RowStep = 1): Maker | null {
  const { groups, rows, columns } = grid;
  if (groups * rows * columns >= 2 ** 31) return null;
  const isForShort = isShort(grid, SHORT_SEARCHED_ROWS);
  const ofLines = columns === 1;
  return {
    name: `find ${op} ${tieBreak} ${isForShort ? out : `${ofLines} ${by}`}`,
    make(over) {
      const search = { ...over((type): Search => ARG_REDUCTIONS[op](type, tieBreak))!, by };
      if (search.prologue && lanesOf(search, search.extreme).width === 2) return null;
      return {
        type: search.type,
        // Of short rows none is cut, so no values are needed to compare pieces by.
        entries: isForShort ? [out] : [entryBytes(search) === 8 ? "s64" : "s32", search.work],
        least: isForShort ? MOST_TOGETHER : Infinity,
        tempBytes: () => 0,
        functions: () => (isForShort ? { run: findShort(search, out) } : searchFunctions(search, ofLines)),
      };
    },
  };
}

export function searcherFor(of: DType | Kernel, ties: Ties, grid: Grid, out: DType, by: RowStep = 1): Reducer | null {
  const maker = searcherOf(ties, grid, out, by);
  return maker && reducerOf(of, maker);
}

const suits = (type: DType, outType: DType, elements: number): boolean =>
  !isComplex(type) &&
  isInteger(outType) &&
  isWorthModule(`search ${type}`, elements, ARG_REDUCE_FROM, ARG_REDUCE_AGAIN_FROM);

export const wasmArgReduce: PrimitiveFunction<"argReduce"> = (out, inputs, attrs) => {
  const x = inputs[0]!;
  const grid = gridOf(x.shape, attrs.axis);
  if (grid.rows === 1) return arrays.hold(arrays.zeroed(out.type, out.shape));
  const searcher = suits(x.type, out.type, sizeOf(x.shape)) ? searcherFor(x.type, attrs, grid, out.type) : null;
  if (!searcher) return plain.argReduce(out, inputs, attrs);
  return arrays.hold(reduceTo(out.type, searcher, residentElements(x), inOrder(grid)));
};

/** Places of extremes in a view where it lies; null where it has to be copied. */
export function searchSeen(out: Template, { type, shape, reader }: Viewed, attrs: Attrs["argReduce"]): Elements | null {
  if (!suits(type, out.type, sizeOf(shape))) return null;
  const view = new StridedView(reader.access, gridOf(shape, attrs.axis));
  const searcherOf = ({ grid, by }: StridedGrid): Reducer | null => searcherFor(type, attrs, grid, out.type, by);
  return reduceView(out.type, reader.elements, view, searcherOf, SHORT_SEARCHED_ROWS);
}
