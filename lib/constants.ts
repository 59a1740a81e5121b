/**
 * The namespace `Constants`: numbers that are often needed, as scalar tensors of a given type.
 */
import type { BackendSpec } from "./backend";
import { creationBackend } from "./backends/registry";
import { Complex } from "./core/complex";
import { ArgumentError, show } from "./core/errors";
import { defaultComplex, defaultFloat } from "./core/default-types";
import { unnamed } from "./core/names";
import { checkOptions } from "./core/options";
import { SCALAR_SHAPE } from "./core/shape";
import { isComplex, isFloat, normalizeType, type DType, type Scalar } from "./core/types";
import { constantData, template } from "./nx/dispatch";
import { Tensor } from "./tensor";
import * as limits from "./type";

/** Options of the constants. */
export interface ConstantOptions {
  /** The backend that will hold the tensor; the default backend when left out. Ignored inside `defn`. */
  readonly backend?: BackendSpec;
}

/** Options of the constants, the type among them. */
export interface TypedConstantOptions extends ConstantOptions {
  /** Element type. */
  readonly type?: DType;
}

type ScalarTensor = Tensor<readonly []>;

/** Reads `(type, options)` or options alone; `accepts` says which types there are of the constant. */
function make(
  name: string,
  type: DType | TypedConstantOptions | undefined,
  options: ConstantOptions | undefined,
  fallback: DType,
  value: (type: DType, fn: string) => Scalar,
): ScalarTensor {
  const fn = `Nx.Constants.${name}`;
  const alone = typeof type === "object" && type !== null && options === undefined;
  const chosen = checkOptions<TypedConstantOptions | undefined>(
    fn,
    alone ? type : options,
    alone ? ["type", "backend"] : ["backend"],
  );
  const given = alone ? chosen!.type : (type as DType | undefined);
  const out = template(given === undefined ? fallback : normalizeType(given), SCALAR_SHAPE, unnamed(0));
  const element = value(out.type, fn);
  const backend = creationBackend(chosen?.backend);
  return new Tensor(backend, constantData(backend, out, element), out.type, out.shape, out.names);
}

/** A value that real floating types have. */
function float(value: number): (type: DType, fn: string) => Scalar {
  return (type, fn) => {
    if (isFloat(type)) return value;
    throw new ArgumentError(`${fn} has float types only, got: ${show(type)}; use one of bf16, f16, f32, f64`);
  };
}

/**
 * The circle constant pi.
 *
 * @param type - a float type, `f32` when left out
 * @param options - `backend`
 * @returns a scalar
 * @throws ArgumentError for types that are not real floats
 * @example
 * ```ts
 * Nx.Constants.pi();
 * // => #Nx.Tensor<
 * //   f32
 * //   3.1415927
 * // >
 * Nx.Constants.pi("f64");
 * // => #Nx.Tensor<
 * //   f64
 * //   3.141592653589793
 * // >
 * ```
 * @example
 * ```ts
 * Nx.multiply(Nx.Constants.pi(), Nx.tensor([1, 2], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [3.1415927, 6.2831855]
 * // >
 * Nx.Constants.pi("s32");
 * // throws ArgumentError: Nx.Constants.pi has float types only, got: "s32"; use one of bf16, f16, f32, f64
 * ```
 */
export function pi(type?: DType | TypedConstantOptions, options?: ConstantOptions): Tensor<readonly []> {
  return make("pi", type, options, defaultFloat(), float(Math.PI));
}

/**
 * Euler's number e, the base of natural logarithms.
 *
 * @param type - a float type, `f32` when left out
 * @param options - `backend`
 * @returns a scalar
 * @throws ArgumentError for types that are not real floats
 * @example
 * ```ts
 * Nx.Constants.e();
 * // => #Nx.Tensor<
 * //   f32
 * //   2.7182817
 * // >
 * Nx.Constants.e("f64");
 * // => #Nx.Tensor<
 * //   f64
 * //   2.718281828459045
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Constants.e("c64");
 * // throws ArgumentError: Nx.Constants.e has float types only, got: "c64"; use one of bf16, f16, f32, f64
 * ```
 */
export function e(type?: DType | TypedConstantOptions, options?: ConstantOptions): Tensor<readonly []> {
  return make("e", type, options, defaultFloat(), float(Math.E));
}

/**
 * The Euler-Mascheroni constant gamma: how far the harmonic sums run ahead of the logarithm.
 *
 * @param type - a float type, `f32` when left out
 * @param options - `backend`
 * @returns a scalar
 * @throws ArgumentError for types that are not real floats
 * @example
 * ```ts
 * Nx.Constants.eulerGamma();
 * // => #Nx.Tensor<
 * //   f32
 * //   0.5772157
 * // >
 * Nx.Constants.eulerGamma("f64");
 * // => #Nx.Tensor<
 * //   f64
 * //   0.5772156649015329
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Constants.eulerGamma("u8");
 * // throws ArgumentError: Nx.Constants.eulerGamma has float types only, got: "u8"; use one of bf16, f16, f32, f64
 * ```
 */
