/** Running one block: rewritten, compiled to JavaScript, in a function of its own. Knows nothing of vitest. */

import { statSync } from "node:fs";
import { createRequire, SourceMap, type SourceMapPayload } from "node:module";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { compileFunction } from "node:vm";
import type ts from "typescript";
import { readExpectations, readSkip } from "./expectations";
import { DoctestError, failAt, type Place, placeAt, placeOf } from "./failure";
import { instrument } from "./instrument";
import { loadTypeScript, type TypeScript } from "./peers";
import { asModule, parseBlock } from "./parse";
import { Recorder } from "./recorder";
import type { Block, BlockResult, RunOptions } from "./types";

/**
 * Runs one example and compares what its comments expect. Does not check its types (see {@link checkTypes}).
 *
 * @param block - the example, from {@link extract}
 * @param options - the names and modules it may use
 * @returns whether it passed, was skipped by its own first line (with the reason), or failed (with the error)
 *
 * ```ts
 * import { extractFrom, runBlock } from "nx-numerics/doctest";
 *
 * const [good, bad] = await extractFrom("~~~ts\n1 + 1; // => 2\n~~~\n~~~ts\n1 + 1; // => 3\n~~~", "sums.md");
 * await runBlock(good!);
 * // => { status: "passed" }
 *
 * const result = await runBlock(bad!);
 * if (result.status === "failed") throw result.error;
 * // throws DoctestError: sums.md:5:1 the value is not the expected one
 * ```
 */
export async function runBlock(block: Block, options: RunOptions = {}): Promise<BlockResult> {
  const skip = readSkip(block.code);
  if (skip !== null && "reason" in skip) return { status: "skipped", reason: skip.reason };
  try {
    if (skip !== null) throw failAt("form", block, placeAt(block, 0, 0), skip.problem);
    await runCompiled(compile(await loadTypeScript(), block), options);
    return { status: "passed" };
  } catch (error) {
    if (error instanceof DoctestError) return { status: "failed", error };
    throw error;
  }
}

interface Compiled {
  readonly block: Block;
  readonly recorder: Recorder;
  /** The name the code has in stack traces. */
  readonly filename: string;
  readonly code: string;
  readonly map: SourceMap;
  /** The modules its imports name. */
  readonly imports: readonly string[];
}

function compile(typescript: TypeScript, block: Block): Compiled {
  const filename = `${block.path}#${block.line}.js`;
  const source = parseBlock(typescript, block.code);
  const { statements, problems } = readExpectations(typescript, source);
  const { code, probes } = instrument(typescript, source, statements);
  const { outputText, sourceMapText, diagnostics } = transpiled(typescript, code);
  if (diagnostics?.length) throw syntaxError(typescript, block, diagnostics);
  const problem = problems[0] ?? probes.find((probe) => probe.problem !== null);
  if (problem !== undefined) {
    const text = "text" in problem ? problem.text : problem.problem!;
    throw failAt("form", block, placeOf(block, problem.offset), text);
  }
  const map = new SourceMap(JSON.parse(sourceMapText!) as SourceMapPayload);
  const imports = importsOf(typescript, source);
  return { block, recorder: new Recorder(block, probes), filename, code: outputText, map, imports };
}

/** The rewritten code has the same lines but other columns, so the place is sought in the code as it is written. */
function syntaxError(typescript: TypeScript, block: Block, found: readonly ts.Diagnostic[]): DoctestError {
  const own = transpiled(typescript, asModule(block.code)).diagnostics?.[0];
  const { code, messageText, start } = own ?? found[0]!;
  const text = `error TS${code}: ${typescript.flattenDiagnosticMessageText(messageText, "\n")}`;
  return failAt("type", block, own === undefined ? placeAt(block, 0, 0) : placeOf(block, start ?? 0), text);
}

/** CommonJS, so that imports become calls of a `require` of ours; unused and type-only ones fall away. */
const transpiled = (typescript: TypeScript, code: string): ts.TranspileOutput =>
  typescript.transpileModule(code, {
    reportDiagnostics: true,
    fileName: "example.ts",
    compilerOptions: {
      module: typescript.ModuleKind.CommonJS,
      target: typescript.ScriptTarget.ES2022,
      esModuleInterop: false,
      sourceMap: true,
      removeComments: true,
    },
  });

