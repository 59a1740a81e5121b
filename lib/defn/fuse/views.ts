/**
 * Index maps: chains of nodes that only move elements about, composed into strides over the tensor at their end.
 */
import type { View } from "../../backend";
import { rowMajorStrides, sizeOf, type Shape } from "../../core/shape";
import type { Node, PrimitiveNode } from "../graph";

/** A tensor and the view through which it is read. */
export interface Viewed {
  readonly base: Node;
  readonly view: View;
}

/** Nodes whose elements are elements of their operand, each at a place that is linear in the index. */
export function isViewNode(node: Node): boolean {
  switch (node.kind) {
    case "broadcast":
    case "transpose":
    case "reverse":
    case "reshape":
      return true;
    case "slice":
      return node.attrs.starts.every((start) => start !== null);
    default:
      return false;
  }
}

const whole = (base: Node): Viewed => {
  const { shape } = base.out;
  return { base, view: { shape, strides: rowMajorStrides(shape), offset: 0 } };
};

/** The tensor and the view behind a node: as many views as compose; the chain ends at `isOpaque` nodes. */
export function viewOf(node: Node, isOpaque: (node: Node) => boolean): Viewed {
  const chain: Node[] = [];
  let base = node;
  for (; isViewNode(base) && !isOpaque(base); base = base.inputs[0]!) chain.push(base);
  return chain.reduceRight((inner, view) => through(view, inner) ?? whole(view), whole(base));
}

/** One more view on top; null where it does not compose. */
function through(node: Node, { base, view }: Viewed): Viewed | null {
  const { shape } = node.out;
  const of = (strides: readonly number[], offset = view.offset): Viewed => ({ base, view: { shape, strides, offset } });
  switch (node.kind) {
    case "transpose":
      return of(node.attrs.axes.map((axis) => view.strides[axis]!));
    case "broadcast":
      return of(broadcastStrides(node, view));
    case "reverse": {
      const flipped = new Set(node.attrs.axes);
      const offset = node.attrs.axes.reduce((sum, axis) => sum + (shape[axis]! - 1) * view.strides[axis]!, view.offset);
      return of(
        view.strides.map((stride, axis) => (flipped.has(axis) ? -stride : stride)),
        offset,
      );
    }
    case "slice": {
      const { starts, strides: steps } = node.attrs;
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
      return null;
  }
}

function broadcastStrides(node: PrimitiveNode<"broadcast">, view: View): number[] {
  const strides = node.out.shape.map(() => 0);
  node.attrs.axes.forEach((axis, i) => {
    strides[axis] = view.shape[i] === 1 ? 0 : view.strides[i]!;
  });
  return strides;
}

const isRowMajor = ({ shape, strides }: View): boolean => {
  const expected = rowMajorStrides(shape);
  return shape.every((dim, axis) => dim === 1 || strides[axis] === expected[axis]);
};

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
export function aligned({ base, view }: Viewed, shape: Shape): Viewed {
  const missing = shape.length - view.shape.length;
  const strides = shape.map((dim, axis) => {
    const own = axis - missing;
    return own < 0 || (view.shape[own] === 1 && dim !== 1) ? 0 : view.strides[own]!;
  });
  return { base, view: { shape, strides, offset: view.offset } };
}

/** One element. */
export const pointView = ({ offset }: View): View => ({ shape: [], strides: [], offset });

/** Whether all elements of the space read the same element. */
export const isUniform = ({ shape, strides }: View): boolean =>
  shape.every((dim, axis) => dim === 1 || strides[axis] === 0);

/** Whether elements are read one after the other, all of them. */
export const isWhole = ({ base, view }: Viewed): boolean =>
  view.offset === 0 && sizeOf(base.out.shape) === sizeOf(view.shape) && isRowMajor(view);
