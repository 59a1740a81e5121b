/** What the statements at the top of a bundle declare, mention and assign. */
import ts from "typescript";
import { hasOwnContext, isCompiledFirst, written } from "./written";

/** A statement at the top, and the name that it declares, which is empty where there are none or several. */
export interface Declared {
  readonly name: string;
  /** What it says, as it is written for V8: without what tells bundlers that values have no effect. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** Where in the text the name ends. */
  readonly nameEnd: number;
  /** The function that the name stands for, null for other values. */
  readonly fn: ts.FunctionLikeDeclaration | null;
  /** Names of the top that are mentioned inside, and those of them that are more than called. */
  readonly mentions: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
}

export interface Bundle {
  readonly imports: string;
  readonly exports: string;
  readonly statements: readonly Declared[];
  readonly exported: ReadonlySet<string>;
  readonly imported: ReadonlySet<string>;
  /** Variables that are assigned after they are declared. */
  readonly assigned: ReadonlySet<string>;
}

/**
 * Reads a bundle.
 *
 * @param code - its text
 * @param early - where functions begin that run at the start of most programs
 */
export function analysed(code: string, early: readonly number[] = []): Bundle {
  const begun = new Set(early);
  const isEarly = (fn: ts.Node): boolean => begun.has(fn.getStart());
  const { statements } = ts.createSourceFile("bundle.js", code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  const imports = statements.filter(ts.isImportDeclaration);
  const exports = statements.filter(ts.isExportDeclaration);
  const others = statements
    .filter((one) => !ts.isImportDeclaration(one) && !ts.isExportDeclaration(one))
    // what was a declaration stands before what may call it
    .sort((a, b) => Number(isCompiledFirst(b, isEarly)) - Number(isCompiledFirst(a, isEarly)));
  const imported = new Set(imports.flatMap(({ importClause }) => namesIn(importClause)));
  const top = new Set([...imported, ...others.flatMap(namesOf)]);
  const declared = others.map((statement): Declared => {
    const mentions = mentionedIn(statement, top);
    return {
      name: nameOf(statement)?.text ?? "",
      nameEnd: (nameOf(statement)?.end ?? 0) - statement.getStart(),
      text: written(statement, isEarly),
      from: statement.getStart(),
      to: statement.end,
      fn: functionOf(statement),
      mentions: new Set(mentions.map(({ text }) => text)),
      values: new Set(mentions.filter((node) => !isCalled(node)).map(({ text }) => text)),
    };
  });
  return {
    imports: imports.map((one) => one.getText()).join("\n"),
    exports: exports.map((one) => one.getText()).join("\n"),
    statements: declared,
    exported: new Set(
      exports.flatMap(({ exportClause }) =>
        exportClause && ts.isNamedExports(exportClause)
          ? exportClause.elements.map(({ propertyName, name }) => (propertyName ?? name).text)
          : [],
      ),
    ),
    imported,
    assigned: new Set(others.flatMap((statement) => assignedIn(statement, top))),
  };
}

function nameOf(statement: ts.Statement): ts.Identifier | null {
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) return statement.name ?? null;
  if (!ts.isVariableStatement(statement)) return null;
  const [declaration, second] = statement.declarationList.declarations;
  return declaration && !second && ts.isIdentifier(declaration.name) ? declaration.name : null;
}

/** All names that a statement declares at the top. */
function namesOf(statement: ts.Statement): string[] {
  if (!ts.isVariableStatement(statement)) return [nameOf(statement)?.text ?? []].flat();
  const inPattern = (name: ts.BindingName): string[] =>
    ts.isIdentifier(name)
      ? [name.text]
      : name.elements.flatMap((one) => (ts.isOmittedExpression(one) ? [] : inPattern(one.name)));
  return statement.declarationList.declarations.flatMap(({ name }) => inPattern(name));
}

function namesIn(clause: ts.ImportClause | undefined): string[] {
  const bindings = clause?.namedBindings;
  if (clause?.name || !bindings || !ts.isNamedImports(bindings)) throw new Error("an import of another form");
  return bindings.elements.map(({ name }) => name.text);
}

/** The function that a statement declares, if it can be called from elsewhere as it is. */
function functionOf(statement: ts.Statement): ts.FunctionLikeDeclaration | null {
  const fn = ts.isVariableStatement(statement) ? statement.declarationList.declarations[0]!.initializer : statement;
  if (!fn || !(ts.isFunctionDeclaration(fn) || ts.isArrowFunction(fn))) return null;
  return hasOwnContext(fn) ? null : fn;
}

/** The identifiers that may stand for names of the top: too many rather than too few. */
function mentionedIn(node: ts.Statement, top: ReadonlySet<string>): ts.Identifier[] {
  const found: ts.Identifier[] = [];
  const own = nameOf(node);
  const visit = (inner: ts.Node): void => {
    if (ts.isIdentifier(inner) && top.has(inner.text) && inner !== own && !isKey(inner)) found.push(inner);
    ts.forEachChild(inner, visit);
  };
  visit(node);
  return found;
}

/** Whether an identifier is a key of a property. */
function isKey(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if (ts.isBindingElement(parent)) return parent.propertyName === node;
  return (
    (ts.isPropertyAssignment(parent) ||
      ts.isMethodDeclaration(parent) ||
      ts.isPropertyDeclaration(parent) ||
      ts.isAccessor(parent)) &&
    parent.name === node
  );
}

const isCalled = (node: ts.Identifier): boolean => ts.isCallExpression(node.parent) && node.parent.expression === node;

function assignedIn(node: ts.Node, top: ReadonlySet<string>): string[] {
  const found: string[] = [];
  const all = (inner: ts.Node): void => {
    if (ts.isIdentifier(inner) && top.has(inner.text)) found.push(inner.text);
    else if (!ts.isPropertyAccessExpression(inner) && !ts.isElementAccessExpression(inner)) ts.forEachChild(inner, all);
  };
  const visit = (inner: ts.Node): void => {
    if (ts.isBinaryExpression(inner) && isAssignment(inner.operatorToken.kind)) all(inner.left);
    if (ts.isPostfixUnaryExpression(inner)) all(inner.operand);
    if (ts.isPrefixUnaryExpression(inner) && isStep(inner.operator)) all(inner.operand);
    if ((ts.isForOfStatement(inner) || ts.isForInStatement(inner)) && !ts.isVariableDeclarationList(inner.initializer))
      all(inner.initializer);
    ts.forEachChild(inner, visit);
  };
  visit(node);
  return found;
}

const isAssignment = (kind: ts.SyntaxKind): boolean =>
  kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;

const isStep = (kind: ts.PrefixUnaryOperator): boolean =>
  kind === ts.SyntaxKind.PlusPlusToken || kind === ts.SyntaxKind.MinusMinusToken;
