/**
 * Folds of a few elements as element-wise kernels, an input for each element.
 */
import { isComplex, type DType } from "../core/types";
import { Builder } from "./builder";
import { cast } from "./lower/cast";
import { load, store } from "./lower/typed";
import { forLength, type Recurrence } from "./recurrence";
import type { Kernel } from "./value";

/** The kernel of a fold of so many elements, results of which become elements of a type; null for orders that it does not have. */
export function foldKernel(recurrence: Recurrence, count: number, out: DType): Kernel | null {
  const { order, type } = recurrence;
  if (isComplex(type) || recurrence.init(new Builder()).length > 1 || order === "serial" || order === "byFours")
    return null;
  if (order !== "any" && count > order.accumulators) return null;
  const short = forLength(recurrence, count, out);
  const k = new Builder();
  const states = Array.from({ length: count }, () => [short.element(k, load(k, k.input(type), type))]);
  let distance = 1;
  while (2 * distance < count) distance *= 2;
  for (; distance >= 1; distance /= 2) {
    for (let j = 0; j < distance && j + distance < count; j++) {
      states[j] = [...short.join(k, states[j]!, states[j + distance]!)];
    }
  }
  // the identity gives the same last as it does first
  const state = order === "any" ? states[0]! : short.join(k, short.init(k), states[0]!);
  return k.kernel([store(k, cast(k, short.result(state), out, "wrap")!)]);
}
