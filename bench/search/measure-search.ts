/** The process that searches: `seed` and `count` are its arguments. A finding is told as soon as it is found. */
import { setImmediate } from "node:timers/promises";
import { figure } from "../report/text";
import { searched, type Finding } from "./search";

const [seed, count] = process.argv.slice(2).map(Number) as [number, number];
const findings: Finding[] = [];
let known = 0;
for (let next = seed; next < seed + count; next++) {
  await setImmediate(); // in which the library learns what was collected
  try {
    const found = searched(next, findings);
    if (found === "known") known++;
    else if (found) {
      findings.push(found);
      const { way, beside, ratio, times, text } = found;
      console.log(`seed ${next}: ${way} takes ${figure(ratio)} times as long as ${beside}`);
      console.log(`${figure(times[way]!)} us and ${figure(times[beside]!)} us\n\n\`\`\`ts\n${text}\n\`\`\`\n`);
    }
  } catch (error) {
    console.log(`seed ${next}: ${String(error)}`); // a fault of the library, which the fuzzer looks for
  }
}
console.log(`${count} programs: ${findings.length} ways that are slow, ${known} programs more that have them`);
process.exit(0);
