/**
 * Sines, cosines, tangents and the angles they belong to.
 */
import { ACOS, ASIN, ATAN, ATAN2, COS, SIN, TAN } from "../../kernel/special/names";
import { binary, unary, type BinaryFunction, type UnaryFunction } from "./core";

/**
 * Takes the sine of each element, given in radians.
 *
 * Large arguments are reduced properly; infinities give NaN and -0 stays -0.
 *
 * @param tensor - a tensor or number of any type
 * @returns a float or complex tensor of the same shape and names; integers become `f32`
 * @example
 * ```ts
 * Nx.sin(1);
 * // => #Nx.Tensor<
 * //   f32
 * //   0.84147096
 * // >
 * Nx.sin(Nx.tensor([1, 2, 3], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.84147096, 0.9092974, 0.14112]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.sin(Nx.tensor([-0, Infinity, NaN]));
 * // => #Nx.Tensor<
 * //   f32[3]
 * //   [-0.0, NaN, NaN]
 * // >
 * ```
 */
export const sin: UnaryFunction = unary(SIN);

/**
 * Takes the cosine of each element, given in radians.
 *
 * Large arguments are reduced properly; infinities give NaN.
 *
 * @param tensor - a tensor or number of any type
 * @returns a float or complex tensor of the same shape and names; integers become `f32`
 * @example
 * ```ts
 * Nx.cos(1);
 * // => #Nx.Tensor<
 * //   f32
 * //   0.5403023
 * // >
 * Nx.cos(Nx.tensor([1, 2, 3], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.5403023, -0.41614684, -0.9899925]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.cos(Nx.tensor([0, Infinity, NaN]));
 * // => #Nx.Tensor<
 * //   f32[3]
 * //   [1.0, NaN, NaN]
 * // >
 * ```
 */
export const cos: UnaryFunction = unary(COS);

/**
 * Takes the tangent of each element, given in radians.
 *
 * Infinities give NaN and -0 stays -0.
 *
 * @param tensor - a tensor or number of any type
 * @returns a float or complex tensor of the same shape and names; integers become `f32`
 * @example
 * ```ts
 * Nx.tan(1);
 * // => #Nx.Tensor<
 * //   f32
 * //   1.5574077
 * // >
 * Nx.tan(Nx.tensor([1, 2, 3], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [1.5574077, -2.1850398, -0.14254655]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.tan(Nx.tensor([-0, Infinity, NaN]));
 * // => #Nx.Tensor<
 * //   f32[3]
 * //   [-0.0, NaN, NaN]
 * // >
 * ```
 */
export const tan: UnaryFunction = unary(TAN);

/**
 * Gives the angle, in radians from -pi/2 to pi/2, whose sine each element is.
 *
 * Numbers beyond -1 and 1 have none and give NaN; complex ones give the principal value.
 *
 * @param tensor - a tensor or number of any type
 * @returns a float or complex tensor of the same shape and names; integers become `f32`
 * @example
 * ```ts
 * Nx.asin(0.1);
 * // => #Nx.Tensor<
 * //   f32
 * //   0.10016742
 * // >
 * Nx.asin(Nx.tensor([0.1, 0.5, 0.9], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.10016742, 0.5235988, 1.1197695]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.asin(Nx.f64([-0, 1, 2]));
 * // => #Nx.Tensor<
 * //   f64[3]
 * //   [-0.0, 1.5707963267948966, NaN]
 * // >
 * ```
 */
export const asin: UnaryFunction = unary(ASIN);

/**
 * Gives the angle, in radians from 0 to pi, whose cosine each element is.
 *
 * Numbers beyond -1 and 1 have none and give NaN; complex ones give the principal value.
 *
 * @param tensor - a tensor or number of any type
 * @returns a float or complex tensor of the same shape and names; integers become `f32`
 * @example
 * ```ts
 * Nx.acos(0.1);
 * // => #Nx.Tensor<
 * //   f32
 * //   1.4706289
 * // >
 * Nx.acos(Nx.tensor([0.1, 0.5, 0.9], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [1.4706289, 1.0471976, 0.45102686]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.acos(Nx.f64([-1, 1, 2]));
 * // => #Nx.Tensor<
 * //   f64[3]
 * //   [3.141592653589793, 0.0, NaN]
 * // >
 * ```
 */
export const acos: UnaryFunction = unary(ACOS);

/**
 * Gives the angle, in radians from -pi/2 to pi/2, whose tangent each element is.
 *
 * Infinities give a right angle; see {@link atan2} for the angle of a point.
 *
 * @param tensor - a tensor or number of any type
 * @returns a float or complex tensor of the same shape and names; integers become `f32`
 * @example
 * ```ts
 * Nx.atan(0.1);
 * // => #Nx.Tensor<
 * //   f32
 * //   0.09966865
 * // >
 * Nx.atan(Nx.tensor([0.1, 0.5, 0.9], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.09966865, 0.4636476, 0.7328151]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.atan(Nx.f64([-0, Infinity, -Infinity]));
 * // => #Nx.Tensor<
 * //   f64[3]
 * //   [-0.0, 1.5707963267948966, -1.5707963267948966]
 * // >
 * ```
 */
export const atan: UnaryFunction = unary(ATAN);

/**
 * Gives the angle, in radians from -pi to pi, of the point whose vertical coordinate is on the left and whose horizontal one
 * is on the right.
 *
 * The signs of both decide the quadrant, those of zeros included.
 *
 * @param left - vertical coordinates, real
 * @param right - horizontal coordinates, real; shapes broadcast, plain numbers are weak
 * @returns a float tensor of the merged type, `f32` for integers, with the merged names
 * @throws ArgumentError for complex operands, and where shapes or names do not fit
 * @example
 * ```ts
 * Nx.atan2(1, 2);
 * // => #Nx.Tensor<
 * //   f32
 * //   0.4636476
 * // >
 * Nx.atan2(Nx.tensor([1, 2, 3], { names: ["data"] }), 1);
 * // => #Nx.Tensor<
 * //   f32[data: 3]
 * //   [0.7853982, 1.1071488, 1.2490457]
 * // >
 * Nx.atan2(1, Nx.f32([1, 2, 3], { names: ["data"] }));
 * // => #Nx.Tensor<
 * //   f32[data: 3]
 * //   [0.7853982, 0.4636476, 0.32175055]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.atan2(Nx.f64([[-0], [0]]), Nx.f64([-0, 0]));
 * // => #Nx.Tensor<
 * //   f64[2][2]
 * //   [
 * //     [-3.141592653589793, -0.0],
 * //     [3.141592653589793, 0.0]
 * //   ]
 * // >
 * Nx.atan2(new Nx.Complex(1, 2), 1);
 * // throws ArgumentError: Nx.atan2 is not defined for complex tensors, got type c64
 * ```
 */
export const atan2: BinaryFunction = binary(ATAN2);
