import { Map as ImmutableMap } from "immutable";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";

const list = (t: Nx.Tensor) => Nx.toList(t);
const type = (t: Nx.Tensor) => t.type;

describe("iota", () => {
  it("counts over all elements", () => {
    expect(Nx.toNumber(Nx.iota([]))).toBe(0);
    expect(list(Nx.iota([5]))).toEqual([0, 1, 2, 3, 4]);
    const t = Nx.iota([3, 2, 3], { names: ["batch", "height", "width"] });
    expect(t.names).toEqual(["batch", "height", "width"]);
    expect(Nx.toFlatList(t)).toEqual(Array.from({ length: 18 }, (_, i) => i));
  });

  it("counts along an axis, given by index or name", () => {
    const rows = [
      [0, 1, 2],
      [0, 1, 2],
      [0, 1, 2],
    ];
    expect(list(Nx.iota([3, 3], { axis: 1, names: ["batch", null] }))).toEqual(rows);
    expect(list(Nx.iota([3, 3], { axis: -1 }))).toEqual(rows);
    expect(list(Nx.iota([3, 3], { axis: "y", names: ["x", "y"] }))).toEqual(rows);
    expect(list(Nx.iota([1, 3, 2], { axis: 2 }))).toEqual([
      [
        [0, 1],
        [0, 1],
        [0, 1],
      ],
    ]);
    const t = Nx.iota([3, 4, 3], { axis: 0, type: "f64" });
    expect([t.type, Nx.toFlatList(t)]).toEqual(["f64", Array.from({ length: 36 }, (_, i) => Math.floor(i / 12))]);
    expect(list(Nx.iota([2], { axis: null }))).toEqual([0, 1]);
  });

  it("takes shape and names of a tensor", () => {
    const like = Nx.f32([[1, 2]], { names: ["x", "y"] });
    expect([Nx.iota(like).names, Nx.iota(like).shape, Nx.iota(like).type]).toEqual([["x", "y"], [1, 2], "s64"]);
    expect(Nx.iota(like, { names: ["a", "b"] }).names).toEqual(["a", "b"]);
    expect(Nx.iota(Nx.f32(7)).shape).toEqual([]);
  });

  it.each(["u8", "s8", "u64", "f16", "bf16", "f64", "c64"] as const)("has type %s", (wanted) => {
    const t = Nx.iota([3], { type: wanted });
    expect([type(t), Nx.toFlatList(Nx.asType(t, "s32"))]).toEqual([wanted, [0, 1, 2]]);
  });

  it.each(["u8", "s16", "u32", "s32", "s64", "u64", "f16", "f32", "f64", "c64"] as const)(
    "counts along lines of more elements than a block has, in type %s",
    (wanted) => {
      for (const axis of [0, 1, 2, null]) {
        const shape = [3, 100, 5];
        const at = (i: number) => (axis === null ? i : [Math.floor(i / 500), Math.floor(i / 5) % 100, i % 5][axis]!);
        const expected = Array.from({ length: 1500 }, (_, i) => (wanted === "u8" ? at(i) % 256 : at(i)));
        expect(Nx.toFlatList(Nx.real(Nx.iota(shape, { axis, type: wanted }))).map(Number)).toEqual(expected);
      }
    },
  );

  it.each([
    [[3, 0], undefined, "shape of Nx.iota must hold positive integers only, got 0"],
    [[-1], undefined, "got -1"],
    [[1.5], undefined, "got 1.5"],
    ["3", undefined, "shape of Nx.iota must be an array"],
    [[2 ** 20, 2 ** 20], undefined, "more than the"],
    [[3], { axis: 1 }, "given axis (1) invalid for shape [3]"],
    [[3], { axis: "x" }, 'no axis named "x"'],
    [[], { axis: 0 }, "a scalar has no axes"],
    [[3], { names: ["x", "y"] }, "invalid names"],
    [[3], { type: "int" }, 'invalid type "int"'],
    [[3], { axs: 0 }, 'unknown option "axs" for Nx.iota; did you mean "axis"?'],
  ])("refuses %j with %j", (shape, options, message) => {
    expect(() => Nx.iota(shape as number[], options as object)).toThrow(message);
  });
});

