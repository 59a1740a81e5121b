/**
 * Frequencies of discrete Fourier transforms, and the order in which they stand.
 */
import type { AxesOf, Unguessed } from "../../core/axis-types";
import { defaultFloat } from "../../core/default-types";
import { ArgumentError, show } from "../../core/errors";
import { checkOptions, type SomeAxes } from "../../core/options";
import { checkName } from "../../core/names";
import { resolveAxes, type Axis, type AxisList, type Name, type Names } from "../../core/shape";
import { normalizeType, type DType } from "../../core/types";
import type { Operand, Tensor } from "../../tensor";
import { iota } from "../creation";
import { apart, asTensor, cast } from "../dispatch";
import { divide, greaterEqual, subtract, where } from "../elementwise";
import { roll } from "../shape";

/** Options of `Nx.fftfreq` and `Nx.rfftfreq`. */
export interface FrequencyOptions<M extends Name = Name> {
  /** Time between two samples, the inverse of the sampling rate; 1 when left out. */
  readonly spacing?: number;
  /** Name of the axis. */
  readonly name?: M;
  /** A float type; the default one when left out. */
  readonly type?: DType;
}

/** Options of `Nx.fftshift` and `Nx.ifftshift`. */
export type ShiftOptions<A = Axis | AxisList> = SomeAxes<A>;

/**
 * The frequencies of the elements of `Nx.fft`, in its order: 0, then positive ones, then negative ones.
 *
 * @param length - number of elements that are transformed
 * @param options - `spacing` of the samples, `name` of the axis, `type`
 * @returns cycles per unit of `spacing`, of shape `[length]`
 * @throws ArgumentError for a length that is no positive integer, and a spacing that is 0 or no finite number
 * @example
 * ```ts
 * Nx.fftfreq(5, { spacing: 0.1, name: "frequency" });
 * // => #Nx.Tensor<
 * //   f32[frequency: 5]
 * //   [0.0, 2.0, 4.0, -4.0, -2.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.fftfreq(0);
 * // throws ArgumentError: Nx.fftfreq expects the length of the transform as a positive integer, got: 0
 * ```
 */
export function fftfreq<const M extends Name = null>(
  length: number,
  options?: FrequencyOptions<M>,
): Tensor<readonly [Unguessed<M>]> {
  const order = (k: Tensor): Tensor => where(greaterEqual(k, Math.ceil(length / 2)), subtract(k, length), k);
  return frequencies("Nx.fftfreq", length, () => length, options, order) as Tensor as Tensor<readonly [Unguessed<M>]>;
}

/**
 * The frequencies of the elements of `Nx.rfft`: 0 and positive ones.
 *
 * @param length - number of elements that are transformed
 * @param options - `spacing` of the samples, `name` of the axis, `type`
 * @returns cycles per unit of `spacing`, of shape `[length / 2 + 1]` (rounded down)
 * @throws ArgumentError for a length that is no positive integer, and a spacing that is 0 or no finite number
 * @example
 * ```ts
 * Nx.rfftfreq(8, { spacing: 1 / 8, name: "hertz" });
 * // => #Nx.Tensor<
 * //   f32[hertz: 5]
 * //   [0.0, 1.0, 2.0, 3.0, 4.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.rfftfreq(8, { spacing: 0 });
 * // throws ArgumentError: option spacing of Nx.rfftfreq must be a finite number other than 0, got: 0
 * ```
 */
export function rfftfreq<const M extends Name = null>(
  length: number,
  options?: FrequencyOptions<M>,
): Tensor<readonly [Unguessed<M>]> {
  const count = (): number => Math.floor(length / 2) + 1;
  return frequencies("Nx.rfftfreq", length, count, options, (k) => k) as Tensor as Tensor<readonly [Unguessed<M>]>;
}

