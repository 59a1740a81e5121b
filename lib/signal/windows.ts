/**
 * Window functions: weights that let a stretch of a signal fade in and out, so that its spectrum does not smear. They are named and
 * computed as in SciPy's `scipy.signal.windows`, in double precision.
 */
import type { Unguessed } from "../core/axis-types";
import { defaultFloat } from "../core/default-types";
import { ArgumentError, show } from "../core/errors";
import { booleanOption, checkOptions } from "../core/options";
import type { Name } from "../core/shape";
import { checkName } from "../core/names";
import { normalizeType, type DType } from "../core/types";
import { iota } from "../nx/creation";
import { cast, constant } from "../nx/dispatch";
import { abs, add, cos, divide, exp, less, max, multiply, sin, sqrt, subtract, where } from "../nx/elementwise";
import { besselI0e } from "../special";
import type { Tensor } from "../tensor";

/** Options of window functions. */
export interface WindowOptions<M extends Name = Name> {
  /**
   * Whether the window is one period of a periodic one, as spectra want it: the first elements of the symmetric window of one element
   * more. Symmetric (false) when left out.
   */
  readonly periodic?: boolean;
  /** Name of the axis. */
  readonly name?: M;
  /** A float type; the default one when left out. */
  readonly type?: DType;
}

/** Options of `Nx.Signal.tukey`. */
export interface TukeyOptions<M extends Name = Name> extends WindowOptions<M> {
  /** The share of the window that fades in and out, from 0 (none) to 1 (all), 0.5 when left out. */
  readonly alpha?: number;
}

/** A window as a function of the positions 0, 1, ... among `last + 1`. */
type Shape = (position: Tensor, last: number) => Tensor;

const WINDOW_OPTIONS = ["periodic", "name", "type"] as const;

function made(
  name: string,
  length: number,
  options: WindowOptions | undefined,
  shape: Shape,
  allowed: readonly string[] = WINDOW_OPTIONS,
): Tensor {
  const fn = `Nx.Signal.${name}`;
  options = checkOptions(fn, options, allowed);
  if (!Number.isSafeInteger(length) || length < 1) {
    throw new ArgumentError(`${fn} expects its length as a positive integer, got: ${show(length)}`);
  }
  const isPeriodic = booleanOption(fn, "periodic", options?.periodic, false);
  const type = options?.type === undefined ? defaultFloat() : normalizeType(options.type);
  const names = [options?.name === undefined ? null : checkName(options.name)];
  const position: Tensor = iota([length], { type: "f64", names });
  const last = isPeriodic ? length : length - 1;
  return cast(length === 1 ? add(multiply(position, 0), 1) : shape(position, last), type);
}

/** A finite number that stands before the options. */
function parameter(fn: string, what: string, value: unknown, isFine: (x: number) => boolean = () => true): number {
  if (typeof value === "number" && Number.isFinite(value) && isFine(value)) return value;
  throw new ArgumentError(`Nx.Signal.${fn} expects ${what}, got: ${show(value)}`);
}

/** Sums of cosines: `c[0] - c[1] cos(x) + c[2] cos(2 x) - ...`, x from 0 to 2 pi. */
const cosines =
  (...coefficients: readonly number[]): Shape =>
  (position, last) =>
    coefficients
      .slice(1)
      .reduce<Tensor>(
        (sum, c, i) =>
          add(sum, multiply(cos(multiply(position, (2 * Math.PI * (i + 1)) / last)), i % 2 === 0 ? -c : c)),
        add(multiply(position, 0), coefficients[0]!),
      );

/** How far a position is from the middle, from 0 to 1. */
const fromMiddle = (position: Tensor, last: number): Tensor => abs(subtract(divide(position, last / 2), 1));

/**
 * Ones: no window at all.
 *
 * @param length - number of elements, at least 1
 * @param options - `periodic` for spectra, `name` of the axis, `type`
 * @returns weights of shape `[length]`
 * @throws ArgumentError for a length that is no positive integer
 * @example
 * ```ts
 * Nx.Signal.rectangular(4, { name: "time" });
 * // => #Nx.Tensor<
 * //   f32[time: 4]
 * //   [1.0, 1.0, 1.0, 1.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Signal.rectangular(0);
 * // throws ArgumentError: Nx.Signal.rectangular expects its length as a positive integer, got: 0
 * ```
 */
export function rectangular<const M extends Name = null>(
  length: number,
  options?: WindowOptions<M>,
): Tensor<readonly [Unguessed<M>]> {
  return made("rectangular", length, options, (position) => add(multiply(position, 0), 1)) as Tensor as Tensor<
    readonly [Unguessed<M>]
  >;
}

