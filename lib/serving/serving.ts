/**
 * `Serving`: takes requests, queues them, runs batch after batch and hands each request its part of the result. An error goes to
 * the requests that caused it.
 */
import { runWithDefault } from "../backends/default";
import { brandOf } from "../core/copies";
import type { AsyncDisposing } from "../core/disposing";
import { ServingError } from "../core/errors";
import { checkOptions, wordOption } from "../core/options";
import { cutResult, joinEntries, joinResult, readEntries, signatureOf } from "./entries";
import { Queues, type Portion } from "./queues";
import { Request } from "./request";
import { readRunOptions, readSettings, type Settings } from "./settings";
import type { CloseOptions, Prepared, Result, RunOptions, ServingOptions, ServingStats } from "./types";

type Counts = { -readonly [K in Exclude<keyof ServingStats, "waiting" | "running" | "sizes">]: number };

const ZERO: Counts = { completed: 0, failed: 0, aborted: 0, refused: 0, batches: 0, retries: 0 };

/** What a request has got of its result, and how much is missing. */
interface Answer {
  readonly parts: unknown[];
  readonly single: boolean;
  missing: number;
}

const brand = brandOf("a serving");

/* oxlint-disable typescript/no-unsafe-declaration-merging, typescript/no-empty-object-type, no-unused-vars --
   programs whose libraries lack the symbol of AsyncDisposing get the class without its method */
export interface Serving<Input, Output, K extends string = string> extends AsyncDisposing {}

/** A function that answers concurrent requests in batches; made by {@link create}. */
export class Serving<Input, Output, K extends string = string> {
  /* oxlint-enable typescript/no-unsafe-declaration-merging, typescript/no-empty-object-type, no-unused-vars */
  readonly #settings: Settings;
  readonly #queues: Queues;
  /** Requests that were taken and are not over. */
  readonly #requests = new Set<Request>();
  /** Requests without a place in the queue, in order. */
  readonly #held = new Set<Request>();
  readonly #answers = new Map<Request, Answer>();
  readonly #counts: Counts = { ...ZERO };
  readonly #sizes: Record<number, number> = {};
  readonly #onEmpty: (() => void)[] = [];
  #waiting = 0;
  #isBusy = false;
  #isClosed = false;

  /** @internal */
  constructor(settings: Settings) {
    this.#settings = settings;
    this.#queues = new Queues(settings.batchSize, settings.batchTimeout, () => void this.#work());
  }

  get [Symbol.for("nx-numerics")](): unknown {
    return brand;
  }

  /**
   * Answers one request. It may share its batch with others of the same key whose entries have the same structure, types, shapes
   * and names, and gets what the function gives for its entries alone.
   *
   * @param input - what `preprocess` takes; without it an entry (a tensor, a number or a container of them) or a batch
   * @param options - `key`: one of the `batchKeys`; `signal`: an AbortSignal
   * @returns what `postprocess` makes of the result; without it tensors as the function returns, for one entry without their
   *   first axis, for a batch with an axis for its entries
   * @throws ServingError when the queue is full or the serving closed; the reason of the signal when it is aborted; what
   *   `preprocess`, the function or `postprocess` raises for this request; ArgumentError for an entry that does not fit
   * @example
   * ```ts
   * const norms = Nx.Serving.create((rows: Nx.Tensor) => Nx.LinAlg.norm(rows, { axes: [-1] }), { batchSize: 8, batchTimeout: 1 });
   * await norms.run(Nx.f32([3, 4]));
   * // => #Nx.Tensor<
   * //   f32
   * //   5.0
   * // >
   * await norms.run(Nx.Batch.stack([Nx.f32([3, 4], { names: ["x"] }), Nx.f32([6, 8], { names: ["x"] })]));
   * // => #Nx.Tensor<
   * //   f32[2]
   * //   [5.0, 10.0]
   * // >
   * await norms.run("3, 4" as never);
   * // throws ArgumentError: Nx.Serving.run expects a tensor or a number
   * ```
   * @example
   * ```ts
   * const double = Nx.Serving.create((rows: Nx.Tensor) => rows.multiply(2), { batchSize: 8 });
   * await double.run(1, { signal: AbortSignal.abort(new Error("the client has gone")) });
   * // throws Error: the client has gone
   * ```
   */
  async run(input: Input, options?: RunOptions<K>): Promise<Output> {
    const request = this.#accept(options);
    try {
      const output = await this.#serve(request, input);
      this.#counts.completed++;
      return output as Output;
    } catch (error) {
      this.#counts[request.isAborted ? "aborted" : "failed"]++;
      throw error;
    } finally {
      this.#forget(request);
    }
  }

