/**
 * The namespace `LinAlg`: linear algebra on matrices, which are the last two axes of a tensor; all axes before them are a
 * batch. Work is done in double precision and rounded once. Axes of a result that are axes of an operand keep their names.
 */
export { adjoint } from "./adjoint";
export { cholesky, eigh, lu, qr, svd, type QrOptions, type SvdOptions } from "./decompositions";
export { determinant, matrixPower } from "./determinant";
export type { TriangularTransform } from "../nx/ndim/matrices";
export { norm, type NormOptions, type NormOrder } from "./norm";
export { matrixRank, type ToleranceOptions } from "./singular";
export { invert, leastSquares, pinv, solve, triangularSolve, type TriangularSolveOptions } from "./solve";
