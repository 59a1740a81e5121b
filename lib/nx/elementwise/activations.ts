/**
 * Smooth activations of neural networks, written so that nothing overflows and no digits cancel, in their values and in the
 * gradients that follow from them. Half floats are computed in `f32` and rounded once.
 */
import { checkOptions, wordOption } from "../../core/options";
import type { Names } from "../../core/shape";
import { refuseComplex } from "../../ops";
import type { Operand, Tensor } from "../../tensor";
import { GELU, GELU_TANH, MISH, QUICK_GELU, SELU, SILU, SOFTPLUS, SOFTSIGN } from "../../kernel/special/names";
import { asTensor } from "../dispatch";
import { add, multiply } from "./arithmetic";
import { greater, greaterEqual } from "./comparison";
import { floatingOf, inDoubles, inFloats, nonZeroOption, numberOption, unary, type UnaryFunction } from "./core";
import { divide } from "./division";
import { expm1 } from "./exponential";
import { where } from "./selection";
import { abs, negate } from "./sign";

/** Options of `Nx.softplus`. */
export interface SoftplusOptions {
  /** How sharply the curve bends at 0, 1 when left out. */
  readonly beta?: number;
}

/**
 * The smooth rectifier: `log(1 + exp(beta * x)) / beta`, which is near 0 for negative and near x for positive elements.
 *
 * It never overflows, and keeps all digits where it is small.
 *
 * @param tensor - a real tensor or number
 * @param options - `beta`, 1 when left out: the larger, the nearer to `Nx.relu`
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for a `beta` that is 0 or no finite number, and for complex operands
 * @example
 * ```ts
 * const t = Nx.f32([-50, -1, 0, 1, 1000], { names: ["x"] });
 * Nx.softplus(t);
 * // => #Nx.Tensor<
 * //   f32[x: 5]
 * //   [1.9287499e-22, 0.3132617, 0.6931472, 1.3132616, 1000.0]
 * // >
 * Nx.softplus(t, { beta: 5 });
 * // => #Nx.Tensor<
 * //   f32[x: 5]
 * //   [0.0, 0.0013430697, 0.13862944, 1.001343, 1000.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.softplus(Nx.f32([-Infinity, Infinity, NaN]));
 * // => #Nx.Tensor<
 * //   f32[3]
 * //   [0.0, Inf, NaN]
 * // >
 * Nx.softplus(Nx.f32([1]), { beta: 0 });
 * // throws ArgumentError: option beta of Nx.softplus must not be 0: it is divided by
 * ```
 */
export function softplus<N extends Names = readonly []>(tensor: Operand<N>, options?: SoftplusOptions): Tensor<N>;
export function softplus(tensor: Operand, options?: SoftplusOptions): Tensor {
  options = checkOptions("Nx.softplus", options, ["beta"]);
  const beta = nonZeroOption("Nx.softplus", "beta", options?.beta, 1);
  if (beta === 1) return bent(tensor);
  return inDoubles("softplus", asTensor(tensor, "Nx.softplus"), (x) => bentSharply(x, beta));
}

const bent = unary(SOFTPLUS);

/**
 * The straight part and what is above it. Of x = 0 the straight part takes the slope 1, as `Nx.abs` does in the other part, so
 * that the slope of the sum is right there.
 */
function bentSharply(x: Tensor, beta: number): Tensor {
  const scaled = multiply(x, beta);
  return add(where(greaterEqual(scaled, 0), x, 0), divide(bent(negate(abs(scaled))), beta));
}

/**
 * The logarithm of `Nx.sigmoid`: near x for negative and near 0 for positive elements.
 *
 * It never overflows, and keeps all digits where it is small.
 *
 * @param tensor - a real tensor or number
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for complex operands
 * @example
 * ```ts
 * Nx.logSigmoid(Nx.f32([-1000, -1, 0, 1, 50], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 5]
 * //   [-1000.0, -1.3132616, -0.6931472, -0.3132617, -1.9287499e-22]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.log(Nx.sigmoid(Nx.f32([-1000])));
 * // => #Nx.Tensor<
 * //   f32[1]
 * //   [-Inf]
 * // >
 * Nx.logSigmoid(new Nx.Complex(1, 2));
 * // throws ArgumentError: Nx.logSigmoid is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export const logSigmoid: UnaryFunction = floatingOf("logSigmoid", (x) => negate(bent(negate(x))));

/** Options of `Nx.elu` and `Nx.celu`. */
export interface EluOptions {
  /** How far below 0 the curve goes, 1 when left out. */
  readonly alpha?: number;
}

