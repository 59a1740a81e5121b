/** The file of modules that were assembled when the package was built. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { finderWith, hashesOf } from "../../lib/node/first-modules";
import { finder, finderIn, HEAD, ROW, WORD } from "../../lib/node/modules";
import { firstTexts, modulesFile } from "../../scripts/parts/modules-file";

const MODULES = new Map([
  ["fold sum", Uint8Array.of(1, 2, 3, 4, 5)],
  ["fold sum 1", Uint8Array.of(255, 0, 0)],
  ["short line\n0>1", Uint8Array.of(9, 8, 7, 6)],
  ["sum", Uint8Array.of()],
]);

const file = modulesFile(MODULES);

const folder = mkdtempSync(join(tmpdir(), "nx-modules-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.unstubAllGlobals());

/** Stands in for `node:fs`, with one file. */
function diskWith(bytes: Uint8Array) {
  return {
    openSync: vi.fn(() => 7),
    readSync: vi.fn((_: number, into: Uint8Array) => {
      into.set(bytes.subarray(0, into.length));
      return Math.min(bytes.length, into.length);
    }),
    closeSync: vi.fn(),
    readFileSync: vi.fn(() => bytes),
  };
}

/** More than is read first: a module at the beginning, one across the end of what is read, one beyond it. */
const LARGE = new Map([
  ["first", Uint8Array.of(1, 2, 3)],
  ["across", new Uint8Array(HEAD).fill(4)],
  ["beyond", Uint8Array.of(5, 6)],
]);

describe("a large file of modules", () => {
  const large = modulesFile(LARGE);
  const finderOn = (disk: ReturnType<typeof diskWith>): ReturnType<typeof finderIn> => {
    vi.stubGlobal("process", { getBuiltinModule: () => disk });
    return finderIn("/a/library.js", "modules.bin");
  };

  it("is read from the beginning, and once as a whole when a module lies beyond", () => {
    const disk = diskWith(large);
    const find = finderOn(disk);
    for (let i = 0; i < 2; i++) expect([...find("first")!]).toEqual([1, 2, 3]);
    expect(find("none")).toBeUndefined();
    expect(disk.readSync.mock.calls.map(([descriptor, bytes]) => [descriptor, bytes.length])).toEqual([[7, HEAD]]);
    expect([disk.closeSync.mock.calls, disk.readFileSync.mock.calls]).toEqual([[[7]], []]);
    for (const [key, bytes] of LARGE) expect(Buffer.compare(find(key)!, bytes)).toBe(0);
    expect(disk.readFileSync).toHaveBeenCalledTimes(1);
  });

  it("may be replaced or taken away in between", () => {
    const disk = diskWith(large);
    const [find, later] = [finderOn(disk), finderOn(disk)];
    disk.readFileSync.mockReturnValue(modulesFile(new Map([["beyond", Uint8Array.of(7)]])));
    expect([[...find("beyond")!], find("across"), [...find("first")!]]).toEqual([[7], undefined, [1, 2, 3]]);
    disk.readFileSync.mockImplementation(() => {
      throw Object.assign(new Error("no file"), { code: "ENOENT" });
    });
    expect([later("beyond"), [...later("first")!]]).toEqual([undefined, [1, 2, 3]]);
  });

  it("is told to be damaged where it is cut off, and closed where it cannot be read", () => {
    for (const length of [HEAD - 1, HEAD, HEAD + 8, large.length - WORD + 1])
      expect(() => finderOn(diskWith(large.subarray(0, length)))("beyond"), `${length}`).toThrow("damaged");
    const disk = diskWith(large);
    disk.readSync.mockImplementation(() => {
      throw Object.assign(new Error("a directory"), { code: "EISDIR" });
    });
    expect(finderOn(disk)("first")).toBeUndefined();
    expect(disk.closeSync).toHaveBeenCalledWith(7);
  });

  it("may have an index longer than what is read first", () => {
    const many = new Map(Array.from({ length: HEAD / (ROW * WORD) + 1 }, (_, i) => [`${i}`, Uint8Array.of(i & 255)]));
    const find = finderOn(diskWith(modulesFile(many)));
    for (const [key, bytes] of many) expect([...find(key)!]).toEqual([...bytes]);
  });
});

