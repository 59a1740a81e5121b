import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";

const U8 = "u8" as Nx.DType;

/** Type, shape, names and elements at once. */
function facts(t: Nx.Tensor): unknown[] {
  return [t.type, t.shape, t.names, Nx.toFlatList(t)];
}

/** Calls with data no type allows, as JavaScript users may. */
const loose = (data: unknown, options?: object) => Nx.tensor(data as Nx.TensorData, options as Nx.TensorOptions);

describe("tensor infers the type", () => {
  it.each([
    [0, "s64"],
    [-0, "s64"],
    [1.5, "f32"],
    [NaN, "f32"],
    [-Infinity, "f32"],
    [2 ** 63, "s64"],
    [2 ** 64, "f32"],
    [1n, "s64"],
    [true, "u8"],
    [new Nx.Complex(1, -1), "c64"],
    [[1, 2, 3], "s64"],
    [[1, 2.5], "f32"],
    [[true, false], "u8"],
    [[true, 1], "s64"],
    [[true, 0.5], "f32"],
    [[1n, 0.5], "f32"],
    [[1, new Nx.Complex(0, 1)], "c64"],
    [[0.5, true, new Nx.Complex(0, 1)], "c64"],
    [[Float64Array.of(0.1), [1]], "f64"],
    [[Uint8Array.of(1), Int8Array.of(1)], "s16"],
    [[Float32Array.of(1), [2]], "f32"],
    [[Int32Array.of(1), [0.5]], "f32"],
    [[Int32Array.of(1), [1]], "s64"],
  ] as [Nx.TensorData, string][])("of %s as %s", (data, type) => {
    expect(Nx.tensor(data).type).toBe(type);
  });

  it("with the configured type of integers", () => {
    const before = Nx.configure({ defaultIntegerType: "s32" });
    try {
      expect([1, [1, true], [1, 0.5], [1n]].map((data) => Nx.tensor(data as Nx.TensorData).type)).toEqual([
        "s32",
        "s32",
        "f32",
        "s32",
      ]);
      expect([Nx.iota([2]).type, Nx.eye(2).type]).toEqual(["s32", "s32"]);
    } finally {
      Nx.configure({ defaultIntegerType: before.defaultIntegerType });
    }
  });
});

