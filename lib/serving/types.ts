/**
 * The types of a serving's face: its options, what goes in and what comes out.
 */
import type { Batch } from "../batch";
import type { CustomContainer } from "../container";
import type { Operand, Tensor } from "../tensor";

/** Containers whose parts the compiler does not look into: those of Immutable, told by a method, and objects of classes. */
export type Whole = { toSeq(): unknown } | CustomContainer;

/** What entries of a batch are made of: a tensor or number for each tensor of the batch, without the axis of the entries. */
export type Entry<B> = B extends Tensor
  ? Operand
  : B extends Whole
    ? B
    : B extends readonly unknown[] | Readonly<Record<string, unknown>>
      ? { readonly [K in keyof B]: Entry<B[K]> }
      : B;

/** What the work on a request begins with: one entry, or a batch of several. */
export type Prepared<B> = Entry<B> | Batch;

/** The part of a result that belongs to one request. */
export type Result<R> = R extends Tensor
  ? Tensor
  : R extends Whole
    ? R
    : R extends readonly unknown[] | Readonly<Record<string, unknown>>
      ? { readonly [K in keyof R]: Result<R[K]> }
      : R;

/** Options of `Nx.Serving.create`. */
export interface ServingOptions<B, R, Input = Prepared<B>, Output = Result<Awaited<R>>, K extends string = string> {
  /** Entries of a batch at most; as many are computed at once as soon as they are there. */
  readonly batchSize: number;
  /** Milliseconds an entry waits at most for others to fill the batch; 100 by default. */
  readonly batchTimeout?: number;
  /** Keys of batches. Requests of one key are batched together, and the function is given the key as its second argument. */
  readonly batchKeys?: readonly K[];
  /** Whether a batch that is not full is filled with zeros, so that the function sees one shape only; false by default. */
  readonly pad?: boolean;
  /** Whether the function is traced (`Nx.Defn.jit`), which is the default, or called as it is; it may be async then. */
  readonly jit?: boolean;
  /** An entry or template of one: entries of another structure, type or shape are refused. Anything goes when left out. */
  readonly template?: unknown;
  /** Requests that wait at most, those being prepared included; no limit by default. */
  readonly maxQueue?: number;
  /** What happens to requests beyond `maxQueue`: `"refuse"` (default) raises a ServingError, `"wait"` keeps them until there is room. */
  readonly overflow?: "refuse" | "wait";
  /** Makes the entry, or a batch of entries, of what `run` is given. */
  readonly preprocess?: (input: Input) => Prepared<B> | PromiseLike<Prepared<B>>;
  /** Makes what `run` returns of the result for its entries. */
  readonly postprocess?: (result: Result<Awaited<R>>, input: Input) => Output | PromiseLike<Output>;
}

/** What a serving needs of an `AbortSignal`. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** Options of a request. */
export interface RunOptions<K extends string = string> {
  /** Which of the `batchKeys` the request belongs to; needed where there are several. */
  readonly key?: K;
  /** Ends the request when it is aborted; the error is the reason of the signal. */
  readonly signal?: Signal;
}

/** Options of `close`. */
export interface CloseOptions {
  /** Whether requests that wait are still computed (`"finish"`, the default) or raise a ServingError (`"reject"`). */
  readonly waiting?: "finish" | "reject";
}

/** What a serving has done so far, and is doing. */
export interface ServingStats {
  /** Requests that wait for their batch to begin. */
  readonly waiting: number;
  /** Requests whose batch has begun and that have no answer yet. */
  readonly running: number;
  /** Requests that were answered. */
  readonly completed: number;
  /** Requests that ended with an error. */
  readonly failed: number;
  /** Requests that ended because their signal was aborted. */
  readonly aborted: number;
  /** Requests that were not taken: the queue was full, or the serving closed. */
  readonly refused: number;
  /** Calls of the function, including failed calls and `retries`. */
  readonly batches: number;
  /** Calls for a single request after the batch it was in had failed. */
  readonly retries: number;
  /** How many calls there were for each number of entries, padding not counted. */
  readonly sizes: Readonly<Record<number, number>>;
}
