/**
 * Systems of linear equations that need not have a solution, or have many.
 */
import type { Batch } from "../core/axis-types";
import { booleanOption, checkOptions } from "../core/options";
import type { Names } from "../core/shape";
import { toReal } from "../core/types";
import { sum } from "../nx/aggregates";
import { asTensor } from "../nx/dispatch";
import { conj, matmul } from "../nx/ndim/matrices";
import { multiply, real, subtract } from "../nx/elementwise";
import { reshapeTo } from "../nx/aggregates/core";
import type { Operand, Tensor } from "../tensor";
import { areVectors, finish, readMatrices, readSystem, resultOf, type System } from "./core";
import type { ColumnName, InBatch, Solution } from "./names";
import { pseudoInverse, readTolerance, singularRank, singularValues, type ToleranceOptions } from "./singular";

/** Options of `Nx.LinAlg.leastSquares`. */
export interface LeastSquaresOptions<F = boolean> extends ToleranceOptions {
  /** Whether residuals, ranks and singular values are given beside the solution; false when left out. */
  readonly full?: F;
}

/** What `Nx.LinAlg.leastSquares` gives with `full: true`, as NumPy's `lstsq` does. */
export type LeastSquares<N extends Names = Names, S extends Names = Names> = readonly [
  solution: Tensor<S>,
  residuals: Tensor,
  rank: Tensor<Batch<N>>,
  singularValues: Tensor<InBatch<N, readonly [null]>>,
];

/** What `Nx.LinAlg.leastSquares` gives: the solution alone, or more of it where `F` is true. */
export type Nearest<N extends Names, S extends Names, F extends boolean> = [F] extends [false]
  ? Tensor<S>
  : [F] extends [true]
    ? LeastSquares<N, S>
    : Tensor<S> | LeastSquares<N, S>;

/**
 * Solutions of systems of linear equations `a x = b` that come nearest: of all `x` with the least sum of squares of
 * `a x - b` the one with the least norm, by singular value decomposition.
 *
 * @param a - matrices of any rank, shape `[...batch][m][n]`
 * @param b - right sides: vectors `[...batch][m]` when of one axis, or of one less than `a`; else matrices `[...batch][m][k]`.
 *   Batches broadcast
 * @param options - `eps`: singular values of at most this part of the largest one count as zero; `max(m, n)` times the
 *   rounding error of the type when left out. `full`: whether more than the solution is given
 * @returns `x`, shape `[...batch][n]` or `[...batch][n][k]`, in the merged floating type; rows have the name of the columns of `a`.
 *   With `full` an array of `x`, the residuals (the sums of squares of `a x - b`, real, shape `[...batch]` or `[...batch][k]`,
 *   whatever the rank), the ranks of `a`, `u64`, and its singular values, `[...batch][min(m, n)]`
 * @throws ArgumentError for shapes that do not fit
 * @example
 * ```ts
 * const a = Nx.tensor([[1, 1], [1, 2], [1, 3]], { names: ["case", "coefficient"] });
 * Nx.LinAlg.leastSquares(a, Nx.tensor([1, 2, 4]));
 * // => #Nx.Tensor<
 * //   f32[coefficient: 2]
 * //   [-0.6666667, 1.5]
 * // >
 * const [, residuals, rank] = Nx.LinAlg.leastSquares(a, Nx.tensor([1, 2, 4]), { full: true });
 * residuals;
 * // => #Nx.Tensor<
 * //   f32
 * //   0.16666667
 * // >
 * rank.toNumber();
 * // => 2
 * ```
 * @example
 * ```ts
 * Nx.LinAlg.leastSquares(Nx.iota([3, 2]), Nx.iota([2]));
 * // throws ArgumentError: Nx.LinAlg.leastSquares expects right sides of 3 rows for matrices of shape [3][2], got a tensor of shape [2]
 * ```
 */
export function leastSquares<N extends Names, B extends Names, F extends boolean = false>(
  a: Operand<N>,
  b: Operand<B>,
  options?: LeastSquaresOptions<F>,
): Nearest<N, Solution<N, B, ColumnName<N>>, F>;
export function leastSquares(a: Operand, b: Operand, options?: LeastSquaresOptions): Tensor | LeastSquares {
  const fn = "Nx.LinAlg.leastSquares";
  options = checkOptions(fn, options, ["eps", "full"]);
  const full = booleanOption(fn, "full", options?.full, false);
  const matrices = readMatrices(fn, a);
  const right = asTensor(b, fn);
  const system = readSystem(fn, matrices, right);
  const tolerance = readTolerance(fn, options?.eps, matrices);
  const x = matmul(pseudoInverse(system.a, matrices, tolerance), system.b);
  const solution = finish(x, system.solution(matrices.columns, matrices.columnName));
  if (!full) return solution;
  const values = singularValues(matrices);
  const real = toReal(matrices.type);
  return [
    solution,
    residualsOf(system, x, areVectors(matrices, right)),
    finish(singularRank(values, tolerance), resultOf("u64", matrices, [])),
    finish(values, resultOf(real, matrices, [Math.min(matrices.rows, matrices.columns)])),
  ];
}

/** The sum of the squares of what is left over, for each column of the right sides. */
function residualsOf({ a, b, type, solution }: System, x: Tensor, isOfVectors: boolean): Tensor {
  const over = subtract(matmul(a, x), b);
  const squares = sum(real(multiply(over, conj(over))), { axes: [-2] });
  const { shape, names } = solution(1, null);
  const rest = [...shape.keys()].filter((axis) => axis !== shape.length - (isOfVectors ? 1 : 2));
  const out = { type: toReal(type), shape: rest.map((axis) => shape[axis]!), names: rest.map((axis) => names[axis]!) };
  return finish(isOfVectors ? reshapeTo(squares, out.shape) : squares, out);
}