/** The positive part as it is, an exponential of the others: those that are not chosen are 0, and do not overflow. */
function bentBelow(x: Tensor, below: (x: Tensor) => Tensor): Tensor {
  const isAbove = greater(x, 0);
  return where(isAbove, x, below(where(isAbove, 0, x)));
}

/**
 * The exponential linear unit: each element where it is positive, else `alpha * (exp(x) - 1)`.
 *
 * @param tensor - a real tensor or number
 * @param options - `alpha`, 1 when left out: the limit far below 0 is `-alpha`, and so is the slope just below 0
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for an `alpha` that is no finite number, and for complex operands
 * @example
 * ```ts
 * const t = Nx.f32([-Infinity, -1, -1e-8, 0, 1000], { names: ["x"] });
 * Nx.elu(t);
 * // => #Nx.Tensor<
 * //   f32[x: 5]
 * //   [-1.0, -0.63212055, -1.0e-8, 0.0, 1000.0]
 * // >
 * Nx.elu(t, { alpha: 0.5 });
 * // => #Nx.Tensor<
 * //   f32[x: 5]
 * //   [-0.5, -0.31606027, -5.0e-9, 0.0, 1000.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.elu(new Nx.Complex(1, 2));
 * // throws ArgumentError: Nx.elu is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export function elu<N extends Names = readonly []>(tensor: Operand<N>, options?: EluOptions): Tensor<N>;
export function elu(tensor: Operand, options?: EluOptions): Tensor {
  options = checkOptions("Nx.elu", options, ["alpha"]);
  const alpha = numberOption("Nx.elu", "alpha", options?.alpha, 1);
  const t = asTensor(tensor, "Nx.elu");
  if (alpha === 1) return inFloats("elu", [t], (x) => bentBelow(x, expm1));
  return inDoubles("elu", t, (x) => bentBelow(x, (low) => multiply(expm1(low), alpha)));
}

/**
 * The exponential linear unit whose slope has no jump: each element where it is positive, else `alpha * (exp(x / alpha) - 1)`.
 *
 * With `alpha` 1 it is `Nx.elu`.
 *
 * @param tensor - a real tensor or number
 * @param options - `alpha`, 1 when left out: the limit far below 0 is `-alpha`, the slope at 0 is 1
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for an `alpha` that is 0 or no finite number, and for complex operands
 * @example
 * ```ts
 * const t = Nx.f32([-Infinity, -1, 0, 1000], { names: ["x"] });
 * Nx.celu(t);
 * // => #Nx.Tensor<
 * //   f32[x: 4]
 * //   [-1.0, -0.63212055, 0.0, 1000.0]
 * // >
 * Nx.celu(t, { alpha: 0.5 });
 * // => #Nx.Tensor<
 * //   f32[x: 4]
 * //   [-0.5, -0.43233237, 0.0, 1000.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.celu(Nx.f32([1]), { alpha: 0 });
 * // throws ArgumentError: option alpha of Nx.celu must not be 0: it is divided by
 * ```
 */
export function celu<N extends Names = readonly []>(tensor: Operand<N>, options?: EluOptions): Tensor<N>;
export function celu(tensor: Operand, options?: EluOptions): Tensor {
  options = checkOptions("Nx.celu", options, ["alpha"]);
  const alpha = nonZeroOption("Nx.celu", "alpha", options?.alpha, 1);
  const t = asTensor(tensor, "Nx.celu");
  if (alpha === 1) return inFloats("celu", [t], (x) => bentBelow(x, expm1));
  const below = (low: Tensor): Tensor => multiply(expm1(divide(low, alpha)), alpha);
  return inDoubles("celu", t, (x) => bentBelow(x, below));
}

