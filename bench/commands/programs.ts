/**
 * The table of programs: loops, simulations and networks beside hand-written loops and other engines, with what each has to
 * reach. Least times are compared, as they are what a disturbed machine changes least; medians where nothing is released.
 */
import { timeOf } from "../peers/rounds";
import { withSession, type Session } from "../peers/session";
import { starts } from "../programs/starts";
import { MEMBERS, programs, takesPart, type ProgramWork, type Target } from "../programs/works";
import { save, type ProgramResults, type ProgramRow, type Verdict } from "../report/results";
import { aimOf, membersOf } from "../report/programs";
import { aligned, figure } from "../report/text";
import { measureWork } from "./peers";
import { heading, matching, nameOf, type Options } from "./options";

/** The word that asks for what is measured in fresh processes, and for the sizes of bundles. */
const STARTS = "starts";

type Rows = readonly ProgramRow[];

function comparedTime({ cells }: ProgramRow, member: string, medians: boolean): number | null {
  const cell = cells[member];
  if (!cell || "error" in cell || !cell.agrees) return null;
  return medians ? cell.median : cell.least;
}

/** What a time is, as a multiple of the shortest of those it is set beside; null where one is missing. */
export function verdictOf(
  row: ProgramRow,
  { of = "nx-using", beside, most, work, medians = false }: Target,
  rows: Rows,
): Verdict {
  const other = work === undefined ? row : rows.find((each) => each.work === work);
  const times = beside.flatMap((member) => (other && comparedTime(other, member, medians)) ?? []);
  const mine = comparedTime(row, of, medians);
  const ratio = mine === null || times.length === 0 ? null : mine / Math.min(...times);
  return { of, beside: work === undefined ? beside : [work], most, ratio };
}

async function rowOf(work: ProgramWork, session: Session, options: Options): Promise<ProgramRow> {
  const row = await measureWork(work, session, options, (member) => takesPart(member, work));
  return { ...row, verdicts: [] };
}

const verdictText = (verdict: Verdict): string => {
  const { most, ratio } = verdict;
  return `${aimOf(verdict)}: ${ratio === null ? "not measured" : `${figure(ratio)} ${ratio <= most ? "met" : "MISSED"}`}`;
};

const cellText = (row: ProgramRow, member: string): string => {
  const cell = row.cells[member];
  if (!cell) return "-";
  return "error" in cell ? "failed" : `${figure(timeOf(cell, member))}${cell.agrees ? "" : "*"}`;
};

function print(results: ProgramResults): void {
  const { rows, starts } = results;
  const members = membersOf(results);
  const lines = rows.map((row) => [row.work, ...members.map((member) => cellText(row, member))]);
  if (rows.length > 0) console.log(`\n${aligned([["microseconds", ...members], ...lines]).join("\n")}\n`);
  for (const { work, verdicts } of rows) console.log(`${work.padEnd(34)}${verdicts.map(verdictText).join("; ")}`);
  for (const { name, unit, value, most } of starts) {
    const found = value === null ? "not measured" : `${figure(value)} ${value <= most ? "met" : "MISSED"}`;
    console.log(`${name.padEnd(50)}${most} ${unit}: ${found}`);
  }
  const all = rows.flatMap(({ verdicts }) => verdicts).filter(({ ratio }) => ratio !== null);
  console.log(`\n${all.filter(({ ratio, most }) => ratio! <= most).length} of ${all.length} targets met`);
}

/** What failed, and what computes something else and is therefore no row. */
function faults(rows: Rows): string[] {
  return rows.flatMap(({ work, cells }) =>
    Object.entries(cells).flatMap(([member, cell]) => {
      if ("error" in cell) return [`${member} failed at ${work}: ${cell.error}`];
      return cell.agrees
        ? []
        : [`* ${member} at ${work} computes something else: ${figure(cell.worst!)} tolerances off`];
    }),
  );
}

export async function runPrograms(options: Options): Promise<void> {
  const { words, quick, session: asked } = options;
  const onlyStarts = words.length > 0 && words.every((word) => word === STARTS);
  const chosen = onlyStarts ? [] : matching(programs, options);
  const session = { ...asked, peers: onlyStarts ? [] : (asked.peers ?? MEMBERS) };
  const found = words.length === 0 || words.includes(STARTS) ? await starts(quick) : [];
  const results = await withSession(session, async (opened): Promise<ProgramResults> => {
    const measured: ProgramRow[] = [];
    for (const work of chosen) {
      measured.push(await rowOf(work, opened, options));
      const cells = Object.keys(measured.at(-1)!.cells).map((name) => `${name} ${cellText(measured.at(-1)!, name)}`);
      console.log(`${work.name.padEnd(34)}${cells.join("  ")}`);
    }
    const rows = measured.map((row, i) => ({
      ...row,
      verdicts: chosen[i]!.targets.map((target) => verdictOf(row, target, measured)),
    }));
    return { ...heading(opened, options), rows, starts: found };
  });
  print(results);
  const notes = faults(results.rows);
  if (notes.length > 0) console.log(`\n${notes.join("\n")}`);
  const name = nameOf("programs", options);
  if (name) await save(name, results);
  if (notes.some((note) => /^(\* )?nx/.test(note))) process.exitCode = 1;
}