/**
 * A triangle from 0 to 1 and back to 0.
 *
 * @param length - number of elements, at least 1
 * @param options - `periodic` for spectra, `name` of the axis, `type`
 * @returns weights of shape `[length]`
 * @throws ArgumentError for a length that is no positive integer
 * @example
 * ```ts
 * Nx.Signal.bartlett(5, { name: "time" });
 * // => #Nx.Tensor<
 * //   f32[time: 5]
 * //   [0.0, 0.5, 1.0, 0.5, 0.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Signal.bartlett(0);
 * // throws ArgumentError: Nx.Signal.bartlett expects its length as a positive integer, got: 0
 * ```
 */
export function bartlett<const M extends Name = null>(
  length: number,
  options?: WindowOptions<M>,
): Tensor<readonly [Unguessed<M>]> {
  return made("bartlett", length, options, (position, last) =>
    subtract(1, fromMiddle(position, last)),
  ) as Tensor as Tensor<readonly [Unguessed<M>]>;
}

/**
 * A triangle that does not reach 0 at its ends.
 *
 * @param length - number of elements, at least 1
 * @param options - `periodic` for spectra, `name` of the axis, `type`
 * @returns weights of shape `[length]`
 * @throws ArgumentError for a length that is no positive integer
 * @example
 * ```ts
 * Nx.Signal.triangular(5, { name: "time" });
 * // => #Nx.Tensor<
 * //   f32[time: 5]
 * //   [0.33333334, 0.6666667, 1.0, 0.6666667, 0.33333334]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Signal.triangular(0);
 * // throws ArgumentError: Nx.Signal.triangular expects its length as a positive integer, got: 0
 * ```
 */
export function triangular<const M extends Name = null>(
  length: number,
  options?: WindowOptions<M>,
): Tensor<readonly [Unguessed<M>]> {
  return made("triangular", length, options, (position, last) => {
    const isOdd = last % 2 === 0;
    const middle = last / 2;
    return subtract(1, divide(abs(subtract(position, middle)), isOdd ? middle + 1 : middle + 0.5));
  }) as Tensor as Tensor<readonly [Unguessed<M>]>;
}

/**
 * Half a period of a sine, which does not reach 0 at its ends.
 *
 * @param length - number of elements, at least 1
 * @param options - `periodic` for spectra, `name` of the axis, `type`
 * @returns weights of shape `[length]`
 * @throws ArgumentError for a length that is no positive integer
 * @example
 * ```ts
 * Nx.Signal.cosine(4, { name: "time" });
 * // => #Nx.Tensor<
 * //   f32[time: 4]
 * //   [0.38268343, 0.9238795, 0.9238795, 0.38268343]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Signal.cosine(0);
 * // throws ArgumentError: Nx.Signal.cosine expects its length as a positive integer, got: 0
 * ```
 */
export function cosine<const M extends Name = null>(
  length: number,
  options?: WindowOptions<M>,
): Tensor<readonly [Unguessed<M>]> {
  return made("cosine", length, options, (position, last) =>
    sin(multiply(add(position, 0.5), Math.PI / (last + 1))),
  ) as Tensor as Tensor<readonly [Unguessed<M>]>;
}

/**
 * A raised cosine, after Hann: from 0 to 1 and back to 0, the usual window of spectra.
 *
 * @param length - number of elements, at least 1
 * @param options - `periodic` for spectra, `name` of the axis, `type`
 * @returns weights of shape `[length]`
 * @throws ArgumentError for a length that is no positive integer
 * @example
 * ```ts
 * Nx.Signal.hann(5, { name: "time" });
 * // => #Nx.Tensor<
 * //   f32[time: 5]
 * //   [0.0, 0.5, 1.0, 0.5, 0.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Signal.hann(0);
 * // throws ArgumentError: Nx.Signal.hann expects its length as a positive integer, got: 0
 * ```
 */
export function hann<const M extends Name = null>(
  length: number,
  options?: WindowOptions<M>,
): Tensor<readonly [Unguessed<M>]> {
  return made("hann", length, options, cosines(0.5, 0.5)) as Tensor as Tensor<readonly [Unguessed<M>]>;
}

/**
 * A raised cosine that does not reach 0, after Hamming: its nearest side lobe is low.
 *
 * @param length - number of elements, at least 1
 * @param options - `periodic` for spectra, `name` of the axis, `type`
 * @returns weights of shape `[length]`
 * @throws ArgumentError for a length that is no positive integer
 * @example
 * ```ts
 * Nx.Signal.hamming(5, { name: "time" });
 * // => #Nx.Tensor<
 * //   f32[time: 5]
 * //   [0.08, 0.54, 1.0, 0.54, 0.08]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Signal.hamming(0);
 * // throws ArgumentError: Nx.Signal.hamming expects its length as a positive integer, got: 0
 * ```
 */
