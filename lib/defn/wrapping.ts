/**
 * Wrapping tensors (vectorized tensors), as traces, control flow and gradients see them: these work on the inner tensors and wrap
 * their results.
 */
import type { Tensor } from "../tensor";

const asIs = (tensor: Tensor): Tensor => tensor;

/** The traced tensor of a given tensor: the inner tensor, or the tensor itself. */
export function unwrapped(tensor: Tensor): { readonly inner: Tensor; readonly wrap: (inner: Tensor) => Tensor } {
  return tensor.backend.unwrap?.(tensor) ?? { inner: tensor, wrap: asIs };
}

/** Whether a tensor stands for another one with further axes. */
export const isWrapped = (t: Tensor): boolean => t.backend.unwrap !== undefined;

export const innerOf = (t: Tensor): Tensor => unwrapped(t).inner;

/** How many axes a tensor that is wrapped has in front. */
export const axesInFront = (t: Tensor): number => innerOf(t).shape.length - t.shape.length;

/** The tensor wrapped as all of `others` together are. */
export function alike(t: Tensor, others: readonly Tensor[]): Tensor {
  const backend = others.find(isWrapped)?.backend;
  return backend?.alike?.(t, others) ?? t;
}

const wrapping = (t: Tensor): string => t.backend.unwrap?.(t).key ?? "";

/**
 * Tensors wrapped further, each as far as those are that are computed from it; null where all are so already.
 */
export function widened(leaves: readonly Tensor[], related: (index: number) => readonly Tensor[]): Tensor[] | null {
  const wide = leaves.map((leaf, i) => alike(leaf, [leaf, ...related(i)]));
  return wide.some((leaf, i) => wrapping(leaf) !== wrapping(leaves[i]!)) ? wide : null;
}

const widens = (t: Tensor, other: Tensor): boolean => wrapping(alike(t, [t, other])) !== wrapping(t);

/**
 * The same tensors, those that are wrapped by the same axes with these in one order: what is computed of several of them then has
 * them in that order, and is not transposed to become one of them again.
 */
export function inOneOrder(tensors: readonly Tensor[]): readonly Tensor[] {
  const first: Tensor[] = [];
  return tensors.map((t) => {
    if (!isWrapped(t)) return t;
    const like = first.find((other) => !widens(other, t) && !widens(t, other));
    if (like) return alike(t, [like, t]);
    first.push(t);
    return t;
  });
}
