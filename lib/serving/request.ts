/**
 * A call of `run`: its phase and its end. Knows nothing of queues and of other requests.
 */
import type { Signal } from "./types";

/** How far a request has come: without a place in the queue, with one, in a batch that has begun (or after it), at its end. */
type Phase = "held" | "waiting" | "running" | "over";

interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

function deferred<T>(): Deferred<T> {
  let [resolve, reject]: [Deferred<T>["resolve"], Deferred<T>["reject"]] = [() => undefined, () => undefined];
  const promise = new Promise<T>((onValue, onError) => {
    [resolve, reject] = [onValue, onError];
  });
  promise.catch(() => undefined); // it is not always waited for
  return { promise, resolve, reject };
}

/** A call of `run`. */
export class Request {
  readonly key: string;
  phase: Phase = "held";
  /** The queue in which entries of the request wait. */
  queue: string | null = null;
  isAborted = false;
  readonly #admitted = deferred<void>();
  readonly #result = deferred<unknown>();
  readonly #failure = deferred<never>();
  readonly #signal: Signal | null;
  #onAbort: () => void = () => undefined;

  constructor(key: string, signal: Signal | null) {
    this.key = key;
    this.#signal = signal;
  }

  /** Calls back when the signal is aborted, until the request is released. */
  watch(onAbort: (reason: unknown) => void): void {
    this.#onAbort = () => {
      this.isAborted = true;
      onAbort(this.#signal?.reason);
    };
    this.#signal?.addEventListener("abort", this.#onAbort);
  }

  release(): void {
    this.#signal?.removeEventListener("abort", this.#onAbort);
  }

  /** Gives the request its place. */
  admit(): void {
    this.phase = "waiting";
    this.#admitted.resolve();
  }

  answer(result: unknown): void {
    this.#result.resolve(result);
  }

  fail(error: unknown): void {
    this.#failure.reject(error);
  }

  /** Resolves when the request has its place. */
  get admitted(): Promise<void> {
    return this.orFailure(this.#admitted.promise);
  }

  /** Resolves with what was computed. */
  get result(): Promise<unknown> {
    return this.orFailure(this.#result.promise);
  }

  /** What a piece of work gives, or what ends the request before. */
  orFailure<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#failure.promise]);
  }
}
