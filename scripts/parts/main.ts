/**
 * The last step of `npm run build`, for Node, in `dist/node`: a file of modules that typical calls need, and the files that the entries share,
 * divided: what runs at the start of most programs stays in them, the rest is required at the first call. Which functions these are is found by
 * running `first-calls.mjs`, of which those of plain calls are compiled with the file, and which are used together by running `later-calls.mjs`.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { analysed, type Declared } from "./analysis";
import { firstTexts, modulesFile } from "./modules-file";
import { recordedModules } from "./recorded";
import { CREATE_REQUIRE, divided } from "./split";

const dist = fileURLToPath(new URL("../../dist", import.meta.url));
const firstCalls = fileURLToPath(new URL("first-calls.mjs", import.meta.url));
const manyCalls = fileURLToPath(new URL("many-calls.mjs", import.meta.url));
const programs = fileURLToPath(new URL("programs.mjs", import.meta.url));
const laterCalls = fileURLToPath(new URL("later-calls.mjs", import.meta.url));

const MODULES = "modules.bin";
/** The files of dependencies with modules and without. */
const [WITH, WITHOUT] = ["dependencies-node.js", "dependencies.js"];

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

/** What a program says, given the files as bundlers get them, with the modules that Node has or without. */
const said = (program: string, dependencies: string, ...args: readonly string[]): unknown =>
  JSON.parse(
    execFileSync(
      process.execPath,
      ["--conditions=module", program, join(dist, "index.js"), join(dist, dependencies), ...args],
      { encoding: "utf8" },
    ),
  );

mkdirSync(join(dist, "node/whole"), { recursive: true });
writeFileSync(join(dist, "node", MODULES), modulesFile(modules));
const runsOf = (program: string, dependenciesOf: (name: string) => string): Run[] =>
  (said(program, WITH) as string[]).map((name) => said(program, dependenciesOf(name), name) as Run);
const [plain, others] = runsOf(firstCalls, () => WITH) as [Run, Run];
const atStart = [plain, others, said(manyCalls, WITH) as Run];
const ofPrograms = runsOf(programs, () => WITH);
const later = runsOf(laterCalls, (group) => (["emitters", "modules"].includes(group) ? WITHOUT : WITH));
const files = readdirSync(dist).filter((name) => /^library-\w+\.js$/.test(name));
const bundles = files.map((name) => [name, analysed(readFileSync(join(dist, name), "utf8"), plain[name])] as const);
const foreign = bundles.flatMap(([, { assigned, exported }]) => [...assigned].filter((name) => exported.has(name)));
for (const [name, bundle] of bundles) {
  const hasRun = ({ from, to }: Declared, run: Run): boolean => (run[name] ?? []).some((at) => at >= from && at < to);
  if (!plain[name]?.length) throw new Error(`${name} has not run`);
  const groups = [...ofPrograms, ...later];
  const groupOf = (one: Declared): number => {
    if (atStart.some((run) => hasRun(one, run))) return 0;
    const group = groups.findIndex((run) => hasRun(one, run));
    return 1 + (group < 0 ? groups.length : group);
  };
  const file = name.replace(/\.js$/, "");
  const { main, parts } = divided(bundle, groupOf, new Set(foreign), file);
  writeFileSync(join(dist, "node", name), withDependencies(main));
  const partNames = parts.map((_, i) => `${file}.${i}.cjs`);
  for (const [i, text] of parts.entries()) writeFileSync(join(dist, "node", partNames[i]!), text);
  writeFileSync(join(dist, "node/whole", name), wholeText(name, partNames));
}

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
