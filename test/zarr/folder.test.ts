/** Arrays in folders: what is read straight into memory is what zarrita reads, and what is written is whole or not there. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import FileSystemStore from "@zarrita/storage/fs";
import fc from "fast-check";
import * as Nx from "nx-numerics";
import { createZarr, openZarr, type ZarrType } from "nx-numerics/zarr";
import { afterAll, describe, expect, it, vi } from "vitest";
import { filesOf } from "../../lib/zarr/files";
import { folderAt } from "../../lib/zarr/folder";

const root = mkdtempSync(path.join(tmpdir(), "nx-numerics-folder-"));
let last = 0;
const fresh = (): string => path.join(root, `${++last}.zarr`);

afterAll(() => rmSync(root, { recursive: true }));

const TYPES: readonly ZarrType[] = ["u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "f16", "bf16", "f32", "f64"];

const filesIn = (folder: string): string[] => readdirSync(folder, { recursive: true }).map(String);

/** An array of five rows of 40 elements, cut in rows of two. */
async function fiveRows(codecs: "none" | "zstd" = "none"): Promise<string> {
  const folder = fresh();
  const t = Nx.iota([5, 40], { type: "f32", names: ["time", "x"] });
  await (await createZarr(folder, t, { chunks: { time: 2 }, codecs })).write(t);
  return folder;
}

const failure = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "no error",
    (error: unknown) => String(error),
  );

