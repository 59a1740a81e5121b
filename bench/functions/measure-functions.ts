/**
 * Counts the functions of the library that a warm eager call goes through, by the engine's precise coverage: a program of its
 * own, bundled into one file, so that what is counted in that file is the library's, but for what a call of nothing counts.
 */
import { Session } from "node:inspector";
import * as Nx from "nx-numerics";
import type { CountLine } from "./protocol";

/** Calls before the ones that are counted: kernels are compiled, plans are made, threads are up, tensors are where they stay. */
const WARM = 12;
/** Calls that are counted, of which the least counts: which thread is done first changes from call to call. */
const ROUNDS = 15;

/** Milliseconds between warm calls, in which other threads come up. */
const PAUSE = 20;

type Work = () => Nx.Tensor;

const numbers = (length: number): Float32Array => Float32Array.from({ length }, (_, i) => ((i * 37) % 97) / 97);

function works(): Readonly<Record<string, Work>> {
  const [eight, million] = [Nx.tensor(numbers(8)), Nx.tensor(numbers(1e6))];
  const matrix = million.reshape([1000, 1000]);
  return {
    "add of 8": () => Nx.add(eight, eight),
    "add of 1e6": () => Nx.evaluate(Nx.add(million, million)),
    "sum of 1e6": () => Nx.sum(million),
    "softmax of 1000x1000": () => Nx.softmax(matrix),
  };
}

interface Script {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly count: number }[];
  }[];
}

type Counts = ReadonlyMap<string, number>;

const session = new Session();

/** How often each function was called since this was asked last. */
function taken(): Counts {
  const counts = new Map<string, number>();
  session.post("Profiler.takePreciseCoverage", (error, { result }) => {
    if (error) throw error;
    const script = (result as readonly Script[]).find(({ url }) => url === import.meta.url);
    for (const { functionName, ranges } of script?.functions ?? []) {
      counts.set(functionName, (counts.get(functionName) ?? 0) + ranges[0]!.count);
    }
  });
  return counts;
}

const sumOf = (counts: Counts): number => [...counts.values()].reduce((all, count) => all + count, 0);

async function countsOf(work: Work): Promise<Counts> {
  for (let i = 0; i < WARM; i++) {
    Nx.backendDeallocate(work());
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  const rounds = Array.from({ length: ROUNDS }, () => {
    taken();
    const result = work();
    const counts = taken();
    Nx.backendDeallocate(result);
    return counts;
  });
  return rounds.reduce((least, counts) => (sumOf(counts) < sumOf(least) ? counts : least));
}

session.connect();
session.post("Profiler.enable");
session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
const nothing = await countsOf(() => undefined as unknown as Nx.Tensor);
const lines: CountLine[] = [];
for (const [name, work] of Object.entries(works())) {
  const counts = [...(await countsOf(work))].map(([fn, count]) => [fn, count - (nothing.get(fn) ?? 0)] as const);
  const most = counts.filter(([, count]) => count > 0).sort(([, a], [, b]) => b - a);
  lines.push({ name, calls: sumOf(new Map(counts)), most });
}
console.log(JSON.stringify(lines));
