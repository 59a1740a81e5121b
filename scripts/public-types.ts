/**
 * Every type that a public signature mentions has a name that programs can import: whatever the exports of the package's entries
 * mention in their declarations must be an export of some entry. Needs `npm run build` first.
 */
import { readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const dist = fileURLToPath(new URL("../dist", import.meta.url));

interface Declared {
  readonly checker: ts.TypeChecker;
  readonly modules: readonly ts.Symbol[];
  isOwn(symbol: ts.Symbol): boolean;
}

/** The declarations as they are published. */
function declarations(): Declared {
  const entries = readdirSync(dist)
    .filter((name) => name.endsWith(".d.ts"))
    .map((name) => path.join(dist, name));
  const program = ts.createProgram(entries, {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2023.d.ts", "lib.esnext.disposable.d.ts", "lib.dom.d.ts"],
    types: ["node"],
    skipLibCheck: true,
  });
  const checker = program.getTypeChecker();
  return {
    checker,
    modules: entries.map((entry) => checker.getSymbolAtLocation(program.getSourceFile(entry)!)!),
    isOwn: (symbol) =>
      (symbol.declarations ?? []).some((d) => path.normalize(d.getSourceFile().fileName).startsWith(dist)),
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
  if (named.size < 400) throw new Error(`only ${named.size} exports were found`);
  for (const symbol of named) {
    if (symbol.flags & ts.SymbolFlags.ValueModule || !isOwn(symbol)) continue;
    for (const declaration of symbol.declarations ?? []) visit(declaration, symbol.name);
  }
  return [...missing].sort();
}

const missing = unnamed(declarations());
for (const one of missing) console.log(`no entry exports the type ${one}`);
if (missing.length > 0) process.exitCode = 1;
