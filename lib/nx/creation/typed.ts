/**
 * One constructor per element type: `tensor` with that type given.
 */
import { checkOptions } from "../../core/options";
import type { Names } from "../../core/shape";
import type { DType } from "../../core/types";
import type { Tensor } from "../../tensor";
import { make, type NamesOfData, type TensorData, type TypedOptions } from "./tensor";

function typed<N extends Names>(type: DType, data: TensorData, options: TypedOptions<N> | undefined): Tensor<N> {
  const fn = `Nx.${type}`;
  options = checkOptions(fn, options, ["names", "backend"]);
  return make(fn, data, type, options) as Tensor<N>;
}

/**
 * A tensor of unsigned 8-bit integers, as pixels and comparison results are.
 *
 * @param data - whatever {@link tensor} takes; plain numbers and typed arrays are converted, a tensor must be `u8` already
 * @param options - `names`, `backend`
 * @returns a tensor of type `u8`
 * @throws ArgumentError for malformed data and names, and for fractions, NaN and infinities
 * @example
 * ```ts
 * Nx.u8([1, 2, 300], { names: ["x"] });
 * // => #Nx.Tensor<
 * //   u8[x: 3]
 * //   [1, 2, 44]
 * // >
 * Nx.u8([0.5]);
 * // throws ArgumentError: Nx.u8 cannot store 0.5 at [0] in the integer type u8
 * ```
 */
export function u8<D extends TensorData, const N extends Names = NamesOfData<D>>(
  data: D,
  options?: TypedOptions<N>,
): Tensor<N> {
  return typed("u8", data, options);
}

/**
 * A tensor of unsigned 16-bit integers.
 *
 * @param data - whatever {@link tensor} takes; plain numbers and typed arrays are converted, a tensor must be `u16` already
 * @param options - `names`, `backend`
 * @returns a tensor of type `u16`
 * @throws ArgumentError for malformed data and names, and for fractions, NaN and infinities
 * @example
 * ```ts
 * Nx.u16([1, 65536, -1], { names: ["x"] });
 * // => #Nx.Tensor<
 * //   u16[x: 3]
 * //   [1, 0, 65535]
 * // >
 * Nx.u16([0.5]);
 * // throws ArgumentError: Nx.u16 cannot store 0.5 at [0] in the integer type u16
 * ```
 */
export function u16<D extends TensorData, const N extends Names = NamesOfData<D>>(
  data: D,
  options?: TypedOptions<N>,
): Tensor<N> {
  return typed("u16", data, options);
}

/**
 * A tensor of unsigned 32-bit integers.
 *
 * @param data - whatever {@link tensor} takes; plain numbers and typed arrays are converted, a tensor must be `u32` already
 * @param options - `names`, `backend`
 * @returns a tensor of type `u32`
 * @throws ArgumentError for malformed data and names, and for fractions, NaN and infinities
 * @example
 * ```ts
 * Nx.u32([1, 2, -1], { names: ["x"] });
 * // => #Nx.Tensor<
 * //   u32[x: 3]
 * //   [1, 2, 4294967295]
 * // >
 * Nx.u32([0.5]);
 * // throws ArgumentError: Nx.u32 cannot store 0.5 at [0] in the integer type u32
 * ```
 */
export function u32<D extends TensorData, const N extends Names = NamesOfData<D>>(
  data: D,
  options?: TypedOptions<N>,
): Tensor<N> {
  return typed("u32", data, options);
}

/**
 * A tensor of unsigned 64-bit integers; bigints say those beyond 2^53 exactly.
 *
 * @param data - whatever {@link tensor} takes; plain numbers and typed arrays are converted, a tensor must be `u64` already
 * @param options - `names`, `backend`
 * @returns a tensor of type `u64`
 * @throws ArgumentError for malformed data and names, and for fractions, NaN and infinities
 * @example
 * ```ts
 * Nx.u64([1n, 18446744073709551615n], { names: ["x"] });
 * // => #Nx.Tensor<
 * //   u64[x: 2]
 * //   [1, 18446744073709551615]
 * // >
 * Nx.u64([0.5]);
 * // throws ArgumentError: Nx.u64 cannot store 0.5 at [0] in the integer type u64
 * ```
 */
export function u64<D extends TensorData, const N extends Names = NamesOfData<D>>(
  data: D,
  options?: TypedOptions<N>,
): Tensor<N> {
  return typed("u64", data, options);
}

