/**
 * The side of the protocol that runs inside a runner: a process that answers what it reads from standard input.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { answering, type Peer } from "./answers";
import { PREFIX, type Memory, type Request } from "./protocol";

export type { Compiling, Inputs, Peer, Prepared } from "./answers";

/** What the process holds and held at most since it was last asked, where the system can forget the peak (Linux). */
function memory(): Memory {
  const resident = process.memoryUsage.rss();
  try {
    const [, peak] = /VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))!;
    writeFileSync("/proc/self/clear_refs", "5");
    return { resident, peak: Number(peak) * 1024 };
  } catch {
    return { resident, peak: process.resourceUsage().maxRSS * 1024 };
  }
}

/** Answers requests until the other side has no more. */
export async function serve<T, R>(peer: Peer<T, R>): Promise<void> {
  const { hello, answer } = answering(peer, { runtime: `Node ${process.versions.node}`, memory });
  const say = (reply: unknown): boolean => process.stdout.write(`${PREFIX}${JSON.stringify(reply)}\n`);
  say(hello);
  for await (const line of createInterface({ input: process.stdin })) {
    try {
      const request = JSON.parse(line) as Request;
      if (request.do === "exit") break;
      say({ value: (await answer(request)) ?? null });
    } catch (error) {
      say({ error: error instanceof Error ? error.message : String(error) });
    }
  }
  process.exit(0); // workers of a library must not keep it alive
}
