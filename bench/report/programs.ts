/**
 * The table of programs as it stands in the docs.
 */
import { timeOf } from "../peers/rounds";
import { MEMBERS } from "../programs/works";
import { circumstances, tableOf } from "./markdown";
import type { ProgramResults, ProgramRow, Start, Verdict } from "./results";
import { figure } from "./text";

/** Who was measured at any row, in the order of columns. */
export function membersOf({ rows, peers }: ProgramResults): string[] {
  const all = new Set([...MEMBERS, ...peers.map(({ name }) => name)]);
  return [...all].filter((name) => rows.some(({ cells }) => name in cells));
}

/** What is to be reached: who, at most how many times as long as whom. */
export const aimOf = ({ of, beside, most }: Verdict): string =>
  `${of === "nx-using" ? "" : `${of} `}${most}x ${beside.join(", ")}`;

function cellText({ cells }: ProgramRow, member: string): string {
  const cell = cells[member];
  if (!cell) return "-";
  if ("error" in cell) return "failed";
  return cell.agrees ? figure(timeOf(cell, member)) : "differs";
}

/** The ratio that was found; bold where it is above what is to be reached. */
function verdictText(verdict: Verdict): string {
  const { ratio, most } = verdict;
  if (ratio === null) return "";
  return `${aimOf(verdict)}: ${ratio <= most ? figure(ratio) : `**${figure(ratio)}**`}`;
}

function startRow({ name, unit, value, most }: Start): string[] {
  const found = value === null ? "-" : value <= most ? figure(value) : `**${figure(value)}**`;
  return [name, `${most} ${unit}`, found];
}

export function programsMarkdown(results: ProgramResults): string {
  const members = membersOf(results);
  const rows = results.rows.map((row) => {
    const aims = row.verdicts.map(verdictText).filter((text) => text !== "");
    return [row.work, ...members.map((member) => cellText(row, member)), aims.join("; ")];
  });
  const table = tableOf(["microseconds", ...members, "at most: found"], rows);
  const starts = tableOf(["in a fresh process, or in a bundle", "at most", "found"], results.starts.map(startRow));
  return `${table}\n\n${starts}\n\n${circumstances(results)}`;
}
