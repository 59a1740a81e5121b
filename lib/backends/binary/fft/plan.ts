/**
 * How a length is transformed, and the tables for that: shared by all backends, so that their results are the same.
 */
import { convolutionOf, type Convolution } from "./bluestein";
import { rootsOf, type Parts } from "./roots";
import { factorsOf, mixedRadixOf, type MixedRadix } from "./stages";

export type Plan = MixedRadix | Convolution;

/** Up to this prime factor the square of it costs less than a convolution. */
const LARGEST_RADIX = 61;

/** Plans kept for the lengths used last; long ones cost more memory than they save time. */
const PLANS_KEPT = 16;
const LONGEST_KEPT = 2 ** 17;

/** Whether a length is transformed by a convolution. */
export const isConvolved = (length: number): boolean => Math.max(1, ...factorsOf(length)) > LARGEST_RADIX;

const makePlan = (length: number): Plan => (isConvolved(length) ? convolutionOf(length) : mixedRadixOf(length));

/** A function of lengths whose results are kept. */
function keeping<T>(make: (length: number) => T): (length: number) => T {
  const kept = new Map<number, T>();
  return (length) => {
    const made = kept.get(length) ?? make(length);
    if (length > LONGEST_KEPT) return made;
    kept.delete(length);
    kept.set(length, made); // the one used last comes last
    if (kept.size > PLANS_KEPT) kept.delete(kept.keys().next().value!);
    return made;
  };
}

/** The plan for a length. */
export const planOf = keeping(makePlan);

/** How real numbers of an even count are transformed, as half as many complex ones. */
export interface HalfPlan {
  /** The plan of half the length. */
  readonly plan: Plan;
  /** The roots of the whole length in the first quarter. */
  readonly roots: Parts;
}

/** The plan for real numbers of an even count. */
export const halfPlanOf = keeping((length): HalfPlan => ({
  plan: planOf(length / 2),
  roots: rootsOf(length, Math.floor(length / 4) + 1),
}));
