/**
 * Dropout.
 */
import * as Nx from "nx-numerics";
import type { Names, Tensor } from "nx-numerics";
import { checkOptions, FRACTION, numberOption } from "./common";

/** Options of {@link dropout}. */
export interface DropoutOptions {
  /** The part of the elements that become 0; 0.5 when left out. */
  readonly rate?: number;
}

/**
 * Sets elements to 0 at random, each with the probability `rate`, and divides the others by `1 - rate`, so that the expected value stays. For
 * training: at other times leave it out. (Srivastava et al. 2014: Dropout.)
 *
 * @param key - a key of `Nx.Random`; the same key gives the same elements, so split it for each step and layer
 * @param tensor - a float tensor
 * @param options - `rate`: the part that becomes 0
 * @returns a tensor of the same type, shape and names
 * @throws ArgumentError for a rate out of range
 * @example
 * ```ts
 * import { dropout } from "nx-numerics/optim";
 * const ones = Nx.broadcast(Nx.f32(1), [1000], { names: ["unit"] });
 * const dropped = dropout(Nx.Random.key(1), ones, { rate: 0.75 });
 * dropout(Nx.Random.key(1), Nx.f32([1, 2, 3])).toNumbers();
 * // => [2, 0, 6]
 * dropped.greater(0).mean().subtract(0.25).abs().item() < 0.05;
 * // => true
 * dropped.names;
 * // => ['unit']
 * dropout(Nx.Random.key(1), ones, { rate: 1 });
 * // throws ArgumentError: option rate of dropout must be a number from 0 to below 1, got: 1
 * ```
 */
export function dropout<N extends Names>(key: Tensor, tensor: Tensor<N>, options?: DropoutOptions): Tensor<N> {
  const rate = numberOption("dropout", "rate", checkOptions("dropout", options, ["rate"]).rate, 0.5, FRACTION);
  const t: Tensor = Nx.toTensor(tensor);
  const draws = Nx.Random.uniformSplit(key, 0, 1, { shape: t.shape, type: "f32" });
  return Nx.where(draws.greaterEqual(rate), t.divide(1 - rate), t.multiply(0)) as Tensor<N>;
}