describe("eye", () => {
  it("makes identities, rectangular and batched ones too", () => {
    expect(list(Nx.eye(2))).toEqual([
      [1, 0],
      [0, 1],
    ]);
    expect(list(Nx.eye([1, 2]))).toEqual([[1, 0]]);
    const one = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [0, 0, 0],
    ];
    expect(list(Nx.eye([2, 4, 3]))).toEqual([one, one]);
    const t = Nx.eye(3, { type: "f32", names: ["height", "width"] });
    expect([t.type, t.names]).toEqual(["f32", ["height", "width"]]);
    expect(Nx.eye(Nx.fill([2, 3], 0, { names: ["x", "y"] })).names).toEqual(["x", "y"]);
  });

  it.each([
    [0, "shape of Nx.eye must hold positive integers only"],
    [1.5, "got 1.5"],
    [[3], "Nx.eye needs a shape of rank 2 or higher, got [3]"],
    [[], "Nx.eye needs a shape of rank 2 or higher, got []"],
    ["2", "shape of Nx.eye must be an array"],
  ])("refuses %j", (size, message) => {
    expect(() => Nx.eye(size as number)).toThrow(message);
  });
});

describe("fill", () => {
  it("repeats one value", () => {
    expect(list(Nx.fill([2, 2], 7))).toEqual([
      [7, 7],
      [7, 7],
    ]);
    expect(type(Nx.fill([2], 0.5))).toBe("f32");
    expect(type(Nx.fill([2], true))).toBe("u8");
    expect(list(Nx.fill([1], 2n ** 60n + 1n))).toEqual([2n ** 60n + 1n]);
    expect(list(Nx.fill([1], new Nx.Complex(1, 2)))).toEqual([new Nx.Complex(1, 2)]);
    expect(list(Nx.fill([1], 300, { type: "u8" }))).toEqual([44]);
    expect(Nx.toNumber(Nx.fill([], 3))).toBe(3);
    expect(Nx.fill(Nx.iota([2], { names: ["x"] }), 1).names).toEqual(["x"]);
  });

  it.each([
    [0.5, "u8", "Nx.fill cannot store 0.5 in the type u8"],
    [NaN, "s64", "Nx.fill cannot store NaN in the type s64"],
    [new Nx.Complex(1, 2), "f32", "Nx.fill cannot store 1.0+2.0i in the type f32"],
    ["1", "f32", 'Nx.fill expects a number, bigint, boolean or Nx.Complex, got: "1"'],
    [[1], "f32", "got: [1]; use Nx.tensor for data"],
  ])("refuses %s as %s", (value, wanted, message) => {
    expect(() => Nx.fill([2], value as number, { type: wanted as Nx.DType })).toThrow(message);
  });

  it("refuses a tensor, naming Nx.broadcast", () => {
    expect(() => Nx.fill([2], Nx.tensor(1) as never)).toThrow("use Nx.broadcast");
  });
});