export function hamming<const M extends Name = null>(
  length: number,
  options?: WindowOptions<M>,
): Tensor<readonly [Unguessed<M>]> {
  return made("hamming", length, options, cosines(0.54, 0.46)) as Tensor as Tensor<readonly [Unguessed<M>]>;
}

/**
 * Three cosines, after Blackman: side lobes of -58 dB.
 *
 * @param length - number of elements, at least 1
 * @param options - `periodic` for spectra, `name` of the axis, `type`
 * @returns weights of shape `[length]`
 * @throws ArgumentError for a length that is no positive integer
 * @example
 * ```ts
 * Nx.Signal.blackman(5, { name: "time" });
 * // => #Nx.Tensor<
 * //   f32[time: 5]
 * //   [-1.3877788e-17, 0.34, 1.0, 0.34, -1.3877788e-17]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Signal.blackman(0);
 * // throws ArgumentError: Nx.Signal.blackman expects its length as a positive integer, got: 0
 * ```
 */
export function blackman<const M extends Name = null>(
  length: number,
  options?: WindowOptions<M>,
): Tensor<readonly [Unguessed<M>]> {
  return made("blackman", length, options, cosines(0.42, 0.5, 0.08)) as Tensor as Tensor<readonly [Unguessed<M>]>;
}

/**
 * Four cosines with the least side lobes, after Nuttall: -93 dB.
 *
 * @param length - number of elements, at least 1
 * @param options - `periodic` for spectra, `name` of the axis, `type`
 * @returns weights of shape `[length]`
 * @throws ArgumentError for a length that is no positive integer
 * @example
 * ```ts
 * Nx.Signal.nuttall(5, { name: "time" });
 * // => #Nx.Tensor<
 * //   f32[time: 5]
 * //   [0.0003628, 0.2269824, 1.0, 0.2269824, 0.0003628]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Signal.nuttall(0);
 * // throws ArgumentError: Nx.Signal.nuttall expects its length as a positive integer, got: 0
 * ```
 */
export function nuttall<const M extends Name = null>(
  length: number,
  options?: WindowOptions<M>,
): Tensor<readonly [Unguessed<M>]> {
  return made("nuttall", length, options, cosines(0.3635819, 0.4891775, 0.1365995, 0.0106411)) as Tensor as Tensor<
    readonly [Unguessed<M>]
  >;
}

/**
 * Four cosines, after Blackman and Harris: side lobes of -92 dB.
 *
 * @param length - number of elements, at least 1
 * @param options - `periodic` for spectra, `name` of the axis, `type`
 * @returns weights of shape `[length]`
 * @throws ArgumentError for a length that is no positive integer
 * @example
 * ```ts
 * Nx.Signal.blackmanHarris(5, { name: "time" });
 * // => #Nx.Tensor<
 * //   f32[time: 5]
 * //   [6.0e-5, 0.21747, 1.0, 0.21747, 6.0e-5]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Signal.blackmanHarris(0);
 * // throws ArgumentError: Nx.Signal.blackmanHarris expects its length as a positive integer, got: 0
 * ```
 */
export function blackmanHarris<const M extends Name = null>(
  length: number,
  options?: WindowOptions<M>,
): Tensor<readonly [Unguessed<M>]> {
  return made("blackmanHarris", length, options, cosines(0.35875, 0.48829, 0.14128, 0.01168)) as Tensor as Tensor<
    readonly [Unguessed<M>]
  >;
}

/**
 * Five cosines with a flat top in the spectrum, which measures amplitudes of waves between two frequencies well; it has negative elements.
 *
 * @param length - number of elements, at least 1
 * @param options - `periodic` for spectra, `name` of the axis, `type`
 * @returns weights of shape `[length]`
 * @throws ArgumentError for a length that is no positive integer
 * @example
 * ```ts
 * Nx.Signal.flatTop(5, { name: "time" });
 * // => #Nx.Tensor<
 * //   f32[time: 5]
 * //   [-0.000421051, -0.05473684, 1.0, -0.05473684, -0.000421051]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Signal.flatTop(0);
 * // throws ArgumentError: Nx.Signal.flatTop expects its length as a positive integer, got: 0
 * ```
 */
export function flatTop<const M extends Name = null>(
  length: number,
  options?: WindowOptions<M>,
): Tensor<readonly [Unguessed<M>]> {
  return made(
    "flatTop",
    length,
    options,
    cosines(0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368),
  ) as Tensor as Tensor<readonly [Unguessed<M>]>;
}

