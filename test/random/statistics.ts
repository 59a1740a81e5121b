/** Whether samples follow a distribution, at a chance of failure of `RANDOM_CHANCE` were they perfect. */
import { RANDOM_CHANCE } from "../tolerances";

/** The quantile of the standard normal distribution that is exceeded with that chance (1e-4). */
const QUANTILE = 3.719;

/** Pearson's statistic of counts, over its critical value (Wilson and Hilferty's approximation): below 1 is well. */
export function chiSquare(counts: readonly number[], expected: readonly number[]): number {
  const freedom = counts.length - 1;
  const statistic = counts.reduce((sum, count, i) => sum + (count - expected[i]!) ** 2 / expected[i]!, 0);
  const third = 2 / (9 * freedom);
  return statistic / (freedom * (1 - third + QUANTILE * Math.sqrt(third)) ** 3);
}

/** Kolmogorov and Smirnov's statistic of a sample, over its critical value: below 1 is well. */
export function kolmogorov(sample: readonly number[], distribution: (x: number) => number): number {
  const sorted = [...sample].sort((a, b) => a - b);
  const n = sorted.length;
  const distances = sorted.map((x, i) => {
    const p = distribution(x);
    return Math.max(p - i / n, (i + 1) / n - p);
  });
  return Math.max(...distances) / Math.sqrt(-Math.log(RANDOM_CHANCE / 2) / (2 * n));
}

/** How often each of the numbers 0 to size - 1 occurs. */
export function countsOf(values: readonly number[], size: number): number[] {
  const counts = new Array<number>(size).fill(0);
  for (const value of values) counts[value]!++;
  return counts;
}
