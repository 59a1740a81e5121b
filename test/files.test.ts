/**
 * `nx-numerics/files`: formats told by name and by bytes, blobs, responses, streams and the disk.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { afterAll, describe, expect, expectTypeOf, it } from "vitest";
import * as Nx from "nx-numerics";
import {
  decode,
  encode,
  formatOf,
  fromBlob,
  readFile,
  readStream,
  toBlob,
  writeFile,
  type FileFormat,
} from "nx-numerics/files";
import { dataPath } from "./io/read";

const t = Nx.f32(
  [
    [1, 2.5],
    [3, 4],
  ],
  { names: ["x", "y"] },
);
const VALUES = { nx: { t, label: "first" }, npy: t, npz: { t }, safetensors: { t } } as const;
const FORMATS = Object.keys(VALUES) as FileFormat[];

/** The one tensor of what any format gives. */
function tensorOf(value: unknown): Nx.Tensor {
  if (value instanceof Nx.Tensor) return value;
  return (Array.isArray(value) ? Object.fromEntries(value as [string, Nx.Tensor][]) : (value as { t: Nx.Tensor })).t!;
}

const same = (value: unknown): boolean =>
  tensorOf(value)
    .rename([null, null])
    .equals(t.rename([null, null]));

const folder = mkdtempSync(path.join(tmpdir(), "nx-numerics-files-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("formats", () => {
  it.each(FORMATS)("%s is told by its name and by its bytes", (format) => {
    expect(formatOf(`some.thing/w.${format}`)).toBe(format);
    expect(formatOf(`W.${format.toUpperCase()}`)).toBe(format);
    expect(formatOf(encode(VALUES[format], format))).toBe(format);
    expect(same(decode(encode(VALUES[format], format), format))).toBe(true);
  });

  it("an archive without entries is told as well, other things are not", () => {
    expect(formatOf(encode({}, "npz"))).toBe("npz");
    for (const name of ["", "npy", ".npz/x", "a.npy.txt", "a."]) expect(formatOf(name)).toBe(null);
    for (const bytes of [new Uint8Array(), new Uint8Array(20)]) expect(formatOf(bytes)).toBe(null);
    expect(() => formatOf(1 as never)).toThrow(Nx.ArgumentError);
  });

  it("passes options on", () => {
    expect(encode(t, "npy", { version: 2 })[6]).toBe(2);
    expect(() => encode(t, "npy", { compression: "deflate" } as never)).toThrow('unknown option "compression"');
    expect(Object.keys(decode(encode({ a: 1, b: 2 }, "safetensors"), "safetensors", { keys: ["b"] }))).toEqual(["b"]);
  });
});

describe("blobs and responses", () => {
  it.each(FORMATS)("%s goes into a blob and comes back", async (format) => {
    const blob = toBlob(VALUES[format], format);
    expect(blob.type).toBe(format === "npz" ? "application/zip" : "application/octet-stream");
    expect(same(await fromBlob(blob))).toBe(true);
    expect(same(await fromBlob(new Response(blob)))).toBe(true);
  });

  it("a name with a known ending decides, and a format given decides before it", async () => {
    const bytes = encode(t, "npy") as Uint8Array<ArrayBuffer>;
    expect(same(await fromBlob(new File([bytes], "download")))).toBe(true);
    await expect(fromBlob(new File([bytes], "w.safetensors"))).rejects.toThrow("Nx.loadSafetensors");
    expect(same(await fromBlob(new File([bytes], "w.safetensors"), { format: "npy" }))).toBe(true);
    const response = { arrayBuffer: async () => bytes.buffer, url: "https://example.org/w.nx?version=1#top", ok: true };
    await expect(fromBlob(response)).rejects.toThrow("Nx.deserialize");
  });

  it("what is none is an error", async () => {
    await expect(fromBlob(new Response("gone", { status: 410 }))).rejects.toThrow("status 410");
    await expect(fromBlob(new Blob(["text"]))).rejects.toThrow(
      'cannot tell the format of "the stream", which is none of "nx", "npy", "npz", "safetensors" by its name or first bytes',
    );
    await expect(fromBlob(toBlob(t, "npy"), { maxBytes: 10 })).rejects.toThrow("there are 144 bytes, more than the 10");
    for (const wrong of [null, undefined, 1, "x", {}, []]) {
      await expect(fromBlob(wrong as never)).rejects.toThrow(Nx.ArgumentError);
      await expect(fromBlob(toBlob(t, "npy"), { format: wrong ?? "" } as never)).rejects.toThrow(Nx.ArgumentError);
    }
    expect(() => toBlob(t, "csv" as never)).toThrow(
      'encode knows the formats "nx", "npy", "npz", "safetensors", got: "csv"',
    );
  });
});

