/**
 * How an operand lies in a nest: one element for each line, one group for all of them, a single element, or elements of its own.
 */
import type { Nest, NestSpace, View } from "../backend";
import { isUniform, pointView } from "./view";

/** How the elements of a nest lie. */
export type Geometry = Pick<Nest, "groups" | "rows" | "columns">;
type Lines = Pick<Geometry, "groups" | "rows">;

/** Where the axes of the groups end and those of a group's elements begin; null where an axis has parts of both. */
function splitOf({ shape }: View, { rows: length }: Lines): number | null {
  let size = 1;
  let axis = shape.length;
  while (axis > 0 && size < length) size *= shape[--axis]!;
  return size === length ? axis : null;
}

/** The first axes of a view, or the last ones. */
const part = ({ shape, strides, offset }: View, from: number, to?: number): View => ({
  shape: shape.slice(from, to),
  strides: strides.slice(from, to),
  offset,
});

/** A view over all elements as one over the lines, where elements of a line are all the same one. */
export function overLines(view: View, geometry: Lines): View | null {
  if (geometry.groups === 1 && isUniform(view)) return pointView(view);
  const split = splitOf(view, geometry);
  return split !== null && isUniform(part(view, split)) ? part(view, 0, split) : null;
}

/** How a kernel over all elements sees an operand. */
export function spaceOf(view: View, geometry: Geometry): NestSpace {
  if (isUniform(view)) return "one";
  if (geometry.groups === 1) return "full";
  if (overLines(view, geometry)) return "line";
  const split = splitOf(view, geometry);
  return split !== null && isUniform(part(view, 0, split)) ? "group" : "full";
}
