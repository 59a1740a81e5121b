/** Finding examples: the fenced blocks of doc comments and Markdown files. Knows nothing of what they say. */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { docCommentsOf } from "./comments";
import { findFences, type MarkdownLine } from "./fences";
import { findFiles } from "./files";
import { loadVite, type Vite } from "./peers";
import { languageOf, parse, positionOf, type Language } from "./syntax";
import type { Block, RootOptions } from "./types";

/** The examples of some files, and the patterns that named no file. */
export interface Extracted {
  readonly blocks: readonly Block[];
  readonly unmatched: readonly string[];
}

/**
 * Collects the examples of the files that match.
 *
 * @param patterns - one or several: `*` and `?` within a folder, `**` over folders, `{a,b}`; a leading `!` takes files out
 * @param options - `root`, where the patterns count from
 * @returns the blocks in order of file and line, and the patterns that match no file
 *
 * ```ts
 * import { extract } from "nx-numerics/doctest";
 *
 * await extract(["nowhere/*.md"]);
 * // => { blocks: [], unmatched: ["nowhere/*.md"] }
 * ```
 */
export async function extract(patterns: string | readonly string[], options: RootOptions = {}): Promise<Extracted> {
  const root = resolve(options.root ?? ".");
  const { files, unmatched } = findFiles(typeof patterns === "string" ? [patterns] : patterns, root);
  const vite = await loadVite();
  const blocks = files.flatMap((file) => {
    const path = resolve(root, file);
    return blocksOf(vite, readFileSync(path, "utf8"), file, path);
  });
  return { blocks, unmatched };
}

/**
 * Collects the examples of one text.
 *
 * @param text - TypeScript, JavaScript or Markdown
 * @param file - the name of the file, whose ending says which of these it is
 * @param options - `root`, the folder the name counts from
 * @returns the blocks in order
 *
 * ```ts
 * import { extractFrom } from "nx-numerics/doctest";
 *
 * const [block] = await extractFrom("# Sums\n\n~~~ts\n1 + 1;\n~~~", "sums.md");
 * [block!.file, block!.line, block!.symbol, block!.code];
 * // => ["sums.md", 3, "Sums", "1 + 1;"]
 * ```
 */
export async function extractFrom(text: string, file: string, options: RootOptions = {}): Promise<readonly Block[]> {
  return blocksOf(await loadVite(), text, file, resolve(options.root ?? ".", file));
}

function blocksOf(vite: Vite, text: string, file: string, path: string): Block[] {
  if (!/(?:```|~~~)\s*(?:ts|typescript|js|javascript)\b/i.test(text)) return []; // spares parsing most files
  const source = text.replace(/\r\n?/g, "\n");
  const language = languageOf(file);
  return language === null ? fromMarkdown(source, file, path) : fromSource(vite, source, language, file, path);
}

function fromMarkdown(text: string, file: string, path: string): Block[] {
  const lines = text.split("\n").map((line, i) => ({ text: line, line: i + 1, column: 0 }));
  return findFences(lines).map(({ heading, ...fence }) => ({ file, path, symbol: heading, ...fence }));
}

function fromSource(vite: Vite, text: string, language: Language, file: string, path: string): Block[] {
  return docCommentsOf(parse(vite, text, language)).flatMap(({ start, end, symbol }) => {
    const { line, column } = positionOf(text, start);
    const fences = findFences(insideComment(text.slice(start, end), line + 1, column));
    return fences.map(({ heading: _, ...fence }) => ({ file, path, symbol, ...fence }));
  });
}

/** The Markdown inside a doc comment, without delimiters and asterisks. */
function insideComment(comment: string, line: number, column: number): MarkdownLine[] {
  return comment.split("\n").map((raw, i) => {
    const body = raw.replace(/\s*\*\/$/, "");
    const cut = /^(?:\s*(?:\/\*\*+|\*) ?)?/.exec(body)![0].length;
    return { text: body.slice(cut), line: line + i, column: cut + (i === 0 ? column : 0) };
  });
}
