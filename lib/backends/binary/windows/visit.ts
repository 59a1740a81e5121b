/**
 * Windows one by one: where the elements of each lie.
 */
import type { Windows } from "../../../backend";
import { rowMajorStrides, sizeOf, type Shape } from "../../../core/shape";
import { allocate } from "../../arrays/storage";

/** Position of an element that lies in the padding. */
export const PADDING = -1;

/**
 * Calls `visit` for every window with the number of its result and the positions of its elements, both in row-major order;
 * the array is the same each time.
 */
export function visitWindows(
  shape: Shape,
  results: Shape,
  { window, padding, strides, dilations }: Windows,
  visit: (result: number, positions: Int32Array) => void,
): void {
  const rank = shape.length;
  const steps = rowMajorStrides(shape);
  const cells = cellsOf(window);
  const count = sizeOf(window);
  const positions = allocate("s32", count);
  const at = new Array<number>(rank).fill(0);
  for (let result = 0, total = sizeOf(results); result < total; result++) {
    for (let cell = 0; cell < count; cell++) {
      let position = 0;
      for (let axis = 0; axis < rank && position !== PADDING; axis++) {
        const place = at[axis]! * strides[axis]! - padding[axis]![0] + cells[cell * rank + axis]! * dilations[axis]!;
        position = place >= 0 && place < shape[axis]! ? position + place * steps[axis]! : PADDING;
      }
      positions[cell] = position;
    }
    visit(result, positions);
    advance(at, results);
  }
}

/** Coordinates of all cells of a window, one after the other. */
function cellsOf(window: Shape): Int32Array {
  const cells = allocate("s32", sizeOf(window) * window.length);
  const at = new Array<number>(window.length).fill(0);
  for (let cell = 0; cell < cells.length; cell += window.length) {
    cells.set(at, cell);
    advance(at, window);
  }
  return cells;
}

function advance(at: number[], shape: Shape): void {
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    at[axis]!++;
    if (at[axis]! < shape[axis]!) return;
    at[axis] = 0;
  }
}
