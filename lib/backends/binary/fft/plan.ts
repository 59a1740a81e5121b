/**
 * How a length is transformed, and the tables for that: shared by all backends, so that their results are the same.
 */
import { keepingLast } from "./kept";
import { convolutionOf, type Convolution } from "./bluestein";
import { rootsOf, type Parts } from "./roots";
import { factorsOf, mixedRadixOf, type MixedRadix } from "./stages";

export type Plan = MixedRadix | Convolution;

/** Up to this prime factor the square of it costs less than a convolution. */
const LARGEST_RADIX = 61;

/** Plans that are kept. */
const PLANS_KEPT = 16;

/** Whether a length is transformed by a convolution. */
export const isConvolved = (length: number): boolean => Math.max(1, ...factorsOf(length)) > LARGEST_RADIX;

const makePlan = (length: number): Plan => (isConvolved(length) ? convolutionOf(length) : mixedRadixOf(length));

const plans = keepingLast<number, Plan>(PLANS_KEPT);
const halfPlans = keepingLast<number, HalfPlan>(PLANS_KEPT);

/** The plan for a length. */
export const planOf = (length: number): Plan => plans(length, length, () => makePlan(length));

/** How real numbers of an even count are transformed, as half as many complex ones. */
export interface HalfPlan {
  /** The plan of half the length. */
  readonly plan: Plan;
  /** The roots of the whole length in the first quarter. */
  readonly roots: Parts;
}

/** The plan for real numbers of an even count. */
export const halfPlanOf = (length: number): HalfPlan =>
  halfPlans(length, length, () => ({
    plan: planOf(length / 2),
    roots: rootsOf(length, Math.floor(length / 4) + 1),
  }));
