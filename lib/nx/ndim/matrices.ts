/**
 * Matrices as the last two axes of tensors without names, and what gradients and linear algebra do with them. Not public.
 */
import type { Attrs, LinalgAttrs } from "../../backend";
import { LINALG } from "../../backends/decompositions";
import { DOT } from "../../backends/primitives";
import { unnamed } from "../../core/names";
import { allAxes } from "../../core/shape";
import { isComplex, mergeTypes } from "../../core/types";
import type { Tensor } from "../../tensor";
import { run, runMultiResult, template } from "../dispatch";
import { conjugate } from "../elementwise";
import { transpose } from "../shape";

/** A dot of tensors without names. */
export function dotOf(left: Tensor, right: Tensor, { contract, batch }: Attrs["dot"]): Tensor {
  const free = (t: Tensor, side: 0 | 1) =>
    allAxes(t.shape.length).filter((axis) => !contract[side].includes(axis) && !batch[side].includes(axis));
  const shape = [
    ...batch[0].map((axis) => left.shape[axis]!),
    ...free(left, 0).map((axis) => left.shape[axis]!),
    ...free(right, 1).map((axis) => right.shape[axis]!),
  ];
  const out = template(mergeTypes(left.type, right.type), Object.freeze(shape), unnamed(shape.length));
  return run(DOT, out, [left, right], { contract, batch });
}

/** The matrix product over shared batch axes. */
export function matmul(left: Tensor, right: Tensor): Tensor {
  const rank = left.shape.length;
  const batch = allAxes(rank - 2);
  return dotOf(left, right, { contract: [[rank - 1], [rank - 2]], batch: [batch, batch] });
}

export const conj = (t: Tensor): Tensor => (isComplex(t.type) ? conjugate(t) : t);

/** The transposed matrices. */
export function swapped(t: Tensor): Tensor {
  const rank = t.shape.length;
  return transpose(t, { axes: [...allAxes(rank - 2), rank - 1, rank - 2] });
}

export const adjointOf = (t: Tensor): Tensor => conj(swapped(t));

export type TriangularTransform = Extract<LinalgAttrs, { op: "triangularSolve" }>["transform"];

/** The LU decomposition of square matrices, all parts in their type. */
export function luOf(t: Tensor): readonly [p: Tensor, l: Tensor, u: Tensor] {
  const same = template(t.type, t.shape, unnamed(t.shape.length));
  return runMultiResult(LINALG, [same, same, same], [t], { op: "lu" }) as [Tensor, Tensor, Tensor];
}

/** x with `t(a) x = b` for a triangular `a`. */
export function solveTriangle(a: Tensor, b: Tensor, lower: boolean, transform: TriangularTransform): Tensor {
  const out = template(b.type, b.shape, unnamed(b.shape.length));
  return runMultiResult(LINALG, [out], [a, b], { op: "triangularSolve", lower, transform })[0]!;
}
