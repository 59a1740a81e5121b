/** Blocks on other threads: the same results, and what happens when threads fail or end. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { MessageChannel, Worker } from "node:worker_threads";
import FileSystemStore from "@zarrita/storage/fs";
import { build } from "esbuild";
import * as Nx from "nx-numerics";
import { createZarr, serveBlocks, type BlockWorker, type ZarrArray } from "nx-numerics/zarr";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), "nx-numerics-workers-"));
const file = path.join(folder, "worker.mjs");
const t = Nx.iota([7, 5], { type: "f32", names: ["time", "x"] });
const started: Worker[] = [];
let air: ZarrArray<readonly ["time", "x"]>;

beforeAll(async () => {
  await build({
    entryPoints: [path.join(root, "test/zarr/blocks.worker.ts")],
    bundle: true,
    format: "esm",
    platform: "node",
    outfile: file,
    alias: { "nx-numerics": path.join(root, "lib/index.ts"), "nx-numerics/zarr": path.join(root, "lib/zarr/index.ts") },
    logLevel: "error",
  });
  air = await createZarr(new FileSystemStore(folder), t, { path: "air", chunks: [2, 2] });
  await air.write(t);
});

afterAll(async () => {
  await Promise.all(started.map((worker) => worker.terminate()));
  rmSync(folder, { recursive: true });
});

function workers(count: number, array = "air"): Worker[] {
  const made = Array.from({ length: count }, () => new Worker(file, { workerData: { folder, array } }));
  started.push(...made);
  return made;
}

describe("workers", () => {
  it("give what this thread gives", async () => {
    const two = workers(2);
    for (const axes of [["time"], ["time", "x"]] as const) {
      expect((await air.mean({ axes, workers: two })).equals(await air.mean({ axes }))).toBe(true);
      expect((await air.variance({ axes, workers: two, ddof: 1 })).equals(await air.variance({ axes, ddof: 1 }))).toBe(
        true,
      );
      expect((await air.reduceMax({ axes, workers: two })).equals(t.reduceMax({ axes }))).toBe(true);
    }
    const [counts, edges] = await air.histogram({ bins: 3, workers: two });
    expect([counts.equals(Nx.histogram(t, { bins: 3 })[0]), edges.equals(Nx.histogram(t, { bins: 3 })[1])]).toEqual([
      true,
      true,
    ]);
  });

  it("compute functions of their module by name, for reduce and map", async () => {
    const two = workers(2);
    const join = (a: Record<"sum" | "blocks", Nx.Tensor>, b: Record<"sum" | "blocks", Nx.Tensor>) => ({
      sum: a.sum.add(b.sum),
      blocks: a.blocks.add(b.blocks),
    });
    const { sum, blocks } = await air.reduce("total", join, { workers: two });
    expect([Nx.toNumber(sum), Nx.toNumber(blocks)]).toEqual([595, 12]);
    const into = await createZarr(new Map<string, Uint8Array>(), t, { chunks: [3, 5] });
    await air.map("double", into, { workers: two, id: "double" });
    expect((await into.read()).equals(Nx.multiply(t, 2))).toBe(true);
  });

  it("say what failed: a function, its name, the array, the thread", async () => {
    const [one] = workers(1);
    const run = (name: string) => air.reduce<Nx.Tensor>(name, Nx.add, { workers: [one!] });
    await expect(run("fail")).rejects.toThrow("ZarrArray.reduce: a worker failed: no time,x today");
    await expect(run("treble")).rejects.toThrow(
      'the worker has no function "treble"; serveBlocks was given "double", "total", "fail", "end"',
    );
    const other = await createZarr(new FileSystemStore(folder), Nx.template([2], "f32"), {
      path: "other",
      chunks: [1],
    });
    await expect(other.sum({ workers: [one!] })).rejects.toThrow(
      "the worker opened f32[time: 7 by 2][x: 5 by 2], the run is over f32[2 by 1]",
    );
    await expect(air.sum({ workers: workers(1, "nowhere") })).rejects.toThrow('has no Zarr array at "nowhere"');
    await expect(run("end")).rejects.toThrow("ZarrArray.reduce: a worker failed: it ended");
    await expect(air.reduce((block) => block, Nx.add as never, { workers: [one!] })).rejects.toThrow(
      "with workers expects the name of a function that their module hands to serveBlocks",
    );
  });

  it("are let go of when the run is over or aborted", async () => {
    const two = workers(2);
    const stop = new AbortController();
    stop.abort(new Error("enough"));
    await expect(air.sum({ workers: two, signal: stop.signal })).rejects.toThrow("enough");
    await air.sum({ workers: two });
    expect(two.map((worker) => worker.listenerCount("message"))).toEqual([0, 0]);
  });

  it("of browsers are listened to by their events", async () => {
    // a port behaves as such a worker does, and this thread as its module
    const { port1, port2 } = new MessageChannel();
    const answers: unknown[] = [];
    port2.on("message", ({ id, job }: { id: number; job: unknown }) => {
      answers.push(job);
      port2.postMessage({ nxBlocks: "answer", id, result: Nx.toMessage({ value: Nx.f32([[7]]) })[0] });
    });
    const web: BlockWorker = {
      postMessage: (message) => port1.postMessage(message),
      addEventListener: (event, listener) => port1.addEventListener(event, listener as () => void),
      removeEventListener: (event, listener) => port1.removeEventListener(event, listener as () => void),
    };
    port1.start();
    try {
      expect(Nx.toNumber(await air.reduceMax({ workers: [web] }))).toBe(7);
      expect(answers).toHaveLength(12);
    } finally {
      port1.close();
    }
  });

  it("are made of a module that calls serveBlocks, not of the main thread", () => {
    expect(() => serveBlocks({} as never)).toThrow(
      "serveBlocks expects a function that opens the array, got: an object",
    );
  });
});
