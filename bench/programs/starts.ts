/**
 * What a program pays before it computes: the time of what is done for the first time, in fresh processes on one core, and the
 * size of the bundles it becomes.
 */
import { spawnSync } from "node:child_process";
import { bundledPrograms, weigh } from "../../scripts/bundles";
import { buildPrograms, builtEntry } from "../peers/build";
import type { Start } from "../report/results";

const FIRSTS: readonly (readonly [kind: string, name: string, most: number])[] = [
  ["import", "import", 25],
  ["kernel", "first kernel (add 1e5)", 2],
  ["reduction", "first reduction (sum 1e5)", 3],
  ["fused", "first call of ten fused operations on 8", 3],
];

const FRESH = "../programs/fresh.ts";
const PROCESSES = 15;

const hasTaskset = (): boolean => spawnSync("taskset", ["-c", "0", "true"]).status === 0;

/** One core where the system can hold a process there. */
function millisecondsOf(command: readonly string[]): number | null {
  const { status, stdout } = spawnSync(command[0]!, command.slice(1), { encoding: "utf8" });
  return status === 0 ? Number(stdout) / 1000 : null;
}

async function firsts(library: string, processes: number): Promise<Start[]> {
  const fileOf = await buildPrograms([FRESH], "source");
  const core = hasTaskset() ? ["taskset", "-c", "0"] : [];
  return FIRSTS.map(([kind, name, most]) => {
    const command = [...core, process.execPath, fileOf(FRESH), library, kind];
    const times = Array.from({ length: processes }, () => millisecondsOf(command)).filter((time) => time !== null);
    return { name, unit: "ms", value: times.length > 0 ? Math.min(...times) : null, most };
  });
}

/** All of it, of the library as it is built; quick with fewer processes. */
export async function starts(quick: boolean): Promise<Start[]> {
  const found = await firsts(builtEntry(), quick ? 3 : PROCESSES);
  for (const program of await bundledPrograms()) {
    if (program.aim === undefined) continue;
    const { gzip } = await weigh(program);
    found.push({ name: `bundle: ${program.name}`, unit: "kB", value: gzip, most: program.aim });
  }
  return found;
}
