/** Arrays of zarr-python and xarray read here, and arrays of this library read by them and by zarrita alone. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as Nx from "nx-numerics";
import { createZarr, openZarr, type ZarrIndex } from "nx-numerics/zarr";
import { describe, expect, it } from "vitest";
import * as zarrita from "zarrita";
import python from "../oracles/zarr-python.json";
import xarray from "../oracles/zarr-xarray.json";

const decoded = (store: Record<string, string>): Map<string, Uint8Array> =>
  new Map(Object.entries(store).map(([key, text]) => [`/${key}`, new Uint8Array(Buffer.from(text, "base64"))]));

const numbers = (t: Nx.Tensor): (number | null)[] =>
  Nx.toFlatList(t).map((value) => (Number.isNaN(Number(value)) ? null : Number(value)));

describe("arrays of zarr-python", () => {
  const store = decoded(python.store);

  it.each(Object.entries(python.arrays))(
    "%s is read whole, in part, and by blocks",
    async (name, { shape, values, chunks, dtype }) => {
      const array = await openZarr(store, name);
      expect([array.shape, array.chunks]).toEqual([shape, chunks]);
      expect(array.names).toEqual(name === "unnamed" ? [null, null, null] : ["time", "lat", "lon"]);
      expect(array.type).toBe(
        { bool: "u8", ">f4": "f32" }[dtype] ??
          dtype.replace(
            /^(u?)(?:int|float)(\d+)$/,
            (_, u, bits) => `${u || (dtype.startsWith("f") ? "f" : "s")}${bits}`,
          ),
      );
      const whole = await array.read();
      expect(numbers(whole)).toEqual(values);
      const where: Record<string, ZarrIndex> = name === "unnamed" ? { 0: [1, 4], 2: 1 } : { time: [1, 4], lon: 1 };
      const part = await array.read(where);
      expect(numbers(part)).toEqual(numbers(whole.at(Nx.range(1, 4), Nx.range(), 1)));
      expect((await array.sum({ nan: "skip" })).equals(Nx.sum(whole, { nan: "skip" }))).toBe(true);
    },
  );
});

describe("a dataset of xarray", () => {
  it("has its names, and the statistics that xarray gives", async () => {
    const store = decoded(xarray.store);
    await expect(openZarr(store)).rejects.toThrow('give the path of one of its arrays: "air", "lat", "lon", "time"');
    const air = await openZarr(store, { path: "air", names: ["time", "lat", "lon"] });
    expect(String(air)).toBe("#Nx.ZarrArray<f32[time: 10 by 4][lat: 3 by 2][lon: 4]>");
    expect(air.attributes).toMatchObject({ units: "K" });
    expect(numbers(await air.read({ time: [3, 7], lat: -1 }))).toEqual(xarray.noon);
    const close = (got: Nx.Tensor, wanted: readonly number[], digits: number) =>
      numbers(got).forEach((value, i) => expect(value! / wanted[i]!).toBeCloseTo(1, digits));
    close(await air.mean({ axes: ["time"], nan: "skip" }), xarray.mean, 6);
    close(await air.variance({ axes: ["time"], nan: "skip", ddof: 1 }), xarray.variance, 6);
  });
});

/** What Python reads: names, type, elements as numbers. */
const READER = `
import json, sys, zarr, xarray
root = sys.argv[1]
found = {}
for name in sys.argv[2:]:
    a = zarr.open(root + "/" + name, mode="r")
    found[name] = {"names": a.attrs.get("_ARRAY_DIMENSIONS"), "dtype": a.dtype.str, "values": a[...].astype("f8").ravel().tolist()}
found["sum"] = float(xarray.open_zarr(root + "/f32-set", consolidated=False).v.sum("time")[1])
print(json.dumps(found))`;

/** Arrays as Python writes them: those that lie in files as in memory, and others. */
const WRITER = `
import sys, numpy, zarr, numcodecs
root = sys.argv[1]
x = numpy.arange(15.0).reshape(5, 3)
def write(name, dtype="<f8", **options):
    options.setdefault("compressor", None)
    a = zarr.open(root + "/" + name, mode="w", shape=x.shape, chunks=(2, 3), dtype=dtype, fill_value=float("nan"), **options)
    a[...] = x
write("plain")
write("slashes", dtype="<f4", dimension_separator="/")
write("fortran", order="F")
write("big", dtype=">f8")
write("filtered", filters=[numcodecs.Delta("<f8")])
write("zstd", compressor=numcodecs.Zstd(1))
zarr.open(root + "/some", mode="w", shape=x.shape, chunks=(2, 3), dtype="<f8", fill_value=float("nan"), compressor=None)[0:2] = x[0:2]
`;

