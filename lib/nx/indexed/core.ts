/**
 * What the indexed functions share: checks of index tensors and of the axes they index.
 */
import type { SomeAxes } from "../../core/options";
import { ArgumentError, show } from "../../core/errors";
import { allAxes, formatShape, resolveAxes, type Axis, type AxisList } from "../../core/shape";
import { isInteger } from "../../core/types";
import type { Operand, Tensor } from "../../tensor";
import { asTensor } from "../dispatch";

/** An operand that holds positions. */
export function asIndices(value: Operand, fn: string): Tensor {
  const indices = asTensor(value, fn);
  if (isInteger(indices.type)) return indices;
  throw new ArgumentError(`${fn} expects indices of an integer type, got ${indices.type}; convert them with Nx.asType`);
}

/** Options of functions that take coordinates: the axes that these are of; the first ones by default, as many as a coordinate has entries. */
export type CoordinateOptions<A = Axis | AxisList> = SomeAxes<A>;

/** Axes that the last axis of `indices` holds coordinates of, checked against it. */
export function coordinateAxes(fn: string, t: Tensor, indices: Tensor, axes: Axis | AxisList | undefined): number[] {
  const { shape, names } = t;
  const text = `indices of shape ${formatShape(indices.shape, indices.names)} for shape ${formatShape(shape, names)}`;
  const entries = indices.shape.at(-1);
  if (entries === undefined || shape.length === 0) {
    throw new ArgumentError(
      `${fn} expects a tensor with axes and coordinates in the last axis of the indices, got ${text}`,
    );
  }
  if (axes === undefined) {
    if (entries <= shape.length) return allAxes(entries);
    throw new ArgumentError(
      `${fn} expects coordinates of at most ${shape.length} entries in the last axis of the indices, got ${text}`,
    );
  }
  const resolved = resolveAxes(axes, shape, names);
  if (resolved.length === entries && entries > 0) return resolved;
  throw new ArgumentError(
    `${fn} expects one entry in the last axis of the indices for each of the axes ${show(axes)}, got ${text}`,
  );
}
