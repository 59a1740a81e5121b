/**
 * Marks in a bundle what a bundler may leave out: nothing in the library has an effect when it is loaded but the statements of
 * the entries that install the methods of tensors and a backend. Whatever else computes something at the top becomes a call with a `@__PURE__`
 * comment. Namespaces become plain objects behind their last member: a getter for each, as esbuild writes them, took as long to
 * define, and to compile when it was read, as making the functions.
 */
import type { Options } from "tsup";
import ts from "typescript";

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const PURE = "/* @__PURE__ */ ";
export const annotatePure: NonNullable<Options["plugins"]>[number] = {
  name: "annotate-pure",
  renderChunk(code, info) {
    return /\.(js|cjs)$/.test(info.path) ? { code: applied(code, editsOf(code)) } : undefined;
  },
};

function applied(code: string, edits: readonly Edit[]): string {
  const last = [...edits].sort((a, b) => b.from - a.from);
  return last.reduce((text, { from, to, text: put }) => text.slice(0, from) + put + text.slice(to), code);
}

function editsOf(code: string): Edit[] {
  const { statements } = ts.createSourceFile("bundle.js", code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  const declared = placesOf(statements);
  return statements.flatMap((statement, i) => {
    if (ts.isVariableStatement(statement)) return pureCalls(statement);
    const namespace = namespaceOf(statement);
    return namespace ? movedNamespace(statements, i, namespace, declared) : [];
  });
}

/** The statements that give top-level variables and classes their values, by their positions; functions have them from the beginning. */
function placesOf(statements: readonly ts.Statement[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  statements.forEach((statement, i) => {
    const declarations = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [];
    for (const { name } of declarations) places.set(name.getText(), i);
    if (ts.isClassDeclaration(statement) && statement.name) places.set(statement.name.text, i);
  });
  return places;
}

interface Namespace {
  readonly name: string;
  /** The variables that hold the members, by the names of these. */
  readonly members: ReadonlyMap<string, string>;
}

/** What `__export(name, { member: () => variable, ... });` says. */
function namespaceOf(statement: ts.Statement): Namespace | null {
  if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) return null;
  const { expression, arguments: args } = statement.expression;
  const [name, members] = args;
  if (expression.getText() !== "__export" || !name || !members || !ts.isObjectLiteralExpression(members)) return null;
  const pairs = members.properties.map((property): [string, string] => {
    const getter = ts.isPropertyAssignment(property) ? property.initializer : undefined;
    if (!getter || !ts.isArrowFunction(getter) || !ts.isIdentifier(getter.body))
      throw new Error(`a namespace of another form: ${property.getText()}`);
    return [property.name!.getText(), getter.body.text];
  });
  return { name: name.getText(), members: new Map(pairs) };
}

/** The namespace as an object behind the statement that makes its last member. */
function movedNamespace(
  statements: readonly ts.Statement[],
  at: number,
  { name, members }: Namespace,
  declared: ReadonlyMap<string, number>,
): Edit[] {
  const [before, statement] = [statements[at - 1]!, statements[at]!];
  if (before.getText().replaceAll(" ", "") !== `var${name}={};`)
    throw new Error(`the namespace ${name} is not made where it is filled`);
  const last = Math.max(at, ...[...members.values()].map((variable) => declared.get(variable) ?? 0));
  const early = statements.slice(at + 1, last + 1).find((between) => readsNow(between, name));
  if (early) throw new Error(`the namespace ${name} is read before it is whole: ${early.getText().slice(0, 200)}`);
  const object = [...members].map(([member, variable]) => (member === variable ? member : `${member}: ${variable}`));
  const made = `\nvar ${name} = ${PURE}Object.freeze({ ${object.join(", ")} });`;
  return [
    { from: before.getStart(), to: before.end, text: "" },
    { from: statement.getStart(), to: statement.end, text: "" },
    { from: statements[last]!.end, to: statements[last]!.end, text: made },
  ];
}

/** Whether a name is read when a statement runs, not only in functions that are called later. */
function readsNow(node: ts.Node, name: string): boolean {
  if (ts.isFunctionLike(node)) return false;
  return ts.isIdentifier(node) ? node.text === name : ts.forEachChild(node, (child) => readsNow(child, name)) === true;
}

/** Initialisers that a bundler cannot see through are made by functions of their own, called at once. */
function pureCalls(statement: ts.VariableStatement): Edit[] {
  return statement.declarationList.declarations.flatMap(({ name, initializer }) => {
    if (!initializer || isPlain(initializer)) return [];
    const [from, to] = [initializer.getStart(), initializer.end];
    if (isPlainCall(initializer)) return [{ from, to: from, text: PURE }];
    // a class takes its name from the variable it is assigned to
    const [open, close] = ts.isClassLike(initializer)
      ? [`{ const ${name.getText()} = `, `; return ${name.getText()}; }`]
      : ["(", ")"];
    return [
      { from, to: from, text: `${PURE}(() => ${open}` },
      { from: to, to, text: `${close})()` },
    ];
  });
}

/** Whether making a class computes something: keys of members, static values, what it extends. */
const computes = (node: ts.ClassLikeDeclaration): boolean =>
  (node.heritageClauses?.length ?? 0) > 0 ||
  node.members.some((member) => {
    const isStatic =
      ts.canHaveModifiers(member) && ts.getModifiers(member)?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword);
    return (member.name && ts.isComputedPropertyName(member.name)) || isStatic === true;
  });

/** Whether a call, of what is named, has plain arguments: marked as it is, it needs no function around it. */
function isPlainCall(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return false;
  const { expression: called } = node;
  const isNamed =
    ts.isIdentifier(called) || (ts.isPropertyAccessExpression(called) && ts.isIdentifier(called.expression));
  return isNamed && (node.arguments ?? []).every(isPlain);
}

/** Whether an expression is made of literals, names, functions and classes alone. */
function isPlain(node: ts.Node): boolean {
  if (ts.isClassLike(node)) return !computes(node);
  if (ts.isFunctionLike(node) || ts.isIdentifier(node) || ts.isLiteralExpression(node)) return true;
  if (ts.isArrayLiteralExpression(node)) return node.elements.every(isPlain);
  if (ts.isPropertyAssignment(node)) return isPlain(node.name) && isPlain(node.initializer);
  if (ts.isShorthandPropertyAssignment(node)) return true;
  if (ts.isObjectLiteralExpression(node)) return node.properties.every(isPlain);
  return (
    node.kind === ts.SyntaxKind.NullKeyword ||
    node.kind === ts.SyntaxKind.TrueKeyword ||
    node.kind === ts.SyntaxKind.FalseKeyword
  );
}
