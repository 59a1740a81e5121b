/**
 * The works of works.ts and arrays.ts: nx-numerics against hand-written loops in one process, with bounds that must hold.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { arrayWorks } from "./arrays";
import { lastResult, measure, type Work } from "./measure";
import { works } from "./works";

interface Peer {
  readonly version: string;
  readonly works: Readonly<Record<string, number>>;
}

/** Times of the same works in NumPy on one thread, where Python has it. */
function timesOfNumPy(): Peer | null {
  const script = fileURLToPath(new URL("numpy_works.py", import.meta.url));
  const { status, stdout } = spawnSync("python3", [script], { encoding: "utf8" });
  return status === 0 ? (JSON.parse(stdout) as Peer) : null;
}

function row(name: string, candidate: string, microseconds: number, ratio: number, verdict: string): void {
  const time = microseconds.toFixed(microseconds < 100 ? 2 : 0).padStart(11);
  console.log(`${name.padEnd(28)}${candidate.padEnd(18)}${time}${ratio.toFixed(2).padStart(8)}  ${verdict}`);
}

function printWork(work: Work, peer: number | undefined): void {
  const timings = measure(work);
  timings.forEach(({ candidate, microseconds, ratio, bound, met }, i) => {
    const verdict = bound === "" ? "" : `${bound} ${met ? "met" : "MISSED"}`;
    row(i === 0 ? work.name : "", candidate, microseconds, ratio, verdict);
  });
  if (peer !== undefined) row("", "NumPy", peer, peer / timings[0]!.microseconds, "");
}

/** Prints medians and ratios of the works whose names have all of these words in them. */
export function runOwn(words: readonly string[]): void {
  const chosen = [...works, ...arrayWorks].filter(({ name }) => words.every((word) => name.includes(word)));
  const numpy = chosen.some((work) => arrayWorks.includes(work)) ? timesOfNumPy() : null;
  console.log(`Node ${process.version}, median of 31 rounds, candidates in turn`);
  console.log(numpy ? `NumPy ${numpy.version} on one thread, median of 15 rounds\n` : "without NumPy\n");
  console.log(`${"work".padEnd(28)}${"candidate".padEnd(18)}${"us".padStart(11)}${"ratio".padStart(8)}  bound`);
  for (const work of chosen) printWork(work, numpy?.works[work.name]);
  if (lastResult() === undefined) process.exitCode = 1;
}
