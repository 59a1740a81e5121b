/**
 * How much memory a work takes at most, above what its process holds when the operands are there: a fresh process for each.
 */
import { withSession, type Member } from "../peers/session";
import { table, type PeerWork } from "../peers/works";
import { save, type MemoryResults } from "../report/results";
import { aligned, megabytes } from "../report/text";
import { heading, matching, nameOf, type Options } from "./options";

const CALLING_MS = 500;

async function peakOf({ again }: Member, { run, inputs }: PeerWork, milliseconds: number): Promise<number | null> {
  const runner = await again();
  try {
    await runner.prepare(run, inputs);
    const { resident } = await runner.memory();
    await runner.warm(milliseconds);
    return Math.max(0, (await runner.memory()).peak - resident);
  } catch {
    return null;
  } finally {
    await runner.close();
  }
}

export async function runMemory(options: Options): Promise<void> {
  const results = await withSession(options.session, async (session): Promise<MemoryResults> => {
    const { members } = session;
    const peaks: Record<string, Record<string, number>> = {};
    const rows = [["at most, above the operands", ...members.map(({ name }) => name)]];
    for (const work of matching(table, options)) {
      const found: Record<string, number> = {};
      for (const member of members.filter(({ hello }) => hello.runs.includes(work.run))) {
        const peak = await peakOf(member, work, options.quick ? CALLING_MS / 5 : CALLING_MS);
        if (peak !== null) found[member.name] = peak;
      }
      peaks[work.name] = found;
      rows.push([work.name, ...members.map(({ name }) => (name in found ? megabytes(found[name]!) : "-"))]);
      console.log(aligned([rows.at(-1)!]).join(""));
    }
    console.log(`\n${aligned(rows).join("\n")}`);
    return { ...heading(session, options), peaks };
  });
  const name = nameOf("memory", options);
  if (name) await save(name, results);
}
