/** The namespace `Constants` as users call it. */
import { entry } from "../core/entry";
import * as constants from "../constants";

export type * from "../constants";

export const e = entry("Nx.Constants.e", constants.e);
export const epsilon = entry("Nx.Constants.epsilon", constants.epsilon);
export const eulerGamma = entry("Nx.Constants.eulerGamma", constants.eulerGamma);
export const i = entry("Nx.Constants.i", constants.i);
export const infinity = entry("Nx.Constants.infinity", constants.infinity);
export const max = entry("Nx.Constants.max", constants.max);
export const maxFinite = entry("Nx.Constants.maxFinite", constants.maxFinite);
export const min = entry("Nx.Constants.min", constants.min);
export const minFinite = entry("Nx.Constants.minFinite", constants.minFinite);
export const nan = entry("Nx.Constants.nan", constants.nan);
export const negInfinity = entry("Nx.Constants.negInfinity", constants.negInfinity);
export const pi = entry("Nx.Constants.pi", constants.pi);
export const smallestPositiveNormal = entry("Nx.Constants.smallestPositiveNormal", constants.smallestPositiveNormal);
