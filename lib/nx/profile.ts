/**
 * Where the time of a function goes: operations and kernels, with the lines of the program that they come from.
 */
import { getOrMake } from "../core/get-or-make";
import { ArgumentError, show } from "../core/errors";
import { lineOfFrame, userFrames, withDeepStacks } from "../core/frames";
import { profiling, type Probe, type Work } from "../core/profiling";
import { evaluate } from "./evaluate";

/** A row of a profile: an operation, or several that were done together, at some lines of the program. */
export interface ProfileRow {
  readonly operation: string;
  /** File and line, or several: `src/model.ts:12, 14`. Empty where the host tells none. */
  readonly line: string;
  /** How often the operation was called. */
  readonly calls: number;
  /** Passes over elements, whether a kernel did them or a loop. */
  readonly kernels: number;
  /** Bytes that these read and wrote. */
  readonly bytes: number;
  /** Time in milliseconds, that of rows for work inside of it not included. */
  readonly milliseconds: number;
}

/** The result of a function, and its time by operation. */
export interface Profile<R = unknown> {
  /** What the function gave. */
  readonly result: R;
  /** What was done, what took longest first. */
  readonly rows: readonly ProfileRow[];
  /** Sums of all rows. */
  readonly calls: number;
  readonly kernels: number;
  readonly bytes: number;
  readonly milliseconds: number;
  /** The rows as a table. */
  toString(): string;
}

type Row = { -readonly [K in keyof ProfileRow]: ProfileRow[K] };

/** Work that is measured now. */
interface Frame {
  readonly lines: readonly string[];
  /** Milliseconds of what was measured inside, and of measuring it. */
  inside: number;
  isAround: boolean;
  isElsewhere: boolean;
}

/** The clock is no part of the language, and every host has one. */
interface Host {
  readonly performance: { now(): number };
}

const now = (): number => (globalThis as unknown as Host).performance.now();

class Collector implements Probe {
  readonly rows = new Map<string, Row>();
  private readonly frames: Frame[] = [];
  private known: readonly string[] | null = null;

  lines(): readonly string[] {
    if (this.known !== null) return this.known;
    const line = this.lineOf(withDeepStacks(() => new Error("called here")));
    return line === null ? [] : [line];
  }

  lineOf(error: Error): string | null {
    const [frame] = userFrames(error);
    return frame === undefined ? null : lineOfFrame(frame);
  }

  at<T>(lines: readonly string[], fn: () => T): T {
    const before = this.known;
    this.known = lines;
    try {
      return fn();
    } finally {
      this.known = before;
    }
  }

  measured<T>(fn: () => T, workOf: (result: T, isAround: boolean) => Work | null): T {
    const around = this.frames.at(-1);
    const called = now();
    const lines = this.lines();
    const frame: Frame = { lines, inside: 0, isAround: false, isElsewhere: false };
    this.frames.push(frame);
    const start = now();
    try {
      const result = fn();
      const end = now();
      const work = workOf(result, frame.isAround);
      if (around !== undefined) around.isAround ||= work !== null || frame.isAround;
      if (work !== null) this.add(work, lines, end - start - frame.inside, frame.isElsewhere);
      return result;
    } finally {
      this.frames.pop();
      if (around !== undefined) around.inside += now() - called;
    }
  }

  elsewhere(): readonly string[] {
    const frame = this.frames.at(-1);
    if (frame === undefined) return this.lines();
    frame.isElsewhere = true;
    return frame.lines;
  }

  private add(work: Work, lines: readonly string[], milliseconds: number, isElsewhere: boolean): void {
    const line = linesText(lines);
    const key = `${work.operation}\n${line}`;
    let row = this.rows.get(key);
    if (row === undefined) {
      row = { operation: work.operation, line, calls: 0, kernels: 0, bytes: 0, milliseconds: 0 };
      this.rows.set(key, row);
    }
    row.calls += work.calls;
    row.milliseconds += milliseconds;
    if (isElsewhere) return;
    row.kernels += work.kernels;
    row.bytes += work.bytes;
  }
}

/** Lines with each file named once: `a.ts:3, 5; b.ts:7`. */
function linesText(lines: readonly string[]): string {
  const files = new Map<string, Set<number>>();
  for (const line of lines) {
    const at = line.lastIndexOf(":");
    const file = line.slice(0, at);
    getOrMake(files, file, () => new Set()).add(Number(line.slice(at + 1)));
  }
  return [...files].map(([file, numbers]) => `${file}:${[...numbers].sort((a, b) => a - b).join(", ")}`).join("; ");
}

