/**
 * What the bench program and the runners say to each other. A runner is a process that knows one library; both sides
 * write lines of JSON, the runner's marked by a prefix, because libraries print to standard output, too.
 */

/** How an operand is made; every runner makes the same numbers of it. */
export interface InputSpec {
  readonly shape: readonly number[];
  readonly seed: number;
  readonly low: number;
  readonly high: number;
  /** One 1 in each row, the rest 0, in place of uniform numbers. */
  readonly oneHot?: true;
}

export type InputSpecs = Readonly<Record<string, InputSpec>>;

export type Request =
  | { readonly do: "prepare"; readonly run: string; readonly inputs: InputSpecs }
  | { readonly do: "warm"; readonly milliseconds: number }
  | { readonly do: "time"; readonly repeats: number }
  | { readonly do: "sample" }
  | { readonly do: "memory" }
  | { readonly do: "calls" }
  | { readonly do: "drop" }
  | { readonly do: "exit" };

/** The first line of a runner. */
export interface Hello {
  readonly peer: string;
  readonly version: string;
  readonly runtime: string;
  readonly threads: string;
  /** Names of what it can run. */
  readonly runs: readonly string[];
  /** Whether it traces or compiles functions, so that `calls` has an answer. */
  readonly compiles: boolean;
}

/** Microseconds a call: over all calls of a turn, and the least of its parts. */
export interface Timed {
  readonly microseconds: number;
  readonly least: number;
}

/** Elements of a result at places spread evenly over it, and sums over all of it. */
export interface Sample {
  readonly length: number;
  readonly sum: number;
  readonly magnitude: number;
  readonly values: readonly number[];
}

/** Bytes held by the process now, and at most since it was last asked (since it began, where the system cannot tell). */
export interface Memory {
  readonly resident: number;
  readonly peak: number;
}

/** Microseconds for what happens around a call of a function of ten operations on eight numbers. */
export interface CallCosts {
  /** The very first call of the process. */
  readonly first: number;
  /** The first call of another function, with other operations. */
  readonly fresh: number;
  /** The first call of a new function with the operations of a known one. */
  readonly again: number;
  /** The first call of a known function with operands of a new shape. */
  readonly shape: number;
  /** Tracing alone. */
  readonly trace: number;
  /** A call with everything known. */
  readonly hit: number;
}

export const PREFIX = "@bench ";
/** Stands for NaN and infinities, which JSON has not: no right result of a work is near it. */
export const NOT_FINITE = 1e300;

export const SAMPLES = 1024;
/** Parts of a turn at most, of equally many calls, each of which is timed by itself. */
export const PARTS = 50;
