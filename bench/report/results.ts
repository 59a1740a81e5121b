/**
 * What a run found, as it is kept in bench/results/ and drawn in the docs.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, platform, release } from "node:os";
import { fileURLToPath } from "node:url";
import { formatted } from "../../scripts/formatted";
import type { CliffLine } from "../cliffs/protocol";
import type { CallCosts, Hello } from "../peers/protocol";
import type { Times } from "../peers/rounds";
import type { Missing } from "../peers/session";

export interface Cell extends Times {
  /** Whether the result is that of the reference, within the tolerance of the work. */
  readonly agrees: boolean;
  /** Largest deviation in units of what is tolerated, where it does not agree. */
  readonly worst?: number;
}

export interface Row {
  readonly work: string;
  readonly cells: Readonly<Record<string, Cell | { readonly error: string }>>;
}

export interface Heading {
  readonly date: string;
  readonly machine: string;
  readonly pace: string;
  readonly nx: string;
  readonly peers: readonly (Hello & { readonly name: string })[];
  readonly missing: readonly Missing[];
}

export interface TableResults extends Heading {
  readonly rows: readonly Row[];
}

/** How a time stands to what it has to reach. */
export interface Verdict {
  readonly of: string;
  readonly beside: readonly string[];
  readonly most: number;
  /** Null where one of both was not measured. */
  readonly ratio: number | null;
}

export interface ProgramRow extends Row {
  readonly verdicts: readonly Verdict[];
}

/** A figure that must not be exceeded: milliseconds of a first time, or kilobytes of a bundle. */
export interface Start {
  readonly name: string;
  readonly unit: "ms" | "kB";
  /** The least of several processes; null where it could not be measured. */
  readonly value: number | null;
  readonly most: number;
}

export interface ProgramResults extends Heading {
  readonly rows: readonly ProgramRow[];
  readonly starts: readonly Start[];
}

export interface CallResults extends Heading {
  readonly costs: Readonly<Record<string, CallCosts>>;
}

export interface ScalingResults extends Heading {
  /** Microseconds by work, peer and number of elements. */
  readonly curves: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, number>>>>>>;
}

export interface MemoryResults extends Heading {
  /** Bytes above what the process held before the first call, at most, by work and peer. */
  readonly peaks: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export interface CliffResults extends Heading {
  readonly cases: readonly CliffLine[];
  /** What could not be measured, and why. */
  readonly failures: readonly string[];
}

export function machine(): string {
  const cores = cpus();
  return `${cores[0]?.model.trim() ?? "unknown processor"}, ${cores.length} cores, ${platform()} ${release()}`;
}

const fileOf = (name: string): string => fileURLToPath(new URL(`../results/${name}.json`, import.meta.url));

/** Keeps the results under a name; numbers have the digits that mean something. */
export async function save(name: string, results: Heading): Promise<void> {
  const file = fileOf(name);
  mkdirSync(fileURLToPath(new URL("../results", import.meta.url)), { recursive: true });
  const short = (_: string, value: unknown): unknown =>
    typeof value === "number" ? Number(value.toPrecision(5)) : value;
  writeFileSync(file, await formatted(file, JSON.stringify(results, short)));
  console.log(`\nkept in ${file}`);
}

/** Results kept before, or null. */
export function load<T extends Heading>(name: string): T | null {
  try {
    return JSON.parse(readFileSync(fileOf(name), "utf8")) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