export function eulerGamma(type?: DType | TypedConstantOptions, options?: ConstantOptions): Tensor<readonly []> {
  return make("eulerGamma", type, options, defaultFloat(), float(0.5772156649015329));
}

/**
 * The imaginary unit i.
 *
 * @param type - `c64`, which is taken when left out, or `c128`
 * @param options - `backend`
 * @returns a scalar
 * @throws ArgumentError for types that are not complex
 * @example
 * ```ts
 * Nx.Constants.i();
 * // => #Nx.Tensor<
 * //   c64
 * //   0.0+1.0i
 * // >
 * Nx.Constants.i({ type: "c128" });
 * // => #Nx.Tensor<
 * //   c128
 * //   0.0+1.0i
 * // >
 * ```
 * @example
 * ```ts
 * Nx.add(1, Nx.multiply(Nx.Constants.i(), Nx.tensor([1, 2], { names: ["x"] })));
 * // => #Nx.Tensor<
 * //   c64[x: 2]
 * //   [1.0+1.0i, 1.0+2.0i]
 * // >
 * Nx.Constants.i("f32");
 * // throws ArgumentError: Nx.Constants.i has the complex types c64 and c128 only, got: "f32"
 * ```
 */
export function i(type?: DType | TypedConstantOptions, options?: ConstantOptions): Tensor<readonly []> {
  return make("i", type, options, defaultComplex(), (given, fn) => {
    if (isComplex(given)) return new Complex(0, 1);
    throw new ArgumentError(`${fn} has the complex types c64 and c128 only, got: ${show(given)}`);
  });
}

/**
 * NaN, which is no number.
 *
 * @param type - a float type, `f32` when left out
 * @param options - `backend`
 * @returns a scalar
 * @throws ArgumentError for types that are not real floats
 * @example
 * ```ts
 * Nx.Constants.nan();
 * // => #Nx.Tensor<
 * //   f32
 * //   NaN
 * // >
 * Nx.Constants.nan("bf16");
 * // => #Nx.Tensor<
 * //   bf16
 * //   NaN
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Constants.nan("s64");
 * // throws ArgumentError: Nx.Constants.nan has float types only, got: "s64"; use one of bf16, f16, f32, f64
 * ```
 */
export function nan(type?: DType | TypedConstantOptions, options?: ConstantOptions): Tensor<readonly []> {
  return make("nan", type, options, defaultFloat(), float(NaN));
}

/**
 * Positive infinity.
 *
 * @param type - a float type, `f32` when left out
 * @param options - `backend`
 * @returns a scalar
 * @throws ArgumentError for types that are not real floats
 * @example
 * ```ts
 * Nx.Constants.infinity();
 * // => #Nx.Tensor<
 * //   f32
 * //   Inf
 * // >
 * Nx.Constants.infinity("f16");
 * // => #Nx.Tensor<
 * //   f16
 * //   Inf
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Constants.infinity("u64");
 * // throws ArgumentError: Nx.Constants.infinity has float types only, got: "u64"; use one of bf16, f16, f32, f64
 * ```
 */
export function infinity(type?: DType | TypedConstantOptions, options?: ConstantOptions): Tensor<readonly []> {
  return make("infinity", type, options, defaultFloat(), float(Infinity));
}

/**
 * Negative infinity.
 *
 * @param type - a float type, `f32` when left out
 * @param options - `backend`
 * @returns a scalar
 * @throws ArgumentError for types that are not real floats
 * @example
 * ```ts
 * Nx.Constants.negInfinity();
 * // => #Nx.Tensor<
 * //   f32
 * //   -Inf
 * // >
 * Nx.Constants.negInfinity("f64");
 * // => #Nx.Tensor<
 * //   f64
 * //   -Inf
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Constants.negInfinity("s8");
 * // throws ArgumentError: Nx.Constants.negInfinity has float types only, got: "s8"; use one of bf16, f16, f32, f64
 * ```
 */
export function negInfinity(type?: DType | TypedConstantOptions, options?: ConstantOptions): Tensor<readonly []> {
  return make("negInfinity", type, options, defaultFloat(), float(-Infinity));
}

/**
 * The largest value of a type: infinity for floats.
 *
 * @param type - a real type, `f32` when left out
 * @param options - `backend`
 * @returns a scalar
 * @throws ArgumentError for complex types, which have no order
 * @example
 * ```ts
 * Nx.Constants.max("u8");
 * // => #Nx.Tensor<
 * //   u8
 * //   255
 * // >
 * Nx.Constants.max("f32");
 * // => #Nx.Tensor<
 * //   f32
 * //   Inf
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Constants.max("c64");
 * // throws ArgumentError: Nx.Constants.max is not defined for complex types, got: "c64"
 * ```
 */
