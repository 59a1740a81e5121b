/**
 * The namespace `Type`: the rules of element types, as functions from types to types, and the limits of each type. The rules
 * themselves stand in `lib/core/types.ts`; here they get checked arguments.
 */
import { Complex } from "./core/complex";
import { ArgumentError, show } from "./core/errors";
import { commonType, typeBeside } from "./core/promotion";
import {
  finiteLimits,
  isComplex as isComplexType,
  isFloat as isRealFloat,
  isInteger as isIntegerType,
  isIntegral,
  isUnsigned as isUnsignedType,
  kindOf,
  normalizeType,
  toAggregate as aggregateOf,
  toComplex as complexOf,
  toFloating as floatingOf,
  toReal as realOf,
  type ComplexType,
  type DType,
  type FloatType,
  type Scalar,
} from "./core/types";
import { isScalar, scalarType } from "./nx/dispatch";

function checkScalar(value: unknown, fn: string): Scalar {
  if (isScalar(value)) return value;
  throw new ArgumentError(`${fn} expects a number, bigint, boolean or Nx.Complex, got: ${show(value)}`);
}

/**
 * The type a plain value becomes a tensor of.
 *
 * @param value - a number, bigint, boolean or `Nx.Complex`
 * @returns `s64` (or as configured) for integral numbers and bigints, `f32` for other numbers, `u8` for booleans, `c64` for
 *   complex numbers
 * @throws ArgumentError for anything else
 * @example
 * ```ts
 * Nx.Type.infer(1);
 * // => "s64"
 * Nx.Type.infer(1.5);
 * // => "f32"
 * Nx.Type.infer(new Nx.Complex(1, 2));
 * // => "c64"
 * ```
 * @example
 * ```ts
 * // @ts-expect-error
 * Nx.Type.infer("1");
 * // throws ArgumentError: Nx.Type.infer expects a number, bigint, boolean or Nx.Complex, got: "1"
 * ```
 */
export function infer(value: Scalar): DType {
  return scalarType(checkScalar(value, "Nx.Type.infer"));
}

/**
 * The value as a type, where it is one.
 *
 * @param type - what is thought to be the name of a type
 * @returns the type
 * @throws ArgumentError for anything else, with what may have been meant
 * @example
 * ```ts
 * Nx.Type.normalize("u8");
 * // => "u8"
 * ```
 * @example
 * ```ts
 * Nx.Type.normalize("float32");
 * // throws ArgumentError: Nx.Type.normalize: invalid type "float32"; did you mean "f32"?
 * Nx.Type.normalize("f31");
 * // throws ArgumentError: Nx.Type.normalize: invalid type "f31"; did you mean "f32"?
 * ```
 */
export function normalize(type: string): DType {
  return normalizeType(type);
}

/**
 * The common type of two tensors: complex wins over floats, these over `bf16`, signed integers and unsigned integers.
 *
 * The winner keeps its own width; of two types of one kind the wider wins. Unsigned with signed integers make something wider
 * than both, so that all values fit, and `f64` with `c64` makes `c128`.
 *
 * @param left - a type
 * @param right - a type
 * @returns the type that an element-wise function of both gives
 * @throws ArgumentError for anything that is not a type
 * @example
 * ```ts
 * Nx.Type.merge("u8", "s8");
 * // => "s16"
 * Nx.Type.merge("s64", "f16");
 * // => "f16"
 * Nx.Type.merge("f32", "f64");
 * // => "f64"
 * Nx.Type.merge("f64", "c64");
 * // => "c128"
 * Nx.withPromotion("strict", () => Nx.Type.merge("u8", "s8"));
 * // throws ArgumentError: Nx.Type.merge cannot merge u8 and s8 under strict promotion: s8 cannot hold every value of u8
 * ```
 * @example
 * ```ts
 * // @ts-expect-error
 * Nx.Type.merge("f32", "f128");
 * // throws ArgumentError: Nx.Type.merge: invalid type "f128"; did you mean "c128"?
 * ```
 */
export function merge(left: DType, right: DType): DType {
  return commonType("Nx.Type.merge", { type: normalizeType(left) }, { type: normalizeType(right) });
}

/**
 * The type of a tensor together with a plain number: the tensor's own wherever the number fits its kind.
 *
 * Integers that do not fit an integer type widen it, negative ones make an unsigned type signed, fractions make it `f32`. An
 * `Nx.Complex` makes it complex: `c128` beside `f64`, else `c64`.
 *
 * @param type - type of the tensor
 * @param value - the plain number
 * @returns the type that an element-wise function of both gives
 * @throws ArgumentError for anything that is not a type, or not a plain number
 * @example
 * ```ts
 * Nx.Type.mergeNumber("u8", 255);
 * // => "u8"
 * Nx.Type.mergeNumber("u8", 256);
 * // => "u16"
 * Nx.Type.mergeNumber("u8", -1);
 * // => "s16"
 * Nx.Type.mergeNumber("bf16", 2.5);
 * // => "bf16"
 * ```
 * @example
 * ```ts
 * // @ts-expect-error
 * Nx.Type.mergeNumber("u8", null);
 * // throws ArgumentError: Nx.Type.mergeNumber expects a number, bigint, boolean or Nx.Complex, got: null
 * ```
 */
