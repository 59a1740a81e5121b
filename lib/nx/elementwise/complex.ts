/**
 * Complex numbers: putting them together and taking them apart.
 */
import { COMPLEX, CONJUGATE, IMAG, REAL } from "../../backends/ops";
import { isComplex, toComplex } from "../../core/types";
import { binary, unary, unaryOf, type BinaryFunction, type UnaryFunction } from "./core";
import { atan2 } from "./trigonometric";
import { cast } from "../dispatch";

/**
 * Makes complex numbers of their real parts on the left and their imaginary parts on the right.
 *
 * @param left - real parts: a real tensor or number
 * @param right - imaginary parts: a real tensor or number; shapes broadcast
 * @returns a `c128` tensor where the merged type is `f64`, else `c64`, with the merged names
 * @throws ArgumentError for operands that are complex already, and where shapes or names do not fit
 * @example
 * ```ts
 * Nx.complex(Nx.tensor(1), Nx.tensor(2));
 * // => #Nx.Tensor<
 * //   c64
 * //   1.0+2.0i
 * // >
 * Nx.complex(Nx.tensor([1, 2]), Nx.tensor([3, 4]));
 * // => #Nx.Tensor<
 * //   c64[2]
 * //   [1.0+3.0i, 2.0+4.0i]
 * // >
 * Nx.complex(Nx.f64([1, 2], { names: ["x"] }), -0.5);
 * // => #Nx.Tensor<
 * //   c128[x: 2]
 * //   [1.0-0.5i, 2.0-0.5i]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.complex(new Nx.Complex(1, 2), 3);
 * // throws ArgumentError: Nx.complex is not defined for complex tensors, got type c64
 * ```
 */
export const complex: BinaryFunction = binary(COMPLEX);

/**
 * Takes the real part of each element. That of a real number is the number itself.
 *
 * @param tensor - a tensor or number of any type
 * @returns a float tensor of the same shape and names: `f32` for `c64` and integers, `f64` for `c128`, else the same type
 * @example
 * ```ts
 * Nx.real(new Nx.Complex(1, 2));
 * // => #Nx.Tensor<
 * //   f32
 * //   1.0
 * // >
 * Nx.real(Nx.tensor([new Nx.Complex(1, 2), new Nx.Complex(2, -4)], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [1.0, 2.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.real(1);
 * // => #Nx.Tensor<
 * //   f32
 * //   1.0
 * // >
 * Nx.real(Nx.bf16([1, 2.5]));
 * // => #Nx.Tensor<
 * //   bf16[2]
 * //   [1.0, 2.5]
 * // >
 * ```
 */
export const real: UnaryFunction = unary(REAL);

/**
 * Takes the imaginary part of each element, 0 for real numbers.
 *
 * @param tensor - a tensor or number of any type
 * @returns a float tensor of the same shape and names: `f32` for `c64` and integers, `f64` for `c128`, else the same type
 * @example
 * ```ts
 * Nx.imag(new Nx.Complex(1, 2));
 * // => #Nx.Tensor<
 * //   f32
 * //   2.0
 * // >
 * Nx.imag(Nx.tensor([new Nx.Complex(1, 2), new Nx.Complex(2, -4)], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [2.0, -4.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.imag(Nx.tensor([1, 2]));
 * // => #Nx.Tensor<
 * //   f32[2]
 * //   [0.0, 0.0]
 * // >
 * ```
 */
export const imag: UnaryFunction = unary(IMAG);

/**
 * Changes the sign of the imaginary part of each element. A real number becomes complex with the imaginary part 0.
 *
 * @param tensor - a tensor or number of any type
 * @returns a complex tensor of the same shape and names: `c128` for `f64` and `c128`, else `c64`
 * @example
 * ```ts
 * Nx.conjugate(new Nx.Complex(1, 2));
 * // => #Nx.Tensor<
 * //   c64
 * //   1.0-2.0i
 * // >
 * Nx.conjugate(Nx.tensor([new Nx.Complex(1, 2), new Nx.Complex(2, -4)], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   c64[x: 2]
 * //   [1.0-2.0i, 2.0+4.0i]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.conjugate(1);
 * // => #Nx.Tensor<
 * //   c64
 * //   1.0+0.0i
 * // >
 * ```
 */
export const conjugate: UnaryFunction = unaryOf("conjugate", (x) =>
  isComplex(x.type) ? conjugateParts(x) : cast(x, toComplex(x.type)),
);

/** Flips signs of imaginary parts; those of real numbers would become -0. */
const conjugateParts: UnaryFunction = unary(CONJUGATE);

/**
 * Gives the angle of each complex number, in radians from -pi to pi.
 *
 * Positive real numbers have the angle 0, negative ones pi.
 *
 * @param tensor - a tensor or number of any type
 * @returns a float tensor of the same shape and names: `f32` for `c64` and integers, `f64` for `c128`, else the same type
 * @example
 * ```ts
 * Nx.phase(new Nx.Complex(1, 2));
 * // => #Nx.Tensor<
 * //   f32
 * //   1.1071488
 * // >
 * Nx.phase(Nx.tensor([new Nx.Complex(1, 2), new Nx.Complex(3, -4)], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [1.1071488, -0.9272952]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.phase(Nx.f64([1, -1, 0, -0]));
 * // => #Nx.Tensor<
 * //   f64[4]
 * //   [0.0, 3.141592653589793, 0.0, 3.141592653589793]
 * // >
 * ```
 */
export const phase: UnaryFunction = unaryOf("phase", (x) => atan2(imag(x), real(x)));
