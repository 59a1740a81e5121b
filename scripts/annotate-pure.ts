/**
 * Marks in a bundle what a bundler may leave out: nothing in the library has an effect when it is loaded but the statements of
 * the entries that install the methods of tensors and a backend. Whatever else computes something at the top becomes a call with a `@__PURE__`
 * comment, namespace objects among it.
 */
import type { Options } from "tsup";
import ts from "typescript";

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const PURE = "/* @__PURE__ */ ";
const NAMESPACE = " var __namespace = (all) => { const made = {}; __export(made, all); return made; };";

export const annotatePure: NonNullable<Options["plugins"]>[number] = {
  name: "annotate-pure",
  renderChunk(code, info) {
    return /\.(js|cjs)$/.test(info.path) ? { code: applied(code, editsOf(code)) } : undefined;
  },
};

/** Lines stay where they are, so that source maps stay right by line. */
function applied(code: string, edits: readonly Edit[]): string {
  const last = [...edits].sort((a, b) => b.from - a.from);
  return last.reduce((text, { from, to, text: put }) => text.slice(0, from) + put + text.slice(to), code);
}

function editsOf(code: string): Edit[] {
  const file = ts.createSourceFile("bundle.js", code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  const edits: Edit[] = [];
  file.statements.forEach((statement, i) => {
    // the helper of namespaces lies in the chunk that entries share
    if (ts.isImportDeclaration(statement) && /\b__export\b/.test(statement.getText())) {
      edits.push({ from: statement.end, to: statement.end, text: NAMESPACE });
    }
    if (ts.isVariableStatement(statement)) {
      const isExport = statement.declarationList.declarations[0]?.name.getText() === "__export";
      if (isExport) edits.push({ from: statement.end, to: statement.end, text: NAMESPACE });
      else edits.push(...pureCalls(statement));
    }
    const target = namespaceTarget(statement);
    const before = file.statements[i - 1];
    if (target === undefined || before?.getText() !== `var ${target.name} = {};`) return;
    edits.push({ from: before.getStart(), to: before.end, text: "" });
    edits.push({ from: statement.getStart(), to: target.start, text: `var ${target.name} = ${PURE}__namespace(` });
  });
  return edits;
}

/** Of `__export(name, { ... });` the name, and where the second argument starts. */
function namespaceTarget(statement: ts.Statement): { readonly name: string; readonly start: number } | undefined {
  if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) return undefined;
  const { expression, arguments: args } = statement.expression;
  const [name, members] = args;
  if (expression.getText() !== "__export" || !name || !members || !/_exports\d*$/.test(name.getText()))
    return undefined;
  return name.getText() === "index_exports" ? undefined : { name: name.getText(), start: members.getStart() };
}

/** Initialisers that a bundler cannot see through are made by functions of their own, called at once. */
function pureCalls(statement: ts.VariableStatement): Edit[] {
  return statement.declarationList.declarations.flatMap(({ name, initializer }) => {
    if (!initializer || isPlain(initializer)) return [];
    const [from, to] = [initializer.getStart(), initializer.end];
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
