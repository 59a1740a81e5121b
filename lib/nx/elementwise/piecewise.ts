/**
 * Activations made of straight pieces, and clamping. Where two pieces meet, the slope is that of the flat one, as for
 * `Nx.clip`; NaN stays NaN.
 */
import type { Merge } from "../../core/axis-types";
import { ArgumentError } from "../../core/errors";
import { checkOptions } from "../../core/options";
import { unchecked } from "../../core/promotion-scope";
import type { Names, Shape } from "../../core/shape";
import type { Right } from "../../methods";
import { refuseComplex } from "../../ops";
import type { Operand, Tensor } from "../../tensor";
import { HARD_SIGMOID, HARD_SWISH } from "../../kernel/special/names";
import { asTensor, checkOperands, isWeak, weakType } from "../dispatch";
import { asExact, boundedBy, mergedWhole } from "../exact";
import { add, multiply } from "./arithmetic";
import { greaterEqual, less, lessEqual } from "./comparison";
import {
  broadcastPair,
  inDoubles,
  inFloats,
  mergedNames,
  numberOption,
  unary,
  unaryOf,
  type UnaryFunction,
} from "./core";
import { where } from "./selection";

/** The operand as a tensor of a real type. */
function realTensor(name: string, operand: Operand): Tensor {
  const t = asTensor(operand, `Nx.${name}`);
  refuseComplex(name, t.type);
  return t;
}

const notBelow = (x: Tensor, low: Operand): Tensor => where(lessEqual(x, low), low, x);
const notAbove = (x: Tensor, high: Operand): Tensor => where(greaterEqual(x, high), high, x);
/** The upper end first, so that large unsigned numbers are small before they meet a negative one; it wins over a larger lower end. */
const between = (x: Tensor, low: number, high: number): Tensor => notBelow(notAbove(x, high), Math.min(low, high));

/** Options of `Nx.clamp`. */
export interface ClampOptions<L = Operand, H = Operand> {
  /** No element is below it; unbounded when left out. */
  readonly min?: L;
  /** No element is above it; unbounded when left out. */
  readonly max?: H;
}

/**
 * Puts every element below `min` on `min` and every one above `max` on `max`; one of the two may be left out.
 *
 * NaN stays NaN, and where `min` is above `max`, `max` wins. Unlike those of `Nx.clip`, the bounds are weak where they are
 * plain numbers, so that `Nx.clamp(u8Tensor, { min: 2 })` is `u8`, and they may be tensors that broadcast with the first.
 *
 * @param tensor - a real tensor or number
 * @param options - `min` and `max`, real numbers or tensors
 * @returns a tensor of the type, shape and names that merge all operands
 * @throws ArgumentError where both bounds are left out, for complex operands, and where shapes do not broadcast
 * @example
 * ```ts
 * const t = Nx.f32([-3, -1, 0, NaN, 2], { names: ["x"] });
 * Nx.clamp(t, { min: -1, max: 1 });
 * // => #Nx.Tensor<
 * //   f32[x: 5]
 * //   [-1.0, -1.0, 0.0, NaN, 1.0]
 * // >
 * Nx.clamp(Nx.u8([1, 2, 3]), { min: 2 });
 * // => #Nx.Tensor<
 * //   u8[3]
 * //   [2, 2, 3]
 * // >
 * Nx.clamp(t, { max: Nx.f32([[0], [1]], { names: ["limit", null] }) });
 * // => #Nx.Tensor<
 * //   f32[limit: 2][x: 5]
 * //   [
 * //     [-3.0, -1.0, 0.0, NaN, 0.0],
 * //     [-3.0, -1.0, 0.0, NaN, 1.0]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.clamp(Nx.f32([1]), {});
 * // throws ArgumentError: Nx.clamp expects a bound: give option min, max or both, as in { min: 0 }
 * ```
 */
export function clamp<N extends Names = readonly [], L extends Names = readonly [], H extends Names = readonly []>(
  tensor: Operand<N>,
  options: ClampOptions<Right<N, L>, Right<Merge<N, L>, H>>,
): Tensor<Merge<Merge<N, L>, H>>;
export function clamp(tensor: Operand, options: ClampOptions): Tensor {
  options = checkOptions("Nx.clamp", options, ["min", "max"]);
  const { min, max } = options ?? {};
  if (min === undefined && max === undefined) {
    throw new ArgumentError("Nx.clamp expects a bound: give option min, max or both, as in { min: 0 }");
  }
  const t = asExact(tensor, "Nx.clamp");
  refuseComplex("clamp", t.type);
  const bounds = [min, max].filter((value) => value !== undefined);
  checkBounds(t, bounds);
  checkOperands([tensor, ...bounds], "Nx.clamp");
  return unchecked(() => {
    const keep = (x: Tensor, low: Operand | undefined, high: Operand | undefined): Tensor => {
      const raised = low === undefined ? x : notBelow(x, low);
      return high === undefined ? raised : notAbove(raised, high);
    };
    return boundedBy(t, mergedWhole(t.type, bounds), min, max, keep) ?? keep(t, min, max);
  });
}

