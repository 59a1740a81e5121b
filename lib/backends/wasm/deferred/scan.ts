/** Running reductions, of what waits. */
import type { PrimitiveFunction } from "../../../backend";
import type { Tensor } from "../../../tensor";
import { gridOf } from "../../binary/fold";
import { scannerFor, wasmCumulative } from "../reduce/scan";
import { waitingOf } from "./index";
import { joinedWith } from "./joined";

/** Running reductions, of values that wait and of all others. */
export const cumulative: PrimitiveFunction<"cumulative"> = (out, inputs, attrs) => {
  const [x] = inputs as [Tensor];
  const { op, axis, reverse } = attrs;
  if (waitingOf(x) === null || x.type !== out.type) return wasmCumulative(out, inputs, attrs);
  const grid = gridOf(x.shape, axis);
  return (
    joinedWith(out, x, grid, op, (kernel) => scannerFor(op, kernel, grid, reverse)) ??
    wasmCumulative(out, inputs, attrs)
  );
};
