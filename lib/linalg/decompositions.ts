/**
 * Decompositions of matrices: each calls the primitive of that name.
 */
import type { LinalgAttrs, Template } from "../backend";
import { LINALG } from "../backends/decompositions";
import { ArgumentError, show } from "../core/errors";
import { checkName } from "../core/names";
import { booleanOption, checkOptions, wordOption } from "../core/options";
import type { Name, Names } from "../core/shape";
import { toComplex, toReal } from "../core/types";
import { sliceAlong } from "../nx/aggregates/core";
import { cast, runMultiResult } from "../nx/dispatch";
import { concatenate } from "../nx/ndim";
import { adjointOf, matmul } from "../nx/ndim/matrices";
import type { Operand, Tensor } from "../tensor";
import { finish, readMatrices, readSquare, resultOf, widely, type Matrices } from "./core";
import type { ColumnName, InBatch, RowName } from "./names";

/** Options of decompositions whose parts meet at one new axis. */
export interface NewAxisOptions<M = Name> {
  /** Name of the axis at which the parts meet; none when left out. */
  readonly name?: M;
}

/** Options of `Nx.LinAlg.lu`. */
export interface LuOptions<P = readonly [Name, Name]> {
  /** Names of the axes at which `p` and `l` meet, and `l` and `u`; none when left out. */
  readonly names?: P;
}

/** Options of `Nx.LinAlg.qr`. */
export interface QrOptions<M = Name> extends NewAxisOptions<M> {
  /** `"reduced"` (default): `q` has as many columns as there are singular values; `"complete"`: `q` is square. */
  readonly mode?: "reduced" | "complete";
}

/** Options of `Nx.LinAlg.svd`. */
export interface SvdOptions<M = Name> extends NewAxisOptions<M> {
  /** Whether `u` and `vt` are square (default), or only as large as the number of singular values. */
  readonly fullMatrices?: boolean;
}

/**
 * The Cholesky decomposition of hermitian, positive definite matrices: the lower triangular `l` with `a = l l^H`.
 *
 * The lower triangle of `a` is read (Golub & Van Loan, Matrix Computations, 4th ed., 4.2.5).
 *
 * @param tensor - matrices, shape `[...batch][n][n]`; of integers the results are `f32`
 * @param options - `name`: name of the columns of `l`
 * @returns `l`, of the same floating type and shape; the names of the batch and the rows
 * @throws ArgumentError for matrices that are not square, not hermitian (within the rounding of their type) or not positive
 *   definite
 * @example
 * ```ts
 * Nx.LinAlg.cholesky(Nx.tensor([[4, 2], [2, 10]], { names: ["x", "y"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 2][2]
 * //   [
 * //     [2.0, 0.0],
 * //     [1.0, 3.0]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.LinAlg.cholesky(Nx.tensor([[1, 2], [2, 1]]));
 * // throws ArgumentError: Nx.LinAlg.cholesky: the Cholesky decomposition needs a positive definite matrix, but the leading 2x2 block of this 2x2
 * Nx.LinAlg.cholesky(Nx.tensor([[1, 2], [0, 1]]));
 * // throws ArgumentError: Nx.LinAlg.cholesky expects hermitian matrices, but element [0][1] of this 2x2 matrix is 2 and element [1][0] is 0
 * ```
 */
export function cholesky<N extends Names, const M extends Name = null>(
  tensor: Operand<N>,
  options?: NewAxisOptions<M>,
): Tensor<InBatch<N, readonly [RowName<N>, M]>>;
export function cholesky(tensor: Operand, options?: NewAxisOptions): Tensor {
  const name = readName("Nx.LinAlg.cholesky", options);
  const a = readSquare("Nx.LinAlg.cholesky", tensor);
  const out = resultOf(a.type, a, [a.rows, a.rows], [a.rowName, name]);
  return decompose([out], a, { op: "cholesky" })[0]!;
}