/** What does not fit is refused under the name of the function, not of what it is made of. */
function checkBounds(t: Tensor, bounds: readonly Operand[]): void {
  let met: { readonly shape: Shape; readonly names: Names } = t;
  for (const bound of bounds) {
    if (isWeak(bound)) {
      refuseComplex("clamp", weakType(bound));
      continue;
    }
    const other = asTensor(bound, "Nx.clamp");
    refuseComplex("clamp", other.type);
    const shape = broadcastPair("Nx.clamp", met, other);
    met = { shape, names: mergedNames(met, other) };
  }
}

/**
 * The rectifier: each element where it is positive, else 0.
 *
 * NaN stays NaN. The slope at 0 is 0; that of `Nx.max(x, 0)` would be one half.
 *
 * @param tensor - a real tensor or number
 * @returns a tensor of the same type, shape and names
 * @throws ArgumentError for complex operands
 * @example
 * ```ts
 * Nx.relu(Nx.f32([-3, -0.5, 0, 2, NaN], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 5]
 * //   [0.0, 0.0, 0.0, 2.0, NaN]
 * // >
 * Nx.relu(Nx.s8([-3, 3]));
 * // => #Nx.Tensor<
 * //   s8[2]
 * //   [0, 3]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.grad((x: Nx.Tensor) => Nx.relu(x).sum())(Nx.f32([-1, 0, 1]));
 * // => #Nx.Tensor<
 * //   f32[3]
 * //   [0.0, 0.0, 1.0]
 * // >
 * Nx.relu(new Nx.Complex(1, 2));
 * // throws ArgumentError: Nx.relu is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export const relu: UnaryFunction = unaryOf("relu", (x) => notBelow(realTensor("relu", x), 0));

/**
 * The rectifier that goes no further than 6: each element, or its nearer end of the interval from 0 to 6.
 *
 * @param tensor - a real tensor or number
 * @returns a tensor of the same type, shape and names
 * @throws ArgumentError for complex operands
 * @example
 * ```ts
 * Nx.relu6(Nx.f32([-9, 3, 6, Infinity, NaN], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 5]
 * //   [0.0, 3.0, 6.0, 6.0, NaN]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.relu6(Nx.tensor([-9, 3, 9]));
 * // => #Nx.Tensor<
 * //   s64[3]
 * //   [0, 3, 6]
 * // >
 * Nx.relu6(new Nx.Complex(1, 2));
 * // throws ArgumentError: Nx.relu6 is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export const relu6: UnaryFunction = unaryOf("relu6", (x) => between(realTensor("relu6", x), 0, 6));

/** Options of `Nx.leakyRelu`. */
export interface LeakyReluOptions {
  /** What negative elements are multiplied by, 0.01 when left out. */
  readonly negSlope?: number;
}

/**
 * The rectifier that leaks: each element where it is not negative, else a small part of it.
 *
 * The slope at 0 is 1.
 *
 * @param tensor - a real tensor or number
 * @param options - `negSlope` of the negative side, 0.01 when left out
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for a slope that is no finite number, and for complex operands
 * @example
 * ```ts
 * const t = Nx.f32([-3, -2, 0, 2], { names: ["x"] });
 * Nx.leakyRelu(t);
 * // => #Nx.Tensor<
 * //   f32[x: 4]
 * //   [-0.03, -0.02, 0.0, 2.0]
 * // >
 * Nx.leakyRelu(t, { negSlope: 0.42 });
 * // => #Nx.Tensor<
 * //   f32[x: 4]
 * //   [-1.26, -0.84, 0.0, 2.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.leakyRelu(Nx.f32([-3]), { negSlope: NaN });
 * // throws ArgumentError: option negSlope of Nx.leakyRelu must be a finite number, got: NaN
 * ```
 */
export function leakyRelu<N extends Names = readonly []>(tensor: Operand<N>, options?: LeakyReluOptions): Tensor<N>;
export function leakyRelu(tensor: Operand, options?: LeakyReluOptions): Tensor {
  options = checkOptions("Nx.leakyRelu", options, ["negSlope"]);
  const slope = numberOption("Nx.leakyRelu", "negSlope", options?.negSlope, 0.01);
  const t = asTensor(tensor, "Nx.leakyRelu");
  return inFloats("leakyRelu", [t], (x) => where(less(x, 0), multiply(x, slope), x));
}

/** Options of `Nx.hardSigmoid`. */
export interface HardSigmoidOptions {
  /** Slope of the line between 0 and 1, 1/6 when left out. */
  readonly alpha?: number;
  /** Value at 0, 0.5 when left out. */
  readonly beta?: number;
}

