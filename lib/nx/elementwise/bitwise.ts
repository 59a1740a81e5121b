/**
 * Integers as patterns of bits: combining, shifting and counting them. Floats are refused, since their bits are no numbers.
 */
import {
  BITWISE_AND,
  BITWISE_NOT,
  BITWISE_OR,
  BITWISE_XOR,
  COUNT_LEADING_ZEROS,
  LEFT_SHIFT,
  POPULATION_COUNT,
  RIGHT_SHIFT,
} from "../../backends/ops";
import { binary, unary, type BinaryFunction, type UnaryFunction } from "./core";

/**
 * Combines integers bit by bit: a bit is set where it is set in both.
 *
 * Negative numbers are two's complement.
 *
 * @param left - an integer tensor or number
 * @param right - an integer tensor or number; shapes broadcast, plain numbers are weak
 * @returns an integer tensor of the merged type with the merged names
 * @throws ArgumentError for float or complex operands, and where shapes or names do not fit
 * @example
 * ```ts
 * Nx.bitwiseAnd(1, 0);
 * // => #Nx.Tensor<
 * //   s64
 * //   0
 * // >
 * Nx.bitwiseAnd(Nx.tensor([0, 1, 2], { names: ["data"] }), 1);
 * // => #Nx.Tensor<
 * //   s64[data: 3]
 * //   [0, 1, 0]
 * // >
 * Nx.bitwiseAnd(Nx.tensor([0, -1, -2], { names: ["data"] }), -1);
 * // => #Nx.Tensor<
 * //   s64[data: 3]
 * //   [0, -1, -2]
 * // >
 * Nx.bitwiseAnd(Nx.tensor([0, 0, 1, 1], { names: ["data"] }), Nx.tensor([0, 1, 0, 1]));
 * // => #Nx.Tensor<
 * //   s64[data: 4]
 * //   [0, 0, 0, 1]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.bitwiseAnd(Nx.tensor([0, 0, 1, 1]), 1.5);
 * // throws ArgumentError: Nx.bitwiseAnd expects integer tensors as inputs and outputs an integer tensor, got type f32
 * ```
 */
export const bitwiseAnd: BinaryFunction = binary(BITWISE_AND);

/**
 * Combines integers bit by bit: a bit is set where it is set in either or both.
 *
 * Negative numbers are two's complement.
 *
 * @param left - an integer tensor or number
 * @param right - an integer tensor or number; shapes broadcast, plain numbers are weak
 * @returns an integer tensor of the merged type with the merged names
 * @throws ArgumentError for float or complex operands, and where shapes or names do not fit
 * @example
 * ```ts
 * Nx.bitwiseOr(1, 0);
 * // => #Nx.Tensor<
 * //   s64
 * //   1
 * // >
 * Nx.bitwiseOr(Nx.tensor([0, 1, 2], { names: ["data"] }), 1);
 * // => #Nx.Tensor<
 * //   s64[data: 3]
 * //   [1, 1, 3]
 * // >
 * Nx.bitwiseOr(Nx.tensor([0, -1, -2], { names: ["data"] }), -1);
 * // => #Nx.Tensor<
 * //   s64[data: 3]
 * //   [-1, -1, -1]
 * // >
 * Nx.bitwiseOr(Nx.tensor([0, 0, 1, 1], { names: ["data"] }), Nx.tensor([0, 1, 0, 1], { names: ["data"] }));
 * // => #Nx.Tensor<
 * //   s64[data: 4]
 * //   [0, 1, 1, 1]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.bitwiseOr(Nx.tensor([0, 0, 1, 1]), 1.5);
 * // throws ArgumentError: Nx.bitwiseOr expects integer tensors as inputs and outputs an integer tensor, got type f32
 * ```
 */
export const bitwiseOr: BinaryFunction = binary(BITWISE_OR);

