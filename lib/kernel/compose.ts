/**
 * Recurrences over what a kernel makes of each element: values go from one to the other without being stored.
 */
import type { DType } from "../core/types";
import type { Builder } from "./builder";
import { fromStored, type Typed } from "./lower/typed";
import type { Recurrence, Steps } from "./recurrence";
import type { Kernel } from "./value";

/** Other ways through the elements of a recurrence. */
const WAYS = ["shortcut", "extreme"] as const;

/** The recurrence that `of` gives for a kernel's result, over its only operand; null where there is none. */
export function composed<R extends Recurrence>(kernel: Kernel, of: (type: DType) => R | null): R | null {
  const { type } = kernel.outputs[0]!;
  const inner = of(type);
  if (!inner) return null;
  const computed = (k: Builder, { bits, parts }: Typed): Typed => {
    const [values] = k.inlined(kernel, bits ? [bits] : parts);
    return fromStored(k, type, values!);
  };
  const over = <S extends Steps>(steps: S): S => ({
    ...steps,
    computes: true,
    element: (k, x) => steps.element(k, computed(k, x)),
  });
  const ways = inner as { readonly [W in (typeof WAYS)[number]]?: Steps };
  const others = WAYS.flatMap((way) => (ways[way] ? [[way, over(ways[way])] as const] : []));
  return { ...over(inner), type: kernel.inputs[0]!.type, ...Object.fromEntries(others) };
}
