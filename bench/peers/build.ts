/**
 * Turns the runners into plain modules, so that no loader stands between Node and what is measured. nx-numerics is bundled
 * from its source into the runner, or taken from its build.
 */
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Under node_modules of the bench package: the peers are found from there, and nobody formats or lints it. */
const FOLDER = at("../node_modules/.cache/runners/");

export type NxSource = "source" | "dist";

/** The source in another checkout of the library. */
export interface Checkout {
  readonly checkout: string;
}

function entryOf(from: NxSource | Checkout): string {
  if (from === "source") return at("../../lib/index.ts");
  return from === "dist" ? builtEntry() : resolve(from.checkout, "lib/index.ts");
}

/** The main entry as it is built, which has to be of the sources as they are: figures of an older build would stand beside new ones. */
export function builtEntry(): string {
  const [entry, sources] = [at("../../dist/index.js"), at("../../lib")];
  if (!existsSync(entry)) throw new Error(`${entry} is not there: run \`npm run build\` first`);
  const { mtimeMs } = statSync(entry);
  const newer = readdirSync(sources, { recursive: true, encoding: "utf8" }).find(
    (name) => name.endsWith(".ts") && statSync(join(sources, name)).mtimeMs > mtimeMs,
  );
  if (newer === undefined) return entry;
  throw new Error(`${entry} is older than ${newer}: run \`npm run build\` first`);
}

const folderOf = (from: NxSource | Checkout): string =>
  typeof from === "string" ? FOLDER : `${FOLDER}${basename(resolve(from.checkout))}/`;

const nameOf = (path: string): string => path.replace(/^.*\/|\.ts$/g, "");

/** Builds these programs, given by their paths from this folder, and gives the file of each. */
export async function buildPrograms(
  paths: readonly string[],
  from: NxSource | Checkout,
): Promise<(path: string) => string> {
  const [entry, folder] = [entryOf(from), folderOf(from)];
  if (!existsSync(entry)) throw new Error(`${entry} is not there`);
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: paths.map((path) => ({ in: at(path), out: nameOf(path) })),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "es2022",
    packages: "external",
    alias: { "nx-numerics": entry },
    ignoreAnnotations: true, // the entry of the source installs methods and backends
    logLevel: "error",
  });
  return (path) => `${folder}${nameOf(path)}.mjs`;
}

/** Builds the runners of libraries, and gives the file of each by its name. */
export async function buildRunners(
  names: readonly string[],
  from: NxSource | Checkout,
): Promise<(name: string) => string> {
  const pathOf = (name: string): string => `runners/${name}.ts`;
  const fileOf = await buildPrograms(names.map(pathOf), from);
  return (name) => fileOf(pathOf(name));
}
