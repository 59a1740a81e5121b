/** The command `npm run fuzz`: see CONTRIBUTING.md. */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findDefects } from "./defective";
import { checkHashes, recordHashes } from "./hashed";
import { reportOf, writeReport } from "./report";
import { namesOfKinds, run, textOf, type Part } from "./runner";
import { tune } from "../../lib/backends/tuning";

const HELP = `npm run fuzz -- [options]
  --minutes N   how long (1 by default)
  --count N     seeds of each kind at most
  --seed N      the first seed, printed when left out
  --only a,b    kinds: ${namesOfKinds.join(", ")}
  --report      writes the figures into docs/reliability.md
  --defects     shows that deliberate defects are found
  --hashes      compares results of fixed programs with test/fuzz/hashes.json, on Node 20 and 24, in Chromium and in Firefox
  --record      writes that file
`;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    count: { type: "string", default: "Infinity" },
    seed: { type: "string" },
    only: { type: "string", default: "" },
    report: { type: "boolean", default: false },
    defects: { type: "boolean", default: false },
    hashes: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const told = (parts: readonly Part[]): string =>
  parts
    .map(
      ({ kind, tally, findings }) =>
        `${kind.name} ${tally.programs} (${tally.checks} checks, ${findings.length} found)`,
    )
    .join(", ");

function fuzz(): boolean {
  const seed = values.seed === undefined ? Date.now() % 1e9 : Number(values.seed);
  const only = values.only.split(",").filter((name) => name !== "");
  const unknown = only.find((name) => !namesOfKinds.includes(name));
  if (unknown !== undefined) throw new Error(`unknown kind ${unknown}, expected: ${namesOfKinds.join(", ")}`);
  console.log(`seed ${seed}`);
  const parts = run({
    seed,
    only,
    milliseconds: values.count === "Infinity" ? Number(values.minutes) * 60_000 : Infinity,
    count: Number(values.count),
    report: (finding) => console.log(textOf(finding)),
    progress: (done) => console.log(told(done)),
  });
  console.log(told(parts));
  if (values.report)
    writeReport(fileURLToPath(new URL("../../docs/reliability.md", import.meta.url)), reportOf(parts, seed));
  return parts.every(({ findings }) => findings.length === 0);
}

async function main(): Promise<boolean> {
  if (values.help) return (console.log(HELP), true);
  if (values.record) return recordHashes();
  if (values.hashes) return await checkHashes();
  return values.defects ? findDefects() : fuzz();
}

tune({ compiledFrom: 0, faults: true }); // small kernels are kernels, too
const isGood = await main();
process.exit(isGood ? 0 : 1);
