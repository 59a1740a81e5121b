/** Source text as a tree, by vite's parser. Knows nothing of examples. */

import type { ParseResult } from "vite";
import type { Vite } from "./peers";

/** A node of the tree: an ESTree node, with those of TypeScript. Offsets count from the beginning of the text. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** A comment, without its delimiters. */
export interface Comment {
  readonly type: "Line" | "Block";
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** A text with its tree and its comments, in order. */
export interface Source {
  readonly text: string;
  readonly program: Node;
  readonly comments: readonly Comment[];
  /** What is no syntax. */
  readonly errors: readonly SyntaxProblem[];
}

interface SyntaxProblem {
  readonly offset: number;
  readonly text: string;
}

/** Languages of examples and of the files they stand in. */
export type Language = "ts" | "tsx" | "js" | "jsx";

/** The language of a source file by its ending; null for other files. */
export function languageOf(file: string): Language | null {
  const [, kind, x] = /\.[cm]?([tj]s)(x?)$/.exec(file) ?? [];
  return kind === undefined ? null : (`${kind}${x ?? ""}` as Language);
}

/** Block code as module code: `await` may stand at the top, and declarations stay its own. Keeps lines and offsets. */
export const asModule = (code: string): string => `${code}\nexport {};`;

/** Parses the text of a module. */
export function parse({ parseSync }: Vite, text: string, lang: Language): Source {
  const result: ParseResult = parseSync(`source.${lang}`, text, { lang, sourceType: "module", astType: "ts" });
  return {
    text,
    program: result.program as unknown as Node,
    comments: [...result.comments].sort((a, b) => a.start - b.start),
    errors: result.errors.map(({ message, labels }) => ({ offset: labels[0]?.start ?? 0, text: message })),
  };
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Partial<Node>).type === "string";

/** The nodes right below a node, in order. */
export function childrenOf(node: Node): Node[] {
  const found = Object.entries(node).flatMap(([key, value]) => (key === "parent" ? [] : [value].flat()));
  return found.filter(isNode).sort((a, b) => a.start - b.start);
}

/** The parts of a node under a key, if they are nodes. */
export const partsOf = (node: Node | null, key: string): readonly Node[] =>
  node === null ? [] : [node[key]].flat().filter(isNode);

/** The part of a node under a key, if it is a node. */
export const partOf = (node: Node | null, key: string): Node | null => partsOf(node, key)[0] ?? null;

/** The declaration that a statement exports, or else the statement. */
export const declarationOf = (node: Node): Node =>
  /^Export(Named|Default)Declaration$/.test(node.type) ? (partOf(node, "declaration") ?? node) : node;

/** The names a module declares or imports at its top. */
export function declaredNames({ program }: Source): Set<string> {
  const names = new Set<string>();
  for (const statement of partsOf(program, "body")) {
    const node = declarationOf(statement);
    for (const declarator of partsOf(node, "declarations")) bind(partOf(declarator, "id"), names);
    for (const specifier of partsOf(node, "specifiers"))
      if (node === statement) bind(partOf(specifier, "local"), names);
    if (/^(Function|Class)Declaration$/.test(node.type)) bind(partOf(node, "id"), names);
  }
  return names;
}

function bind(pattern: Node | null, names: Set<string>): void {
  if (pattern === null) return;
  if (pattern.type === "Identifier") names.add(pattern["name"] as string);
  const inner = [...partsOf(pattern, "elements"), ...partsOf(pattern, "properties")];
  for (const part of inner) bind(partOf(part, "value") ?? partOf(part, "argument") ?? part, names);
  if (pattern.type === "AssignmentPattern") bind(partOf(pattern, "left"), names);
  if (pattern.type === "RestElement") bind(partOf(pattern, "argument"), names);
}

/** Line and column of an offset, both from 0. */
export function positionOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.lastIndexOf("\n", offset - 1);
  return { line: offset === 0 ? 0 : text.slice(0, offset).split("\n").length - 1, column: offset - before - 1 };
}
