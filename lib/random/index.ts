/**
 * The namespace `Random`: keys and what is drawn with them.
 */
export type { RandomOptions, SampleNames } from "./draw";
export {
  bernoulli,
  bernoulliSplit,
  categorical,
  categoricalSplit,
  cauchy,
  cauchySplit,
  exponential,
  exponentialSplit,
  laplace,
  laplaceSplit,
  logistic,
  logisticSplit,
  truncatedNormal,
  truncatedNormalSplit,
  type CategoricalNames,
  type CategoricalOptions,
} from "./distributions";
export { gumbel, gumbelSplit, normal, normalSplit, uniform, uniformSplit, type Drawn } from "./floats";
export { randint, randintSplit } from "./integers";
export { foldIn, key, split, type SplitOptions } from "./keys";
export { multivariateNormal, multivariateNormalSplit, type MultivariateOptions } from "./multivariate";
export {
  choice,
  permutation,
  shuffle,
  type ChoiceOptions,
  type Chosen,
  type PermutationOptions,
  type ShuffleOptions,
} from "./permute";
export { beta, betaSplit, dirichlet, dirichletSplit, gamma, gammaSplit, poisson, poissonSplit } from "./rejection";