function frequencies(
  fn: string,
  length: number,
  count: () => number,
  options: FrequencyOptions | undefined,
  order: (k: Tensor) => Tensor,
): Tensor {
  options = checkOptions(fn, options, ["spacing", "name", "type"]);
  if (!Number.isSafeInteger(length) || length < 1) {
    throw new ArgumentError(`${fn} expects the length of the transform as a positive integer, got: ${show(length)}`);
  }
  const spacing: unknown = options?.spacing ?? 1;
  if (typeof spacing !== "number" || !Number.isFinite(spacing) || spacing === 0) {
    throw new ArgumentError(`option spacing of ${fn} must be a finite number other than 0, got: ${show(spacing)}`);
  }
  const type = options?.type === undefined ? defaultFloat() : normalizeType(options.type);
  const name = options?.name === undefined ? null : checkName(options.name);
  const k: Tensor = iota([count()], { type: "f64", names: [name] });
  return cast(divide(order(k), length * spacing), type);
}

/**
 * Puts frequency 0 in the middle of what `Nx.fft` and `Nx.fftfreq` give, the negative ones before it.
 *
 * @param tensor - a tensor of any type and shape
 * @param options - `axes` of frequencies, one or a list, by names or positions; all when left out
 * @returns a tensor of the same type, shape and names
 * @throws ArgumentError for axes that the tensor does not have
 * @example
 * ```ts
 * Nx.fftshift(Nx.fftfreq(4, { spacing: 0.25, name: "frequency" }));
 * // => #Nx.Tensor<
 * //   f32[frequency: 4]
 * //   [-2.0, -1.0, 0.0, 1.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.fftshift(Nx.iota([4]), { axes: [1] });
 * // throws ArgumentError: Nx.fftshift: given axis (1) invalid for shape [4] with rank 1
 * ```
 */
export function fftshift<N extends Names = readonly []>(
  tensor: Operand<N>,
  options?: AxesOf<N> | ShiftOptions<AxesOf<N>>,
): Tensor<N> {
  return shifted("Nx.fftshift", tensor, options, Math.floor) as Tensor<N>;
}

/**
 * Takes `Nx.fftshift` back: puts frequency 0 first. For axes of odd sizes the two differ.
 *
 * @param tensor - a tensor of any type and shape
 * @param options - `axes` of frequencies, one or a list, by names or positions; all when left out
 * @returns a tensor of the same type, shape and names
 * @throws ArgumentError for axes that the tensor does not have
 * @example
 * ```ts
 * const t = Nx.tensor([-2, -1, 0, 1, 2], { names: ["frequency"] });
 * Nx.ifftshift(t);
 * // => #Nx.Tensor<
 * //   s64[frequency: 5]
 * //   [0, 1, 2, -2, -1]
 * // >
 * Nx.ifftshift(Nx.fftshift(t)).equal(t).all();
 * // => #Nx.Tensor<
 * //   u8
 * //   1
 * // >
 * ```
 * @example
 * ```ts
 * Nx.ifftshift(Nx.iota([4]), { axes: [1] });
 * // throws ArgumentError: Nx.ifftshift: given axis (1) invalid for shape [4] with rank 1
 * ```
 */
export function ifftshift<N extends Names = readonly []>(
  tensor: Operand<N>,
  options?: AxesOf<N> | ShiftOptions<AxesOf<N>>,
): Tensor<N> {
  return shifted("Nx.ifftshift", tensor, options, Math.ceil) as Tensor<N>;
}

function shifted(
  fn: string,
  tensor: Operand,
  given: Axis | AxisList | ShiftOptions | undefined,
  half: (places: number) => number,
): Tensor {
  const options = checkOptions<ShiftOptions>(fn, given, ["axes"]);
  const t: Tensor = asTensor(tensor, fn);
  const axes = options?.axes === undefined ? t.shape.map((_, i) => i) : resolveAxes(options.axes, t.shape, t.names);
  return apart(
    axes.reduce<Tensor>((x, axis) => roll(x, half(t.shape[axis]! / 2), { axis }), t),
    t,
  );
}
