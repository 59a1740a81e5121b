/**
 * The table of cliffs: whether odd sizes and shapes, operands that lie otherwise, and other types cost more than twice the
 * friendly case. A process of its own measures; this prints, keeps and judges.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { PREFIX, type CliffLine, type CliffRequest, type Said } from "../cliffs/protocol";
import { buildPrograms } from "../peers/build";
import { startOf } from "../peers/candidates";
import type { Pace } from "../peers/rounds";
import { UsageError } from "../peers/usage-error";
import { machine, save, type CliffResults, type Heading } from "../report/results";
import { aligned, figure } from "../report/text";
import { nameOf, type Options } from "./options";

/** Shorter rounds than those of works: there are about a thousand cases, and ratios matter, not times. */
const PACE: Pace = { rounds: 11, roundMs: 5, warmMs: 50, budgetMs: 400, fewest: 5 };
const QUICK: Pace = { rounds: 5, roundMs: 3, warmMs: 20, budgetMs: 120, fewest: 3 };

const PROGRAM = "../cliffs/measure-cliffs.ts";

type Lines = AsyncIterable<Said>;

async function* linesOf({ words, quick, session }: Options): Lines {
  const fileOf = await buildPrograms([PROGRAM], session.nx);
  const start = startOf({ name: "nx", runner: { node: PROGRAM } }, fileOf, session.node);
  if ("missing" in start) throw new UsageError(start.missing);
  const request = JSON.stringify({ words, pace: quick ? QUICK : PACE } satisfies CliffRequest);
  const child = spawn(start.file, [...start.args, request], {
    env: { ...process.env, ...start.environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const code = new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith(PREFIX)) yield JSON.parse(line.slice(PREFIX.length)) as Said;
  }
  if ((await code) !== 0) throw new Error(`the process that measures ended with ${await code}`);
}

const HEADER = ["case", "ratio", "us", "friendly, us"];

const rowOf = ({ work, where, ratio, bound, microseconds, friendly }: CliffLine): string[] => [
  `${work}: ${where}`,
  `${figure(ratio)}${ratio > bound ? " !" : ""}`,
  figure(microseconds),
  figure(friendly),
];

const headingOf = ({ quick, session }: Options, runtime: string, threads: string): Heading => ({
  date: new Date().toISOString().slice(0, 10),
  machine: machine(),
  pace: quick ? "quick" : "full",
  nx: session.nx,
  peers: [{ name: "nx", peer: "nx", version: "", runtime, threads, runs: [], compiles: true }],
  missing: [],
});

/** How far above its bound. */
const excess = ({ ratio, bound }: CliffLine): number => ratio / bound;

function print({ cases, failures }: CliffResults): void {
  const over = cases.filter((found) => excess(found) > 1).sort((a, b) => excess(b) - excess(a));
  console.log(`\n${over.length} of ${cases.length} cases take longer than their bound, which is 2 (4 for c128)`);
  if (over.length > 0) console.log(aligned([HEADER, ...over.map(rowOf)]).join("\n"));
  for (const failure of failures) console.log(`failed: ${failure}`);
}

export async function runCliffs(options: Options): Promise<void> {
  const cases: CliffLine[] = [];
  const failures: string[] = [];
  let heading = headingOf(options, "", "");
  for await (const said of linesOf(options)) {
    if ("failed" in said) failures.push(said.failed);
    else if ("runtime" in said) heading = headingOf(options, said.runtime, said.threads);
    else {
      cases.push(said);
      const [name, ...rest] = rowOf(said);
      console.log(`${name!.padEnd(60)}${rest.map((text) => text.padStart(12)).join("")}`);
    }
  }
  if (cases.length + failures.length === 0)
    throw new UsageError(`no case has ${options.words.join(" or ")} in its name`);
  const results: CliffResults = { ...heading, cases, failures };
  print(results);
  const name = nameOf("cliffs", options);
  if (name) await save(name, results);
  if (failures.length > 0) process.exitCode = 1;
}