/** Options of `Nx.selu`. */
export interface SeluOptions {
  /** The limit far below 0 before scaling, 1.6732632423543772 when left out. */
  readonly alpha?: number;
  /** What all is multiplied by, 1.0507009873554805 when left out. */
  readonly gamma?: number;
}

/**
 * The scaled exponential linear unit: `gamma * elu(x, alpha)`, with constants that keep mean 0 and variance 1 of normal numbers
 * (Klambauer et al., "Self-Normalizing Neural Networks", 2017).
 *
 * @param tensor - a real tensor or number
 * @param options - other constants `alpha` and `gamma`
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for options that are no finite numbers, and for complex operands
 * @example
 * ```ts
 * Nx.selu(Nx.f32([-Infinity, -1, 0, 1], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 4]
 * //   [-1.7580993, -1.1113307, 0.0, 1.050701]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.selu(Nx.f32([-1, 1]), { alpha: 1.67326, gamma: 1.0507 });
 * // => #Nx.Tensor<
 * //   f32[2]
 * //   [-1.1113275, 1.0507]
 * // >
 * Nx.selu(new Nx.Complex(1, 2));
 * // throws ArgumentError: Nx.selu is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export function selu<N extends Names = readonly []>(tensor: Operand<N>, options?: SeluOptions): Tensor<N>;
export function selu(tensor: Operand, options?: SeluOptions): Tensor {
  options = checkOptions("Nx.selu", options, ["alpha", "gamma"]);
  const alpha = numberOption("Nx.selu", "alpha", options?.alpha, ALPHA);
  const gamma = numberOption("Nx.selu", "gamma", options?.gamma, GAMMA);
  if (alpha === ALPHA && gamma === GAMMA) return seluUsual(tensor);
  const below = (low: Tensor): Tensor => multiply(expm1(low), alpha);
  return inDoubles("selu", asTensor(tensor, "Nx.selu"), (x) => multiply(bentBelow(x, below), gamma));
}

const ALPHA = 1.6732632423543772;
const GAMMA = 1.0507009873554805;

const seluUsual = unary(SELU);

/**
 * The sigmoid linear unit `x * sigmoid(x)`, also called swish.
 *
 * @param tensor - a real tensor or number
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for complex operands
 * @example
 * ```ts
 * Nx.silu(Nx.f32([-1000, -1, 0, 1, 1000], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 5]
 * //   [-0.0, -0.26894143, 0.0, 0.7310586, 1000.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.silu(Nx.tensor([-2, 2]));
 * // => #Nx.Tensor<
 * //   f32[2]
 * //   [-0.23840584, 1.7615942]
 * // >
 * Nx.silu(new Nx.Complex(1, 2));
 * // throws ArgumentError: Nx.silu is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export const silu: UnaryFunction = unary(SILU);

/**
 * Another name of `Nx.silu`.
 *
 * @param tensor - a real tensor or number
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for complex operands
 * @example
 * ```ts
 * Nx.swish(Nx.f32([-1, 0, 1], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [-0.26894143, 0.0, 0.7310586]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.swish(Nx.tensor([-2, 2]));
 * // => #Nx.Tensor<
 * //   f32[2]
 * //   [-0.23840584, 1.7615942]
 * // >
 * ```
 */
export const swish: UnaryFunction = floatingOf("swish", silu);

/** Options of `Nx.gelu`. */
export interface GeluOptions {
  /** The exact function (`"none"`, default) or the formula with `tanh` that many models were trained with. */
  readonly approximate?: "none" | "tanh";
}

