/** Fenced code in Markdown text, be it a file or the inside of a doc comment. Knows nothing of where the text is from. */

/** A line of Markdown and where it stands in the file. */
export interface MarkdownLine {
  readonly text: string;
  /** From 1. */
  readonly line: number;
  /** How many characters of the file's line stand in front of `text`. */
  readonly column: number;
}

/** A fenced block that is an example. */
interface Fence {
  /** The line of the opening fence, from 1. */
  readonly line: number;
  /** The nearest heading above, or `null`. */
  readonly heading: string | null;
  readonly language: "ts" | "js";
  readonly code: string;
  readonly columns: readonly number[];
}

interface Open {
  readonly marker: string;
  readonly indent: number;
  /** Null where the block is no example. */
  readonly language: "ts" | "js" | null;
  readonly line: number;
  readonly heading: string | null;
  readonly lines: string[];
  readonly columns: number[];
}

/** All blocks of TypeScript and JavaScript; further words (`ts no-run`) make a block no example, attributes do not. */
export function findFences(lines: readonly MarkdownLine[]): Fence[] {
  const fences: Fence[] = [];
  let heading: string | null = null;
  let open: Open | null = null;
  for (const line of lines) {
    if (open === null) {
      open = opened(line, heading);
      heading = open === null ? (/^ {0,3}#{1,6}\s+(.*?)\s*#*$/.exec(line.text)?.[1] ?? heading) : heading;
    } else if (closes(open, line.text)) {
      fences.push(...finished(open));
      open = null;
    } else {
      addLine(open, line);
    }
  }
  if (open !== null) fences.push(...finished(open)); // as in Markdown, a fence left open ends with the text
  return fences;
}

function opened({ text, line }: MarkdownLine, heading: string | null): Open | null {
  const match = /^(\s*)(`{3,}|~{3,})\s*([^`]*?)\s*$/.exec(text);
  if (match === null) return null;
  const [, indent, marker, info] = match as unknown as [string, string, string, string];
  return { marker, indent: indent.length, language: languageOf(info), line, heading, lines: [], columns: [] };
}

function closes(open: Open, text: string): boolean {
  const marker = /^\s*(`{3,}|~{3,})\s*$/.exec(text)?.[1];
  return marker !== undefined && marker.startsWith(open.marker);
}

/** The fence's own indentation is not the code's. */
function addLine(open: Open, { text, column }: MarkdownLine): void {
  const cut = Math.min(open.indent, text.length - text.trimStart().length);
  open.lines.push(text.slice(cut));
  open.columns.push(column + cut);
}

const LANGUAGES: Readonly<Record<string, "ts" | "js">> = { ts: "ts", typescript: "ts", js: "js", javascript: "js" };

/** The language of an example by its info string: a word, then at most attributes such as `title="x"` or `{1,3}`. */
function languageOf(info: string): "ts" | "js" | null {
  const [, word, rest] = /^(\w*)(.*)$/.exec(info) as unknown as [string, string, string];
  const isOnlyAttributes = /^(?:\s*(?:\{[^}]*\}|[\w-]+=(?:"[^"]*"|'[^']*'|\S+)))*$/.test(rest);
  return isOnlyAttributes && Object.hasOwn(LANGUAGES, word.toLowerCase()) ? LANGUAGES[word.toLowerCase()]! : null;
}

function finished({ line, heading, language, lines, columns }: Open): Fence[] {
  return language === null ? [] : [{ line, heading, language, code: lines.join("\n"), columns }];
}
