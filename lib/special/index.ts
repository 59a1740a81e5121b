/**
 * Special functions of statistics and physics: the gamma and beta functions, the normal distribution, Bessel functions, logarithms of odds
 * and shares. They are element-wise, made of primitives, computed in double precision and rounded once; their derivatives are formulas.
 */
export * from "./bessel";
export { digamma, lbeta, lgamma, polygamma } from "./gamma";
export { betainc } from "./incomplete-beta";
export { gammainc, gammaincc } from "./incomplete-gamma";
export { logit, sinc, xlogy } from "./logarithmic";
export { normalCdf, normalQuantile } from "./normal";
