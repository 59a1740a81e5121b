/**
 * How fast archives of Zarr are read and reduced: through zarrita's store of files and from a folder, uncompressed and compressed, on this
 * thread and on two workers. `npx tsx bench/archives.ts -- --size 1000 --runs 8`; works take turns, so that whatever else the machine does
 * meets all of them, and medians are shown with what they are of reading alone by the same store.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import FileSystemStore from "@zarrita/storage/fs";
import { build } from "esbuild";
import * as Nx from "nx-numerics";
import { createZarr, openZarr, type ZarrArray } from "nx-numerics/zarr";
import { archive } from "../examples/climate";

const CODECS = ["none", "zstd", "blosc", "gzip"] as const;
const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** The archive of the example once more, with its elements in steps of a 64th of a kelvin, as archives of measured values have them. */
async function compressed(folder: string, air: ZarrArray, codec: (typeof CODECS)[number], name: string): Promise<void> {
  const file = `${name}-${codec}`;
  if (existsSync(path.join(folder, `${file}.done`))) return;
  const isGzip = codec === "gzip";
  const chunks = air.chunks;
  const made = await createZarr(folder, air, { path: file, chunks, codecs: isGzip ? "none" : codec, exists: "open" });
  await air.map((block) => block.multiply(64).round().divide(64), made, { restart: true });
  if (isGzip) gzipAll(path.join(folder, file));
  writeFileSync(path.join(folder, `${file}.done`), "");
}

/** What zarrita cannot write. */
function gzipAll(folder: string): void {
  const document = path.join(folder, "zarr.json");
  const metadata = JSON.parse(readFileSync(document, "utf8")) as { codecs: object[] };
  metadata.codecs.push({ name: "gzip", configuration: { level: 1 } });
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile() && file !== document) writeFileSync(file, gzipSync(readFileSync(file), { level: 1 }));
  }
  writeFileSync(document, JSON.stringify(metadata));
}

async function workersFor(folder: string, at: string): Promise<Worker[]> {
  const file = path.join(folder, "archives.worker.mjs");
  await build({
    entryPoints: [here("archives.worker.ts")],
    bundle: true,
    format: "esm",
    platform: "node",
    outfile: file,
    alias: { "nx-numerics": here("../lib/index.ts"), "nx-numerics/zarr": here("../lib/zarr/index.ts") },
    logLevel: "error",
  });
  return [1, 2].map(() => new Worker(file, { workerData: { folder, path: at } }));
}

type Works = Record<string, () => Promise<unknown>>;

/** The works on an array; the first is reading alone. */
function worksOf(air: ZarrArray): Works {
  return {
    read: () => air.reduce(() => 0, () => 0), // prettier-ignore
    mean: () => air.mean({ axes: ["time"] }),
    deviation: () => air.standardDeviation({ axes: ["time"] }),
    maximum: () => air.reduceMax({ axes: ["time"] }),
    histogram: () => air.histogram({ bins: 20, range: [200, 340] }),
    "histogram over time": () => air.histogram({ axes: ["time"], bins: 20, range: [200, 340] }),
    loop: async () => {
      let sum: Nx.Tensor = Nx.f64(0);
      for await (const { block } of air) sum = sum.add(Nx.sum(block));
      return sum;
    },
  };
}

const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[list.length >> 1]!;

/** Runs works in turns; gigabytes a second of each. */
async function measured(works: Works, runs: number, bytes: number): Promise<Record<string, number>> {
  const seconds: Record<string, number[]> = {};
  for (let run = 0; run <= runs; run++) {
    for (const [name, work] of Object.entries(works)) {
      const start = performance.now();
      await work();
      if (run > 0) (seconds[name] ??= []).push((performance.now() - start) / 1000); // the first one compiles
    }
  }
  return Object.fromEntries(Object.entries(seconds).map(([name, list]) => [name, bytes / 1e9 / median(list)]));
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { size: { type: "string" }, runs: { type: "string" }, folder: { type: "string" } },
    allowPositionals: true,
  });
  const [runs, folder] = [Number(values.runs ?? 8), values.folder ?? path.join(tmpdir(), "nx-numerics-climate")];
  mkdirSync(folder, { recursive: true });
  const air = (await archive(folder, Number(values.size ?? 48))) as unknown as ZarrArray;
  const years = air.shape[0]! / 365;
  const bytes = air.shape.reduce((all, size) => all * size, 4);
  console.log(`${String(air)}, ${Math.round(bytes / 1e6)} MB, medians of ${runs} runs`);
  const print = (what: string, rates: Record<string, number>): void => {
    const texts = Object.entries(rates).map(
      ([name, rate]) =>
        `  ${name.padEnd(20)} ${rate.toFixed(2)} GB/s, ${((100 * rate) / rates["read"]!).toFixed(0)} % of reading`,
    );
    console.log([what, ...texts, `  ${Math.round(process.memoryUsage().rss / 1e6)} MB resident`].join("\n"));
  };
  const theirs = (await openZarr(new FileSystemStore(folder), `air-${years}`)) as ZarrArray;
  print("zarrita's store of files, no compression", await measured(worksOf(theirs), runs, bytes));
  print("a folder, no compression", await measured(worksOf(air), runs, bytes));
  for (const codec of CODECS) {
    const at = `air-${years}-${codec}`;
    await compressed(folder, air, codec, `air-${years}`);
    const array = (await openZarr(folder, at)) as ZarrArray;
    const workers = await workersFor(folder, at);
    const { read, mean } = worksOf(array) as Works & Record<"read" | "mean", () => Promise<unknown>>;
    const both = () => array.mean({ axes: ["time"], workers });
    print(`${codec}, steps of 1/64 K`, await measured({ read, mean, "mean, two workers": both }, runs, bytes));
    for (const worker of workers) await worker.terminate();
  }
}

await main();
