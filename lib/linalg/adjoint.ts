/**
 * The conjugate transpose.
 */
import type { Names } from "../core/shape";
import { asTensor, apart } from "../nx/dispatch";
import { adjointOf, conj } from "../nx/ndim/matrices";
import type { Operand, Tensor } from "../tensor";
import type { Exchanged } from "./names";

/**
 * The adjoint of matrices: transposed, and conjugated where they are complex. Of a vector the conjugate.
 *
 * @param tensor - matrices, shape `[...batch][m][n]`, or a vector, or a scalar
 * @returns the tensor's type, shape `[...batch][n][m]`; rows and columns keep their names
 * @throws ArgumentError for anything but a tensor or a number
 * @example
 * ```ts
 * const i = new Nx.Complex(0, 1);
 * Nx.LinAlg.adjoint(Nx.tensor([[1, i], [2, 3]], { names: ["x", "y"] }));
 * // => #Nx.Tensor<
 * //   c64[y: 2][x: 2]
 * //   [
 * //     [1.0-0.0i, 2.0-0.0i],
 * //     [0.0-1.0i, 3.0-0.0i]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.LinAlg.adjoint(Nx.tensor([[1, 2]])).shape;
 * // => [2, 1]
 *
 * // @ts-expect-error wrong on purpose
 * Nx.LinAlg.adjoint([[1, 2]]);
 * // throws ArgumentError: Nx.LinAlg.adjoint expects a tensor or a number, got: [[1, 2]]; make a tensor of it with Nx.tensor(...)
 * ```
 */
export function adjoint<N extends Names>(tensor: Operand<N>): Tensor<Exchanged<N>>;
export function adjoint(tensor: Operand): Tensor {
  const t = asTensor(tensor, "Nx.LinAlg.adjoint");
  return apart(t.shape.length < 2 ? conj(t) : adjointOf(t), t);
}
