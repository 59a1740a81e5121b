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
import { makeModule } from "../module";
import { plain } from "../plain";
import { residentElements } from "../resident";
import { ARG_REDUCE_FROM, SHORT_SEARCHED_ROWS } from "../schedule";
import { findShort, isShort } from "./across-rows";
import { searchFunctions } from "./arg-code";
import { reduceTo, type Reducer } from "./grid";
import type { Viewed } from "./reduce";
import { Kept, nameOf, reducerOf } from "./reducers";
import { entryBytes, lanesOf } from "./steps";
import { inOrder, StridedView } from "./strided";

const searchers = new Kept<Reducer | null>();

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
  return searchers.get(of, name, (over) => {
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

export const wasmArgReduce: PrimitiveFunction<"argReduce"> = (out, inputs, attrs) => {
  const x = inputs[0]!;
  const grid = gridOf(x.shape, attrs.axis);
  if (grid.rows === 1) return arrays.hold(arrays.zeroed(out.type, out.shape));
  const suits = !isComplex(x.type) && isInteger(out.type) && sizeOf(x.shape) >= ARG_REDUCE_FROM;
  const searcher = suits ? searcherFor(x.type, attrs, grid, out.type) : null;
  if (!searcher) return plain.argReduce(out, inputs, attrs);
  return arrays.hold(reduceTo(out.type, searcher, residentElements(x), inOrder(grid)));
};

/** Places of extremes in a view where it lies; null where it has to be copied. */
export function searchSeen(out: Template, { type, shape, reader }: Viewed, attrs: Attrs["argReduce"]): Elements | null {
  if (isComplex(type) || !isInteger(out.type) || sizeOf(shape) < ARG_REDUCE_FROM) return null;
  const strided = new StridedView(reader.access, gridOf(shape, attrs.axis)).inPlace(SHORT_SEARCHED_ROWS);
  const searcher = strided && searcherFor(type, attrs, strided.grid, out.type, strided.by);
  return searcher && reduceTo(out.type, searcher, reader.elements, strided);
}
