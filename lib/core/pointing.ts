/**
 * Messages that point into a text which a user wrote: a pattern, a formula.
 */

/** The line of a text in which something stands, and a mark below it. */
export function pointedAt(text: string, at: number, length = 1): string {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  const next = text.indexOf("\n", at);
  const line = text.slice(start, next < 0 ? text.length : next);
  const marks = "^".repeat(Math.max(1, Math.min(length, start + line.length - at)));
  const number = text.includes("\n") ? `line ${text.slice(0, start).split("\n").length}: ` : "";
  return `\n  ${number}${line}\n  ${" ".repeat(number.length + at - start)}${marks}`;
}
