/**
 * Runs the benchmarks and prints medians and ratios: `npm run bench`, or `npm run bench -- add` for some by name.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { arrayWorks } from "./arrays";
import { lastResult, measure } from "./measure";
import { works } from "./works";

const wanted = process.argv.slice(2);
const chosen = [...works, ...arrayWorks].filter(({ name }) => wanted.every((word) => name.includes(word)));

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

const numpy = chosen.some((work) => arrayWorks.includes(work)) ? timesOfNumPy() : null;
console.log(`Node ${process.version}, median of 31 rounds, candidates in turn`);
console.log(numpy ? `NumPy ${numpy.version} on one thread, median of 15 rounds\n` : "without NumPy\n");
console.log(`${"work".padEnd(28)}${"candidate".padEnd(18)}${"us".padStart(11)}${"ratio".padStart(8)}  bound`);

function row(name: string, candidate: string, microseconds: number, ratio: number, verdict: string): void {
  const time = microseconds.toFixed(microseconds < 100 ? 2 : 0).padStart(11);
  console.log(`${name.padEnd(28)}${candidate.padEnd(18)}${time}${ratio.toFixed(2).padStart(8)}  ${verdict}`);
}

for (const work of chosen) {
  const timings = measure(work);
  timings.forEach(({ candidate, microseconds, ratio, bound, met }, i) => {
    const verdict = bound === "" ? "" : `${bound} ${met ? "met" : "MISSED"}`;
    row(i === 0 ? work.name : "", candidate, microseconds, ratio, verdict);
  });
  const peer = numpy?.works[work.name];
  if (peer !== undefined) row("", "NumPy", peer, peer / timings[0]!.microseconds, "");
}
if (lastResult() === undefined) process.exitCode = 1;