const importsOf = (typescript: TypeScript, source: ts.SourceFile): string[] =>
  source.statements.flatMap((node) => {
    const isImport = typescript.isImportDeclaration(node) && !node.importClause?.isTypeOnly;
    return isImport && typescript.isStringLiteral(node.moduleSpecifier) ? [node.moduleSpecifier.text] : [];
  });

async function runCompiled(compiled: Compiled, options: RunOptions): Promise<void> {
  const { block, recorder } = compiled;
  const around = options.around ?? ((run: () => Promise<void>): Promise<void> => run());
  let hasRun = false;
  try {
    await around(async () => {
      hasRun = true;
      await execute(compiled, options);
    });
  } catch (error) {
    throw recorder.failure ?? unexpected(compiled, error);
  }
  if (!hasRun) throw failAt("error", block, placeAt(block, 0, 0), "the option `around` did not run the example");
  recorder.finish();
}

/** Every name the block declares is local to a function inside a function: it may declare the given names anew. */
async function execute({ block, recorder, filename, code, imports }: Compiled, options: RunOptions): Promise<void> {
  const globals = Object.entries(options.globals ?? {}).map(([name, { value }]) => [name, value] as const);
  const module = { exports: {} };
  const given: Record<string, unknown> = {
    $doctest: recorder,
    console: recorder.console,
    require: await requirer(block, imports, options),
    module,
    exports: module.exports,
    ...Object.fromEntries(globals),
  };
  const run = compileFunction(`return (async () => {${code}\n})();`, Object.keys(given), { filename });
  await (run(...Object.values(given)) as Promise<void>);
}

/** Modules named by import statements are loaded beforehand; what `import()` asks for later comes as a promise. */
async function requirer(
  block: Block,
  imports: readonly string[],
  options: RunOptions,
): Promise<(name: string) => unknown> {
  const { modules = {}, load = defaultLoad } = options;
  const loaded = new Map<string, unknown>(Object.entries(modules));
  const fetch = (name: string): Promise<unknown> =>
    load(/^\.\.?\//.test(name) ? resolve(dirname(block.path), name) : name);
  for (const name of imports) if (!loaded.has(name)) loaded.set(name, await fetch(name));
  return (name) => (loaded.has(name) ? loaded.get(name) : fetch(name));
}

/** Packages are those of the project under test, wherever this file lies. */
async function defaultLoad(name: string): Promise<unknown> {
  const file = ["", ".ts", ".js", "/index.ts", "/index.js"].map((end) => name + end).find(isFile);
  return (await import(/* @vite-ignore */ file === undefined ? installed(name) : pathToFileURL(file).href)) as unknown;
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

function installed(name: string): string {
  try {
    const found = createRequire(resolve("package.json")).resolve(name);
    return found.includes("/") || found.includes("\\") ? pathToFileURL(found).href : found;
  } catch {
    return name;
  }
}

function unexpected(compiled: Compiled, error: unknown): DoctestError {
  const { block, recorder } = compiled;
  const place = throwPlace(compiled, error) ?? placeOf(block, recorder.current);
  const text = error instanceof Error ? `${error.name}: ${error.message}` : `threw ${String(error)}`;
  return failAt("error", block, place, text, { cause: error });
}

/** The line of the block that an error passed through last, from its stack. */
function throwPlace({ block, filename, map }: Compiled, error: unknown): Place | null {
  const stack = error instanceof Error && typeof error.stack === "string" ? error.stack : "";
  const start = stack.indexOf(`${filename}:`);
  const match = start === -1 ? null : /^:(\d+):(\d+)/.exec(stack.slice(start + filename.length));
  if (match === null) return null;
  const entry = map.findEntry(Number(match[1]) - 1, Number(match[2]) - 1);
  if (!("originalLine" in entry) || entry.originalLine >= block.columns.length) return null;
  const line = block.code.split("\n")[entry.originalLine]!;
  return placeAt(block, entry.originalLine, line.length - line.trimStart().length);
}