/**
 * The eigenvalues and eigenvectors of square matrices that need not be hermitian: `a v = v diag(w)`. Both are complex.
 *
 * Values are ordered by descending magnitude, those of equal magnitude by descending real, then imaginary part; of a real matrix
 * they are real or come in pairs that are conjugate to the last bit. The vectors are the columns of `v`, each of length 1, with its
 * component of largest magnitude real and positive; where a matrix has fewer vectors than values, some are the same up to rounding.
 * Matrices are balanced, brought to Hessenberg form and made triangular by implicit QR steps (Golub & Van Loan 7.4 to 7.6; Francis,
 * "The QR transformation", 1961). For hermitian ones {@link eigh} is faster and more accurate. Vectors have a gradient where all
 * values differ, values wherever they are simple.
 *
 * @param tensor - matrices, shape `[...batch][n][n]`; of integers the results are `c64`
 * @param options - `name`: name of the axis of eigenvalues, which are the columns of the vectors
 * @returns the values, shape `[...batch][n]`, and the vectors, of the tensor's shape, in the complex type of its precision; with the
 *   names of the batch and the rows
 * @throws ArgumentError for matrices that are not square, or not finite
 * @example
 * A rotation by a right angle:
 * ```ts
 * const [values, vectors] = Nx.LinAlg.eig(Nx.tensor([[0, -1], [1, 0]], { names: ["x", "y"] }));
 * values;
 * // => #Nx.Tensor<
 * //   c64[2]
 * //   [0.0+1.0i, 0.0-1.0i]
 * // >
 * vectors;
 * // => #Nx.Tensor<
 * //   c64[x: 2][2]
 * //   [
 * //     [0.70710677+0.0i, 0.70710677+0.0i],
 * //     [0.0-0.70710677i, 0.0+0.70710677i]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.LinAlg.eig(Nx.tensor([[1, 5], [0, -3]]))[0];
 * // => #Nx.Tensor<
 * //   c64[2]
 * //   [-3.0+0.0i, 1.0+0.0i]
 * // >
 * Nx.LinAlg.eig(Nx.iota([2, 3]));
 * // throws ArgumentError: Nx.LinAlg.eig expects square matrices, got a tensor of shape [2][3]
 * ```
 */
export function eig<N extends Names, const M extends Name = null>(
  tensor: Operand<N>,
  options?: NewAxisOptions<M>,
): readonly [values: Tensor<InBatch<N, readonly [M]>>, vectors: Tensor<InBatch<N, readonly [RowName<N>, M]>>];
export function eig(tensor: Operand, options?: NewAxisOptions): readonly [values: Tensor, vectors: Tensor] {
  const name = readName("Nx.LinAlg.eig", options);
  const a = readSquare("Nx.LinAlg.eig", tensor);
  const type = toComplex(a.type);
  const outs = [resultOf(type, a, [a.rows], [name]), resultOf(type, a, [a.rows, a.rows], [a.rowName, name])];
  return decompose(outs, a, { op: "eig" }) as [Tensor, Tensor];
}

/**
 * The eigenvalues and eigenvectors of hermitian matrices: `a v = v diag(w)`.
 *
 * The values are real, ordered by descending magnitude; the vectors are the columns of `v`, orthonormal, each with its
 * component of largest magnitude positive. The lower triangle of `a` is read. Matrices are brought to tridiagonal form and
 * diagonalised by implicit QL steps (Golub & Van Loan 8.3; Wilkinson & Reinsch, tred2 and tql2).
 *
 * @param tensor - matrices, shape `[...batch][n][n]`; of integers the results are `f32`
 * @param options - `name`: name of the axis of eigenvalues, which are the columns of the vectors
 * @returns the values, real, shape `[...batch][n]`, and the vectors, of the tensor's floating type and shape; with the names
 *   of the batch and the rows
 * @throws ArgumentError for matrices that are not square or not hermitian (within the rounding of their type)
 * @example
 * ```ts
 * const [values, vectors] = Nx.LinAlg.eigh(Nx.tensor([[2, 0], [0, -3]], { names: ["x", "y"] }));
 * values;
 * // => #Nx.Tensor<
 * //   f32[2]
 * //   [-3.0, 2.0]
 * // >
 * vectors;
 * // => #Nx.Tensor<
 * //   f32[x: 2][2]
 * //   [
 * //     [0.0, 1.0],
 * //     [1.0, 0.0]
 * //   ]
 * // >
 * Nx.LinAlg.eigh(Nx.eye(2, { names: ["x", "y"] }), { name: "component" })[1].names;
 * // => ["x", "component"]
 * ```
 * @example
 * ```ts
 * Nx.LinAlg.eigh(Nx.iota([2, 3]));
 * // throws ArgumentError: Nx.LinAlg.eigh expects square matrices, got a tensor of shape [2][3]
 * ```
 */
