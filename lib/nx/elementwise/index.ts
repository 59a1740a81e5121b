/**
 * The element-wise functions, by theme.
 */
export * from "./activations";
export * from "./arithmetic";
export * from "./bitwise";
export * from "./comparison";
export * from "./complex";
export * from "./composites";
export * from "./division";
export * from "./exponential";
export * from "./extremes";
export * from "./hyperbolic";
export * from "./logical";
export * from "./piecewise";
export * from "./power";
export * from "./nearest";
export * from "./rounding";
export * from "./selection";
export * from "./short";
export * from "./sign";
export * from "./special";
export * from "./trigonometric";
export type { BinaryFunction, UnaryFunction } from "./core";
