/**
 * The options of all commands that start runners.
 */
import { parseArgs } from "node:util";
import type { NxSource } from "../peers/build";
import type { Heading } from "../report/results";
import { machine } from "../report/results";
import { PACES, type Pace } from "../peers/rounds";
import type { Session, SessionOptions } from "../peers/session";
import { UsageError } from "../peers/usage-error";

export interface Options {
  readonly words: readonly string[];
  readonly quick: boolean;
  readonly pace: Pace;
  readonly session: SessionOptions;
  /** Name under which results are kept; null for the usual name of the command. */
  readonly name: string | null;
  readonly steps: number;
}

export const USAGE = `npm run bench [-- words]               works of this library and hand-written loops, with bounds
npm run bench -- peers [words]         this library and its peers, side by side
npm run bench -- scaling [words]       from 1e2 to 1e7 elements
npm run bench -- cliffs [words]        odd sizes, operands that lie otherwise, every type: beside friendly cases
npm run bench -- calls                 first calls, new shapes, tracing, cached calls
npm run bench -- functions [words]     how many functions a warm eager call goes through
npm run bench -- thresholds [words]    numbers that decide how work is done (lib/backends/wasm/schedule/), beside others
npm run bench -- search [seed count]   random programs: one way to run them that takes much longer than another
npm run bench -- memory [words]        how much memory a work takes at most
npm run bench -- programs [words]      loops, simulations, networks: whether they reach what is aimed at
npm run bench -- soak                  100 000 steps of training: memory must stay flat
npm run bench -- docs                  puts kept results into docs/benchmarks.md and docs/benchmarks.svg

words: works with one of them in their names (with all of them in the first line)

--quick            fewer and shorter rounds
--peers a,b        only these
--nx source|dist   the source (default) or the build
--before dir       another checkout of the library, as nx-before
--node 24          at least this Node for everyone
--name x           keep results as bench/results/x.json
--steps n          steps of the soak`;

function source(value: string): NxSource {
  if (value === "source" || value === "dist") return value;
  throw new UsageError(`--nx is "source" or "dist", not "${value}"`);
}

export function parseOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: "boolean", default: false },
      peers: { type: "string" },
      nx: { type: "string", default: "source" },
      before: { type: "string" },
      node: { type: "string", default: "20" },
      name: { type: "string" },
      steps: { type: "string", default: "100000" },
    },
  });
  const [node, steps] = [Number(values.node), Number(values.steps)];
  if (!(node > 0 && steps > 0)) throw new UsageError("--node and --steps are numbers above 0");
  const session: SessionOptions = { nx: source(values.nx), node, ...(values.before ? { before: values.before } : {}) };
  return {
    words: positionals,
    quick: values.quick,
    pace: values.quick ? PACES.quick : PACES.full,
    session: values.peers === undefined ? session : { ...session, peers: values.peers.split(",") },
    name: values.name ?? null,
    steps,
  };
}

/** The works whose names have one of the words in them, or all if there are no words. */
export function matching<W extends { readonly name: string }>(works: readonly W[], { words }: Options): W[] {
  const found = works.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  if (found.length > 0) return found;
  const names = works.map(({ name }) => name).join("; ");
  throw new UsageError(`no work has ${words.join(" or ")} in its name; there are ${names}`);
}

export const heading = ({ members, missing }: Session, { quick, session }: Options): Heading => ({
  date: new Date().toISOString().slice(0, 10),
  machine: machine(),
  pace: quick ? "quick" : "full",
  nx: session.nx,
  peers: members.map(({ name, hello }) => ({ ...hello, name, runs: [] })),
  missing,
});

/** Results of all works go to the file the docs are made of; others only where they are told to. */
export const nameOf = (usual: string, { name, words, quick, session }: Options): string | null =>
  name ?? (words.length === 0 && !quick && !session.peers ? usual : null);