/**
 * A tensor of signed 8-bit integers.
 *
 * @param data - whatever {@link tensor} takes; plain numbers and typed arrays are converted, a tensor must be `s8` already
 * @param options - `names`, `backend`
 * @returns a tensor of type `s8`
 * @throws ArgumentError for malformed data and names, and for fractions, NaN and infinities
 * @example
 * ```ts
 * Nx.s8([127, 128], { names: ["x"] });
 * // => #Nx.Tensor<
 * //   s8[x: 2]
 * //   [127, -128]
 * // >
 * Nx.s8([0.5]);
 * // throws ArgumentError: Nx.s8 cannot store 0.5 at [0] in the integer type s8
 * ```
 */
export function s8<D extends TensorData, const N extends Names = NamesOfData<D>>(
  data: D,
  options?: TypedOptions<N>,
): Tensor<N> {
  return typed("s8", data, options);
}

/**
 * A tensor of signed 16-bit integers.
 *
 * @param data - whatever {@link tensor} takes; plain numbers and typed arrays are converted, a tensor must be `s16` already
 * @param options - `names`, `backend`
 * @returns a tensor of type `s16`
 * @throws ArgumentError for malformed data and names, and for fractions, NaN and infinities
 * @example
 * ```ts
 * Nx.s16([32767, 32768], { names: ["x"] });
 * // => #Nx.Tensor<
 * //   s16[x: 2]
 * //   [32767, -32768]
 * // >
 * Nx.s16([0.5]);
 * // throws ArgumentError: Nx.s16 cannot store 0.5 at [0] in the integer type s16
 * ```
 */
export function s16<D extends TensorData, const N extends Names = NamesOfData<D>>(
  data: D,
  options?: TypedOptions<N>,
): Tensor<N> {
  return typed("s16", data, options);
}

/**
 * A tensor of signed 32-bit integers.
 *
 * @param data - whatever {@link tensor} takes; plain numbers and typed arrays are converted, a tensor must be `s32` already
 * @param options - `names`, `backend`
 * @returns a tensor of type `s32`
 * @throws ArgumentError for malformed data and names, and for fractions, NaN and infinities
 * @example
 * ```ts
 * Nx.s32([1, -2, true], { names: ["x"] });
 * // => #Nx.Tensor<
 * //   s32[x: 3]
 * //   [1, -2, 1]
 * // >
 * Nx.s32([0.5]);
 * // throws ArgumentError: Nx.s32 cannot store 0.5 at [0] in the integer type s32
 * ```
 */
export function s32<D extends TensorData, const N extends Names = NamesOfData<D>>(
  data: D,
  options?: TypedOptions<N>,
): Tensor<N> {
  return typed("s32", data, options);
}

/**
 * A tensor of signed 64-bit integers; bigints say those beyond 2^53 exactly.
 *
 * @param data - whatever {@link tensor} takes; plain numbers and typed arrays are converted, a tensor must be `s64` already
 * @param options - `names`, `backend`
 * @returns a tensor of type `s64`
 * @throws ArgumentError for malformed data and names, and for fractions, NaN and infinities
 * @example
 * ```ts
 * Nx.s64([1, -9223372036854775808n], { names: ["x"] });
 * // => #Nx.Tensor<
 * //   s64[x: 2]
 * //   [1, -9223372036854775808]
 * // >
 * Nx.s64([0.5]);
 * // throws ArgumentError: Nx.s64 cannot store 0.5 at [0] in the integer type s64
 * ```
 */
export function s64<D extends TensorData, const N extends Names = NamesOfData<D>>(
  data: D,
  options?: TypedOptions<N>,
): Tensor<N> {
  return typed("s64", data, options);
}

/**
 * A tensor of 16-bit floats, which have 11 significant bits and end at 65504.
 *
 * @param data - whatever {@link tensor} takes; plain numbers and typed arrays are converted, a tensor must be `f16` already
 * @param options - `names`, `backend`
 * @returns a tensor of type `f16`
 * @throws ArgumentError for malformed data and names, and for complex numbers
 * @example
 * ```ts
 * Nx.f16([1, 0.1, 65520], { names: ["x"] });
 * // => #Nx.Tensor<
 * //   f16[x: 3]
 * //   [1.0, 0.1, Inf]
 * // >
 * Nx.f16([new Nx.Complex(1, 2)]);
 * // throws ArgumentError: Nx.f16 cannot store a complex number at [0] in the real type f16
 * ```
 */
export function f16<D extends TensorData, const N extends Names = NamesOfData<D>>(
  data: D,
  options?: TypedOptions<N>,
): Tensor<N> {
  return typed("f16", data, options);
}

