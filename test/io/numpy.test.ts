/**
 * NumPy's files: those that NumPy wrote, those that NumPy is to read, and those that are not what they say.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { deflateSync } from "fflate";
import { Map } from "immutable";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { writeZip } from "../../lib/io/zip";
import { concat, expectArray, expected, npyFile, readData, uint } from "./read";

const HEADER = "{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }";

describe("loadNumpy", () => {
  it.each(Object.entries(expected.arrays))("reads %s", (name, array) => {
    expectArray(Nx.loadNumpy(readData(name)), array);
    expectArray(Nx.loadNumpy(readData(name).buffer as ArrayBuffer, { copy: false }), array);
  });

  it.each(Object.entries(expected.refused))("refuses %s", (name, reason) => {
    expect(() => Nx.loadNumpy(readData(name))).toThrow(Nx.ArgumentError);
    expect(() => Nx.loadNumpy(readData(name))).toThrow(reason);
  });

  it("copies unless told not to", () => {
    const file = Nx.toNumpy(Nx.u8([1, 2, 3]));
    const [own, shared] = [Nx.loadNumpy(file), Nx.loadNumpy(file, { copy: false })];
    file[file.length - 1] = 9;
    expect(own.toFlatList()).toEqual([1, 2, 3]);
    expect(shared.toFlatList()).toEqual([1, 2, 9]);
  });

  it("reads where the elements are not aligned", () => {
    const file = concat(Uint8Array.of(0), npyFile(HEADER, Uint8Array.of(1, 0, 2, 0))).subarray(1);
    expect(Nx.loadNumpy(file).toFlatList()).toEqual([1, 2]);
    expect(Nx.loadNumpy(file, { copy: false }).toFlatList()).toEqual([1, 2]);
  });

  it("takes booleans other than 0 and 1 as true", () => {
    const file = npyFile("{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}", Uint8Array.of(0, 1, 255));
    expect(Nx.loadNumpy(file).toFlatList()).toEqual([0, 1, 1]);
  });

  it("takes the keys in any order, in either quotes and without blanks", () => {
    const file = npyFile('{"shape":(2,),\n"fortran_order":False,"descr":"<i2"}', Uint8Array.of(1, 0, 2, 0), 3);
    expect(Nx.loadNumpy(file).toFlatList()).toEqual([1, 2]);
  });

  const shaped = (shape: string): string => `{'descr': '<i2', 'fortran_order': False, 'shape': ${shape}, }`;
  it.each([
    ["", "expected a string, an integer"],
    ["[1]", "must be a dictionary with the keys descr, fortran_order, shape"],
    ["{'descr': '<i2', 'fortran_order': False}", "got: one with the keys descr, fortran_order"],
    ["{'descr': '<i2', 'descr': '<i2'}", "no second key"],
    [HEADER + "x", "the end of the header"],
    [HEADER.replace("False", "0"), "fortran_order of the file must be True or False, got: 0"],
    [HEADER.replace("False", "false"), "expected a string, an integer, True"],
    [HEADER.replace("'<i2'", "'=i2'"), "must say its byte order"],
    [HEADER.replace("'<i2'", "'i2'"), "must say its byte order"],
    [HEADER.replace("'<i2'", "'<i3'"), "expected one of: b1, u1"],
    [HEADER.replace("'<i2'", "'__proto__'"), "expected one of"],
    [HEADER.replace("'<i2'", "'\\x3ci2'"), "without escapes"],
    [HEADER.replace("'<i2'", "[('a', '<i2')]"), "structured"],
    [shaped("(2)"), "must be a list of sizes, got: 2"],
    [shaped("(-2,)"), "must be a list of sizes"],
    [shaped("(2.0,)"), 'expected "," or ")"'],
    [shaped("(2 2)"), 'expected "," or ")"'],
    [shaped("(True,)"), "must be a list of sizes"],
    [shaped("(99999999999999999999,)"), "an integer below 2^53"],
    [shaped("(0,)"), "empty tensors do not exist"],
    [shaped("(4294967296,)"), "more than the 4294967295 elements"],
    [shaped("(9007199254740991, 9007199254740991)"), "more than the 4294967295 elements"],
    [shaped("(4000000000,)"), "should have 8000000000 bytes of elements"],
    [shaped(`(${"1, ".repeat(65)})`), "65 axes, at most 64"],
    [shaped(`${"(".repeat(5000)}${")".repeat(5000)}`), "fewer brackets"],
    [shaped("(3,)"), "should have 6 bytes of elements"],
    [shaped("(1,)"), "should have 2 bytes of elements"],
  ])("refuses the header %s", (header, message) => {
    const file = npyFile(header, Uint8Array.of(1, 0, 2, 0));
    expect(() => Nx.loadNumpy(file)).toThrow(Nx.ArgumentError);
    expect(() => Nx.loadNumpy(file)).toThrow(message);
  });

  it("refuses every cut of a file", () => {
    const file = Nx.toNumpy(Nx.iota([3]));
    for (let end = 0; end < file.length; end++)
      expect(() => Nx.loadNumpy(file.subarray(0, end))).toThrow(Nx.ArgumentError);
  });

  it("refuses versions it does not know and headers of a size no header has", () => {
    expect(() => Nx.loadNumpy(npyFile(HEADER, Uint8Array.of(1, 0, 2, 0), 4))).toThrow("version 4.0");
    const file = npyFile(HEADER, Uint8Array.of(1, 0, 2, 0), 2);
    file.set(uint(0xffffffff, 4), 8);
    expect(() => Nx.loadNumpy(file)).toThrow("a header of 4294967295 bytes, expected at most 1048576");
  });
});

describe("one kind of file for the other", () => {
  it("is answered with the function that reads it", () => {
    expect(() => Nx.loadNumpy(Nx.toNumpyArchive({ a: 1 }))).toThrow("a ZIP archive is read by Nx.loadNumpyArchive");
    expect(() => Nx.loadNumpyArchive(Nx.toNumpy(Nx.tensor(1)))).toThrow("a .npy file is read by Nx.loadNumpy");
  });
});

describe("toNumpy", () => {
  const native = Object.keys(expected.arrays).filter((name) => !/_big|version|python2|bool|big/.test(name));

  it.each(native)("writes %s as NumPy did, byte for byte", (name) => {
    const file = readData(name);
    const fortranOrder = name === "fortran.npy";
    expect(Nx.toNumpy(Nx.loadNumpy(file), { fortranOrder })).toEqual(file);
  });

  it("writes the later versions", () => {
    const t = Nx.loadNumpy(readData("version2.npy"));
    for (const version of [2, 3] as const) {
      const file = Nx.toNumpy(t, { version });
      expect([...file.subarray(6, 8)]).toEqual([version, 0]);
      expect(file.length).toBe(readData(`version${version}.npy`).length);
      expect(Nx.loadNumpy(file).equals(t)).toBe(true);
    }
  });

  it("writes plain values, and forgets names", () => {
    expect(Nx.loadNumpy(Nx.toNumpy(7)).toNumber()).toBe(7);
    expect(Nx.loadNumpy(Nx.toNumpy(Nx.iota([2], { names: ["x"] }), { fortranOrder: true })).names).toEqual([null]);
  });

  it("refuses tensors without elements and versions that are none", () => {
    expect(() => Nx.toNumpy(Nx.template([2], "f32"))).toThrow(Nx.BackendError);
    expect(() => Nx.toNumpy(1, { version: 4 as 3 })).toThrow("option version of Nx.toNumpy must be 1, 2 or 3, got: 4");
    expect(() => Nx.Defn.jit((t: Nx.Tensor) => Nx.sum(Nx.toNumpy(t).length))(Nx.tensor(1))).toThrow(Nx.NxError);
  });
});

describe("archives", () => {
  it.each(Object.entries(expected.archives))("reads %s", (name, arrays) => {
    const got = Nx.loadNumpyArchive(readData(name));
    expect(got.map(([key]) => key)).toEqual(arrays.map(([key]) => key));
    got.forEach(([, t], i) => expectArray(t, arrays[i]![1]));
  });

  const tensors = { a: Nx.iota([2, 3]), größe: Nx.f16(0.5), zeros: Nx.broadcast(0, [500]) };
  it.each([{}, { compression: "deflate" as const }, { compression: "deflate" as const, level: 0 }])(
    "round trip %o",
    (options) => {
      const file = Nx.toNumpyArchive(tensors, options);
      const back = Object.fromEntries(Nx.loadNumpyArchive(file, { copy: false }));
      for (const [name, t] of Object.entries(tensors)) expect(back[name]!.equals(t)).toBe(true);
      expect(Nx.toNumpyArchive(Map(tensors), options)).toEqual(file);
      expect(Nx.toNumpyArchive(Object.entries(tensors), options)).toEqual(file);
    },
  );

  it("reads the arrays of some keys alone, beside others that no tensor holds", () => {
    const files = [["a.npy", Nx.toNumpy(Nx.iota([3]))], ["text.npy", readData("text.npy")], ["none.npy", readData("empty.npy")], ["b.npy", Nx.toNumpy(Nx.f64(0.5))]] as const; // prettier-ignore
    const file = writeZip(files, 0, "");
    const got = Nx.loadNumpyArchive(file, { keys: ["b", "a"], maxBytes: 300 });
    expect(got.map(([name, t]) => [name, t.toFlatList()])).toEqual([
      ["b", [0.5]],
      ["a", [0, 1, 2]],
    ]);
    expect(() => Nx.loadNumpyArchive(file)).toThrow(
      /"text\.npy" have the dtype "<U\d": text; save an array of numbers; the option keys reads other arrays alone$/,
    );
    expect(() => Nx.loadNumpyArchive(file, { keys: ["text"] })).toThrow(/save an array of numbers$/);
    expect(() => Nx.loadNumpyArchive(writeZip([files[1]], 0, ""))).toThrow(/save an array of numbers$/);
    expect(() => Nx.loadNumpyArchive(file, { keys: ["a.npy"] })).toThrow(
      'the file has no tensor named "a.npy", it has 4: "a", "text", "none", "b"',
    );
    expect(() => Nx.loadNumpyArchive(file, { keys: "a" as never })).toThrow("must be an array of names");
  });

  it("writes an archive without entries", () => {
    expect(Nx.loadNumpyArchive(Nx.toNumpyArchive({}))).toEqual([]);
  });

  it("refuses names and values it cannot keep", () => {
    const message =
      'Nx.toNumpyArchive takes one tensor for each name, and "dense" is { kernel: a tensor f32[1] }; give its tensors names of their own, such as "dense.kernel", or keep the whole with Nx.serialize';
    expect(() => Nx.toNumpyArchive({ dense: { kernel: Nx.f32([1]) } as never })).toThrow(message);
    expect(() => Nx.toNumpyArchive({ "": 1 })).toThrow("names that are non-empty strings");
    expect(() =>
      Nx.toNumpyArchive([
        ["a", 1],
        ["a", 2],
      ]),
    ).toThrow('the name "a" twice');
    expect(() => Nx.toNumpyArchive([["a"]] as never)).toThrow("pairs of a name and a tensor");
    expect(() => Nx.toNumpyArchive({ "\ud800": 1 })).toThrow("half of a surrogate pair");
    expect(() => Nx.toNumpyArchive({ ["x".repeat(70000)]: 1 })).toThrow("at most 65535");
    expect(() => Nx.toNumpyArchive({ a: 1 }, { level: 10 })).toThrow("from 0 to 9");
    expect(() => Nx.toNumpyArchive({ a: 1 }, { compression: "gzip" as "none" })).toThrow('"none", "deflate"');
  });
});

/** An archive whose parts may be wrong; sizes and check sums are those of the bytes unless given. */
interface Entry {
  name: string;
  data: Uint8Array;
  method?: number;
  flags?: number;
  size?: number;
  packed?: number;
  crc?: number;
  offset?: number;
  localName?: string;
}

