/**
 * How many functions of the library a warm eager call goes through: what planning costs, in a figure that does not depend on
 * the machine.
 */
import { spawnSync } from "node:child_process";
import type { CountLine } from "../functions/protocol";
import { buildPrograms } from "../peers/build";
import { startOf } from "../peers/candidates";
import { UsageError } from "../peers/usage-error";
import { aligned } from "../report/text";
import { matching, type Options } from "./options";

const PROGRAM = "../functions/measure-functions.ts";

/** Functions that are named for a work that is asked for by a word. */
const NAMED = 30;

export async function runFunctions(options: Options): Promise<void> {
  const { session, words } = options;
  const fileOf = await buildPrograms([PROGRAM], session.nx);
  const start = startOf({ name: "nx", runner: { node: PROGRAM } }, fileOf, session.node);
  if ("missing" in start) throw new UsageError(start.missing);
  const env = { ...process.env, ...start.environment };
  const { status, stdout } = spawnSync(start.file, [...start.args], {
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`the process that counts ended with ${status}`);
  const lines = matching(JSON.parse(stdout) as CountLine[], options);
  console.log(aligned([["eager, warm", "calls"], ...lines.map(({ name, calls }) => [name, String(calls)])]).join("\n"));
  if (words.length === 0) return;
  for (const { name, most } of lines) {
    const rows = most.slice(0, NAMED).map(([fn, calls]) => [fn || "(unnamed)", String(calls)]);
    console.log(`\n${aligned([[name, "calls"], ...rows]).join("\n")}`);
  }
}
