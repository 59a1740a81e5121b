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
  let before = sizeOf(shape);
  let after = 1;
  for (let axis = shape.length - 1; axis >= 0;) {
    let size = 1;
    while (axis >= 0 && axes.includes(axis)) size *= shape[axis--]!;
    before /= size;
    if (size > 1) stages.push({ before, size, after });
    if (axis < 0) break;
    before /= shape[axis]!;
    after *= shape[axis--]!;
  }
  return stages.length > 0 ? stages : [{ before: sizeOf(shape), size: 1, after: 1 }];
}
