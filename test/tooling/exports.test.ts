// What files export: every function, class and constant is wanted by another file, or is part of an entry of the package.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Written by another program. */
const GENERATED = "lib/onnx/schema/";

const FOLDERS = ["lib", "test", "bench", "scripts", "doctests", "examples"];

function filesOf(folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const place = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : filesOf(place);
    return /\.m?[tj]s$/.test(entry.name) ? [place] : [];
  });
}

/** The file that a relative specifier means; null for packages. */
function resolved(from: string, specifier: ts.Expression | undefined): string | null {
  if (!specifier || !ts.isStringLiteral(specifier) || !specifier.text.startsWith(".")) return null;
  const to = path.posix.join(path.posix.dirname(from), specifier.text.replace(/\.js$/, ""));
  return [to, `${to}.ts`, `${to}/index.ts`].find((place) => ALL.has(place)) ?? null;
}

const FILES = FOLDERS.flatMap(filesOf);
const ALL: ReadonlySet<string> = new Set(FILES);

const text = ({ text }: { readonly text: string }): string => text;

/** Names that are taken from files, by file and name; `*` for all of one. */
function taken(file: string, source: ts.SourceFile): string[] {
  const found: string[] = [];
  const take = (specifier: ts.Expression | undefined, names: readonly string[]): void => {
    const from = resolved(file, specifier);
    if (from) found.push(...names.map((name) => `${from} ${name}`));
  };
  for (const node of source.statements) {
    if (ts.isImportDeclaration(node)) {
      const bindings = node.importClause?.namedBindings;
      if (bindings) take(node.moduleSpecifier, ts.isNamedImports(bindings) ? namesOf(bindings) : ["*"]);
    } else if (ts.isExportDeclaration(node)) {
      const { exportClause } = node;
      take(node.moduleSpecifier, exportClause && ts.isNamedExports(exportClause) ? namesOf(exportClause) : ["*"]);
    }
  }
  for (const [, specifier] of source.text.matchAll(/\bimport\("(\.[^"]+)"\)/g)) {
    take(ts.factory.createStringLiteral(specifier!), ["*"]);
  }
  return found;
}

/** The names in the other file. */
const namesOf = ({ elements }: ts.NamedImports | ts.NamedExports): string[] =>
  elements.map(({ propertyName, name }) => text(propertyName ?? name));

/** The values that a file exports, those it hands on included; types stand for themselves. */
function given(source: ts.SourceFile): string[] {
  return source.statements.flatMap((node) => {
    if (ts.isExportDeclaration(node)) {
      const { exportClause } = node;
      if (node.isTypeOnly || !exportClause || !ts.isNamedExports(exportClause)) return [];
      return exportClause.elements.filter(({ isTypeOnly }) => !isTypeOnly).map(({ name }) => text(name));
    }
    const isExported =
      ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported) return [];
    if (ts.isVariableStatement(node)) {
      const names = node.declarationList.declarations.map(({ name }) => name);
      return names.flatMap((name) =>
        ts.isIdentifier(name) ? [text(name)] : name.elements.map((e) => e.getText(source)),
      );
    }
    return (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) && node.name ? [text(node.name)] : [];
  });
}

it("exports nothing that no other file imports", { timeout: 120_000 }, () => {
  const sources = FILES.map((file) => {
    const source = ts.createSourceFile(file, readFileSync(root + file, "utf8"), ts.ScriptTarget.Latest);
    return { file, source };
  });
  const wanted = new Set(sources.flatMap(({ file, source }) => taken(file, source)));
  const entries = [...readFileSync(path.join(root, "tsup.config.ts"), "utf8").matchAll(/"(lib\/[^"]+\.ts)"/g)].map(([, file]) => file!); // prettier-ignore
  expect(entries).toContain("lib/index.ts");
  const idle = sources
    .filter(({ file }) => file.startsWith("lib/") && !file.startsWith(GENERATED) && !entries.includes(file))
    .filter(({ file }) => !wanted.has(`${file} *`))
    .flatMap(({ file, source }) => given(source).map((name) => `${file} ${name}`))
    .filter((name) => !wanted.has(name));
  expect(idle).toEqual([]);
});
