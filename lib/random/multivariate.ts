/**
 * Samples of the normal distribution of several variables that vary together.
 */
import { ArgumentError } from "../core/errors";
import { checkNames, unnamed } from "../core/names";
import { checkOptions, wordOption } from "../core/options";
import { checkShape, checkSize, formatShape, sizeOf, type Name, type Names, type Shape } from "../core/shape";
import { commonType } from "../core/promotion";
import { isComplex, isInteger, normalizeType, toFloating, type DType } from "../core/types";
import { cholesky, eigh, svd } from "../linalg";
import { reshapeTo } from "../nx/aggregates/core";
import { renamed } from "../nx/creation/tensor";
import { asTensor, cast, run, template } from "../nx/dispatch";
import { add, max, multiply, sqrt } from "../nx/elementwise";
import { dotOf } from "../nx/ndim/matrices";
import type { Tensor } from "../tensor";
import { checkKey, type RandomOptions, type SampleNames } from "./draw";
import { normalSplit, type Drawn } from "./floats";
import { splitInTwo } from "./keys";

/** Options of `Nx.Random.multivariateNormal`. */
export interface MultivariateOptions<N extends Names = Names, S extends Shape = Shape> extends RandomOptions<N, S> {
  /** The decomposition of the covariance, `"cholesky"` by default; the others take singular matrices, too. */
  readonly method?: "cholesky" | "eigh" | "svd";
}

/**
 * Draws vectors of normally distributed floats that vary together, and gives the next key.
 *
 * The covariance must be symmetric, and positive definite for the method `"cholesky"`, positive semidefinite for the others.
 *
 * @param key - a key
 * @param mean - the means, a vector of d elements
 * @param covariance - the covariances, a matrix of d rows and columns
 * @param options - `shape` of how many vectors to draw, one when left out; `names` of all axes, that of the vectors last; `type`
 *   (that of mean and covariance, `f32` for integers); `method`
 * @returns the sample, of the shape given and a last axis of d elements, and the key for whatever is drawn next
 * @throws ArgumentError for anything but a key, for mean and covariance that do not fit each other, complex types, and a
 *   covariance that the method cannot decompose
 * @example
 * ```ts
 * const [sample] = Nx.Random.multivariateNormal(Nx.Random.key(12), Nx.tensor([0, 0]), Nx.eye(2));
 * sample;
 * // => #Nx.Tensor<
 * //   f32[2]
 * //   [-1.3425944, -0.40812057]
 * // >
 * ```
 * @example
 * ```ts
 * const mean = Nx.tensor([10, 20], { names: ["x"] });
 * const covariance = Nx.tensor([[4, 2], [2, 3]]);
 * Nx.Random.multivariateNormal(Nx.Random.key(12), mean, covariance, { shape: [3], names: ["i", "x"] })[0];
 * // => #Nx.Tensor<
 * //   f32[i: 3][x: 2]
 * //   [
 * //     [11.57576, 21.840805],
 * //     [8.122853, 21.00829],
 * //     [10.7019825, 18.754408]
 * //   ]
 * // >
 * Nx.Random.multivariateNormal(Nx.Random.key(12), mean, Nx.eye(3));
 * // throws ArgumentError: Nx.Random.multivariateNormal expects a mean of shape [d] and a covariance of shape [d][d], got: [x: 2] and [3][3]
 * ```
 */
export function multivariateNormal<N extends Names, const M extends Names = never, S extends Shape = never>(
  key: Tensor,
  mean: Tensor<N>,
  covariance: Tensor,
  options?: MultivariateOptions<M, S>,
): Drawn<SampleNames<N, readonly [], M, S>>;
export function multivariateNormal(
  key: Tensor,
  mean: Tensor,
  covariance: Tensor,
  options?: MultivariateOptions,
): Drawn {
  const { own, next } = splitInTwo(key, "Nx.Random.multivariateNormal");
  return [sampleWith("Nx.Random.multivariateNormal", own, mean, covariance, options), next];
}

