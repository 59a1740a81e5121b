/**
 * Standard scores and higher moments: zscore, skewness, kurtosis. Computed in double precision and rounded once.
 */
import type { AxesOf, Reduced } from "../core/axis-types";
import { booleanOption, checkOptions, integerOption, type NanPolicy, type More } from "../core/options";
import { unchecked } from "../core/promotion-scope";
import type { Axis, AxisList, Names } from "../core/shape";
import { toFloating } from "../core/types";
import { refuseComplex } from "../ops";
import type { Operand, Tensor } from "../tensor";
import type { AxesChoice } from "./aggregates";
import { AXES_OPTIONS, keeping, readAxes, reduceOver, type Reduction } from "./aggregates/core";
import { countsOf, filled, missingIn } from "./aggregates/missing";
import { distancesFromMean } from "./aggregates/statistics";
import { asTensor, cast, constant } from "./dispatch";
import { add, divide, greater, multiply, pow, sqrt, subtract, where } from "./elementwise";

/** Options of `Nx.zscore`. */
export interface ZscoreOptions<A = Axis | AxisList | undefined> {
  /** Axes whose elements belong together, one or a list, by position or name; all of them when left out. */
  readonly axes?: A;
  /** The same as `axes`. */
  readonly axis?: A;
  /** What is taken off the number of elements in the divisor of the variance; 0 when left out. */
  readonly ddof?: number;
  /** `"skip"` leaves NaN out, as missing values, which stay NaN. */
  readonly nan?: NanPolicy;
}

/** Options of `Nx.skewness`. */
export interface MomentOptions<A, K> extends AxesChoice<A, K> {
  /** Whether moments are those of the elements (true, when left out), or estimates from a sample, corrected for bias. */
  readonly bias?: boolean;
}

/** Options of `Nx.kurtosis`. */
export interface KurtosisOptions<A, K> extends MomentOptions<A, K> {
  /** Whether 3 is taken off, so that a normal distribution has 0 (Fisher's definition, when left out), or not (Pearson's). */
  readonly fisher?: boolean;
}

/**
 * Standard scores: how many standard deviations each element lies above the mean, as `scipy.stats.zscore`.
 *
 * @param tensor - real numbers of any shape
 * @param options - `axes` whose elements belong together, all when left out; `ddof` as for the variance; `nan`: `"skip"` leaves NaN out of
 *   mean and deviation
 * @returns a float tensor of the same shape and names, `f32` for integers; NaN where nothing varies
 * @throws ArgumentError for an axis that the tensor does not have, and for complex numbers
 * @example
 * ```ts
 * const t = Nx.tensor([[1, 2, 3], [10, 20, 30]], { names: ["x", "y"] });
 * Nx.zscore(t, { axes: ["y"] });
 * // => #Nx.Tensor<
 * //   f32[x: 2][y: 3]
 * //   [
 * //     [-1.2247449, 0.0, 1.2247449],
 * //     [-1.2247449, 0.0, 1.2247449]
 * //   ]
 * // >
 * Nx.zscore(Nx.f32([1, NaN, 3]), { ddof: 1, nan: "skip" });
 * // => #Nx.Tensor<
 * //   f32[3]
 * //   [-0.70710677, NaN, 0.70710677]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.zscore(Nx.c64([1, 2]));
 * // throws ArgumentError: Nx.zscore is not defined for complex tensors
 * ```
 */
export function zscore<N extends Names = readonly [], const A extends AxesOf<N> | undefined = undefined>(
  tensor: Operand<N>,
  options?: A | ZscoreOptions<A>,
  ..._more: More<ZscoreOptions<undefined>>
): Tensor<N> {
  const fn = "Nx.zscore";
  const chosen = checkOptions<ZscoreOptions<A>>(fn, options, ["axes", "ddof", "nan"]);
  const ddof = integerOption(fn, "ddof", chosen?.ddof, 0, 0);
  const { t, type, over, missing, distances, counts } = read(fn, tensor as Operand, chosen, ["ddof"]);
  return unchecked(() => {
    const kept = keeping(t, over);
    const left = subtract(counts(kept), ddof);
    const spread = divide(reduceOver("sum", multiply(distances, distances), kept), where(greater(left, 0), left, NaN));
    return cast(filled(divide(distances, sqrt(spread)), missing, NaN), type);
  }) as Tensor<N>;
}

/**
 * How far elements lie to one side of their mean: the third moment over the variance to the power of 1.5, as `scipy.stats.skew`.
 *
 * @param tensor - real numbers of any shape
 * @param options - `axes` to reduce, all when left out; `keepAxes` to keep them with size 1; `bias`: `false` corrects for the bias of samples
 *   of more than 2; `nan`: `"skip"` leaves NaN out
 * @returns a float tensor, `f32` for integers; NaN where nothing varies
 * @throws ArgumentError for an axis that the tensor does not have, and for complex numbers
 * @example
 * ```ts
 * const t = Nx.tensor([[1, 2, 3, 10], [1, 2, 3, 4]], { names: ["x", "y"] });
 * Nx.skewness(t, { axes: ["y"] });
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [1.0182338, 0.0]
 * // >
 * Nx.skewness(t, { axes: ["y"], bias: false });
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [1.7636327, 0.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.skewness(Nx.tensor([1, 2]), { axes: [1] });
 * // throws ArgumentError: Nx.skewness: given axis (1) invalid for shape [2] with rank 1
 * ```
 */
