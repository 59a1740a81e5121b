/**
 * `nx-numerics/optim`: optimizers, schedules, losses and dropout for training by gradients. An optimizer is a pair of pure functions over any
 * container of tensors, so that training steps run inside `defn`, `scan` and `whileLoop`.
 */
export type { Optimizer, OptimizerState, Rate, Schedule } from "./common";
export { dropout, type DropoutOptions } from "./dropout";
export { lbfgs, type LbfgsOptions } from "./lbfgs";
export * from "./losses";
export { minimize, type MinimizeOptions, type Minimum } from "./minimize";
export * from "./optimizers";
export * from "./schedules";
export {
  addDecayedWeights,
  applyUpdates,
  chain,
  clipByGlobalNorm,
  clipByNorm,
  clipByValue,
  scale,
  type DecayOptions,
} from "./transforms";
