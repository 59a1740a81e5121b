/**
 * Reading operands whose type may differ from the one a primitive works in.
 */
import { unnamed } from "../../core/names";
import { SCALAR_SHAPE } from "../../core/shape";
import type { DType } from "../../core/types";
import { Tensor } from "../../tensor";
import { loadF64 } from "./convert";
import { reordered } from "./copy";
import type { ArrayMemory } from "./memory";
import { elementsIn, elementsOf, type ArrayData, type Elements } from "./storage";

/** A tensor's elements in the given type; its own array where it has that type. */
export function elementsAs(type: DType, tensor: Tensor): Elements {
  if (tensor.type === type) return elementsOf(tensor);
  const out = { type, shape: tensor.shape, names: tensor.names };
  const data = tensor.backend.asType(out, [tensor], { overflow: "saturate" }) as ArrayData;
  return elementsIn(data);
}

/** Gives an array back that was made of a tensor's elements, in another type or order; the tensor's own stays. */
export function dropCopy(memory: ArrayMemory, tensor: Tensor, elements: Elements): void {
  if (elements !== elementsOf(tensor)) memory.drop(elements);
}

/** Elements of a tensor, or a copy of them in another type, with the axes in another order; a copy that was ordered is given back. */
export function orderedOf(
  memory: ArrayMemory,
  type: DType,
  tensor: Tensor,
  elements: Elements,
  order: readonly number[],
): Elements {
  const ordered = reordered(memory, type, elements, tensor.shape, order);
  if (ordered !== elements) dropCopy(memory, tensor, elements);
  return ordered;
}

/** A scalar tensor on the backend of another. */
export function scalarLike(memory: ArrayMemory, tensor: Tensor, type: DType, elements: Elements): Tensor {
  return new Tensor(tensor.backend, memory.hold(elements), type, SCALAR_SHAPE, unnamed(0));
}

const one = new Float64Array(1);

/** The value of a scalar integer tensor. */
export function scalarValue(tensor: Tensor): number {
  loadF64(tensor.type, elementsOf(tensor), 0, one, 1);
  return one[0]!;
}
