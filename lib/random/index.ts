/**
 * The namespace `Random`: keys and what is drawn with them.
 */
export type { RandomOptions } from "./draw";
export { gumbel, gumbelSplit, normal, normalSplit, uniform, uniformSplit, type Drawn } from "./floats";
export { randint, randintSplit } from "./integers";
export { foldIn, key, split, type SplitOptions } from "./keys";
export { multivariateNormal, multivariateNormalSplit, type MultivariateOptions } from "./multivariate";
export { choice, shuffle, type ChoiceOptions, type ShuffleOptions } from "./permute";
