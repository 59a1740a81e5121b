/**
 * What is made of recurrences once and kept at hand: over elements of a type, or over what a kernel computes of its only operand.
 */
import type { DType } from "../../../core/types";
import { Recent } from "../../../kernel/generational-cache";
import { keyOf } from "../../../kernel/key";
import { composed, type Recurrence } from "../../../kernel/recurrence";
import type { Kernel } from "../../../kernel/value";

/** The recurrence of a table's row over elements of the type, or over what the kernel computes; null where there is none. */
export type Over = <R extends Recurrence>(row: (type: DType) => R | null) => R | null;

/** How many are kept that kernels belong to: there are few types, and any number of kernels. */
const KEPT = 64;

export class Kept<T> {
  private readonly ofTypes = new Map<string, T>();
  private readonly ofKernels = new Recent<T>(KEPT);

  /** What was made under a name, or is made now. */
  get(of: DType | Kernel, name: string, make: (over: Over) => T): T {
    const isType = typeof of === "string";
    const kept = isType ? this.ofTypes : this.ofKernels;
    const key = `${name} ${isType ? of : keyOf(of)}`;
    const cached = kept.get(key);
    if (cached !== undefined) return cached;
    const fresh = make((row) => (isType ? row(of) : composed(of, row)));
    kept.set(key, fresh);
    return fresh;
  }
}