  /**
   * Takes no more requests and waits for those there are.
   *
   * @param options - `waiting`: `"finish"` (default) computes what waits at once, `"reject"` ends it with a ServingError
   * @returns when every request is over; batches that have begun are never broken off
   * @throws ArgumentError for wrong options
   * @example
   * ```ts
   * const double = Nx.Serving.create((rows: Nx.Tensor) => rows.multiply(2), { batchSize: 8, batchTimeout: 60_000 });
   * const answer = double.run(Nx.tensor(21, { names: [] }));
   * await double.close();
   * await answer;
   * // => #Nx.Tensor<
   * //   s64
   * //   42
   * // >
   * await double.run(1);
   * // throws ServingError: the serving is closed and takes no more requests
   * ```
   */
  async close(options?: CloseOptions): Promise<void> {
    const fn = "Nx.Serving.close";
    checkOptions(fn, options, ["waiting"]);
    const waiting = wordOption(fn, "waiting", options?.waiting, ["finish", "reject"], "finish");
    this.#isClosed = true;
    if (waiting === "reject") this.#rejectWaiting();
    this.#queues.flush();
    void this.#work();
    if (this.#requests.size > 0) await new Promise<void>((resolve) => this.#onEmpty.push(resolve));
  }

  /**
   * Closes at the end of an `await using` block, as `close()` does.
   *
   * @internal
   */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /**
   * Counts of requests and batches.
   *
   * @returns a snapshot
   * @example
   * ```ts
   * const double = Nx.Serving.create((rows: Nx.Tensor) => rows.multiply(2), { batchSize: 2, batchTimeout: 1 });
   * await Promise.all([1, 2, 3].map((x) => double.run(x)));
   * const { completed, batches, sizes } = double.stats();
   * [completed, batches, sizes];
   * // => [3, 2, { "1": 1, "2": 1 }]
   * ```
   */
  stats(): ServingStats {
    const waiting = this.#waiting + this.#held.size;
    return { waiting, running: this.#requests.size - waiting, ...this.#counts, sizes: { ...this.#sizes } };
  }

  /** What waits and runs, as text. */
  toString(): string {
    const { waiting, running } = this.stats();
    return `#Nx.Serving<waiting: ${waiting}, running: ${running}>`;
  }

  /** @internal */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.toString();
  }

  /** Takes a request, or refuses it. */
  #accept(options: unknown): Request {
    const { key, signal } = readRunOptions(options, this.#settings);
    if (signal?.aborted) {
      this.#counts.aborted++;
      throw signal.reason;
    }
    this.#refuse();
    const request = new Request(key, signal);
    request.watch((reason) => this.#fail(request, reason));
    this.#requests.add(request);
    this.#held.add(request);
    this.#admit();
    return request;
  }

  #refuse(): void {
    const { maxQueue, overflow } = this.#settings;
    const isFull = this.#waiting >= maxQueue && overflow === "refuse";
    if (!this.#isClosed && !isFull) return;
    this.#counts.refused++;
    if (this.#isClosed) throw closedError();
    throw new ServingError(
      `the queue of the serving is full: ${this.#waiting} requests wait, which is its maxQueue; try again later`,
      "full",
    );
  }

  /** Gives places to the requests that have been held longest. */
  #admit(): void {
    for (const request of this.#held) {
      if (this.#waiting >= this.#settings.maxQueue) return;
      this.#held.delete(request);
      this.#waiting++;
      request.admit();
    }
  }

  /** The way of a request from its input to its output. */
  async #serve(request: Request, input: unknown): Promise<unknown> {
    const { preprocess, postprocess } = this.#settings;
    await request.admitted;
    this.#enqueue(request, await request.orFailure(later(() => preprocess(input))));
    const result = await request.result;
    return request.orFailure(later(() => postprocess(result, input)));
  }

  #enqueue(request: Request, prepared: unknown): void {
    if (request.phase === "over") return;
    const { batch, single } = readEntries(prepared, this.#settings.template);
    this.#answers.set(request, { parts: [], single, missing: batch.size });
    this.#queues.add(JSON.stringify([request.key, signatureOf(batch.template)]), request, batch);
    void this.#work();
  }

  /** Runs batches as long as some are ready, never two at once. */
  async #work(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      for (let batch = this.#queues.next(); batch; batch = this.#queues.next()) await this.#runBatch(batch);
    } finally {
      this.#isBusy = false;
    }
  }

