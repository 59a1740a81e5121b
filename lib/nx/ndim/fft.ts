/**
 * Discrete Fourier transforms.
 */
import type { AxisOf, Spectrum, Spectrum2 } from "../../core/axis-types";
import { FFT } from "../../backends/primitives";
import { ArgumentError, show } from "../../core/errors";
import { isListOf } from "../../core/lists";
import { checkName, uniqueNames } from "../../core/names";
import { checkOptions, checkPlace, type AlsoAxes, type AlsoAxis, type More } from "../../core/options";
import {
  checkSize,
  formatShape,
  resolveAxes,
  resolveAxis,
  type Axis,
  type AxisList,
  type Name,
  type Names,
  type Shape,
} from "../../core/shape";
import { isComplex, toComplex, toReal, type DType } from "../../core/types";
import type { Operand, Tensor } from "../../tensor";
import { padAlong, sliceAlong } from "../aggregates/core";
import { renamed } from "../creation/tensor";
import { asTensor, cast, run, template } from "../dispatch";
import { conjugate, real } from "../elementwise";
import { reverse } from "./sort";

/** Number of elements to transform: cut or filled up with zeros to a length, or to the next power of two. */
export type FftLength = number | "powerOfTwo";

/** Options of the Fourier transforms along one axis. */
export interface FftOptions<A = Axis, M = Name> extends AlsoAxes<A> {
  /** Axis to transform, by position (negative from the end) or by name; the last when left out. */
  readonly axis?: A;
  /** Name of the axis of the result; that of the operand when left out. */
  readonly name?: M;
  /** Elements to transform; those of the axis when left out. */
  readonly length?: FftLength;
  /** Real and imaginary parts of at most this magnitude become 0; `1e-10` when left out. */
  readonly eps?: number;
}

/** Options of the Fourier transforms along two axes. */
export interface Fft2Options<A = readonly [Axis, Axis], M = readonly [Name, Name]> extends AlsoAxis<A> {
  /** The two axes to transform; the last two when left out. */
  readonly axes?: A;
  /** Names of these axes of the result; those of the operand when left out. */
  readonly names?: M;
  /** Elements to transform along each of them; those of the axes when left out. */
  readonly lengths?: readonly [FftLength, FftLength];
  /** Real and imaginary parts of at most this magnitude become 0; `1e-10` when left out. */
  readonly eps?: number;
}

const ONE_AXIS: readonly string[] = ["axis", "name", "length", "eps"];
const TWO_AXES: readonly string[] = ["axes", "names", "lengths", "eps"];
const DEFAULT_EPS = 1e-10;

/**
 * The discrete Fourier transform along an axis, for any length in O(n log n).
 *
 * Element `k` is the sum of `x[j] * exp(-2 pi i j k / n)` over all `j`. It is computed in double precision and rounded once.
 * Parts of at most `eps` become 0, as in Nx; `eps: 0` keeps them all.
 *
 * @param tensor - numbers of any type and a shape of at least one axis
 * @param options - see {@link FftOptions}; `name` is the name of the axis of the result,
 *   which is that of the operand when left out
 * @returns complex numbers, `c128` for `f64` and `c128`, else `c64`; the shape with the length along the axis; the names
 * @throws ArgumentError for an axis the tensor does not have, and a length that is no positive integer
 * @example
 * ```ts
 * Nx.fft(Nx.tensor([1, 1, 0, 0]));
 * // => #Nx.Tensor<
 * //   c64[4]
 * //   [2.0+0.0i, 1.0-1.0i, 0.0+0.0i, 1.0+1.0i]
 * // >
 * Nx.fft(Nx.tensor([1, 1, 0, 0, 2, 3]), { length: "powerOfTwo" }).shape;
 * // => [8]
 * ```
 * @example
 * ```ts
 * const t = Nx.tensor([[1, 0], [1, 2]], { names: ["time", "channel"] });
 * Nx.fft(t, { axis: "time" });
 * // => #Nx.Tensor<
 * //   c64[time: 2][channel: 2]
 * //   [
 * //     [2.0+0.0i, 2.0+0.0i],
 * //     [0.0+0.0i, -2.0+0.0i]
 * //   ]
 * // >
 * Nx.fft(t, { length: 0 });
 * // throws ArgumentError: option length of Nx.fft must be a positive integer or "powerOfTwo", got: 0
 * ```
 */
