/** The recipes of docs/bundlers.md, run as they stand there. */
import { readFileSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { execute } from "./local";
import type { Project } from "./project";

/** Files and commands of the page by their titles. */
function recipes(): ReadonlyMap<string, string> {
  const page = readFileSync("docs/bundlers.md", "utf8");
  const blocks = page.matchAll(/^```\w+ title="([^"]+)"\n([\s\S]*?)^```$/gm);
  return new Map([["src/methods.js", METHODS], ...[...blocks].map(([, title, text]) => [title!, text!] as const)]);
}

const bin = (name: string): string => resolve("node_modules/.bin", name);

/**
 * webpack without the package of its command line: all programs in one process, since its minifier is warm from the second on. That is terser, which
 * takes 40 s of the processor for the four programs, as the recipe stands; in CI for the smallest alone, and esbuild for the others, which
 * leaves out the same functions and whose bundles weigh 3 to 6 % more.
 */
const WEBPACK = `
import Minimizer from "minimizer-webpack-plugin";
import webpack from "webpack";
import config from "./webpack.config.mjs";
const minimizerOptions = { treeShaking: true, format: "esm", target: "es2022" };
const esbuild = { minimizer: [new Minimizer({ parallel: false, minify: Minimizer.esbuildMinify, minimizerOptions })] };
const all = process.argv.slice(2).map((program) => ({
  ...config,
  entry: config.entry.replace("src/main.js", program),
  output: { ...config.output, filename: program + "." + config.output.filename },
  ...(process.env.CI === "true" && program !== "src/small.js" ? { optimization: esbuild } : {}),
}));
webpack(Object.assign(all, { parallelism: 1 }), (error, stats) => {
  if (error || stats.hasErrors() || stats.hasWarnings()) console.log(error ?? stats.toString());
});
`;

/** What runs for seconds takes 0.85 of the processor's time with a large nursery and where V8 optimises less. */
const FLAGS = [
  "--interrupt-budget=600000",
  "--single-threaded-gc",
  "--min-semi-space-size=128",
  "--max-semi-space-size=128",
];

/** Bundlers that have a process for each program. */
const COMMANDS: Readonly<Record<string, (folder: string, titles: ReadonlyMap<string, string>) => readonly string[]>> = {
  esbuild: (_, titles) => titles.get("esbuild")!.trim().replace("npx esbuild", bin("esbuild")).split(" "),
  rollup: (folder) => {
    const cli = join(folder, "../node_modules/rollup/dist/bin/rollup");
    return [process.execPath, ...FLAGS, cli, "--config", "rollup.config.mjs", "--silent"];
  },
  vite: () => [bin("vite"), "build", "--config", "vite.config.mjs", "--logLevel", "warn"],
};

/** A program whose functions the main entry only passes on, so that nothing of the entry is left but what it installs. */
const METHODS = `import { tensor } from "nx-numerics";
const t = tensor([1, 2]);
console.log(t.backend.name, String(t.add(1)));
`;

/** This program and those of the page: what each prints, and the kilobytes that its bundle may weigh, compressed. */
const PROGRAMS = {
  "src/methods.js": { prints: "wasm #Nx.Tensor<\n  s64[2]\n  [2, 3]", budget: 260 },
  "src/main.js": { prints: "f32[day: 2]\n  [-1.0, 1.0]", budget: 336 },
  "src/core.js": { prints: "f32[day: 2]\n  [-1.0, 1.0]", budget: 158 },
  "src/small.js": { prints: "f32[week: 2]\n  [3.0, 3.0]", budget: 65 },
} as const;

type Program = keyof typeof PROGRAMS;

/** By how much a bundle is heavier that the recipe does not minify. */
const UNMINIFIED: Readonly<Record<string, number>> = { rollup: 1.42 };

/** What is printed by a bundle, and what is wrong with that, with its weight, or with what its bundler told. */
async function problemOf(bundler: string, bundle: string, told: string, program: Program): Promise<string | null> {
  const { prints, budget } = PROGRAMS[program];
  const printed = await execute(process.execPath, [bundle], dirname(bundle));
  const weight = gzipSync(readFileSync(bundle), { level: 9 }).length / 1000;
  const most = budget * (UNMINIFIED[bundler] ?? 1);
  const isRight = printed.includes(prints) && weight <= most && !/warn|error/i.test(told);
  return isRight ? null : `${told}\n${printed}\n${weight.toFixed(1)} kB, at most ${most.toFixed(0)}`.slice(-3000);
}

/** Builds the programs of the page with each bundler and runs them; what went wrong, by bundler. */
export async function tryBundlers({ folder, write }: Project): Promise<ReadonlyMap<string, string | null>> {
  const titles = recipes();
  const here = join(folder, "bundles");
  const programs = Object.keys(PROGRAMS) as Program[];
  write("bundles/package.json", JSON.stringify({ private: true, type: "module" }));
  write("bundles/webpack.mjs", WEBPACK);
  for (const [title, text] of titles) if (title !== "esbuild") write(`bundles/${title}`, text);
  for (const name of ["vite", "esbuild"])
    symlinkSync(resolve("node_modules", name), join(folder, "node_modules", name), "junction");
  const outcomes = new Map<string, string | null>();
  const told = await execute(process.execPath, [...FLAGS, "webpack.mjs", ...programs], here);
  for (const program of programs) {
    const bundle = join(here, `dist/${program}.webpack.mjs`);
    outcomes.set(`webpack, ${program}`, await problemOf("webpack", bundle, told, program));
  }
  for (const program of programs) {
    const asked = new Map([...titles].map(([title, text]) => [title, text.replace("src/main.js", program)]));
    for (const [title, text] of asked) if (title.includes(".config.")) write(`bundles/${title}`, text);
    for (const [name, commandOf] of Object.entries(COMMANDS)) {
      const [command, ...args] = commandOf(here, asked);
      const said = await execute(command!, args, here);
      outcomes.set(`${name}, ${program}`, await problemOf(name, join(here, `dist/${name}.mjs`), said, program));
    }
  }
  return outcomes;
}