export function skewness<
  N extends Names = readonly [],
  const A extends AxesOf<N> | undefined = undefined,
  K extends boolean = false,
>(
  tensor: Operand<N>,
  options?: A | MomentOptions<A, K>,
  ..._more: More<MomentOptions<undefined, K>>
): Tensor<Reduced<N, A, K>> {
  const fn = "Nx.skewness";
  const chosen = checkOptions<MomentOptions<A, K>>(fn, options, [...AXES_OPTIONS, "bias"]);
  const bias = booleanOption(fn, "bias", chosen?.bias, true);
  const { type, over, moment, counts } = read(fn, tensor as Operand, chosen, ["bias"]);
  return unchecked(() => {
    return cast(skewnessOf(moment(2), moment(3), counts(over), bias), type);
  }) as Tensor as Tensor<Reduced<N, A, K>>;
}

/** The skewness of the second and the third moment of n elements. */
export function skewnessOf(second: Tensor, third: Tensor, n: Tensor, bias: boolean): Tensor {
  const plain = divide(third, pow(second, 1.5));
  if (bias) return plain;
  const factor = divide(sqrt(multiply(n, subtract(n, 1))), where(greater(n, 2), subtract(n, 2), 1));
  return multiply(plain, where(greater(n, 2), factor, 1));
}

/**
 * How heavy the tails of elements are: the fourth moment over the square of the variance, less 3, as `scipy.stats.kurtosis`.
 *
 * @param tensor - real numbers of any shape
 * @param options - `axes` to reduce, all when left out; `keepAxes` to keep them with size 1; `bias`: `false` corrects for the bias of samples
 *   of more than 3; `fisher`: `false` leaves the 3 (Pearson's definition); `nan`: `"skip"` leaves NaN out
 * @returns a float tensor, `f32` for integers; NaN where nothing varies
 * @throws ArgumentError for an axis that the tensor does not have, and for complex numbers
 * @example
 * ```ts
 * const t = Nx.tensor([[1, 2, 3, 10], [1, 2, 3, 4]], { names: ["x", "y"] });
 * Nx.kurtosis(t, { axes: ["y"] });
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [-0.7696, -1.36]
 * // >
 * Nx.kurtosis(t, { axes: ["y"], fisher: false });
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [2.2304, 1.64]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.kurtosis(Nx.tensor([1, 2]), { axes: [1] });
 * // throws ArgumentError: Nx.kurtosis: given axis (1) invalid for shape [2] with rank 1
 * ```
 */
export function kurtosis<
  N extends Names = readonly [],
  const A extends AxesOf<N> | undefined = undefined,
  K extends boolean = false,
>(
  tensor: Operand<N>,
  options?: A | KurtosisOptions<A, K>,
  ..._more: More<KurtosisOptions<undefined, K>>
): Tensor<Reduced<N, A, K>> {
  const fn = "Nx.kurtosis";
  const chosen = checkOptions<KurtosisOptions<A, K>>(fn, options, [...AXES_OPTIONS, "bias", "fisher"]);
  const bias = booleanOption(fn, "bias", chosen?.bias, true);
  const fisher = booleanOption(fn, "fisher", chosen?.fisher, true);
  const { type, over, moment, counts } = read(fn, tensor as Operand, chosen, ["bias", "fisher"]);
  return unchecked(() => {
    return cast(kurtosisOf(moment(2), moment(4), counts(over), bias, fisher), type);
  }) as Tensor as Tensor<Reduced<N, A, K>>;
}

/** The kurtosis of the second and the fourth moment of n elements. */
export function kurtosisOf(second: Tensor, fourth: Tensor, n: Tensor, bias: boolean, fisher: boolean): Tensor {
  const plain = divide(fourth, multiply(second, second));
  const kurtoses = bias ? plain : corrected(plain, n);
  return fisher ? subtract(kurtoses, 3) : kurtoses;
}

/** The estimate from a sample of n, where it has more than 3. */
function corrected(plain: Tensor, n: Tensor): Tensor {
  const isEnough = greater(n, 3);
  const divisor = where(isEnough, multiply(subtract(n, 2), subtract(n, 3)), 1);
  const above = subtract(multiply(subtract(multiply(n, n), 1), plain), multiply(3, pow(subtract(n, 1), 2)));
  return where(isEnough, add(divide(above, divisor), 3), plain);
}

/** The distances of elements from their mean, and what is made of them. */
function read(fn: string, tensor: Operand, options: AxesChoice | undefined, extra: readonly string[]) {
  const t: Tensor = asTensor(tensor, fn);
  const type = toFloating(refuseComplex(fn.slice("Nx.".length), t.type));
  const over = readAxes(fn, t, options, extra);
  return unchecked(() => {
    const wide = cast(t, "f64");
    const missing = missingIn(t, over.skips);
    const distances = distancesFromMean(wide, over, missing);
    const counts = (of: Reduction): Tensor => {
      const count = countsOf(wide, of, missing);
      return typeof count === "number" ? constant(count, "f64") : count;
    };
    /** The mean of a power of the distances. */
    const moment = (power: number): Tensor => {
      let powers: Tensor = distances;
      for (let i = 1; i < power; i++) powers = multiply(powers, distances);
      return divide(reduceOver("sum", powers, over), counts(over));
    };
    return { t, type, over, missing, distances, counts, moment };
  });
}