export function fft<
  N extends Names = readonly [],
  const A extends AxisOf<N> | undefined = undefined,
  const M extends Name = never,
>(
  tensor: Operand<N>,
  options?: A | FftOptions<A, M>,
  ...more: More<FftOptions<undefined, M>>
): Tensor<Spectrum<N, A, M>>;
export function fft(tensor: Operand, options?: Axis | FftOptions): Tensor {
  return transformOne("Nx.fft", tensor, options, false);
}

/**
 * The inverse of the discrete Fourier transform along an axis: the sum of `x[j] * exp(2 pi i j k / n)`, divided by `n`.
 *
 * @param tensor - numbers of any type and a shape of at least one axis
 * @param options - see {@link FftOptions}; `name` is the name of the axis of the result,
 *   which is that of the operand when left out
 * @returns complex numbers, `c128` for `f64` and `c128`, else `c64`; the shape with the length along the axis; the names
 * @throws ArgumentError for an axis the tensor does not have, and a length that is no positive integer
 * @example
 * ```ts
 * Nx.ifft(Nx.tensor([5, 5, 5, 5, 5]));
 * // => #Nx.Tensor<
 * //   c64[5]
 * //   [5.0+0.0i, 0.0+0.0i, 0.0+0.0i, 0.0+0.0i, 0.0+0.0i]
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.tensor([1, 2, 4], { names: ["time"] });
 * Nx.ifft(Nx.fft(t));
 * // => #Nx.Tensor<
 * //   c64[time: 3]
 * //   [1.0+0.0i, 2.0+0.0i, 4.0+0.0i]
 * // >
 * Nx.ifft(1);
 * // throws ArgumentError: Nx.ifft: given axis (-1) invalid for shape [] with rank 0; a scalar has no axes
 * ```
 */
export function ifft<
  N extends Names = readonly [],
  const A extends AxisOf<N> | undefined = undefined,
  const M extends Name = never,
>(
  tensor: Operand<N>,
  options?: A | FftOptions<A, M>,
  ...more: More<FftOptions<undefined, M>>
): Tensor<Spectrum<N, A, M>>;
export function ifft(tensor: Operand, options?: Axis | FftOptions): Tensor {
  return transformOne("Nx.ifft", tensor, options, true);
}

/**
 * The discrete Fourier transform along two axes.
 *
 * @param tensor - numbers of any type and a shape of at least two axes
 * @param options - see {@link Fft2Options}; `names` are the names of the two axes of the result,
 *   which are those of the operand when left out
 * @returns complex numbers, `c128` for `f64` and `c128`, else `c64`; the shape with the lengths along the axes; the names
 * @throws ArgumentError for axes the tensor does not have, and lengths that are no positive integers
 * @example
 * ```ts
 * Nx.fft2(Nx.tensor([[1, 0], [0, 1]], { names: ["y", "x"] }));
 * // => #Nx.Tensor<
 * //   c64[y: 2][x: 2]
 * //   [
 * //     [2.0+0.0i, 0.0+0.0i],
 * //     [0.0+0.0i, 2.0+0.0i]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.fft2(Nx.iota([3]));
 * // throws ArgumentError: Nx.fft2 expects a tensor of at least two axes, got shape [3]
 * ```
 */
export function fft2<
  N extends Names = readonly [],
  const A extends readonly [AxisOf<N>, AxisOf<N>] = never,
  const M extends readonly [Name, Name] = never,
>(
  tensor: Operand<N>,
  options?: A | Fft2Options<A, M>,
  ...more: More<Fft2Options<never, M>>
): Tensor<Spectrum2<N, A, M>>;
export function fft2(tensor: Operand, options?: AxisList | Fft2Options): Tensor {
  return transformTwo("Nx.fft2", tensor, options, false);
}