/**
 * Combines integers bit by bit: a bit is set where it is set in one of them but not in both.
 *
 * Negative numbers are two's complement.
 *
 * @param left - an integer tensor or number
 * @param right - an integer tensor or number; shapes broadcast, plain numbers are weak
 * @returns an integer tensor of the merged type with the merged names
 * @throws ArgumentError for float or complex operands, and where shapes or names do not fit
 * @example
 * ```ts
 * Nx.bitwiseXor(1, 0);
 * // => #Nx.Tensor<
 * //   s64
 * //   1
 * // >
 * Nx.bitwiseXor(Nx.tensor([1, 2, 3], { names: ["data"] }), 2);
 * // => #Nx.Tensor<
 * //   s64[data: 3]
 * //   [3, 0, 1]
 * // >
 * Nx.bitwiseXor(Nx.tensor([-1, -2, -3], { names: ["data"] }), 2);
 * // => #Nx.Tensor<
 * //   s64[data: 3]
 * //   [-3, -4, -1]
 * // >
 * Nx.bitwiseXor(Nx.tensor([0, 0, 1, 1]), Nx.tensor([0, 1, 0, 1], { names: ["data"] }));
 * // => #Nx.Tensor<
 * //   s64[data: 4]
 * //   [0, 1, 1, 0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.bitwiseXor(Nx.tensor([0, 0, 1, 1]), 1.5);
 * // throws ArgumentError: Nx.bitwiseXor expects integer tensors as inputs and outputs an integer tensor, got type f32
 * ```
 */
export const bitwiseXor: BinaryFunction = binary(BITWISE_XOR);

/**
 * Flips every bit of each element.
 *
 * A signed x becomes -x - 1, an unsigned one what it lacks to the largest number of its type.
 *
 * @param tensor - an integer tensor or number
 * @returns an integer tensor of the same type, shape and names
 * @throws ArgumentError for float or complex operands
 * @example
 * ```ts
 * Nx.bitwiseNot(1);
 * // => #Nx.Tensor<
 * //   s64
 * //   -2
 * // >
 * Nx.bitwiseNot(Nx.s8([-1, 0, 1], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   s8[x: 3]
 * //   [0, -1, -2]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.bitwiseNot(Nx.u8([0, 1, 254, 255], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   u8[x: 4]
 * //   [255, 254, 1, 0]
 * // >
 * Nx.bitwiseNot(Nx.f32([0, 1]));
 * // throws ArgumentError: Nx.bitwiseNot expects integer tensors as inputs and outputs an integer tensor, got type f32
 * ```
 */
export const bitwiseNot: UnaryFunction = unary(BITWISE_NOT);

/**
 * Moves the bits of each element to the left: multiplies by a power of two.
 *
 * Bits that leave the type are lost, so that a shift by its width or more gives 0.
 *
 * @param left - an integer tensor or number
 * @param right - by how many bits, integers of at least 0; shapes broadcast, plain numbers are weak
 * @returns an integer tensor of the merged type with the merged names
 * @throws ArgumentError for a negative count, and for float or complex operands
 * @example
 * ```ts
 * Nx.leftShift(1, 0);
 * // => #Nx.Tensor<
 * //   s64
 * //   1
 * // >
 * Nx.leftShift(Nx.tensor([1, 2, 3], { names: ["data"] }), 2);
 * // => #Nx.Tensor<
 * //   s64[data: 3]
 * //   [4, 8, 12]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.leftShift(Nx.u8([1, 1, 3], { names: ["data"] }), Nx.u8([1, 2, 7]));
 * // => #Nx.Tensor<
 * //   u8[data: 3]
 * //   [2, 4, 128]
 * // >
 * Nx.leftShift(Nx.s8([1, -1]), Nx.s8([8, 7]));
 * // => #Nx.Tensor<
 * //   s8[2]
 * //   [0, -128]
 * // >
 * Nx.leftShift(Nx.tensor([1, 2]), 1.5);
 * // throws ArgumentError: Nx.leftShift expects integer tensors as inputs and outputs an integer tensor, got type f32
 * ```
 */
export const leftShift: BinaryFunction = binary(LEFT_SHIFT);

