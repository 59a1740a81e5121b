/**
 * How columns of samples vary together: covariance, correlation. Computed in double precision and rounded once.
 */
import type { Batch, Plain } from "../core/axis-types";
import { ArgumentError } from "../core/errors";
import { checkNames, uniqueNames } from "../core/names";
import { checkOptions, integerOption, skipsNan, type NanPolicy } from "../core/options";
import { unchecked } from "../core/promotion-scope";
import { allAxes, formatShape, type Names } from "../core/shape";
import { isComplex, toFloating } from "../core/types";
import type { Operand, Tensor } from "../tensor";
import { mean as meanOf } from "./aggregates";
import { filled, missingIn } from "./aggregates/missing";
import { reshapeTo } from "./aggregates/core";
import { takeDiagonal } from "./creation";
import { renamed } from "./creation/tensor";
import { asTensor, cast, run, template } from "./dispatch";
import { clip, conjugate, divide, greater, logicalNot, multiply, real, sqrt, subtract, where } from "./elementwise";
import { dot } from "./ndim/dot";
import { newAxis, swapAxes } from "./shape";

/** The option that names the axes of a matrix of pairs. */
export interface PairNames<M extends Names = Names> {
  /** Names of the rows and the columns of the matrix, two that differ; none when left out. */
  readonly names?: M;
}

/** Options of `Nx.covariance`. */
export interface CovarianceOptions<M extends Names = Names> extends PairNames<M> {
  /** What is taken off the number of samples in the divisor ("delta degrees of freedom"); 0 when left out. */
  readonly ddof?: number;
  /** The mean of each variable where it is known, of shape `[..., variables]`; computed when left out. */
  readonly mean?: Operand;
  /** `"skip"` leaves NaN out, as missing values: each pair of variables counts the samples in which it has both. */
  readonly nan?: NanPolicy;
}

/** Options of `Nx.correlation`. */
export interface CorrelationOptions<M extends Names = Names> extends PairNames<M> {
  /** `"skip"` leaves NaN out, as missing values: each pair of variables counts the samples in which it has both. */
  readonly nan?: NanPolicy;
}

/**
 * The covariance of each pair of columns: the mean product of their distances from their means.
 *
 * @param tensor - numbers of shape `[..., samples, variables]`
 * @param options - `ddof`, taken off the number of samples in the divisor: 0 (default), or 1 for an estimate from a sample; `mean`, the
 *   mean of each variable where it is known; `nan`: `"skip"` leaves out NaN, so that each pair of variables counts the samples in which
 *   it has both, as in pandas; `names` of the rows and columns of the matrix, which have none otherwise
 * @returns a matrix of shape `[..., variables, variables]`, hermitian, with variances in its diagonal; `f32` for integers, else the
 *   tensor's type. Axes of the batch keep their names
 * @throws ArgumentError for less than two axes, where `ddof` leaves nothing to divide by, and for names that are not two or not unique
 * @example
 * ```ts
 * const samples = Nx.tensor([[1, 2], [3, 6], [5, 10]], { names: ["sample", "variable"] });
 * Nx.covariance(samples, { ddof: 1, names: ["variable", "other"] });
 * // => #Nx.Tensor<
 * //   f32[variable: 2][other: 2]
 * //   [
 * //     [4.0, 8.0],
 * //     [8.0, 16.0]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.covariance(Nx.tensor([[1, 2], [3, 6]]), { mean: Nx.tensor([1, 2]) });
 * // => #Nx.Tensor<
 * //   f32[2][2]
 * //   [
 * //     [2.0, 4.0],
 * //     [4.0, 8.0]
 * //   ]
 * // >
 * Nx.covariance(Nx.tensor([1, 2]));
 * // throws ArgumentError: Nx.covariance expects samples by variables, a tensor of at least 2 axes, got shape [2]
 * ```
 * @example
 * ```ts
 * const samples = Nx.tensor([[1, 2], [3, 6], [NaN, 100]], { names: ["sample", "variable"] });
 * Nx.covariance(samples, { nan: "skip" });
 * // => #Nx.Tensor<
 * //   f32[2][2]
 * //   [
 * //     [1.0, 2.0],
 * //     [2.0, 2050.6667]
 * //   ]
 * // >
 * ```
 */