function archive(
  entries: Entry[],
  { count = entries.length, shift = 0, disk = 0, extra = new Uint8Array() as Uint8Array } = {},
): Uint8Array {
  const parts: Uint8Array[] = [];
  const central: Uint8Array[] = [];
  let at = 0;
  for (const {
    name,
    data,
    method = 0,
    flags = 0,
    size = data.length,
    packed = data.length,
    crc = 0,
    offset = at,
    localName = name,
  } of entries) {
    const raw = new TextEncoder().encode(name);
    const common = concat(
      uint(flags, 2),
      uint(method, 2),
      uint(0, 4),
      uint(crc, 4),
      uint(packed, 4),
      uint(size, 4),
      uint(raw.length, 2),
    );
    const local = concat(
      uint(0x04034b50, 4),
      uint(20, 2),
      common,
      uint(0, 2),
      new TextEncoder().encode(localName),
      data,
    );
    central.push(
      concat(
        uint(0x02014b50, 4),
        uint(20, 4),
        common,
        uint(extra.length, 2),
        uint(0, 6),
        uint(0, 4),
        uint(offset, 4),
        raw,
        extra,
      ),
    );
    parts.push(local);
    at += local.length;
  }
  const directory = concat(...central);
  const end = concat(
    uint(0x06054b50, 4),
    uint(disk, 4),
    uint(count, 2),
    uint(count, 2),
    uint(directory.length, 4),
    uint(at + shift, 4),
    uint(0, 2),
  );
  return concat(...parts, directory, end);
}

