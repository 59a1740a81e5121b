/**
 * Every type that a public signature mentions has a name that programs can import: the declarations of the package are made, and
 * whatever the exports of its entries mention must be an export of some entry.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The sources of the entries, as the script that makes the declarations has them. */
function entrySources(): readonly string[] {
  const script = readFileSync(path.join(root, "scripts/declarations.mjs"), "utf8");
  const list = /const ENTRIES = \{(.*?)\n\};/s.exec(script)![1]!;
  return [...list.matchAll(/: "([^"]+)"/g)].map(([, source]) => source!);
}

interface Declared {
  readonly checker: ts.TypeChecker;
  readonly modules: readonly ts.Symbol[];
  isOwn(symbol: ts.Symbol): boolean;
}

/** The declarations as they are published, in memory. */
function declarations(sources: readonly string[]): Declared {
  const config = path.join(root, "tsconfig.build.json");
  const { options } = ts.parseJsonConfigFileContent(ts.readConfigFile(config, ts.sys.readFile).config, ts.sys, root);
  const types = path.join(root, "made-up-types");
  const program = ts.createProgram(
    sources.map((source) => path.join(root, "lib", `${source}.ts`)),
    { ...options, outDir: types, incremental: false },
  );
  const made = new Map<string, string>();
  program.emit(undefined, (file, text) => made.set(path.normalize(file), text), undefined, true);
  const host = ts.createCompilerHost(options);
  const before = { fileExists: host.fileExists.bind(host), readFile: host.readFile.bind(host) };
  host.fileExists = (file) => made.has(path.normalize(file)) || before.fileExists(file);
  host.readFile = (file) => made.get(path.normalize(file)) ?? before.readFile(file);
  delete host.directoryExists;
  const entries = sources.map((source) => path.join(types, `${source}.d.ts`));
  const published = ts.createProgram(entries, { ...options, rootDir: root, noEmit: true }, host);
  const checker = published.getTypeChecker();
  return {
    checker,
    modules: entries.map((entry) => checker.getSymbolAtLocation(published.getSourceFile(entry)!)!),
    isOwn: (symbol) =>
      (symbol.declarations ?? []).some((d) => path.normalize(d.getSourceFile().fileName).startsWith(types)),
  };
}

function exportsOf({ checker, modules }: Declared): ReadonlySet<ts.Symbol> {
  const found = new Set<ts.Symbol>();
  const visit = (module: ts.Symbol): void => {
    for (const symbol of checker.getExportsOfModule(module)) {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      if (found.has(target)) continue;
      found.add(target);
      if (target.flags & ts.SymbolFlags.ValueModule) visit(target);
    }
  };
  modules.forEach(visit);
  return found;
}

/** The name of a type where a node mentions one; `keyof typeof TABLE` mentions a constant, and stands for its keys. */
function mentioned(node: ts.Node): ts.Node | undefined {
  if (ts.isTypeReferenceNode(node)) return node.typeName;
  if (ts.isExpressionWithTypeArguments(node)) return node.expression;
  return ts.isImportTypeNode(node) ? node.qualifier : undefined;
}

/** What the exports mention that is no export itself, and where. */
function unnamed(declared: Declared): string[] {
  const { checker, isOwn } = declared;
  const named = exportsOf(declared);
  const missing = new Set<string>();
  const visit = (node: ts.Node, owner: string): void => {
    const name = mentioned(node);
    const symbol = name && checker.getSymbolAtLocation(name);
    if (symbol) {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      const isLocal = (target.flags & ts.SymbolFlags.TypeParameter) !== 0 || !isOwn(target);
      if (!isLocal && !named.has(target)) missing.add(`${target.name} (in ${owner})`);
    }
    ts.forEachChild(node, (child) => visit(child, owner));
  };
  expect(named.size).toBeGreaterThan(400);
  for (const symbol of named) {
    if (symbol.flags & ts.SymbolFlags.ValueModule || !isOwn(symbol)) continue;
    for (const declaration of symbol.declarations ?? []) visit(declaration, symbol.name);
  }
  return [...missing].sort();
}

it("every type that the exports of an entry mention is exported by name", { timeout: 240_000 }, () => {
  expect(unnamed(declarations(entrySources()))).toEqual([]);
});
