/** The namespace `Type` as users call it. */
import { entry } from "../core/entry";
import * as types from "../type";

export type * from "../type";

export const castNumber = entry("Nx.Type.castNumber", types.castNumber);
export const epsilon = entry("Nx.Type.epsilon", types.epsilon);
export const infer = entry("Nx.Type.infer", types.infer);
export const isComplex = entry("Nx.Type.isComplex", types.isComplex);
export const isFloat = entry("Nx.Type.isFloat", types.isFloat);
export const isInteger = entry("Nx.Type.isInteger", types.isInteger);
export const isSigned = entry("Nx.Type.isSigned", types.isSigned);
export const isUnsigned = entry("Nx.Type.isUnsigned", types.isUnsigned);
export const max = entry("Nx.Type.max", types.max);
export const maxFinite = entry("Nx.Type.maxFinite", types.maxFinite);
export const merge = entry("Nx.Type.merge", types.merge);
export const mergeNumber = entry("Nx.Type.mergeNumber", types.mergeNumber);
export const min = entry("Nx.Type.min", types.min);
export const minFinite = entry("Nx.Type.minFinite", types.minFinite);
export const normalize = entry("Nx.Type.normalize", types.normalize);
export const smallestPositiveNormal = entry("Nx.Type.smallestPositiveNormal", types.smallestPositiveNormal);
export const toAggregate = entry("Nx.Type.toAggregate", types.toAggregate);
export const toComplex = entry("Nx.Type.toComplex", types.toComplex);
export const toFloating = entry("Nx.Type.toFloating", types.toFloating);
export const toReal = entry("Nx.Type.toReal", types.toReal);
export const toString = entry("Nx.Type.toString", types.toString);
