/**
 * Divides the files that the entries share for Node, in `dist/node`: what runs at the start of most programs stays in them, the rest is required at the
 * first call. Which functions these are is found by running `first-calls.mjs`, and which are used together by running `later-calls.mjs`. Runs as the last
 * step of `npm run build`.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { analysed, type Declared } from "./analysis";
import { divided } from "./split";

const dist = fileURLToPath(new URL("../../dist", import.meta.url));
const firstCalls = fileURLToPath(new URL("first-calls.mjs", import.meta.url));
const laterCalls = fileURLToPath(new URL("later-calls.mjs", import.meta.url));

/** The libraries that few programs need, by the functions of `lib/node/dependencies.ts` that require them. */
const REQUIRED: Readonly<Record<string, string>> = { collections: "immutable", compression: "fflate" };

/** The file with these functions in it: finding another file took as long as a twentieth of the import. */
const withRequired = (main: string): string =>
  main.replaceAll(
    /^import \{ (\w+) \} from "#dependencies";$/gm,
    (_, name: string) => `var ${name}=()=>createRequire(import.meta.url)("${REQUIRED[name]!}");`,
  );

/** Where the functions begin that have run, by file. */
type Run = Readonly<Record<string, readonly number[]>>;

/** What a program says, given the files as bundlers get them. */
const said = (program: string, ...args: readonly string[]): unknown =>
  JSON.parse(
    execFileSync(process.execPath, ["--conditions=module", program, join(dist, "index.js"), ...args], {
      encoding: "utf8",
    }),
  );

const groups = said(laterCalls) as string[];
const runs = [said(firstCalls), ...groups.map((group) => said(laterCalls, group))] as Run[];
const files = readdirSync(dist).filter((name) => /^library-\w+\.js$/.test(name));
const bundles = files.map((name) => [name, analysed(readFileSync(join(dist, name), "utf8"))] as const);
const foreign = bundles.flatMap(([, { assigned, exported }]) => [...assigned].filter((name) => exported.has(name)));
mkdirSync(join(dist, "node/whole"), { recursive: true });
for (const [name, bundle] of bundles) {
  const begun = runs.map((run) => run[name] ?? []);
  if (begun[0]!.length === 0) throw new Error(`${name} has not run`);
  const groupOf = ({ from, to }: Declared): number => {
    const group = begun.findIndex((run) => run.some((at) => at >= from && at < to));
    return group < 0 ? begun.length : group;
  };
  const file = name.replace(/\.js$/, "");
  const { main, parts } = divided(bundle, groupOf, new Set(foreign), file);
  writeFileSync(join(dist, "node", name), withRequired(main));
  const partNames = parts.map((_, i) => `${file}.${i}.cjs`);
  for (const [i, text] of parts.entries()) writeFileSync(join(dist, "node", partNames[i]!), text);
  writeFileSync(join(dist, "node/whole", name), wholeText(name, partNames));
}

/**
 * The file for those who look for files of Node without `module-sync`: the whole one. Tools that copy what a program reads (those of
 * Next.js, Nitro and Vercel) are among them and follow `require`, so what Node reads in place of the whole file is mentioned.
 */
function wholeText(name: string, partNames: readonly string[]): string {
  const others = [name, ...partNames].map((other) => `load("../${other}")`);
  return [
    'import { createRequire } from "node:module";',
    `export * from "../../${name}";`,
    "const load = createRequire(import.meta.url);",
    "// mentioned for tools that copy files, never called",
    `export const readByNode = () => [${others.join(", ")}];\n`,
  ].join("\n");
}
