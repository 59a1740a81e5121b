/**
 * Sums, differences and products, whole quotients and remainders.
 */
import { ADD, MULTIPLY, QUOTIENT, REMAINDER, SUBTRACT } from "../../backends/ops";
import { binary, unaryOf, type BinaryFunction, type UnaryFunction } from "./core";

/**
 * Adds two tensors element by element.
 *
 * Integers wrap around at the width of their type. A plain number is weak: it takes the tensor's type where it fits that
 * type's kind, so that `u8 + 1` stays `u8` while `u8 + (-1)` becomes `s16` and `s64 + 1.5` becomes `f32`. A scalar tensor is
 * not weak. JavaScript has one number for `1` and `1.0`; write `Nx.f32(1)` for a float that happens to be whole.
 *
 * @param left - a tensor or number of any type
 * @param right - a tensor or number; shapes broadcast, aligned from the right
 * @returns a tensor of the merged type; a name of either operand wins over `null`
 * @throws ArgumentError where shapes do not broadcast or axes have different names
 * @example Numbers
 * ```ts
 * Nx.add(1, 2);
 * // => #Nx.Tensor<
 * //   s64
 * //   3
 * // >
 * Nx.add(1, 2.2);
 * // => #Nx.Tensor<
 * //   f32
 * //   3.2
 * // >
 * ```
 * @example A tensor and a number
 * ```ts
 * const t = Nx.tensor([1, 2, 3], { names: ["data"] });
 * Nx.add(t, 1);
 * // => #Nx.Tensor<
 * //   s64[data: 3]
 * //   [2, 3, 4]
 * // >
 * Nx.add(1, t);
 * // => #Nx.Tensor<
 * //   s64[data: 3]
 * //   [2, 3, 4]
 * // >
 * Nx.add(t, Nx.f32(1));
 * // => #Nx.Tensor<
 * //   f32[data: 3]
 * //   [2.0, 3.0, 4.0]
 * // >
 * Nx.add(Nx.f32([1, 2, 3], { names: ["data"] }), 1);
 * // => #Nx.Tensor<
 * //   f32[data: 3]
 * //   [2.0, 3.0, 4.0]
 * // >
 * Nx.add(Nx.u8([0, 1, 2], { names: ["data"] }), -1);
 * // => #Nx.Tensor<
 * //   s16[data: 3]
 * //   [-1, 0, 1]
 * // >
 * ```
 * @example Names merge, sizes of 1 stretch
 * ```ts
 * const left = Nx.tensor([[1, 2], [3, 4]], { names: ["x", "y"] });
 * const right = Nx.tensor([[10, 20], [30, 40]], { names: [null, "y"] });
 * Nx.add(left, right);
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 2]
 * //   [
 * //     [11, 22],
 * //     [33, 44]
 * //   ]
 * // >
 * const column = Nx.tensor([[1], [2]], { names: [null, "y"] });
 * const row = Nx.tensor([[10, 20]], { names: ["x", null] });
 * Nx.add(column, row);
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 2]
 * //   [
 * //     [11, 21],
 * //     [12, 22]
 * //   ]
 * // >
 * ```
 * @example What does not fit
 * ```ts
 * Nx.add(Nx.iota([2, 3], { names: ["x", "y"] }), Nx.iota([2]));
 * // throws ArgumentError: Nx.add cannot broadcast tensors of shapes [x: 2][y: 3] and [2]: axis "y" of size 3 meets axis 0 of size 2
 * ```
 */
export const add: BinaryFunction = binary(ADD);

/**
 * Subtracts the right tensor from the left one, element by element.
 *
 * Integers wrap around at the width of their type: `u8` has no negative numbers, so 1 - 2 is 255 there.
 *
 * @param left - a tensor or number of any type
 * @param right - what to take away; shapes broadcast, plain numbers are weak
 * @returns a tensor of the merged type with the merged names
 * @throws ArgumentError where shapes do not broadcast or axes have different names
 * @example
 * ```ts
 * Nx.subtract(Nx.tensor([1, 2, 3], { names: ["data"] }), 1);
 * // => #Nx.Tensor<
 * //   s64[data: 3]
 * //   [0, 1, 2]
 * // >
 * Nx.subtract(1, Nx.tensor([0.5, 1.5], { names: ["data"] }));
 * // => #Nx.Tensor<
 * //   f32[data: 2]
 * //   [0.5, -0.5]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.subtract(Nx.u8([1, 2]), Nx.u8(2));
 * // => #Nx.Tensor<
 * //   u8[2]
 * //   [255, 0]
 * // >
 * const left = Nx.s8([[1], [2]], { names: ["x", null] });
 * Nx.subtract(left, Nx.s8([[10, 20]], { names: [null, "y"] }));
 * // => #Nx.Tensor<
 * //   s8[x: 2][y: 2]
 * //   [
 * //     [-9, -19],
 * //     [-8, -18]
 * //   ]
 * // >
 * ```
 */
