/**
 * Timing side by side: the candidates of a work run in turn, so that a drift of the machine's speed hits all alike;
 * the median over many rounds is what counts.
 */
import * as Nx from "nx-numerics";

export interface Work {
  readonly name: string;
  /** Candidates by name; the first is what the others are compared with. */
  readonly candidates: Readonly<Record<string, () => unknown>>;
  /** Ratio to the first candidate that must not be exceeded, by candidate. */
  readonly bounds?: Readonly<Record<string, number>>;
  /** Time in microseconds that must not be exceeded, by candidate. */
  readonly limits?: Readonly<Record<string, number>>;
}

export interface Timing {
  readonly candidate: string;
  readonly microseconds: number;
  readonly ratio: number;
  readonly bound: string;
  readonly met: boolean;
}

const ROUNDS = 31;
const ROUND_MS = 4;

let sink: unknown;

function timeOf(fn: () => unknown, repeats: number): number {
  const start = performance.now();
  // work that waits for a reader would not be measured
  for (let i = 0; i < repeats; i++) Nx.evaluate((sink = fn()));
  return ((performance.now() - start) * 1000) / repeats;
}

/** How often to repeat so that one round takes a few milliseconds; also warms up. */
function repeatsFor(fn: () => unknown): number {
  let repeats = 1;
  for (;;) {
    const microseconds = timeOf(fn, repeats) * repeats;
    if (microseconds > ROUND_MS * 1000) return repeats;
    repeats *= 2;
  }
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Median times of all candidates of a work, and their ratios to the first. */
export function measure({ candidates, bounds = {}, limits = {} }: Work): Timing[] {
  const names = Object.keys(candidates);
  const repeats = names.map((name) => repeatsFor(candidates[name]!));
  const times: number[][] = names.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    names.forEach((name, i) => times[i]!.push(timeOf(candidates[name]!, repeats[i]!)));
  }
  const medians = times.map(median);
  return names.map((candidate, i) => {
    const microseconds = medians[i]!;
    const ratio = microseconds / medians[0]!;
    const bound =
      candidate in bounds ? `<= ${bounds[candidate]}x` : candidate in limits ? `<= ${limits[candidate]} us` : "";
    const met = ratio <= (bounds[candidate] ?? Infinity) && microseconds <= (limits[candidate] ?? Infinity);
    return { candidate, microseconds, ratio, bound, met };
  });
}

/** The last result measured; reading it keeps an engine from dropping the work. */
export const lastResult = (): unknown => sink;
