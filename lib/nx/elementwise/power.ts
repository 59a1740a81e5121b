/**
 * Powers and roots.
 */
import { POW, SQRT } from "../../backends/ops";
import { isComplex, isInteger } from "../../core/types";
import { CBRT, RSQRT } from "../../kernel/special/names";
import type { Operand, Tensor } from "../../tensor";
import { isStrong, usable } from "../dispatch";
import { multiply } from "./arithmetic";
import { binary, named, unary, type BinaryFunction, type UnaryFunction } from "./core";
import { divide } from "./division";

const powerOf = binary(POW);

/** The largest plain exponent of integers whose powers are products: six of them at most, where a power takes 20 times as long as one. */
const PRODUCTS_TO = 15;

/** A power by squaring (Knuth, The Art of Computer Programming 2, 4.6.3). */
function product(x: Tensor, exponent: number): Tensor {
  if (exponent === 1) return x;
  const half = product(x, exponent >> 1);
  const square = multiply(half, half);
  return exponent % 2 === 0 ? square : multiply(square, x);
}

/** A power by a plain number that products or a quotient give without any further rounding; null for others. */
function plainPower(x: Tensor, exponent: number): Tensor | null {
  const { type } = x;
  const isFew = isInteger(type) && Number.isInteger(exponent) && exponent > 2 && exponent <= PRODUCTS_TO;
  if (exponent === 2 || isFew) return product(usable(x, "Nx.pow"), exponent);
  const isReciprocal = exponent === -1 && !isInteger(type) && !isComplex(type);
  return isReciprocal ? divide(1, usable(x, "Nx.pow")) : null;
}

/**
 * Raises the left tensor to the power of the right one, element by element.
 *
 * Two integers give an exact integer that wraps around at the width of the type, and 0 to the power 0 is 1. Floats follow C99:
 * anything to the power 0 and 1 to any power are 1, NaN included, and a negative number to a broken power is NaN. A plain 2 gives
 * the square and a plain -1 the reciprocal, rounded once.
 *
 * @param left - the bases, of any type
 * @param right - the exponents; shapes broadcast, plain numbers are weak
 * @returns a tensor of the merged type with the merged names
 * @throws ArgumentError for a negative exponent between integers, where the result would be no integer
 * @example
 * ```ts
 * Nx.pow(2, 4);
 * // => #Nx.Tensor<
 * //   s64
 * //   16
 * // >
 * Nx.pow(Nx.tensor([1, 2, 3], { names: ["data"] }), 2);
 * // => #Nx.Tensor<
 * //   s64[data: 3]
 * //   [1, 4, 9]
 * // >
 * Nx.pow(2, Nx.tensor([0.5, -1.5], { names: ["data"] }));
 * // => #Nx.Tensor<
 * //   f32[data: 2]
 * //   [1.4142135, 0.35355338]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.pow(Nx.tensor([[1], [2]], { names: ["x", null] }), Nx.tensor([[2, 3]], { names: [null, "y"] }));
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 2]
 * //   [
 * //     [1, 1],
 * //     [4, 8]
 * //   ]
 * // >
 * Nx.pow(-8, 1 / 3);
 * // => #Nx.Tensor<
 * //   f32
 * //   NaN
 * // >
 * ```
 */
export const pow: BinaryFunction = named("pow", (left: Operand, right: Operand): Tensor => {
  const known = typeof right === "number" && isStrong(left) ? plainPower(left, right) : null;
  return known ?? powerOf(left, right);
}) as BinaryFunction;

/**
 * Takes the square root of each element.
 *
 * Negative numbers give NaN, -0 stays -0. Complex numbers give the root whose real part is not negative.
 *
 * @param tensor - a tensor or number of any type
 * @returns a float or complex tensor of the same shape and names; integers become `f32`
 * @example
 * ```ts
 * Nx.sqrt(1);
 * // => #Nx.Tensor<
 * //   f32
 * //   1.0
 * // >
 * Nx.sqrt(Nx.tensor([1, 2, 3], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [1.0, 1.4142135, 1.7320508]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.sqrt(Nx.tensor([-4, Infinity]));
 * // => #Nx.Tensor<
 * //   f32[2]
 * //   [NaN, Inf]
 * // >
 * Nx.sqrt(new Nx.Complex(-3, 4));
 * // => #Nx.Tensor<
 * //   c64
 * //   1.0+2.0i
 * // >
 * ```
 */
export const sqrt: UnaryFunction = unary(SQRT);

/**
 * Takes 1 over the square root of each element, in one step and with one rounding.
 *
 * Zero gives an infinity of its own sign, negative numbers NaN, infinity 0.
 *
 * @param tensor - a tensor or number of any type
 * @returns a float or complex tensor of the same shape and names; integers become `f32`
 * @example
 * ```ts
 * Nx.rsqrt(1);
 * // => #Nx.Tensor<
 * //   f32
 * //   1.0
 * // >
 * Nx.rsqrt(Nx.tensor([1, 2, 3], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [1.0, 0.70710677, 0.57735026]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.rsqrt(Nx.tensor([0.25, 0, -0, -1, Infinity]));
 * // => #Nx.Tensor<
 * //   f32[5]
 * //   [2.0, Inf, -Inf, NaN, 0.0]
 * // >
 * ```
 */
export const rsqrt: UnaryFunction = unary(RSQRT);

/**
 * Takes the cube root of each element. Negative numbers have one too: that of -8 is -2, which {@link pow} does not find.
 *
 * @param tensor - a tensor or number of any type; complex numbers give the principal root
 * @returns a float or complex tensor of the same shape and names; integers become `f32`
 * @example
 * ```ts
 * Nx.cbrt(1);
 * // => #Nx.Tensor<
 * //   f32
 * //   1.0
 * // >
 * Nx.cbrt(Nx.tensor([1, 2, 3], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [1.0, 1.2599211, 1.4422495]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.cbrt(Nx.f64([-8, -0, 1e300]));
 * // => #Nx.Tensor<
 * //   f64[3]
 * //   [-2.0, -0.0, 1.0e100]
 * // >
 * ```
 */
export const cbrt: UnaryFunction = unary(CBRT);
