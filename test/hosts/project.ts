/** A project in a folder of its own, with this package installed, in which hosts run the probe. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build, type BuildOptions } from "esbuild";

export interface Project {
  readonly folder: string;
  /** Writes a file of the project; its path. */
  write(name: string, text: string): string;
  remove(): void;
}

const PROBE = resolve(import.meta.dirname, "probe.cjs");

/** The text of the probe: an expression that is a function. */
export const probeText = (): string =>
  /module\.exports = (async function probe[\s\S]*?\n\});\n/.exec(readFileSync(PROBE, "utf8"))![1]!;

/** A module that runs the probe and prints what it found behind a mark. */
const RUN = `
const refusals = [];
const done = (value) => console.log("probe: " + JSON.stringify(value));
probe(Nx, { load, folder: FOLDER, refusals }).then(
  (found) => done({ ...found, refusals }),
  (error) => done({ error: String(error && error.stack) }),
);
`;

/** An empty project with the programs that hosts run; the package is put into its `node_modules` by the caller. */
export function createProject(): Project {
  const folder = mkdtempSync(join(tmpdir(), "nx-numerics-hosts-"));
  const write = (name: string, text: string): string => {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  write("package.json", JSON.stringify({ name: "hosts", private: true, type: "commonjs" }));
  write("configured/nx-numerics.config.js", "module.exports = { inspectLimit: 7 };\n");
  cpSync(PROBE, join(folder, "probe.cjs"));
  const text = RUN.replace("FOLDER", JSON.stringify(folder));
  write(
    "run.mjs",
    `import * as Nx from "nx-numerics";\nimport probe from "./probe.cjs";\nconst load = (name) => import(name);${text}`,
  );
  write(
    "run.cjs",
    `const Nx = require("nx-numerics");\nconst probe = require("./probe.cjs");\nconst load = async (name) => require(name);${text}`,
  );
  return { folder, write, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

const ENTRIES = {
  index: "lib/index.ts",
  files: "lib/files/index.ts",
  config: "lib/node/config.ts",
  doctest: "lib/doctest/index.ts",
};

/** Installs the package as it is built from these sources, without declarations. */
export async function installBuilt({ folder }: Project): Promise<void> {
  const target = join(folder, "node_modules/nx-numerics");
  mkdirSync(target, { recursive: true });
  cpSync("package.json", join(target, "package.json"));
  for (const name of ["immutable", "fflate", "lilconfig"]) {
    cpSync(join("node_modules", name), join(folder, "node_modules", name), { recursive: true });
  }
  const shared = { bundle: true, target: "es2022", platform: "node", logLevel: "error" } satisfies BuildOptions;
  const one = (name: string, file: string, format: "esm" | "cjs"): Promise<unknown> =>
    build({
      ...shared,
      format,
      entryPoints: [file],
      outfile: join(target, "dist", `${name}.${format === "esm" ? "js" : "cjs"}`),
      external: ["immutable", "fflate", "lilconfig", "nx-numerics", "vite", "vitest", "typescript"],
    });
  await Promise.all(
    Object.entries(ENTRIES).flatMap(([name, file]) => [one(name, file, "esm"), one(name, file, "cjs")]),
  );
}

/** What the probe found in a host. */
export interface Found {
  readonly backend: string;
  readonly threads: string;
  readonly scopes: string;
  readonly files: string;
  readonly configuration: string;
  readonly bits: string;
  /** Messages of what the host refused. */
  readonly refusals: readonly string[];
}

/** What the probe printed. */
export function foundIn(output: string): Found {
  const [, text] = /^probe: (\{.*\})$/m.exec(output) ?? [];
  if (text === undefined) throw new Error(`the probe said nothing:\n${output.slice(-2000)}`);
  const found = JSON.parse(text) as Found & { readonly error?: string };
  if (found.error !== undefined) throw new Error(`the probe failed: ${found.error}`);
  return found;
}