/**
 * The inverse of the discrete Fourier transform along two axes.
 *
 * @param tensor - numbers of any type and a shape of at least two axes
 * @param options - see {@link Fft2Options}; `names` are the names of the two axes of the result,
 *   which are those of the operand when left out
 * @returns complex numbers, `c128` for `f64` and `c128`, else `c64`; the shape with the lengths along the axes; the names
 * @throws ArgumentError for axes the tensor does not have, and lengths that are no positive integers
 * @example
 * ```ts
 * const t = Nx.tensor([[1, 2], [3, 4]], { names: ["y", "x"] });
 * Nx.ifft2(Nx.fft2(t));
 * // => #Nx.Tensor<
 * //   c64[y: 2][x: 2]
 * //   [
 * //     [1.0+0.0i, 2.0+0.0i],
 * //     [3.0+0.0i, 4.0+0.0i]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.ifft2(Nx.iota([2, 2]), { lengths: [2, -1] });
 * // throws ArgumentError: option lengths of Nx.ifft2 must be a positive integer or "powerOfTwo" for each axis, got: [2, -1]
 * ```
 */
export function ifft2<
  N extends Names = readonly [],
  const A extends readonly [AxisOf<N>, AxisOf<N>] = never,
  const M extends readonly [Name, Name] = never,
>(
  tensor: Operand<N>,
  options?: A | Fft2Options<A, M>,
  ...more: More<Fft2Options<never, M>>
): Tensor<Spectrum2<N, A, M>>;
export function ifft2(tensor: Operand, options?: AxisList | Fft2Options): Tensor {
  return transformTwo("Nx.ifft2", tensor, options, true);
}

/**
 * The first half of the discrete Fourier transform of real numbers along an axis, `n / 2 + 1` elements (rounded down); the
 * others are their conjugates in opposite order.
 *
 * @param tensor - real numbers and a shape of at least one axis
 * @param options - see {@link FftOptions}; `name` is the name of the axis of the result,
 *   which is that of the operand when left out
 * @returns complex numbers, `c128` for `f64`, else `c64`; the shape with `n / 2 + 1` along the axis; the names
 * @throws ArgumentError for complex tensors, an axis the tensor does not have, and a length that is no positive integer
 * @example
 * ```ts
 * Nx.rfft(Nx.tensor([1, 1, 0, 0], { names: ["time"] }));
 * // => #Nx.Tensor<
 * //   c64[time: 3]
 * //   [2.0+0.0i, 1.0-1.0i, 0.0+0.0i]
 * // >
 * Nx.rfft(Nx.f32([1, 2, 3, 4], { names: ["time"] }), { name: "frequency" }).names;
 * // => ["frequency"]
 * ```
 * @example
 * ```ts
 * Nx.rfft(Nx.c64([1, 2]));
 * // throws ArgumentError: Nx.rfft expects real numbers, got type c64; use Nx.fft
 * ```
 */
export function rfft<
  N extends Names = readonly [],
  const A extends AxisOf<N> | undefined = undefined,
  const M extends Name = never,
>(
  tensor: Operand<N>,
  options?: A | FftOptions<A, M>,
  ...more: More<FftOptions<undefined, M>>
): Tensor<Spectrum<N, A, M>>;
export function rfft(tensor: Operand, options?: Axis | FftOptions): Tensor {
  const fn = "Nx.rfft";
  const choice = checkOptions<FftOptions>(fn, options, ONE_AXIS);
  const t = asTensor(tensor, fn);
  if (isComplex(t.type)) throw new ArgumentError(`${fn} expects real numbers, got type ${t.type}; use Nx.fft`);
  const axis = axisOf(fn, t, options, choice);
  const length = readLength(fn, choice?.length, t.shape[axis]!);
  const eps = readEps(fn, choice?.eps);
  return titled(halfSpectrum(resized(t, axis, length), axis, eps), [axis], [choice?.name]);
}

