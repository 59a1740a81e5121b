/**
 * Times the works of a threshold with several values of it: copies of the library, each bundled with one of the values, take turns
 * in one process, so that a drift of the machine hits all alike. The least time of each counts.
 */
import type * as Library from "nx-numerics";
import type { ThresholdLine, Trial } from "./protocol";
import { thresholds, type Nx, type Work } from "./table";

const ROUNDS = 41;
const ROUND_MS = 2;

const trial = JSON.parse(process.argv[2]!) as Trial;
const copies = await Promise.all(trial.variants.map(async ({ file }) => (await import(file)) as Nx));

/** Computes a work once and gives its results back. */
function done(nx: Nx, work: ReturnType<Work>): void {
  nx.tidy(() => {
    const result = work();
    for (const tensor of (Array.isArray(result) ? result : [result]) as Library.Tensor[]) nx.evaluate(tensor);
  });
}

function timeOf(nx: Nx, work: ReturnType<Work>, repeats: number): number {
  const start = performance.now();
  for (let i = 0; i < repeats; i++) done(nx, work);
  return ((performance.now() - start) * 1000) / repeats;
}

/** How often to repeat so that a turn takes a few milliseconds, once the work is warm. */
function repeatsOf(nx: Nx, work: ReturnType<Work>): number {
  const until = performance.now() + 60;
  while (performance.now() < until) done(nx, work);
  for (let repeats = 1; ; repeats *= 2) if (timeOf(nx, work, repeats) * repeats > ROUND_MS * 1000) return repeats;
}

function measured(name: string, make: Work): ThresholdLine {
  const works = copies.map((nx) => make(nx));
  const repeats = copies.map((nx, i) => repeatsOf(nx, works[i]!));
  const least = copies.map(() => Infinity);
  for (let round = 0; round < ROUNDS; round++) {
    copies.forEach((nx, i) => (least[i] = Math.min(least[i]!, timeOf(nx, works[i]!, repeats[i]!))));
  }
  return { work: name, microseconds: least };
}

const { works } = thresholds.find(({ name }) => name === trial.name)!;
console.log(JSON.stringify(Object.entries(works).map(([name, make]) => measured(name, make))));
process.exit(); // threads of the copies are up
