/**
 * A program of the playground as JavaScript that reports: each statement that is an expression shows its value at its line, and each
 * statement says that it begins, so that an error has a line.
 */
import ts from "typescript";

const SHOW = "__show";
const AT = "__at";
const CAUGHT = "__caught";

const call = (name: string, ...args: ts.Expression[]): ts.CallExpression =>
  ts.factory.createCallExpression(ts.factory.createIdentifier(name), undefined, args);

/** Assignments: their value says nothing. */
const isSilent = (expression: ts.Expression): boolean =>
  ts.isBinaryExpression(expression) &&
  expression.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
  expression.operatorToken.kind <= ts.SyntaxKind.LastAssignment;

/** The variable that a statement declares, where it is one. */
function declaredBy(statement: ts.Statement): ts.Identifier | null {
  if (!ts.isVariableStatement(statement)) return null;
  const [first, ...rest] = statement.declarationList.declarations;
  return rest.length === 0 && first && ts.isIdentifier(first.name) ? first.name : null;
}

/** Whether the comment behind a statement says what it gives, as examples do. */
const isSaidToShow = (source: ts.SourceFile, statement: ts.Statement): boolean =>
  /^\s*\/\/ =>/.test(source.text.slice(statement.getEnd()));

/** Whether the comment behind a statement says that it throws, as examples do: the program goes on then. */
const isSaidToThrow = (source: ts.SourceFile, statement: ts.Statement): boolean =>
  /^\s*\/\/ throws\b/.test(source.text.slice(statement.getEnd()));

const guarded = (statement: ts.Statement): ts.Statement => {
  const { factory } = ts;
  const caught = factory.createExpressionStatement(call(CAUGHT, factory.createIdentifier("error")));
  const clause = factory.createCatchClause("error", factory.createBlock([caught]));
  return factory.createTryStatement(factory.createBlock([statement]), clause, undefined);
};

const reporting: ts.TransformerFactory<ts.SourceFile> = () => (source) => {
  const lineOf = (node: ts.Node): ts.NumericLiteral =>
    ts.factory.createNumericLiteral(source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1);
  const lastLineOf = (node: ts.Node): ts.NumericLiteral =>
    ts.factory.createNumericLiteral(source.getLineAndCharacterOfPosition(node.getEnd()).line + 1);
  const statements = source.statements.flatMap((statement): ts.Statement[] => {
    if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) return [statement];
    if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) return [statement];
    const begins = ts.factory.createExpressionStatement(call(AT, lineOf(statement)));
    const declared = declaredBy(statement);
    if (declared && isSaidToShow(source, statement))
      return [begins, statement, ts.factory.createExpressionStatement(call(SHOW, lastLineOf(statement), declared))];
    if (!ts.isExpressionStatement(statement) || isSilent(statement.expression)) return [begins, statement];
    const shows = ts.factory.createExpressionStatement(call(SHOW, lastLineOf(statement), statement.expression));
    return [begins, isSaidToThrow(source, statement) ? guarded(shows) : shows];
  });
  return ts.factory.updateSourceFile(source, statements);
};

const IMPORTED = /(\bfrom\s*|\bimport\s*)"nx-numerics(?:\/(\w+))?"/g;

/** The program with the library under an address, and its sub-paths beside it; a program that does not import the library finds it as `Nx`. */
export function instrument(code: string, library: string): string {
  const { outputText } = ts.transpileModule(code, {
    fileName: "program.ts",
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: false },
    transformers: { before: [reporting] },
  });
  const addressOf = (path: string | undefined): string =>
    JSON.stringify(path === undefined ? library : library.replace(/\.js$/, `-${path}.js`));
  const imported = outputText.replaceAll(IMPORTED, (_, word: string, path?: string) => `${word}${addressOf(path)}`);
  const isImporting = [...outputText.matchAll(IMPORTED)].some(([, , path]) => path === undefined);
  const header = isImporting ? "" : `import * as Nx from ${addressOf(undefined)};\n`;
  return `${header}const { ${SHOW}, ${AT}, ${CAUGHT}, console } = globalThis.__playground;\n${imported}`;
}
