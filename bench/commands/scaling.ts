/**
 * Time a work takes from a hundred to ten million elements.
 */
import { timeInTurns, timeOf } from "../peers/rounds";
import { withSession, type Member, type Session } from "../peers/session";
import { resized, scalable, type PeerWork } from "../peers/works";
import { save, type ScalingResults } from "../report/results";
import { aligned, figure } from "../report/text";
import { heading, matching, nameOf, type Options } from "./options";

const LENGTHS = [1e2, 1e3, 1e4, 1e5, 1e6, 1e7];

async function isReady({ runner }: Member, { run, inputs }: PeerWork): Promise<boolean> {
  return runner.prepare(run, inputs).then(
    () => true,
    () => false,
  );
}

/** Microseconds by peer for one length; peers that cannot do it are left out. */
async function timesAt(work: PeerWork, session: Session, { pace }: Options): Promise<Map<string, number>> {
  const ready: Member[] = [];
  for (const member of await session.able(work.run)) {
    if (await isReady(member, work)) ready.push(member);
  }
  const times = await timeInTurns(
    ready.map(({ runner }) => runner),
    pace,
  );
  for (const { runner } of ready) await runner.drop().catch(() => {});
  return new Map(
    ready.flatMap(({ name }, i) => {
      const found = times[i]!;
      return found instanceof Error ? [] : [[name, timeOf(found, name)] as const];
    }),
  );
}

type Curve = Record<string, Record<string, number>>;

async function measureCurve(work: PeerWork, session: Session, options: Options): Promise<Curve> {
  const curve: Curve = Object.fromEntries(session.members.map(({ name }) => [name, {}]));
  for (const length of LENGTHS) {
    const found = await timesAt(resized(work, length), session, options);
    for (const [name, microseconds] of found) curve[name]![String(length)] = microseconds;
  }
  return curve;
}

const header = LENGTHS.map((length) => `1e${Math.log10(length)}`);

function print(work: string, curve: Curve): void {
  const rows = Object.entries(curve).map(([peer, points]) => [
    peer,
    ...LENGTHS.map((length) => (length in points ? figure(points[length]!) : "-")),
  ]);
  console.log(`${aligned([[`${work}, us`, ...header], ...rows]).join("\n")}\n`);
}

export async function runScaling(options: Options): Promise<void> {
  const results = await withSession(options.session, async (session): Promise<ScalingResults> => {
    const curves: Record<string, Curve> = {};
    for (const work of matching(scalable, options)) {
      const curve = await measureCurve(work, session, options);
      curves[work.name] = curve;
      print(work.name, curve);
    }
    return { ...heading(session, options), curves };
  });
  const name = nameOf("scaling", options);
  if (name) await save(name, results);
}
