/**
 * Work on many pieces, a few at a time: in order, or as they come. What is under way when something fails or is aborted is told to stop,
 * each piece by a signal of its own, since hosts warn of signals with many listeners.
 */

/** Rejects with the reason of a signal as soon as that is aborted, whatever the promise does. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** What is under way. */
class UnderWay {
  readonly #controllers = new Set<AbortController>();
  readonly #signal: AbortSignal | undefined;
  readonly #follow = (): void => this.stop(this.#signal?.reason);
  /** Whether it was told to stop, and why. */
  stopped: { readonly reason: unknown } | null = null;

  constructor(signal: AbortSignal | undefined) {
    signal?.throwIfAborted();
    this.#signal = signal;
    signal?.addEventListener("abort", this.#follow, { once: true });
  }

  async run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    this.#controllers.add(controller);
    try {
      return await work(controller.signal);
    } finally {
      this.#controllers.delete(controller);
    }
  }

  stop(reason: unknown): void {
    this.stopped ??= { reason };
    for (const controller of this.#controllers) controller.abort(reason);
  }

  /** Follows the signal no longer. */
  end(): void {
    this.#signal?.removeEventListener("abort", this.#follow);
  }
}

const ignore = (): void => undefined;

interface Host {
  setImmediate?(then: () => void): unknown;
}

/** Lets the host do what waits: what was read goes on to be read, though a program computes from one result to the next. */
export function turn(): Promise<void> | undefined {
  const host = globalThis as Host;
  return host.setImmediate && new Promise((resolve) => host.setImmediate!(resolve));
}

/**
 * The results of `start(0)`, `start(1)`, ... in order; as many as `limit` are begun before they are asked for. Those that nobody asks for
 * in the end are dropped.
 */
export async function* inOrder<T>(
  count: number,
  limit: number,
  signal: AbortSignal | undefined,
  start: (number: number, signal: AbortSignal) => Promise<T>,
  drop: (result: T) => void = ignore,
): AsyncGenerator<T> {
  const underWay = new UnderWay(signal);
  const begun: Promise<T>[] = [];
  let next = 0;
  const fill = (): void => {
    while (next < count && begun.length < limit) {
      const number = next++;
      const promise = underWay.run((stop) => abortable(start(number, stop), stop));
      promise.catch(ignore); // it is asked for later, or never
      begun.push(promise);
    }
  };
  try {
    for (fill(); begun.length > 0;) {
      const result = await begun[0]!;
      void begun.shift();
      fill();
      await turn();
      yield result;
      signal?.throwIfAborted();
    }
  } finally {
    underWay.end();
    underWay.stop(undefined);
    for (const promise of begun) promise.then(drop, ignore);
  }
}

/** Does all pieces, `limit` at a time; rejects with the first failure when all that was begun has come to its end. */
export async function eachOf(
  count: number,
  limit: number,
  signal: AbortSignal | undefined,
  work: (number: number, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const underWay = new UnderWay(signal);
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count && underWay.stopped === null) {
      const number = next++;
      await underWay.run((stop) => work(number, stop)).catch((error: unknown) => underWay.stop(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, count) }, lane));
  underWay.end();
  if (underWay.stopped !== null) throw underWay.stopped.reason;
}