function profileOf<R>(result: R, { rows }: Collector): Profile<R> {
  const sorted = [...rows.values()].sort((a, b) => b.milliseconds - a.milliseconds);
  const sum = (of: "calls" | "kernels" | "bytes" | "milliseconds"): number =>
    sorted.reduce((all, row) => all + row[of], 0);
  const total = {
    calls: sum("calls"),
    kernels: sum("kernels"),
    bytes: sum("bytes"),
    milliseconds: sum("milliseconds"),
  };
  const text = (): string => tableText(sorted, { operation: "total", line: "", ...total });
  const shown = { value: text, enumerable: false };
  return Object.defineProperties({ result, rows: sorted, ...total } as Profile<R>, {
    toString: shown,
    [Symbol.for("nodejs.util.inspect.custom")]: shown,
  });
}

const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;

function bytesText(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 1000 && unit < UNITS.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${unit === 0 ? size : size.toPrecision(3)} ${UNITS[unit]!}`;
}

const HEADER = ["operation", "line", "calls", "kernels", "bytes", "ms"] as const;
/** Columns of words begin at the left. */
const WORDS = 2;

function tableText(rows: readonly ProfileRow[], total: ProfileRow): string {
  const cells = [...rows, total].map(({ operation, line, calls, kernels, bytes, milliseconds }) => [
    operation,
    line,
    `${calls}`,
    `${kernels}`,
    bytesText(bytes),
    milliseconds.toFixed(3),
  ]);
  const all = [[...HEADER], ...cells];
  const widths = HEADER.map((_, i) => Math.max(...all.map((row) => row[i]!.length)));
  const aligned = (cell: string, i: number): string =>
    i < WORDS ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!);
  return all.map((row) => row.map(aligned).join("  ").trimEnd()).join("\n");
}

/**
 * Runs a function and tells where the time went: which operations were called, how many passes over elements (kernels) they became,
 * how many bytes these read and wrote, how long that took, and at which lines of the program. It sees plain calls and compiled
 * functions alike, small calls, too.
 *
 * Work that waits (see docs/evaluation.md) has two kinds of rows: each operation with its calls, where it was called, with no kernel;
 * and each kernel with the operations that it did, `multiply, add, tanh`, and all lines where these were called. The time of such a
 * kernel is its own row's. In compiled functions rows are what runs: kernels with the operations fused into them, whole programs. For their
 * lines a compiled function is traced once more when it is profiled for the first time; a row `trace and compile` shows what
 * the first call of a signature takes besides.
 *
 * What the result waits for is computed before the profile ends; what nobody reads is not part of it. Taking note of lines takes
 * some 20 microseconds for each operation, which is in no row. A profile within a profile has its rows for itself.
 *
 * @param fn - called without arguments; it may be asynchronous: then all work of the program until its promise is settled counts
 * @returns the result of `fn`, rows sorted by their time, and sums; as text it is a table. A promise of that where `fn` gives one
 * @throws ArgumentError where `fn` is no function; errors of `fn` as they are
 * @example
 * ```ts
 * const x = Nx.iota([3, 100], { type: "f32", names: ["row", "column"] });
 * const profile = Nx.profile(() => x.sin().sum({ axes: ["column"] }));
 * profile.result.names;
 * // => [ 'row' ]
 * profile.rows.map(({ operation, calls, kernels, bytes }) => [operation, calls, kernels, bytes]).sort();
 * // => [ [ 'sin', 1, 1, 2400 ], [ 'sum', 1, 1, 1212 ] ]
 * const [header] = String(profile).split("\n");
 * header!.split(/ +/);
 * // => [ 'operation', 'line', 'calls', 'kernels', 'bytes', 'ms' ]
 * ```
 * @example
 * ```ts
 * const norm = Nx.defn((t: Nx.Tensor) => t.multiply(t).sum().sqrt());
 * const { rows, calls } = await Nx.profile(async () => norm(Nx.f32([3, 4])));
 * rows.some(({ operation }) => operation === "trace and compile");
 * // => true
 * calls > 0;
 * // => true
 * Nx.profile(3 as never);
 * // throws ArgumentError: Nx.profile expects a function, got: 3
 * ```
 */
export function profile<R>(fn: () => Promise<R>): Promise<Profile<R>>;
export function profile<R>(fn: () => R): Profile<R>;
export function profile<R>(fn: () => R | Promise<R>): Profile<R> | Promise<Profile<R>> {
  if (typeof fn !== "function") throw new ArgumentError(`Nx.profile expects a function, got: ${show(fn)}`);
  const collector = new Collector();
  const around = profiling.probe;
  const end = (): void => {
    profiling.probe = around;
  };
  const finish = (result: R): Profile<R> => {
    evaluate(result);
    return profileOf(result, collector);
  };
  profiling.probe = collector;
  let isPending = false;
  try {
    const result = fn();
    if (!(result instanceof Promise)) return finish(result);
    isPending = true;
    return result.then(finish).finally(end);
  } finally {
    if (!isPending) end();
  }
}