describe("hostile archives", () => {
  const npy = Nx.toNumpy(Nx.u8([1, 2]));
  const zeros = new Uint8Array(2 ** 20);
  const bomb = concat(npyFile("{'descr': '|u1', 'fortran_order': False, 'shape': (10,), }", zeros));

  it.each<[string, Uint8Array, string]>([
    ["nothing", new Uint8Array(), "no ZIP archive"],
    ["no archive", new Uint8Array(100), "no ZIP archive"],
    ["several disks", archive([{ name: "a", data: npy }], { disk: 1 }), "split over several files"],
    [
      "more entries than stated",
      archive(
        [
          { name: "a", data: npy },
          { name: "b", data: npy },
        ],
        { count: 1 },
      ),
      "more than the 1 entries",
    ],
    ["fewer entries than stated", archive([{ name: "a", data: npy }], { count: 2 }), "missing or damaged"],
    [
      "a directory elsewhere",
      archive([{ name: "a", data: npy }], { shift: 1 }),
      "the directory of the archive should fill",
    ],
    ["encrypted", archive([{ name: "a", data: npy, flags: 1 }]), 'the entry "a" is encrypted'],
    ["another method", archive([{ name: "a", data: npy, method: 93 }]), "by method 93"],
    ["a wrong check sum", archive([{ name: "a", data: npy, crc: 1 }]), "is damaged: its check sum"],
    [
      "a size that is not that of stored bytes",
      archive([{ name: "a", data: npy, size: 1 }]),
      "is not compressed but states",
    ],
    ["bytes past the directory", archive([{ name: "a", data: npy, size: 9999, packed: 9999 }]), "past the directory"],
    ["a header elsewhere", archive([{ name: "a", data: npy, offset: 1 }]), "should be at byte 1, but is not there"],
    ["a header past the end", archive([{ name: "a", data: npy, offset: 0xfffffff0 }]), "should be at byte 4294967280"],
    ["another name in the header", archive([{ name: "a", data: npy, localName: "b" }]), "is not there or is damaged"],
    [
      "two entries of one name",
      archive([
        { name: "a", data: npy },
        { name: "a", data: npy },
      ]),
      'two entries named "a"',
    ],
    [
      "entries that share bytes",
      archive([
        { name: "a", data: npy },
        { name: "a", data: npy, offset: 0 },
      ]),
      "overlap at byte 0",
    ],
    [
      "a name that is no text",
      archive([{ name: "a", data: npy }]).map((byte) => (byte === 0x61 ? 0xff : byte)),
      "not valid UTF-8",
    ],
    [
      "more than deflate can give",
      archive([{ name: "a", data: deflateSync(npy), method: 8, size: 2 ** 31 }]),
      "compressed bytes can expand to",
    ],
    [
      "damaged deflate",
      archive([{ name: "a", data: Uint8Array.of(7, 1, 2), method: 8, size: 100 }]),
      "are damaged: invalid block type",
    ],
    [
      "cut deflate",
      archive([{ name: "a", data: deflateSync(npy).subarray(0, 30), method: 8, size: npy.length }]),
      "are damaged: unexpected EOF",
    ],
    ["no array", archive([{ name: "a", data: deflateSync(zeros), method: 8, size: zeros.length }]), "is no .npy file"],
    [
      "an array larger than its header says",
      archive([{ name: "a", data: deflateSync(bomb), method: 8, size: bomb.length }]),
      "should have 10 bytes of elements",
    ],
    [
      "a stream larger than stated",
      archive([{ name: "a", data: deflateSync(concat(npy, zeros)), method: 8, size: npy.length }]),
      "expand to more",
    ],
    [
      "a stream smaller than stated",
      archive([{ name: "a", data: deflateSync(npy.subarray(0, 129)), method: 8, size: npy.length }]),
      "expand to 129",
    ],
  ])("refuses %s", (_, file, message) => {
    expect(() => Nx.loadNumpyArchive(file)).toThrow(Nx.ArgumentError);
    expect(() => Nx.loadNumpyArchive(file)).toThrow(message);
  });

  it("stops an expansion as soon as it is too large", () => {
    const data = deflateSync(concat(npy, new Uint8Array(2 ** 26)), { level: 1 });
    data.fill(0xff, data.length / 2); // what a reader that goes on stumbles over
    expect(() => Nx.loadNumpyArchive(archive([{ name: "a", data, method: 8, size: npy.length }]))).toThrow(
      "expand to more",
    );
  });

  it("reads sizes of 64 bits", () => {
    const crc = 0xffffffff;
    const wide = concat(uint(1, 2), uint(24, 2), uint(npy.length, 8), uint(npy.length, 8), uint(0, 8));
    const file = archive([{ name: "a", data: npy, size: crc, packed: crc, offset: crc }], {
      extra: concat(uint(9, 2), uint(0, 2), wide),
    });
    expect(() => Nx.loadNumpyArchive(file)).toThrow("check sum"); // found and read; the check sum is left at 0
    const short = archive([{ name: "a", data: npy, size: crc, packed: crc, offset: crc }], {
      extra: wide.subarray(0, 10),
    });
    expect(() => Nx.loadNumpyArchive(short)).toThrow("should be at byte 4294967295");
  });

  it("reads the 64-bit end of a directory", () => {
    const plain = Nx.toNumpyArchive({ a: Nx.u8([1, 2]) });
    const end = plain.length - 22;
    const [size, start] = [12, 16].map((at) => new DataView(plain.buffer).getUint32(end + at, true)) as [
      number,
      number,
    ];
    const end64 = concat(
      uint(0x06064b50, 4),
      uint(44, 8),
      uint(45, 4),
      uint(0, 8),
      uint(1, 8),
      uint(1, 8),
      uint(size, 8),
      uint(start, 8),
    );
    const locator = (at: number): Uint8Array => concat(uint(0x07064b50, 4), uint(0, 4), uint(at, 8), uint(1, 4));
    const tail = concat(uint(0x06054b50, 4), uint(0, 4), uint(0xffffffff, 4), uint(-1, 4), uint(-1, 4), uint(0, 2));
    const file = (at: number): Uint8Array => concat(plain.subarray(0, end), end64, locator(at), tail);
    expect(Nx.loadNumpyArchive(file(end))[0]![1].toFlatList()).toEqual([1, 2]);
    expect(() => Nx.loadNumpyArchive(file(end + 1))).toThrow("64-bit end of the archive's directory");
  });

  it("refuses every cut", () => {
    const file = Nx.toNumpyArchive({ a: 1, b: Nx.iota([3]) }, { compression: "deflate" });
    for (let end = 0; end < file.length; end++) {
      expect(() => Nx.loadNumpyArchive(file.subarray(0, end))).toThrow(Nx.ArgumentError);
    }
  });
});

