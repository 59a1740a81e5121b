import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";

const as = (data: Nx.TensorData, type: Nx.DType, options?: Nx.AsTypeOptions) =>
  Nx.toFlatList(Nx.asType(Nx.tensor(data), type, options));

describe("type", () => {
  it("is that of a tensor, or of what a plain value becomes", () => {
    expect([Nx.type(Nx.u8([1])), Nx.type(1), Nx.type(1.5), Nx.type(true), Nx.type(new Nx.Complex(1))]).toEqual([
      "u8",
      "s64",
      "f32",
      "u8",
      "c64",
    ]);
    expect(() => Nx.type([1] as never)).toThrow("Nx.type expects a tensor or a number, got: [1]");
  });
});

describe("asType", () => {
  it("returns the same elements for its own type", () => {
    const t = Nx.f32([1]);
    expect(Nx.asType(t, "f32").equals(t)).toBe(true);
  });

  it("keeps shape and names", () => {
    const t = Nx.asType(Nx.iota([2, 2], { names: ["x", "y"] }), "f64");
    expect([t.type, t.shape, t.names]).toEqual(["f64", [2, 2], ["x", "y"]]);
  });

  it("cuts fractions off and saturates, or wraps where told", () => {
    expect(as([0.9, -0.9, 1.5, -1.5], "s32")).toEqual([0, 0, 1, -1]);
    expect(as([300.7, -300.7, NaN, Infinity, -Infinity], "u8")).toEqual([255, 0, 0, 255, 0]);
    expect(as([300.7, -1.5], "u8", { overflow: "wrap" })).toEqual([44, 255]);
    expect(as([Infinity, -Infinity], "s16")).toEqual([32767, -32768]);
    expect(as([1e30, -1e30], "s64")).toEqual([2n ** 63n - 1n, -(2n ** 63n)]);
  });

  it("wraps integers and takes real parts", () => {
    expect(as([300, -1], "u8")).toEqual([44, 255]);
    expect(as([new Nx.Complex(1.5, 2)], "f32")).toEqual([1.5]);
    expect(as([1.5], "c64")).toEqual([new Nx.Complex(1.5, 0)]);
  });

  it("takes plain values", () => {
    expect([Nx.asType(1, "f32").type, Nx.toNumber(Nx.asType(1.7, "u8"))]).toEqual(["f32", 1]);
  });

  it("refuses unknown types and options", () => {
    expect(() => Nx.asType(1, "f31" as never)).toThrow('invalid type "f31"; did you mean "f32"?');
    expect(() => Nx.asType(1, "f32", { overflow: "clamp" } as never)).toThrow(
      'option overflow of Nx.asType must be one of "saturate", "wrap", got: "clamp"',
    );
    expect(() => Nx.asType("1" as never, "f32")).toThrow("Nx.asType expects a tensor or a number");
  });
});

describe("bitcast", () => {
  it("keeps the bits, shape and names", () => {
    const t = Nx.bitcast(Nx.f32([[0, 1, -1]], { names: ["x", "y"] }), "u32");
    expect([t.type, t.names, Nx.toList(t)]).toEqual(["u32", ["x", "y"], [[0, 0x3f800000, 0xbf800000]]]);
    expect(Nx.toNumber(Nx.bitcast(Nx.f16(1), "bf16"))).toBe(Nx.toNumber(Nx.bitcast(Nx.u16(0x3c00), "bf16")));
    expect(Nx.toNumber(Nx.bitcast(Nx.f64(1), "s64"))).toBe(0x3ff0000000000000n);
    expect(Nx.toNumber(Nx.bitcast(Nx.u8(255), "s8"))).toBe(-1);
  });

  it("undoes itself", () => {
    const t = Nx.f64([0.1, -0, NaN, Infinity]);
    expect(Nx.bitcast(Nx.bitcast(t, "u64"), "f64").equals(t)).toBe(true);
    expect(Nx.bitcast(t, "f64").equals(t)).toBe(true);
  });

  it("cuts elements of wider types along the last axis, the lowest bits first", () => {
    const t = Nx.u32([[1, 0x01020304], [0xffffffff, 0]], { names: ["x", "y"] }); // prettier-ignore
    const bytes = Nx.bitcast(t, "u8");
    expect([bytes.type, bytes.shape, bytes.names]).toEqual(["u8", [2, 8], ["x", "y"]]);
    expect(bytes.toList()).toEqual([
      [1, 0, 0, 0, 4, 3, 2, 1],
      [255, 255, 255, 255, 0, 0, 0, 0],
    ]);
    expect(Nx.bitcast(t.at({ x: Nx.range(0, 2) }).transpose(), "u16").toList()).toEqual([
      [1, 0, 65535, 65535],
      [0x304, 0x102, 0, 0],
    ]);
  });

  it("joins elements of narrower types, and undoes the cutting of any type", () => {
    expect(Nx.bitcast(Nx.u8([0, 0, 128, 63, 0, 0, 0, 64]), "f32").toList()).toEqual([1, 2]);
    for (const type of ["u64", "s16", "f16", "f64", "c64", "c128"] as const) {
      const t = Nx.asType(Nx.iota([3, 2], { names: ["x", "y"] }), type);
      for (const narrow of ["u8", "s8", "bf16", "u16", "f32"] as const) {
        if (Nx.byteSize(t) % (6 * Nx.byteSize(Nx.template([1], narrow))) !== 0) continue;
        const cut = t.bitcast(narrow);
        expect(cut.bitcast(type).equals(t)).toBe(true);
        expect(cut.toBinary()).toEqual(t.toBinary());
      }
    }
  });

  it("changes the last axis of every entry, traced and vectorized alike", () => {
    const t = Nx.u16([[1, 2], [3, 4], [5, 6]]); // prettier-ignore
    const bytes = (x: Nx.Tensor): Nx.Tensor => x.bitcast("u8").multiply(2);
    expect(Nx.defn(bytes)(t).equals(bytes(t))).toBe(true);
    const entries = Nx.devectorize(bytes(Nx.vectorize(t, "batch")));
    expect(entries.toList()).toEqual(bytes(t).toList());
  });

  it("lets no gradient through a change of shape", () => {
    const fn = (x: Nx.Tensor): Nx.Tensor => x.multiply(x.bitcast("f16").bitcast("f32")).sum();
    expect(Nx.grad(fn)(Nx.f32([1.5, 3])).toList()).toEqual([1.5, 3]);
  });

  it("refuses shapes that do not fit, and lists the types of the same width", () => {
    expect(() => Nx.bitcast(Nx.u32([0, 1, 2]), "u64")).toThrow(
      "cannot bitcast a tensor of type u32 and shape [3] to u64: 32 bits per element are not 64, and the last axis must be " +
        "a multiple of 2 elements; types of 32 bits are u32, s32, f32",
    );
    expect(() => Nx.bitcast(1, "u32")).toThrow("a scalar has no axis to cut or join elements along");
    expect(() => Nx.bitcast(1, "f7" as never)).toThrow("invalid type");
  });
});