export function covariance<N extends Names, const M extends Names = readonly [null, null]>(
  tensor: Operand<N>,
  options?: CovarianceOptions<M>,
): Tensor<Plain<readonly [...Batch<N>, ...M]>>;
export function covariance(tensor: Operand, options?: CovarianceOptions): Tensor {
  const fn = "Nx.covariance";
  options = checkOptions(fn, options, ["ddof", "mean", "nan", "names"]);
  const ddof = integerOption(fn, "ddof", options?.ddof, 0);
  const t: Tensor = asTensor(tensor, fn);
  const skips = skipsNan(fn, options);
  return unchecked(() => {
    const { products } = spread(fn, t, ddof, options?.mean, skips);
    return cast(withNames(products, options), toFloating(t.type));
  });
}

/**
 * The correlation of each pair of columns, by Pearson: their covariance over the product of their standard deviations.
 *
 * @param tensor - numbers of shape `[..., samples, variables]`
 * @param options - `nan`: `"skip"` leaves out NaN, so that each pair of variables counts the samples in which it has both, as in pandas;
 *   `names` of the rows and columns of the matrix, which have none otherwise
 * @returns a matrix of shape `[..., variables, variables]` of numbers from -1 to 1, NaN for a variable that does not vary; `f32` for
 *   integers, else the tensor's type. Axes of the batch keep their names
 * @throws ArgumentError for less than two axes, and for names that are not two or not unique
 * @example
 * ```ts
 * const samples = Nx.tensor([[1, 2, 3], [3, 6, 1], [5, 10, -1]], { names: ["sample", "variable"] });
 * Nx.correlation(samples);
 * // => #Nx.Tensor<
 * //   f32[3][3]
 * //   [
 * //     [1.0, 1.0, -1.0],
 * //     [1.0, 1.0, -1.0],
 * //     [-1.0, -1.0, 1.0]
 * //   ]
 * // >
 * Nx.correlation(Nx.tensor([1, 2]));
 * // throws ArgumentError: Nx.correlation expects samples by variables, a tensor of at least 2 axes, got shape [2]
 * ```
 */
export function correlation<N extends Names, const M extends Names = readonly [null, null]>(
  tensor: Operand<N>,
  options?: CorrelationOptions<M>,
): Tensor<Plain<readonly [...Batch<N>, ...M]>>;
export function correlation(tensor: Operand, options?: CorrelationOptions): Tensor {
  const fn = "Nx.correlation";
  options = checkOptions(fn, options, ["nan", "names"]);
  const t: Tensor = asTensor(tensor, fn);
  return unchecked(() => {
    const { products, squares } = spread(fn, t, 0, undefined, skipsNan(fn, options));
    const [rows, columns] = squares === null ? deviationsOf(products) : [sqrt(squares), sqrt(transposed(squares))];
    const scaled = divide(divide(products, rows), columns);
    const bounded = isComplex(t.type) ? scaled : clip(scaled, -1, 1);
    return cast(withNames(bounded, options), toFloating(t.type));
  });
}

/** The standard deviations of variables, along the rows and along the columns of a matrix. */
function deviationsOf(products: Tensor): [rows: Tensor, columns: Tensor] {
  const deviations = sqrt(real(takeDiagonal(products)));
  return [newAxis(deviations, -1), newAxis(deviations, -2)];
}

const transposed = (matrix: Tensor): Tensor => swapAxes(matrix, -1, -2);

/** How variables vary together, in double precision. */
interface Spread {
  /** Covariances. */
  readonly products: Tensor;
  /** Variances of the variable of each row among the samples of each pair; null where all pairs have the same samples. */
  readonly squares: Tensor | null;
}