/**
 * Moves the bits of each element to the right: divides by a power of two, rounding down.
 *
 * Signed numbers keep their sign, unsigned ones are filled with zeros. A shift by the width or more leaves 0, or -1 of a
 * negative number.
 *
 * @param left - an integer tensor or number
 * @param right - by how many bits, integers of at least 0; shapes broadcast, plain numbers are weak
 * @returns an integer tensor of the merged type with the merged names
 * @throws ArgumentError for a negative count, and for float or complex operands
 * @example
 * ```ts
 * Nx.rightShift(1, 0);
 * // => #Nx.Tensor<
 * //   s64
 * //   1
 * // >
 * Nx.rightShift(Nx.tensor([2, 4, 8], { names: ["data"] }), 2);
 * // => #Nx.Tensor<
 * //   s64[data: 3]
 * //   [0, 1, 2]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.rightShift(Nx.s8([-128, -128, 64], { names: ["data"] }), Nx.s8([3, 100, 100]));
 * // => #Nx.Tensor<
 * //   s8[data: 3]
 * //   [-16, -1, 0]
 * // >
 * Nx.rightShift(Nx.u8([128, 255]), 4);
 * // => #Nx.Tensor<
 * //   u8[2]
 * //   [8, 15]
 * // >
 * Nx.rightShift(Nx.tensor([1, 2]), 1.5);
 * // throws ArgumentError: Nx.rightShift expects integer tensors as inputs and outputs an integer tensor, got type f32
 * ```
 */
export const rightShift: BinaryFunction = binary(RIGHT_SHIFT);

/**
 * Counts the zero bits above the highest set bit of each element.
 *
 * The width of the type matters: 1 has 7 of them in `s8` and 63 in `s64`. Negative numbers have none.
 *
 * @param tensor - an integer tensor or number
 * @returns an integer tensor of the same type, shape and names
 * @throws ArgumentError for float or complex operands
 * @example
 * ```ts
 * Nx.countLeadingZeros(1);
 * // => #Nx.Tensor<
 * //   s64
 * //   63
 * // >
 * Nx.countLeadingZeros(-1);
 * // => #Nx.Tensor<
 * //   s64
 * //   0
 * // >
 * Nx.countLeadingZeros(Nx.tensor([0, 0xf, 0xff, 0xffff], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   s64[x: 4]
 * //   [64, 60, 56, 48]
 * // >
 * Nx.countLeadingZeros(Nx.tensor([0xf000000000000000n, 0x0f00000000000000n], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   s64[x: 2]
 * //   [0, 4]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.countLeadingZeros(Nx.s32([0, 0xf, 0xff, 0xffff], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   s32[x: 4]
 * //   [32, 28, 24, 16]
 * // >
 * Nx.countLeadingZeros(Nx.s16([0, 0xf, 0xff, 0xffff], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   s16[x: 4]
 * //   [16, 12, 8, 0]
 * // >
 * Nx.countLeadingZeros(Nx.s8([0, 1, 2, 4, 8, 16, 32, 64, -1, -128], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   s8[x: 10]
 * //   [8, 7, 6, 5, 4, 3, 2, 1, 0, 0]
 * // >
 * Nx.countLeadingZeros(Nx.u8([0, 1, 2, 4, 8, 16, 32, 64, 128], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   u8[x: 9]
 * //   [8, 7, 6, 5, 4, 3, 2, 1, 0]
 * // >
 * Nx.countLeadingZeros(Nx.f32([0, 1]));
 * // throws ArgumentError: Nx.countLeadingZeros expects integer tensors as inputs and outputs an integer tensor, got type f32
 * ```
 */
export const countLeadingZeros: UnaryFunction = unary(COUNT_LEADING_ZEROS);

/**
 * Counts the set bits of each element.
 *
 * Negative numbers count in two's complement, so that -1 has as many as its type has bits.
 *
 * @param tensor - an integer tensor or number
 * @returns an integer tensor of the same type, shape and names
 * @throws ArgumentError for float or complex operands
 * @example
 * ```ts
 * Nx.populationCount(1);
 * // => #Nx.Tensor<
 * //   s64
 * //   1
 * // >
 * Nx.populationCount(-128);
 * // => #Nx.Tensor<
 * //   s64
 * //   57
 * // >
 * Nx.populationCount(Nx.tensor([0, 0xf, 0xff, 0xffff], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   s64[x: 4]
 * //   [0, 4, 8, 16]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.populationCount(Nx.s8([0, 1, -1, -128], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   s8[x: 4]
 * //   [0, 1, 8, 1]
 * // >
 * Nx.populationCount(Nx.f32([0, 1]));
 * // throws ArgumentError: Nx.populationCount expects integer tensors as inputs and outputs an integer tensor, got type f32
 * ```
 */
export const populationCount: UnaryFunction = unary(POPULATION_COUNT);
