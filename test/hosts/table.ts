/** The table of docs/hosts.md, which tests compare with what the probe finds. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Found } from "./project";

/** A line: the host, and what the probe finds there. */
export interface Line extends Omit<Found, "bits" | "refusals"> {
  readonly host: string;
}

const KEYS = ["host", "backend", "threads", "scopes", "files", "configuration"] as const;

/** The lines of the table, in order. */
export function readTable(): readonly Line[] {
  const page = readFileSync(resolve(import.meta.dirname, "../../docs/hosts.md"), "utf8");
  const rows = page.split("\n").filter((line) => /^\| (?!host |-)/.test(line));
  return rows.map((row) => {
    const cells = row.split("|").map((cell) => cell.trim());
    return Object.fromEntries(KEYS.map((key, i) => [key, cells[i + 1]])) as unknown as Line;
  });
}

/** The line that a host must have by what was found there. */
export const lineOf = (host: string, { bits: _, refusals: __, ...found }: Found): Line => ({ host, ...found });
