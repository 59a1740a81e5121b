/**
 * Views: how elements of an array are seen in another order or shape, as strides. Moving elements about composes into them.
 */
import type { Attrs, View } from "../backend";
import { rowMajorStrides, type Shape } from "../core/shape";

/** What moves elements about so that each is at a place linear in the index. */
export type Move =
  | { readonly kind: "broadcast"; readonly attrs: Attrs["broadcast"] }
  | { readonly kind: "transpose"; readonly attrs: Attrs["transpose"] }
  | { readonly kind: "reverse"; readonly attrs: Attrs["reverse"] }
  | { readonly kind: "slice"; readonly attrs: Pick<Attrs["slice"], "starts" | "strides"> }
  | { readonly kind: "reshape" };

/** All elements in order. */
export const wholeView = (shape: Shape): View => ({ shape, strides: rowMajorStrides(shape), offset: 0 });

/** A view with a move on top that gives `shape`; null where it does not compose. */
export function moved(view: View, move: Move, shape: Shape): View | null {
  const of = (strides: readonly number[], offset = view.offset): View => ({ shape, strides, offset });
  switch (move.kind) {
    case "transpose":
      return of(move.attrs.axes.map((axis) => view.strides[axis]!));
    case "broadcast":
      return of(broadcastStrides(move.attrs.axes, shape, view));
    case "reverse": {
      const flipped = new Set(move.attrs.axes);
      const offset = move.attrs.axes.reduce((sum, axis) => sum + (shape[axis]! - 1) * view.strides[axis]!, view.offset);
      return of(
        view.strides.map((stride, axis) => (flipped.has(axis) ? -stride : stride)),
        offset,
      );
    }
    case "slice": {
      const { starts, strides: steps } = move.attrs;
      const offset = starts.reduce<number>((sum, start, axis) => sum + start! * view.strides[axis]!, view.offset);
      return of(
        view.strides.map((stride, axis) => stride * steps[axis]!),
        offset,
      );
    }
    case "reshape": {
      const strides = reshapedStrides(view, shape);
      return strides && of(strides);
    }
    default:
      return move satisfies never;
  }
}

function broadcastStrides(axes: readonly number[], shape: Shape, view: View): number[] {
  const strides = shape.map(() => 0);
  axes.forEach((axis, i) => {
    strides[axis] = view.shape[i] === 1 ? 0 : view.strides[i]!;
  });
  return strides;
}

/** Whether elements are seen in the order in which they lie. */
export const isRowMajor = ({ shape, strides }: View): boolean => {
  const expected = rowMajorStrides(shape);
  return shape.every((dim, axis) => dim === 1 || strides[axis] === expected[axis]);
};

/** One element. */
export const pointView = ({ offset }: View): View => ({ shape: [], strides: [], offset });

/** Whether all elements of the space read the same element. */
export const isUniform = ({ shape, strides }: View): boolean =>
  shape.every((dim, axis) => dim === 1 || strides[axis] === 0);

/** Strides after a reshape: of row-major elements always, else where only axes of one element come and go. */
function reshapedStrides(view: View, shape: Shape): readonly number[] | null {
  if (isRowMajor(view)) return rowMajorStrides(shape);
  const kept = view.strides.filter((_, axis) => view.shape[axis] !== 1);
  const dims = view.shape.filter((dim) => dim !== 1);
  const left = shape.filter((dim) => dim !== 1);
  if (left.length !== dims.length || left.some((dim, i) => dim !== dims[i])) return null;
  let next = 0;
  return shape.map((dim) => (dim === 1 ? 0 : kept[next++]!));
}

/** A view as an operand of an element-wise op of a shape: aligned from the right, repeated where it has one element. */
export function alignedView(view: View, shape: Shape): View {
  const missing = shape.length - view.shape.length;
  const strides = shape.map((dim, axis) => {
    const own = axis - missing;
    return own < 0 || (view.shape[own] === 1 && dim !== 1) ? 0 : view.strides[own]!;
  });
  return { shape, strides, offset: view.offset };
}
