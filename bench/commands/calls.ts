/**
 * What a call costs besides its arithmetic, in the libraries that trace or compile: each in fresh processes, as the first
 * call of a process is the one that cannot be repeated in it.
 */
import type { CallCosts } from "../peers/protocol";
import { timesOf } from "../peers/rounds";
import { withSession, type Member } from "../peers/session";
import { save, type CallResults } from "../report/results";
import { aligned, figure } from "../report/text";
import { heading, nameOf, type Options } from "./options";

const PROCESSES = 5;

const MEANING: Readonly<Record<keyof CallCosts, string>> = {
  first: "first call in the process",
  fresh: "first call of another function",
  again: "first call, operations of a known function",
  shape: "known function, new shape",
  trace: "tracing alone",
  hit: "known function, known shape",
};

const KEYS = Object.keys(MEANING) as (keyof CallCosts)[];

async function costsOf({ again }: Member, processes: number): Promise<CallCosts> {
  const found: CallCosts[] = [];
  for (let i = 0; i < processes; i++) {
    const runner = await again();
    try {
      found.push(await runner.calls());
    } finally {
      await runner.close();
    }
  }
  const median = (key: keyof CallCosts): number => timesOf(found.map((costs) => costs[key])).median;
  return Object.fromEntries(KEYS.map((key) => [key, median(key)])) as unknown as CallCosts;
}

export async function runCalls(options: Options): Promise<void> {
  const results = await withSession(options.session, async (session): Promise<CallResults> => {
    const costs: Record<string, CallCosts> = {};
    for (const member of session.members.filter(({ hello }) => hello.compiles)) {
      costs[member.name] = await costsOf(member, options.quick ? 1 : PROCESSES);
    }
    return { ...heading(session, options), costs };
  });
  const peers = Object.keys(results.costs);
  const rows = KEYS.map((key) => [MEANING[key], ...peers.map((peer) => figure(results.costs[peer]![key]))]);
  console.log(aligned([["ten operations on 8 numbers, us", ...peers], ...rows]).join("\n"));
  const name = nameOf("calls", options);
  if (name) await save(name, results);
}