/**
 * The inverse of `Nx.rfft`: real numbers of which the first half of the discrete Fourier transform is given.
 *
 * @param tensor - numbers of any type and a shape of at least one axis
 * @param options - see {@link FftOptions}; `length` of the result, `2 * (n - 1)` when left out: an odd length must be given
 * @returns real numbers, `f64` for `f64` and `c128`, else `f32`; the shape with the length along the axis; the names
 * @throws ArgumentError for an axis the tensor does not have, and a length that is no positive integer
 * @example
 * ```ts
 * const t = Nx.tensor([1, 2, 4], { names: ["time"] });
 * Nx.irfft(Nx.rfft(t), { length: 3 });
 * // => #Nx.Tensor<
 * //   f32[time: 3]
 * //   [1.0, 2.0, 4.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.irfft(Nx.tensor([1]));
 * // throws ArgumentError: Nx.irfft of one element needs the length of its result as a number: give option length, 1 for the
 * ```
 */
export function irfft<
  N extends Names = readonly [],
  const A extends AxisOf<N> | undefined = undefined,
  const M extends Name = never,
>(
  tensor: Operand<N>,
  options?: A | FftOptions<A, M>,
  ...more: More<FftOptions<undefined, M>>
): Tensor<Spectrum<N, A, M>>;
export function irfft(tensor: Operand, options?: Axis | FftOptions): Tensor {
  const fn = "Nx.irfft";
  const choice = checkOptions<FftOptions>(fn, options, ONE_AXIS);
  const t = asTensor(tensor, fn);
  const axis = axisOf(fn, t, options, choice);
  const given = t.shape[axis]!;
  if (given === 1 && (choice?.length === undefined || choice.length === "powerOfTwo")) {
    throw new ArgumentError(
      `${fn} of one element needs the length of its result as a number: give option length, 1 for the rfft of one element`,
    );
  }
  const length = readLength(fn, choice?.length, 2 * (given - 1));
  const half = resized(cast(t, toComplex(t.type)), axis, Math.floor(length / 2) + 1);
  const eps = readEps(fn, choice?.eps);
  return titled(fromHalfSpectrum(half, axis, length, eps), [axis], [choice?.name]);
}

const resizedShape = (t: Tensor, axis: number, length: number): Shape =>
  Object.freeze(t.shape.map((size, i) => (i === axis ? length : size)));

/** The first half of the transform of real numbers: of an even count by a transform half as long. */
export function halfSpectrum(t: Tensor, axis: number, eps: number, type: DType = toComplex(t.type)): Tensor {
  const length = t.shape[axis]!;
  const count = Math.floor(length / 2) + 1;
  if (length % 2 !== 0) return sliceAlong(transformAlong(t, axis, false, eps, type), axis, 0, count);
  const numbers = t.type === "f32" || t.type === "f64" ? t : cast(t, "f64");
  const out = template(type, resizedShape(t, axis, count), t.names);
  return run(FFT, out, [numbers], { axis, inverse: false, eps, half: true });
}

/** Real numbers of which the first half of the transform is given: of an even count by a transform half as long. */
export function fromHalfSpectrum(half: Tensor, axis: number, length: number, eps: number): Tensor {
  if (length % 2 !== 0) return real(transformAlong(mirrored(half, axis, length), axis, true, eps));
  const out = template(toReal(half.type), resizedShape(half, axis, length), half.names);
  return run(FFT, out, [half], { axis, inverse: true, eps, half: true });
}

/** A spectrum of `length` elements of real numbers, from its first half. */
function mirrored(half: Tensor, axis: number, length: number): Tensor {
  const missing = length - half.shape[axis]!;
  if (missing === 0) return half;
  const rest = conjugate(reverse(sliceAlong(half, axis, 1, missing), { axes: [axis] }));
  return run("concatenate", template(half.type, resizedShape(half, axis, length), half.names), [half, rest], { axis });
}

/** The axis of a transform, the last when left out. NumPy has a length in the place of options. */
function axisOf(fn: string, t: Tensor, given: Axis | FftOptions | undefined, options: FftOptions | undefined): number {
  checkPlace(fn, given, t, "length");
  return resolveAxis(options?.axis === undefined ? -1 : options.axis, t.shape, t.names);
}

