/**
 * Elements as lists of JavaScript.
 */
import type { Value } from "../core/bytes";
import type { Shape } from "../core/shape";
import type { NestedList } from "../methods";

/** Elements in row-major order as lists nested like the axes, of which there is one at least. */
export function nestedLists(shape: Shape, read: (index: number) => Value): NestedList {
  let next = 0;
  const level = (axis: number): NestedList => {
    const list: NestedList = new Array<Value>(shape[axis]!);
    for (let i = 0; i < list.length; i++) list[i] = axis === shape.length - 1 ? read(next++) : level(axis + 1);
    return list;
  };
  return level(0);
}
