/** The namespace `LinAlg` as users call it. */
import { entry } from "../core/entry";
import * as linalg from "../linalg";
import { composite } from "../nx/composite";

export type * from "../linalg";

export const adjoint = entry("Nx.LinAlg.adjoint", linalg.adjoint);
export const cholesky = entry("Nx.LinAlg.cholesky", linalg.cholesky);
export const determinant = entry("Nx.LinAlg.determinant", linalg.determinant);
export const eigh = entry("Nx.LinAlg.eigh", linalg.eigh);
export const invert = entry("Nx.LinAlg.invert", linalg.invert);
export const leastSquares = entry("Nx.LinAlg.leastSquares", linalg.leastSquares);
export const lu = entry("Nx.LinAlg.lu", linalg.lu);
export const matrixPower = entry("Nx.LinAlg.matrixPower", linalg.matrixPower);
export const matrixRank = entry("Nx.LinAlg.matrixRank", linalg.matrixRank);
export const norm = entry("Nx.LinAlg.norm", composite(linalg.norm));
export const pinv = entry("Nx.LinAlg.pinv", linalg.pinv);
export const qr = entry("Nx.LinAlg.qr", linalg.qr);
export const solve = entry("Nx.LinAlg.solve", linalg.solve);
export const svd = entry("Nx.LinAlg.svd", linalg.svd);
export const triangularSolve = entry("Nx.LinAlg.triangularSolve", linalg.triangularSolve);
