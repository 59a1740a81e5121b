/**
 * The candidates of one run of the bench program, each with its runner; says who is missing, and goes on without them.
 */
import type { NxSource } from "./build";
import { buildRunners } from "./build";
import { candidates, startOf, usual, type Candidate, type Start } from "./candidates";
import type { Hello } from "./protocol";
import { errorOf } from "./rounds";
import { RunnerProcess } from "./runner-process";
import { UsageError } from "./usage-error";

export interface Member {
  readonly name: string;
  readonly hello: Hello;
  runner: RunnerProcess;
  /** Starts another runner of the same kind: a fresh process. */
  readonly again: () => Promise<RunnerProcess>;
}

export interface Missing {
  readonly name: string;
  readonly why: string;
}

export interface SessionOptions {
  /** Names of candidates; all usual ones if none are given. */
  readonly peers?: readonly string[];
  readonly nx: NxSource;
  /** Least major version of Node for all. */
  readonly node: number;
  /** Another checkout of the library, whose source is "nx-before". */
  readonly before?: string;
}

export class Session {
  readonly members: Member[] = [];
  readonly missing: Missing[] = [];

  static async open({ peers = usual, nx, node, before }: SessionOptions): Promise<Session> {
    const unknown = peers.filter((name) => !candidates.some((candidate) => candidate.name === name));
    if (unknown.length > 0) {
      const known = candidates.map(({ name }) => name).join(", ");
      throw new UsageError(`unknown peers: ${unknown.join(", ")}; there are ${known}`);
    }
    const chosen = candidates.filter(({ name }) => peers.includes(name));
    const runners = new Set(chosen.flatMap(({ runner }) => ("node" in runner ? [runner.node] : [])));
    const fileOf = await buildRunners([...runners], nx);
    const fileBefore = before === undefined ? null : await buildRunners(["nx"], { checkout: before });
    const session = new Session();
    for (const candidate of chosen) {
      const files = candidate.before ? fileBefore : fileOf;
      const start = files ? startOf(candidate, files, node) : { missing: "say where it is with --before" };
      await session.#join(candidate, start);
    }
    return session;
  }

  async #join({ name }: Candidate, start: Start): Promise<void> {
    if ("missing" in start) return void this.missing.push({ name, why: start.missing });
    try {
      const again = async (): Promise<RunnerProcess> => (await RunnerProcess.start(start)).runner;
      this.members.push({ name, again, ...(await RunnerProcess.start(start)) });
    } catch (error) {
      this.missing.push({ name, why: errorOf(error).message });
    }
  }

  /** Who can do this; a runner that died at the last work is started again. */
  async able(run: string): Promise<Member[]> {
    const able = this.members.filter(({ hello }) => hello.runs.includes(run));
    for (const member of able) if (!member.runner.isAlive) member.runner = await member.again();
    return able;
  }

  async close(): Promise<void> {
    await Promise.all(this.members.map(({ runner }) => runner.close()));
  }
}

/** Opens a session, says who is in it, does what is asked, and ends all processes. */
export async function withSession<T>(options: SessionOptions, fn: (session: Session) => Promise<T>): Promise<T> {
  const session = await Session.open(options);
  try {
    for (const member of session.members) console.log(describe(member));
    for (const { name, why } of session.missing) console.log(`without ${name}: ${why}`);
    console.log();
    return await fn(session);
  } finally {
    await session.close();
  }
}

const describe = ({ name, hello: { version, runtime, threads } }: Member): string =>
  `${name.padEnd(18)}${version.padEnd(9)}${runtime}, threads: ${threads}`;
