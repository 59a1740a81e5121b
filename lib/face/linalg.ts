/** The namespace `LinAlg` as users call it. */
import { entry } from "../core/entry";
import * as linalg from "../linalg";
import * as composites from "../linalg/composites";

export type * from "../linalg";

export const adjoint = entry("Nx.LinAlg.adjoint", linalg.adjoint);
export const cholesky = entry("Nx.LinAlg.cholesky", linalg.cholesky);
export const choleskySolve = entry("Nx.LinAlg.choleskySolve", composites.choleskySolve);
export const cond = entry("Nx.LinAlg.cond", composites.cond);
export const determinant = entry("Nx.LinAlg.determinant", composites.determinant);
export const eig = entry("Nx.LinAlg.eig", linalg.eig);
export const eigh = entry("Nx.LinAlg.eigh", linalg.eigh);
export const expm = entry("Nx.LinAlg.expm", linalg.expm);
export const invert = entry("Nx.LinAlg.invert", linalg.invert);
export const leastSquares = entry("Nx.LinAlg.leastSquares", composites.leastSquares);
export const logdet = entry("Nx.LinAlg.logdet", composites.logdet);
export const lu = entry("Nx.LinAlg.lu", linalg.lu);
export const matrixPower = entry("Nx.LinAlg.matrixPower", linalg.matrixPower);
export const matrixRank = entry("Nx.LinAlg.matrixRank", composites.matrixRank);
export const norm = entry("Nx.LinAlg.norm", composites.norm);
export const pinv = entry("Nx.LinAlg.pinv", composites.pinv);
export const qr = entry("Nx.LinAlg.qr", linalg.qr);
export const slogdet = entry("Nx.LinAlg.slogdet", composites.slogdet);
export const solve = entry("Nx.LinAlg.solve", composites.solve);
export const sqrtm = entry("Nx.LinAlg.sqrtm", linalg.sqrtm);
export const svd = entry("Nx.LinAlg.svd", linalg.svd);
export const triangularSolve = entry("Nx.LinAlg.triangularSolve", linalg.triangularSolve);
