/**
 * Whether two candidates computed the same, told from samples of their results.
 */
import type { Sample } from "./protocol";
import type { PeerWork } from "./works";

export interface Agreement {
  readonly agrees: boolean;
  /** Largest deviation in units of what is tolerated; infinite where the lengths differ. */
  readonly worst: number;
}

export function compare(actual: Sample, reference: Sample, { tolerance }: PeerWork): Agreement {
  if (actual.length !== reference.length) return { agrees: false, worst: Infinity };
  const { absolute, relative } = tolerance;
  const deviation = (value: number, expected: number, size: number): number => {
    const allowed = absolute + relative * size;
    const error = Math.abs(value - expected);
    return error === 0 ? 0 : allowed === 0 || Number.isNaN(error) ? Infinity : error / allowed;
  };
  const worst = Math.max(
    ...actual.values.map((value, i) => deviation(value, reference.values[i]!, Math.abs(reference.values[i]!))),
    // Rounding errors of single elements add up to less than so much of the sum of magnitudes, however they fall.
    Math.abs(actual.sum - reference.sum) / (absolute * reference.length + (relative || 1e-12) * reference.magnitude),
  );
  return { agrees: worst <= 1, worst };
}