/**
 * A straight line in place of the logistic curve: `alpha * x + beta`, kept between 0 and 1.
 *
 * @param tensor - a real tensor or number
 * @param options - `alpha`, 1/6 when left out, and `beta`, 0.5; Keras and ONNX have 0.2 and 0.5
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for options that are no finite numbers, and for complex operands
 * @example
 * ```ts
 * const t = Nx.f32([-3, -1.5, 0, 3, Infinity], { names: ["x"] });
 * Nx.hardSigmoid(t);
 * // => #Nx.Tensor<
 * //   f32[x: 5]
 * //   [0.0, 0.25, 0.5, 1.0, 1.0]
 * // >
 * Nx.hardSigmoid(t, { alpha: 0.2 });
 * // => #Nx.Tensor<
 * //   f32[x: 5]
 * //   [0.0, 0.2, 0.5, 1.0, 1.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.hardSigmoid(new Nx.Complex(1, 2));
 * // throws ArgumentError: Nx.hardSigmoid is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export function hardSigmoid<N extends Names = readonly []>(tensor: Operand<N>, options?: HardSigmoidOptions): Tensor<N>;
export function hardSigmoid(tensor: Operand, options?: HardSigmoidOptions): Tensor {
  const fn = "Nx.hardSigmoid";
  options = checkOptions(fn, options, ["alpha", "beta"]);
  const alpha = numberOption(fn, "alpha", options?.alpha, 1 / 6);
  const beta = numberOption(fn, "beta", options?.beta, 0.5);
  if (alpha === 1 / 6 && beta === 0.5) return hardSigmoidUsual(tensor);
  return inDoubles("hardSigmoid", asTensor(tensor, fn), (x) => between(add(multiply(x, alpha), beta), 0, 1));
}

const hardSigmoidUsual = unary(HARD_SIGMOID);

/**
 * Pieces in place of `Nx.silu`: each element times its share `(x + 3) / 6`, kept between 0 and 1.
 *
 * @param tensor - a real tensor or number
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for complex operands
 * @example
 * ```ts
 * Nx.hardSwish(Nx.f32([-3, -1, 0, 1, 3], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 5]
 * //   [-0.0, -0.33333334, 0.0, 0.6666667, 3.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.hardSwish(Nx.f32([-Infinity, Infinity, NaN]));
 * // => #Nx.Tensor<
 * //   f32[3]
 * //   [-0.0, Inf, NaN]
 * // >
 * Nx.hardSwish(new Nx.Complex(1, 2));
 * // throws ArgumentError: Nx.hardSwish is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export const hardSwish: UnaryFunction = unary(HARD_SWISH);

/** Options of `Nx.hardTanh`. */
export interface HardTanhOptions {
  /** The lower end, -1 when left out. */
  readonly minVal?: number;
  /** The upper end, 1 when left out. */
  readonly maxVal?: number;
}

/**
 * A straight line in place of `Nx.tanh`: each element, or its nearer end of the interval from -1 to 1.
 *
 * @param tensor - a real tensor or number
 * @param options - `minVal` and `maxVal`, other ends of the interval
 * @returns a tensor of the same shape and names, of the type that merges with the ends
 * @throws ArgumentError for ends that are no finite numbers, and for complex operands
 * @example
 * ```ts
 * const t = Nx.f32([-1.5, -0.5, 0, 1.5, NaN], { names: ["x"] });
 * Nx.hardTanh(t);
 * // => #Nx.Tensor<
 * //   f32[x: 5]
 * //   [-1.0, -0.5, 0.0, 1.0, NaN]
 * // >
 * Nx.hardTanh(t, { minVal: -0.25, maxVal: 2 });
 * // => #Nx.Tensor<
 * //   f32[x: 5]
 * //   [-0.25, -0.25, 0.0, 1.5, NaN]
 * // >
 * ```
 * @example
 * ```ts
 * // @ts-expect-error
 * Nx.hardTanh(Nx.f32([1]), { min: 0 });
 * // throws ArgumentError: unknown option "min" for Nx.hardTanh; did you mean "minVal"? Expected one of: minVal, maxVal
 * ```
 */
export function hardTanh<N extends Names = readonly []>(tensor: Operand<N>, options?: HardTanhOptions): Tensor<N>;
export function hardTanh(tensor: Operand, options?: HardTanhOptions): Tensor {
  const fn = "Nx.hardTanh";
  options = checkOptions(fn, options, ["minVal", "maxVal"]);
  const low = numberOption(fn, "minVal", options?.minVal, -1);
  const high = numberOption(fn, "maxVal", options?.maxVal, 1);
  return unchecked(() => between(realTensor("hardTanh", tensor), low, high));
}
