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
  it("returns the tensor itself for its own type", () => {
    const t = Nx.f32([1]);
    expect(Nx.asType(t, "f32")).toBe(t);
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
    expect(Nx.bitcast(t, "f64")).toBe(t);
  });

  it("refuses other widths and lists those that fit", () => {
    expect(() => Nx.bitcast(Nx.tensor([0, 1]), "u32")).toThrow(
      "cannot bitcast a tensor of type s64 and shape [2] to u32: 64 bits per element are not 32; " +
        "types of 64 bits are u64, s64, f64, c64",
    );
    expect(() => Nx.bitcast(1, "f7" as never)).toThrow("invalid type");
  });
});
