/**
 * The common ground of the functions over windows: options, and the shape of the result.
 */
import type { Windows } from "../../backend";
import { ArgumentError } from "../../core/errors";
import { checkOptions } from "../../core/options";
import { checkShape, checkSize, formatShape, type Shape } from "../../core/shape";
import type { Tensor } from "../../tensor";
import { reach, readPadding, readSteps, type Padding } from "./geometry";

/** Options of the functions over windows. */
export interface WindowOptions {
  /** `"valid"` (default) for none, `"same"`, or `[low, high]` for each axis; negative padding crops. */
  readonly padding?: Padding;
  /** Distance between windows, one number or one for each axis; 1 by default. */
  readonly strides?: number | readonly number[];
  /** Distance between the elements of a window, one number or one for each axis; 1 by default. */
  readonly windowDilations?: number | readonly number[];
}

const OPTIONS: readonly string[] = ["padding", "strides", "windowDilations"];

/** Windows over a tensor, and the shape of a result that has one element for each. */
interface WindowPlan {
  readonly windows: Windows;
  readonly shape: Shape;
}

/** Reads the shape of a window and the options. */
export function readWindows(
  fn: string,
  t: Tensor,
  window: unknown,
  options: WindowOptions | undefined,
  allowed: readonly string[] = OPTIONS,
): WindowPlan {
  options = checkOptions(fn, options, allowed);
  const sizes = checkShape(window, `the window of ${fn}`);
  const rank = t.shape.length;
  if (sizes.length !== rank) {
    throw new ArgumentError(
      `${fn} expects a window with a size for each axis of shape ${formatShape(t.shape, t.names)}, got window ` +
        `${formatShape(sizes)}; size 1 leaves an axis as it is`,
    );
  }
  const strides = readSteps(fn, "strides", options?.strides, rank);
  const dilations = readSteps(fn, "windowDilations", options?.windowDilations, rank);
  const padding = readPadding(fn, options?.padding, sizes, dilations);
  const windows = { window: sizes, padding, strides, dilations };
  const shape = Object.freeze(t.shape.map((_, axis) => countWindows(fn, t, windows, axis)));
  checkSize(shape, `the result of ${fn}, shape`);
  return { windows, shape };
}

function countWindows(fn: string, t: Tensor, { window, padding, strides, dilations }: Windows, axis: number): number {
  const [low, high] = padding[axis]!;
  const length = t.shape[axis]! + low + high;
  const extent = reach(window[axis]!, dilations[axis]!);
  const count = Math.floor((length - extent) / strides[axis]!) + 1;
  if (count > 0) return count;
  throw new ArgumentError(
    `${fn} would give an empty result: axis ${axis} of shape ${formatShape(t.shape, t.names)} is ${length} long with padding, ` +
      `which a window ${formatShape(window)} that reaches over ${extent} does not fit into`,
  );
}
