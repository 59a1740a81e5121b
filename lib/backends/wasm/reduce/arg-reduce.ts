/**
 * Positions of extremes in WebAssembly, the same as those of the binary backend. Complex numbers, which have no order, and
 * small work are left to that.
 */
import type { PrimitiveFunction } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { isComplex, isInteger, type DType } from "../../../core/types";
import type { Kernel } from "../../../kernel/value";
import type { Elements } from "../../arrays/storage";
import { gridOf } from "../../binary/arg-reduce";
import type { Grid } from "../../binary/fold";
import { arrays } from "../arrays";
import { plain } from "../plain";
import { residentElements } from "../resident";
import { ARG_REDUCE_FROM } from "../schedule";
import { reduceTo } from "./grid";
import { searcherFor, type Ties } from "./reducers";

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
