/**
 * From real numbers to quantized ones and back. Works in f32 step by step, as the documented conversion does.
 */
import { ArgumentError, show } from "../core/errors";
import { checkOptions, wordOption } from "../core/options";
import { formatShape, type Names } from "../core/shape";
import { isComplex, type FloatType } from "../core/types";
import { alias, asTensor, cast } from "../nx/dispatch";
import { add, clamp, greater, multiply, subtract, where } from "../nx/elementwise";
import { Tensor, type Operand } from "../tensor";
import { checkFormat, CONTAINERS, keyOf, limitsOf, stepOf, zeroOf, type Format, type FormatOptions } from "./format";
import { checkQuantized, Quantized } from "./quantized";
import { cook, Recipe } from "./recipe";
import { QuantizedError } from "./status";

/** How many steps of a format make 1, in f32. */
const stepsPerOne = (format: Format): number =>
  Math.fround(format.type === "sa8" ? 2 ** format.scaleFracBits / format.scale : 2 ** format.fracBits);

/** Halves go away from zero; what lies outside saturates, NaN becomes the element that stands for 0. */
export function quantizeElements(x: Tensor, format: Format): Tensor {
  const steps = multiply(cast(x, "f32"), stepsPerOne(format));
  const whole = cast(add(steps, where(greater(steps, 0), 0.5, -0.5)), "s16"); // truncates and saturates
  const zero = zeroOf(format);
  const { type } = CONTAINERS[format.type];
  if (type === "s16") return whole;
  const [min, max] = limitsOf(format.type);
  const moved = zero === 0 ? whole : add(cast(whole, "s32"), zero);
  return cast(clamp(moved, { min, max }), type);
}

/** In f32, or in f64 where that is wanted or the step is too large for f32. */
export function dequantizeElements(q: Tensor, format: Format, type: FloatType): Tensor {
  const zero = zeroOf(format);
  const moved = zero === 0 ? q : subtract(cast(q, "s32"), zero);
  const step = stepOf(format);
  const lane = type === "f64" || !Number.isFinite(Math.fround(step)) ? "f64" : "f32";
  return cast(multiply(cast(moved, lane), step), type);
}

/**
 * Quantizes real numbers: divides them by the step of the format, rounds halves away from zero and moves them by the zero point.
 *
 * Numbers outside of what the format holds become the nearest end, NaN becomes what stands for 0. All steps are made in `f32`.
 *
 * @param tensor - a real tensor or number
 * @param format - `{ type: "sa8", scale, scaleFracBits, zeroPoint }`, `{ type: "fx8", fracBits }` or `{ type: "fx16", fracBits }`
 * @returns a quantized tensor of the same shape and names
 * @throws QuantizedError for a format that is none; ArgumentError for complex tensors
 * @example
 * ```ts
 * const t = Nx.f32([-100, -0.5, 0, 0.5, 100], { names: ["x"] });
 * Nx.Quantized.quantize(t, { type: "fx8", fracBits: 4 });
 * // => #Nx.Quantized<
 * //   fx8[x: 5]
 * //   step 0.0625, from -8 to 7.9375
 * //   [-128, -8, 0, 8, 127]
 * // >
 * Nx.Quantized.quantize(t, { type: "sa8", scale: 1, scaleFracBits: 0, zeroPoint: 10 }).values;
 * // => #Nx.Tensor<
 * //   s8[x: 5]
 * //   [-90, 9, 10, 11, 110]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Quantized.quantize(1, { type: "sa8", scale: 0, scaleFracBits: 4 });
 * // throws QuantizedError: Nx.Quantized.quantize expects its format with a scale that is an integer from 1 to 32767, got: 0
 * Nx.Quantized.quantize(1, { type: "sa8", scale: 1, scaleFracBits: 4, zeroPoint: 128 });
 * // throws QuantizedError: Nx.Quantized.quantize expects its format with a zeroPoint that is an integer from -128 to 127, got: 128
 * ```
 */
