/**
 * What the process that measures the cases says, a line of JSON at a time.
 */
import type { Pace } from "../peers/rounds";

export { PREFIX } from "../peers/protocol";

export interface CliffRequest {
  readonly words: readonly string[];
  readonly pace: Pace;
}

/** What was found for a case: times of a call in microseconds, and the ratio of the times of an element. */
export interface CliffLine {
  readonly work: string;
  readonly group: string;
  readonly where: string;
  readonly bound: number;
  readonly ratio: number;
  readonly microseconds: number;
  readonly friendly: number;
}

export type Said = CliffLine | { readonly failed: string } | { readonly runtime: string; readonly threads: string };
