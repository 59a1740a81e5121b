/**
 * Systems of linear equations: solve, triangularSolve, invert, leastSquares, and what hangs on them.
 */
import { LINALG } from "../backends/decompositions";
import type { Name, Names } from "../core/shape";
import { booleanOption, checkOptions, wordOption } from "../core/options";
import { toFloating } from "../core/types";
import { eye } from "../nx/creation";
import { asTensor, runMultiResult, template } from "../nx/dispatch";
import { conj, solveTriangle, swapped, type TriangularTransform } from "../nx/ndim/matrices";
import type { Operand, Tensor } from "../tensor";
import type { ColumnName, Exchanged, RowName, Solution, TriangularSolution } from "./names";
import {
  areVectors,
  finish,
  misfit,
  readMatrices,
  readSquare,
  readSystem,
  repeated,
  resultOf,
  widely,
  type Matrices,
} from "./core";
import { checkTolerance, pseudoInverse, pseudoInverseOfVector, readTolerance, type ToleranceOptions } from "./singular";

/** Options of `Nx.LinAlg.triangularSolve`. */
export interface TriangularSolveOptions<S = boolean, F = TriangularTransform> {
  /** Whether the lower triangle of the matrices is read (default) or the upper one; the other one is taken as zeros. */
  readonly lower?: boolean;
  /** Whether to solve `t(a) x = b` (default) or `x t(a) = b`. */
  readonly leftSide?: S;
  /** What `t` is: nothing (`"none"`, default), `"transpose"`, or `"adjoint"`, the conjugate transpose. */
  readonly transformA?: F;
}

/**
 * Solves systems of linear equations `a x = b`, by LU decomposition with partial pivoting in double precision.
 *
 * @param a - square matrices, shape `[...batch][n][n]`
 * @param b - right sides: vectors `[...batch][n]` when of one axis, or of one less than `a`; else matrices `[...batch][n][k]`.
 *   Batches broadcast
 * @returns `x` of the shape of the right sides, in the merged floating type; rows have the name of the columns of `a`
 * @throws ArgumentError for singular matrices, and shapes that do not fit
 * @example
 * ```ts
 * const a = Nx.tensor([[1, 3, 2, 1], [2, 1, 0, 0], [1, 0, 1, 0], [1, 1, 1, 1]]);
 * Nx.LinAlg.solve(a, Nx.tensor([-3, 0, 4, -2]));
 * // => #Nx.Tensor<
 * //   f32[4]
 * //   [1.0, -2.0, 3.0, -4.0]
 * // >
 * const b = Nx.tensor([[2, 2], [3, 1]], { names: ["row", "case"] });
 * Nx.LinAlg.solve(Nx.tensor([[2, 0], [1, 1]], { names: ["row", "x"] }), b);
 * // => #Nx.Tensor<
 * //   f32[x: 2][case: 2]
 * //   [
 * //     [1.0, 1.0],
 * //     [2.0, 0.0]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.LinAlg.solve(Nx.tensor([[1, 2], [2, 4]]), Nx.tensor([1, 2]));
 * // throws ArgumentError: Nx.LinAlg.solve: can't solve for singular matrix
 * Nx.LinAlg.solve(Nx.eye(2), Nx.tensor([1, 2, 3]));
 * // throws ArgumentError: Nx.LinAlg.solve expects right sides of 2 rows for matrices of shape [2][2], got a tensor of shape [3]
 * ```
 */
export function solve<N extends Names, B extends Names>(
  a: Operand<N>,
  b: Operand<B>,
): Tensor<Solution<N, B, ColumnName<N>>>;
export function solve(a: Operand, b: Operand): Tensor {
  const fn = "Nx.LinAlg.solve";
  const matrices = readSquare(fn, a);
  const system = readSystem(fn, matrices, asTensor(b, fn));
  return finish(solveWide(system.a, system.b), system.solution(matrices.columns, matrices.columnName));
}

/** Solutions of systems in the type of several steps. */
function solveWide(a: Tensor, b: Tensor): Tensor {
  return runMultiResult(LINALG, [template(b.type, b.shape, b.names)], [a, b], { op: "solve" })[0]!;
}

