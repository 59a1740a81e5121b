/**
 * The safetensors format: bytes of the reference implementation, names, and files that break its rules.
 */
import { Map } from "immutable";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { concat, safetensorsFile, text, uint } from "./read";

const f32 = (...values: number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);

describe("toSafetensors", () => {
  // The three files that the tests of the reference implementation (huggingface/safetensors, tensor.rs) spell out.
  it("writes the bytes of the reference implementation", () => {
    const attn = Nx.f32([
      [
        [0, 1, 2],
        [3, 4, 5],
      ],
    ]);
    const header = '{"attn.0":{"dtype":"F32","shape":[1,2,3],"data_offsets":[0,24]}}';
    expect(Nx.toSafetensors({ "attn.0": attn })).toEqual(concat(uint(64, 8), text(header), f32(0, 1, 2, 3, 4, 5)));
    const padded = '{"attn0":{"dtype":"F32","shape":[1,1,2,3],"data_offsets":[0,24]}}' + " ".repeat(7);
    const deeper = attn.reshape([1, 1, 2, 3]);
    expect(Nx.toSafetensors({ attn0: deeper })).toEqual(concat(uint(72, 8), text(padded), f32(0, 1, 2, 3, 4, 5)));
    expect(Nx.toSafetensors({})).toEqual(concat(uint(8, 8), text("{}      ")));
    const metadata = '{"__metadata__":{"framework":"pt"}}     ';
    expect(Nx.toSafetensors({}, { metadata: { framework: "pt" } })).toEqual(concat(uint(40, 8), text(metadata)));
  });

  it("puts wide elements first, so that all are aligned", () => {
    const types = ["u8", "f16", "f32", "f64", "s64", "c64"] as const;
    const { tensors } = Nx.safetensorsInfo(
      Nx.toSafetensors(types.map((type) => [type, Nx.iota([3], { type })] as const)),
    );
    expect(Object.keys(tensors)).toEqual(["s64", "f64", "c64", "f32", "f16", "u8"]);
    expect(Object.values(tensors).map(({ dtype }) => dtype)).toEqual(["I64", "F64", "C64", "F32", "F16", "U8"]);
  });

  it("does not depend on the order or kind of what it is given", () => {
    const [a, b] = [Nx.f32(1), Nx.f32(2)];
    const file = Nx.toSafetensors({ a, b });
    expect(
      Nx.toSafetensors([
        ["b", b],
        ["a", a],
      ]),
    ).toEqual(file);
    expect(Nx.toSafetensors(Map({ b, a }))).toEqual(file);
  });

  it("refuses what the format cannot keep", () => {
    expect(() => Nx.toSafetensors({ a: Nx.asType(1, "c128") })).toThrow('no type for c128, of which is "a"');
    expect(() => Nx.toSafetensors({ __metadata__: 1 })).toThrow("belongs to the format");
    expect(() => Nx.toSafetensors({ a: 1 }, { metadata: { a: 1 } as never })).toThrow('texts only, got 1 at "a"');
    expect(() => Nx.toSafetensors({ a: 1 }, { metadata: [] as never })).toThrow("must be an object of texts");
    expect(() => Nx.toSafetensors({ a: 1 }, { metadata: { "nx.names": "" } })).toThrow("is for axis names");
    expect(() => Nx.toSafetensors([1] as never)).toThrow("pairs of a name and a tensor");
  });
});

