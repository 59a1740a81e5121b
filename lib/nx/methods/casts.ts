/**
 * Casts, which tensors have as methods: `t.f32()` is `t.asType("f32")`. The functions of these names make tensors of lists.
 */
import type { Names } from "../../core/shape";
import type { Operand, Tensor } from "../../tensor";
import { asType, type AsTypeOptions } from "../type";

/**
 * The elements as unsigned 8-bit integers: `t.u8()` is `t.asType("u8")`.
 *
 * @param tensor - any tensor
 * @param options - `overflow: "wrap"` takes finite floats out of range modulo the width of the type; else they become the nearest end of it
 * @returns a tensor of type `u8` with the shape and names of the given one; the same tensor if it has the type already
 * @example
 * ```ts
 * Nx.tensor([-1.5, 1.5, 1e30], { names: ["x"] }).u8();
 * // => #Nx.Tensor<
 * //   u8[x: 3]
 * //   [0, 1, 255]
 * // >
 *
 * // @ts-expect-error wrong on purpose
 * Nx.tensor([1.5]).u8({ overflow: "clip" });
 * // throws ArgumentError: Nx.u8: option overflow of Nx.asType must be one of "saturate", "wrap", got: "clip"
 * ```
 */
export const u8 = <N extends Names = readonly []>(tensor: Operand<N>, options?: AsTypeOptions): Tensor<N> =>
  asType(tensor, "u8", options);

/**
 * The elements as unsigned 16-bit integers: `t.u16()` is `t.asType("u16")`.
 *
 * @param tensor - any tensor
 * @param options - `overflow: "wrap"` takes finite floats out of range modulo the width of the type; else they become the nearest end of it
 * @returns a tensor of type `u16` with the shape and names of the given one; the same tensor if it has the type already
 * @example
 * ```ts
 * Nx.tensor([-1.5, 1.5, 1e30], { names: ["x"] }).u16();
 * // => #Nx.Tensor<
 * //   u16[x: 3]
 * //   [0, 1, 65535]
 * // >
 *
 * // @ts-expect-error wrong on purpose
 * Nx.tensor([1.5]).u16({ overflow: "clip" });
 * // throws ArgumentError: Nx.u16: option overflow of Nx.asType must be one of "saturate", "wrap", got: "clip"
 * ```
 */
export const u16 = <N extends Names = readonly []>(tensor: Operand<N>, options?: AsTypeOptions): Tensor<N> =>
  asType(tensor, "u16", options);

/**
 * The elements as unsigned 32-bit integers: `t.u32()` is `t.asType("u32")`.
 *
 * @param tensor - any tensor
 * @param options - `overflow: "wrap"` takes finite floats out of range modulo the width of the type; else they become the nearest end of it
 * @returns a tensor of type `u32` with the shape and names of the given one; the same tensor if it has the type already
 * @example
 * ```ts
 * Nx.tensor([-1.5, 1.5, 1e30], { names: ["x"] }).u32();
 * // => #Nx.Tensor<
 * //   u32[x: 3]
 * //   [0, 1, 4294967295]
 * // >
 *
 * // @ts-expect-error wrong on purpose
 * Nx.tensor([1.5]).u32({ overflow: "clip" });
 * // throws ArgumentError: Nx.u32: option overflow of Nx.asType must be one of "saturate", "wrap", got: "clip"
 * ```
 */
export const u32 = <N extends Names = readonly []>(tensor: Operand<N>, options?: AsTypeOptions): Tensor<N> =>
  asType(tensor, "u32", options);

/**
 * The elements as unsigned 64-bit integers: `t.u64()` is `t.asType("u64")`.
 *
 * @param tensor - any tensor
 * @param options - `overflow: "wrap"` takes finite floats out of range modulo the width of the type; else they become the nearest end of it
 * @returns a tensor of type `u64` with the shape and names of the given one; the same tensor if it has the type already
 * @example
 * ```ts
 * Nx.tensor([-1.5, 1.5, 1e30], { names: ["x"] }).u64();
 * // => #Nx.Tensor<
 * //   u64[x: 3]
 * //   [0, 1, 18446744073709551615]
 * // >
 *
 * // @ts-expect-error wrong on purpose
 * Nx.tensor([1.5]).u64({ overflow: "clip" });
 * // throws ArgumentError: Nx.u64: option overflow of Nx.asType must be one of "saturate", "wrap", got: "clip"
 * ```
 */
