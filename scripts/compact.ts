/**
 * Writes a bundle in less space: engines go over all of it before they run any, so a program starts sooner. What stands at the
 * top keeps its name, in stacks and profiles as well, and so do methods; variables inside of functions do not. Lines stay short, since
 * hosts print the line that an error comes from. Marks of what is pure come after it, since it drops them.
 */
import { transform } from "esbuild";
import type { Options } from "tsup";
import ts from "typescript";

/** A statement that stands by itself, and that no code here has. */
const APART = "debugger;";

export const compact: NonNullable<Options["plugins"]>[number] = {
  name: "compact",
  async renderChunk(code, info) {
    if (!info.path.endsWith(".js")) return undefined;
    const { imports, body, exports } = parted(code);
    // a script, whose names at the top others could use: only those inside are shortened, to names that are free at the top
    const shorter = await transform(body, { minify: true, lineLimit: 160, target: "es2022" });
    return { code: imports + shorter.code.replaceAll(APART, "\n") + exports };
  },
};

/** Statements at the top are kept apart: bundlers leave out whole ones, and declarations that are joined would be one. */
function parted(code: string): { readonly imports: string; readonly body: string; readonly exports: string } {
  if (code.includes(APART)) throw new Error(`a bundle with a ${APART} in it`);
  const { statements } = ts.createSourceFile("bundle.js", code, ts.ScriptTarget.ES2022, false, ts.ScriptKind.JS);
  const textOf = (chosen: readonly ts.Statement[]): string[] => chosen.map(({ pos, end }) => code.slice(pos, end));
  const isEdge = (statement: ts.Statement): boolean =>
    ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement);
  const edges = (is: (statement: ts.Statement) => boolean): string =>
    `${textOf(statements.filter(is)).join("").trim().replaceAll(/\n */g, "\n")}\n`;
  return {
    imports: edges(ts.isImportDeclaration),
    body: textOf(statements.filter((statement) => !isEdge(statement)))
      .map(namedOnce)
      .join(`\n${APART}\n`),
    exports: edges(ts.isExportDeclaration),
  };
}

/** A class that refers to itself has a name inside, which would be shortened: without it the class has the name of its variable. */
function namedOnce(statement: string): string {
  const [, name, inside] = /^var (\w+) = class (\w+)/m.exec(statement) ?? [];
  if (!name || !inside || inside === "extends") return statement;
  if (/^ {2}static (?:\{|#?\w+ *[=;])/m.test(statement))
    throw new Error(`${name} has static fields, which are made before it has its name`);
  return statement.replace(`class ${inside}`, "class").replaceAll(new RegExp(`\\b${inside}\\b`, "g"), name);
}