/**
 * Draws vectors as {@link multivariateNormal} does, with a key that was split before and is used for nothing else.
 *
 * @param key - a key
 * @param mean - the means, a vector of d elements
 * @param covariance - the covariances, a matrix of d rows and columns
 * @param options - `shape`, `names`, `type`, `method`, as for `multivariateNormal`
 * @returns the sample alone
 * @throws ArgumentError as `multivariateNormal` does
 * @example
 * ```ts
 * const mean = Nx.tensor([1, 2], { names: ["x"], type: "f64" });
 * Nx.Random.multivariateNormalSplit(Nx.Random.key(12), mean, Nx.eye(2), { method: "eigh" });
 * // => #Nx.Tensor<
 * //   f64[x: 2]
 * //   [-0.31179875387907474, 1.2917824104313367]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Random.multivariateNormalSplit(Nx.Random.key(12), Nx.c64([1]), Nx.eye(1));
 * // throws ArgumentError: Nx.Random.multivariateNormalSplit draws real floats, got type c64
 * ```
 */
export function multivariateNormalSplit<N extends Names, const M extends Names = never, S extends Shape = never>(
  key: Tensor,
  mean: Tensor<N>,
  covariance: Tensor,
  options?: MultivariateOptions<M, S>,
): Tensor<SampleNames<N, readonly [], M, S>>;
export function multivariateNormalSplit(
  key: Tensor,
  mean: Tensor,
  covariance: Tensor,
  options?: MultivariateOptions,
): Tensor {
  const fn = "Nx.Random.multivariateNormalSplit";
  return sampleWith(fn, checkKey(key, fn), mean, covariance, options);
}

function sampleWith(
  fn: string,
  key: Tensor,
  mean: unknown,
  covariance: unknown,
  options: MultivariateOptions | undefined,
): Tensor {
  options = checkOptions(fn, options, ["shape", "names", "type", "method"]);
  const method = wordOption(fn, "method", options?.method, ["cholesky", "eigh", "svd"], "cholesky");
  const [m, c] = [asTensor(mean, fn), asTensor(covariance, fn)];
  checkShapes(fn, m, c);
  const type = sampleType(fn, commonType(fn, m, c), options?.type);
  const batch = options?.shape === undefined ? [] : checkShape(options.shape, `shape of ${fn}`);
  const shape = Object.freeze([...batch, m.shape[0]!]);
  checkSize(shape, `sample of ${fn} of shape`);
  const names = sampleNames(m, shape, options?.names);
  const factor = rootOf(renamed(cast(c, type), unnamed(2)), method);
  const sample = add(correlated(key, factor, type, shape), renamed(cast(m, type), unnamed(1)));
  return run("reshape", template(type, shape, names), [sample], {});
}

function checkShapes(fn: string, mean: Tensor, covariance: Tensor): void {
  const [size, ...rest] = mean.shape;
  const [rows, columns, ...more] = covariance.shape;
  if (size !== undefined && rest.length === 0 && rows === size && columns === size && more.length === 0) return;
  throw new ArgumentError(
    `${fn} expects a mean of shape [d] and a covariance of shape [d][d], got: ${formatShape(mean.shape, mean.names)} and ` +
      `${formatShape(covariance.shape, covariance.names)}`,
  );
}

function sampleType(fn: string, merged: DType, asked: DType | undefined): DType {
  const type = asked === undefined ? toFloating(merged) : normalizeType(asked);
  if (!isInteger(type) && !isComplex(type) && !isComplex(merged)) return type;
  throw new ArgumentError(`${fn} draws real floats, got type ${isComplex(merged) ? merged : type}`);
}

function sampleNames(mean: Tensor, shape: Shape, asked: unknown): Names {
  if (asked !== undefined && asked !== null) return checkNames(asked, shape);
  return Object.freeze(shape.map((_, axis): Name => (axis === shape.length - 1 ? mean.names[0]! : null)));
}

/** A matrix `m` with `m` times its transpose equal to the covariance. */
function rootOf(covariance: Tensor, method: "cholesky" | "eigh" | "svd"): Tensor {
  if (method === "cholesky") return cholesky(covariance);
  if (method === "eigh") {
    const [values, vectors] = eigh(covariance);
    return scaled(vectors, values);
  }
  const [u, s] = svd(covariance);
  return scaled(u, s);
}

/** Rounding may leave a value just below 0. */
const scaled = (vectors: Tensor, values: Tensor): Tensor => multiply(vectors, sqrt(max(values, 0)));

/** Independent normal samples as rows, times the transpose of the factor. */
function correlated(key: Tensor, factor: Tensor, type: DType, shape: Shape): Tensor {
  const dimension = factor.shape[0]!;
  const rows = reshapeTo(normalSplit(key, { shape, type }), [sizeOf(shape) / dimension, dimension]);
  return reshapeTo(dotOf(rows, factor, { contract: [[1], [1]], batch: [[], []] }), shape);
}
