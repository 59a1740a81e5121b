/** What rules ask of a program: whether an expression is a tensor, and whether a call is of this library. Reports nothing. */

import type { Rule, Scope } from "eslint";
import type * as ESTree from "estree";
import type ts from "typescript";

/** A node with its parent, as rules meet nodes. */
export type Node = ESTree.Node & { readonly parent?: Node | null };

interface Services {
  readonly program?: ts.Program | null;
  readonly getTypeAtLocation?: (node: ESTree.Node) => ts.Type;
}

/** Types of expressions. */
interface Types {
  /** Whether every value that an expression can have is a tensor. */
  readonly isTensor: (node: ESTree.Node) => boolean;
  /** Whether an expression can be a tensor. */
  readonly mayBeTensor: (node: ESTree.Node) => boolean;
}

/** The types of a file's expressions; an error where its parser gives none. */
export function typesOf(context: Rule.RuleContext): Types {
  const { program, getTypeAtLocation } = context.sourceCode.parserServices as Services;
  if (!program || !getTypeAtLocation) {
    throw new Error(
      `the rule ${context.id} needs types: parse files with typescript-eslint, and set languageOptions.parserOptions to ` +
        `{ projectService: true }`,
    );
  }
  const partsOf = (node: ESTree.Node): readonly ts.Type[] => {
    const type = getTypeAtLocation(node);
    return type.isUnion() ? type.types : [type];
  };
  return {
    isTensor: (node) => partsOf(node).every(isTensorType),
    mayBeTensor: (node) => partsOf(node).some(isTensorType),
  };
}

/** The class by its name and two of its members; copies and versions of the package make no difference. */
const isTensorType = (type: ts.Type): boolean =>
  type.symbol?.name === "Tensor" && ["newAxis", "backend"].every((name) => type.getProperty(name) !== undefined);

/**
 * The name by which a call's function goes in this library (`grad` for `Nx.grad`, `Nx.Defn.grad` and an import of its own);
 * null for other functions.
 */
export function calledName(context: Rule.RuleContext, { callee }: ESTree.CallExpression): string | null {
  const path: string[] = [];
  let node: ESTree.Node = callee;
  for (; node.type === "MemberExpression"; node = node.object) {
    if (node.computed || node.property.type !== "Identifier") return null;
    path.unshift(node.property.name);
  }
  if (node.type !== "Identifier") return null;
  const imported = importedName(context.sourceCode.getScope(node), node.name);
  return imported === null ? null : (path.at(-1) ?? imported);
}

/** What a name is imported as from this library: `*` for the whole of it; null for other names. */
function importedName(from: Scope.Scope, name: string): string | null {
  for (let scope: Scope.Scope | null = from; scope !== null; scope = scope.upper) {
    const definition = scope.set.get(name)?.defs[0];
    if (definition === undefined) continue;
    if (definition.type !== "ImportBinding" || definition.parent.source.value !== "nx-numerics") return null;
    const specifier = definition.node as ESTree.ImportSpecifier | ESTree.ImportNamespaceSpecifier;
    if (specifier.type !== "ImportSpecifier") return "*";
    return specifier.imported.type === "Identifier" ? specifier.imported.name : null;
  }
  return null;
}