export const u64 = <N extends Names = readonly []>(tensor: Operand<N>, options?: AsTypeOptions): Tensor<N> =>
  asType(tensor, "u64", options);

/**
 * The elements as signed 8-bit integers: `t.s8()` is `t.asType("s8")`.
 *
 * @param tensor - any tensor
 * @param options - `overflow: "wrap"` takes finite floats out of range modulo the width of the type; else they become the nearest end of it
 * @returns a tensor of type `s8` with the shape and names of the given one; the same tensor if it has the type already
 * @example
 * ```ts
 * Nx.tensor([-1.5, 1.5, 1e30], { names: ["x"] }).s8();
 * // => #Nx.Tensor<
 * //   s8[x: 3]
 * //   [-1, 1, 127]
 * // >
 *
 * // @ts-expect-error wrong on purpose
 * Nx.tensor([1.5]).s8({ overflow: "clip" });
 * // throws ArgumentError: Nx.s8: option overflow of Nx.asType must be one of "saturate", "wrap", got: "clip"
 * ```
 */
export const s8 = <N extends Names = readonly []>(tensor: Operand<N>, options?: AsTypeOptions): Tensor<N> =>
  asType(tensor, "s8", options);

/**
 * The elements as signed 16-bit integers: `t.s16()` is `t.asType("s16")`.
 *
 * @param tensor - any tensor
 * @param options - `overflow: "wrap"` takes finite floats out of range modulo the width of the type; else they become the nearest end of it
 * @returns a tensor of type `s16` with the shape and names of the given one; the same tensor if it has the type already
 * @example
 * ```ts
 * Nx.tensor([-1.5, 1.5, 1e30], { names: ["x"] }).s16();
 * // => #Nx.Tensor<
 * //   s16[x: 3]
 * //   [-1, 1, 32767]
 * // >
 *
 * // @ts-expect-error wrong on purpose
 * Nx.tensor([1.5]).s16({ overflow: "clip" });
 * // throws ArgumentError: Nx.s16: option overflow of Nx.asType must be one of "saturate", "wrap", got: "clip"
 * ```
 */
export const s16 = <N extends Names = readonly []>(tensor: Operand<N>, options?: AsTypeOptions): Tensor<N> =>
  asType(tensor, "s16", options);

/**
 * The elements as signed 32-bit integers: `t.s32()` is `t.asType("s32")`.
 *
 * @param tensor - any tensor
 * @param options - `overflow: "wrap"` takes finite floats out of range modulo the width of the type; else they become the nearest end of it
 * @returns a tensor of type `s32` with the shape and names of the given one; the same tensor if it has the type already
 * @example
 * ```ts
 * Nx.tensor([-1.5, 1.5, 1e30], { names: ["x"] }).s32();
 * // => #Nx.Tensor<
 * //   s32[x: 3]
 * //   [-1, 1, 2147483647]
 * // >
 *
 * // @ts-expect-error wrong on purpose
 * Nx.tensor([1.5]).s32({ overflow: "clip" });
 * // throws ArgumentError: Nx.s32: option overflow of Nx.asType must be one of "saturate", "wrap", got: "clip"
 * ```
 */
export const s32 = <N extends Names = readonly []>(tensor: Operand<N>, options?: AsTypeOptions): Tensor<N> =>
  asType(tensor, "s32", options);

/**
 * The elements as signed 64-bit integers: `t.s64()` is `t.asType("s64")`.
 *
 * @param tensor - any tensor
 * @param options - `overflow: "wrap"` takes finite floats out of range modulo the width of the type; else they become the nearest end of it
 * @returns a tensor of type `s64` with the shape and names of the given one; the same tensor if it has the type already
 * @example
 * ```ts
 * Nx.tensor([-1.5, 1.5, 1e30], { names: ["x"] }).s64();
 * // => #Nx.Tensor<
 * //   s64[x: 3]
 * //   [-1, 1, 9223372036854775807]
 * // >
 *
 * // @ts-expect-error wrong on purpose
 * Nx.tensor([1.5]).s64({ overflow: "clip" });
 * // throws ArgumentError: Nx.s64: option overflow of Nx.asType must be one of "saturate", "wrap", got: "clip"
 * ```
 */
