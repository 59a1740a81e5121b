/**
 * The process that measures the cases, one by one: the case and its friendly one take turns, so that a drift of the machine
 * hits both. Results are given back as `using` does, operands when their case is over, and the rest is collected before the next. A
 * line for each case.
 */
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as Nx from "nx-numerics";
import { timesOf, type Pace } from "../peers/rounds";
import type { Case, Side } from "./cases";
import { PREFIX, type CliffLine, type CliffRequest } from "./protocol";
import { cases } from "./works";

type Tensor = Nx.Tensor;

const now = (): number => performance.now() * 1000;

/** Gives a result back, whose work does not wait any more; one that is an operand itself, or shares its elements, stays. */
function release(result: Tensor, { operands }: Side): void {
  Nx.evaluate(result);
  if (!operands.some(({ data }) => data === result.data)) Nx.backendDeallocate(result);
}

function time(side: Side, repeats: number): number {
  const { call, operands } = side;
  const [x, y] = operands as [Tensor, Tensor];
  const start = now();
  if (operands.length === 1) for (let i = 0; i < repeats; i++) release(call(x), side);
  else if (operands.length === 2) for (let i = 0; i < repeats; i++) release(call(x, y), side);
  else for (let i = 0; i < repeats; i++) release(call(...operands), side);
  return (now() - start) / repeats;
}

function warm(side: Side, milliseconds: number): number {
  const end = now() + milliseconds * 1000;
  for (let repeats = 1; ; repeats = Math.min(2 * repeats, 1 << 14)) {
    const microseconds = time(side, repeats);
    if (now() > end) return microseconds;
  }
}

interface Pair {
  readonly microseconds: number;
  readonly friendly: number;
}

/** Medians of both over the rounds. */
function measure(sides: readonly Side[], pace: Pace): Pair {
  const turns = sides.map((side) => {
    const microseconds = warm(side, pace.warmMs);
    const repeats = Math.max(1, Math.round((pace.roundMs * 1000) / microseconds));
    return { side, repeats, took: microseconds * repeats, times: [] as number[] };
  });
  const both = turns.reduce((sum, { took }) => sum + took, 0);
  const affordable = Math.floor((pace.budgetMs * 1000) / both);
  const rounds = Math.min(pace.rounds, Math.max(pace.fewest, affordable));
  for (let round = 0; round < rounds; round++) {
    for (const { side, repeats, times } of turns) times.push(time(side, repeats));
  }
  const [microseconds, friendly] = turns.map(({ times }) => timesOf(times).median) as [number, number];
  return { microseconds, friendly };
}

/** A cliff is there each time, a disturbance is not: how often what exceeds its bound is measured again. */
const MORE = 2;

function lineOf({ work, group, where, bound, other, friendly }: Case, pace: Pace): CliffLine {
  const sides = [other(), friendly()] as const;
  const ratioOf = (found: Pair): number => found.microseconds / sides[0].amount / (found.friendly / sides[1].amount);
  let found = measure(sides, pace);
  for (let more = MORE; ratioOf(found) > bound && more > 0; more--) {
    const again = measure(sides, pace);
    if (ratioOf(again) < ratioOf(found)) found = again;
  }
  for (const { operands } of sides) operands.forEach((each) => Nx.backendDeallocate(each));
  return { work, group, where, bound, ratio: ratioOf(found), ...found };
}

const say = (line: unknown): boolean => process.stdout.write(`${PREFIX}${JSON.stringify(line)}\n`);

function failed({ work, where }: Case, error: unknown): { readonly failed: string } {
  return { failed: `${work}, ${where}: ${error instanceof Error ? error.message : String(error)}` };
}

/** The collector, and the turn in which the library learns what was collected: no case pays for what others have left behind. */
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
async function clear(): Promise<void> {
  collect();
  await setImmediate();
}

const { words, pace } = JSON.parse(process.argv[2]!) as CliffRequest;
say({ runtime: `Node ${process.versions.node}`, threads: process.env.NX_THREADS ?? "default" });
for (const each of cases()) {
  const name = `${each.work}, ${each.where}`;
  if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
  await clear();
  try {
    say(lineOf(each, pace));
  } catch (error) {
    say(failed(each, error));
  }
}
process.exit(0);
