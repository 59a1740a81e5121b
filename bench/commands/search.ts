/**
 * Looks for programs that are slow in one way to run them: a process of its own measures and tells.
 */
import { spawnSync } from "node:child_process";
import { buildPrograms } from "../peers/build";
import { startOf } from "../peers/candidates";
import { UsageError } from "../peers/usage-error";
import type { Options } from "./options";

const PROGRAM = "../search/measure-search.ts";

export async function runSearch({ words, session }: Options): Promise<void> {
  const [seed = Date.now() % 1e9, count = 1000] = words.map(Number);
  if (!(Number.isInteger(seed) && count > 0))
    throw new UsageError(`a seed and a count are numbers, not ${words.join(" ")}`);
  const fileOf = await buildPrograms([PROGRAM], session.nx);
  const start = startOf({ name: "nx", runner: { node: PROGRAM } }, fileOf, session.node);
  if ("missing" in start) throw new UsageError(start.missing);
  console.log(`seed ${seed}`);
  const args = [...start.args, String(seed), String(count)];
  const { status } = spawnSync(start.file, args, { env: { ...process.env, ...start.environment }, stdio: "inherit" });
  if (status !== 0) throw new Error(`the process that searches ended with ${status}`);
}
