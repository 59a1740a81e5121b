import { List, OrderedMap } from "immutable";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";

describe("questions", () => {
  const t = Nx.iota([2, 3, 4], { names: ["x", "y", null], type: "f64" });

  it("about shape take tensors, numbers and shapes", () => {
    expect([Nx.shape(t), Nx.shape(1), Nx.shape([5, 6])]).toEqual([[2, 3, 4], [], [5, 6]]);
    expect([Nx.rank(t), Nx.rank(true), Nx.rank([5, 6])]).toEqual([3, 0, 2]);
    expect([Nx.size(t), Nx.size(1n), Nx.size([5, 6])]).toEqual([24, 1, 30]);
    expect([Nx.axes(t), Nx.axes([5])]).toEqual([[0, 1, 2], [0]]);
    expect([Nx.byteSize(t), Nx.byteSize(1), Nx.byteSize(new Nx.Complex(1, 2)), Nx.byteSize(true)]).toEqual([
      192, 8, 8, 1,
    ]);
    expect([Nx.names(t), Nx.names(1)]).toEqual([["x", "y", null], []]);
    expect(Object.isFrozen(t.shape) && Object.isFrozen(t.names)).toBe(true);
    expect(() => Nx.byteSize([2, 3] as never)).toThrow(Nx.ArgumentError);
    expect(() => Nx.shape("x" as never)).toThrow(/expects a tensor, a number or a shape/);
  });

  it("about axes", () => {
    expect([Nx.axisIndex(t, "y"), t.axisIndex(-1), t.axisSize("y"), t.axisSize(2)]).toEqual([1, 2, 3, 4]);
    expect(() => Nx.axisIndex(t as Nx.Tensor, "z")).toThrow(/no axis named "z"/);
    expect(() => t.axisSize(3)).toThrow(/expected -3 to 2/);
  });

  it("isCompatible compares structure, type, shape and names", () => {
    const a = Nx.iota([2], { names: ["x"] });
    expect(Nx.isCompatible(a, Nx.iota([2]))).toBe(true);
    expect(Nx.isCompatible(a, Nx.iota([2], { type: "f32" }))).toBe(false);
    expect(Nx.isCompatible(a, Nx.iota([3]))).toBe(false);
    expect(Nx.isCompatible([a, { b: 1 }], [a, { b: 2 }])).toBe(true);
    expect(Nx.isCompatible([a, { b: 1 }], [a, { c: 2 }])).toBe(false);
    expect(Nx.isCompatible([a], List([a]))).toBe(false);
    expect(Nx.isCompatible({ a }, { a, b: 1 })).toBe(false);
    expect(Nx.isCompatible(a, "text")).toBe(false);
    const [one, two] = [
      OrderedMap([
        ["k", a],
        ["l", Nx.tensor(1) as Nx.Tensor],
      ]),
      OrderedMap([
        ["l", Nx.tensor(2) as Nx.Tensor],
        ["k", a],
      ]),
    ];
    expect(Nx.isCompatible(one, two)).toBe(true);
  });
});
