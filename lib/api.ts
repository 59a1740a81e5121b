/**
 * What the main module offers: every function with its documentation, the namespaces, the types and the methods of tensors. The published types are
 * made of this file. What runs is `index.ts`, where an entry stands in front of each function.
 */
export type { TensorMethods } from "./tensor-methods";
export * from "./core-api";