  async #runBatch(portions: readonly Portion[]): Promise<void> {
    portions.forEach(({ request }) => this.#begin(request));
    let computed: { readonly result: unknown; readonly size: number };
    try {
      computed = await this.#compute(portions);
    } catch (error) {
      return this.#blame(portions, error);
    }
    this.#handOut(portions, computed.result, computed.size);
  }

  /** The result of the function, and how many entries it was given. */
  async #compute(portions: readonly Portion[]): Promise<{ readonly result: unknown; readonly size: number }> {
    const { compute, batchSize, pad, backend } = this.#settings;
    const size = portions.reduce((sum, { batch }) => sum + batch.size, 0);
    this.#counts.batches++;
    this.#sizes[size] = (this.#sizes[size] ?? 0) + 1;
    const padded = pad ? batchSize : size;
    const result = await runWithDefault(backend, () => {
      const entries = joinEntries(
        portions.map(({ batch }) => batch),
        padded,
      );
      return compute(entries, portions[0]!.request.key);
    });
    return { result, size: padded };
  }

  /** The requests of a batch that failed are computed alone, so that the error reaches those it belongs to. */
  async #blame(portions: readonly Portion[], error: unknown): Promise<void> {
    if (portions.length === 1) return this.#fail(portions[0]!.request, error);
    for (const portion of portions) {
      if (portion.request.phase === "over") continue;
      this.#counts.retries++;
      await this.#runBatch([portion]);
    }
  }

  #handOut(portions: readonly Portion[], result: unknown, size: number): void {
    const counts = portions.map(({ batch }) => batch.size);
    const all = portions.map(({ request }) => request);
    const parts = this.#orFail(all, () => cutResult(result, size, counts));
    portions.forEach(({ request }, i) => parts && this.#give(request, parts[i], counts[i]!));
  }

  #give(request: Request, part: unknown, count: number): void {
    const answer = this.#answers.get(request);
    if (!answer) return;
    answer.parts.push(part);
    answer.missing -= count;
    if (answer.missing > 0) return;
    const whole = this.#orFail([request], () => [joinResult(answer.parts, answer.single)]);
    if (whole) request.answer(whole[0]);
  }

  /** The result of some work, or null where the work raised an error, which these requests receive. */
  #orFail(requests: readonly Request[], work: () => unknown[]): unknown[] | null {
    try {
      return runWithDefault(this.#settings.backend, work);
    } catch (error) {
      requests.forEach((request) => this.#fail(request, error));
      return null;
    }
  }

  /** The first entries of a request are computed: its place is free. */
  #begin(request: Request): void {
    if (request.phase !== "waiting") return;
    request.phase = "running";
    this.#waiting--;
    this.#admit();
  }

  #fail(request: Request, error: unknown): void {
    request.fail(error);
    this.#withdraw(request);
  }

  /** Takes a request out of wherever it waits. */
  #withdraw(request: Request): void {
    const { phase } = request;
    request.phase = "over";
    this.#held.delete(request);
    this.#answers.delete(request);
    this.#queues.remove(request);
    if (phase !== "waiting") return;
    this.#waiting--;
    this.#admit();
  }

  #forget(request: Request): void {
    this.#withdraw(request);
    request.release();
    this.#requests.delete(request);
    if (this.#requests.size === 0) this.#onEmpty.splice(0).forEach((resolve) => resolve());
  }

  #rejectWaiting(): void {
    for (const request of this.#requests) {
      if (request.phase !== "running") this.#fail(request, closedError());
    }
  }
}