export const s64 = <N extends Names = readonly []>(tensor: Operand<N>, options?: AsTypeOptions): Tensor<N> =>
  asType(tensor, "s64", options);

/**
 * The elements as 16-bit floats: `t.f16()` is `t.asType("f16")`.
 *
 * @param tensor - any tensor
 * @returns a tensor of type `f16` with the shape and names of the given one; the same tensor if it has the type already
 * @example
 * ```ts
 * Nx.tensor([1, 2, 3], { names: ["x"] }).f16();
 * // => #Nx.Tensor<
 * //   f16[x: 3]
 * //   [1.0, 2.0, 3.0]
 * // >
 * ```
 */
export const f16 = <N extends Names = readonly []>(tensor: Operand<N>, options?: AsTypeOptions): Tensor<N> =>
  asType(tensor, "f16", options);

/**
 * The elements as brain floats: `t.bf16()` is `t.asType("bf16")`.
 *
 * @param tensor - any tensor
 * @returns a tensor of type `bf16` with the shape and names of the given one; the same tensor if it has the type already
 * @example
 * ```ts
 * Nx.tensor([1, 2, 3], { names: ["x"] }).bf16();
 * // => #Nx.Tensor<
 * //   bf16[x: 3]
 * //   [1.0, 2.0, 3.0]
 * // >
 * ```
 */
export const bf16 = <N extends Names = readonly []>(tensor: Operand<N>, options?: AsTypeOptions): Tensor<N> =>
  asType(tensor, "bf16", options);

/**
 * The elements as 32-bit floats: `t.f32()` is `t.asType("f32")`.
 *
 * @param tensor - any tensor
 * @returns a tensor of type `f32` with the shape and names of the given one; the same tensor if it has the type already
 * @example
 * ```ts
 * Nx.tensor([1, 2, 3], { names: ["x"] }).f32();
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [1.0, 2.0, 3.0]
 * // >
 * ```
 */
export const f32 = <N extends Names = readonly []>(tensor: Operand<N>, options?: AsTypeOptions): Tensor<N> =>
  asType(tensor, "f32", options);

/**
 * The elements as 64-bit floats: `t.f64()` is `t.asType("f64")`.
 *
 * @param tensor - any tensor
 * @returns a tensor of type `f64` with the shape and names of the given one; the same tensor if it has the type already
 * @example
 * ```ts
 * Nx.tensor([1, 2, 3], { names: ["x"] }).f64();
 * // => #Nx.Tensor<
 * //   f64[x: 3]
 * //   [1.0, 2.0, 3.0]
 * // >
 * ```
 */
export const f64 = <N extends Names = readonly []>(tensor: Operand<N>, options?: AsTypeOptions): Tensor<N> =>
  asType(tensor, "f64", options);

/**
 * The elements as complex numbers of two 32-bit floats: `t.c64()` is `t.asType("c64")`.
 *
 * @param tensor - any tensor
 * @returns a tensor of type `c64` with the shape and names of the given one; the same tensor if it has the type already
 * @example
 * ```ts
 * Nx.tensor([1, 2, 3], { names: ["x"] }).c64();
 * // => #Nx.Tensor<
 * //   c64[x: 3]
 * //   [1.0+0.0i, 2.0+0.0i, 3.0+0.0i]
 * // >
 * ```
 */
export const c64 = <N extends Names = readonly []>(tensor: Operand<N>, options?: AsTypeOptions): Tensor<N> =>
  asType(tensor, "c64", options);

/**
 * The elements as complex numbers of two 64-bit floats: `t.c128()` is `t.asType("c128")`.
 *
 * @param tensor - any tensor
 * @returns a tensor of type `c128` with the shape and names of the given one; the same tensor if it has the type already
 * @example
 * ```ts
 * Nx.tensor([1, 2, 3], { names: ["x"] }).c128();
 * // => #Nx.Tensor<
 * //   c128[x: 3]
 * //   [1.0+0.0i, 2.0+0.0i, 3.0+0.0i]
 * // >
 * ```
 */
export const c128 = <N extends Names = readonly []>(tensor: Operand<N>, options?: AsTypeOptions): Tensor<N> =>
  asType(tensor, "c128", options);