describe("an array in a folder", () => {
  it("is the same through a path, through zarrita's store, by blocks and in parts", { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 4 })), { maxLength: 3 }),
        fc.constantFrom(...TYPES),
        fc.constantFrom("none", "zstd"),
        fc.constantFrom<2 | 3>(2, 3),
        fc.nat({ max: 5 }),
        async (axes, type, codecs, given, missing) => {
          const folder = fresh();
          const format = type === "bf16" ? 3 : given;
          const [shape, chunks] = [axes.map(([size]) => size), axes.map(([, chunk]) => chunk)];
          const names = ["a", "b", "c"].slice(0, shape.length);
          const t = Nx.reshape(Nx.iota([shape.reduce((a, b) => a * b, 1)], { type }), shape, { names });
          const made = await createZarr(folder, t, { chunks, codecs: codecs as "none", format, path: "some/array" });
          await made.write(t);
          const written = filesIn(folder).filter((name) => /(^|[./\\])\d+$/.test(name) && !name.includes("."));
          if (missing < written.length && missing > 2)
            rmSync(path.join(folder, written[missing]!), { recursive: true });
          const [ours, theirs] = [
            await openZarr(folder, "some/array"),
            await openZarr(new FileSystemStore(folder), "some/array"),
          ];
          const whole = await theirs.read();
          expect(Nx.toBinary(await ours.read())).toEqual(Nx.toBinary(whole));
          if (missing <= 2) expect(Nx.toBinary(whole)).toEqual(Nx.toBinary(t));
          for await (const { block, where } of ours) {
            expect(Nx.toBinary(block)).toEqual(Nx.toBinary(await theirs.read(where)));
            expect([block.type, block.names]).toEqual([type, names]);
          }
          expect(Nx.toBinary(await ours.sum())).toEqual(Nx.toBinary(await theirs.sum()));
        },
      ),
      { numRuns: 60 },
    );
  });

  it("is read straight where chunks are elements as memory has them, and only there", async () => {
    const folder = folderAt("test", fresh());
    const v3 = {
      chunk_grid: { name: "regular" },
      chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
      codecs: [{ name: "bytes", configuration: { endian: "little" } }],
    };
    const v2 = { dtype: "<f4", compressor: null, filters: null, order: "C", dimension_separator: "." };
    const isDirect = (format: 2 | 3, document: object, type: ZarrType = "f32", shape = [2, 2], store: object = folder) =>
      filesOf(store as never, "", { format, type, shape, names: [null, null], attributes: {}, document: { ...document } });
    for (const document of [v3, { ...v3, chunk_key_encoding: { name: "v2" } }, { ...v3, chunk_key_encoding: { name: "default" } }])
      expect(isDirect(3, document)).not.toBeNull();
    for (const document of [v2, { ...v2, filters: [] }, { ...v2, dimension_separator: undefined }])
      expect(isDirect(2, document)).not.toBeNull();
    expect(isDirect(3, { ...v3, codecs: [{ name: "bytes" }] }, "u8")).not.toBeNull();
    expect(isDirect(2, { ...v2, order: "F" }, "f32", [4])).not.toBeNull();
    expect(isDirect(3, v3, "f32", [2, 2], new Map())).toBeNull();
    const others = [
      { codecs: [{ name: "bytes", configuration: { endian: "big" } }] },
      { codecs: [{ name: "bytes" }] },
      { codecs: [...v3.codecs, { name: "zstd", configuration: {} }] },
      { codecs: [{ name: "transpose", configuration: { order: [1, 0] } }, ...v3.codecs] },
      { codecs: [{ name: "sharding_indexed", configuration: {} }] },
      { chunk_grid: { name: "rectangular" } },
      { chunk_key_encoding: { name: "fancy" } },
      { chunk_key_encoding: { name: "default", configuration: { separator: "-" } } },
    ];
    for (const change of others) expect(isDirect(3, { ...v3, ...change })).toBeNull();
    for (const change of [{ dtype: ">f4" }, { order: "F" }, { compressor: { id: "zstd" } }, { filters: [{ id: "delta" }] }])
      expect(isDirect(2, { ...v2, ...change })).toBeNull();
  }); // prettier-ignore

  it("says of chunks that are too short or too long what it says through zarrita's store", async () => {
    for (const bytes of [0, 1, 318, 316, 324, 640]) {
      const folder = await fiveRows();
      const chunk = path.join(folder, "c", "1", "0");
      if (bytes <= 320) truncateSync(chunk, bytes);
      else writeFileSync(chunk, new Uint8Array(bytes));
      const [ours, theirs] = [await openZarr(folder), await openZarr(new FileSystemStore(folder))];
      for (const read of [(a: typeof ours) => a.read(), (a: typeof ours) => a.mean(), (a: typeof ours) => a.read({ time: 3 })]) {
        const message = await failure(read(theirs));
        expect(message).toMatch(/cannot read chunk \[1, 0\] of f32\[time: 5 by 2\]\[x: 40\]/);
        expect(await failure(read(ours))).toBe(message);
      }
    }
  }); // prettier-ignore

  it("is found by a file: address, and kept apart from what is no folder of an array", async () => {
    const folder = await fiveRows();
    expect((await openZarr(pathToFileURL(folder))).shape).toEqual([5, 40]);
    expect((await openZarr(pathToFileURL(folder).href)).shape).toEqual([5, 40]);
    await expect(openZarr(path.join(root, "nowhere"))).rejects.toThrow(/^openZarr: there is no folder ".*nowhere"$/);
    await expect(openZarr(path.join(folder, "zarr.json"))).rejects.toThrow(/zarr\.json" is no folder$/);
    await expect(openZarr(folder, "air")).rejects.toThrow(/^openZarr: the folder ".*" has no Zarr array at "air"$/);
    await expect(openZarr("https://example.com/a.zarr")).rejects.toThrow(
      'got: "https://example.com/a.zarr"; for an address give new FetchStore("https://example.com/a.zarr") of zarrita',
    );
    expect((await openZarr(pathToFileURL(folder).href.replace("///", "/"))).shape).toEqual([5, 40]);
    for (const address of ["file://data/air.zarr", "file:///data/a%2Fb", "file:///data/%zz"]) {
      const refused = new RegExp(`^openZarr expects a file: URL of this machine, such as .*, got: "${address}": `);
      await expect(openZarr(address)).rejects.toThrow(refused);
      await expect(openZarr(address)).rejects.toBeInstanceOf(Nx.ArgumentError);
    }
    await expect(openZarr("/data/air\0.zarr")).rejects.toThrow(/^openZarr expects the path of a folder/);
    await expect(openZarr("")).rejects.toThrow('expects the path of a folder, a file: URL or a store, got: ""');
    const array = await openZarr(folder);
    const again = await createZarr(root, array, { path: path.basename(folder), chunks: [2, 40], exists: "open" });
    await expect(array.map((block) => block, again)).rejects.toThrow("cannot write over the array that it reads");
  });

  it("needs a host with Node's file system, and says so", async () => {
    const spy = vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined as never);
    try {
      await expect(openZarr("/data/air.zarr")).rejects.toThrow(
        "openZarr opens folders where there is Node's file system (Node, Deno, Bun), which this host has not",
      );
    } finally {
      spy.mockRestore();
    }
  });

  it("rejects with the reason of a signal, and goes on to be read", async () => {
    const array = await openZarr(await fiveRows());
    const stop = new AbortController();
    const reading = array.reduce(
      () => stop.abort(new Error("enough")),
      () => undefined,
      { signal: stop.signal },
    );
    await expect(reading).rejects.toThrow("enough");
    for await (const { block } of array) if (block.size > 0) break;
    expect((await array.sum()).item()).toBe((200 * 199) / 2);
  });
});

