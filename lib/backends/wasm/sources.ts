/**
 * Tensors as the operands and results of contractions: how they are seen, and what converts their elements.
 */
import type { ContractionOperand, FusedKernel } from "../../backend";
import { rowMajorStrides } from "../../core/shape";
import { castKernel, type Keyed } from "../../kernel/lower/single";
import { readerOf, type Elements } from "../../kernel/operand";
import type { Tensor } from "../../tensor";
import { elementsOf, widthOf } from "../binary/storage";
import type { Task } from "./matmul/blocks";
import type { LaneType } from "./matmul/functions";
import type { Source } from "./matmul/sides";

/** A tensor as an operand of sums in a type; null where no kernel converts its elements. */
export function sourceOf(tensor: Tensor, lanes: LaneType, operand?: ContractionOperand): Source | null {
  const { type, shape } = tensor;
  const view = operand?.view ?? { shape, strides: rowMajorStrides(shape), offset: 0 };
  const casts: Keyed[] = [];
  let from = type;
  for (const to of [operand?.cast ? operand.out.type : type, lanes]) {
    if (to === from) continue;
    const cast = castKernel({ type: from, uniform: false }, to, operand?.cast?.overflow ?? "saturate");
    if (!cast) return null;
    casts.push(cast);
    from = to;
  }
  return { type, elements: elementsOf(tensor), width: widthOf(type), ...view, casts };
}

/** The kernel on the result of a contraction: operands that are null are elements of that result. */
export function epilogueTask(
  { kernel, key, views }: FusedKernel,
  operands: readonly (Tensor | null)[],
  outputs: readonly Elements[],
): Task {
  const readers = operands.map((tensor, i) => {
    if (!tensor) return null;
    const { shape, strides, offset } = views[i]!;
    return readerOf({ elements: elementsOf(tensor), width: widthOf(tensor.type), strides, offset }, shape);
  });
  return { kernel, key, readers, outputs };
}