/**
 * Solves systems of linear equations with triangular matrices, by substitution in double precision.
 *
 * @param a - square matrices, shape `[...batch][n][n]`, of which one triangle is read
 * @param b - right sides: vectors `[...batch][n]` when of one axis, or of one less than `a`; else matrices `[...batch][n][k]`,
 *   or `[...batch][k][n]` when `a` is on the right. Batches broadcast
 * @param options - see {@link TriangularSolveOptions}
 * @returns `x` of the shape of the right sides, in the merged floating type
 * @throws ArgumentError for a zero on the diagonal, and shapes that do not fit
 * @example
 * ```ts
 * const a = Nx.tensor([[3, 0, 0], [2, 1, 0], [1, 0, 1]], { names: ["row", "x"] });
 * Nx.LinAlg.triangularSolve(a, Nx.tensor([6, 5, 3]));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [2.0, 1.0, 1.0]
 * // >
 * Nx.LinAlg.triangularSolve(a, Nx.tensor([6, 5, 3]), { transformA: "transpose" });
 * // => #Nx.Tensor<
 * //   f32[row: 3]
 * //   [-2.3333333, 5.0, 3.0]
 * // >
 * Nx.LinAlg.triangularSolve(Nx.tensor([[1, 1], [0, 2]]), Nx.tensor([[1, 5]]), { lower: false, leftSide: false });
 * // => #Nx.Tensor<
 * //   f32[1][2]
 * //   [
 * //     [1.0, 2.0]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.LinAlg.triangularSolve(Nx.tensor([[1, 0], [1, 0]]), Nx.tensor([1, 1]));
 * // throws ArgumentError: Nx.LinAlg.triangularSolve: can't solve for singular matrix
 * ```
 */
export function triangularSolve<
  N extends Names,
  B extends Names,
  S extends boolean = true,
  F extends TriangularTransform = "none",
>(a: Operand<N>, b: Operand<B>, options?: TriangularSolveOptions<S, F>): Tensor<TriangularSolution<N, B, S, F>>;
export function triangularSolve(a: Operand, b: Operand, options?: TriangularSolveOptions): Tensor {
  const fn = "Nx.LinAlg.triangularSolve";
  options = checkOptions(fn, options, ["lower", "leftSide", "transformA"]);
  const lower = booleanOption(fn, "lower", options?.lower, true);
  const leftSide = booleanOption(fn, "leftSide", options?.leftSide, true);
  const words = ["none", "transpose", "adjoint"] as const;
  const transform = wordOption(fn, "transformA", options?.transformA, words, "none");
  const solveSystem = leftSide ? onTheLeft : onTheRight;
  return solveSystem(fn, readSquare(fn, a), asTensor(b, fn), lower, transform);
}

function onTheLeft(fn: string, a: Matrices, b: Tensor, lower: boolean, transform: TriangularTransform): Tensor {
  const system = readSystem(fn, a, b);
  const x = solveTriangle(system.a, system.b, lower, transform);
  return finish(x, system.solution(a.columns, transform === "none" ? a.columnName : a.rowName));
}

/** `x a = b` is `a^T x^T = b^T`; an adjoint leaves the conjugate of `a`. */
function onTheRight(fn: string, a: Matrices, b: Tensor, lower: boolean, transform: TriangularTransform): Tensor {
  const onTheLeft = (t: Tensor) => (areVectors(a, t) ? t : swapped(t));
  if (b.shape[b.shape.length - 1] !== a.columns) {
    throw misfit(fn, a, b, `of ${a.columns} columns for matrices`, " on the right");
  }
  const system = readSystem(fn, a, onTheLeft(b), b);
  const name = transform === "none" ? a.rowName : a.columnName;
  const out = system.solution(a.columns, name);
  if (transform === "adjoint")
    return onTheLeft(finish(conj(solveTriangle(system.a, conj(system.b), lower, "none")), out));
  return onTheLeft(finish(solveTriangle(system.a, system.b, lower, transform === "none" ? "transpose" : "none"), out));
}

/** Options of `Nx.LinAlg.choleskySolve`. */
export interface CholeskySolveOptions<L = boolean> {
  /** Whether the factor is `l` with `a = l l^H` (default), or `u` with `a = u^H u`. */
  readonly lower?: L;
}

/**
 * Solves systems of linear equations `a x = b` by the Cholesky factor of `a`, in double precision: what {@link cholesky} gives, once
 * for many right sides.
 *
 * @param factor - `l` with `a = l l^H`, shape `[...batch][n][n]`, of which the lower triangle is read
 * @param b - right sides: vectors `[...batch][n]` when of one axis, or of one less than the factor; else matrices
 *   `[...batch][n][k]`. Batches broadcast
 * @param options - `lower`: false for an upper triangular `u` with `a = u^H u`
 * @returns `x` of the shape of the right sides, in the merged floating type; rows have the name of the rows of `a`
 * @throws ArgumentError for a zero on the diagonal, and shapes that do not fit
 * @example
 * ```ts
 * const l = Nx.LinAlg.cholesky(Nx.tensor([[4, 2], [2, 10]], { names: ["x", null] }));
 * Nx.LinAlg.choleskySolve(l, Nx.tensor([8, 22]));
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [1.0, 2.0]
 * // >
 * Nx.LinAlg.choleskySolve(Nx.LinAlg.adjoint(l), Nx.tensor([8, 22]), { lower: false });
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [1.0, 2.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.LinAlg.choleskySolve(Nx.eye(2), Nx.tensor([1, 2, 3]));
 * // throws ArgumentError: Nx.LinAlg.choleskySolve expects right sides of 2 rows for matrices of shape [2][2], got a tensor of shape [3]
 * ```
 */