describe("memory of blocks", () => {
  it("is given back where a loop ends, or fails, before it comes to them", async () => {
    const folder = await fiveRows();
    const array = await openZarr(folder);
    const { backend } = Nx.u8(0);
    const [reserve, deallocate] = [vi.spyOn(backend, "reserve"), vi.spyOn(backend, "deallocate")];
    try {
      const kept: unknown[] = [];
      for await (const { block } of array) {
        kept.push((block as unknown as { data: unknown }).data);
        break;
      }
      truncateSync(path.join(folder, "c", "1", "0"), 0);
      await expect(array.read()).rejects.toThrow("cannot read chunk [1, 0]");
      const reserved = (): unknown[] => reserve.mock.results.map(({ value }) => (value as Nx.Reserved).data);
      const given = (): unknown[] =>
        deallocate.mock.calls.map(([tensor]) => (tensor as unknown as { data: unknown }).data);
      await vi.waitFor(() => expect(reserved().filter((data) => !given().includes(data))).toEqual(kept));
      expect(reserved().length).toBeGreaterThan(2);
    } finally {
      vi.restoreAllMocks();
    }
  });

  // the engine says when it collects, for which a loop waits a tenth of a second: of a clock that is slow, as a busy machine is
  it("is that of a few, where a loop lets go of them and releases none", { retry: 2, timeout: 120_000 }, async () => {
    const now = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => now() / 50);
    const like = Nx.template([32, 2 ** 21], "f32");
    const folder = fresh();
    const array = await createZarr(folder, like, { chunks: [1, 2 ** 21], codecs: "none" });
    for (let i = 0; i < 32; i++) {
      mkdirSync(path.join(folder, "c", String(i)), { recursive: true });
      writeFileSync(path.join(folder, "c", String(i), "0"), "");
      truncateSync(path.join(folder, "c", String(i), "0"), 2 ** 23); // zeros that take no room
    }
    const [alive, most] = [new Set<number>(), { count: 0 }];
    const collected = new FinalizationRegistry<number>((number) => alive.delete(number));
    let number = 0;
    for await (const { block } of array) {
      collected.register(block, ++number);
      most.count = Math.max(most.count, alive.add(number).size);
    }
    vi.restoreAllMocks();
    expect(number).toBe(32);
    expect(most.count).toBeLessThan(18); // blocks of 8 MB
  });
});

describe("what is written into a folder", () => {
  it("is whole or not there, whoever reads meanwhile", async () => {
    const folder = folderAt("test", fresh());
    const values = [0, 1].map((fill) => new Uint8Array(3_000_000).fill(fill));
    await folder.set("/a/b/c", values[0]!);
    let isDone = false;
    const writing = (async () => {
      for (let i = 0; i < 20; i++) await folder.set("/a/b/c", values[i % 2]!);
      isDone = true;
    })();
    while (!isDone) {
      const seen = (await folder.get("/a/b/c"))!;
      expect(values.some((whole) => Buffer.compare(seen, whole) === 0)).toBe(true);
    }
    await writing;
    expect(filesIn(folder.root).filter((name) => name.includes("partial"))).toEqual([]);
  });

  it("leaves what was there where it fails, and no part of itself", async () => {
    const folder = folderAt("test", fresh());
    await folder.set("/a", new Uint8Array([1]));
    mkdirSync(path.join(folder.root, "b"));
    await expect(folder.set("/b", new Uint8Array([2]))).rejects.toThrow();
    await expect(folder.set("/a/c", new Uint8Array([2]))).rejects.toThrow();
    await vi.waitFor(() => expect(filesIn(folder.root).sort()).toEqual(["a", "b"]));
    expect([...readFileSync(path.join(folder.root, "a"))]).toEqual([1]);
    expect(await folder.get("/a/c")).toBeUndefined();
    await expect(folder.get("/b")).rejects.toThrow("EISDIR");
    await folder.delete("/a");
    await folder.delete("/a");
    expect(await folder.get("/a")).toBeUndefined();
  });

  it("is read in ranges, from the front and from the end", async () => {
    const folder = folderAt("test", fresh());
    await folder.set("/a", new Uint8Array([1, 2, 3, 4]));
    const read = async (range: object) => [...(await folder.getRange("/a", range as never))!];
    expect(await read({ offset: 1, length: 2 })).toEqual([2, 3]);
    expect(await read({ offset: 3, length: 9 })).toEqual([4]);
    expect(await read({ offset: 9, length: 9 })).toEqual([]);
    expect(await read({ suffixLength: 3 })).toEqual([2, 3, 4]);
    expect(await read({ suffixLength: 9 })).toEqual([1, 2, 3, 4]);
    expect(await folder.getRange("/b", { offset: 0, length: 1 })).toBeUndefined();
  });
});