describe("linspace", () => {
  it("is evenly spaced", () => {
    expect(list(Nx.linspace(5, 8, { n: 5 }))).toEqual([5, 5.75, 6.5, 7.25, 8]);
    const t = Nx.linspace(0, 10, { n: 5, endpoint: false, name: "x" });
    expect([t.type, t.names, list(t)]).toEqual(["f32", ["x"], [0, 2, 4, 6, 8]]);
    expect(list(Nx.linspace(8, 5, { n: 3 }))).toEqual([8, 6.5, 5]);
    expect(list(Nx.linspace(3, 9, { n: 1 }))).toEqual([3]);
  });

  it("takes the floor for integer types", () => {
    expect(list(Nx.linspace(0, 24, { n: 8, type: "u8", endpoint: true }))).toEqual([0, 3, 6, 10, 13, 17, 20, 24]);
    expect(list(Nx.linspace(0, 24, { n: 8, type: "s64", endpoint: false }))).toEqual([0, 3, 6, 9, 12, 15, 18, 21]);
    expect(list(Nx.linspace(-1, 0, { n: 3, type: "s8" }))).toEqual([-1, -1, 0]);
  });

  it("takes tensors of one shape", () => {
    const [start, stop] = [Nx.tensor([[[0, 10]]]), Nx.tensor([[[10, 100]]])];
    const t = Nx.linspace(start, stop, { n: 10, name: "samples", type: "u8" });
    expect([t.shape, t.names]).toEqual([
      [1, 1, 2, 10],
      [null, null, null, "samples"],
    ]);
    expect(list(t)).toEqual([
      [
        [
          [0, 1, 2, 3, 4, 5, 6, 7, 8, 10],
          [10, 20, 30, 40, 50, 60, 70, 80, 90, 100],
        ],
      ],
    ]);
    const named = Nx.linspace(Nx.tensor([0, 1], { names: ["row"] }), Nx.tensor([1, 2]), { n: 2, name: "column" });
    expect(named.names).toEqual(["row", "column"]);
  });

  it("computes with all digits of plain ends, and under a trace", () => {
    const wide = Nx.linspace(0.1, 0.3, { n: 2, type: "f64", name: "x" });
    expect([list(wide), wide.names]).toEqual([[0.1, 0.3], ["x"]]);
    const traced = Nx.defn((stop: Nx.Tensor) => Nx.linspace(0.5, stop, { n: 3, type: "f64", name: "x" }))(Nx.f64(1.5));
    expect([list(traced), traced.names]).toEqual([[0.5, 1, 1.5], ["x"]]);
  });

  it("takes complex ends", () => {
    const t = Nx.linspace(0, new Nx.Complex(2, 4), { n: 3, type: "c64" });
    expect(list(t)).toEqual([new Nx.Complex(0, 0), new Nx.Complex(1, 2), new Nx.Complex(2, 4)]);
  });

  it("begins and ends exactly where it is told", () => {
    const number = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(number, number, fc.integer({ min: 2, max: 40 }), (start, stop, n) => {
        const values = Nx.toFlatList(Nx.linspace(start, stop, { n, type: "f64" }));
        expect([values.length, values[0] === start, values[n - 1] === stop]).toEqual([n, true, true]);
      }),
    );
  });

  it.each([
    [{ n: 1.5 }, "expected n to be a positive integer, got: 1.5"],
    [{ n: 0 }, "expected n to be a positive integer, got: 0"],
    [{}, "expected n to be a positive integer, got: undefined"],
    [undefined, "expected n to be a positive integer, got: undefined"],
    [{ n: 2, label: "x" }, 'unknown option "label" for Nx.linspace'],
    [{ n: 2, endpoint: 1 }, "option endpoint of Nx.linspace must be true or false"],
    [{ n: 2, type: "float" }, "invalid type"],
  ])("refuses %j", (options, message) => {
    expect(() => Nx.linspace(0, 24, options as never)).toThrow(message);
  });

  it("refuses ends of different shapes and lists", () => {
    expect(() => Nx.linspace(Nx.tensor([[0, 1]]), Nx.tensor([1, 2, 3]), { n: 2 })).toThrow(
      "expected start and stop to have the same shape. Got shapes [1][2] and [3]",
    );
    expect(() => Nx.linspace([0] as never, 1, { n: 2 })).toThrow("Nx.linspace expects a tensor or a number, got: [0]");
    const x = Nx.tensor([0], { names: ["x"] });
    expect(() => Nx.linspace(x, x, { n: 2, name: "x" })).toThrow("duplicate");
  });
});