/**
 * The Gaussian error linear unit: each element times the share of normal numbers below it (Hendrycks and Gimpel, "Gaussian
 * Error Linear Units", 2016).
 *
 * `"tanh"` is `x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))`, which is up to 5e-4 away. Neither cancels for negative
 * elements. See `Nx.quickGelu` for a coarser one.
 *
 * @param tensor - a real tensor or number
 * @param options - `approximate: "tanh"` for the formula, `"none"` when left out
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for another word, and for complex operands
 * @example
 * ```ts
 * const t = Nx.f32([-3, -1, 0, 1, 1000], { names: ["x"] });
 * Nx.gelu(t);
 * // => #Nx.Tensor<
 * //   f32[x: 5]
 * //   [-0.004049694, -0.15865526, 0.0, 0.8413448, 1000.0]
 * // >
 * Nx.gelu(t, { approximate: "tanh" });
 * // => #Nx.Tensor<
 * //   f32[x: 5]
 * //   [-0.003637392, -0.15880801, 0.0, 0.841192, 1000.0]
 * // >
 * ```
 * @example
 * ```ts
 * // @ts-expect-error
 * Nx.gelu(Nx.f32([1]), { approximate: "erf" });
 * // throws ArgumentError: option approximate of Nx.gelu must be one of "none", "tanh", got: "erf"
 * ```
 */
export function gelu<N extends Names = readonly []>(tensor: Operand<N>, options?: GeluOptions): Tensor<N>;
export function gelu(tensor: Operand, options?: GeluOptions): Tensor {
  options = checkOptions("Nx.gelu", options, ["approximate"]);
  const form = wordOption("Nx.gelu", "approximate", options?.approximate, ["none", "tanh"], "none");
  const t = asTensor(tensor, "Nx.gelu");
  refuseComplex("gelu", t.type);
  return form === "tanh" ? geluTanh(t) : geluExact(t);
}

const geluExact = unary(GELU);

/**
 * The Gaussian error linear unit by the formula with `tanh`, `x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))`: another name
 * of `Nx.gelu` with `approximate: "tanh"`.
 *
 * @param tensor - a real tensor or number
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for complex operands
 * @example
 * ```ts
 * Nx.geluTanh(Nx.f32([-3, -1, 0, 1, 1000], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 5]
 * //   [-0.003637392, -0.15880801, 0.0, 0.841192, 1000.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.geluTanh(new Nx.Complex(1, 2));
 * // throws ArgumentError: Nx.geluTanh is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export const geluTanh: UnaryFunction = unary(GELU_TANH);

/**
 * A coarse form of `Nx.gelu`: `x * sigmoid(1.702 * x)`, up to 0.02 away from it.
 *
 * @param tensor - a real tensor or number
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for complex operands
 * @example
 * ```ts
 * Nx.quickGelu(Nx.f32([-3, -1, 0, 1, 1000], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 5]
 * //   [-0.01807131, -0.15420423, 0.0, 0.84579575, 1000.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.quickGelu(new Nx.Complex(1, 2));
 * // throws ArgumentError: Nx.quickGelu is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export const quickGelu: UnaryFunction = unary(QUICK_GELU);

/**
 * The mish activation `x * tanh(softplus(x))` (Misra, "Mish: A Self Regularized Non-Monotonic Activation Function", 2019).
 *
 * @param tensor - a real tensor or number
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for complex operands
 * @example
 * ```ts
 * Nx.mish(Nx.f32([-1000, -1, 0, 1, 1000], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 5]
 * //   [-0.0, -0.30340147, 0.0, 0.8650984, 1000.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.mish(new Nx.Complex(1, 2));
 * // throws ArgumentError: Nx.mish is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export const mish: UnaryFunction = unary(MISH);

/**
 * A curve from -1 to 1 that bends slowly: `x / (1 + abs(x))`.
 *
 * Infinities give 1 and -1.
 *
 * @param tensor - a real tensor or number
 * @returns a float tensor of the same shape and names; integers become `f32`
 * @throws ArgumentError for complex operands
 * @example
 * ```ts
 * Nx.softsign(Nx.f32([-Infinity, -3, 0, 3, Infinity], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 5]
 * //   [-1.0, -0.75, 0.0, 0.75, 1.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.softsign(new Nx.Complex(1, 2));
 * // throws ArgumentError: Nx.softsign is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export const softsign: UnaryFunction = unary(SOFTSIGN);