export function eigh<N extends Names, const M extends Name = null>(
  tensor: Operand<N>,
  options?: NewAxisOptions<M>,
): readonly [values: Tensor<InBatch<N, readonly [M]>>, vectors: Tensor<InBatch<N, readonly [RowName<N>, M]>>];
export function eigh(tensor: Operand, options?: NewAxisOptions): readonly [values: Tensor, vectors: Tensor] {
  const name = readName("Nx.LinAlg.eigh", options);
  const a = readSquare("Nx.LinAlg.eigh", tensor);
  const values = resultOf(toReal(a.type), a, [a.rows], [name]);
  const vectors = resultOf(a.type, a, [a.rows, a.rows], [a.rowName, name]);
  return decompose([values, vectors], a, { op: "eigh" }) as [Tensor, Tensor];
}

/**
 * The LU decomposition of square matrices with partial pivoting: `a = p l u` (Golub & Van Loan 3.4.4).
 *
 * @param tensor - matrices, shape `[...batch][n][n]`; of integers the results are `f32`
 * @param options - `names`: names of the two axes at which `p` and `l` meet, and `l` and `u`
 * @returns the permutation `p`, `l` with ones on its diagonal and zeros above, and `u` with zeros below, of the same shape;
 *   `l` and `u` of the floating type, `p` of the type of the tensor; rows and columns keep the names they have in `a`
 * @throws ArgumentError for matrices that are not square
 * @example
 * ```ts
 * const [p, l, u] = Nx.LinAlg.lu(Nx.tensor([[1, 2], [4, 4]], { names: ["x", "y"] }));
 * p;
 * // => #Nx.Tensor<
 * //   s64[x: 2][2]
 * //   [
 * //     [0, 1],
 * //     [1, 0]
 * //   ]
 * // >
 * l;
 * // => #Nx.Tensor<
 * //   f32[2][2]
 * //   [
 * //     [1.0, 0.0],
 * //     [0.25, 1.0]
 * //   ]
 * // >
 * u;
 * // => #Nx.Tensor<
 * //   f32[2][y: 2]
 * //   [
 * //     [4.0, 4.0],
 * //     [0.0, 1.0]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.LinAlg.lu(Nx.tensor([1, 2]));
 * // throws ArgumentError: Nx.LinAlg.lu expects a matrix, or a batch of them, got a tensor of shape [2]
 * ```
 */
export function lu<N extends Names, const P extends readonly [Name, Name] = readonly [null, null]>(
  tensor: Operand<N>,
  options?: LuOptions<P>,
): readonly [
  p: Tensor<InBatch<N, readonly [RowName<N>, P[0]]>>,
  l: Tensor<InBatch<N, P>>,
  u: Tensor<InBatch<N, readonly [P[1], ColumnName<N>]>>,
];
export function lu(tensor: Operand, options?: LuOptions): readonly [p: Tensor, l: Tensor, u: Tensor] {
  const [pivot, step] = readNames("Nx.LinAlg.lu", options);
  const a = readSquare("Nx.LinAlg.lu", tensor);
  const { type } = a;
  const size = [a.rows, a.rows];
  const p = resultOf(type, a, size, [a.rowName, pivot]);
  const outs = [p, resultOf(type, a, size, [pivot, step]), resultOf(type, a, size, [step, a.columnName])];
  const [first, l, u] = decompose(outs, a, { op: "lu" }) as [Tensor, Tensor, Tensor];
  return [cast(first, a.given), l, u];
}