/**
 * A window whose middle is flat and whose ends are those of a raised cosine, after Tukey.
 *
 * @param length - number of elements, at least 1
 * @param options - `alpha`, the share that fades in and out: 0 is `rectangular`, 1 is `hann`, 0.5 when left out; `periodic` for spectra, `name`
 *   of the axis, `type`
 * @returns weights of shape `[length]`
 * @throws ArgumentError for a length that is no positive integer, and an `alpha` that is not from 0 to 1
 * @example
 * ```ts
 * Nx.Signal.tukey(9, { name: "time" });
 * // => #Nx.Tensor<
 * //   f32[time: 9]
 * //   [0.0, 0.5, 1.0, 1.0, 1.0, 1.0, 1.0, 0.5, 0.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Signal.tukey(9, { alpha: 2 });
 * // throws ArgumentError: Nx.Signal.tukey expects option alpha as a number from 0 to 1, got: 2
 * ```
 */
export function tukey<const M extends Name = null>(
  length: number,
  options?: TukeyOptions<M>,
): Tensor<readonly [Unguessed<M>]> {
  const share = parameter(
    "tukey",
    "option alpha as a number from 0 to 1",
    options?.alpha ?? 0.5,
    (x) => x >= 0 && x <= 1,
  );
  const shape: Shape = (position, last) => {
    // from the nearer end, in units of a fade
    const end = divide(subtract(1, fromMiddle(position, last)), share === 0 ? 1 : share);
    const fade = multiply(subtract(1, cos(multiply(end, Math.PI))), 0.5);
    return share === 0 ? add(multiply(position, 0), 1) : where(less(end, 1), fade, 1);
  };
  return made("tukey", length, options, shape, [...WINDOW_OPTIONS, "alpha"]) as Tensor as Tensor<
    readonly [Unguessed<M>]
  >;
}

/**
 * A window whose spectrum has nearly as much as possible in its main lobe, after Kaiser: `I0(beta sqrt(1 - x^2)) / I0(beta)`.
 *
 * @param length - number of elements, at least 1
 * @param beta - how fast it fades: 0 is `rectangular`, 5 is like `hamming`, 8.6 like `blackman`
 * @param options - `periodic` for spectra, `name` of the axis, `type`
 * @returns weights of shape `[length]`
 * @throws ArgumentError for a length that is no positive integer, and a `beta` that is no finite number
 * @example
 * ```ts
 * Nx.Signal.kaiser(5, 8.6, { name: "time" });
 * // => #Nx.Tensor<
 * //   f32[time: 5]
 * //   [0.001332514, 0.34039363, 1.0, 0.34039363, 0.001332514]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Signal.kaiser(5, NaN);
 * // throws ArgumentError: Nx.Signal.kaiser expects beta as a finite number, got: NaN
 * ```
 */
export function kaiser<const M extends Name = null>(
  length: number,
  beta: number,
  options?: WindowOptions<M>,
): Tensor<readonly [Unguessed<M>]> {
  const size = Math.abs(parameter("kaiser", "beta as a finite number", beta));
  return made("kaiser", length, options, (position, last) => {
    const x = fromMiddle(position, last);
    const root = multiply(sqrt(max(subtract(1, multiply(x, x)), 0)), size);
    // both scaled by exponentials, of which the difference is left
    return divide(multiply(besselI0e(root), exp(subtract(root, size))), besselI0e(constant(size, "f64")));
  }) as Tensor as Tensor<readonly [Unguessed<M>]>;
}

/**
 * A bell, after Gauss: `exp(-x^2 / 2)`, x the distance from the middle in deviations.
 *
 * @param length - number of elements, at least 1
 * @param deviation - the standard deviation in elements
 * @param options - `periodic` for spectra, `name` of the axis, `type`
 * @returns weights of shape `[length]`
 * @throws ArgumentError for a length that is no positive integer, and a deviation that is no positive number
 * @example
 * ```ts
 * Nx.Signal.gaussian(5, 1, { name: "time" });
 * // => #Nx.Tensor<
 * //   f32[time: 5]
 * //   [0.13533528, 0.60653067, 1.0, 0.60653067, 0.13533528]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Signal.gaussian(5, 0);
 * // throws ArgumentError: Nx.Signal.gaussian expects the deviation as a positive number, got: 0
 * ```
 */
export function gaussian<const M extends Name = null>(
  length: number,
  deviation: number,
  options?: WindowOptions<M>,
): Tensor<readonly [Unguessed<M>]> {
  const size = parameter("gaussian", "the deviation as a positive number", deviation, (x) => x > 0);
  return made("gaussian", length, options, (position, last) => {
    const x = divide(subtract(position, last / 2), size);
    return exp(multiply(multiply(x, x), -0.5));
  }) as Tensor as Tensor<readonly [Unguessed<M>]>;
}

/** The windows without parameters, by their names. */
export const WINDOWS = {
  rectangular,
  bartlett,
  triangular,
  cosine,
  hann,
  hamming,
  blackman,
  nuttall,
  blackmanHarris,
  flatTop,
} as const;

/** The name of a window without parameters. */
export type WindowName = keyof typeof WINDOWS;
