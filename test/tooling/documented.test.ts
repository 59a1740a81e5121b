/**
 * Every public function has a doc comment with at least two examples that are tests.
 */
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";

const face = fileURLToPath(new URL("../../lib/api.ts", import.meta.url));

/** Calls that exist for tools, and are described where they are used. */
const FOR_TOOLS = ["configureFromFile"];

function publicFunctions(checker: ts.TypeChecker, module: ts.Symbol): ts.Symbol[] {
  const isTypes = ({ declarations }: ts.Symbol) => declarations?.some(ts.isTypeOnlyImportOrExportDeclaration) ?? false;
  const values = checker.getExportsOfModule(module).filter((symbol) => !isTypes(symbol));
  return values.flatMap((symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    if (target.flags & ts.SymbolFlags.ValueModule) return publicFunctions(checker, target);
    const declaration = target.valueDeclaration;
    if (!declaration || ts.isClassDeclaration(declaration)) return [];
    return checker.getTypeOfSymbolAtLocation(target, declaration).getCallSignatures().length > 0 ? [target] : [];
  });
}

/** Results, errors and output that the examples of a symbol claim. */
function claims(symbol: ts.Symbol): number {
  const comments = (symbol.declarations ?? []).flatMap((declaration) => {
    const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
    const text = node.getSourceFile().text;
    return (ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []).map(({ pos, end }) => text.slice(pos, end));
  });
  return comments.join("\n").match(/\/\/ (=>|throws |prints: )/g)?.length ?? 0;
}

it("has at least two claims in the examples of each function", { timeout: 60_000 }, () => {
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
  };
  const program = ts.createProgram([face], options);
  const checker = program.getTypeChecker();
  const functions = publicFunctions(checker, checker.getSymbolAtLocation(program.getSourceFile(face)!)!);
  expect(functions.length).toBeGreaterThan(120);
  const undocumented = functions.filter((fn) => claims(fn) < 2).map((fn) => fn.name);
  expect(undocumented.filter((name) => !FOR_TOOLS.includes(name))).toEqual([]);
});