/**
 * The QR decomposition by reflections: `a = q r` with orthonormal columns in `q` and zeros below the diagonal of `r`
 * (Householder; Golub & Van Loan 5.2.2).
 *
 * @param tensor - matrices, shape `[...batch][m][n]`; of integers the results are `f32`
 * @param options - `mode`: `"reduced"` (default) for `q` of shape `[m][min(m, n)]`, `"complete"` for `[m][m]`; `name`: name of the axis at
 *   which `q` and `r` meet
 * @returns `q` and `r` of the same floating type; rows and columns keep the names they have in `a`
 * @throws ArgumentError for tensors of fewer than two axes, and unknown modes
 * @example
 * ```ts
 * const [q, r] = Nx.LinAlg.qr(Nx.tensor([[3, 1], [4, 2], [0, 2]], { names: ["i", "j"] }));
 * q;
 * // => #Nx.Tensor<
 * //   f32[i: 3][2]
 * //   [
 * //     [0.6, -0.15689291],
 * //     [0.8, 0.11766968],
 * //     [0.0, 0.9805807]
 * //   ]
 * // >
 * r;
 * // => #Nx.Tensor<
 * //   f32[2][j: 2]
 * //   [
 * //     [5.0, 2.2],
 * //     [0.0, 2.0396078]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.LinAlg.qr(Nx.iota([3, 2]), { mode: "complete" })[0].shape;
 * // => [3, 3]
 *
 * // @ts-expect-error wrong on purpose
 * Nx.LinAlg.qr(Nx.iota([3, 2]), { mode: "full" });
 * // throws ArgumentError: option mode of Nx.LinAlg.qr must be one of "reduced", "complete", got: "full"
 * ```
 */
export function qr<N extends Names, const M extends Name = null>(
  tensor: Operand<N>,
  options?: QrOptions<M>,
): readonly [q: Tensor<InBatch<N, readonly [RowName<N>, M]>>, r: Tensor<InBatch<N, readonly [M, ColumnName<N>]>>];
export function qr(tensor: Operand, options?: QrOptions): readonly [q: Tensor, r: Tensor] {
  const fn = "Nx.LinAlg.qr";
  options = checkOptions(fn, options, ["mode", "name"]);
  const name = checkName(options?.name ?? null);
  const mode = wordOption(fn, "mode", options?.mode, ["reduced", "complete"], "reduced");
  const a = readMatrices(fn, tensor);
  if (a.rows < a.columns) return wideQr(a, name);
  const width = mode === "complete" ? a.rows : a.columns;
  const q = resultOf(a.type, a, [a.rows, width], [a.rowName, name]);
  const r = resultOf(a.type, a, [width, a.columns], [name, a.columnName]);
  return decompose([q, r], a, { op: "qr", mode }) as [Tensor, Tensor];
}

/** More columns than rows: those in front are decomposed, `q` turns the others. Both modes are the same. */
function wideQr(a: Matrices, name: Name): readonly [q: Tensor, r: Tensor] {
  const { rows, columns } = a;
  const t = widely(a.tensor);
  const last = t.shape.length - 1;
  const square = resultOf(t.type, { batch: a.batch, batchNames: a.batch.map(() => null) }, [rows, rows]);
  const front = { ...a, tensor: sliceAlong(t, last, 0, rows) };
  const [q, r] = decompose([square, square], front, { op: "qr", mode: "reduced" }) as [Tensor, Tensor];
  const rest = matmul(adjointOf(q), sliceAlong(t, last, rows, columns - rows));
  return [
    finish(q, resultOf(a.type, a, [rows, rows], [a.rowName, name])),
    finish(concatenate([r, rest], { axis: last }), resultOf(a.type, a, [rows, columns], [name, a.columnName])),
  ];
}

