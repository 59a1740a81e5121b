/**
 * Condition numbers.
 */
import type { Batch } from "../core/axis-types";
import { ArgumentError, show } from "../core/errors";
import { checkOptions } from "../core/options";
import { formatShape, type Names } from "../core/shape";
import { toReal } from "../core/types";
import { any, reduceMax, reduceMin } from "../nx/aggregates";
import { eye, takeDiagonal } from "../nx/creation";
import { divide, equal, isNan, multiply, select } from "../nx/elementwise";
import { luOf } from "../nx/ndim/matrices";
import { broadcast, newAxis } from "../nx/shape";
import type { Operand, Tensor } from "../tensor";
import { finish, readMatrices, resultOf, widely, type Matrices } from "./core";
import { norm, type NormOrder } from "./norm";
import { singularValues } from "./singular";
import { inverseWide } from "./solve";

/** Options of `Nx.LinAlg.cond`. */
export interface CondOptions {
  /** The norm of matrices that is meant, as for `Nx.LinAlg.norm`; 2, the largest singular value, when left out. */
  readonly ord?: NormOrder;
}

const FN = "Nx.LinAlg.cond";
const ORDERS: readonly unknown[] = [1, -1, 2, -2, Infinity, -Infinity, "frobenius", "nuclear"];

/**
 * The condition numbers of matrices: the norm of a matrix times that of its inverse, by which solving a system with it magnifies
 * errors at most.
 *
 * @param tensor - matrices, shape `[...batch][m][n]`; square ones but for the orders 2 and -2, which are ratios of singular values
 * @param options - `ord`: the norm, 2 when left out
 * @returns a real floating type, `f32` for integers, computed in double precision; the shape and names of the batch. `Infinity` for
 *   singular matrices
 * @throws ArgumentError for orders that norms of matrices do not have, and matrices that are not square where there has to be an
 *   inverse
 * @example
 * ```ts
 * Nx.LinAlg.cond(Nx.tensor([[[2, 0], [0, 1]], [[1, 1], [1, 1]]], { names: ["case", "x", "y"] }), { ord: 1 });
 * // => #Nx.Tensor<
 * //   f32[case: 2]
 * //   [2.0, Inf]
 * // >
 * Nx.LinAlg.cond(Nx.tensor([[3, 0], [0, -4], [0, 0]]));
 * // => #Nx.Tensor<
 * //   f32
 * //   1.3333334
 * // >
 * ```
 * @example
 * ```ts
 * Nx.LinAlg.cond(Nx.tensor([[1, 2], [3, 4]]), { ord: "frobenius" });
 * // => #Nx.Tensor<
 * //   f32
 * //   15.0
 * // >
 * Nx.LinAlg.cond(Nx.iota([3, 2]), { ord: 1 });
 * // throws ArgumentError: Nx.LinAlg.cond with ord 1 expects square matrices, got a tensor of shape [3][2]; ord 2 takes any
 * ```
 */
export function cond<N extends Names>(tensor: Operand<N>, options?: CondOptions): Tensor<Batch<N>>;
export function cond(tensor: Operand, options?: CondOptions): Tensor {
  options = checkOptions(FN, options, ["ord"]);
  const ord: unknown = options?.ord ?? 2;
  if (!ORDERS.includes(ord)) {
    throw new ArgumentError(
      `option ord of ${FN} must be 1, -1, 2, -2, Infinity, -Infinity, "frobenius" or "nuclear", got: ${show(ord)}`,
    );
  }
  const a = readMatrices(FN, tensor);
  const value = ord === 2 || ord === -2 ? ofSingularValues(a, ord) : byInverse(a, ord as NormOrder);
  return finish(value, resultOf(toReal(a.type), a, []));
}

function ofSingularValues(a: Matrices, ord: 2 | -2): Tensor {
  const s = singularValues(a);
  const [most, least] = [reduceMax(s, { axes: [-1] }), reduceMin(s, { axes: [-1] })];
  const ratio = ord === 2 ? divide(most, least) : divide(least, most);
  return select(isNan(ratio), Infinity, ratio); // that of a matrix of zeros
}

function byInverse(a: Matrices, ord: NormOrder): Tensor {
  const { shape, names } = a.tensor;
  if (a.rows !== a.columns) {
    throw new ArgumentError(
      `${FN} with ord ${show(ord)} expects square matrices, got a tensor of shape ${formatShape(shape, names)}; ord 2 takes any`,
    );
  }
  const t = widely(a.tensor);
  const isSingular = any(equal(takeDiagonal(luOf(t)[2]), 0), { axes: [-1] });
  const isReplaced = broadcast(newAxis(newAxis(isSingular, -1), -1), t.shape);
  const regular = select(isReplaced, eye(a.rows, { type: t.type }), t);
  const sizes = [t, inverseWide(regular, a)].map((x) => norm(x, { ord, axes: [-2, -1] })) as [Tensor, Tensor];
  return select(isSingular, Infinity, multiply(...sizes));
}
