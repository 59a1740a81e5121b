/**
 * Division in its kinds: as floats, rounded to whole quotients, and what is left with the sign of the divisor.
 */
import type { Merged } from "../../core/axis-types";
import { checkOptions, wordOption } from "../../core/options";
import type { Names } from "../../core/shape";
import { isInteger, mergeTypes, type DType } from "../../core/types";
import type { DivideOptions, Right } from "../../methods";
import { refuseComplex, requireInteger } from "../../ops";
import type { Operand, Tensor } from "../../tensor";
import { compositeOfFewPasses } from "../composite";
import { add, multiply, quotient, remainder, subtract } from "./arithmetic";
import { less, notEqual } from "./comparison";
import { binaryOf, unaryOf, type BinaryFunction, type UnaryFunction } from "./core";
import { logicalAnd } from "./logical";
import { floor, trunc } from "./rounding";
import { plainDivide } from "./ratio";
import { where } from "./selection";
import { abs, negate } from "./sign";
import { cast } from "../dispatch";

/**
 * Divides the left tensor by the right one, element by element.
 *
 * The result is a float: integers become `f32`. Each quotient is rounded once. Division by zero follows IEEE 754: an
 * infinity, or NaN for 0 / 0. With a `roundingMode` the quotients of integers are whole and keep their type; those of floats
 * are rounded to floats first, and then to whole numbers. See `Nx.quotient` for integers only.
 *
 * @param left - a tensor or number of any type
 * @param right - the divisors; shapes broadcast, plain numbers are weak
 * @param options - `roundingMode`: `"trunc"` towards zero, `"floor"` downwards
 * @returns a tensor of the merged type, `f32` for integers without `roundingMode`, with the merged names
 * @throws ArgumentError where shapes do not broadcast or axes have different names; with a `roundingMode` also for complex
 *   operands, and for a zero among integer divisors
 * @example
 * ```ts
 * Nx.divide(1, 2);
 * // => #Nx.Tensor<
 * //   f32
 * //   0.5
 * // >
 * Nx.divide(Nx.tensor([1, 2, 3], { names: ["data"] }), 1);
 * // => #Nx.Tensor<
 * //   f32[data: 3]
 * //   [1.0, 2.0, 3.0]
 * // >
 * Nx.divide(1, Nx.f32([1, 2, 3], { names: ["data"] }));
 * // => #Nx.Tensor<
 * //   f32[data: 3]
 * //   [1.0, 0.5, 0.33333334]
 * // >
 * ```
 * @example
 * ```ts
 * const left = Nx.tensor([[1], [2]], { names: ["x", null] });
 * const right = Nx.tensor([[10, 20]], { names: [null, "y"] });
 * Nx.divide(left, right);
 * // => #Nx.Tensor<
 * //   f32[x: 2][y: 2]
 * //   [
 * //     [0.1, 0.05],
 * //     [0.2, 0.1]
 * //   ]
 * // >
 * Nx.divide(Nx.tensor([1, -1, 0]), 0);
 * // => #Nx.Tensor<
 * //   f32[3]
 * //   [Inf, -Inf, NaN]
 * // >
 * ```
 * @example Whole quotients
 * ```ts
 * const t = Nx.tensor([-7, 7], { names: ["x"] });
 * Nx.divide(t, 2, { roundingMode: "trunc" });
 * // => #Nx.Tensor<
 * //   s64[x: 2]
 * //   [-3, 3]
 * // >
 * Nx.divide(t, 2, { roundingMode: "floor" });
 * // => #Nx.Tensor<
 * //   s64[x: 2]
 * //   [-4, 3]
 * // >
 * Nx.divide(t, 2.5, { roundingMode: "floor" });
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [-3.0, 2.0]
 * // >
 *
 * // @ts-expect-error
 * Nx.divide(t, 2, { roundingMode: "ceil" });
 * // throws ArgumentError: option roundingMode of Nx.divide must be one of "trunc", "floor", got: "ceil"
 * ```
 */
export function divide<L extends Names = readonly [], R extends Names = readonly []>(
  left: Operand<L>,
  right: Right<L, R>,
  options: DivideOptions | undefined,
): Tensor<Merged<L, R>>;
export function divide<L extends Names = readonly [], R extends Names = readonly []>(
  left: Operand<L>,
  right: Right<L, R>,
): Tensor<Merged<L, R>>;
export function divide(left: Operand, right: Operand, options?: DivideOptions): Tensor {
  if (options === undefined) return plainDivide(left, right);
  const { roundingMode } = checkOptions("Nx.divide", options, ["roundingMode"]);
  if (roundingMode === undefined) return plainDivide(left, right);
  return WHOLE[wordOption("Nx.divide", "roundingMode", roundingMode, ["trunc", "floor"], "trunc")](left, right);
}

const whole = (ofIntegers: BinaryFunction, round: UnaryFunction): BinaryFunction =>
  binaryOf("divide", (x, y) => {
    const type = refuseComplex("divide with a roundingMode", mergeTypes(x.type, y.type));
    return isInteger(type) ? ofIntegers(x, y) : round(plainDivide(x, y));
  });

