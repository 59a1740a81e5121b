/**
 * How a failing example is told: where it stands in the original file, its source line, what was expected and received.
 * Knows blocks as text; nothing of TypeScript or of running.
 */

import type { Source } from "./syntax";
import type { Block } from "./types";

/** What went wrong with an example. */
export type FailureKind =
  | "type" // the compiler rejects it
  | "value" // another value than the comment says
  | "throws" // no error, or another one than the comment says
  | "prints" // other output than the comment says
  | "error" // an error nobody expected
  | "form"; // the example is not written as an example has to be

/** A place in the original file; line and column count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** An example that fails, told in terms of the file it stands in. */
export class DoctestError extends Error {
  override readonly name = "DoctestError";
  /** What went wrong. */
  readonly kind: FailureKind;
  /** The file, relative to the root. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Vitest shows these frames as they are; from `stack` alone it would map the line as if it were compiled code. */
  readonly stacks: readonly { method: string; file: string; line: number; column: number }[];

  constructor(kind: FailureKind, block: Block, place: Place, text: string, options?: { cause?: unknown }) {
    super(`${block.file}:${place.line}:${place.column} ${text}`, options);
    this.kind = kind;
    this.file = block.file;
    this.line = place.line;
    this.column = place.column;
    this.stacks = [{ method: block.symbol ?? "", file: block.path, line: place.line, column: place.column }];
    const at = `${block.path}:${place.line}:${place.column}`;
    this.stack = `DoctestError: ${this.message}\n    at ${block.symbol === null ? at : `${block.symbol} (${at})`}`;
  }
}

/** Where an offset into a block's code stands in the original file. */
export function placeOf(block: Block, offset: number): Place {
  const before = block.code.slice(0, offset).split("\n");
  return placeAt(block, before.length - 1, before[before.length - 1]!.length);
}

/** Where a line and column of a block's code (both from 0) stand in the original file. */
export const placeAt = (block: Block, line: number, column: number): Place => ({
  line: block.line + 1 + line,
  column: (block.columns[line] ?? 0) + column + 1,
});

/** The source line of a place, as an indented line of a message. */
export function sourceLine(block: Block, place: Place): string {
  const text = block.code.split("\n")[place.line - block.line - 1] ?? "";
  return `\n  ${place.line} | ${text}`;
}

/** A failure at a place of a block, with its source line under the text. */
export function failAt(
  kind: FailureKind,
  block: Block,
  place: Place,
  text: string,
  more: { details?: string; cause?: unknown } = {},
): DoctestError {
  const [first, ...rest] = text.split("\n");
  const body = [first + sourceLine(block, place), ...rest, ...(more.details === undefined ? [] : [more.details])];
  return new DoctestError(kind, block, place, body.join("\n"), "cause" in more ? { cause: more.cause } : {});
}

/** The failure of a block that is no syntax; null for one that is. */
export function syntaxError(block: Block, { errors: [first] }: Pick<Source, "errors">): DoctestError | null {
  if (first === undefined) return null;
  return failAt("type", block, placeOf(block, first.offset), `SyntaxError: ${first.text}`);
}

/** Expected against received text: one under the other, or line by line where either has several. */
export function difference(expected: string, received: string): string {
  if (!expected.includes("\n") && !received.includes("\n")) return `expected: ${expected}\nreceived: ${received}`;
  return ["- expected", "+ received", "", ...lineDiff(expected.split("\n"), received.split("\n"))].join("\n");
}

/** A longest-common-subsequence diff; texts in examples are short, so the quadratic table is fine. */
function lineDiff(left: readonly string[], right: readonly string[]): string[] {
  const common = commonLengths(left, right);
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && left[i] === right[j])
      [lines[lines.length], i, j] = [`  ${left[i]}`, i + 1, j + 1];
    else if (j >= right.length || (i < left.length && common[i + 1]![j]! >= common[i]![j + 1]!))
      lines.push(`- ${left[i++]}`);
    else lines.push(`+ ${right[j++]}`);
  }
  return lines;
}

/** `table[i][j]`: how many lines the longest common subsequence of `left` from `i` and `right` from `j` has. */
function commonLengths(left: readonly string[], right: readonly string[]): number[][] {
  const table = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      const row = table[i]!;
      row[j] = left[i] === right[j] ? table[i + 1]![j + 1]! + 1 : Math.max(table[i + 1]![j]!, row[j + 1]!);
    }
  }
  return table;
}
