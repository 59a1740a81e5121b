/** Reading, writing and opening arrays; the laws say that an array in a store is the tensor that was written. */
import fc from "fast-check";
import * as Nx from "nx-numerics";
import type { ZarrArray } from "nx-numerics/zarr";
import { createZarr, openZarr, type ZarrType } from "nx-numerics/zarr";
import { describe, expect, it } from "vitest";
import { registry } from "zarrita";
import { watched } from "./stores";

const TYPES: readonly ZarrType[] = ["u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "f16", "bf16", "f32", "f64"];

/** An array's shape, chunks and a part of it. */
const parts = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 4 })), { minLength: 1, maxLength: 3 })
  .chain((axes) =>
    fc.record({
      shape: fc.constant(axes.map(([size]) => size)),
      chunks: fc.constant(axes.map(([, chunk]) => chunk)),
      part: fc.tuple(...axes.map(([size]) => partOf(size))),
    }),
  );

const partOf = (size: number) =>
  fc.oneof(
    fc.constant(undefined),
    fc.integer({ min: -size, max: size - 1 }),
    fc
      .tuple(fc.integer({ min: 0, max: size - 1 }), fc.integer({ min: 1, max: size }), fc.integer({ min: 1, max: 3 }))
      .map(([start, length, step]) => Nx.range(start, Math.min(size, start + length), step)),
  );

const names = ["a", "b", "c"];

