/**
 * The last step of `npm run build`, for Node, in `dist/node`: a file of modules that typical calls need, and the files that the entries share,
 * divided: what runs at the start of most programs stays in them, the rest is required at the first call. Which functions these are is found by
 * running `first-calls.mjs`, of which those of plain calls are compiled with the file, and which are used together by running `later-calls.mjs`.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { analysed, type Declared } from "./analysis";
import { firstTexts, modulesFile } from "./modules-file";
import { recordedModules } from "./recorded";
import { CREATE_REQUIRE, divided, OF_VALUES } from "./split";

const dist = fileURLToPath(new URL("../../dist", import.meta.url));
const firstCalls = fileURLToPath(new URL("first-calls.mjs", import.meta.url));
const manyCalls = fileURLToPath(new URL("many-calls.mjs", import.meta.url));
const programs = fileURLToPath(new URL("programs.mjs", import.meta.url));
const laterCalls = fileURLToPath(new URL("later-calls.mjs", import.meta.url));

const MODULES = "modules.bin";
/** The files of dependencies with modules and without, and what stands for them where the library has both in itself. */
const [WITH, WITHOUT, IN_PARTS] = ["dependencies-node.js", "dependencies.js", "node"];

const modules = recordedModules();

/** The functions of `lib/node/dependencies.ts`, for files in `dist/node`. */
const DEPENDENCIES: Readonly<Record<string, string>> = {
  collections: `var collections=function(){return ${CREATE_REQUIRE}("immutable")};`,
  compression: `var compression=function(){return ${CREATE_REQUIRE}("fflate")};`,
  assembled: [
    `var firstTexts=${JSON.stringify(firstTexts(modules)).replaceAll('",', '",\n')};`,
    `function inFile(){return ${functionOf("finderIn", "lib/node/modules.ts")}(import.meta.url,"${MODULES}")}`,
    `var finderWith=${functionOf("finderWith", "lib/node/first-modules.ts")};`,
    `var findModule;`,
    `var assembled=(function(key,assemble){return(findModule??=finderWith(firstTexts,inFile))(key)??assemble()});`,
  ].join("\n"),
};

/** The file with these functions in it: finding another file took as long as a twentieth of the import. */
function withDependencies(main: string): string {
  const text = main.replaceAll(
    /^import \{ (\w+) \} from "#(?:dependencies|library\/assembled\.js)";$/gm,
    (_, name: string) => DEPENDENCIES[name]!,
  );
  const left = /^import .* from "#.*$/m.exec(text);
  if (left) throw new Error(`an import that is not replaced: ${left[0]}`);
  return text;
}

/** A function of a file of the library that imports no other library, as an expression. */
function functionOf(name: string, file: string): string {
  const entryPoints = [fileURLToPath(new URL(`../../${file}`, import.meta.url))];
  const { outputFiles } = buildSync({
    entryPoints,
    bundle: true,
    write: false,
    format: "esm",
    minify: true,
    target: "es2022",
  });
  const [, code, names] = /^(.*)export\{(.*)\};\s*$/s.exec(outputFiles[0]!.text)!;
  const inside = names!
    .split(",")
    .map((one) => one.split(" as "))
    .find((one) => one.at(-1) === name)![0];
  return `(function(){${code}return ${inside}})()`;
}

/** Where the functions begin that have run, by file. */
type Run = Readonly<Record<string, readonly number[]>>;

/** What a program says, given the files as bundlers get them, with the modules that Node has or without, or as Node gets them. */
const said = (program: string, dependencies: string, ...args: readonly string[]): unknown =>
  JSON.parse(
    execFileSync(
      process.execPath,
      [
        ...(dependencies === IN_PARTS ? [] : ["--conditions=module"]),
        program,
        join(dist, "index.js"),
        join(dist, dependencies),
        ...args,
      ],
      { encoding: "utf8" },
    ),
  );

mkdirSync(join(dist, "node/whole"), { recursive: true });
writeFileSync(join(dist, "node", MODULES), modulesFile(modules));
const runsOf = (program: string, dependenciesOf: (name: string) => string): Run[] =>
  (said(program, WITH) as string[]).map((name) => said(program, dependenciesOf(name), name) as Run);
/** What runs at the start of most programs: plain calls, a compiled function, other first calls, and calls that are made very often. */
const startsOf = (dependencies: string): readonly Run[] => [
  ...runsOf(firstCalls, () => dependencies),
  said(manyCalls, dependencies) as Run,
];
const atStart = startsOf(WITH);
const ofPrograms = runsOf(programs, () => WITH);
const later = runsOf(laterCalls, (group) => (["emitters", "modules"].includes(group) ? WITHOUT : WITH));
const files = readdirSync(dist).filter((name) => /^library-\w+\.js$/.test(name));