describe("loadSafetensors", () => {
  it("gives every type back, bit for bit, with its names", () => {
    const types = ["u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "f16", "bf16", "f32", "f64", "c64"] as const;
    const tensors = Object.fromEntries(types.map((type) => [type, Nx.iota([2, 3], { type, names: ["x", null] })]));
    tensors["__proto__ "] = Nx.tensor(1);
    const file = Nx.toSafetensors(tensors);
    for (const copy of [true, false]) {
      const back = Nx.loadSafetensors(file, { copy });
      expect(Object.keys(back).sort()).toEqual(Object.keys(tensors).sort());
      for (const [name, t] of Object.entries(tensors)) expect(back[name]!.equals(t)).toBe(true);
    }
    expect(Nx.loadSafetensors(file, { names: false })["u8"]!.names).toEqual([null, null]);
  });

  it("loads the tensors of some keys only", () => {
    const file = Nx.toSafetensors({ a: 1, b: 2, c: 3 });
    expect(Object.keys(Nx.loadSafetensors(file, { keys: ["c", "a"] }))).toEqual(["c", "a"]);
    expect(() => Nx.loadSafetensors(file, { keys: [1] as never })).toThrow("no tensor named 1, it has 3");
    expect(() => Nx.loadSafetensors(file, { keys: "a" as never })).toThrow("must be an array of names");
  });

  it("keeps a tensor whose name is that of a property of all objects", () => {
    const file = Nx.toSafetensors([
      ["__proto__", Nx.u8([7], { names: ["x"] })],
      ["constructor", Nx.u8(1)],
    ]);
    const back = Nx.loadSafetensors(file);
    expect(Object.keys(back).sort()).toEqual(["__proto__", "constructor"]);
    expect(Object.getOwnPropertyDescriptor(back, "__proto__")?.value.toFlatList()).toEqual([7]);
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
  });

  it("reads booleans, and any order and spacing of the header", () => {
    const header =
      ' "b" : {"data_offsets":[0,2], "shape":[2],"dtype":"BOOL"} ,"a":{"dtype":"I16","shape":[],"data_offsets":[2,4]}}';
    const { a, b } = Nx.loadSafetensors(safetensorsFile(`{${header}`, Uint8Array.of(0, 9, 5, 1)));
    expect(b!.toFlatList()).toEqual([0, 1]);
    expect(a!.toNumber()).toBe(261);
  });

  it("reads the header of files whose tensors it has no types for", () => {
    const file = safetensorsFile('{"a":{"dtype":"F8_E4M3","shape":[3],"data_offsets":[0,3]}}', new Uint8Array(3));
    expect(Nx.safetensorsInfo(file).tensors["a"]).toEqual({ dtype: "F8_E4M3", shape: [3], names: [null], bytes: 3 });
    expect(() => Nx.loadSafetensors(file)).toThrow('the tensor "a" has the type "F8_E4M3", supported are BOOL, U8');
  });

  const one = (offsets: string, shape = "[2]", dtype = '"U8"'): string =>
    `{"a":{"dtype":${dtype},"shape":${shape},"data_offsets":${offsets}}}`;
  it.each([
    ["", "is not valid JSON"],
    ["[]", "must be a JSON object"],
    [` ${one("[0,2]")}`, 'begins with "{"'],
    ["{", "is not valid JSON"],
    [one("[0,2]").slice(0, -1), "is not valid JSON"],
    ['{"a":1}', "must state dtype, shape and data_offsets"],
    ['{"a":null}', "must state dtype, shape and data_offsets"],
    [one("[0]"), "must state dtype, shape and data_offsets"],
    [one("[0,2,2]"), "must state dtype, shape and data_offsets"],
    [one("[-1,1]"), "must state dtype, shape and data_offsets"],
    [one("[0,2]", "[2.5]"), "must state dtype, shape and data_offsets"],
    [one("[0,2]", `[${"1,".repeat(64)}2]`), "must state dtype, shape and data_offsets"],
    [one("[0,1e999]"), "must state dtype, shape and data_offsets"],
    [one("[0,2]", "[2]", "7"), "must state dtype, shape and data_offsets"],
    [one("[0,2]", "[1]"), "has 2 bytes, its shape [1] of U8 takes 1"],
    [one("[0,2]", "[9007199254740991,9007199254740991]"), "has 2 bytes"],
    [one("[0,1]", "[1]"), "the tensors take 1 bytes, but the file has 2"],
    [one("[1,2]", "[1]"), "states bytes 1 to 2, expected a range from 0"],
    [one("[0,3]", "[3]"), "states bytes 0 to 3"],
    [one("[2,0]", "[0]"), "has -2 bytes"],
    [one("[0,2]").replace("}}", '},"b":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}'), "without gaps and overlaps"],
    [one("[0,2]").replace("}}", '},"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}}'), 'the key "a" twice'],
    [one("[0,2]").replace("}}", '},"\\u0061":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}}'), 'the key "a" twice'],
    [one("[0,2]").replace('"dtype"', '"dtype":"U8","dtype"'), 'the key "dtype" twice'],
    [one("[0,2]").replace("{", '{"__metadata__":{"k":1},'), "texts only"],
    [one("[0,2]").replace("{", '{"__metadata__":[],'), "must be an object of texts"],
    [one("[0,2]").replace("{", '{"__metadata__":{"nx.names":"{"},'), "is not valid JSON"],
    [
      one("[0,2]").replace("{", '{"__metadata__":{"nx.names":"{\\"a\\":[\\"x\\",\\"y\\"]}"},'),
      "leave them out with { names: false }",
    ],
  ])("refuses the header %s", (header, message) => {
    const file = safetensorsFile(header, Uint8Array.of(1, 2));
    expect(() => Nx.loadSafetensors(file)).toThrow(Nx.ArgumentError);
    expect(() => Nx.loadSafetensors(file)).toThrow(message);
  });

  it("refuses tensors without elements, but not files that also hold some", () => {
    const header =
      '{"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},"b":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}}';
    const file = safetensorsFile(header, Uint8Array.of(1, 2));
    expect(() => Nx.loadSafetensors(file)).toThrow("empty tensors do not exist");
    expect(Nx.loadSafetensors(file, { keys: ["b"] })["b"]!.toFlatList()).toEqual([1, 2]);
  });

  it("refuses headers that are too long before it reads them", () => {
    expect(() => Nx.loadSafetensors(uint(2n ** 64n - 1n, 8))).toThrow("the format allows 100000000");
    expect(() => Nx.loadSafetensors(uint(100, 8))).toThrow("ends too early");
  });

  it("refuses every cut of a file, and bytes after its end", () => {
    const file = Nx.toSafetensors({ a: Nx.iota([3]), b: 2 });
    for (let end = 0; end < file.length; end++) {
      expect(() => Nx.loadSafetensors(file.subarray(0, end))).toThrow(Nx.ArgumentError);
    }
    expect(() => Nx.loadSafetensors(concat(file, uint(0, 1)))).toThrow("but the file has");
  });

  it("does not repeat itself on long headers and does not run deep", () => {
    const deep = safetensorsFile(`{"a":${"[".repeat(100000)}${"]".repeat(100000)}}`);
    expect(() => Nx.loadSafetensors(deep)).toThrow(Nx.ArgumentError);
    const entries = Array.from({ length: 20000 }, (_, i) => [`t${i}`, Nx.u8(i % 256)] as const);
    expect(Object.keys(Nx.loadSafetensors(Nx.toSafetensors(entries))).length).toBe(20000);
  });
});
