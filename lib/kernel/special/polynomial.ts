/**
 * Polynomials in the kernel language, of either precision. Coefficients go from the lowest power up.
 */
import type { Builder } from "../builder";
import type { FloatKind, Value } from "../value";

/** `c[0] + c[1] x + c[2] x^2 + ...` by Horner's rule: fewest ops, each waiting for the one before. */
export function horner<K extends FloatKind>(k: Builder, x: Value<K>, coefficients: readonly number[]): Value<K> {
  const last = coefficients.length - 1;
  let sum = k.constant(x.kind as K, coefficients[last]!) as Value<K>;
  for (let i = last - 1; i >= 0; i--) sum = k.add(k.mul(sum, x), coefficients[i]!);
  return sum;
}
