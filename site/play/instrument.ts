/**
 * A program of the playground as JavaScript that reports: each statement that is an expression shows its value at its line, and each
 * statement says that it begins, so that an error has a line.
 */
import ts from "typescript";
import { FILES, whyMissing } from "./modules";

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

/** The variable that a statement declares last. */
function declaredBy(statement: ts.Statement): ts.Identifier | null {
  if (!ts.isVariableStatement(statement)) return null;
  const last = statement.declarationList.declarations.at(-1);
  return last && ts.isIdentifier(last.name) ? last.name : null;
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

const isDeclaration = (statement: ts.Statement): boolean =>
  ts.isImportDeclaration(statement) ||
  ts.isExportDeclaration(statement) ||
  ts.isInterfaceDeclaration(statement) ||
  ts.isTypeAliasDeclaration(statement);

const reporting: ts.TransformerFactory<ts.SourceFile> = (context) => (source) => {
  const lineAt = (position: number): ts.NumericLiteral =>
    ts.factory.createNumericLiteral(source.getLineAndCharacterOfPosition(position).line + 1);
  const showing = (statement: ts.Statement, value: ts.Expression): ts.Statement =>
    ts.factory.createExpressionStatement(
      // what is said to be shown is shown even where it is undefined
      call(
        SHOW,
        lineAt(statement.getEnd()),
        value,
        ...(isSaidToShow(source, statement) ? [ts.factory.createTrue()] : []),
      ),
    );

  /** Statements within functions and loops show what they say that they give. */
  const within = (node: ts.Node): ts.Node => {
    if (!ts.isExpressionStatement(node)) return ts.visitEachChild(node, within, context);
    const visited = ts.visitEachChild(node.expression, within, context);
    if (isSaidToShow(source, node)) return showing(node, visited);
    return ts.factory.updateExpressionStatement(node, visited);
  };

  const statements = source.statements.flatMap((statement): ts.Statement[] => {
    if (isDeclaration(statement)) return [statement];
    const begins = ts.factory.createExpressionStatement(call(AT, lineAt(statement.getStart(source))));
    const declared = declaredBy(statement);
    const visited = ts.visitEachChild(statement, within, context);
    if (declared && isSaidToShow(source, statement)) return [begins, visited, showing(statement, declared)];
    const isShown = ts.isExpressionStatement(visited) && !isSilent(visited.expression);
    const reported = isShown ? showing(statement, visited.expression) : visited;
    return [begins, isSaidToThrow(source, statement) ? guarded(reported) : reported];
  });
  return ts.factory.updateSourceFile(source, statements);
};

/** The modules that a program imports, by their names. */
export const importsOf = (code: string): string[] =>
  ts.preProcessFile(code, true, true).importedFiles.map(({ fileName }) => fileName);

/** A program that does nothing but say at its line that it imports what is not here. */
function failing(code: string, name: string): string {
  const place = ts.preProcessFile(code, true, true).importedFiles.find(({ fileName }) => fileName === name)?.pos ?? 0;
  const line = code.slice(0, place).split("\n").length;
  const message = `the page has no module "${name}": ${whyMissing(name)}`;
  return `globalThis.__playground.${AT}(${line});\nthrow new Error(${JSON.stringify(message)});\n`;
}

/** The program with what it imports under the addresses of the files; one that has no `Nx` of its own finds the library as that. */
export function instrument(code: string, assets: string): string {
  const { outputText } = ts.transpileModule(code, {
    fileName: "program.ts",
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: false },
    transformers: { before: [reporting] },
  });
  const { importedFiles } = ts.preProcessFile(outputText, true, true);
  const missing = importedFiles.find(({ fileName }) => whyMissing(fileName) !== null);
  if (missing) return failing(code, missing.fileName);
  const addressOf = (name: string): string => assets + FILES[name]!;
  let imported = outputText;
  // from the last to the first, so that the places of those before stay
  for (const { fileName, pos } of importedFiles.toReversed())
    imported = imported.slice(0, pos) + JSON.stringify(addressOf(fileName)) + imported.slice(pos + fileName.length + 2);
  const hasItsOwn = /\b(?:import(?: \* as)?|const|let|var) Nx\b/.test(outputText);
  const header = hasItsOwn ? "" : `import * as Nx from ${JSON.stringify(addressOf("nx-numerics"))};\n`;
  return `${header}const { ${SHOW}, ${AT}, ${CAUGHT}, console } = globalThis.__playground;\n${imported}`;
}
