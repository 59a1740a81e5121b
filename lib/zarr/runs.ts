/**
 * Runs that write an array: an attribute says that one is unfinished and whose it is, and a list beside it which chunks are done, so
 * that a run which failed is noticed and can be taken up. The list is valid for the run of the attribute only, and is kept twice in
 * turn: a program that ends while it writes one still has the other.
 */
import { ArgumentError } from "nx-numerics";
import { shown } from "./checks";
import { encodeJson, keyOf, readMetadata } from "./metadata";
import { setAttribute, writable, type Source } from "./source";

const UNFINISHED = "nx_numerics_unfinished";
const PROGRESS = ["nx_numerics_progress_0", "nx_numerics_progress_1"] as const;
/** Milliseconds between two lists. */
const BETWEEN = 1000;

/** A run that has not come to its end. */
export interface UnfinishedRun {
  /** What the user calls it; null where nothing was said. */
  readonly id: string | null;
  /** Another one for each run. */
  readonly run: string;
}

interface Progress {
  readonly run: string;
  readonly at: number;
  /** Numbers of chunks, as ranges with their ends. */
  readonly done: readonly (readonly [first: number, end: number])[];
}

/** The run that an attribute tells of. */
export function unfinishedIn(attributes: Readonly<Record<string, unknown>>): UnfinishedRun | null {
  const found = attributes[UNFINISHED] as Partial<UnfinishedRun> | undefined;
  if (found === undefined || found === null) return null;
  return Object.freeze({ id: typeof found.id === "string" ? found.id : null, run: String(found.run) });
}

async function readProgress(source: Source, run: string): Promise<Progress | null> {
  let latest: Progress | null = null;
  for (const name of PROGRESS) {
    try {
      const bytes = await source.store.get(keyOf(source.path, name));
      const found = JSON.parse(new TextDecoder().decode(bytes)) as Progress;
      if (found.run === run && found.at > (latest?.at ?? -1)) latest = found;
    } catch {
      // it is not there, or was half written
    }
  }
  return latest;
}

/** A run that writes the chunks of an array. */
export class Run {
  readonly #source: Source;
  readonly #fn: string;
  readonly #run: string;
  readonly #done: Uint8Array;
  #at: number;
  #last = Date.now();
  #writing: Promise<void> | null = null;

  private constructor(fn: string, source: Source, run: string, chunks: number, progress: Progress | null) {
    this.#fn = fn;
    this.#source = source;
    this.#run = run;
    this.#done = new Uint8Array(chunks);
    this.#at = progress?.at ?? 0;
    for (const [first, end] of progress?.done ?? []) this.#done.fill(1, first, end);
  }

  /** Marks the array as unfinished, or takes up the run of the same id that is. */
  static async begin(
    fn: string,
    source: Source,
    { chunks, id, restart }: { chunks: number; id: string | null; restart: boolean },
  ): Promise<Run> {
    const before = unfinishedIn((await readMetadata(fn, source.store, source.path)).attributes);
    if (before !== null && before.id !== null && !restart) {
      if (before.id === id) return new Run(fn, source, before.run, chunks, await readProgress(source, before.run));
      throw new ArgumentError(
        `${fn}: the array has an unfinished run ${shown(before.id)}; take it up with { id: ${shown(before.id)} }, ` +
          `or begin anew with { restart: true }`,
      );
    }
    const run = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
    await setAttribute(fn, source, UNFINISHED, { id, run });
    return new Run(fn, source, run, chunks, null);
  }

  isDone(chunk: number): boolean {
    return this.#done[chunk] === 1;
  }

  /** Notes that a chunk has been written. */
  async did(chunk: number): Promise<void> {
    this.#done[chunk] = 1;
    if (this.#writing === null && Date.now() - this.#last >= BETWEEN) await this.#write();
  }

  /** Notes what has been done, when the run has failed; a store that fails is what may have ended it. */
  async fail(): Promise<void> {
    await this.#writing?.catch(() => undefined);
    await this.#write().catch(() => undefined);
  }

  /** Takes the mark away, and then the lists, which nothing refers to any more. */
  async finish(): Promise<void> {
    await this.#writing;
    await setAttribute(this.#fn, this.#source, UNFINISHED);
    const store = writable(this.#fn, this.#source.store);
    for (const name of PROGRESS) {
      const key = keyOf(this.#source.path, name);
      if ((await store.get(key)) === undefined) continue;
      if (typeof store.delete === "function") await store.delete(key);
      else await store.set(key, encodeJson({}));
    }
  }

  async #write(): Promise<void> {
    const at = ++this.#at;
    const progress: Progress = { run: this.#run, at, done: rangesOf(this.#done) };
    const store = writable(this.#fn, this.#source.store);
    this.#writing = Promise.resolve(store.set(keyOf(this.#source.path, PROGRESS[at % 2]!), encodeJson(progress))).then(
      () => undefined,
    );
    try {
      await this.#writing;
    } finally {
      this.#writing = null;
      this.#last = Date.now();
    }
  }
}

function rangesOf(done: Uint8Array): [number, number][] {
  const ranges: [number, number][] = [];
  for (let first = done.indexOf(1); first >= 0; first = done.indexOf(1, ranges.at(-1)![1])) {
    const end = done.indexOf(0, first);
    ranges.push([first, end < 0 ? done.length : end]);
  }
  return ranges;
}