function transformOne(fn: string, tensor: Operand, given: Axis | FftOptions | undefined, inverse: boolean): Tensor {
  const options = checkOptions<FftOptions>(fn, given, ONE_AXIS);
  const t = asTensor(tensor, fn);
  const axis = axisOf(fn, t, given, options);
  const length = readLength(fn, options?.length, t.shape[axis]!);
  const result = transformAlong(resized(t, axis, length), axis, inverse, readEps(fn, options?.eps));
  return titled(result, [axis], [options?.name]);
}

function transformTwo(
  fn: string,
  tensor: Operand,
  given: AxisList | Fft2Options | undefined,
  inverse: boolean,
): Tensor {
  const options = checkOptions<Fft2Options>(fn, given, TWO_AXES);
  const t = asTensor(tensor, fn);
  if (t.shape.length < 2) {
    throw new ArgumentError(`${fn} expects a tensor of at least two axes, got shape ${formatShape(t.shape, t.names)}`);
  }
  const axes = resolveAxes(options?.axes === undefined ? [-2, -1] : options.axes, t.shape, t.names);
  if (axes.length !== 2)
    throw new ArgumentError(`option axes of ${fn} must list two axes, got: ${show(options?.axes)}`);
  const lengths = readLengths(fn, options?.lengths);
  const eps = readEps(fn, options?.eps);
  const [outer, inner] = axes as [number, number];
  const sized = [outer, inner].reduce((x, axis, i) => resized(x, axis, readLength(fn, lengths[i], t.shape[axis]!)), t);
  const lines = transformAlong(sized, inner, inverse, 0, "c128"); // rounded once, at the end
  const names: unknown = options?.names ?? [undefined, undefined];
  if (!Array.isArray(names) || names.length !== 2) {
    throw new ArgumentError(`option names of ${fn} must list two names, got: ${show(names)}`);
  }
  return titled(transformAlong(lines, outer, inverse, eps, toComplex(t.type)), axes, names);
}

/** The tensor with other names of some axes; those that are not given stay. */
export function titled(t: Tensor, axes: readonly number[], given: readonly unknown[]): Tensor {
  if (given.every((name) => name === undefined)) return t;
  const names = t.names.slice();
  axes.forEach((axis, i) => {
    if (given[i] !== undefined) names[axis] = checkName(given[i]);
  });
  return renamed(t, uniqueNames(Object.freeze(names), t.shape));
}

const transformAlong = (
  t: Tensor,
  axis: number,
  inverse: boolean,
  eps: number,
  type: DType = toComplex(t.type),
): Tensor => run(FFT, template(type, t.shape, t.names), [t], { axis, inverse, eps, half: false });

/** Cut at the end, or filled up there with zeros. */
export function resized(t: Tensor, axis: number, length: number): Tensor {
  const size = t.shape[axis]!;
  if (length === size) return t;
  if (length < size) return sliceAlong(t, axis, 0, length);
  checkSize(
    t.shape.map((dim, i) => (i === axis ? length : dim)),
    "the result of a Fourier transform, shape",
  );
  return padAlong(t, axis, 0, length - size);
}

const isLength = (value: unknown): value is FftLength =>
  value === "powerOfTwo" || (typeof value === "number" && Number.isSafeInteger(value) && value >= 1);

function readLength(fn: string, value: unknown, size: number): number {
  if (value === undefined) return size;
  if (!isLength(value)) {
    throw new ArgumentError(`option length of ${fn} must be a positive integer or "powerOfTwo", got: ${show(value)}`);
  }
  return value === "powerOfTwo" ? 2 ** Math.ceil(Math.log2(size)) : value;
}

function readLengths(fn: string, value: unknown): readonly (FftLength | undefined)[] {
  if (value === undefined) return [undefined, undefined];
  if (isListOf(value, isLength) && value.length === 2) return value as FftLength[];
  throw new ArgumentError(
    `option lengths of ${fn} must be a positive integer or "powerOfTwo" for each axis, got: ${show(value)}`,
  );
}

function readEps(fn: string, value: unknown): number {
  if (value === undefined) return DEFAULT_EPS;
  if (typeof value === "number" && value >= 0) return value;
  throw new ArgumentError(`option eps of ${fn} must be a number of at least 0, got: ${show(value)}`);
}