export function mergeNumber(type: DType, value: Scalar): DType {
  const fn = "Nx.Type.mergeNumber";
  return typeBeside(fn, { type: normalizeType(type) }, checkScalar(value, fn));
}

/**
 * The type of a function such as `Nx.exp`: integers become `f32`, floats and complex types stay.
 *
 * @param type - a type
 * @returns a floating or complex type
 * @throws ArgumentError for anything that is not a type
 * @example
 * ```ts
 * Nx.Type.toFloating("s64");
 * // => "f32"
 * Nx.Type.toFloating("bf16");
 * // => "bf16"
 * ```
 * @example
 * ```ts
 * // @ts-expect-error
 * Nx.Type.toFloating("s65");
 * // throws ArgumentError: Nx.Type.toFloating: invalid type "s65"; did you mean "s64"?
 * ```
 */
export function toFloating(type: DType): DType {
  return floatingOf(normalizeType(type));
}

/**
 * The type that sums are made in: integers widen to 64 bits and keep their sign, floats and complex types stay.
 *
 * @param type - a type
 * @returns the type of `Nx.sum`
 * @throws ArgumentError for anything that is not a type
 * @example
 * ```ts
 * Nx.Type.toAggregate("s8");
 * // => "s64"
 * Nx.Type.toAggregate("u16");
 * // => "u64"
 * Nx.Type.toAggregate("f16");
 * // => "f16"
 * ```
 * @example
 * ```ts
 * // @ts-expect-error
 * Nx.Type.toAggregate("i8");
 * // throws ArgumentError: Nx.Type.toAggregate: invalid type "i8"; did you mean "s8"?
 * ```
 */
export function toAggregate(type: DType): DType {
  return aggregateOf(normalizeType(type));
}

/**
 * The type of the parts of complex numbers of a type; floats stay, integers become `f32`.
 *
 * @param type - a type
 * @returns a real floating type
 * @throws ArgumentError for anything that is not a type
 * @example
 * ```ts
 * Nx.Type.toReal("c64");
 * // => "f32"
 * Nx.Type.toReal("c128");
 * // => "f64"
 * Nx.Type.toReal("u8");
 * // => "f32"
 * ```
 * @example
 * ```ts
 * // @ts-expect-error
 * Nx.Type.toReal(32);
 * // throws ArgumentError: Nx.Type.toReal: invalid type 32, expected one of: u8, u16, u32, u64
 * ```
 */
export function toReal(type: DType): DType {
  return realOf(normalizeType(type));
}

/**
 * The complex type that goes with a type.
 *
 * @param type - a type
 * @returns `c128` for `f64` and `c128`, else `c64`
 * @throws ArgumentError for anything that is not a type
 * @example
 * ```ts
 * Nx.Type.toComplex("f64");
 * // => "c128"
 * Nx.Type.toComplex("s64");
 * // => "c64"
 * ```
 * @example
 * ```ts
 * // @ts-expect-error
 * Nx.Type.toComplex("complex");
 * // throws ArgumentError: Nx.Type.toComplex: invalid type "complex", expected one of: u8, u16, u32, u64
 * ```
 */
export function toComplex(type: DType): ComplexType {
  return complexOf(normalizeType(type));
}

/**
 * A plain number as the values of a type are given in JavaScript: a complex number for complex types, else the number itself
 * where the type has such numbers. It is neither rounded nor wrapped.
 *
 * @param type - a type
 * @param value - a number, bigint or `Nx.Complex`
 * @returns the number; an `Nx.Complex` for complex types
 * @throws ArgumentError for fractions in integer types, negative numbers in unsigned types, complex numbers in real types
 * @example
 * ```ts
 * Nx.Type.castNumber("u8", 10);
 * // => 10
 * Nx.Type.castNumber("f32", 10n);
 * // => 10
 * Nx.Type.castNumber("c64", 10).toString();
 * // => "10.0+0.0i"
 * ```
 * @example
 * ```ts
 * Nx.Type.castNumber("u8", -10);
 * // throws ArgumentError: Nx.Type.castNumber: cannot cast the number -10 to u8
 * Nx.Type.castNumber("s8", 1.5);
 * // throws ArgumentError: Nx.Type.castNumber: cannot cast the number 1.5 to s8
 * ```
 */