function closedError(): ServingError {
  return new ServingError("the serving is closed and takes no more requests; make another one", "closed");
}

/** What a function gives or raises, as a promise. */
async function later(work: () => unknown): Promise<unknown> {
  return work();
}

/**
 * Makes a serving of a function: requests that come in at about the same time are computed together, in batches.
 *
 * A batch is computed as soon as it has `batchSize` entries, or when its oldest entry has waited for `batchTimeout`; batches are
 * computed one at a time. The function sees the entries along the first axis and must treat each on its own, as it is traced once
 * for each signature. Requests share a batch only if they have the same key and their entries the same structure, types, shapes
 * and names, so no request changes what another one gets.
 *
 * What `preprocess` or `postprocess` raises reaches its own request only. When the function raises, the requests of the batch
 * are computed one by one, and only those fail that fail alone.
 *
 * @param fn - takes a tensor with the entries along its first axis, or a container of such tensors, and the key where there are
 *   `batchKeys`; returns tensors with a first axis of the same size, in any container
 * @param options - `batchSize` (required); `batchTimeout`, 100 ms by default; `batchKeys`; `pad`; `jit`; `template`; `maxQueue` and
 *   `overflow`; `preprocess` and `postprocess`
 * @returns a serving with `run`, `close` and `stats`
 * @throws ArgumentError for anything but a function, and for wrong options
 * @example
 * ```ts
 * const double = Nx.Serving.create((rows: Nx.Tensor) => rows.multiply(2), { batchSize: 3 });
 * const answers = await Promise.all([1, 2, 3].map((x) => double.run(Nx.tensor([x, 10 * x], { names: ["x"] }))));
 * answers[2];
 * // => #Nx.Tensor<
 * //   s64[x: 2]
 * //   [6, 60]
 * // >
 * double.stats().sizes;
 * // => { "3": 1 }
 * ```
 * @example
 * Keys, preparation and what comes after:
 * ```ts
 * const scale = Nx.Serving.create((rows: Nx.Tensor, key: "double" | "half") => rows.multiply(key === "double" ? 2 : 0.5), {
 *   batchSize: 16,
 *   batchTimeout: 1,
 *   batchKeys: ["double", "half"],
 *   preprocess: (text: string) => Nx.f32(text.split(" ").map(Number)),
 *   postprocess: (result, text) => `${text} -> ${Nx.toList(result)}`,
 * });
 * await Promise.all([scale.run("1 2", { key: "double" }), scale.run("3", { key: "half" })]);
 * // => ["1 2 -> 2,4", "3 -> 1.5"]
 * await scale.run("1 2");
 * // throws ArgumentError: Nx.Serving.run needs the option key where there are several batchKeys: one of "double", "half"
 * ```
 * @example
 * ```ts
 * Nx.Serving.create((rows: Nx.Tensor) => rows, { batchSize: 0 });
 * // throws ArgumentError: option batchSize of Nx.Serving.create must be an integer of at least 1, got: 0
 * ```
 */
export function create<B, R, Input = Prepared<B>, Output = Result<Awaited<R>>, const K extends string = "default">(
  fn: (entries: B, key: K) => R,
  options: ServingOptions<B, R, Input, Output, K>,
): Serving<Input, Output, K> {
  return new Serving(readSettings(fn, options));
}
