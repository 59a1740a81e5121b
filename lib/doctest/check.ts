/**
 * Type-checking blocks by the project's own `tsc`: all in one run, each a module of its own, in a folder that stands for the project's
 * (`rootDirs`), so that imports resolve as they do beside the file a block is from. Runs no example.
 */

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { readSkip } from "./expectations";
import type { DoctestError } from "./failure";
import { failAt, type Place, placeAt, sourceLine, syntaxError } from "./failure";
import { findTsc, loadVite } from "./peers";
import { asModule, declaredNames, parse, type Source } from "./syntax";
import type { Block, CheckOptions, GlobalBinding } from "./types";

/**
 * Checks the types of examples with the options of the project's tsconfig (unused names are allowed).
 *
 * @param blocks - the examples, from {@link extract}; those in JavaScript are left alone
 * @param options - the tsconfig, and the modules behind names that need no import
 * @returns for each block that does not compile, one error that lists all of the compiler's messages
 * @throws Error where `typescript` is not installed, or the tsconfig cannot be read
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
  const root = resolve(options.root ?? ".");
  const tsc = options.tsc === undefined ? findTsc(root) : resolve(root, options.tsc);
  const project = await readProject(tsc, root, options.tsconfig);
  const vite = await loadVite();
  const sources = blocks
    .filter(({ code, language }) => language === "ts" && readSkip(code) === null)
    .map((block) => ({ block, source: parse(vite, asModule(block.code), "ts") }));
  const failures = new Map<Block, DoctestError>();
  for (const { block, source } of sources) {
    const error = syntaxError(block, source);
    if (error !== null) failures.set(block, error);
  }
  const parsed = sources.filter(({ block }) => !failures.has(block));
  if (parsed.length === 0) return failures;
  const folder = await makeFolder(root);
  try {
    const modules = parsed.map((given, i) => moduleOf(given, i, { root, folder, project, options }));
    return new Map([...failures, ...(await checkModules(tsc, modules, { root, folder, project, options }))]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Where there are errors of syntax, `tsc` tells no others, so the blocks that have some are taken out for a second run. */
async function checkModules(
  tsc: string,
  modules: readonly BlockModule[],
  { root, folder, project }: Surroundings,
): Promise<Map<Block, DoctestError>> {
  for (const { path, text } of modules) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  const check = async (those: readonly BlockModule[]): Promise<Map<Block, DoctestError>> => {
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(configOf(project, root, folder, those)));
    return failuresOf(those, await runTsc(tsc, ["-p", folder, "--pretty", "false"], folder), folder);
  };
  const found = await check(modules);
  if (![...found.values()].some(({ message }) => / error TS1\d{3}: /.test(message))) return found;
  return new Map([...found, ...(await check(modules.filter(({ block }) => !found.has(block))))]);
}

/** What is used of a project's tsconfig. */
interface Project {
  readonly path: string | null;
  readonly module: string | undefined;
  readonly target: string | undefined;
  /** Its declaration files, for types that are global. */
  readonly declarations: readonly string[];
}

async function readProject(tsc: string, root: string, given: string | undefined): Promise<Project> {
  const path = given === undefined ? nearest(root, "tsconfig.json") : resolve(root, given);
  if (path === null) return { path, module: undefined, target: undefined, declarations: [] };
  const { stdout } = await runTsc(tsc, ["-p", path, "--showConfig"], root);
  if (!stdout.trimStart().startsWith("{")) throw new Error(`cannot read ${path}: ${stdout.trim()}`);
  const { compilerOptions = {}, files = [] } = JSON.parse(stdout) as {
    compilerOptions?: { module?: string; target?: string };
    files?: string[];
  };
  const declarations = files.filter((name) => /\.d\.[cm]?ts$/.test(name)).map((name) => resolve(dirname(path), name));
  return { path, module: compilerOptions.module, target: compilerOptions.target, declarations };
}

/** The nearest file or folder of a name, from a folder upwards. */
function nearest(from: string, name: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, name))) return join(folder, name);
    if (dirname(folder) === folder) return null;
  }
}

/** A folder below `node_modules`, from where packages are found as they are from the project. */
async function makeFolder(root: string): Promise<string> {
  const cache = join(nearest(root, "node_modules") ?? join(root, "node_modules"), ".cache", "nx-numerics-doctest");
  await mkdir(cache, { recursive: true });
  return mkdtemp(join(cache, "check-"));
}

/** Where blocks are checked. */
interface Surroundings {
  readonly root: string;
  readonly folder: string;
  readonly project: Project;
  readonly options: CheckOptions;
}

/** A block as a file: one line of imports, then the block, so that line `k` of the block is line `k + 1` of the file. */
interface BlockModule {
  readonly block: Block;
  readonly path: string;
  readonly text: string;
}