export function castNumber(type: DType, value: number | bigint | Complex): number | bigint | Complex {
  const wanted = normalizeType(type);
  const given = checkScalar(value, "Nx.Type.castNumber");
  if (isComplexType(wanted)) return given instanceof Complex ? given : new Complex(Number(given), 0);
  if (typeof given === "number" || typeof given === "bigint") {
    if (isRealFloat(wanted)) return Number(given);
    const whole = typeof given === "bigint" || isIntegral(given);
    if (whole && (given >= 0 || !isUnsignedType(wanted))) return given;
  }
  throw new ArgumentError(`cannot cast the number ${show(given)} to ${wanted}; choose a type that has such numbers`);
}

/**
 * The text of a type, as tensors print it.
 *
 * @param type - a type
 * @returns the type itself, which is its own text here
 * @throws ArgumentError for anything that is not a type
 * @example
 * ```ts
 * Nx.Type.toString("bf16");
 * // => "bf16"
 * ```
 * @example
 * ```ts
 * // @ts-expect-error
 * Nx.Type.toString("f33");
 * // throws ArgumentError: Nx.Type.toString: invalid type "f33"; did you mean "f32"?
 * ```
 */
function typeText(type: DType): string {
  return normalizeType(type);
}
export { typeText as toString };

/**
 * Whether a type is one of integers, signed or not.
 *
 * @param type - a type
 * @returns true for `u8` to `u64` and `s8` to `s64`
 * @throws ArgumentError for anything that is not a type
 * @example
 * ```ts
 * Nx.Type.isInteger("s8");
 * // => true
 * Nx.Type.isInteger("f64");
 * // => false
 * ```
 */
export function isInteger(type: DType): boolean {
  return isIntegerType(normalizeType(type));
}

/**
 * Whether a type is one of unsigned integers.
 *
 * @param type - a type
 * @returns true for `u8` to `u64`
 * @throws ArgumentError for anything that is not a type
 * @example
 * ```ts
 * Nx.Type.isUnsigned("u8");
 * // => true
 * Nx.Type.isUnsigned("s8");
 * // => false
 * ```
 */
export function isUnsigned(type: DType): boolean {
  return isUnsignedType(normalizeType(type));
}

/**
 * Whether a type is one of signed integers.
 *
 * @param type - a type
 * @returns true for `s8` to `s64`
 * @throws ArgumentError for anything that is not a type
 * @example
 * ```ts
 * Nx.Type.isSigned("s8");
 * // => true
 * Nx.Type.isSigned("f32");
 * // => false
 * ```
 */
export function isSigned(type: DType): boolean {
  return kindOf(normalizeType(type)) === "s";
}

/**
 * Whether a type is made of floats. Complex numbers are: their parts are floats. {@link isComplex} tells them apart.
 *
 * @param type - a type
 * @returns true for `bf16`, `f16`, `f32`, `f64`, `c64` and `c128`
 * @throws ArgumentError for anything that is not a type
 * @example
 * ```ts
 * Nx.Type.isFloat("bf16");
 * // => true
 * Nx.Type.isFloat("c64");
 * // => true
 * Nx.Type.isFloat("u64");
 * // => false
 * ```
 */
export function isFloat(type: DType): boolean {
  return !isInteger(type);
}

/**
 * Whether a type is complex.
 *
 * @param type - a type
 * @returns true for `c64` and `c128`
 * @throws ArgumentError for anything that is not a type
 * @example
 * ```ts
 * Nx.Type.isComplex("c64");
 * // => true
 * Nx.Type.isComplex("f64");
 * // => false
 * ```
 */
export function isComplex(type: DType): boolean {
  return isComplexType(normalizeType(type));
}

/** The type, where it has an order. */
function ordered(type: DType, what: string): Exclude<DType, ComplexType> {
  const wanted = normalizeType(type);
  if (!isComplexType(wanted)) return wanted;
  throw new ArgumentError(
    `${what} is not defined for complex types, got: ${show(wanted)}; ask for that of ${realOf(wanted)}, the type of their parts`,
  );
}

/**
 * The smallest value of a type: negative infinity for floats.
 *
 * @param type - a real type
 * @returns a number; a bigint for 64-bit integers
 * @throws ArgumentError for complex types and for anything that is not a type
 * @example
 * ```ts
 * Nx.Type.min("s8");
 * // => -128
 * Nx.Type.min("s64");
 * // => -9223372036854775808n
 * Nx.Type.min("f32");
 * // => -Infinity
 * ```
 * @example
 * ```ts
 * Nx.Type.min("c64");
 * // throws ArgumentError: Nx.Type.min is not defined for complex types, got: "c64"; ask for that of f32, the type of their parts
 * ```
 */
