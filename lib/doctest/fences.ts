/** Fenced code in Markdown text, be it a file or the inside of a doc comment. Knows nothing of where the text is from. */

/** A line of Markdown and where it stands in the file. */
export interface MarkdownLine {
  readonly text: string;
  /** From 1. */
  readonly line: number;
  /** How many characters of the file's line stand in front of `text`. */
  readonly column: number;
}

/** A fenced `ts` block. */
export interface Fence {
  /** The line of the opening fence, from 1. */
  readonly line: number;
  /** The nearest heading above, or `null`. */
  readonly heading: string | null;
  readonly code: string;
  readonly columns: readonly number[];
}

interface Open {
  readonly marker: string;
  readonly indent: number;
  readonly isExample: boolean;
  readonly line: number;
  readonly heading: string | null;
  readonly lines: string[];
  readonly columns: number[];
}

/** All blocks fenced as exactly `ts`; other info strings (`js`, `ts no-run`, none) are no examples. */
export function findFences(lines: readonly MarkdownLine[]): Fence[] {
  const fences: Fence[] = [];
  let heading: string | null = null;
  let open: Open | null = null;
  for (const line of lines) {
    if (open === null) {
      open = opened(line, heading);
      heading = open === null ? (/^ {0,3}#{1,6}\s+(.*?)\s*#*$/.exec(line.text)?.[1] ?? heading) : heading;
    } else if (closes(open, line.text)) {
      if (open.isExample) fences.push(finished(open));
      open = null;
    } else {
      addLine(open, line);
    }
  }
  if (open?.isExample) fences.push(finished(open)); // as in Markdown, a fence left open ends with the text
  return fences;
}

function opened({ text, line }: MarkdownLine, heading: string | null): Open | null {
  const match = /^(\s*)(`{3,}|~{3,})\s*([^`]*?)\s*$/.exec(text);
  if (match === null) return null;
  const [, indent, marker, info] = match as unknown as [string, string, string, string];
  return { marker, indent: indent.length, isExample: info === "ts", line, heading, lines: [], columns: [] };
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

const finished = ({ line, heading, lines, columns }: Open): Fence => ({
  line,
  heading,
  code: lines.join("\n"),
  columns,
});
