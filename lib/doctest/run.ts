/** Running one block: rewritten, transformed to JavaScript, in a function of its own. Knows nothing of vitest. */

import { statSync } from "node:fs";
import { createRequire, SourceMap, type SourceMapPayload } from "node:module";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { compileFunction } from "node:vm";
import { readExpectations, readSkip } from "./expectations";
import { DoctestError, failAt, type Place, placeAt, placeOf, syntaxError } from "./failure";
import { instrument } from "./instrument";
import { loadVite, type Vite } from "./peers";
import { Recorder } from "./recorder";
import { asModule, parse } from "./syntax";
import type { Block, BlockResult, RunOptions } from "./types";
import { USING_HELPER, usingModule } from "./using";

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
    await runCompiled(await compile(await loadVite(), block), options);
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
}

async function compile(vite: Vite, block: Block): Promise<Compiled> {
  const source = parse(vite, asModule(block.code), block.language);
  const error = syntaxError(block, source);
  if (error !== null) throw error;
  const { statements, problems } = readExpectations(source);
  const { code, probes } = instrument(source, statements);
  const problem = problems[0] ?? probes.find((probe) => probe.problem !== null);
  if (problem !== undefined) {
    const text = "text" in problem ? problem.text : problem.problem!;
    throw failAt("form", block, placeOf(block, problem.offset), text);
  }
  const filename = `${block.path}#${block.line}.js`;
  return { block, recorder: new Recorder(block, probes), filename, ...(await transformed(vite, block, code)) };
}

type InputMap = Parameters<Vite["moduleRunnerTransform"]>[1];

/** Types fall away, with imports that nothing uses; the other imports become calls of functions of ours. */
async function transformed(
  vite: Vite,
  { language, path }: Block,
  code: string,
): Promise<Pick<Compiled, "code" | "map">> {
  const options = { lang: language, target: "es2022", sourcemap: true, tsconfig: false } as const;
  const plain = await vite.transformWithOxc(code, `example.${language}`, options);
  const module = await vite.moduleRunnerTransform(plain.code, plain.map as unknown as InputMap, path, code);
  if (module === null) throw new Error(`vite could not transform the example of ${path}`);
  return { code: module.code, map: new SourceMap(module.map as SourceMapPayload) };
}

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
async function execute({ block, recorder, filename, code }: Compiled, options: RunOptions): Promise<void> {
  const globals = Object.entries(options.globals ?? {}).map(([name, { value }]) => [name, value] as const);
  const load = loader(block, options);
  const given: Record<string, unknown> = {
    $doctest: recorder,
    console: recorder.console,
    __vite_ssr_import__: load,
    __vite_ssr_dynamic_import__: load,
    __vite_ssr_import_meta__: {
      url: pathToFileURL(block.path).href,
      dirname: dirname(block.path),
      filename: block.path,
    },
    __vite_ssr_exportName__: () => undefined,
    __vite_ssr_exportAll__: () => undefined,
    ...Object.fromEntries(globals),
  };
  const run = compileFunction(`return (async () => {${code}\n})();`, Object.keys(given), { filename });
  await (run(...Object.values(given)) as Promise<void>);
}

/** Loads what a block imports. */
function loader(block: Block, { modules = {}, load = defaultLoad }: RunOptions): (name: string) => Promise<unknown> {
  return (name) => {
    if (Object.hasOwn(modules, name)) return Promise.resolve(modules[name]);
    if (name === USING_HELPER) return Promise.resolve(usingModule);
    return load(/^\.\.?\//.test(name) ? resolve(dirname(block.path), name) : name);
  };
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
