/**
 * How an operand lies in rows: one element for each, one row for all of them, a single element, or elements of their own.
 */
import type { RowsSpace, View } from "../../../backend";
import { rowMajorStrides } from "../../../core/shape";
import { isUniform, isWhole, type Seen } from "../views";

/** Rows of so many elements. */
export interface Geometry {
  readonly rows: number;
  readonly length: number;
}

/** Where the axes of the rows end and those of a row's elements begin; null where an axis has parts of both. */
function splitOf({ shape }: View, { length }: Geometry): number | null {
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

/** A view over all elements as one over the rows, where elements of a row are all the same one. */
export function overRows(view: View, geometry: Geometry): View | null {
  const split = splitOf(view, geometry);
  return split !== null && isUniform(part(view, split)) ? part(view, 0, split) : null;
}

/** How a kernel over all elements sees an operand. */
export function spaceOf(view: View, geometry: Geometry): RowsSpace {
  if (isUniform(view)) return "one";
  if (geometry.rows === 1) return "full";
  if (overRows(view, geometry)) return "row";
  const split = splitOf(view, geometry);
  return split !== null && isUniform(part(view, 0, split)) ? "column" : "full";
}

/** Whether a kernel over all elements reads for each row the element of a value that has one for each. */
export function readsItsRow({ base, view }: Seen, geometry: Geometry): boolean {
  const rows = overRows(view, geometry);
  return rows !== null && isWhole({ base, view: rows });
}

/** All elements of a tensor one after the other. */
export const flatView = (size: number): View => ({ shape: [size], strides: rowMajorStrides([size]), offset: 0 });

/** One element. */
export const pointView = ({ offset }: View): View => ({ shape: [], strides: [], offset });