export function quantize<N extends Names = readonly []>(tensor: Operand<N>, format: FormatOptions): Quantized<N>;
export function quantize(tensor: Operand, format: FormatOptions): Quantized {
  const fn = "Nx.Quantized.quantize";
  const x = realTensor(tensor, fn);
  const to = checkFormat(format, { fn, what: "its format" });
  const recipe = new Recipe(`quantize ${keyOf(to)}`, (t) => quantizeElements(t!, to));
  return new Quantized(cook(recipe, x), to);
}

/** The operand as a tensor that is not complex. */
export function realTensor(tensor: unknown, fn: string): Tensor {
  const x = asTensor(tensor, fn);
  if (!isComplex(x.type)) return x;
  throw new ArgumentError(`${fn} expects real numbers, got type ${x.type}; take Nx.real or Nx.imag first`);
}

/** Options of `Nx.Quantized.dequantize`. */
export interface DequantizeOptions {
  /** Type of the result, `f32` when left out. */
  readonly type?: FloatType;
}

const FLOATS: readonly FloatType[] = ["f16", "bf16", "f32", "f64"];

/**
 * The real numbers that quantized ones stand for.
 *
 * @param quantized - a quantized tensor
 * @param options - `type`: the float type of the result, `f32` when left out; half floats are rounded from `f32`
 * @returns a tensor of the same shape and names
 * @throws QuantizedError for anything but a quantized tensor; ArgumentError for other types
 * @example
 * ```ts
 * const q = Nx.Quantized.quantize(Nx.f32([-1, 0.1, 2.5], { names: ["x"] }), { type: "sa8", scale: 3, scaleFracBits: 6 });
 * Nx.Quantized.dequantize(q);
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [-0.984375, 0.09375, 2.484375]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Quantized.dequantize(Nx.Quantized.quantize(1, { type: "fx8", fracBits: 2 }), { type: "s8" as never });
 * // throws ArgumentError: option type of Nx.Quantized.dequantize must be one of "f16", "bf16", "f32", "f64", got: "s8"
 * ```
 */
export function dequantize<N extends Names>(quantized: Quantized<N>, options?: DequantizeOptions): Tensor<N>;
export function dequantize(quantized: Quantized, options?: DequantizeOptions): Tensor {
  const fn = "Nx.Quantized.dequantize";
  options = checkOptions(fn, options, ["type"]);
  const type = wordOption(fn, "type", options?.type, FLOATS, "f32");
  const { values, format } = checkQuantized(quantized, fn, "its argument");
  const recipe = new Recipe(`dequantize ${keyOf(format)} to ${type}`, (q) => dequantizeElements(q!, format, type));
  return cook(recipe, values);
}

/**
 * A quantized tensor of integers that are there already, from a file for example.
 *
 * @param values - a tensor of type `s8` for `sa8` and `fx8`, `s16` for `fx16`
 * @param format - what the integers stand for
 * @returns a quantized tensor that holds the integers as they are
 * @throws QuantizedError for a format that is none, and for integers of another type
 * @example
 * ```ts
 * const q = Nx.Quantized.fromIntegers(Nx.s16([256, -128], { names: ["x"] }), { type: "fx16", fracBits: 8 });
 * Nx.Quantized.dequantize(q);
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [1.0, -0.5]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Quantized.fromIntegers(Nx.tensor([1, 2]), { type: "fx8", fracBits: 4 });
 * // throws QuantizedError: Nx.Quantized.fromIntegers expects integers of type s8 for the format fx8, got: s64[2]; convert with Nx.asType
 * ```
 */
export function fromIntegers<N extends Names>(values: Tensor<N>, format: FormatOptions): Quantized<N> {
  const fn = "Nx.Quantized.fromIntegers";
  const checked = checkFormat(format, { fn, what: "its format" });
  const { type } = CONTAINERS[checked.type];
  if (values instanceof Tensor && values.type === type) {
    return new Quantized(alias(values) as Tensor<N>, checked);
  }
  const got = values instanceof Tensor ? `${values.type}${formatShape(values.shape, values.names)}` : show(values);
  throw new QuantizedError(
    values instanceof Tensor ? "TYPE_MISMATCH" : "BAD_TENSOR",
    `${fn} expects integers of type ${type} for the format ${checked.type}, got: ${got}; convert with Nx.asType, or ` +
      `quantize real numbers with Nx.Quantized.quantize`,
  );
}