/**
 * The singular value decomposition: `a = u diag(s) vt`, with orthonormal columns in `u` and rows in `vt`.
 *
 * The values are real and descending; the component of largest magnitude of each column of `u` is positive. Columns are
 * made orthogonal by rotations (one-sided Jacobi; Demmel & Veselic, "Jacobi's method is more accurate than QR", SIAM J.
 * Matrix Anal. Appl. 13, 1992).
 *
 * @param tensor - matrices, shape `[...batch][m][n]`; of integers the results are `f32`
 * @param options - `fullMatrices`: `u` of shape `[m][m]` and `vt` of `[n][n]` (default), else `[m][k]` and `[k][n]` with
 *   `k = min(m, n)`; `name`: name of the axis of singular values
 * @returns `u`, `s`, `vt`, of the same floating type, `s` real; rows and columns keep the names they have in `a`
 * @throws ArgumentError for tensors of fewer than two axes
 * @example
 * ```ts
 * const [u, s, vt] = Nx.LinAlg.svd(Nx.tensor([[0, 2], [3, 0], [0, 0]], { names: ["x", "y"] }));
 * u;
 * // => #Nx.Tensor<
 * //   f32[x: 3][3]
 * //   [
 * //     [0.0, 1.0, 0.0],
 * //     [1.0, 0.0, 0.0],
 * //     [0.0, 0.0, 1.0]
 * //   ]
 * // >
 * s;
 * // => #Nx.Tensor<
 * //   f32[2]
 * //   [3.0, 2.0]
 * // >
 * vt;
 * // => #Nx.Tensor<
 * //   f32[2][y: 2]
 * //   [
 * //     [1.0, 0.0],
 * //     [0.0, 1.0]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.LinAlg.svd(Nx.iota([3, 2]), { fullMatrices: false })[0].shape;
 * // => [3, 2]
 * Nx.LinAlg.svd(Nx.tensor([1, 2]));
 * // throws ArgumentError: Nx.LinAlg.svd expects a matrix, or a batch of them, got a tensor of shape [2]
 * ```
 */
export function svd<N extends Names, const M extends Name = null>(
  tensor: Operand<N>,
  options?: SvdOptions<M>,
): readonly [
  u: Tensor<InBatch<N, readonly [RowName<N>, M]>>,
  s: Tensor<InBatch<N, readonly [M]>>,
  vt: Tensor<InBatch<N, readonly [M, ColumnName<N>]>>,
];
export function svd(tensor: Operand, options?: SvdOptions): readonly [u: Tensor, s: Tensor, vt: Tensor] {
  const fn = "Nx.LinAlg.svd";
  options = checkOptions(fn, options, ["fullMatrices", "name"]);
  const fullMatrices = booleanOption(fn, "fullMatrices", options?.fullMatrices, true);
  return svdOf(readMatrices(fn, tensor), fullMatrices, checkName(options?.name ?? null));
}

/** The singular value decomposition of matrices that are read. */
export function svdOf(
  a: Matrices,
  fullMatrices: boolean,
  name: Name = null,
): readonly [u: Tensor, s: Tensor, vt: Tensor] {
  const count = Math.min(a.rows, a.columns);
  const { type } = a;
  const outs = [
    resultOf(type, a, [a.rows, fullMatrices ? a.rows : count], [a.rowName, name]),
    resultOf(toReal(type), a, [count], [name]),
    resultOf(type, a, [fullMatrices ? a.columns : count, a.columns], [name, a.columnName]),
  ];
  return decompose(outs, a, { op: "svd", fullMatrices }) as [Tensor, Tensor, Tensor];
}

/** The name of the new axis. */
function readName(fn: string, options: NewAxisOptions | undefined): Name {
  return checkName(checkOptions(fn, options, ["name"])?.name ?? null);
}

/** The names of the two new axes. */
function readNames(fn: string, options: LuOptions | undefined): readonly [Name, Name] {
  const names: unknown = checkOptions(fn, options, ["names"])?.names ?? [null, null];
  if (Array.isArray(names) && names.length === 2) return [checkName(names[0]), checkName(names[1])];
  throw new ArgumentError(`option names of ${fn} must be a list of two names or nulls, got: ${show(names)}`);
}

function decompose(outs: readonly Template[], { tensor }: Matrices, attrs: LinalgAttrs): Tensor[] {
  return runMultiResult(LINALG, outs, [tensor], attrs);
}
