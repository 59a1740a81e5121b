/**
 * What the main module offers: every function with its documentation, the namespaces and the types. The published types are
 * made of this file. What runs is `index.ts`, where an entry stands in front of each function.
 */
export * from "./main-api";
export * from "./reference-api";