export function min(type: DType): number | bigint {
  const wanted = ordered(type, "min");
  return isIntegerType(wanted) ? finiteLimits(wanted).min : -Infinity;
}

/**
 * The largest value of a type: infinity for floats.
 *
 * @param type - a real type
 * @returns a number; a bigint for 64-bit integers
 * @throws ArgumentError for complex types and for anything that is not a type
 * @example
 * ```ts
 * Nx.Type.max("u8");
 * // => 255
 * Nx.Type.max("u64");
 * // => 18446744073709551615n
 * Nx.Type.max("f16");
 * // => Infinity
 * ```
 * @example
 * ```ts
 * Nx.Type.max("c128");
 * // throws ArgumentError: Nx.Type.max is not defined for complex types, got: "c128"; ask for that of f64, the type of their parts
 * ```
 */
export function max(type: DType): number | bigint {
  const wanted = ordered(type, "max");
  return isIntegerType(wanted) ? finiteLimits(wanted).max : Infinity;
}

/**
 * The smallest finite value of a type: the most negative one.
 *
 * @param type - a real type
 * @returns a number; a bigint for 64-bit integers
 * @throws ArgumentError for complex types and for anything that is not a type
 * @example
 * ```ts
 * Nx.Type.minFinite("f16");
 * // => -65504
 * Nx.Type.minFinite("u8");
 * // => 0
 * ```
 * @example
 * ```ts
 * Nx.Type.minFinite("c64");
 * // throws ArgumentError: Nx.Type.minFinite is not defined for complex types, got: "c64"; ask for that of f32, the type of their parts
 * ```
 */
export function minFinite(type: DType): number | bigint {
  return finiteLimits(ordered(type, "minFinite")).min;
}

/**
 * The largest finite value of a type.
 *
 * @param type - a real type
 * @returns a number; a bigint for 64-bit integers
 * @throws ArgumentError for complex types and for anything that is not a type
 * @example
 * ```ts
 * Nx.Type.maxFinite("f32");
 * // => 3.4028234663852886e+38
 * Nx.Type.maxFinite("s16");
 * // => 32767
 * ```
 * @example
 * ```ts
 * Nx.Type.maxFinite("c64");
 * // throws ArgumentError: Nx.Type.maxFinite is not defined for complex types, got: "c64"; ask for that of f32, the type of their parts
 * ```
 */
export function maxFinite(type: DType): number | bigint {
  return finiteLimits(ordered(type, "maxFinite")).max;
}

/** Digits of the fraction, and the exponent of the smallest number that has them all. */
const FLOATS: { readonly [T in FloatType]: { readonly fraction: number; readonly least: number } } = {
  bf16: { fraction: 7, least: -126 },
  f16: { fraction: 10, least: -14 },
  f32: { fraction: 23, least: -126 },
  f64: { fraction: 52, least: -1022 },
};

function floatFormat(type: DType, what: string): (typeof FLOATS)[FloatType] {
  const wanted = normalizeType(type);
  if (isRealFloat(wanted)) return FLOATS[wanted];
  throw new ArgumentError(
    `${what} is defined for float types only, got: ${show(wanted)}; use one of ${Object.keys(FLOATS).join(", ")}`,
  );
}

/**
 * The machine epsilon of a type: the distance from 1 to the next larger number.
 *
 * @param type - a float type
 * @returns a number
 * @throws ArgumentError for types that are not real floats
 * @example
 * ```ts
 * Nx.Type.epsilon("f64") === Number.EPSILON;
 * // => true
 * Nx.Type.epsilon("bf16");
 * // => 0.0078125
 * ```
 * @example
 * ```ts
 * Nx.Type.epsilon("s32");
 * // throws ArgumentError: Nx.Type.epsilon is defined for float types only, got: "s32"; use one of bf16, f16, f32, f64
 * ```
 */
export function epsilon(type: DType): number {
  return 2 ** -floatFormat(type, "epsilon").fraction;
}

/**
 * The smallest positive number of a type that has all its digits; below it are the subnormal numbers.
 *
 * @param type - a float type
 * @returns a number
 * @throws ArgumentError for types that are not real floats
 * @example
 * ```ts
 * Nx.Type.smallestPositiveNormal("f32");
 * // => 1.1754943508222875e-38
 * Nx.Type.smallestPositiveNormal("f16");
 * // => 0.00006103515625
 * ```
 * @example
 * ```ts
 * Nx.Type.smallestPositiveNormal("u8");
 * // throws ArgumentError: Nx.Type.smallestPositiveNormal is defined for float types only, got: "u8"; use one of bf16, f16, f32, f64
 * ```
 */
export function smallestPositiveNormal(type: DType): number {
  return 2 ** floatFormat(type, "smallestPositiveNormal").least;
}