/**
 * A tensor of 16-bit brain floats, which have 8 significant bits and the range of `f32`.
 *
 * @param data - whatever {@link tensor} takes; plain numbers and typed arrays are converted, a tensor must be `bf16` already
 * @param options - `names`, `backend`
 * @returns a tensor of type `bf16`
 * @throws ArgumentError for malformed data and names, and for complex numbers
 * @example
 * ```ts
 * Nx.bf16([1, 0.1, 257], { names: ["x"] });
 * // => #Nx.Tensor<
 * //   bf16[x: 3]
 * //   [1.0, 0.1, 256.0]
 * // >
 * Nx.bf16([new Nx.Complex(1, 2)]);
 * // throws ArgumentError: Nx.bf16 cannot store a complex number at [0] in the real type bf16
 * ```
 */
export function bf16<D extends TensorData, const N extends Names = NamesOfData<D>>(
  data: D,
  options?: TypedOptions<N>,
): Tensor<N> {
  return typed("bf16", data, options);
}

/**
 * A tensor of 32-bit floats, also of integral value.
 *
 * @param data - whatever {@link tensor} takes; plain numbers and typed arrays are converted, a tensor must be `f32` already
 * @param options - `names`, `backend`
 * @returns a tensor of type `f32`
 * @throws ArgumentError for malformed data and names, and for complex numbers
 * @example
 * ```ts
 * Nx.f32([1, 2, 0.1], { names: ["x"] });
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [1.0, 2.0, 0.1]
 * // >
 * Nx.f32([new Nx.Complex(1, 2)]);
 * // throws ArgumentError: Nx.f32 cannot store a complex number at [0] in the real type f32
 * ```
 */
export function f32<D extends TensorData, const N extends Names = NamesOfData<D>>(
  data: D,
  options?: TypedOptions<N>,
): Tensor<N> {
  return typed("f32", data, options);
}

/**
 * A tensor of 64-bit floats, which hold any number as it is.
 *
 * @param data - whatever {@link tensor} takes; plain numbers and typed arrays are converted, a tensor must be `f64` already
 * @param options - `names`, `backend`
 * @returns a tensor of type `f64`
 * @throws ArgumentError for malformed data and names, and for complex numbers
 * @example
 * ```ts
 * Nx.f64([1, 0.1, 1e300], { names: ["x"] });
 * // => #Nx.Tensor<
 * //   f64[x: 3]
 * //   [1.0, 0.1, 1.0e300]
 * // >
 * Nx.f64([new Nx.Complex(1, 2)]);
 * // throws ArgumentError: Nx.f64 cannot store a complex number at [0] in the real type f64
 * ```
 */
export function f64<D extends TensorData, const N extends Names = NamesOfData<D>>(
  data: D,
  options?: TypedOptions<N>,
): Tensor<N> {
  return typed("f64", data, options);
}

/**
 * A tensor of complex numbers of two 32-bit floats.
 *
 * @param data - whatever {@link tensor} takes; plain numbers and typed arrays are converted, a tensor must be `c64` already
 * @param options - `names`, `backend`
 * @returns a tensor of type `c64`
 * @throws ArgumentError for malformed data and names
 * @example
 * ```ts
 * Nx.c64([1, new Nx.Complex(0, 2.5)], { names: ["x"] });
 * // => #Nx.Tensor<
 * //   c64[x: 2]
 * //   [1.0+0.0i, 0.0+2.5i]
 * // >
 * Nx.c64([[1], [2, 3]]);
 * // throws ArgumentError: Nx.c64 was given a ragged list
 * ```
 */
export function c64<D extends TensorData, const N extends Names = NamesOfData<D>>(
  data: D,
  options?: TypedOptions<N>,
): Tensor<N> {
  return typed("c64", data, options);
}

/**
 * A tensor of complex numbers of two 64-bit floats.
 *
 * @param data - whatever {@link tensor} takes; plain numbers and typed arrays are converted, a tensor must be `c128` already
 * @param options - `names`, `backend`
 * @returns a tensor of type `c128`
 * @throws ArgumentError for malformed data and names
 * @example
 * ```ts
 * Nx.c128([0.1, new Nx.Complex(0, -2)], { names: ["x"] });
 * // => #Nx.Tensor<
 * //   c128[x: 2]
 * //   [0.1+0.0i, 0.0-2.0i]
 * // >
 * Nx.c128([[1], [2, 3]]);
 * // throws ArgumentError: Nx.c128 was given a ragged list
 * ```
 */
export function c128<D extends TensorData, const N extends Names = NamesOfData<D>>(
  data: D,
  options?: TypedOptions<N>,
): Tensor<N> {
  return typed("c128", data, options);
}
