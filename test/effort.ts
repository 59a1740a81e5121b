/**
 * How much of the exhaustive tests runs. `npm test` takes a sample of large grids and fewer random programs, chosen by a seed
 * that the closing lines name; `npm run test:all` takes everything.
 */
const { NX_TEST_ALL: all, NX_TEST_SEED: seed } = process.env;

/** Whether everything runs. */
export const EXHAUSTIVE = all === "1";

/** The share of random programs that a sample takes. */
const SHARE = 0.25;

/** How many random cases a property is tried with, of those it is tried with where everything runs. */
export const tries = (everything: number): number => (EXHAUSTIVE ? everything : Math.ceil(everything * SHARE));

/**
 * So many of the cases at most, in their order; all of them where everything runs. Lists of one length have the same
 * positions taken, unless what they are of differs.
 */
export function sampled<T>(cases: readonly T[], atMost: number, of = ""): T[] {
  if (EXHAUSTIVE || cases.length <= atMost) return [...cases];
  const random = generator(
    [...of].reduce((sum, c) => Math.imul(sum, 31) + c.charCodeAt(0), Number(seed) + cases.length),
  );
  const positions = cases.map((_, position) => position);
  for (let i = 0; i < atMost; i++) {
    const j = i + Math.floor(random() * (positions.length - i));
    [positions[i], positions[j]] = [positions[j]!, positions[i]!];
  }
  return positions
    .slice(0, atMost)
    .sort((a, b) => a - b)
    .map((position) => cases[position]!);
}

/** Numbers from 0 up to 1: Mulberry32. */
function generator(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
