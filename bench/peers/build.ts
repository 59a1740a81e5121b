/**
 * Turns the runners into plain modules, so that no loader stands between Node and what is measured. nx-numerics is bundled
 * from its source into the runner, or taken from its build.
 */
import { existsSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Under node_modules of the bench package: the peers are found from there, and nobody formats or lints it. */
const FOLDER = at("../node_modules/.cache/runners/");

export type NxSource = "source" | "dist";

const ENTRIES: Readonly<Record<NxSource, string>> = {
  source: at("../../lib/index.ts"),
  dist: at("../../dist/index.js"),
};

/** Builds these runners and gives the file of each. */
export async function buildRunners(names: readonly string[], from: NxSource): Promise<(name: string) => string> {
  const entry = ENTRIES[from];
  if (!existsSync(entry)) throw new Error(`${entry} is not there: run \`npm run build\` or measure \`--nx source\``);
  mkdirSync(FOLDER, { recursive: true });
  await build({
    entryPoints: names.map((name) => at(`runners/${name}.ts`)),
    outdir: FOLDER,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "es2022",
    packages: "external",
    alias: { "nx-numerics": entry },
    logLevel: "error",
  });
  return (name) => `${FOLDER}${name}.mjs`;
}