/** Characters of a short function. */
const SHORT = 200;

/** The names of what has run of a file: in the first of what programs do first, and in all of that. */
interface Called {
  readonly first: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
}

const hasRun = ({ from, to }: Declared, run: readonly number[] = []): boolean =>
  run.some((at) => at >= from && at < to);

/** What has run of the files in parts: of functions that values are made of less than of whole files, as values in parts are made later. */
function calledInParts(): ReadonlyMap<string, Called> {
  const runs = startsOf(IN_PARTS);
  return new Map(
    files.map((name) => {
      const { statements } = analysed(readFileSync(join(dist, "node", name), "utf8"));
      const namesOf = (run: Run): string[] => statements.filter((one) => hasRun(one, run[name])).map((one) => one.name);
      return [name, { first: new Set(runs.slice(0, 2).flatMap(namesOf)), all: new Set(runs.flatMap(namesOf)) }];
    }),
  );
}

/**
 * Where functions begin that are compiled with a file: those of plain calls, and the short ones of a first call of a compiled function, which few programs do without:
 * to read a function again takes longer than to compile it where it is short.
 */
function earlyOf(code: string, name: string, called: Called | undefined): readonly number[] {
  const [plain = [], compiled = []] = atStart.map((run) => run[name]);
  if (plain.length === 0) throw new Error(`${name} has not run`);
  const { statements } = analysed(code);
  const isEarly = (one: Declared): boolean =>
    (hasRun(one, plain) || one.to - one.from <= SHORT) && (called?.first.has(one.name) ?? true);
  const early = statements.filter(isEarly);
  return [...plain, ...compiled].filter((at) => early.some(({ from, to }) => at >= from && at < to));
}

/** Writes the files in parts, by what has run of whole files, and of those in parts as they were written before. */
function writeParts(called?: ReadonlyMap<string, Called>): void {
  const bundles = files.map((name) => {
    const code = readFileSync(join(dist, name), "utf8");
    return [name, analysed(code, earlyOf(code, name, called?.get(name)))] as const;
  });
  for (const name of readdirSync(join(dist, "node"))) if (name.endsWith(".cjs")) rmSync(join(dist, "node", name));
  const foreign = bundles.flatMap(([, { assigned, exported }]) => [...assigned].filter((one) => exported.has(one)));
  for (const [name, bundle] of bundles) {
    const groups = [...ofPrograms, ...later];
    const groupOf = (one: Declared): number => {
      if (atStart.some((run) => hasRun(one, run[name])))
        return called && !called.get(name)!.all.has(one.name) ? OF_VALUES : 0;
      const group = groups.findIndex((run) => hasRun(one, run[name]));
      return 1 + (group < 0 ? groups.length : group);
    };
    const file = name.replace(/\.js$/, "");
    const { main, parts } = divided(bundle, { groupOf, programs: ofPrograms.length }, new Set(foreign), file);
    writeFileSync(join(dist, "node", name), withDependencies(main));
    const partNames = parts.map((_, i) => `${file}.${i}.cjs`);
    for (const [i, text] of parts.entries()) writeFileSync(join(dist, "node", partNames[i]!), text);
    writeFileSync(join(dist, "node/whole", name), wholeText(name, partNames));
  }
}

writeParts();
for (let again = 0; again < 2; again++) writeParts(calledInParts());

/** Where Node loads whole files, modules are found by the function that is in parts. */
for (const [folder, up] of [
  ["node", ".."],
  ["node/whole", "../.."],
] as const) {
  writeFileSync(join(dist, folder, "assembled.js"), `export { assembled } from "${up}/dependencies-node.js";\n`);
}

/**
 * The file for those who look for files of Node without `module-sync`: the whole one. Tools that copy what a program reads (those of
 * Next.js, Nitro and Vercel) are among them and follow `require`, so what Node reads in place of the whole file is mentioned.
 */
function wholeText(name: string, partNames: readonly string[]): string {
  const others = [name, ...partNames].map((other) => `load("../${other}")`);
  // bundlers that follow `require` cannot parse the modules
  others.push(`new URL("../${MODULES}", import.meta.url)`);
  return [
    'import { createRequire } from "node:module";',
    `export * from "../../${name}";`,
    "// mentioned for tools that copy files, never called",
    "export const readByNode = () => {",
    "  const load = createRequire(import.meta.url);",
    `  return [${others.join(", ")}];`,
    "};\n",
  ].join("\n");
}
