/** The figures of a run, as the table of docs/reliability.md. */
import { readFileSync, writeFileSync } from "node:fs";
import { DTYPES } from "../../lib/core/types";
import { ARG_REDUCE, BINARY, CUMULATIVE, REDUCE, UNARY, WINDOW } from "../../lib/ops";
import { CALLED } from "../calls/table";
import type { Part } from "./runner";

const BEGIN = "<!-- npm run fuzz -- --report: begin -->";
const END = "<!-- end -->";

const thousands = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ",");

const OPS: Readonly<Record<string, readonly string[]>> = {
  "unary ops": Object.keys(UNARY),
  "binary ops": Object.keys(BINARY),
  reductions: [...Object.keys(REDUCE), ...Object.keys(ARG_REDUCE), ...Object.keys(CUMULATIVE), ...Object.keys(WINDOW)],
};

/** What of the vocabulary programs used, and how many public functions in all. */
function coverage(parts: readonly Part[]): string {
  const used = new Set(parts.filter(({ kind }) => kind.name === "programs" || kind.name === "gradients").flatMap(({ tally }) => [...tally.functions.keys()])); // prettier-ignore
  const ops = Object.entries(OPS).map(([what, names]) => {
    const count = names.filter((name) => used.has(`Nx.${name}`)).length;
    return `${count} of ${names.length} ${what}`;
  });
  const types = new Set(parts.flatMap(({ tally }) => [...tally.types]));
  return `Programs used ${ops.join(", ")}, ${used.size} functions in all, and ${types.size} of ${DTYPES.length} types.`;
}

export const hasOps = (parts: readonly Part[]): boolean => parts.some(({ kind }) => kind.name === "programs");

function rows(parts: readonly Part[]): string[][] {
  return parts.map(({ kind, tally, findings, milliseconds }) => [
    kind.name,
    kind.about,
    thousands(tally.programs),
    thousands(tally.checks),
    String(findings.length),
    milliseconds < 60_000 ? "<1" : String(Math.round(milliseconds / 60_000)),
  ]);
}

/** A table as the formatter writes it. */
function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  const widths = head.map((_, i) => Math.max(...[head, ...body].map((row) => row[i]!.length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("\n");
}

export function reportOf(parts: readonly Part[], seed: number): string {
  const head = ["kind", "what is compared", "tried", "checks", "found", "minutes"];
  const left = new Map<string, number>();
  for (const { tally } of parts) for (const [why, n] of tally.left) left.set(why, (left.get(why) ?? 0) + n);
  const reasons = [...left].map(([why, n]) => `${thousands(n)} (${why})`).join(", ");
  return [
    table(head, rows(parts)),
    "",
    `${coverage(parts)} ${CALLED.length} functions and methods are called wrongly.`,
    `Left out: ${reasons || "nothing"}. Node ${process.versions.node}, seed ${seed}.`,
  ].join("\n");
}

/** Puts the report between its marks in a page. */
export function writeReport(file: string, report: string): void {
  const page = readFileSync(file, "utf8");
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${file} has no marks ${BEGIN} and ${END}`);
  writeFileSync(file, `${page.slice(0, begin + BEGIN.length)}\n\n${report}\n\n${page.slice(end)}`);
}
