/**
 * The table: every work, every candidate, in turns, with a check that they all compute the same.
 */
import { compare } from "../peers/compare";
import type { Sample } from "../peers/protocol";
import { errorOf, timeInTurns, timeOf, type Times } from "../peers/rounds";
import { withSession, type Member, type Session } from "../peers/session";
import { table, type PeerWork } from "../peers/works";
import { save, type Cell, type Row, type TableResults } from "../report/results";
import { aligned, figure } from "../report/text";
import { heading, matching, nameOf, type Options } from "./options";

/** The member all results are compared with, where it takes part. */
const REFERENCE = "loop";

async function sampleOf({ runner }: Member): Promise<Sample | Error> {
  return runner.sample().catch(errorOf);
}

function cell(times: Times, sample: Sample | undefined, reference: Sample | undefined, work: PeerWork): Cell {
  if (!sample || !reference) return { ...times, agrees: true };
  const { agrees, worst } = compare(sample, reference, work);
  return agrees ? { ...times, agrees } : { ...times, agrees, worst };
}

/** Prepares a work with all that can do it (and are to), looks at what they compute, and times them. */
export async function measureWork(
  work: PeerWork,
  session: Session,
  { pace }: Options,
  takesPart: (member: string) => boolean = () => true,
): Promise<Row> {
  const cells: Record<string, Cell | { error: string }> = {};
  const ready: Member[] = [];
  const samples = new Map<string, Sample>();
  for (const member of (await session.able(work.run)).filter(({ name }) => takesPart(name))) {
    const sample = await member.runner.prepare(work.run, work.inputs).then(() => sampleOf(member), errorOf);
    if (sample instanceof Error) cells[member.name] = { error: sample.message };
    else {
      ready.push(member);
      samples.set(member.name, sample);
    }
  }
  const reference = samples.get(REFERENCE) ?? samples.get(ready[0]?.name ?? "");
  const times = await timeInTurns(
    ready.map(({ runner }) => runner),
    pace,
  );
  ready.forEach(({ name }, i) => {
    const result = times[i]!;
    cells[name] =
      result instanceof Error ? { error: result.message } : cell(result, samples.get(name), reference, work);
  });
  for (const { runner } of ready) await runner.drop().catch(() => {});
  return { work: work.name, cells };
}

function text({ cells }: Row, peer: string): string {
  const found = cells[peer];
  if (!found) return "-";
  return "error" in found ? "failed" : `${figure(timeOf(found, peer))}${found.agrees ? "" : "*"}`;
}

function ratio({ cells }: Row, peer: string, base: string): string {
  const [found, nx] = [cells[peer], cells[base]];
  if (!found || !nx || "error" in found || "error" in nx) return "";
  return figure(timeOf(found, peer) / timeOf(nx, base));
}

function print(rows: readonly Row[], peers: readonly string[]): void {
  const [base, ...others] = peers as [string, ...string[]];
  const top = ["microseconds", ...peers, ...others.map((peer) => `${peer}/${base}`)];
  const lines = rows.map((row) => [
    row.work,
    ...peers.map((peer) => text(row, peer)),
    ...others.map((peer) => ratio(row, peer, base)),
  ]);
  console.log(`\n${aligned([top, ...lines]).join("\n")}`);
}

/** What is wrong with results, by row and peer. */
function remarks(rows: readonly Row[]): string[] {
  return rows.flatMap(({ work, cells }) =>
    Object.entries(cells).flatMap(([peer, found]) => {
      if ("error" in found) return [`${peer} failed at ${work}: ${found.error}`];
      if (found.agrees) return [];
      return [`* ${peer} at ${work}: differs from the reference by ${figure(found.worst!)} times what is tolerated`];
    }),
  );
}

/** Whether nx-numerics is right wherever it takes part: the mistakes of others are only told. */
const isRight = (rows: readonly Row[]): boolean =>
  rows.every(({ cells }) =>
    Object.entries(cells).every(([peer, found]) => !peer.startsWith("nx") || (!("error" in found) && found.agrees)),
  );

export async function runPeers(options: Options): Promise<void> {
  const chosen = matching(table, options);
  const results = await withSession(options.session, async (session): Promise<TableResults> => {
    const rows: Row[] = [];
    for (const work of chosen) {
      const row = await measureWork(work, session, options);
      rows.push(row);
      const times = session.members.map(({ name }) => `${name} ${text(row, name)}`);
      console.log(`${work.name.padEnd(28)}${times.join("  ")}`);
    }
    return { ...heading(session, options), rows };
  });
  print(
    results.rows,
    results.peers.map(({ name }) => name),
  );
  const notes = remarks(results.rows);
  if (notes.length > 0) console.log(`\n${notes.join("\n")}`);
  const name = nameOf("peers", options);
  if (name) await save(name, results);
  if (!isRight(results.rows)) process.exitCode = 1;
}
