/**
 * Guards: telling tensors from other values.
 */
import { Tensor, type Operand } from "../tensor";
import { isScalar } from "./dispatch";

/**
 * Whether a value can stand for a tensor in an argument: a tensor, or a number, bigint, boolean or `Nx.Complex`, which
 * become scalars. Lists do not; they need `Nx.tensor`. Whether it is a `Tensor` already is `value instanceof Nx.Tensor`.
 *
 * @param value - any value
 * @returns true where functions take the value as an operand
 * @example
 * ```ts
 * Nx.isTensor(Nx.iota([2], { names: ["x"] }));
 * // => true
 * Nx.isTensor(1.5);
 * // => true
 * ```
 * @example
 * ```ts
 * Nx.isTensor([1, 2]);
 * // => false
 * Nx.isTensor("1");
 * // => false
 * ```
 */
export function isTensor(value: unknown): value is Operand {
  return value instanceof Tensor || isScalar(value);
}
