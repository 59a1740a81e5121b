/** The recipes of docs/bundlers.md, run as they stand there. */
import { readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { execute } from "./local";
import type { Project } from "./project";

/** Files and commands of the page by their titles. */
function recipes(): ReadonlyMap<string, string> {
  const page = readFileSync("docs/bundlers.md", "utf8");
  const blocks = page.matchAll(/^```\w+ title="([^"]+)"\n([\s\S]*?)^```$/gm);
  return new Map([...blocks].map(([, title, text]) => [title!, text!]));
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

/** Builds the program of the page with each bundler and runs it; what went wrong, by bundler. */
export async function tryBundlers({ folder, write }: Project): Promise<ReadonlyMap<string, string | null>> {
  const titles = recipes();
  const here = join(folder, "bundles");
  write("bundles/package.json", JSON.stringify({ private: true, type: "module" }));
  for (const [title, text] of titles) if (title !== "esbuild") write(`bundles/${title}`, text);
  write("bundles/webpack.mjs", WEBPACK);
  symlinkSync(resolve("node_modules/vite"), join(folder, "node_modules/vite"), "junction");
  const outcomes = new Map<string, string | null>();
  for (const [name, commandOf] of Object.entries(COMMANDS)) {
    const [command, ...args] = commandOf(here, titles);
    const told = await execute(command!, args, here);
    const printed = await execute(process.execPath, [`dist/${name}.mjs`], here);
    const isRight = printed.includes("f32[day: 2]\n  [-1.0, 1.0]");
    const isQuiet = !/warn|error/i.test(told);
    outcomes.set(name, isRight && isQuiet ? null : `${told}\n${printed}`.slice(-3000));
  }
  return outcomes;
}
