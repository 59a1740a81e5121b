/**
 * What the numbers of the pages of thresholds (lib/backends/wasm/schedule/) are worth on this machine: works around each of them, with
 * the number of the page and with others.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildPrograms } from "../peers/build";
import { aligned } from "../report/text";
import type { ThresholdLine, Trial, Variant } from "../thresholds/protocol";
import { thresholds, type Threshold } from "../thresholds/table";
import { matching, type Options } from "./options";

const PROGRAM = "../thresholds/measure-thresholds.ts";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const pages = at("../../lib/backends/wasm/schedule/");
const FOLDER = at("../node_modules/.cache/thresholds/");

/** The page of a threshold with another value of it, and the value that it has. */
function changed(
  name: string,
  value: number | null,
): { readonly page: string; readonly text: string; readonly found: number } {
  const line = new RegExp(String.raw`^((?:export )?const ${name} = )([\d_.e/* +-]+);$`, "m");
  const page = readdirSync(pages).find((file) => line.test(readFileSync(pages + file, "utf8")));
  if (page === undefined) throw new Error(`lib/backends/wasm/schedule/ has no number ${name}`);
  const text = readFileSync(pages + page, "utf8");
  const number = line.exec(text)![2]!.replaceAll("_", "");
  const [base, power] = number.split("**").map(Number);
  const today = power === undefined ? number.split("*").reduce((all, part) => all * Number(part), 1) : base! ** power;
  return { page, text: value === null ? text : text.replace(line, `$1${value};`), found: today };
}

/** The library with a value of a threshold; null for the value of the page. */
async function variant(name: string, value: number | null): Promise<Variant> {
  const { page, text, found } = changed(name, value);
  const file = `${FOLDER}${value === null ? "today" : `${name}-${value}`}.mjs`;
  await build({
    entryPoints: [at("../../lib/index.ts")],
    outfile: file,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "es2022",
    packages: "external",
    ignoreAnnotations: true, // the entry of the source installs methods and backends
    logLevel: "error",
    plugins: [
      {
        name: "threshold",
        setup: ({ onLoad }) =>
          onLoad({ filter: /backends[/\\]wasm[/\\]schedule[/\\]/ }, ({ path }) =>
            basename(path) === page ? { contents: text, loader: "ts" } : undefined,
          ),
      },
    ],
  });
  return { value: value ?? found, file };
}

async function tried({ name, values, threads = 1 }: Threshold, program: string): Promise<void> {
  const variants = [await variant(name, null)];
  for (const value of values) variants.push(await variant(name, value));
  const trial: Trial = { name, variants };
  const { status, stdout } = spawnSync(process.execPath, [program, JSON.stringify(trial)], {
    env: { ...process.env, NX_THREADS: String(threads) },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`the process that tries ${name} ended with ${status}`);
  const rows = (JSON.parse(stdout) as ThresholdLine[]).map(({ work, microseconds: [first, ...others] }) => [
    work,
    first!.toPrecision(3),
    ...others.map((time) => (time / first!).toFixed(2)),
  ]);
  const head = [
    `${name}, ${threads === 1 ? "one thread" : `${threads} threads`}`,
    ...variants.map(({ value }) => String(value)),
  ];
  console.log(`\n${aligned([head, ...rows]).join("\n")}`);
}

export async function runThresholds(options: Options): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const fileOf = await buildPrograms([PROGRAM], "source");
  console.log("microseconds with the number of the page, and how many times as long it takes with others");
  for (const threshold of matching(thresholds, options)) await tried(threshold, fileOf(PROGRAM));
}
