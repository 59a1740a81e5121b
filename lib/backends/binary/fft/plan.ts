/**
 * How a length is transformed, and the tables for that: shared by all backends, so that their results are the same.
 */
import { convolutionOf, type Convolution } from "./bluestein";
import { factorsOf, mixedRadixOf, type MixedRadix } from "./stages";

export type Plan = MixedRadix | Convolution;

/** Up to this prime factor the square of it costs less than a convolution. */
const LARGEST_RADIX = 61;

/** Plans kept for the lengths used last; long ones cost more memory than they save time. */
const PLANS = new Map<number, Plan>();
const PLANS_KEPT = 16;
const LONGEST_KEPT = 2 ** 17;

/** Whether a length is transformed by a convolution. */
export const isConvolved = (length: number): boolean => Math.max(1, ...factorsOf(length)) > LARGEST_RADIX;

const makePlan = (length: number): Plan => (isConvolved(length) ? convolutionOf(length) : mixedRadixOf(length));

/** The plan for a length. */
export function planOf(length: number): Plan {
  const kept = PLANS.get(length);
  const plan = kept ?? makePlan(length);
  if (length > LONGEST_KEPT) return plan;
  PLANS.delete(length);
  PLANS.set(length, plan); // the one used last comes last
  if (PLANS.size > PLANS_KEPT) PLANS.delete(PLANS.keys().next().value!);
  return plan;
}
