/**
 * Blocks on other threads. A worker opens the array for itself, reads the blocks it is told to and posts what it computes of them, so
 * decompression and arithmetic are both spread; this thread joins, or writes.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Tensor } from "nx-numerics";
import { readBlock, released } from "./blocks";
import type { Box } from "./boxes";
import { arrayText, shown } from "./checks";
import { partsOf, type Reduction } from "./partials";
import type { Source } from "./source";
import { abortable } from "./stream";

/** A thread: a `Worker` of a browser, or of `node:worker_threads`. Its module calls {@link serveBlocks}. */
export interface BlockWorker {
  postMessage(message: unknown): void;
  addEventListener?(event: string, listener: (event: unknown) => void): unknown;
  removeEventListener?(event: string, listener: (event: unknown) => void): unknown;
  on?(event: string, listener: (value: unknown) => void): unknown;
  off?(event: string, listener: (value: unknown) => void): unknown;
}

/** What is to be computed: a function of the worker's module, or part of a reduction. */
export type WorkerJob = { readonly name: string } | { readonly reduction: Reduction };

/** What is posted to a worker. */
interface Request {
  readonly nxBlocks: "request";
  readonly id: number;
  readonly job: WorkerJob;
  readonly box: Box;
  /** The array as this thread sees it, which has to be the one that the worker opened. */
  readonly array: string;
}

/** What a worker posts. */
interface Answer {
  readonly nxBlocks: "answer";
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

interface Waiting {
  readonly worker: BlockWorker;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

let lastId = 0;

const isOf = <M extends { nxBlocks: string }>(kind: M["nxBlocks"], message: unknown): message is M =>
  (message as Partial<M> | null)?.nxBlocks === kind;

/** Hands boxes to workers, each to the one that has least to do. */
export class WorkerPool {
  readonly #fn: string;
  readonly #array: string;
  readonly #waiting = new Map<number, Waiting>();
  readonly #load = new Map<BlockWorker, number>();
  readonly #endings: (() => void)[] = [];

  constructor(fn: string, source: Source, workers: readonly BlockWorker[]) {
    this.#fn = fn;
    this.#array = arrayText(source);
    for (const worker of workers) {
      this.#load.set(worker, 0);
      this.#listen(worker, "message", (message) => this.#answered(message));
      this.#listen(worker, "error", (error) => this.#failed(worker, error));
      this.#listen(worker, "exit", () => this.#failed(worker, new Error("it ended")));
    }
  }

  run(job: WorkerJob, box: Box, stop: AbortSignal): Promise<unknown> {
    const [worker] = [...this.#load].reduce((a, b) => (b[1] < a[1] ? b : a));
    const id = ++lastId;
    this.#load.set(worker, this.#load.get(worker)! + 1);
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { worker, resolve, reject });
      worker.postMessage({ nxBlocks: "request", id, job, box, array: this.#array } satisfies Request);
    });
    return abortable(answer, stop); // the worker's answer comes all the same, and says that it is free
  }

  /** Stops listening; the workers are whose who made them. */
  end(): void {
    for (const end of this.#endings) end();
  }

  /** Events of Node's workers are values, those of browsers have them as `data` or `message`. */
  #listen(worker: BlockWorker, event: string, listener: (value: unknown) => void): void {
    if (worker.on !== undefined) {
      worker.on(event, listener);
      this.#endings.push(() => worker.off?.(event, listener));
      return;
    }
    const unwrap = (given: unknown): void => {
      const { data, message } = given as { data?: unknown; message?: unknown };
      listener(data ?? message ?? given);
    };
    worker.addEventListener?.(event, unwrap);
    this.#endings.push(() => worker.removeEventListener?.(event, unwrap));
  }

  #take(id: number): Waiting | undefined {
    const found = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (found !== undefined) this.#load.set(found.worker, this.#load.get(found.worker)! - 1);
    return found;
  }

