/**
 * What singular values tell: pseudo-inverses and ranks.
 */
import type { Batch } from "../core/axis-types";
import type { Names } from "../core/shape";
import { ArgumentError, show } from "../core/errors";
import { checkOptions } from "../core/options";
import { unnamed } from "../core/names";
import { toReal } from "../core/types";
import { reduceMax, sum } from "../nx/aggregates";
import { run } from "../nx/dispatch";
import { stopGrad } from "../defn/grad/custom";
import { abs, divide, equal, greater, multiply, real, select } from "../nx/elementwise";
import { adjointOf, conj, matmul } from "../nx/ndim/matrices";
import { newAxis } from "../nx/shape";
import type { Operand, Tensor } from "../tensor";
import { epsilon } from "../type";
import { finish, readMatrices, resultOf, widely, type Matrices } from "./core";
import { svdOf } from "./decompositions";

/** Options of the functions that tell zero singular values from others. */
export interface ToleranceOptions {
  /**
   * Singular values of at most this part of the largest one count as zero; `max(m, n)` times the rounding error of the type
   * when left out.
   */
  readonly eps?: number;
}

/** The part of the largest singular value up to which others count as zero. */
export function readTolerance(fn: string, value: unknown, { type, rows, columns }: Matrices): number {
  return checkTolerance(fn, value) ?? Math.max(rows, columns) * epsilon(toReal(type));
}

/** The option `eps` where it is given. */
export function checkTolerance(fn: string, value: unknown): number | undefined {
  if (value === undefined || (typeof value === "number" && value >= 0)) return value;
  throw new ArgumentError(`option eps of ${fn} must be a number of at least 0, got: ${show(value)}`);
}

/** 1 for singular values that count, else 0. */
function counting(s: Tensor, tolerance: number): Tensor {
  return greater(s, multiply(reduceMax(s, { axes: [-1], keepAxes: true }), tolerance));
}

/** Pseudo-inverses of matrices without names in the type of several steps. Their gradient is one of their own. */
export function pseudoInverse(t: Tensor, a: Matrices, tolerance: number): Tensor {
  const batch = t.shape.slice(0, -2);
  const bare = { ...a, type: t.type, batch, batchNames: unnamed(batch.length), rowName: null, columnName: null };
  return run("block", resultOf(t.type, bare, [a.columns, a.rows]), [t], {
    name: "pinv",
    options: { tolerance },
    fn: (x) => bySingularValues({ ...bare, tensor: x! }, tolerance),
  });
}

/**
 * The pseudo-inverse of a scalar, or of a vector as that of a column: in the type of several steps, without names. The one
 * singular value is the length, so nothing but zero counts as zero.
 */
export function pseudoInverseOfVector(x: Tensor): Tensor {
  if (x.shape.length === 0) return orZero(equal(x, 0), 1, x);
  const largest = stopGrad(reduceMax(abs(x)));
  // scaled, no square overflows or is lost; as the scale cancels out, the derivative need not know of it
  const scale = select(equal(largest, 0), 1, largest);
  const scaled = divide(x, scale);
  const square = sum(real(multiply(scaled, conj(scaled))));
  return divide(orZero(equal(square, 0), conj(scaled), square), scale);
}

/** Quotients, and 0 where the divisor is zero; no division by zero is left for derivatives to find. */
function orZero(isZero: Tensor, dividend: Operand, divisor: Tensor): Tensor {
  return select(isZero, 0, divide(dividend, select(isZero, 1, divisor)));
}

function bySingularValues(a: Matrices, tolerance: number): Tensor {
  const [u, s, vt] = svdOf(a, false);
  const counts = counting(s, tolerance);
  const reciprocals = select(counts, divide(1, select(counts, s, 1)), 0);
  return matmul(multiply(adjointOf(vt), newAxis(reciprocals, -2)), adjointOf(u));
}

/**
 * The ranks of matrices: how many of their singular values are not zero within rounding.
 *
 * @param tensor - matrices, shape `[...batch][m][n]`
 * @param options - `eps`: singular values of at most this part of the largest one count as zero; `max(m, n)` times the
 *   rounding error of the type when left out
 * @returns `u64`, the shape and names of the batch
 * @throws ArgumentError for tensors of fewer than two axes
 * @example
 * ```ts
 * Nx.LinAlg.matrixRank(Nx.tensor([[1, 2], [3, 4]]));
 * // => #Nx.Tensor<
 * //   u64
 * //   2
 * // >
 * ```
 * @example
 * ```ts
 * Nx.LinAlg.matrixRank(Nx.tensor([[[1, 1], [2, 2]], [[0, 0], [0, 0]]], { names: ["case", null, null] }));
 * // => #Nx.Tensor<
 * //   u64[case: 2]
 * //   [1, 0]
 * // >
 * Nx.LinAlg.matrixRank(Nx.tensor([1, 2]));
 * // throws ArgumentError: Nx.LinAlg.matrixRank expects a matrix, or a batch of them, got a tensor of shape [2]
 * ```
 */
export function matrixRank<N extends Names>(tensor: Operand<N>, options?: ToleranceOptions): Tensor<Batch<N>>;
export function matrixRank(tensor: Operand, options?: ToleranceOptions): Tensor {
  const fn = "Nx.LinAlg.matrixRank";
  options = checkOptions(fn, options, ["eps"]);
  const a = readMatrices(fn, tensor);
  return finish(singularRank(singularValues(a), readTolerance(fn, options?.eps, a)), resultOf("u64", a, []));
}

/** How many singular values count. */
export const singularRank = (s: Tensor, tolerance: number): Tensor => sum(counting(s, tolerance), { axes: [-1] });

/** The singular values of matrices, without names and in the type of several steps. */
export function singularValues(a: Matrices): Tensor {
  const batch = { batch: a.batch, batchNames: unnamed(a.batch.length), rowName: null, columnName: null };
  const tensor = widely(a.tensor);
  return svdOf({ ...a, ...batch, tensor, type: tensor.type }, false)[1];
}
