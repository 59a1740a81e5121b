import { describe, expect, expectTypeOf, it } from "vitest";
import * as Nx from "nx-numerics";

const t = Nx.iota([2, 3, 4], { names: ["x", "y", "z"] });
const untracked: Nx.Tensor = t;

describe("names in types", () => {
  it("follow transpose, rename, reshape and align", () => {
    expectTypeOf(Nx.transpose(t)).toEqualTypeOf<Nx.Tensor<readonly ["z", "y", "x"]>>();
    expectTypeOf(t.transpose({ axes: ["y", "x", "z"] })).toEqualTypeOf<Nx.Tensor<readonly ["y", "x", "z"]>>();
    expectTypeOf(t.rename(["a", null, "c"])).toEqualTypeOf<Nx.Tensor<readonly ["a", null, "c"]>>();
    expectTypeOf(t.rename({ y: "w", z: null })).toEqualTypeOf<Nx.Tensor<readonly ["x", "w", null]>>();
    expectTypeOf(Nx.rename(untracked, { y: "w" })).toEqualTypeOf<Nx.Tensor>();
    // @ts-expect-error misspelt axis
    expect(() => t.rename({ w: "y" })).toThrow(Nx.ArgumentError);
    expectTypeOf(t.reshape([24], { names: ["all"] })).toEqualTypeOf<Nx.Tensor<readonly ["all"]>>();
    expectTypeOf(t.reshape([24])).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.align(t, "z", "y", "x")).toEqualTypeOf<Nx.Tensor<readonly ["z", "y", "x"]>>();
  });

  it("follow newAxis in front, second and at the end", () => {
    expectTypeOf(t.newAxis(0)).toEqualTypeOf<Nx.Tensor<readonly [null, "x", "y", "z"]>>();
    expectTypeOf(t.newAxis(1, "w")).toEqualTypeOf<Nx.Tensor<readonly ["x", "w", "y", "z"]>>();
    expectTypeOf(Nx.newAxis(t, -1, "w")).toEqualTypeOf<Nx.Tensor<readonly ["x", "y", "z", "w"]>>();
    expectTypeOf(t.newAxis(2)).toEqualTypeOf<Nx.Tensor<readonly ["x", "y", null, "z"]>>();
    expectTypeOf(t.newAxis(-2)).toEqualTypeOf<Nx.Tensor<readonly ["x", "y", null, "z"]>>();
    expectTypeOf(t.newAxis(9)).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(t.newAxis(2 as number)).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(untracked.newAxis(0, "w")).toEqualTypeOf<Nx.Tensor>();
  });

  it("follow the methods as they do the functions", () => {
    expectTypeOf(t.align("z", "y", "x")).toEqualTypeOf<Nx.Tensor<readonly ["z", "y", "x"]>>();
    expectTypeOf(t.tile([2], { names: ["a"] })).toEqualTypeOf<Nx.Tensor<readonly ["a"]>>();
    expectTypeOf(t.broadcast([2, 3, 4], { names: ["a", "b", "c"] })).toEqualTypeOf<
      Nx.Tensor<readonly ["a", "b", "c"]>
    >();
    expectTypeOf(t.broadcast([2, 3, 4])).toEqualTypeOf<Nx.Tensor>();
  });

  it("follow moveAxis and swapAxes by name", () => {
    expectTypeOf(Nx.moveAxis(t, "z", 0)).toEqualTypeOf<Nx.Tensor<readonly ["z", "x", "y"]>>();
    expectTypeOf(t.moveAxis("x", -1)).toEqualTypeOf<Nx.Tensor<readonly ["y", "z", "x"]>>();
    expectTypeOf(t.moveAxis("x", 1)).toEqualTypeOf<Nx.Tensor<readonly ["y", "x", "z"]>>();
    expectTypeOf(t.moveAxis(-1, 0)).toEqualTypeOf<Nx.Tensor<readonly ["z", "x", "y"]>>();
    expectTypeOf(t.moveAxis(0 as number, 0)).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.swapAxes(t, "x", "z")).toEqualTypeOf<Nx.Tensor<readonly ["z", "y", "x"]>>();
    expectTypeOf(untracked.swapAxes("x", "z")).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.arange(3, { name: "a" })).toEqualTypeOf<Nx.Tensor<readonly ["a"]>>();
    // @ts-expect-error misspelt axis
    expect(() => t.swapAxes("x", "w")).toThrow(Nx.ArgumentError);
  });

  it("are checked where they are known", () => {
    // @ts-expect-error misspelt axis
    t.axisSize("xx");
    // @ts-expect-error misspelt axis
    t.transpose({ axes: ["x", "y", "w"] });
    // @ts-expect-error misspelt axis
    t.at({ w: 0 });
    t.at({ x: 0 });
  });

  it("cost nothing where they are not", () => {
    untracked.axisSize("anything");
    expectTypeOf(untracked.transpose()).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(untracked.transpose({ axes: ["a"] })).toEqualTypeOf<Nx.Tensor>();
  });
});
