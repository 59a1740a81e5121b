/**
 * Tensors as the operands and results of contractions: how they are seen, and what converts their elements.
 */
import type { ContractionOperand } from "../../backend";
import { rowMajorStrides } from "../../core/shape";
import type { DType } from "../../core/types";
import { castKernel, type Keyed } from "../../kernel/lower/single";
import type { Tensor } from "../../tensor";
import { widthOf } from "../arrays/storage";
import { toSums } from "./matmul/conversions";
import { isSame, type SumType } from "./matmul/functions";
import type { Source } from "./matmul/pack-operands";
import { residentElements } from "./resident";

/** A tensor as an operand of sums in a type; null where no kernel converts its elements. */
export function sourceOf(tensor: Tensor, lanes: SumType, operand?: ContractionOperand): Source | null {
  const { type, shape } = tensor;
  const view = operand?.view ?? { shape, strides: rowMajorStrides(shape), offset: 0 };
  const casts: Keyed[] = [];
  let from: DType = type;
  if (operand?.cast && operand.out.type !== type) {
    const cast = castKernel({ type, uniform: false }, operand.out.type, operand.cast.overflow);
    if (!cast) return null;
    casts.push(cast);
    from = operand.out.type;
  }
  if (!isSame(lanes, from)) {
    const cast = toSums(from, lanes);
    if (!cast) return null;
    casts.push(cast);
  }
  return { type, elements: residentElements(tensor), width: widthOf(type), ...view, casts };
}
