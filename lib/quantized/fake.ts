/**
 * Quantization that gradients pass through, to train with what quantization will do to the numbers.
 */
import { customGrad } from "../defn";
import { unchecked } from "../core/promotion-scope";
import type { Names } from "../core/shape";
import { toFloating, type FloatType } from "../core/types";
import { greaterEqual, lessEqual, logicalAnd, where } from "../nx/elementwise";
import type { Operand, Tensor } from "../tensor";
import { dequantizeElements, quantizeElements, realTensor } from "./create";
import { checkFormat, limitsOf, realOf, type Format, type FormatOptions } from "./format";
import { cast } from "../nx/dispatch";

/**
 * Rounds real numbers to those that a format can hold: quantizes and dequantizes at once.
 *
 * Gradients take it for the identity where numbers lie in the range of the format, and for constant beyond (the straight-through
 * estimator of Bengio, Léonard and Courville, "Estimating or propagating gradients through stochastic neurons", 2013).
 *
 * @param tensor - a real tensor or number
 * @param format - a format as for `Nx.Quantized.quantize`
 * @returns a tensor of the same shape and names; integers become `f32`
 * @throws QuantizedError for a format that is none; ArgumentError for complex tensors
 * @example
 * ```ts
 * const format = { type: "fx8", fracBits: 2 } as const;
 * const t = Nx.f32([0.3, 1.9, 100], { names: ["x"] });
 * Nx.Quantized.fakeQuantize(t, format);
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.25, 2.0, 31.75]
 * // >
 * Nx.grad((x: Nx.Tensor) => Nx.Quantized.fakeQuantize(x, format).multiply(3).sum())(t);
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [3.0, 3.0, 0.0]
 * // >
 * ```
 */
export function fakeQuantize<N extends Names = readonly []>(tensor: Operand<N>, format: FormatOptions): Tensor<N>;
export function fakeQuantize(tensor: Operand, format: FormatOptions): Tensor {
  const fn = "Nx.Quantized.fakeQuantize";
  const t = realTensor(tensor, fn);
  const to = checkFormat(format, { fn, what: "its format" });
  return unchecked(() => straightThrough(cast(t, toFloating(t.type)), to));
}

function straightThrough(x: Tensor, format: Format): Tensor {
  const rounded = dequantizeElements(quantizeElements(x, format), format, x.type as FloatType);
  const [low, high] = limitsOf(format.type).map((element) => realOf(element, format)) as [number, number];
  const isInside = (): Tensor => logicalAnd(greaterEqual(x, low), lessEqual(x, high));
  return customGrad(rounded, [x], (g) => [unchecked(() => where(isInside(), g, 0))]);
}
