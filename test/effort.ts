/**
 * How much of the exhaustive tests runs. `npm test` takes a sample of large grids and fewer random programs, chosen by a seed
 * that the closing lines name; `npm run test:all` takes everything.
 */
import { Random } from "./fuzz/random";

const { NX_TEST_ALL: all, NX_TEST_SEED: seed } = process.env;

/** Whether everything runs. */
export const EXHAUSTIVE = all === "1";

/** The share of random programs that a sample takes. */
const SHARE = 0.12;

/** How many random cases a property is tried with, of those it is tried with where everything runs. */
export const tries = (everything: number): number => (EXHAUSTIVE ? everything : Math.ceil(everything * SHARE));

/**
 * So many of the cases at most, in their order; all of them where everything runs. Lists of one length have the same
 * positions taken, unless what they are of differs.
 */
export function sampled<T>(cases: readonly T[], atMost: number, of = ""): T[] {
  if (EXHAUSTIVE || cases.length <= atMost) return [...cases];
  const mixed = [...of].reduce((sum, c) => Math.imul(sum, 31) + c.charCodeAt(0), Number(seed) + cases.length);
  const positions = new Random(mixed).shuffled(cases.map((_, position) => position));
  return positions
    .slice(0, atMost)
    .sort((a, b) => a - b)
    .map((position) => cases[position]!);
}
