/** The namespace `LinAlg` as users call it. */
import { entry } from "../core/entry";
import * as linalg from "../linalg";
import { composite } from "../nx/composite";

export type * from "../linalg";

export const adjoint = entry("Nx.LinAlg.adjoint", linalg.adjoint);
export const cholesky = entry("Nx.LinAlg.cholesky", linalg.cholesky);
export const choleskySolve = entry("Nx.LinAlg.choleskySolve", linalg.choleskySolve);
export const cond = entry("Nx.LinAlg.cond", linalg.cond);
export const determinant = entry("Nx.LinAlg.determinant", linalg.determinant);
export const eig = entry("Nx.LinAlg.eig", linalg.eig);
export const eigh = entry("Nx.LinAlg.eigh", linalg.eigh);
export const expm = entry("Nx.LinAlg.expm", linalg.expm);
export const invert = entry("Nx.LinAlg.invert", linalg.invert);
export const leastSquares = entry("Nx.LinAlg.leastSquares", linalg.leastSquares);
export const logdet = entry("Nx.LinAlg.logdet", linalg.logdet);
export const lu = entry("Nx.LinAlg.lu", linalg.lu);
export const matrixPower = entry("Nx.LinAlg.matrixPower", linalg.matrixPower);
export const matrixRank = entry("Nx.LinAlg.matrixRank", linalg.matrixRank);
const compiledNorm = composite(linalg.norm, undefined, 1);
export const norm = entry("Nx.LinAlg.norm", compiledNorm);
export const pinv = entry("Nx.LinAlg.pinv", linalg.pinv);
export const qr = entry("Nx.LinAlg.qr", linalg.qr);
export const slogdet = entry("Nx.LinAlg.slogdet", linalg.slogdet);
export const solve = entry("Nx.LinAlg.solve", linalg.solve);
export const sqrtm = entry("Nx.LinAlg.sqrtm", linalg.sqrtm);
export const svd = entry("Nx.LinAlg.svd", linalg.svd);
export const triangularSolve = entry("Nx.LinAlg.triangularSolve", linalg.triangularSolve);
