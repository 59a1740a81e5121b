/** Comments of a TypeScript source and the declarations they belong to. Knows nothing of examples. */

import type ts from "typescript";
import type { TypeScript } from "./peers";

/** A comment, with its delimiters. */
export interface Comment {
  readonly pos: number;
  readonly end: number;
  readonly text: string;
  /** The full name (`Tensor.add`) of the declaration right below, or `null`. */
  readonly symbol: string | null;
}

/** Every comment of a source file, in order: they stand in front of tokens, and behind them on the same line. */
export function commentsOf(typescript: TypeScript, source: ts.SourceFile): Comment[] {
  const comments = new Map<number, Comment>();
  const names = new Map<number, string>();
  const add = (ranges: readonly ts.CommentRange[] | undefined, symbol: string | null): void =>
    ranges?.forEach(({ pos, end }, i) => {
      const owner = i === ranges.length - 1 ? symbol : null;
      if (!comments.has(pos)) comments.set(pos, { pos, end, text: source.text.slice(pos, end), symbol: owner });
    });
  const visit = (node: ts.Node, scope: string): void => {
    const name = nameOf(typescript, node, source);
    const inner = name === null ? scope : scope + name;
    if (name !== null && !names.has(node.pos)) names.set(node.pos, inner);
    const children = node.getChildren(source).filter((child) => !isJsDoc(typescript, child));
    for (const child of children) visit(child, name === null ? scope : `${inner}.`);
    if (children.length > 0) return;
    add(typescript.getLeadingCommentRanges(source.text, node.pos), names.get(node.pos) ?? null);
    add(typescript.getTrailingCommentRanges(source.text, node.end), null);
  };
  visit(source, "");
  return [...comments.values()].sort((a, b) => a.pos - b.pos);
}

const isJsDoc = (typescript: TypeScript, node: ts.Node): boolean =>
  node.kind >= typescript.SyntaxKind.FirstJSDocNode && node.kind <= typescript.SyntaxKind.LastJSDocNode;

/** The name a node declares, if it is a declaration that a doc comment may stand above. */
function nameOf(typescript: TypeScript, node: ts.Node, source: ts.SourceFile): string | null {
  if (typescript.isVariableStatement(node)) return node.declarationList.declarations[0]?.name.getText(source) ?? null;
  if (typescript.isConstructorDeclaration(node)) return "constructor";
  if (!isNamedDeclaration(typescript, node)) return null;
  return (node as { name?: ts.Node }).name?.getText(source) ?? null;
}

const isNamedDeclaration = (typescript: TypeScript, node: ts.Node): boolean =>
  typescript.isFunctionDeclaration(node) ||
  typescript.isClassDeclaration(node) ||
  typescript.isInterfaceDeclaration(node) ||
  typescript.isTypeAliasDeclaration(node) ||
  typescript.isEnumDeclaration(node) ||
  typescript.isModuleDeclaration(node) ||
  typescript.isTypeElement(node) ||
  typescript.isClassElement(node) ||
  typescript.isObjectLiteralElement(node) ||
  typescript.isEnumMember(node) ||
  typescript.isExportSpecifier(node);