function moduleOf(
  { block, source }: { readonly block: Block; readonly source: Source },
  i: number,
  { root, folder, project, options }: Surroundings,
): BlockModule {
  const own = declaredNames(source);
  const imports = Object.entries(options.globals ?? {})
    .filter(([name]) => !own.has(name))
    .map(([name, binding]) => importText(name, binding, root, block));
  const beside = relative(root, dirname(block.path)).replaceAll("..", "__");
  const end = isNodeNext(project) ? "mts" : "ts"; // .mts: a module whatever package.json says
  const path = join(folder, beside, `${basename(block.path)}.doctest-${block.line}-${i}.${end}`);
  return { block, path, text: `${imports.join(" ")}\n${asModule(block.code)}` };
}

function importText(name: string, binding: GlobalBinding, root: string, block: Block): string {
  const clause = binding.export === undefined ? `* as ${name}` : `{ ${binding.export} as ${name} }`;
  return `import ${clause} from ${JSON.stringify(specifierOf(binding.module, root, block))};`;
}

/** A module of the project, which counts from the root, as the block's file would name it. */
function specifierOf(module: string, root: string, block: Block): string {
  if (!module.startsWith(".")) return module;
  const path = relative(dirname(block.path), resolve(root, module)).replaceAll("\\", "/");
  return path.startsWith(".") ? path : `./${path}`;
}

const isNodeNext = ({ module }: Project): boolean => /^node/i.test(module ?? "");

/** The project's options, but for what makes no sense for an example or would forbid `await` at its top. */
function configOf(project: Project, root: string, folder: string, modules: readonly BlockModule[]): object {
  const isOld = /^es(?:3|5|6|20(?:1\d|2[01]))$/i.test(project.target ?? "es5");
  return {
    ...(project.path === null ? {} : { extends: project.path }),
    compilerOptions: {
      ...(project.path === null ? { strict: true } : {}),
      ...(isNodeNext(project) ? {} : { module: "esnext", moduleResolution: "bundler" }),
      ...(isOld ? { target: "es2022" } : {}),
      ...{ noEmit: true, composite: false, incremental: false, declaration: false, declarationMap: false },
      ...{ emitDeclarationOnly: false, tsBuildInfoFile: null, rootDir: null, outDir: null },
      ...{ noUnusedLocals: false, noUnusedParameters: false, allowUnusedLabels: true, isolatedDeclarations: false },
      rootDirs: [root, folder],
      skipLibCheck: true,
    },
    files: [...modules.map(({ path }) => path), ...project.declarations],
    include: [],
    references: [],
  };
}

const runTsc = (tsc: string, args: readonly string[], cwd: string): Promise<{ stdout: string }> =>
  new Promise((done, fail) => {
    execFile(process.execPath, [tsc, ...args], { cwd, maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      if (stdout === "" && stderr !== "") fail(new Error(`tsc: ${stderr.trim()}`, { cause: error }));
      else done({ stdout });
    });
  });

/** The compiler's messages: `file(line,column): error TS1: text`, whose text may go on over indented lines. */
function failuresOf(modules: readonly BlockModule[], { stdout }: { stdout: string }, cwd: string) {
  const byPath = new Map(modules.map((module) => [module.path, module]));
  const told = new Map<Block, Told[]>();
  for (const [, file, line, column, text] of stdout.matchAll(MESSAGE)) {
    const block = byPath.get(resolve(cwd, file!))?.block;
    if (block === undefined) continue;
    const place = placeAt(block, Number(line) - 2, Number(column) - 1);
    const one = line === "1" ? inHeader(block, text!) : { place, text: text!.trimEnd() };
    told.set(block, [...(told.get(block) ?? []), one]);
  }
  return new Map([...told].map(([block, all]) => [block, errorOf(block, all)]));
}

const MESSAGE = /^(\S.*)\((\d+),(\d+)\): (error TS\d+: .*(?:\n[ \t]+.*)*)/gm;

interface Told {
  readonly place: Place;
  readonly text: string;
}

function errorOf(block: Block, [first, ...others]: readonly Told[]): DoctestError {
  const rest = others.map(
    ({ place, text }) => `${block.file}:${place.line}:${place.column} ${text}${sourceLine(block, place)}`,
  );
  return failAt("type", block, first!.place, [first!.text, ...rest].join("\n"));
}

/** The imports that stand for `globals` are not the author's text: say whose fault it is. */
const inHeader = (block: Block, message: string): Told => ({
  place: { line: block.line, column: 1 },
  text: `the option \`globals\` does not type-check: ${message.replace(/^error TS\d+: /, "")}`,
});
