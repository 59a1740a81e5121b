/**
 * What `nx-numerics/core` offers, with its documentation: all of the main entry but the methods of tensors. The published types are made of
 * this file. What runs is `core-functions.ts`.
 */
export * from "./main-api";
export * from "./reference-api";
