/** Types of the indexed and cumulative functions: names that are known stay known, misspelt ones are compile errors. */
import { describe, expect, expectTypeOf, it } from "vitest";
import * as Nx from "nx-numerics";

const t = Nx.iota([2, 3], { names: ["x", "y"] });
const untracked: Nx.Tensor = t;

describe("names in types", () => {
  it("stay where the axes stay", () => {
    type Same = Nx.Tensor<readonly ["x", "y"]>;
    expectTypeOf(Nx.slice(t, [0, 0], [1, 1])).toEqualTypeOf<Same>();
    expectTypeOf(Nx.sliceAlongAxis(t, 0, 1, { axis: "y" })).toEqualTypeOf<Same>();
    expectTypeOf(Nx.takeAlongAxis(t, Nx.tensor([[0, 0, 0]]), { axis: "x" })).toEqualTypeOf<Same>();
    expectTypeOf(Nx.indexedAdd(t, Nx.tensor([[0, 0]]), Nx.tensor([1]))).toEqualTypeOf<Same>();
    expectTypeOf(Nx.indexedPut(t, Nx.tensor([[0]]), Nx.tensor([[1, 1]]), { axes: ["y"] })).toEqualTypeOf<Same>();
    expectTypeOf(Nx.cumulativeSum(t, { axis: "y" })).toEqualTypeOf<Same>();
    expectTypeOf(Nx.cumulativeMax(t, { axis: -1, reverse: true })).toEqualTypeOf<Same>();
  });

  it("merge in putSlice", () => {
    const half = Nx.iota([2, 3], { names: ["x", null] });
    const piece = Nx.tensor([[1]], { names: [null, "y"] });
    expectTypeOf(Nx.putSlice(half, [0, 0], piece)).toEqualTypeOf<Nx.Tensor<readonly ["x", "y"]>>();
    expectTypeOf(Nx.putSlice(half, [0, 0], untracked)).toEqualTypeOf<Nx.Tensor>();
    // nothing that is put into a tensor all of whose axes have names can change one
    expectTypeOf(Nx.putSlice(t, [0, 0], untracked)).toEqualTypeOf<Nx.Tensor<readonly ["x", "y"]>>();
    // @ts-expect-error the names clash
    expect(() => Nx.putSlice(t, [0, 0], Nx.tensor([[1]], { names: ["x", "z"] }))).toThrow(Nx.ArgumentError);
  });

  it("of indices take the place of the axis in take", () => {
    const picks = Nx.tensor([1, 0], { names: ["pick"] });
    expectTypeOf(Nx.take(t, picks)).toEqualTypeOf<Nx.Tensor<readonly ["pick", "y"]>>();
    expectTypeOf(t.take(picks, { axis: "y" })).toEqualTypeOf<Nx.Tensor<readonly ["x", "pick"]>>();
    expectTypeOf(Nx.take(t, 0, { axis: "y" })).toEqualTypeOf<Nx.Tensor<readonly ["x"]>>();
    expectTypeOf(t.take(picks, { axis: 0 })).toEqualTypeOf<Nx.Tensor<readonly ["pick", "y"]>>();
    expectTypeOf(t.take(Nx.tensor([0]))).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.take(t, picks, -1)).toEqualTypeOf<Nx.Tensor<readonly ["x", "pick"]>>();
    expectTypeOf(Nx.take(t, picks, 2)).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.take(untracked, picks)).toEqualTypeOf<Nx.Tensor>();
  });

  it("stay where take has a vector of indices without a name", () => {
    const plain = Nx.broadcast(0, [2], { names: [null] });
    type Same = Nx.Tensor<readonly ["x", "y"]>;
    expectTypeOf(Nx.take(t, plain)).toEqualTypeOf<Same>();
    expectTypeOf(Nx.take(t, plain, { axis: 0 })).toEqualTypeOf<Same>();
    expectTypeOf(t.take(plain, { axis: "y" })).toEqualTypeOf<Same>();
    const half = Nx.iota([2, 3], { names: [null, "y"] });
    expectTypeOf(half.take(plain)).toEqualTypeOf<Nx.Tensor<readonly [null, "y"]>>();
    const either = plain as Nx.Tensor<readonly ["pick" | null]>;
    expectTypeOf(t.take(either, { axis: "y" })).toEqualTypeOf<Nx.Tensor<readonly ["x", "pick" | "y"]>>();
    const square = Nx.broadcast(0, [2, 2], { names: [null, "n"] });
    expectTypeOf(t.take(square, { axis: "y" })).toEqualTypeOf<Nx.Tensor<readonly ["x", null, "n"]>>();
    expectTypeOf(t.take(1)).toEqualTypeOf<Nx.Tensor<readonly ["y"]>>();
  });

  it("are given up where indices change the axes otherwise", () => {
    expectTypeOf(Nx.gather(t, Nx.tensor([[0]]), { axes: ["y"] })).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.slice(untracked, [0, 0], [1, 1])).toEqualTypeOf<Nx.Tensor>();
  });
});

