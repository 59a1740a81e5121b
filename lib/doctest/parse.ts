/** A block as a module of its own. Knows nothing of comments. */

import type ts from "typescript";
import type { TypeScript } from "./peers";

/** Block code as module code: `await` may stand at the top, and declarations stay its own. Keeps lines and offsets. */
export const asModule = (code: string): string => `${code}\nexport {};`;

/** Parses a block as a module. */
export const parseBlock = (typescript: TypeScript, code: string): ts.SourceFile =>
  typescript.createSourceFile("example.ts", asModule(code), typescript.ScriptTarget.Latest, true);

/** The names a module declares or imports at its top. */
export function declaredNames(typescript: TypeScript, source: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  const bind = (name: ts.BindingName): void => {
    if (typescript.isIdentifier(name)) names.add(name.text);
    else for (const element of name.elements) if (typescript.isBindingElement(element)) bind(element.name);
  };
  for (const node of source.statements) {
    if (typescript.isVariableStatement(node)) node.declarationList.declarations.forEach(({ name }) => bind(name));
    else if (typescript.isImportDeclaration(node)) importedNames(typescript, node).forEach((name) => names.add(name));
    else if (typescript.isFunctionDeclaration(node) || typescript.isClassDeclaration(node))
      names.add(node.name?.text ?? "");
  }
  return names;
}

function importedNames(typescript: TypeScript, node: ts.ImportDeclaration): string[] {
  const { name, namedBindings } = node.importClause ?? {};
  const own = name === undefined ? [] : [name.text];
  if (namedBindings === undefined) return own;
  if (typescript.isNamespaceImport(namedBindings)) return [...own, namedBindings.name.text];
  return [...own, ...namedBindings.elements.map((element) => element.name.text)];
}
