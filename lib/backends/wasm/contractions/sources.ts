/**
 * Tensors as the operands and results of contractions: how they are seen, and the kernels that make elements of sums of theirs.
 */
import type { ContractionOperand, Template } from "../../../backend";
import { rowMajorStrides, sameShape } from "../../../core/shape";
import type { DType } from "../../../core/types";
import { keyOf } from "../../../kernel/key";
import type { Keyed } from "../../../kernel/lower/single";
import { readerOf, type Reader } from "../../../kernel/operand";
import type { Kernel } from "../../../kernel/value";
import type { Tensor } from "../../../tensor";
import { widthOf } from "../../arrays/storage";
import { toSums } from "../matmul/conversions";
import { isSame, type SumType } from "../matmul/functions";
import type { Source } from "../matmul/pack-operands";
import { residentElements } from "../placement/resident";

/** A tensor as an operand of sums in a type; null where no kernel converts its elements. */
export function sourceOf(tensor: Tensor, lanes: SumType): Source | null {
  const { type, shape } = tensor;
  const casts = castsOf(type, lanes, null);
  const elements = casts && residentElements(tensor);
  return elements && { type, elements, width: widthOf(type), shape, strides: rowMajorStrides(shape), offset: 0, casts };
}

/** What a kernel over a space of the elements of `out`, in their order, makes of what it reads; null where no kernel converts that. */
export function throughKernel(
  { type, shape }: Pick<Template, "type" | "shape">,
  lanes: SumType,
  kernel: Kernel,
  readers: readonly Reader[],
): Source | null {
  const casts = castsOf(type, lanes, kernel);
  const [{ elements, width }] = readers as [Reader];
  return casts && { type, elements, width, shape, strides: rowMajorStrides(shape), offset: 0, casts, readers };
}

/** The kernels that lead to the type of sums: one that is given, if any, then a conversion from its type where that is another. */
function castsOf(type: DType, lanes: SumType, kernel: Kernel | null): Keyed[] | null {
  const casts: Keyed[] = kernel ? [{ kernel, key: keyOf(kernel), values: kernel.values.length }] : [];
  const cast = isSame(lanes, type) ? null : toSums(type, lanes);
  if (cast) casts.push(cast);
  return cast || isSame(lanes, type) ? casts : null;
}

/** What is made of tensors as an operand of sums in a type; null where no kernel converts its elements. */
export function madeOf(
  tensors: readonly Tensor[],
  lanes: SumType,
  { out, views, kernel }: ContractionOperand,
): Source | null {
  const casts = castsOf(out.type, lanes, kernel);
  if (!casts) return null;
  const seen = tensors.map((tensor, i) => {
    return { type: tensor.type, elements: residentElements(tensor), width: widthOf(tensor.type), ...views[i]! };
  });
  const [first, ...others] = seen;
  if (others.length === 0 && sameShape(first!.shape, out.shape)) return { ...first!, casts };
  return { ...first!, shape: out.shape, casts, readers: seen.map((each) => readerOf(each, each.shape)) };
}
