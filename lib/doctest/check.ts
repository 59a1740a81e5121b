/** Type-checking blocks: all in one program, each a module of its own beside the file it is from. Runs nothing. */

import { basename, dirname, join, resolve } from "node:path";
import type ts from "typescript";
import { readSkip } from "./expectations";
import type { DoctestError } from "./failure";
import { failAt, type Place, placeAt, sourceLine } from "./failure";
import { asModule, declaredNames, parseBlock } from "./parse";
import { loadTypeScript, type TypeScript } from "./peers";
import type { Block, CheckOptions, GlobalBinding } from "./types";

/**
 * Checks the types of examples with the options of the project's tsconfig (unused names are allowed).
 *
 * @param blocks - the examples, from {@link extract}
 * @param options - the tsconfig, and the modules behind names that need no import
 * @returns for each block that does not compile, one error that lists all of the compiler's messages
 *
 * ```ts
 * import { checkTypes, extractFrom } from "nx-numerics/doctest";
 *
 * const blocks = await extractFrom("~~~ts\nconst n: number = 1;\n~~~\n~~~ts\nconst n: number = 'one';\n~~~", "sums.md");
 * const errors = await checkTypes(blocks);
 * errors.has(blocks[0]!);
 * // => false
 *
 * throw errors.get(blocks[1]!);
 * // throws DoctestError: sums.md:5:7 error TS2322: Type 'string' is not assignable to type 'number'.
 * ```
 */
export async function checkTypes(
  blocks: readonly Block[],
  options: CheckOptions = {},
): Promise<Map<Block, DoctestError>> {
  const typescript = await loadTypeScript();
  const root = resolve(options.root ?? ".");
  const config = readConfig(typescript, root, options.tsconfig);
  const modules = new Map<string, VirtualModule>();
  for (const block of blocks) {
    if (readSkip(block.code) !== null) continue;
    const module = virtualModule(typescript, block, options.globals ?? {}, root, config.options);
    modules.set(module.path, module);
  }
  const program = typescript.createProgram({
    rootNames: [...modules.keys(), ...config.fileNames.filter((name) => /\.d\.[cm]?ts$/.test(name))],
    options: config.options,
    host: hostWith(typescript, config.options, modules),
  });
  const failures = new Map<Block, DoctestError>();
  for (const module of modules.values()) {
    const error = errorOf(typescript, program, module);
    if (error !== null) failures.set(module.block, error);
  }
  return failures;
}

interface VirtualModule {
  readonly block: Block;
  readonly path: string;
  readonly text: string;
}

/** One line of imports, then the block: line `k` of the block is line `k + 1` of the module. */
function virtualModule(
  typescript: TypeScript,
  block: Block,
  globals: Readonly<Record<string, GlobalBinding>>,
  root: string,
  options: ts.CompilerOptions,
): VirtualModule {
  const own = declaredNames(typescript, parseBlock(typescript, block.code));
  const imports = Object.entries(globals)
    .filter(([name]) => !own.has(name))
    .map(([name, binding]) => importText(name, binding, root));
  const end = isNodeNext(typescript, options) ? "mts" : "ts"; // .mts: a module whatever package.json says
  const name = `${basename(block.path)}.doctest-${block.line}.${end}`;
  const path = join(dirname(block.path), name).replaceAll("\\", "/");
  return { block, path, text: `${imports.join(" ")}\n${asModule(block.code)}` };
}

function importText(name: string, binding: GlobalBinding, root: string): string {
  const target = binding.module.startsWith(".") ? resolve(root, binding.module).replaceAll("\\", "/") : binding.module;
  const clause = binding.export === undefined ? `* as ${name}` : `{ ${binding.export} as ${name} }`;
  return `import ${clause} from ${JSON.stringify(target)};`;
}

const isNodeNext = (typescript: TypeScript, { module }: ts.CompilerOptions): boolean =>
  module !== undefined && module >= typescript.ModuleKind.Node16 && module <= typescript.ModuleKind.NodeNext;

/** The project's options, but for what makes no sense for an example or would forbid `await` at its top. */
function readConfig(typescript: TypeScript, root: string, given: string | undefined): ts.ParsedCommandLine {
  const path = given === undefined ? typescript.findConfigFile(root, typescript.sys.fileExists) : resolve(root, given);
  const raw = path === undefined ? { config: {} } : typescript.readConfigFile(path, typescript.sys.readFile);
  if (raw.error !== undefined) {
    throw new Error(`cannot read ${path}: ${typescript.flattenDiagnosticMessageText(raw.error.messageText, "\n")}`);
  }
  const parsed = typescript.parseJsonConfigFileContent(
    raw.config,
    typescript.sys,
    path === undefined ? root : dirname(path),
  );
  const { rootDir: _, tsBuildInfoFile: __, outDir: ___, ...options } = parsed.options;
  const { ScriptTarget, ModuleKind, ModuleResolutionKind } = typescript;
  const strict = path === undefined ? { strict: true } : {};
  const module = isNodeNext(typescript, options)
    ? {}
    : { module: ModuleKind.ESNext, moduleResolution: ModuleResolutionKind.Bundler };
  const fixed = { noEmit: true, composite: false, incremental: false, declaration: false, declarationMap: false };
  const lenient = {
    noUnusedLocals: false,
    noUnusedParameters: false,
    allowUnusedLabels: true,
    isolatedDeclarations: false,
  };
  const target = Math.max(options.target ?? ScriptTarget.ES2022, ScriptTarget.ES2022);
  return { ...parsed, options: { ...strict, ...options, ...module, ...fixed, ...lenient, target, skipLibCheck: true } };
}

function hostWith(
  typescript: TypeScript,
  options: ts.CompilerOptions,
  modules: ReadonlyMap<string, VirtualModule>,
): ts.CompilerHost {
  const host = typescript.createCompilerHost(options, true);
  const { fileExists, readFile, getSourceFile } = host;
  return {
    ...host,
    fileExists: (path) => modules.has(path) || fileExists(path),
    readFile: (path) => modules.get(path)?.text ?? readFile(path),
    getSourceFile: (path, languageVersion, ...rest) => {
      const text = modules.get(path)?.text;
      if (text === undefined) return getSourceFile(path, languageVersion, ...rest);
      return typescript.createSourceFile(path, text, languageVersion, true);
    },
  };
}

function errorOf(typescript: TypeScript, program: ts.Program, { block, path }: VirtualModule): DoctestError | null {
  const source = program.getSourceFile(path)!;
  const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  const errors = found.filter(({ category }) => category === typescript.DiagnosticCategory.Error);
  const told = errors.map((diagnostic) => {
    const { line, character } = source.getLineAndCharacterOfPosition(diagnostic.start ?? 0);
    const place = placeAt(block, line - 1, character);
    const message = typescript.flattenDiagnosticMessageText(diagnostic.messageText, "\n");
    return line === 0 ? inHeader(block, message) : { place, text: `error TS${diagnostic.code}: ${message}` };
  });
  if (told.length === 0) return null;
  const [first, ...others] = told as [Told, ...Told[]];
  const rest = others.map(
    ({ place, text }) => `${block.file}:${place.line}:${place.column} ${text}${sourceLine(block, place)}`,
  );
  return failAt("type", block, first.place, [first.text, ...rest].join("\n"));
}

interface Told {
  readonly place: Place;
  readonly text: string;
}

/** The imports that stand for `globals` are not the author's text: say whose fault it is. */
const inHeader = (block: Block, message: string): Told => ({
  place: { line: block.line, column: 1 },
  text: `the option \`globals\` does not type-check: ${message}`,
});