describe("streams", () => {
  const bytes = encode(VALUES.nx, "nx");
  const parts = [bytes.subarray(0, 5), bytes.subarray(5, 5), bytes.subarray(5, 70), bytes.subarray(70)];

  it("of the web, of Node and of plain JavaScript", async () => {
    expect(same(await readStream(toBlob(VALUES.nx, "nx").stream()))).toBe(true);
    expect(same(await readStream(Readable.from(parts.map((part) => Buffer.from(part)))))).toBe(true);
    expect(same(await readStream(parts))).toBe(true);
    expect(
      same(
        await readStream(
          (async function* () {
            yield* parts;
          })(),
        ),
      ),
    ).toBe(true);
  });

  it("a stream of the web is told when too much has come", async () => {
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1000)),
      cancel: () => void (cancelled = true),
    });
    await expect(readStream(endless, { maxBytes: 10_000 })).rejects.toThrow("more than the 10000 bytes of maxBytes");
    expect(cancelled).toBe(true);
  });

  it("an iteration is closed when too much has come", async () => {
    let closed = false;
    const endless = (function* (): Generator<Uint8Array> {
      try {
        for (;;) yield new Uint8Array(1000);
      } finally {
        closed = true;
      }
    })();
    await expect(readStream(endless, { maxBytes: 10_000 })).rejects.toThrow("maxBytes");
    expect(closed).toBe(true);
  });

  it("errors of a stream come through, other pieces are errors", async () => {
    const broken = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(new Error("unplugged")) });
    await expect(readStream(broken)).rejects.toThrow("unplugged");
    await expect(readStream(["text"] as never)).rejects.toThrow('pieces that are Uint8Arrays, got: "text"');
    for (const wrong of [null, undefined, 1, "x", {}, Symbol("s")]) {
      await expect(readStream(wrong as never)).rejects.toThrow(Nx.ArgumentError);
      await expect(readStream(parts, { maxBytes: wrong ?? 0 } as never)).rejects.toThrow(Nx.ArgumentError);
    }
    await expect(readStream(parts, { size: 1 } as never)).rejects.toThrow(
      "takes the options format, maxBytes, options, got: size",
    );
  });
});

describe("the disk", () => {
  it.each(FORMATS)("%s is written and read by the ending of the path", async (format) => {
    const file = path.join(folder, `w.${format}`);
    await writeFile(file, VALUES[format]);
    expect(formatOf(new Uint8Array(readFileSync(file)))).toBe(format);
    expect(same(await readFile(file))).toBe(true);
  });

  it("knows the type of what comes back by the ending", async () => {
    const file = `${folder}/typed` as const;
    await writeFile(`${file}.npy`, t);
    expectTypeOf(await readFile(`${file}.npy`)).toEqualTypeOf<Nx.Tensor>();
    await writeFile(`${file}.safetensors`, { t });
    const { t: back } = await readFile(`${file}.safetensors`);
    expect(back!.names).toEqual(["x", "y"]);
  });

  it("reads what NumPy wrote", async () => {
    const [[name, a]] = (await readFile(dataPath("deflated.npz").pathname)) as [[string, Nx.Tensor]];
    expect([name, a.toList()]).toEqual([
      "a",
      [
        [0, 1, 2],
        [3, 4, 5],
      ],
    ]);
  });

  it("takes a format for other endings, and options of the format", async () => {
    const file = path.join(folder, "weights.bin");
    await expect(writeFile(file, t)).rejects.toThrow("cannot tell the format");
    await writeFile(file, { z: Nx.broadcast(0, [1000]) }, { format: "nx", options: { compression: "deflate" } });
    expect(readFileSync(file).length).toBeLessThan(400);
    expect(await readFile(file)).toMatchObject({ z: { shape: [1000] } });
    await expect(readFile(file, { maxBytes: 10 })).rejects.toThrow("more than the 10 of maxBytes");
    await expect(writeFile(file, t, { mode: 1 } as never)).rejects.toThrow(
      "takes the options format, options, got: mode",
    );
  });

  it("errors of the file system and of files are those of the library", async () => {
    await expect(readFile(path.join(folder, "none.npy"))).rejects.toThrow(Nx.ArgumentError);
    await expect(writeFile(path.join(folder, "no", "folder.npy"), t)).rejects.toThrow("cannot write");
    writeFileSync(path.join(folder, "text.npy"), "text");
    await expect(readFile(path.join(folder, "text.npy"))).rejects.toThrow("no .npy file");
    for (const wrong of [null, undefined, 1, "", {}, []]) {
      await expect(readFile(wrong as never)).rejects.toThrow(Nx.ArgumentError);
      await expect(writeFile(wrong as never, t)).rejects.toThrow(Nx.ArgumentError);
    }
  });
});
