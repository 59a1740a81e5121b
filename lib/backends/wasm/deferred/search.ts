/** Positions of extremes of pending values; those of a pending view are found in its array. */
import type { PrimitiveFunction } from "../../../backend";
import { isInteger } from "../../../core/types";
import type { Tensor } from "../../../tensor";
import { gridOf } from "../../binary/fold";
import { searcherFor, searchSeen, wasmArgReduce } from "../reduce/search";
import { waitingOf } from "./index";
import { joinedWith, whereItLies } from "./joined";

/** Places of extremes, of values that wait and of all others. */
export const argReduce: PrimitiveFunction<"argReduce"> = (out, inputs, attrs) => {
  const [x] = inputs as [Tensor];
  const { op, axis } = attrs;
  const grid = gridOf(x.shape, axis);
  const isFit = waitingOf(x) !== null && isInteger(out.type);
  const found = isFit ? joinedWith(out, x, grid, op, (kernel) => searcherFor(kernel, attrs, grid, out.type)) : null;
  return found ?? whereItLies(out, x, op, (seen) => searchSeen(out, seen, attrs)) ?? wasmArgReduce(out, inputs, attrs);
};