describe("fromBinary", () => {
  it("reads little-endian elements", () => {
    expect(list(Nx.fromBinary(Uint8Array.of(1, 2, 3, 4), "s8"))).toEqual([1, 2, 3, 4]);
    expect(list(Nx.fromBinary(Float64Array.of(12.3).buffer, "f64"))).toEqual([12.3]);
    expect(list(Nx.fromBinary(Uint8Array.of(1, 0, 0, 1), "u16"))).toEqual([1, 256]);
    expect(list(Nx.fromBinary(Uint8Array.of(9, 1, 0, 0, 1).subarray(1), "u16"))).toEqual([1, 256]);
    expect(Nx.fromBinary(Uint8Array.of(1), "u8", { names: ["x"] }).names).toEqual(["x"]);
  });

  it("gives back what toBinary gave, for every type", () => {
    for (const wanted of ["u8", "s16", "u64", "s64", "f16", "bf16", "f32", "f64", "c64", "c128"] as const) {
      const t = Nx.tensor([0, 1, 100], { type: wanted });
      expect(Nx.fromBinary(Nx.toBinary(t), wanted).equals(t)).toBe(true);
    }
  });

  it("copies the bytes", () => {
    const bytes = Uint8Array.of(1, 2);
    const t = Nx.fromBinary(bytes, "u8");
    bytes[0] = 9;
    expect(list(t)).toEqual([1, 2]);
  });

  it("copies shared memory", () => {
    const values: Float32Array = new Float32Array(new SharedArrayBuffer(8));
    values.set([1, 2]);
    const t = Nx.fromBinary(values.buffer, "f32"); // of which tsc cannot tell whether it is shared
    values[0] = 9;
    expect(list(t)).toEqual([1, 2]);
  });

  it("refuses what does not fit", () => {
    expect(() => Nx.fromBinary(Uint8Array.of(1, 2, 3, 4), "f64")).toThrow(
      "binary does not match the given size: 4 bytes are no multiple of the 8 that an element of type f64 takes",
    );
    expect(() => Nx.fromBinary(new Uint8Array(0), "u8")).toThrow("empty binary");
    expect(() => Nx.fromBinary([1, 2] as never, "u8")).toThrow("expects a Uint8Array or an ArrayBuffer, got: [1, 2]");
    expect(() => Nx.fromBinary(Float32Array.of(1) as never, "f32")).toThrow("expects a Uint8Array");
    expect(() => Nx.fromBinary(Uint8Array.of(1), "f7" as never)).toThrow("invalid type");
  });
});

describe("templates", () => {
  it("have type, shape and names, and print so", () => {
    const t = Nx.template([2, 3], "f32", { names: ["rows", "columns"] });
    expect(String(t)).toBe("#Nx.Tensor<\n  f32[rows: 2][columns: 3]\n  Nx.TemplateBackend\n>");
    expect(Nx.template([], "s64").shape).toEqual([]);
  });

  it("cannot be computed with or read", () => {
    const t = Nx.template([2, 3], "f32");
    expect(() => Nx.abs(t)).toThrow("cannot perform operations on a Nx.TemplateBackend tensor");
    expect(() => Nx.toList(t)).toThrow(Nx.BackendError);
  });

  it("replace tensors and numbers in containers", () => {
    const { a, b } = Nx.toTemplate({ a: Nx.iota([2, 3]), b: [1, 2.5, true] });
    expect([a, ...b].map((t) => [t.type, t.shape, t.backend.name])).toEqual([
      ["s64", [2, 3], "template"],
      ["s64", [], "template"],
      ["f32", [], "template"],
      ["u8", [], "template"],
    ]);
    const map = Nx.toTemplate(ImmutableMap({ w: Nx.iota([2]) }));
    expect(map.get("w")!.backend.name).toBe("template");
    expect(() => Nx.toTemplate({ w: [1, "x"] })).toThrow('expects tensors and numbers, got: "x" at .w[1]');
    expect(() => Nx.toTemplate("x")).toThrow('got: "x"');
  });
});
