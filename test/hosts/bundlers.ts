/** The recipes of docs/bundlers.md, run as they stand there. */
import { readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
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

/** webpack without the package of its command line. */
const WEBPACK = `
import webpack from "webpack";
import config from "./webpack.config.mjs";
webpack(config, (error, stats) => {
  if (error || stats.hasErrors() || stats.hasWarnings()) console.log(error ?? stats.toString());
});
`;

const COMMANDS: Readonly<Record<string, (folder: string, titles: ReadonlyMap<string, string>) => readonly string[]>> = {
  esbuild: (_, titles) => titles.get("esbuild")!.trim().replace("npx esbuild", bin("esbuild")).split(" "),
  rollup: (folder) => [join(folder, "../node_modules/.bin/rollup"), "--config", "rollup.config.mjs", "--silent"],
  webpack: () => [process.execPath, "webpack.mjs"],
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

/** By how much a bundle is heavier that the recipe does not minify. */
const UNMINIFIED: Readonly<Record<string, number>> = { rollup: 1.42 };

/** Builds the programs of the page with each bundler and runs them; what went wrong, by bundler. */
export async function tryBundlers({ folder, write }: Project): Promise<ReadonlyMap<string, string | null>> {
  const titles = recipes();
  const here = join(folder, "bundles");
  write("bundles/package.json", JSON.stringify({ private: true, type: "module" }));
  write("bundles/webpack.mjs", WEBPACK);
  symlinkSync(resolve("node_modules/vite"), join(folder, "node_modules/vite"), "junction");
  const outcomes = new Map<string, string | null>();
  for (const [program, { prints, budget }] of Object.entries(PROGRAMS)) {
    const asked = new Map([...titles].map(([title, text]) => [title, text.replace("src/main.js", program)]));
    for (const [title, text] of asked) if (title !== "esbuild") write(`bundles/${title}`, text);
    for (const [name, commandOf] of Object.entries(COMMANDS)) {
      const [command, ...args] = commandOf(here, asked);
      const told = await execute(command!, args, here);
      const bundle = join(here, `dist/${name}.mjs`);
      const printed = await execute(process.execPath, [bundle], here);
      const weight = gzipSync(readFileSync(bundle), { level: 9 }).length / 1000;
      const most = budget * (UNMINIFIED[name] ?? 1);
      const isRight = printed.includes(prints) && weight <= most;
      const isQuiet = !/warn|error/i.test(told);
      const problem = `${told}\n${printed}\n${weight.toFixed(1)} kB, at most ${most.toFixed(0)}`.slice(-3000);
      outcomes.set(`${name}, ${program}`, isRight && isQuiet ? null : problem);
    }
  }
  return outcomes;
}