function hasPython(): boolean {
  try {
    execFileSync("/usr/bin/python3", ["-c", "import zarr, xarray"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe("arrays of this library", () => {
  const t = Nx.iota([5, 3], { type: "f64", names: ["time", "x"] });

  it.skipIf(!hasPython())(
    "of version 2 are read by zarr-python and xarray (skipped without python3-zarr and python3-xarray)",
    async () => {
      const folder = mkdtempSync(path.join(tmpdir(), "nx-numerics-zarr-"));
      try {
        const names: string[] = [];
        for (const [type, codecs] of [
          ["f32", "blosc"],
          ["s16", "zstd"],
          ["u64", "none"],
          ["f16", "zstd"],
          ["f64", "blosc"],
        ] as const) {
          const values = Nx.asType(t, type);
          const array = await createZarr(folder, values, { path: type, chunks: { time: 2 }, codecs, format: 2 });
          await array.write(values);
          names.push(type);
        }
        mkdirSync(path.join(folder, "f32-set"));
        writeFileSync(path.join(folder, "f32-set/.zgroup"), '{ "zarr_format": 2 }');
        const inSet = await createZarr(folder, Nx.asType(t, "f32"), {
          path: "f32-set/v",
          chunks: { time: 2 },
          format: 2,
        });
        await inSet.write(Nx.asType(t, "f32"));
        const found = JSON.parse(
          execFileSync("/usr/bin/python3", ["-c", READER, folder, ...names], { encoding: "utf8" }),
        ) as Record<string, unknown>;
        const dtypes = { f32: "<f4", s16: "<i2", u64: "<u8", f16: "<f2", f64: "<f8" } as const;
        for (const [name, dtype] of Object.entries(dtypes)) {
          expect(found[name]).toEqual({ names: ["time", "x"], dtype, values: numbers(t) });
        }
        expect(found["sum"]).toBe(Nx.toNumber(t.sum({ axes: ["time"] }).at(1)));
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );

  it.skipIf(!hasPython())(
    "are read from the folders that zarr-python writes, straight or not (skipped without python3-zarr and python3-xarray)",
    async () => {
      const folder = mkdtempSync(path.join(tmpdir(), "nx-numerics-zarr-"));
      try {
        execFileSync("/usr/bin/python3", ["-c", WRITER, folder]);
        for (const name of ["plain", "slashes", "fortran", "big", "filtered", "zstd", "some"]) {
          const array = await openZarr(folder, name);
          const wanted = name === "some" ? t.at({ time: Nx.range(0, 2) }) : t;
          const where: Record<string, ZarrIndex> = name === "some" ? { 0: [0, 2] } : {};
          expect(numbers(await array.read(where))).toEqual(numbers(wanted));
          const total = (await array.sum({ nan: "skip" })).item();
          expect(total).toBe(wanted.sum().item());
        }
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );

  it("of version 3 are read by zarrita alone", async () => {
    for (const codecs of ["none", "zstd", "blosc"] as const) {
      const store = new Map<string, Uint8Array>();
      await (await createZarr(store, t, { path: "a/b", chunks: [2, 2], codecs })).write(t);
      const array = await zarrita.open.v3(zarrita.root(store).resolve("a/b"), { kind: "array" });
      expect([array.dtype, array.shape, array.dimensionNames]).toEqual(["float64", [5, 3], ["time", "x"]]);
      expect([...((await zarrita.get(array as zarrita.Array<"float64">)).data as Float64Array)]).toEqual(numbers(t));
    }
  });

  it("and shards that others wrote are read", async () => {
    const store = new Map<string, Uint8Array>();
    const array = await createZarr(store, t, { chunks: [4, 2], codecs: "none" });
    // a shard of four chunks: the elements, then where each chunk begins and how many bytes it has
    const inner = { name: "sharding_indexed", configuration: {
      chunk_shape: [2, 1],
      codecs: [{ name: "bytes", configuration: { endian: "little" } }],
      index_codecs: [{ name: "bytes", configuration: { endian: "little" } }],
      index_location: "end",
    } }; // prettier-ignore
    const document = JSON.parse(new TextDecoder().decode(store.get("/zarr.json"))) as object;
    store.set("/zarr.json", new TextEncoder().encode(JSON.stringify({ ...document, codecs: [inner] })));
    const padded = Nx.pad(t, 0, [[0, 3, 0], [0, 1, 0]]); // prettier-ignore
    for (const [i, j] of [
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ] as const) {
      const bytes: number[] = [];
      const index: bigint[] = [];
      for (const [k, l] of [
        [0, 0],
        [0, 1],
        [1, 0],
        [1, 1],
      ] as const) {
        const chunk = Nx.toBinary(
          padded.at(Nx.range(i * 4 + k * 2, i * 4 + k * 2 + 2), Nx.range(j * 2 + l, j * 2 + l + 1)),
        );
        index.push(BigInt(bytes.length), BigInt(chunk.length));
        bytes.push(...chunk);
      }
      store.set(`/c/${i}/${j}`, new Uint8Array([...bytes, ...new Uint8Array(new BigUint64Array(index).buffer)]));
    }
    const sharded = await openZarr(store);
    expect(sharded.chunks).toEqual([2, 1]);
    expect((await sharded.read()).equals(t)).toBe(true);
    expect((await sharded.mean({ axes: ["x"] })).equals(t.mean({ axes: ["x"] }))).toBe(true);
    expect(array.chunks).toEqual([4, 2]);
  });
});
