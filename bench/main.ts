/**
 * Runs the benchmarks and prints medians and ratios: `npm run bench`, or `npm run bench -- add` for some by name.
 */
import { arrayWorks } from "./arrays";
import { lastResult, measure } from "./measure";
import { works } from "./works";

const wanted = process.argv.slice(2);
const chosen = [...works, ...arrayWorks].filter(({ name }) => wanted.every((word) => name.includes(word)));

console.log(`Node ${process.version}, median of 31 rounds, candidates in turn\n`);
console.log(`${"work".padEnd(28)}${"candidate".padEnd(14)}${"us".padStart(11)}${"ratio".padStart(8)}  bound`);
for (const work of chosen) {
  measure(work).forEach(({ candidate, microseconds, ratio, bound, met }, i) => {
    const verdict = bound === "" ? "" : `${bound} ${met ? "met" : "MISSED"}`;
    const time = microseconds.toFixed(microseconds < 100 ? 2 : 0);
    console.log(
      `${(i === 0 ? work.name : "").padEnd(28)}${candidate.padEnd(14)}${time.padStart(11)}${ratio.toFixed(2).padStart(8)}  ${verdict}`,
    );
  });
}
if (lastResult() === undefined) process.exitCode = 1;
