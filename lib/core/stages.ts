/**
 * Which folds a reduction over several axes consists of, and in which order. Sums of floats depend on it, so whatever reduces
 * asks here.
 */
import { sizeOf, type Shape } from "./shape";

/** The fold of one axis: the sizes before the axis, its size and the sizes behind. */
export interface Stage {
  readonly before: number;
  readonly size: number;
  readonly after: number;
}

/** Folds for the axes, last first; a run of neighbouring axes is one fold. */
export function stagesOf(shape: Shape, axes: readonly number[]): Stage[] {
  const stages: Stage[] = [];
  let after = 1;
  for (let axis = shape.length - 1; axis >= 0;) {
    const start = axis;
    while (axis >= 0 && axes.includes(axis)) axis--;
    const size = sizeOf(shape.slice(axis + 1, start + 1));
    if (axis < start && size > 1) stages.push({ before: sizeOf(shape.slice(0, axis + 1)), size, after });
    if (axis >= 0) after *= shape[axis--]!;
  }
  return stages.length > 0 ? stages : [{ before: sizeOf(shape), size: 1, after: 1 }];
}
