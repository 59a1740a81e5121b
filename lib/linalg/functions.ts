/**
 * Functions of square matrices: the exponential and the square root, which are series of powers and no functions of the elements.
 */
import type { LinalgOp } from "../backend";
import type { Names } from "../core/shape";
import { LINALG } from "../backends/decompositions";
import { runMultiResult } from "../nx/dispatch";
import type { Operand, Tensor } from "../tensor";
import { readSquare, resultOf } from "./core";

function functionOf<N extends Names>(
  fn: string,
  tensor: Operand<N>,
  op: Extract<LinalgOp, "expm" | "sqrtm">,
): Tensor<N> {
  const a = readSquare(fn, tensor);
  const out = resultOf(a.type, a, [a.rows, a.rows], [a.rowName, a.columnName]);
  return runMultiResult(LINALG, [out], [a.tensor], { op })[0] as Tensor<N>;
}

/**
 * The exponentials of square matrices, `1 + a + a^2/2 + a^3/6 + ...`: `expm(t a)` is what the solutions of `x' = a x` are multiplied
 * by in a time `t`.
 *
 * Found by scaling and squaring an approximant of Padé, in double precision (Higham, "The scaling and squaring method for the matrix
 * exponential revisited", SIAM J. Matrix Anal. Appl. 26, 2005).
 *
 * @param tensor - matrices, shape `[...batch][n][n]`; of integers the result is `f32`
 * @returns the same floating type, shape and names; NaN for matrices that are not finite
 * @throws ArgumentError for matrices that are not square
 * @example
 * ```ts
 * Nx.LinAlg.expm(Nx.tensor([[0, 1], [0, 0]], { names: ["x", "y"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 2][y: 2]
 * //   [
 * //     [1.0, 1.0],
 * //     [0.0, 1.0]
 * //   ]
 * // >
 * ```
 * @example
 * A turn by half a radian:
 * ```ts
 * Nx.LinAlg.expm(Nx.f32([[0, -0.5], [0.5, 0]])).at(0);
 * // => #Nx.Tensor<
 * //   f32[2]
 * //   [0.87758255, -0.47942555]
 * // >
 * Nx.LinAlg.expm(Nx.tensor([1, 2]));
 * // throws ArgumentError: Nx.LinAlg.expm expects a matrix, or a batch of them, got a tensor of shape [2]
 * ```
 */
export function expm<N extends Names>(tensor: Operand<N>): Tensor<N> {
  return functionOf("Nx.LinAlg.expm", tensor, "expm");
}

/**
 * The principal square roots of square matrices: `r` with `r r = a` whose eigenvalues have no negative real part.
 *
 * Found from a Schur decomposition, in double precision (Björck & Hammarling, "A Schur method for the square root of a matrix",
 * Linear Algebra Appl. 52, 1983). The root of a real matrix is real, so it must not have a negative eigenvalue; one that is 0 up to
 * rounding counts as 0.
 *
 * @param tensor - matrices, shape `[...batch][n][n]`; of integers the result is `f32`
 * @returns the same floating type, shape and names
 * @throws ArgumentError for matrices that are not square, not finite, or have no such root: real ones with a negative eigenvalue
 *   (convert them to a complex type) and some with an eigenvalue 0
 * @example
 * ```ts
 * Nx.LinAlg.sqrtm(Nx.tensor([[5, 4], [4, 5]], { names: ["x", "y"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 2][y: 2]
 * //   [
 * //     [2.0, 1.0],
 * //     [1.0, 2.0]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.LinAlg.sqrtm(Nx.c64([[-4, 0], [0, 9]]));
 * // => #Nx.Tensor<
 * //   c64[2][2]
 * //   [
 * //     [0.0+2.0i, 0.0+0.0i],
 * //     [0.0+0.0i, 3.0+0.0i]
 * //   ]
 * // >
 * Nx.LinAlg.sqrtm(Nx.tensor([[-4, 0], [0, 9]]));
 * // throws ArgumentError: Nx.LinAlg.sqrtm: the matrix has no principal square root of its type: it has a negative eigenvalue
 * ```
 */
export function sqrtm<N extends Names>(tensor: Operand<N>): Tensor<N> {
  return functionOf("Nx.LinAlg.sqrtm", tensor, "sqrtm");
}