/** A matrix of pairs of variables with the names that an option gives its axes. */
function withNames(matrix: Tensor, options: PairNames | undefined): Tensor {
  if (options?.names === undefined) return matrix;
  const { shape, names } = matrix;
  const own = checkNames(options.names, shape.slice(-2));
  return renamed(matrix, uniqueNames(Object.freeze([...names.slice(0, -2), ...own]), shape));
}

function spread(fn: string, t: Tensor, ddof: number, given: Operand | undefined, skips: boolean): Spread {
  const { shape, names } = t;
  const place = formatShape(shape, names);
  if (shape.length < 2) {
    throw new ArgumentError(`${fn} expects samples by variables, a tensor of at least 2 axes, got shape ${place}`);
  }
  const samples = shape.at(-2)!;
  if (ddof >= samples) {
    throw new ArgumentError(`option ddof of ${fn} must be less than the number of samples (${samples}), got: ${ddof}`);
  }
  const x = cast(reshapeTo(t, shape), isComplex(t.type) ? "c128" : "f64");
  const missing = missingIn(x, skips);
  const nan = missing === null ? "propagate" : "skip";
  const centre = given === undefined ? meanOf(x, { axes: [-2], keepAxes: true, nan }) : knownMean(fn, given, x);
  const distances: Tensor = filled(subtract(filled(x, missing, 0), centre), missing, 0);
  const batched = (matrix: Tensor): Tensor =>
    run(
      "reshape",
      template(matrix.type, matrix.shape, Object.freeze([...names.slice(0, -2), null, null])),
      [matrix],
      {},
    );
  const products = summed(conjugated(distances), distances);
  if (missing === null) return { products: multiply(batched(products), 1 / (samples - ddof)), squares: null };
  const { together, squares } = pairwise(products, distances, missing, ddof, given === undefined);
  return { products: batched(together), squares: batched(squares) };
}

/** The products of rows of samples, added up. */
function summed(left: Tensor, right: Tensor): Tensor {
  const batch = allAxes(left.shape.length - 2);
  return dot(left, right, { contract: [[-2], [-2]], batch: [batch, batch] });
}

/**
 * Covariances of pairs of variables that have different samples, from sums over those that a pair has both of. Distances are from
 * the mean of all samples of a variable; what their mean is among those of a pair is taken off.
 */
function pairwise(
  products: Tensor,
  distances: Tensor,
  missing: Tensor,
  ddof: number,
  isCentred: boolean,
): { together: Tensor; squares: Tensor } {
  const present = cast(logicalNot(missing), "f64");
  const counts = summed(present, present);
  const most = subtract(counts, ddof);
  const divisor = where(greater(most, 0), most, NaN);
  const magnitudes = summed(real(multiply(conjugated(distances), distances)), present);
  if (!isCentred) return { together: divide(products, divisor), squares: divide(magnitudes, divisor) };
  const sums = summed(distances, present);
  const shares = divide(multiply(conjugated(sums), transposed(sums)), counts);
  const own = divide(real(multiply(conjugated(sums), sums)), counts);
  return { together: divide(subtract(products, shares), divisor), squares: divide(subtract(magnitudes, own), divisor) };
}

const conjugated = (t: Tensor): Tensor => (isComplex(t.type) ? conjugate(t) : t);

/** The mean of each variable as a row of the samples. */
function knownMean(fn: string, given: Operand, x: Tensor): Tensor {
  const mean: Tensor = asTensor(given, fn);
  const variables = x.shape.at(-1)!;
  if (mean.shape.length === 0 || mean.shape.length >= x.shape.length || mean.shape.at(-1) !== variables) {
    throw new ArgumentError(
      `option mean of ${fn} expects the mean of each of ${variables} variables, of shape [..., ${variables}], got shape ` +
        formatShape(mean.shape, mean.names),
    );
  }
  return newAxis(cast(reshapeTo(mean, mean.shape), x.type), -2);
}
