/**
 * Timing in turns: in every round each candidate runs for a few milliseconds, so that a drift of the machine hits all alike.
 * The least time is that of a part of a turn, of a call where calls are not quick: another process that takes the core for a millisecond
 * hits a part, and nearly every turn.
 */
import type { Timed } from "./protocol";

/** What can be timed: a runner that has a work prepared. */
export interface Timing {
  /** Calls for so long, and gives microseconds a call. */
  readonly warm: (milliseconds: number) => Promise<number>;
  readonly time: (repeats: number) => Promise<Timed>;
}

export interface Pace {
  /** How many rounds there are where calls are quick. */
  readonly rounds: number;
  /** How long a candidate runs in a round where calls are quick. */
  readonly roundMs: number;
  readonly warmMs: number;
  /** What the rounds of one slow candidate may take together; there are fewest then. */
  readonly budgetMs: number;
  readonly fewest: number;
}

export const PACES = {
  full: { rounds: 15, roundMs: 15, warmMs: 100, budgetMs: 1500, fewest: 3 },
  quick: { rounds: 5, roundMs: 5, warmMs: 30, budgetMs: 200, fewest: 1 },
} as const satisfies Record<string, Pace>;

/** Microseconds a call: the least of parts of turns, the median of turns, and the quartiles around it. */
export interface Times {
  readonly least: number;
  readonly median: number;
  readonly low: number;
  readonly high: number;
  readonly rounds: number;
}

/** Members that release nothing. */
const UNRELEASED: readonly string[] = ["nx-turns", "nx"];

/**
 * The time of a member that counts: the least, as it is what a disturbed machine changes least; the median where nothing is released, since
 * the least time is that of a round in which no garbage was collected.
 */
export const timeOf = ({ least, median }: Times, member: string): number =>
  UNRELEASED.includes(member) ? median : least;

export function timesOf(microseconds: readonly number[], least = Math.min(...microseconds)): Times {
  const sorted = [...microseconds].sort((a, b) => a - b);
  const at = (part: number): number => sorted[Math.round(part * (sorted.length - 1))]!;
  return { least, median: at(0.5), low: at(0.25), high: at(0.75), rounds: sorted.length };
}

interface Turn {
  readonly runner: Timing;
  readonly rounds: number;
  readonly repeats: number;
  readonly times: Timed[];
}

async function turnOf(runner: Timing, pace: Pace): Promise<Turn> {
  const microseconds = await runner.warm(pace.warmMs);
  const repeats = Math.max(1, Math.round((pace.roundMs * 1000) / microseconds));
  const affordable = Math.floor((pace.budgetMs * 1000) / (microseconds * repeats));
  return { runner, repeats, rounds: Math.min(pace.rounds, Math.max(pace.fewest, affordable)), times: [] };
}

const timesOfTurns = (turns: readonly Timed[]): Times =>
  timesOf(
    turns.map(({ microseconds }) => microseconds),
    Math.min(...turns.map(({ least }) => least)),
  );

/** Candidates with their places, there and back again: whoever comes before is another one every second round. */
function inOrder<T>(candidates: readonly T[], round: number): (readonly [number, T])[] {
  const order = [...candidates.entries()];
  return round % 2 === 0 ? order : order.reverse();
}

/** The rounds of a slow candidate are spread over those of the quick ones. */
const isDue = (round: number, rounds: number, most: number): boolean =>
  Math.floor(((round + 1) * rounds) / most) > Math.floor((round * rounds) / most);

/** Times of all runners, each of which has a work prepared. One that fails has its error in place of times. */
export async function timeInTurns(runners: readonly Timing[], pace: Pace): Promise<(Times | Error)[]> {
  const turns: (Turn | Error)[] = [];
  for (const runner of runners) turns.push(await turnOf(runner, pace).catch(errorOf));
  const most = Math.max(1, ...turns.map((turn) => (turn instanceof Error ? 0 : turn.rounds)));
  for (let round = 0; round < most; round++) {
    for (const [i, turn] of inOrder(turns, round)) {
      if (turn instanceof Error || !isDue(round, turn.rounds, most)) continue;
      await turn.runner.time(turn.repeats).then(
        (timed) => turn.times.push(timed),
        (error: unknown) => (turns[i] = errorOf(error)),
      );
    }
  }
  return turns.map((turn) => (turn instanceof Error ? turn : timesOfTurns(turn.times)));
}

export const errorOf = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