export const subtract: BinaryFunction = binary(SUBTRACT);

/**
 * Multiplies two tensors element by element.
 *
 * Integers wrap around at the width of their type, the 64-bit ones included, for which every bit of the product is right.
 *
 * @param left - a tensor or number of any type
 * @param right - a tensor or number; shapes broadcast, plain numbers are weak
 * @returns a tensor of the merged type with the merged names
 * @throws ArgumentError where shapes do not broadcast or axes have different names
 * @example
 * ```ts
 * Nx.multiply(Nx.tensor([1, 2, 3], { names: ["data"] }), 2.5);
 * // => #Nx.Tensor<
 * //   f32[data: 3]
 * //   [2.5, 5.0, 7.5]
 * // >
 * Nx.multiply(Nx.tensor([[1], [2]], { names: ["x", null] }), Nx.tensor([10, 20], { names: ["y"] }));
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 2]
 * //   [
 * //     [10, 20],
 * //     [20, 40]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.multiply(Nx.s8([100, -100]), Nx.s8(2));
 * // => #Nx.Tensor<
 * //   s8[2]
 * //   [-56, 56]
 * // >
 * Nx.multiply(new Nx.Complex(0, 1), new Nx.Complex(0, 1));
 * // => #Nx.Tensor<
 * //   c64
 * //   -1.0+0.0i
 * // >
 * ```
 */
export const multiply: BinaryFunction = binary(MULTIPLY);

/**
 * Divides integers and drops the fraction, so that the result lies towards zero: -7 and 2 give -3.
 *
 * The smallest signed integer divided by -1 wraps around to itself.
 *
 * @param left - an integer tensor or number
 * @param right - the integer divisors; shapes broadcast, plain numbers are weak
 * @returns an integer tensor of the merged type with the merged names
 * @throws ArgumentError for a zero among the divisors, and for float or complex operands
 * @example
 * ```ts
 * Nx.quotient(11, 2);
 * // => #Nx.Tensor<
 * //   s64
 * //   5
 * // >
 * Nx.quotient(Nx.tensor([-7, 7, 8], { names: ["data"] }), 2);
 * // => #Nx.Tensor<
 * //   s64[data: 3]
 * //   [-3, 3, 4]
 * // >
 * Nx.quotient(Nx.s8([-128, 100]), Nx.s8([-1, 3]));
 * // => #Nx.Tensor<
 * //   s8[2]
 * //   [-128, 33]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.quotient(Nx.tensor([1.5, 2.5]), 2);
 * // throws ArgumentError: Nx.quotient expects integer tensors as inputs and outputs an integer tensor, got type f32
 * ```
 */
export const quotient: BinaryFunction = binary(QUOTIENT);

/**
 * Gives what is left of the left tensor after dividing by the right one; it has the sign of the left operand.
 *
 * Floats follow C's `fmod`, which is exact. For floats a zero divisor or an infinite dividend gives NaN, while an infinite
 * divisor leaves the dividend as it is.
 *
 * @param left - a real tensor or number
 * @param right - the divisors; shapes broadcast, plain numbers are weak
 * @returns a tensor of the merged type with the merged names
 * @throws ArgumentError for an integer division by zero, and for complex operands
 * @example
 * ```ts
 * Nx.remainder(Nx.tensor([-7, 7, 8], { names: ["data"] }), 3);
 * // => #Nx.Tensor<
 * //   s64[data: 3]
 * //   [-1, 1, 2]
 * // >
 * Nx.remainder(5.5, Nx.tensor([2, -2, 0]));
 * // => #Nx.Tensor<
 * //   f32[3]
 * //   [1.5, 1.5, NaN]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.remainder(new Nx.Complex(1, 2), 2);
 * // throws ArgumentError: Nx.remainder is not defined for complex tensors, got type c64
 * ```
 */
export const remainder: BinaryFunction = binary(REMAINDER);

/**
 * Multiplies each element by itself.
 *
 * Integers wrap around at the width of their type.
 *
 * @param tensor - a tensor or number of any type
 * @returns a tensor of the same type, shape and names
 * @example
 * ```ts
 * Nx.square(Nx.tensor([-3, 0, 2.5], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [9.0, 0.0, 6.25]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.square(Nx.u8([15, 16]));
 * // => #Nx.Tensor<
 * //   u8[2]
 * //   [225, 0]
 * // >
 * Nx.square(new Nx.Complex(0, 1));
 * // => #Nx.Tensor<
 * //   c64
 * //   -1.0+0.0i
 * // >
 * ```
 */
export const square: UnaryFunction = unaryOf("square", (x) => multiply(x, x));
