/**
 * How columns of samples vary together: covariance, correlation. Computed in double precision and rounded once.
 */
import { ArgumentError } from "../core/errors";
import { checkOptions, integerOption } from "../core/options";
import { unchecked } from "../core/promotion-scope";
import { allAxes, formatShape } from "../core/shape";
import { isComplex, toFloating } from "../core/types";
import type { Operand, Tensor } from "../tensor";
import { mean as meanOf } from "./aggregates";
import { reshapeTo } from "./aggregates/core";
import { takeDiagonal } from "./creation";
import { asTensor, cast, run, template } from "./dispatch";
import { clip, conjugate, divide, multiply, real, sqrt, subtract } from "./elementwise";
import { dot } from "./ndim/dot";
import { newAxis } from "./shape";

/** Options of `Nx.covariance`. */
export interface CovarianceOptions {
  /** What is taken off the number of samples in the divisor ("delta degrees of freedom"); 0 when left out. */
  readonly ddof?: number;
  /** The mean of each variable where it is known, of shape `[..., variables]`; computed when left out. */
  readonly mean?: Operand;
}

/**
 * The covariance of each pair of columns: the mean product of their distances from their means.
 *
 * @param tensor - numbers of shape `[..., samples, variables]`
 * @param options - `ddof`, taken off the number of samples in the divisor: 0 (default), or 1 for an estimate from a sample; `mean`, the
 *   mean of each variable where it is known
 * @returns a matrix of shape `[..., variables, variables]`, hermitian, with variances in its diagonal; `f32` for integers, else the
 *   tensor's type. Axes of the batch keep their names, those of the matrix have none
 * @throws ArgumentError for less than two axes, and where `ddof` leaves nothing to divide by
 * @example
 * ```ts
 * const samples = Nx.tensor([[1, 2], [3, 6], [5, 10]], { names: ["sample", "variable"] });
 * Nx.covariance(samples, { ddof: 1 });
 * // => #Nx.Tensor<
 * //   f32[2][2]
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
 */
export function covariance(tensor: Operand, options?: CovarianceOptions): Tensor {
  const fn = "Nx.covariance";
  options = checkOptions(fn, options, ["ddof", "mean"]);
  const ddof = integerOption(fn, "ddof", options?.ddof, 0);
  const t: Tensor = asTensor(tensor, fn);
  return unchecked(() => cast(spread(fn, t, ddof, options?.mean), toFloating(t.type)));
}

/**
 * The correlation of each pair of columns, by Pearson: their covariance over the product of their standard deviations.
 *
 * @param tensor - numbers of shape `[..., samples, variables]`
 * @returns a matrix of shape `[..., variables, variables]` of numbers from -1 to 1, NaN for a variable that does not vary; `f32` for
 *   integers, else the tensor's type. Axes of the batch keep their names, those of the matrix have none
 * @throws ArgumentError for less than two axes
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
export function correlation(tensor: Operand): Tensor {
  const fn = "Nx.correlation";
  const t: Tensor = asTensor(tensor, fn);
  return unchecked(() => {
    const together = spread(fn, t, 0, undefined);
    const deviations = sqrt(real(takeDiagonal(together)));
    const scaled = divide(divide(together, newAxis(deviations, -1)), newAxis(deviations, -2));
    const bounded = isComplex(t.type) ? scaled : clip(scaled, -1, 1);
    return cast(bounded, toFloating(t.type));
  });
}

/** Covariances in double precision. */
function spread(fn: string, t: Tensor, ddof: number, given: Operand | undefined): Tensor {
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
  const centre = given === undefined ? meanOf(x, { axes: [-2], keepAxes: true }) : knownMean(fn, given, x);
  const distances: Tensor = subtract(x, centre);
  const batch = allAxes(shape.length - 2);
  const products = dot(conjugated(distances), distances, { contract: [[-2], [-2]], batch: [batch, batch] });
  const matrix = template(products.type, products.shape, Object.freeze([...names.slice(0, -2), null, null]));
  return multiply(run("reshape", matrix, [products], {}), 1 / (samples - ddof));
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