const quotientDown: BinaryFunction = compositeOfFewPasses(
  binaryOf("divide", (x, y) => {
    const towardZero = quotient(x, y);
    const isCut = notEqual(subtract(x, multiply(towardZero, y)), 0);
    return subtract(towardZero, logicalAnd(isCut, notEqual(less(x, 0), less(y, 0))));
  }),
);

const WHOLE: { readonly [K in "trunc" | "floor"]: BinaryFunction } = {
  trunc: whole(quotient, trunc),
  floor: whole(quotientDown, floor),
};

/**
 * Another name of `Nx.quotient`: divides integers and drops the fraction.
 *
 * @param left - an integer tensor or number
 * @param right - the integer divisors; shapes broadcast, plain numbers are weak
 * @returns an integer tensor of the merged type with the merged names
 * @throws ArgumentError for a zero among the divisors, and for float or complex operands
 * @example
 * ```ts
 * Nx.idiv(Nx.tensor([-4, 7, 5], { names: ["x"] }), Nx.tensor([2, -3, 8]));
 * // => #Nx.Tensor<
 * //   s64[x: 3]
 * //   [-2, -2, 0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.idiv(Nx.tensor([1, 2]), Nx.f32([1, 2]));
 * // throws ArgumentError: Nx.idiv expects integer tensors as inputs and outputs an integer tensor, got type f32; convert with Nx.asType first
 * ```
 */
export const idiv: BinaryFunction = binaryOf("idiv", (x, y) => {
  requireInteger("Nx.idiv", mergeTypes(x.type, y.type));
  return quotient(x, y);
});

/**
 * Gives what is left of the left tensor after dividing by the right one and rounding down; it has the sign of the right operand.
 *
 * `Nx.remainder` has the sign of the left one. Both are exact for floats, unlike `a - floor(a / b) * b`. A zero has the sign of
 * the right operand too; a zero divisor or an infinite dividend gives NaN for floats.
 *
 * @param left - a real tensor or number
 * @param right - the divisors; shapes broadcast, plain numbers are weak
 * @returns a tensor of the merged type with the merged names
 * @throws ArgumentError for an integer division by zero, and for complex operands
 * @example
 * ```ts
 * const t = Nx.tensor([-7, 7, 8], { names: ["x"] });
 * Nx.mod(t, 3);
 * // => #Nx.Tensor<
 * //   s64[x: 3]
 * //   [2, 1, 2]
 * // >
 * Nx.mod(t, -3);
 * // => #Nx.Tensor<
 * //   s64[x: 3]
 * //   [-1, -2, -1]
 * // >
 * Nx.remainder(t, 3);
 * // => #Nx.Tensor<
 * //   s64[x: 3]
 * //   [-1, 1, 2]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.mod(Nx.f32([1e10, -5, 5.5]), Nx.f32([3, Infinity, 0]));
 * // => #Nx.Tensor<
 * //   f32[3]
 * //   [1.0, Inf, NaN]
 * // >
 * Nx.mod(new Nx.Complex(1, 2), 2);
 * // throws ArgumentError: Nx.mod is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export const mod: BinaryFunction = binaryOf("mod", (x, y) => {
  const type = refuseComplex("mod", mergeTypes(x.type, y.type));
  return isInteger(type) ? modOfIntegers(x, y) : modOfReals(x, y, type);
});

function modOfIntegers(x: Tensor, y: Tensor): Tensor {
  const left = remainder(x, y);
  const isOff = logicalAnd(notEqual(left, 0), notEqual(less(left, 0), less(y, 0)));
  return where(isOff, add(left, y), left);
}

/** Integers beside floats are floats of 64 bits meanwhile: those without a sign could not change it. */
function modOfReals(x: Tensor, y: Tensor, type: DType): Tensor {
  if (!isInteger(x.type) && !isInteger(y.type)) return modOfFloats(x, y);
  return cast(modOfFloats(cast(x, "f64"), cast(y, "f64")), type);
}

/** By a positive divisor, after changing the signs of both where it is negative, which is exact. Adding 0 makes -0 to 0. */
function modOfFloats(x: Tensor, y: Tensor): Tensor {
  const isNegative = less(y, 0);
  const size = abs(y);
  const left = remainder(where(isNegative, negate(x), x), size);
  const raised = where(less(left, 0), add(left, size), add(left, 0));
  return where(isNegative, negate(raised), raised);
}

/**
 * Divides 1 by each element.
 *
 * @param tensor - a tensor or number of any type
 * @returns a float or complex tensor of the same shape and names; integers become `f32`
 * @example
 * ```ts
 * Nx.reciprocal(Nx.tensor([1, 2, 3, 4], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 4]
 * //   [1.0, 0.5, 0.33333334, 0.25]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.reciprocal(Nx.f32([0, -0, -Infinity]));
 * // => #Nx.Tensor<
 * //   f32[3]
 * //   [Inf, -Inf, -0.0]
 * // >
 * ```
 */
export const reciprocal: UnaryFunction = unaryOf("reciprocal", (x) => plainDivide(1, x));
