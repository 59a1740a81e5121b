/**
 * Guards: telling tensors from other values.
 */
import { refuseOtherCopy } from "../core/errors";
import { Tensor } from "../tensor";

/**
 * Whether a value is a tensor. Numbers, which functions take in place of tensors, are none; `Nx.tensor` and the functions
 * named after types make tensors of them.
 *
 * @param value - any value
 * @returns true for tensors, those that are being traced or are vectorized included
 * @throws ArgumentError for a tensor of another copy of the library, of which functions of this one can make nothing
 * @example
 * ```ts
 * Nx.isTensor(Nx.iota([2], { names: ["x"] }));
 * // => true
 * Nx.isTensor(Nx.tensor(1.5));
 * // => true
 * ```
 * @example
 * ```ts
 * Nx.isTensor(1.5);
 * // => false
 * Nx.isTensor([1, 2]);
 * // => false
 * ```
 */
export function isTensor(value: unknown): value is Tensor {
  if (value instanceof Tensor) return true;
  refuseOtherCopy("Nx.isTensor", value, "a tensor");
  return false;
}