export function choleskySolve<N extends Names, B extends Names, L extends boolean = true>(
  factor: Operand<N>,
  b: Operand<B>,
  options?: CholeskySolveOptions<L>,
): Tensor<Solution<N, B, [L] extends [true] ? RowName<N> : [L] extends [false] ? ColumnName<N> : Name>>;
export function choleskySolve(factor: Operand, b: Operand, options?: CholeskySolveOptions): Tensor {
  const fn = "Nx.LinAlg.choleskySolve";
  options = checkOptions(fn, options, ["lower"]);
  const lower = booleanOption(fn, "lower", options?.lower, true);
  const matrices = readSquare(fn, factor);
  const system = readSystem(fn, matrices, asTensor(b, fn));
  const half = solveTriangle(system.a, system.b, lower, lower ? "none" : "adjoint");
  const x = solveTriangle(system.a, half, lower, lower ? "adjoint" : "none");
  return finish(x, system.solution(matrices.columns, lower ? matrices.rowName : matrices.columnName));
}

/**
 * The inverses of square matrices, by LU decomposition in double precision. To solve a system, {@link solve} is faster and
 * more accurate than to multiply with an inverse.
 *
 * @param tensor - matrices, shape `[...batch][n][n]`; of integers the result is `f32`
 * @returns the same floating type and shape; rows and columns change names, as an inverse maps back
 * @throws ArgumentError for singular matrices, and matrices that are not square
 * @example
 * ```ts
 * Nx.LinAlg.invert(Nx.tensor([[1, 2], [0, 4]], { names: ["to", "from"] }));
 * // => #Nx.Tensor<
 * //   f32[from: 2][to: 2]
 * //   [
 * //     [1.0, -0.5],
 * //     [0.0, 0.25]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.LinAlg.invert(Nx.tensor([[1, 1], [1, 1]]));
 * // throws ArgumentError: Nx.LinAlg.invert: can't solve for singular matrix
 * ```
 */
export function invert<N extends Names>(tensor: Operand<N>): Tensor<Exchanged<N>>;
export function invert(tensor: Operand): Tensor {
  const a = readSquare("Nx.LinAlg.invert", tensor);
  return finish(inverseWide(widely(a.tensor), a), inverseTemplate(a));
}

/** The inverse in the type of several steps. */
export function inverseWide(t: Tensor, { batch, rows }: Pick<Matrices, "batch" | "rows">): Tensor {
  return solveWide(t, repeated(eye(rows, { type: t.type }), batch));
}

const inverseTemplate = (a: Matrices) => resultOf(a.type, a, [a.columns, a.rows], [a.columnName, a.rowName]);

/**
 * The pseudo-inverses of matrices (Moore and Penrose), by singular value decomposition: for any shape and rank. That of a
 * scalar is `1 / x`, that of a vector, taken as a column, `conjugate(x) / |x|^2`; of zero it is zero.
 *
 * @param tensor - matrices, shape `[...batch][m][n]`, a vector or a scalar; of integers the result is `f32`
 * @param options - `eps`: singular values of at most this part of the largest one count as zero; `max(m, n)` times the
 *   rounding error of the type when left out. Scalars and vectors have one only, which counts unless it is zero
 * @returns the same floating type, shape `[...batch][n][m]`; rows and columns change names. For vectors and scalars the same
 *   shape and names
 * @throws ArgumentError for anything but numbers and tensors, and for matrices that are not finite
 * @example
 * ```ts
 * Nx.LinAlg.pinv(Nx.tensor([[1, 1], [1, 1], [0, 0]], { names: ["to", "from"] }));
 * // => #Nx.Tensor<
 * //   f32[from: 2][to: 3]
 * //   [
 * //     [0.25, 0.25, 0.0],
 * //     [0.25, 0.25, 0.0]
 * //   ]
 * // >
 * Nx.LinAlg.pinv(Nx.tensor([3, 0, 4], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [0.12, 0.0, 0.16]
 * // >
 * Nx.LinAlg.pinv(0);
 * // => #Nx.Tensor<
 * //   f32
 * //   0.0
 * // >
 * ```
 * @example
 * ```ts
 * Nx.LinAlg.pinv(Nx.eye(2), { eps: -1 });
 * // throws ArgumentError: option eps of Nx.LinAlg.pinv must be a number of at least 0, got: -1
 * ```
 */
export function pinv<N extends Names>(tensor: Operand<N>, options?: ToleranceOptions): Tensor<Exchanged<N>>;
export function pinv(tensor: Operand, options?: ToleranceOptions): Tensor {
  const fn = "Nx.LinAlg.pinv";
  options = checkOptions(fn, options, ["eps"]);
  const given = asTensor(tensor, fn);
  if (given.shape.length < 2) {
    checkTolerance(fn, options?.eps);
    const out = template(toFloating(given.type), given.shape, given.names);
    return finish(pseudoInverseOfVector(widely(given)), out);
  }
  const a = readMatrices(fn, given);
  const tolerance = readTolerance(fn, options?.eps, a);
  return finish(pseudoInverse(widely(a.tensor), a, tolerance), inverseTemplate(a));
}
