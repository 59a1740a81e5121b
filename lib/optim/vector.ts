/**
 * A container of tensors as one vector, and back.
 */
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { mapTensors } from "./common";

/** All elements of a container one after the other, in the type that all fit. */
export function toVector(container: unknown): Tensor {
  const parts = Nx.Defn.Composite.leaves(container).map((t) => t.flatten().rename([null]));
  return parts.length === 1 ? parts[0]! : Nx.concatenate(parts);
}

/** A container like another one, with the elements of a vector. */
export function fromVector<C>(vector: Tensor, like: C): C {
  let start = 0;
  return mapTensors((t) => {
    const piece = vector.slice([start], [t.size]);
    start += t.size;
    return piece.asType(t.type).reshape(t.shape, { names: t.names });
  }, like);
}