export function max(type?: DType | TypedConstantOptions, options?: ConstantOptions): Tensor<readonly []> {
  return make("max", type, options, defaultFloat(), (given) => limits.max(given));
}

/**
 * The smallest value of a type: negative infinity for floats.
 *
 * @param type - a real type, `f32` when left out
 * @param options - `backend`
 * @returns a scalar
 * @throws ArgumentError for complex types, which have no order
 * @example
 * ```ts
 * Nx.Constants.min("s64");
 * // => #Nx.Tensor<
 * //   s64
 * //   -9223372036854775808
 * // >
 * Nx.Constants.min("f32");
 * // => #Nx.Tensor<
 * //   f32
 * //   -Inf
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Constants.min("c64");
 * // throws ArgumentError: Nx.Constants.min is not defined for complex types, got: "c64"
 * ```
 */
export function min(type?: DType | TypedConstantOptions, options?: ConstantOptions): Tensor<readonly []> {
  return make("min", type, options, defaultFloat(), (given) => limits.min(given));
}

/**
 * The largest finite value of a type.
 *
 * @param type - a real type, `f32` when left out
 * @param options - `backend`
 * @returns a scalar
 * @throws ArgumentError for complex types, which have no order
 * @example
 * ```ts
 * Nx.Constants.maxFinite("f32");
 * // => #Nx.Tensor<
 * //   f32
 * //   3.4028235e38
 * // >
 * Nx.Constants.maxFinite("s16");
 * // => #Nx.Tensor<
 * //   s16
 * //   32767
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Constants.maxFinite("c128");
 * // throws ArgumentError: Nx.Constants.maxFinite is not defined for complex types, got: "c128"
 * ```
 */
export function maxFinite(type?: DType | TypedConstantOptions, options?: ConstantOptions): Tensor<readonly []> {
  return make("maxFinite", type, options, defaultFloat(), (given) => limits.maxFinite(given));
}

/**
 * The smallest finite value of a type: the most negative one.
 *
 * @param type - a real type, `f32` when left out
 * @param options - `backend`
 * @returns a scalar
 * @throws ArgumentError for complex types, which have no order
 * @example
 * ```ts
 * Nx.Constants.minFinite("f32");
 * // => #Nx.Tensor<
 * //   f32
 * //   -3.4028235e38
 * // >
 * Nx.Constants.minFinite("u8");
 * // => #Nx.Tensor<
 * //   u8
 * //   0
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Constants.minFinite("c64");
 * // throws ArgumentError: Nx.Constants.minFinite is not defined for complex types, got: "c64"
 * ```
 */
export function minFinite(type?: DType | TypedConstantOptions, options?: ConstantOptions): Tensor<readonly []> {
  return make("minFinite", type, options, defaultFloat(), (given) => limits.minFinite(given));
}

/**
 * The machine epsilon of a type: the distance from 1 to the next larger number.
 *
 * @param type - a float type, `f32` when left out
 * @param options - `backend`
 * @returns a scalar
 * @throws ArgumentError for types that are not real floats
 * @example
 * ```ts
 * Nx.Constants.epsilon("f32");
 * // => #Nx.Tensor<
 * //   f32
 * //   1.1920929e-7
 * // >
 * Nx.Constants.epsilon("bf16");
 * // => #Nx.Tensor<
 * //   bf16
 * //   0.0078
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Constants.epsilon("s32");
 * // throws ArgumentError: Nx.Constants.epsilon is defined for float types only, got: "s32"
 * ```
 */
export function epsilon(type?: DType | TypedConstantOptions, options?: ConstantOptions): Tensor<readonly []> {
  return make("epsilon", type, options, defaultFloat(), (given) => limits.epsilon(given));
}

/**
 * The smallest positive number of a type that has all its digits; below it are the subnormal numbers.
 *
 * @param type - a float type, `f32` when left out
 * @param options - `backend`
 * @returns a scalar
 * @throws ArgumentError for types that are not real floats
 * @example
 * ```ts
 * Nx.Constants.smallestPositiveNormal("f64");
 * // => #Nx.Tensor<
 * //   f64
 * //   2.2250738585072014e-308
 * // >
 * Nx.Constants.smallestPositiveNormal("f16");
 * // => #Nx.Tensor<
 * //   f16
 * //   6.104e-5
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Constants.smallestPositiveNormal("u8");
 * // throws ArgumentError: Nx.Constants.smallestPositiveNormal is defined for float types only, got: "u8"
 * ```
 */
export function smallestPositiveNormal(
  type?: DType | TypedConstantOptions,
  options?: ConstantOptions,
): Tensor<readonly []> {
  return make("smallestPositiveNormal", type, options, defaultFloat(), (given) => limits.smallestPositiveNormal(given));
}