  #answered(message: unknown): void {
    if (!isOf<Answer>("answer", message)) return;
    const waiting = this.#take(message.id);
    if (waiting === undefined) return; // the run is over
    if (message.error === undefined) waiting.resolve(Nx.fromMessage(message.result));
    else waiting.reject(new ArgumentError(`${this.#fn}: a worker failed: ${message.error}`));
  }

  #failed(worker: BlockWorker, cause: unknown): void {
    for (const [id, waiting] of [...this.#waiting]) {
      if (waiting.worker !== worker) continue;
      const reason = cause instanceof Error ? cause.message : String(cause);
      this.#take(id)!.reject(new ArgumentError(`${this.#fn}: a worker failed: ${reason}`, { cause }));
    }
  }
}

/** What a worker's module hands to whoever asks: itself in browsers, the parent's port in Node. */
interface Port {
  listen(listener: (message: unknown) => void): void;
  post(message: unknown, transfer: ArrayBuffer[]): void;
}

interface ParentPort {
  on(event: "message", listener: (message: unknown) => void): void;
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
}

interface Scope {
  readonly process?: { getBuiltinModule?(id: string): unknown };
  readonly WorkerGlobalScope?: unknown;
  addEventListener?(event: "message", listener: (event: { data: unknown }) => void): void;
  postMessage?(message: unknown, transfer: ArrayBuffer[]): void;
}

function portOfThisThread(): Port {
  const scope = globalThis as unknown as Scope;
  const threads = scope.process?.getBuiltinModule?.("node:worker_threads") as
    | { parentPort: ParentPort | null }
    | undefined;
  const parent = threads?.parentPort;
  if (parent) return { listen: (listener) => parent.on("message", listener), post: (m, t) => parent.postMessage(m, t) };
  if (scope.WorkerGlobalScope !== undefined && scope.addEventListener && scope.postMessage) {
    return {
      listen: (listener) => scope.addEventListener!("message", ({ data }) => listener(data)),
      post: (message, transfer) => scope.postMessage!(message, transfer),
    };
  }
  throw new ArgumentError("serveBlocks is called in the module of a worker, not on the main thread");
}

type BlockFunction = (block: Tensor) => unknown;

/** What {@link serveBlocks} is given opens: a {@link ZarrArray}, by its source. */
export function answerBlocks(open: () => Promise<Source>, functions: Readonly<Record<string, BlockFunction>>): void {
  const port = portOfThisThread();
  const compiled = new Map<string, BlockFunction>();
  let opened: Promise<Source> | undefined;
  const functionOf = (job: WorkerJob): BlockFunction => {
    if ("name" in job) return functionNamed(functions, job.name);
    const key = JSON.stringify(job.reduction);
    const known = compiled.get(key) ?? partsOf(job.reduction).each;
    compiled.set(key, known);
    return known;
  };
  const answer = async ({ job, box, array }: Request): Promise<[result: unknown, transfer: ArrayBuffer[]]> => {
    const each = functionOf(job);
    const source = await (opened ??= open());
    const own = arrayText(source);
    if (own !== array) throw new ArgumentError(`the worker opened ${own}, the run is over ${array}`);
    const block = await readBlock(source, box);
    return released(() => Nx.toMessage(each(block.tensor())));
  };
  port.listen((message) => {
    if (!isOf<Request>("request", message)) return;
    const { id } = message;
    answer(message).then(
      ([result, transfer]) => port.post({ nxBlocks: "answer", id, result } satisfies Answer, transfer),
      (error: unknown) =>
        port.post(
          { nxBlocks: "answer", id, error: error instanceof Error ? error.message : String(error) } satisfies Answer,
          [],
        ),
    );
  });
}

function functionNamed(functions: Readonly<Record<string, BlockFunction>>, name: string): BlockFunction {
  const found = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (found !== undefined) return found;
  const known = Object.keys(functions).map(shown).join(", ");
  throw new ArgumentError(
    `the worker has no function ${shown(name)}; serveBlocks was given ${known === "" ? "none" : known}`,
  );
}