describe("an array in a store", () => {
  it("reads what a tensor of the same elements has at the same place", async () => {
    await fc.assert(
      fc.asyncProperty(
        parts,
        fc.constantFrom(...TYPES),
        fc.constantFrom(2 as const, 3 as const),
        async ({ shape, chunks, part }, given, format) => {
          const type = format === 2 && given === "bf16" ? "f16" : given;
          const t = Nx.iota(shape, { type, names: names.slice(0, shape.length) });
          const array = await createZarr(new Map<string, Uint8Array>(), t, { chunks, format, codecs: "none" });
          await array.write(t);
          const where = Object.fromEntries(
            part.flatMap((index, axis) => (index === undefined ? [] : [[names[axis], index]])),
          );
          expect((await array.read(where)).equals(t.at(where))).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("keeps the rest when a part is written", async () => {
    await fc.assert(
      fc.asyncProperty(parts, async ({ shape, chunks, part }) => {
        const like = Nx.iota(shape, { type: "s32", names: names.slice(0, shape.length) });
        const array = await createZarr(new Map<string, Uint8Array>(), like, { chunks });
        await array.write(like);
        const starts = part.map((index, axis) => (typeof index === "object" ? index.start! : 0) % shape[axis]!);
        const lengths = starts.map((start, axis) => Math.max(1, Math.floor((shape[axis]! - start) / 2)));
        const more = Nx.negate(Nx.iota(lengths, { type: "s32" }));
        await array.write(
          more,
          Object.fromEntries(starts.map((start, axis) => [names[axis], [start, start + lengths[axis]!] as const])),
        );
        expect((await array.read()).equals(Nx.putSlice(like, starts, more))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it.each(([3, 2] as const).flatMap((format) => [...registry.keys()].map((name) => ({ format, name }))))(
    "writes what it can read again, or nothing at all: codec $name of version $format",
    async ({ format, name }) => {
      const store = new Map<string, Uint8Array>();
      const t = Nx.iota([64], { type: "f32" });
      const codec = format === 3 ? { name, configuration: {} } : { id: name };
      const made = createZarr(store, t, { chunks: [64], format, codecs: [codec] });
      if (await made.then(() => true, () => false)) {
        await (await made).write(t);
        expect((await (await openZarr(store)).read()).equals(t)).toBe(true);
      } else {
        await expect(made).rejects.toThrow(/Those that can be written are/);
        expect([...store.keys()]).toEqual([]);
      }
    },
  ); // prettier-ignore

  it.each(["zstd", "blosc", "lz4"])("writes out what nobody said of the codec %s", async (name) => {
    for (const format of [2, 3] as const) {
      const store = new Map<string, Uint8Array>();
      const t = Nx.iota([64], { type: "f64" });
      const codecs = [format === 3 ? { name } : { id: name }];
      await (await createZarr(store, t, { chunks: [32], format, codecs })).write(t);
      expect((await (await openZarr(store)).read()).equals(t)).toBe(true);
      const text = new TextDecoder().decode(store.get(format === 3 ? "/zarr.json" : "/.zarray"));
      const { codecs: [, v3] = [], compressor: v2 } = JSON.parse(text) as { codecs?: object[]; compressor?: object };
      const settings = {
        zstd: { level: 1, checksum: false },
        blosc: { cname: "lz4", clevel: 5, shuffle: "shuffle", typesize: 8, blocksize: 0 },
        lz4: { acceleration: 1 },
      }[name]!;
      if (format === 3) expect(v3).toEqual({ name, configuration: settings });
      else expect(Object.keys(v2!)).toEqual(["id", ...Object.keys(settings).filter((key) => !/^(checksum|typesize)$/.test(key))]);
    }
    const level = { name: "zstd", configuration: { level: 9 } };
    const store = new Map<string, Uint8Array>();
    await createZarr(store, Nx.u8([1]), { chunks: [1], codecs: [level] });
    expect(new TextDecoder().decode(store.get("/zarr.json"))).toMatch(/"level": 9,\s+"checksum": false/);
  }); // prettier-ignore

  it("refuses settings that a codec does not take, before anything is there", async () => {
    const store = new Map<string, Uint8Array>();
    const made = (codecs: object[], format: 2 | 3) =>
      createZarr(store, Nx.u8([1]), { chunks: [1], codecs: codecs as never, format });
    await expect(made([{ name: "zstd", configuration: { level: "high" } }], 3)).rejects.toThrow(
      'createZarr: the codec "zstd" does not take the settings {"level":"high","checksum":false}: Invalid',
    );
    await expect(made([{ id: "blosc", clevel: 12 }], 2)).rejects.toThrow(
      'createZarr: the codec "blosc" does not take the settings {"clevel":12,"cname":"lz4","shuffle":1,"blocksize":0}',
    );
    const needy = { fromConfig: ({ level }: { level: number }) => ({ kind: "bytes_to_bytes", level }) };
    registry.set("needy", () => needy as never);
    try {
      await expect(made([{ name: "needy" }], 3)).rejects.toThrow('the codec "needy" does not take the settings none:');
    } finally {
      registry.delete("needy");
    }
    expect(store.size).toBe(0);
  });

  it("takes codecs that a program has registered", async () => {
    const inverted = (bytes: Uint8Array): Uint8Array => bytes.map((byte) => 255 - byte);
    const codec = { kind: "bytes_to_bytes" as const, encode: inverted, decode: inverted };
    registry.set("inverted", () => ({ fromConfig: () => codec }) as never);
    try {
      const store = new Map<string, Uint8Array>();
      await (
        await createZarr(store, Nx.u8([1, 2]), { chunks: [2], codecs: [{ name: "inverted" }] })
      ).write(Nx.u8([1, 2]));
      expect(store.get("/c/0")).toEqual(new Uint8Array([254, 253]));
      expect((await (await openZarr(store)).read()).toFlatList()).toEqual([1, 2]);
    } finally {
      registry.delete("inverted");
    }
  });

  it.each(["none", "zstd", "blosc"] as const)("gives back the bits that were written, by %s", async (codecs) => {
    const t = Nx.f64([0, -0, NaN, Infinity, -Infinity, 5e-324, Math.PI], { names: ["x"] });
    for (const format of [2, 3] as const) {
      const store = new Map<string, Uint8Array>();
      await (await createZarr(store, t, { chunks: [3], codecs, format })).write(t);
      expect(Nx.toBinary(await (await openZarr(store)).read())).toEqual(Nx.toBinary(t));
    }
  });

  it("has one element where it has no axes", async () => {
    const store = new Map<string, Uint8Array>();
    const array = await createZarr(store, Nx.template([], "s64"), { chunks: [] });
    await array.write(Nx.tensor(7));
    expect(Nx.toNumber(await (await openZarr(store)).read())).toBe(7);
    expect(Nx.toNumber(await array.sum())).toBe(7);
  });

  it("has the fill value where nothing was written", async () => {
    for (const format of [2, 3] as const) {
      for (const [type, expected] of [
        ["f32", NaN],
        ["f16", NaN],
        ["s64", 0],
        ["u8", 0],
      ] as const) {
        const array = await createZarr(new Map<string, Uint8Array>(), Nx.template([2], type), { chunks: [1], format });
        expect(Nx.toFlatList(await array.read()).map(Number)).toEqual([expected, expected]);
      }
      const filled = await createZarr(new Map<string, Uint8Array>(), Nx.template([2], "f16"), {
        chunks: [1],
        format,
        fillValue: -Infinity,
      });
      expect(Nx.toFlatList(await filled.read())).toEqual([-Infinity, -Infinity]);
    }
  });

  it("has fill values of all digits, and those that are said by their bits", async () => {
    const store = new Map<string, Uint8Array>();
    const edit = (key: string, from: RegExp, to: string) =>
      store.set(key, new TextEncoder().encode(new TextDecoder().decode(store.get(key)).replace(from, to)));
    for (const [type, fill] of [
      ["s64", "9223372036854775807"],
      ["s64", "-9223372036854775807"],
      ["u64", "18446744073709551615"],
      ["s64", "9007199254740993"],
    ] as const) {
      for (const format of [2, 3] as const) {
        const path = `${type}${fill}${format}`;
        const key = `/${path}/${format === 3 ? "zarr.json" : ".zarray"}`;
        const attributes = { fill_value: 1.5, text: '"fill_value": 3' };
        await createZarr(store, Nx.template([2], type), { path, chunks: [1], format, attributes });
        edit(key, /"fill_value": (?:0|null)/, `"fill_value": ${fill}`);
        const array = await openZarr(store, path);
        expect(Nx.toFlatList(await array.read()).map(String)).toEqual([fill, fill]);
        const source = await createZarr(new Map<string, Uint8Array>(), Nx.template([2], type), { chunks: [1] });
        await source.map((block) => block, array, { id: "again" });
        expect(new TextDecoder().decode(store.get(key))).toContain(`"fill_value": ${fill}`);
      }
    }
    const large = await createZarr(store, Nx.template([1], "s64"), { path: "large", chunks: [1], fillValue: 2 ** 62 });
    expect((await large.read()).toFlatList()).toEqual([2n ** 62n]);
    await createZarr(store, Nx.template([1], "f32"), { path: "bits", chunks: [1], fillValue: 0 });
    edit("/bits/zarr.json", /"fill_value": 0/, '"fill_value": "0x3fc00000"');
    expect((await (await openZarr(store, "bits")).read()).toFlatList()).toEqual([1.5]);
    edit("/bits/zarr.json", /0x3fc00000/, "0x7fc00000");
    expect((await (await openZarr(store, "bits")).read()).toFlatList()).toEqual([NaN]);
  });

  it("writes whole chunks without reading them, also those at the edges", async () => {
    const store = watched();
    const array = await createZarr(store, Nx.template([5, 5], "f32"), { chunks: [2, 3] });
    await array.write(Nx.iota([5, 5], { type: "f32" }));
    expect(store.reads).toEqual([]);
    await array.write(Nx.f32([[7]]), { 0: [0, 1], 1: [0, 1] });
    expect(store.reads).toEqual(["/c/0/0"]);
  });

  it("is a copy of the bytes of the store", async () => {
    const store = new Map<string, Uint8Array>();
    const array = await createZarr(store, Nx.template([2], "s32"), { chunks: [2], codecs: "none" });
    await array.write(Nx.s32([1, 2]));
    const t = await array.read();
    const { block } = (await array.blocks().next()).value!;
    store.get("/c/0")!.fill(9);
    expect(Nx.toFlatList(t)).toEqual([1, 2]);
    expect(Nx.toFlatList(block)).toEqual([1, 2]);
  });

  it("shows what it is", async () => {
    const array = await createZarr(new Map<string, Uint8Array>(), Nx.template([4, 2], "f32", { names: ["t", null] }), {
      chunks: [3, 2],
    });
    expect(String(array)).toBe("#Nx.ZarrArray<f32[t: 4 by 3][2]>");
    expect([array.type, array.shape, array.chunks, array.names]).toEqual(["f32", [4, 2], [3, 2], ["t", null]]);
  });
});

describe("blocks", () => {
  it("come in row-major order, each with where it lies, a bounded number at a time", async () => {
    for (const ahead of [1, 3]) {
      const store = watched();
      const t = Nx.iota([5, 7], { type: "f32", names: ["a", "b"] });
      const array = await createZarr(store, t, { chunks: [2, 3] });
      await array.write(t);
      const seen: unknown[] = [];
      for await (const { block, where } of array.blocks({ ahead })) {
        const again = t.at({ a: Nx.range(...where["a"]!), b: Nx.range(...where["b"]!) });
        expect(block.equals(again)).toBe(true);
        expect((await array.read(where)).equals(block)).toBe(true);
        seen.push(where);
      }
      expect(seen).toHaveLength(9);
      expect(seen[1]).toEqual({ a: [0, 2], b: [3, 6] });
      expect(store.most()).toBeLessThanOrEqual(ahead + 1); // one more is read in the loop
    }
  });

  it("end when the loop is left, and when the signal is aborted", async () => {
    const store = watched();
    const array = await createZarr(store, Nx.template([9], "f32"), { chunks: [1] });
    await array.write(Nx.iota([9], { type: "f32" }));
    for await (const _ of array.blocks({ ahead: 2 })) break;
    expect(store.reads.length).toBeLessThanOrEqual(3);
    const stop = new AbortController();
    const going = (async () => {
      for await (const _ of array.blocks({ signal: stop.signal })) stop.abort(new Error("enough"));
    })();
    await expect(going).rejects.toThrow("enough");
    await expect(array.read({}, { signal: AbortSignal.abort(new Error("before")) })).rejects.toThrow("before");
  });

  it.each([
    { chunk: 1, ahead: 8 },
    { chunk: 2 ** 19, ahead: 4 },
    { chunk: 2 ** 23, ahead: 2 },
  ])("are read ahead by their size where nothing is said: $ahead of $chunk elements", async ({ chunk, ahead }) => {
    const store = watched();
    const array = await createZarr(store, Nx.template([12 * chunk], "f32"), { chunks: [chunk] });
    for await (const _ of array) break;
    expect(store.most()).toBe(ahead);
  });

  it("end with the reason of the signal while a store does not answer", async () => {
    const store = watched(new Map(), { onGet: () => new Promise<void>(() => undefined) });
    const array = await createZarr(store, Nx.template([2], "f32"), { chunks: [1] });
    const stop = new AbortController();
    const going = array.sum({ signal: stop.signal });
    setTimeout(() => stop.abort(new Error("too slow")), 5);
    await expect(going).rejects.toThrow("too slow");
  });
});

describe("errors of arrays", () => {
  const named = (): Promise<ZarrArray<readonly ["time", "lat"]>> =>
    createZarr(new Map<string, Uint8Array>(), Nx.template([4, 3], "f32", { names: ["time", "lat"] }), {
      chunks: [2, 3],
    });

  it.each<[where: Record<string, unknown>, message: string]>([
    [
      { tmie: 0 },
      'ZarrArray.read: no axis "tmie" in f32[time: 4 by 2][lat: 3]: the axes are "time", "lat"; did you mean "time"?',
    ],
    [{ time: 4 }, 'index 4 is out of bounds for axis "time" of size 4'],
    [{ time: [1, 5] }, 'the range 1 to 5 is out of bounds for axis "time" of size 4'],
    [{ time: [2, 2] }, 'the range 2 to 2 of axis "time" is empty'],
    [
      { time: "all" },
      'axis "time" expects a position, [start, end] with the end excluded, or Nx.range(start, end, step), got: "all"',
    ],
  ])("say what is wrong with the part %j", async (where, message) => {
    await expect((await named()).read(where as never)).rejects.toThrow(message);
  });

  it("say what a store has", async () => {
    const store = new Map<string, Uint8Array>();
    await expect(openZarr(store, "air")).rejects.toThrow('openZarr: the store has no Zarr array at "air"');
    await expect(openZarr(7 as never)).rejects.toThrow(
      "openZarr expects the path of a folder, or a store with a method get",
    );
    const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
    const arrays = { "a/t2m": { node_type: "array" }, a: { node_type: "group" } };
    store.set("/zarr.json", json({ zarr_format: 3, node_type: "group", consolidated_metadata: { metadata: arrays } }));
    await expect(openZarr(store)).rejects.toThrow(
      'at "/" the store has a group; give the path of one of its arrays: "a/t2m"',
    );
    store.set("/c/zarr.json", json({ zarr_format: 3, node_type: "array", data_type: "complex64", shape: [1] }));
    await expect(openZarr(store, "c")).rejects.toThrow('elements of type "complex64", which cannot be read here');
    store.set("/d/zarr.json", new TextEncoder().encode("{"));
    await expect(openZarr(store, "d")).rejects.toThrow("/d/zarr.json of the store is no JSON");
    store.set("/e/zarr.json", json(null as never));
    await expect(openZarr(store, "e")).rejects.toThrow(
      "/e/zarr.json of the store must be an object of JSON, got: null",
    );
    await createZarr(store, Nx.template([4], "u8"), { chunks: [2], path: "f" });
    for (const sizes of ["0", "2, 2"]) {
      const text = new TextDecoder()
        .decode(store.get("/f/zarr.json"))
        .replace(/"chunk_shape": \[[^\]]*\]/, `"chunk_shape": [${sizes}]`);
      store.set("/g/zarr.json", new TextEncoder().encode(text));
      await expect(openZarr(store, "g")).rejects.toThrow(
        `the array at "g" must have a chunk size of at least 1 for each of its 1 axes, got: [${sizes}]`,
      );
    }
  });

  it("say what is wrong with names", async () => {
    const store = new Map<string, Uint8Array>();
    await createZarr(store, Nx.template([2, 2], "f32", { names: ["x", null] }), { chunks: [1, 1] });
    expect((await openZarr(store, { names: ["x", "y"] })).names).toEqual(["x", "y"]);
    await expect(openZarr(store, { names: ["y", "x"] })).rejects.toThrow(
      'the axes of the array are named ["x", null], not ["y", "x"]',
    );
    await expect(openZarr(store, { names: ["x"] })).rejects.toThrow(
      "openZarr expects a name or null for each of the 2 axes",
    );
  });

  it("say what is wrong with an array to be created", async () => {
    const store = new Map<string, Uint8Array>();
    const like = Nx.template([2, 2], "f32", { names: ["x", "y"] });
    const create = (options: object, to: object = like) =>
      createZarr(store, to as never, { chunks: [1, 1], ...options } as never);
    await expect(create({}, Nx.template([2], "c64"))).rejects.toThrow('createZarr cannot keep elements of type "c64"');
    await expect(create({}, { shape: [0] })).rejects.toThrow("createZarr expects a template");
    await expect(create({ chunks: [1] })).rejects.toThrow("a size of at least 1 for each of the 2 axes, got: [1]");
    await expect(create({ chunks: undefined })).rejects.toThrow("option chunks of createZarr must be sizes");
    await expect(create({ codecs: [{ name: "gzip" }] })).rejects.toThrow('zarrita reads "gzip" but cannot write it');
    await expect(create({ codecs: [{ name: "zstandard" }] })).rejects.toThrow(
      'createZarr: there is no codec "zstandard". Those that can be written are "blosc", "lz4", "zstd"',
    );
    await expect(create({ codecs: [{ id: "zst" }], format: 2 })).rejects.toThrow(
      'no codec "zst"; did you mean "zstd"?',
    );
    const big = [{ name: "bytes", configuration: { endian: "big" } }];
    await expect(create({ codecs: big })).rejects.toThrow(
      'writes little-endian elements, and the codec "bytes" says "big"',
    );
    await expect(create({ codecs: "lzma" })).rejects.toThrow('must be "none", "zstd", "blosc" or a list');
    await expect(create({ chunk: 3 })).rejects.toThrow('unknown option "chunk" for createZarr; did you mean "chunks"?');
    await expect(create({ format: 2, path: "b" }, Nx.template([1, 1], "bf16"))).rejects.toThrow(
      'has no type "bf16"; write version 3',
    );
    await expect(create({ exists: "opne" })).rejects.toThrow(
      'option exists of createZarr must be one of "error", "open"',
    );
    await expect(create({ attributes: 5 })).rejects.toThrow(
      "option attributes of createZarr must be an object, got: 5",
    );
    await expect(create({ attributes: { count: 1n } })).rejects.toThrow(
      "attributes of createZarr must be what JSON has",
    );
    for (const [type, fillValue] of [
      ["u8", 256],
      ["u8", -1],
      ["s8", -129],
      ["u64", 2 ** 64],
      ["s64", 2 ** 63],
    ] as const) {
      await expect(create({ fillValue }, Nx.template([1, 1], type))).rejects.toThrow(
        `option fillValue of createZarr must be a number of type ${type}`,
      );
    }
    expect([...store.keys()]).toEqual([]);
    await create({});
    await expect(create({})).rejects.toThrow(
      'the store has an array f32[x: 2 by 1][y: 2 by 1] at "/"; open it with { exists: "open" }',
    );
    await expect(create({ exists: "open", chunks: [2, 2] })).rejects.toThrow("not f32[x: 2][y: 2]; give another path");
    expect((await create({ exists: "open" })).shape).toEqual([2, 2]);
  });

  it("say which chunk is damaged", async () => {
    const store = new Map<string, Uint8Array>();
    const array = await createZarr(store, Nx.template([4], "f32"), { chunks: [2], codecs: "none" });
    await array.write(Nx.iota([4], { type: "f32" }));
    store.set("/c/1", new Uint8Array(4));
    await expect(array.read()).rejects.toThrow("cannot read chunk [1] of f32[4 by 2]: it has 4 bytes in place of 8");
    const packed = await createZarr(store, Nx.template([2], "f32"), { path: "p", chunks: [2] });
    store.set("/p/c/0", new Uint8Array([1, 2, 3]));
    await expect(packed.read()).rejects.toThrow("cannot read chunk [0] of f32[2]");
  });
});
