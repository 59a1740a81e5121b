/**
 * The namespace `LinAlg`: linear algebra on matrices, which are the last two axes of a tensor; all axes before them are a
 * batch. Work is done in double precision and rounded once. Axes of a result that are axes of an operand keep their names.
 */
export type * from "./names";
export { adjoint } from "./adjoint";
export { cond, type CondOptions } from "./cond";
export {
  cholesky,
  eig,
  eigh,
  lu,
  qr,
  svd,
  type LuOptions,
  type NewAxisOptions,
  type QrOptions,
  type SvdOptions,
} from "./decompositions";
export { determinant, logdet, matrixPower, slogdet } from "./determinant";
export { expm, sqrtm } from "./functions";
export { leastSquares, type LeastSquares, type LeastSquaresOptions, type Nearest } from "./least-squares";
export type { TriangularTransform } from "../nx/ndim/matrices";
export { norm, type NormOptions, type NormOrder } from "./norm";
export { matrixRank, type ToleranceOptions } from "./singular";
export {
  choleskySolve,
  invert,
  pinv,
  solve,
  triangularSolve,
  type CholeskySolveOptions,
  type TriangularSolveOptions,
} from "./solve";
