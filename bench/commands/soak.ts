/**
 * A long training loop that frees nothing: prints its memory over time, and fails when it does not stay flat.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { buildRunners } from "../peers/build";
import { timesOf } from "../peers/rounds";
import { megabytes } from "../report/text";
import type { Options } from "./options";

interface MemorySample {
  readonly step: number;
  readonly rss: number;
  readonly heapUsed: number;
  readonly external: number;
  readonly arrayBuffers: number;
  readonly loss: number;
}

const SAMPLES = 200;

/** The first part, in which code is compiled and heaps find their size, does not count. */
const WARM_PART = 0.25;

/** The medians of the two halves after that may differ by so much, whichever is more. */
const GROWTH_PART = 0.1;
const GROWTH_BYTES = 32e6;

async function samplesOf(file: string, kind: string, steps: number): Promise<MemorySample[]> {
  const samples: MemorySample[] = [];
  const child = spawn(process.execPath, [file, kind, String(steps), String(SAMPLES)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
  for await (const line of createInterface({ input: child.stdout })) samples.push(JSON.parse(line) as MemorySample);
  const code = await closed;
  if (code !== 0) throw new Error(`the training loop ended with ${code} after ${samples.at(-1)?.step ?? 0} steps`);
  return samples;
}

export interface Growth {
  readonly early: number;
  readonly late: number;
  readonly flat: boolean;
}

/** Whether values stay where they are once they are warm; saw teeth do not matter, only what medians do. */
export function growthOf(values: readonly number[]): Growth {
  const warm = values.slice(Math.floor(values.length * WARM_PART));
  const middle = Math.floor(warm.length / 2);
  const [early, late] = [timesOf(warm.slice(0, middle)).median, timesOf(warm.slice(middle)).median];
  return { early, late, flat: late - early <= Math.max(GROWTH_BYTES, GROWTH_PART * early) };
}

const BARS = "▁▂▃▄▅▆▇█";

/** A line of bars from nothing to the largest value. */
function sparkline(values: readonly number[], width = 60): string {
  const top = Math.max(...values);
  const chosen = Array.from({ length: width }, (_, i) => values[Math.floor((i * values.length) / width)]!);
  return chosen.map((value) => BARS[Math.min(7, Math.floor((value / top) * 8))]!).join("");
}

function report(samples: readonly MemorySample[], key: "rss" | "heapUsed" | "external"): boolean {
  const values = samples.map((sample) => sample[key]);
  const { early, late, flat } = growthOf(values);
  const change = `${megabytes(early)} -> ${megabytes(late)}, at most ${megabytes(Math.max(...values))}`;
  console.log(`  ${key.padEnd(9)} ${sparkline(values)} ${change}${flat ? "" : "  GROWS"}`);
  return flat;
}

export async function runSoak({ steps, quick, session }: Options): Promise<void> {
  const file = (await buildRunners(["soak"], session.nx))("soak");
  const count = quick ? Math.min(steps, 10_000) : steps;
  for (const kind of ["sync", "await"]) {
    console.log(`${kind === "sync" ? "without" : "with"} giving control back, ${count} steps`);
    const start = performance.now();
    const samples = await samplesOf(file, kind, count);
    const each = ((performance.now() - start) * 1000) / count;
    const flat = (["rss", "heapUsed", "external"] as const).map((key) => report(samples, key));
    console.log(
      `  ${each.toFixed(0)} us a step, loss ${samples[0]!.loss.toExponential(2)} -> ${samples.at(-1)!.loss.toExponential(2)}\n`,
    );
    if (flat.includes(false)) process.exitCode = 1;
  }
}