describe("tensor reads data", () => {
  it.each([
    [7, []],
    [[7], [1]],
    [[[7, 8]], [1, 2]],
    [
      [
        [
          [1, 2],
          [3, 4],
          [5, 6],
        ],
        [
          [-1, -2],
          [-3, -4],
          [-5, -6],
        ],
      ],
      [2, 3, 2],
    ],
  ] as [Nx.TensorData, number[]][])("%j of shape %j", (data, shape) => {
    const t = Nx.tensor(data);
    expect(t.shape).toEqual(shape);
    if (shape.length > 0) expect(Nx.toList(t)).toEqual(data);
    else expect(Nx.toNumber(t)).toBe(data);
  });

  it.each([
    ["u8", [300, -1, 256], [44, 255, 0]],
    ["s8", [300, 128, -129], [44, -128, 127]],
    ["u16", [65536, -1, 1], [0, 65535, 1]],
    ["s16", [32768, -32769, 1], [-32768, 32767, 1]],
    ["u32", [2 ** 32 + 5, -1, 2 ** 63], [5, 4294967295, 0]],
    ["s32", [2 ** 31, -(2 ** 31) - 1, 2 ** 53 - 1], [-(2 ** 31), 2 ** 31 - 1, -1]],
    ["u64", [-1, 2 ** 63, 1], [2n ** 64n - 1n, 2n ** 63n, 1]],
    ["s64", [2 ** 63, -1, 2 ** 53 - 1], [-(2n ** 63n), -1, 2 ** 53 - 1]],
  ] as [Nx.DType, number[], unknown[]][])("wrapping integers into %s", (type, data, expected) => {
    expect(Nx.toFlatList(Nx.tensor(data, { type }))).toEqual(expected);
  });

  it("of bigints without losing digits, whatever stands around them", () => {
    const big = 2n ** 62n + 1n;
    expect(Nx.toFlatList(Nx.tensor([1, true, big, -1, false]))).toEqual([1, 1, big, -1, 0]);
    expect(Nx.toFlatList(Nx.tensor([big, 300n, 2n ** 63n + 7n], { type: "u8" }))).toEqual([1, 44, 7]);
    expect(Nx.toFlatList(Nx.tensor([big, -1n], { type: "f64" }))).toEqual([Number(big), -1]);
    expect(Nx.toFlatList(Nx.tensor([2n ** 64n - 1n], { type: "u64" }))).toEqual([2n ** 64n - 1n]);
  });

  it("rounding floats to the type", () => {
    expect(Nx.toFlatList(Nx.tensor([0.1, 1e39, -0], { type: "f32" }))).toEqual([Math.fround(0.1), Infinity, -0]);
    expect(Nx.toFlatList(Nx.tensor([0.1, 65520, 2], { type: "f16" }))).toEqual([0.0999755859375, Infinity, 2]);
    expect(Nx.toFlatList(Nx.tensor([0.1, 257, NaN], { type: "bf16" }))).toEqual([0.10009765625, 256, NaN]);
    expect(Nx.toFlatList(Nx.tensor([0.1, 5e-324], { type: "f64" }))).toEqual([0.1, 5e-324]);
  });

  it("of complex numbers among real ones", () => {
    const i = new Nx.Complex(0, 1);
    expect(Nx.toFlatList(Nx.tensor([1, i, true, -0.5]))).toEqual([
      new Nx.Complex(1, 0),
      i,
      new Nx.Complex(1, 0),
      new Nx.Complex(-0.5, 0),
    ]);
    expect(Nx.toFlatList(Nx.tensor([0.1], { type: "c128" }))).toEqual([new Nx.Complex(0.1, 0)]);
    expect(String(Nx.tensor([i, Infinity, NaN]))).toContain("[0.0+1.0i, Inf+0.0i, NaN+0.0i]");
  });

  it.each([
    [Uint8Array.of(1, 255), "u8"],
    [Uint8ClampedArray.of(1, 255), "u8"],
    [Uint16Array.of(1, 65535), "u16"],
    [Uint32Array.of(1, 2 ** 32 - 1), "u32"],
    [BigUint64Array.of(1n, 2n ** 64n - 1n), "u64"],
    [Int8Array.of(1, -1), "s8"],
    [Int16Array.of(1, -1), "s16"],
    [Int32Array.of(1, -1), "s32"],
    [BigInt64Array.of(1n, -(2n ** 63n)), "s64"],
    [Float32Array.of(1.5, NaN), "f32"],
    [Float64Array.of(0.1, -0), "f64"],
  ] as [Nx.NumericArray, string][])("of %s as %s", (array, type) => {
    const t = Nx.tensor(array);
    expect([t.type, t.shape]).toEqual([type, [2]]);
    expect(Nx.toFlatList(t).map(Number)).toEqual(Array.from(array as ArrayLike<number | bigint>, Number));
  });

  it("of a view into a larger buffer, and of typed arrays in lists", () => {
    const whole = Float32Array.of(1, 2, 3, 4, 5);
    expect(Nx.toFlatList(Nx.tensor(whole.subarray(1, 4)))).toEqual([2, 3, 4]);
    expect(Nx.toList(Nx.tensor([whole.subarray(0, 2), whole.subarray(3)]))).toEqual([
      [1, 2],
      [4, 5],
    ]);
    expect(Nx.toList(Nx.tensor([BigInt64Array.of(2n ** 62n), [1]]))).toEqual([[2n ** 62n], [1]]);
  });

  it("of a host's Float16Array", () => {
    const { Float16Array: Half } = globalThis as { Float16Array?: new (values: number[]) => Nx.NumericArray };
    if (Half) expect(facts(Nx.tensor(new Half([1, 0.1])))).toEqual(["f16", [2], [null], [1, 0.0999755859375]]);
  });

  it("converting typed arrays to a type that is given", () => {
    expect(facts(Nx.tensor(Float32Array.of(1, 300), { type: "u8" }))).toEqual(["u8", [2], [null], [1, 44]]);
    expect(facts(Nx.tensor(Int32Array.of(1, -1), { type: "f64" }))).toEqual(["f64", [2], [null], [1, -1]]);
    expect(() => Nx.tensor(Float32Array.of(1, 0.5), { type: "s32" })).toThrow("cannot store 0.5 at [1]");
  });

  it("by copying: later changes of the source do not reach the tensor", () => {
    const source = Float64Array.of(1, 2);
    const list = [1, 2];
    const [a, b] = [Nx.tensor(source), Nx.tensor(list)];
    source[0] = 9;
    list[0] = 9;
    expect([Nx.toFlatList(a), Nx.toFlatList(b)]).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  it("of a million elements", () => {
    const rows = Array.from({ length: 1000 }, (_, i) => Array.from({ length: 1000 }, (_, j) => i + j / 2));
    const t = Nx.tensor(rows);
    expect(t.shape).toEqual([1000, 1000]);
    expect(t.at(999, 998).toNumber()).toBe(1498);
  });
});

describe("tensor refuses data", () => {
  it.each([
    [[], "Nx.tensor was given an empty list; empty tensors do not exist"],
    [[[], []], "empty list at [0]"],
    [new Float32Array(0), "cannot make a tensor of an empty Float32Array"],
    [[[1, 2], [3]], "ragged list: expected a list of length 2 as in the first entry, got a list of length 1 at [1]"],
    [[[1], 2], "ragged list: expected a list of length 1 as in the first entry, got 2 at [1]"],
    [[1, [2]], "ragged list: expected a number as in the first entry, got a list of length 1 at [1]"],
    [
      [
        [
          [1, 2],
          [3, 4],
        ],
        [
          [5, 6],
          [7, 8, 9],
        ],
      ],
      "got a list of length 3 at [1][1]",
    ],
    [[[1, 2], new Float32Array(3)], "got a list of length 3 at [1]"],
    [[[1, 2], []], "got a list of length 0 at [1]"],
    [[[[1]], new Float32Array(1)], "expected a list of length 1 as in the first entry, got 0 at [1][0]"],
    ["1", 'expects numbers, bigints, booleans or Nx.Complex, arrays of them, a typed array or a tensor, got: "1"'],
    [[1, "2"], 'got: "2" at [1]'],
    [
      [
        [1, 2],
        [3, null],
      ],
      "got: null at [1][1]",
    ],
    [[[1, 2], null], "got: null at [1]"],
    [[1, undefined], "got: undefined at [1]"],
    [[1, , 3], "got: undefined at [1]"], // oxlint-disable-line no-sparse-arrays
    [null, "got: null"],
    [undefined, "got: undefined"],
    [{ a: 1 }, "got: { a: 1 }"],
    [[() => 1], "got: function"],
    [new Map(), "got: an instance of Map"],
    [new DataView(new ArrayBuffer(4)), "got: an instance of DataView"],
    [new ArrayBuffer(4), "got: an instance of ArrayBuffer"],
    [Symbol("s"), "got: Symbol(s)"],
  ])("%s", (data, message) => {
    expect(() => loose(data)).toThrow(Nx.ArgumentError);
    expect(() => loose(data)).toThrow(message);
  });

  it("with tensors in lists, naming Nx.stack", () => {
    const row = Nx.tensor([1, 2], { names: ["x"] });
    expect(() => loose([row, row])).toThrow(
      "was given a tensor (s64[x: 2]) inside a list at [0]; join tensors with Nx.stack",
    );
    expect(() => loose([[1, 2], row])).toThrow("was given a tensor (s64[x: 2]) inside a list at [1]");
  });

  it("that contains itself", () => {
    const cyclic: unknown[] = [];
    cyclic.push(cyclic);
    expect(() => loose(cyclic)).toThrow("nested more than 32 deep");
  });

  it.each([
    [
      [1, 2.5],
      "s32",
      "Nx.tensor cannot store 2.5 at [1] in the integer type s32; make the tensor without a type and convert",
    ],
    [
      [
        [1, 2],
        [NaN, 4],
      ],
      "u8",
      "cannot store NaN at [1][0] in the integer type u8",
    ],
    [Infinity, "s64", "cannot store Infinity in the integer type s64"],
    [1e20, "s64", "cannot store 100000000000000000000 in the integer type s64"],
    [[1, new Nx.Complex(1, 2)], "f32", "cannot store a complex number at [1] in the real type f32; use the type c64"],
    [new Nx.Complex(1, 2), "f64", "cannot store a complex number in the real type f64; use the type c128"],
  ] as [Nx.TensorData, Nx.DType, string][])("%s as %s", (data, type, message) => {
    expect(() => Nx.tensor(data, { type })).toThrow(message);
  });
});

describe("tensor checks its options", () => {
  it.each([
    [{ names: ["batch"] }, 'invalid names ["batch"] for tensor of rank 2'],
    [{ names: ["x", "x"] }, "duplicate"],
    [{ names: "xy" }, "names must be an array"],
    [{ names: [1, 2] }, "an axis name must be a non-empty string or null, got: 1"],
    [{ type: "f31" }, 'invalid type "f31"; did you mean "f32"?'],
    [{ type: { f: 32 } }, "invalid type { f: 32 }"],
    [{ typ: "f32" }, 'unknown option "typ" for Nx.tensor; did you mean "type"?'],
    [{ backend: "binari" }, 'unknown backend "binari"'],
    [7, "Nx.tensor expects its options as an object"],
  ])("%j", (options, message) => {
    expect(() => loose([[1, 2]], options as object)).toThrow(message);
  });

  it("and sets names, null standing for none", () => {
    expect(Nx.tensor([[1, 2]], { names: ["x", null] }).names).toEqual(["x", null]);
    expect(Nx.tensor([[1, 2]]).names).toEqual([null, null]);
    expect(Object.isFrozen(Nx.tensor([[1, 2]], { names: ["x", "y"] }).names)).toBe(true);
    expect(Object.isFrozen(Nx.tensor([[1, 2]]).shape)).toBe(true);
  });
});

describe("tensor of a tensor", () => {
  const t = Nx.tensor([1, 2, 3]);
  const named = Nx.tensor([1, 2, 3], { names: ["column"] });

  it("keeps elements and drops names unless some are given", () => {
    expect(facts(Nx.tensor(t))).toEqual(["s64", [3], [null], [1, 2, 3]]);
    expect(Nx.tensor(t, { names: ["row"] }).names).toEqual(["row"]);
    expect(Nx.tensor(named).names).toEqual([null]);
    expect(Nx.tensor(named, { names: ["column"] }).names).toEqual(["column"]);
    expect(Nx.tensor(named, { names: [null] }).names).toEqual([null]);
  });

  it("keeps the names it sets through a trace", () => {
    const rename = Nx.defn((x: Nx.Tensor) => Nx.tensor(x, { names: ["row"] }));
    expect(facts(rename(t))).toEqual(["s64", [3], ["row"], [1, 2, 3]]);
  });

  it("takes templates", () => {
    expect(Nx.tensor(Nx.template([3], "s64"), { names: ["row"] }).names).toEqual(["row"]);
  });

  it("refuses another type, another backend and other names", () => {
    expect(() => Nx.tensor(t, { type: "f32" })).toThrow(
      "Nx.tensor expects a tensor with type f32 but it was given a tensor of type s64; convert it with Nx.asType",
    );
    expect(() => Nx.tensor(named, { names: ["row"] })).toThrow('cannot merge axis name "column"');
    expect(() => Nx.tensor(t, { names: ["x", "y"] })).toThrow("invalid names");
    expect(() => Nx.tensor(Nx.template([3], "s64"), { backend: "binary" })).toThrow(
      'expects a tensor on the backend "binary" but it was given one on "template"',
    );
    expect(Nx.tensor(t, { type: "s64", backend: t.backend }).type).toBe("s64");
  });
});

describe("the constructors of one type", () => {
  const { u8, u16, u32, u64, s8, s16, s32, s64, f16, bf16, f32, f64, c64, c128 } = Nx;
  const all = { u8, u16, u32, u64, s8, s16, s32, s64, f16, bf16, f32, f64, c64, c128 };

  it.each(Object.entries(all))("%s", (type, make) => {
    const t = make([[1, 2]], { names: ["x", "y"] });
    expect([t.type, t.shape, t.names]).toEqual([type, [1, 2], ["x", "y"]]);
    expect(Nx.toFlatList(t).map((x) => (x instanceof Nx.Complex ? x.re : x))).toEqual([1, 2]);
    expect(make(Nx.tensor(3, { type: type as Nx.DType })).type).toBe(type);
    expect(() => make([[1], [2, 3]])).toThrow(`Nx.${type} was given a ragged list`);
    expect(() => make([1], { type: "f32" } as object)).toThrow(`unknown option "type" for Nx.${type}`);
    expect(make.name).toBe(type);
  });

  it("convert plain data and typed arrays, but no tensors", () => {
    expect(facts(f32(Int32Array.of(1, 2)))).toEqual(["f32", [2], [null], [1, 2]]);
    expect(facts(s32([true, 2n]))).toEqual(["s32", [2], [null], [1, 2]]);
    expect(() => f32(Nx.tensor([1]))).toThrow("Nx.f32 expects a tensor with type f32");
    expect(() => u8([0.5])).toThrow(`Nx.u8 cannot store 0.5 at [0] in the integer type ${U8}`);
  });
});