describe("misspelt axes", () => {
  it("are compile errors", () => {
    // @ts-expect-error no such axis
    expect(() => Nx.take(t, 0, { axis: "z" })).toThrow(Nx.ArgumentError);
    // @ts-expect-error no such axis
    expect(() => Nx.sliceAlongAxis(t, 0, 1, { axis: "z" })).toThrow(Nx.ArgumentError);
    // @ts-expect-error no such axis
    expect(() => Nx.takeAlongAxis(t, Nx.tensor([[0]]), { axis: "z" })).toThrow(Nx.ArgumentError);
    // @ts-expect-error no such axis
    expect(() => Nx.gather(t, Nx.tensor([[0]]), { axes: ["z"] })).toThrow(Nx.ArgumentError);
    // @ts-expect-error no such axis
    expect(() => Nx.indexedPut(t, Nx.tensor([[0]]), 1, { axes: ["z"] })).toThrow(Nx.ArgumentError);
    // @ts-expect-error no such axis
    expect(() => Nx.cumulativeProduct(t, { axis: "z" })).toThrow(Nx.ArgumentError);
  });

  it("are taken where names are not known", () => {
    Nx.sliceAlongAxis(untracked, 0, 1, { axis: "x" });
    Nx.cumulativeMin(untracked, { axis: "x" });
  });
});

describe("names of at", () => {
  const range: Nx.IndexRange | number = Nx.range(0, 1);
  const places: number[] = [0];

  it("go with positions and stay with ranges", () => {
    expectTypeOf(t.at(0)).toEqualTypeOf<Nx.Tensor<readonly ["y"]>>();
    expectTypeOf(t.at(Nx.range(1), -1)).toEqualTypeOf<Nx.Tensor<readonly ["x"]>>();
    expectTypeOf(t.at(Nx.tensor(0))).toEqualTypeOf<Nx.Tensor<readonly ["y"]>>();
    expectTypeOf(t.at({ y: 0 })).toEqualTypeOf<Nx.Tensor<readonly ["x"]>>();
    expectTypeOf(t.at({ y: Nx.range(1), x: Nx.tensor(0) })).toEqualTypeOf<Nx.Tensor<readonly ["y"]>>();
    expectTypeOf(t.at(0, 0)).toEqualTypeOf<Nx.Tensor<readonly []>>();
    expectTypeOf(t.at()).toEqualTypeOf<typeof t>();
  });

  it("are given up for what may be either", () => {
    expectTypeOf(t.at({ y: range as Nx.Index })).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(t.at(...places)).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(untracked.at(0)).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(untracked.at({ any: 0 })).toEqualTypeOf<Nx.Tensor>();
  });

  it("are checked, each of them", () => {
    // @ts-expect-error no axis is called "z"
    expect(() => t.at({ z: 0 })).toThrow(Nx.ArgumentError);
    // @ts-expect-error no axis is called "z"
    expect(() => t.at({ x: 0, z: 0 })).toThrow(Nx.ArgumentError);
  });

  it("let keys go on in a loop", () => {
    let key = Nx.Random.key(0);
    for (let i = 0; i < 2; i++) key = Nx.Random.split(key).at(0);
    expectTypeOf(key).toEqualTypeOf<Nx.Tensor<readonly [null]>>();
  });
});