describe("a file of modules", () => {
  it("has the bytes of each key, and of no other", () => {
    const find = finder(file, "modules.bin");
    for (const [key, bytes] of MODULES) expect([...find(key)!]).toEqual([...bytes]);
    for (const key of ["", "fold", "fold sum 10", "short line", "line\n0>1", "0,5", "5"])
      expect(find(key)).toBeUndefined();
  });

  it("tells each damaged bit of a module, and no other module is taken for damaged", () => {
    const first = file.length - 8 - 4 - 4;
    for (let bit = 0; bit < 8 * 5; bit++) {
      const damaged = Uint8Array.from(file);
      damaged[first + (bit >> 3)]! ^= 1 << (bit & 7);
      const find = finder(damaged, "a/modules.bin");
      expect(() => find("fold sum")).toThrow(
        "a/modules.bin is damaged, at the module fold sum: install the package again",
      );
      expect([...find("fold sum 1")!]).toEqual([255, 0, 0]);
    }
  });

  it("tells that a file is cut off, in the index or in a module", () => {
    const last = "short line\n0>1";
    for (let length = 0; length < file.length; length++) {
      const cut = (): Uint8Array | undefined => finder(file.subarray(0, length), "a/modules.bin")(last);
      expect(cut, `${length} bytes`).toThrow(/^a\/modules\.bin is damaged.*: install the package again$/s);
    }
  });

  it("tells that hashes of a key are those of another module", () => {
    const damaged = Uint8Array.from(file);
    new Int32Array(damaged.buffer, WORD).set(hashesOf("fold sum 3"), ROW);
    expect(() => finder(damaged, "a/modules.bin")("fold sum 3")).toThrow("damaged, at the module fold sum 3");
  });

  it("gives nothing for a module of which the hashes are damaged", () => {
    for (const word of [0, 1]) {
      const damaged = Uint8Array.from(file);
      damaged[WORD * (1 + ROW + word)]! ^= 4;
      const find = finder(damaged, "a/modules.bin");
      expect(find("fold sum 1")).toBeUndefined();
      expect([...find("fold sum")!]).toEqual([1, 2, 3, 4, 5]);
    }
  });

  it("finds modules wherever bytes begin", () => {
    const shifted = new Uint8Array(file.length + 3).subarray(3);
    shifted.set(file);
    expect([...finder(shifted, "modules.bin")("fold sum 1")!]).toEqual([255, 0, 0]);
  });

  it("is found beside a file by its URL and by its path", () => {
    writeFileSync(join(folder, "modules.bin"), file);
    const here = join(folder, "library.js");
    for (const place of [here, pathToFileURL(here).href]) {
      expect([...finderIn(place, "modules.bin")("fold sum")!]).toEqual([1, 2, 3, 4, 5]);
    }
  });

  it("is looked for beside files alone, and may be unreadable", () => {
    vi.stubGlobal("process", { getBuiltinModule: () => diskWith(file) });
    const placed = ["/a/library.js", "C:\\a\\library.js", "file:///a/library.js"];
    for (const here of placed) expect(finderIn(here, "modules.bin")("fold sum")).toBeDefined();
    const unplaced = [undefined, "data:text/javascript,let a", "blob:nodedata:1", "https://a/library.js"];
    for (const here of unplaced) expect(finderIn(here, "modules.bin")("fold sum")).toBeUndefined();
    const refused = (): never => {
      throw Object.assign(new Error("no access"), { code: "ERR_ACCESS_DENIED" });
    };
    vi.stubGlobal("process", { getBuiltinModule: () => ({ ...diskWith(file), openSync: refused }) });
    expect(finderIn("/a/library.js", "modules.bin")("fold sum")).toBeUndefined();
  });

  it("may be missing, and is not read where that is asked about", () => {
    const here = join(folder, "library.js");
    expect(finderIn(here, "none.bin")("fold sum")).toBeUndefined();
    writeFileSync(join(folder, "modules.bin"), file);
    vi.stubGlobal("Deno", {});
    expect(finderIn(here, "modules.bin")("fold sum")).toBeUndefined();
  });
});

describe("modules that code has in itself", () => {
  const texts = firstTexts(LARGE);

  it("are the first, as far as there is room", () => {
    expect(Object.keys(texts)).toEqual([hashesOf("first").join()]);
    expect(firstTexts(MODULES)).toEqual(
      Object.fromEntries(
        [...MODULES].map(([key, bytes]) => [hashesOf(key).join(), Buffer.from(bytes).toString("base64")]),
      ),
    );
  });

  it("are found without a file, and others in one", () => {
    const inFile = vi.fn(() => finder(modulesFile(LARGE), "modules.bin"));
    const find = finderWith(texts, inFile);
    for (let i = 0; i < 2; i++) expect(find("first")).toEqual(Uint8Array.of(1, 2, 3));
    expect(inFile).not.toHaveBeenCalled();
    for (const key of ["beyond", "across"]) expect(Buffer.compare(find(key)!, LARGE.get(key)!)).toBe(0);
    expect(find("none")).toBeUndefined();
    expect(inFile).toHaveBeenCalledTimes(1);
  });

  it("are looked for in the file where the host makes no bytes of text", () => {
    vi.stubGlobal("Buffer", undefined);
    expect([...finderWith(texts, () => () => Uint8Array.of(7))("first")!]).toEqual([7]);
  });
});

describe("hashes of keys", () => {
  it("are different for keys that differ in a character, and for many keys", () => {
    const long = "const.f64()1.5.0;add.f64(0,1);".repeat(200);
    const keys = Array.from(
      { length: 5000 },
      (_, i) => `${long.slice(0, (7 * i) % 900)}${i}${long.slice(i % 300, 400)}`,
    );
    for (let i = 0; i < 2000; i++) keys.push(`${long.slice(0, i)}!${long.slice(i + 1)}`);
    expect(new Set(keys.map((key) => hashesOf(key).join())).size).toBe(keys.length);
    for (const half of [0, 1]) expect(new Set(keys.map((key) => hashesOf(key)[half])).size).toBeGreaterThan(6_995);
  });
});