const PYTHON = `
import sys, json, numpy as np
out = {}
for name in sys.argv[2:]:
    a = np.load(sys.argv[1] + "/" + name, allow_pickle=False)
    for key, x in (a.items() if name.endswith("z") else [(name, a)]):
        out[key] = [x.dtype.str, list(x.shape), bool(x.flags.f_contiguous), x.ravel().astype(complex).view(float).tolist()]
print(json.dumps(out))
`;

function hasNumpy(): boolean {
  try {
    execFileSync("python3", ["-c", "import numpy"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

// Skipped where python3 with numpy is not installed; the bytes are compared with NumPy's own above in any case.
describe.skipIf(!hasNumpy())("NumPy reads what is written (needs python3 with numpy)", () => {
  it("arrays and archives of every type", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "nx-numerics-npy-"));
    try {
      const types = ["u8", "s16", "u32", "s64", "f16", "f32", "f64", "c64", "c128"] as const;
      const tensors = Object.fromEntries(types.map((type) => [type, Nx.iota([2, 3], { type })]));
      writeFileSync(path.join(folder, "all.npz"), Nx.toNumpyArchive(tensors));
      writeFileSync(
        path.join(folder, "packed.npz"),
        Nx.toNumpyArchive({ größe: Nx.tensor(0.5) }, { compression: "deflate" }),
      );
      writeFileSync(path.join(folder, "f.npy"), Nx.toNumpy(tensors["f32"]!, { fortranOrder: true, version: 3 }));
      const out = execFileSync("python3", ["-c", PYTHON, folder, "all.npz", "packed.npz", "f.npy"], {
        encoding: "utf8",
      });
      const dtypes = ["|u1", "<i2", "<u4", "<i8", "<f2", "<f4", "<f8", "<c8", "<c16"];
      const elements = [0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0];
      const wanted = types.map((type, i) => [type, [dtypes[i], [2, 3], false, elements]]);
      expect(JSON.parse(out)).toEqual({
        ...Object.fromEntries(wanted),
        größe: ["<f4", [], true, [0.5, 0]],
        "f.npy": ["<f4", [2, 3], true, elements],
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
