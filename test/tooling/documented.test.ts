/**
 * Every public function has a doc comment with at least two examples that are tests.
 */
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { topicOf } from "../../site/scripts/topics";

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

function allFunctions(): readonly ts.Symbol[] {
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
  };
  const program = ts.createProgram([face], options);
  const checker = program.getTypeChecker();
  return publicFunctions(checker, checker.getSymbolAtLocation(program.getSourceFile(face)!)!);
}

describe("every public function", () => {
  let functions: readonly ts.Symbol[] = [];
  beforeAll(() => {
    functions = allFunctions();
  }, 60_000);

  it("has at least two claims in its examples", () => {
    expect(functions.length).toBeGreaterThan(120);
    const undocumented = functions.filter((fn) => claims(fn) < 2).map((fn) => fn.name);
    expect(undocumented.filter((name) => !FOR_TOOLS.includes(name))).toEqual([]);
  });

  it("has a topic in the reference of the site", () => {
    const fileOf = (fn: ts.Symbol): string =>
      /\/lib\/(.*)\.ts$/.exec(fn.declarations![0]!.getSourceFile().fileName)![1]!;
    expect(functions.map((fn) => [fn.name, topicOf(fn.name, fileOf(fn))]).filter(([, topic]) => !topic)).toEqual([]);
  });
});
