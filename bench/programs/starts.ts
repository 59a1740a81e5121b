/**
 * What a program pays before it computes: the time of what is done for the first time, in fresh processes on one core, and the
 * size of the bundles it becomes.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { buildPrograms } from "../peers/build";
import type { Start } from "../report/results";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const FIRSTS: readonly (readonly [kind: string, name: string, most: number])[] = [
  ["import", "import", 25],
  ["kernel", "first kernel (add 1e5)", 2],
  ["reduction", "first reduction (sum 1e5)", 3],
  ["fused", "first call of ten fused operations on 8", 3],
];

const FRESH = "../programs/fresh.ts";
const LIBRARY = at("../../dist/index.js");
const PROCESSES = 9;

const hasTaskset = (): boolean => spawnSync("taskset", ["-c", "0", "true"]).status === 0;

/** One core where the system can hold a process there. */
function millisecondsOf(command: readonly string[]): number | null {
  const { status, stdout } = spawnSync(command[0]!, command.slice(1), { encoding: "utf8" });
  return status === 0 ? Number(stdout) / 1000 : null;
}

async function firsts(processes: number): Promise<Start[]> {
  const fileOf = await buildPrograms([FRESH], "source");
  const core = hasTaskset() ? ["taskset", "-c", "0"] : [];
  return FIRSTS.map(([kind, name, most]) => {
    const command = [...core, process.execPath, fileOf(FRESH), LIBRARY, kind];
    const times = Array.from({ length: processes }, () => millisecondsOf(command)).filter((time) => time !== null);
    return { name, unit: "ms", value: times.length > 0 ? Math.min(...times) : null, most };
  });
}

/** Programs, with the entry they are made of (the main one where it is not built) and what they may weigh. */
const BUNDLES: readonly (readonly [name: string, entry: string, code: string, most: number])[] = [
  [
    "bundle: element-wise, reductions, shape",
    "reference",
    "tensor, add, multiply, exp, sum, mean, reshape, transpose",
    60,
  ],
  [
    "bundle: the same with wasm and defn",
    "index",
    "tensor, add, multiply, exp, sum, mean, reshape, transpose, defn",
    110,
  ],
  ["bundle: everything", "index", "*", 200],
];

/** Kilobytes after gzip, dependencies included; null where the library has not been built. */
async function weigh(entry: string, names: string): Promise<number | null> {
  const file = [entry, "index"].map((name) => at(`../../dist/${name}.js`)).find(existsSync);
  if (file === undefined) return null;
  const contents = `export ${names === "*" ? "*" : `{ ${names} }`} from ${JSON.stringify(file)}`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: at("../..") },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    logLevel: "error",
  });
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).length / 1000;
}

/** All of it, of the library as it is built; quick with fewer processes. */
export async function starts(quick: boolean): Promise<Start[]> {
  const found = await firsts(quick ? 3 : PROCESSES);
  for (const [name, entry, names, most] of BUNDLES) {
    found.push({ name, unit: "kB", value: await weigh(entry, names), most });
  }
  return found;
}
