import { describe, expectTypeOf, it } from "vitest";
import * as Nx from "nx-numerics";

describe("names of created tensors", () => {
  it("are those given, without `as const`", () => {
    expectTypeOf(Nx.tensor([[1, 2]], { names: ["x", "y"] })).toEqualTypeOf<Nx.Tensor<readonly ["x", "y"]>>();
    expectTypeOf(Nx.tensor([[1, 2]], { names: ["x", null] })).toEqualTypeOf<Nx.Tensor<readonly ["x", null]>>();
    expectTypeOf(Nx.f32([1], { names: ["x"] })).toEqualTypeOf<Nx.Tensor<readonly ["x"]>>();
    expectTypeOf(Nx.iota([2], { names: ["x"] })).toEqualTypeOf<Nx.Tensor<readonly ["x"]>>();
    expectTypeOf(Nx.eye(2, { names: ["x", "y"] })).toEqualTypeOf<Nx.Tensor<readonly ["x", "y"]>>();
    expectTypeOf(Nx.fill([2], 0, { names: ["x"] })).toEqualTypeOf<Nx.Tensor<readonly ["x"]>>();
    expectTypeOf(Nx.template([2], "f32", { names: ["x"] })).toEqualTypeOf<Nx.Tensor<readonly ["x"]>>();
    expectTypeOf(Nx.fromBinary(new Uint8Array(1), "u8", { names: ["x"] })).toEqualTypeOf<Nx.Tensor<readonly ["x"]>>();
  });

  it("are those of templates whose sizes are names", () => {
    const named = Nx.template(["batch", 3], "f32", { names: ["x", null] });
    expectTypeOf(named).toEqualTypeOf<Nx.SymbolicTemplate<readonly ["x", null]>>();
    expectTypeOf(Nx.template(["n"], "f32")).toEqualTypeOf<Nx.SymbolicTemplate>();
    expectTypeOf(Nx.template([], "f32")).toEqualTypeOf<Nx.Tensor<readonly []>>();
    expectTypeOf(Nx.template([2, 3], "f32")).toEqualTypeOf<Nx.Tensor<readonly [null, null]>>();
    expectTypeOf(Nx.template([] as number[], "f32")).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.template(Nx.f32([1], { names: ["x"] }), "f32")).toEqualTypeOf<Nx.Tensor<readonly ["x"]>>();
    const sizes: readonly (number | string)[] = [2];
    expectTypeOf(Nx.template(sizes, "f32")).toEqualTypeOf<Nx.Tensor | Nx.SymbolicTemplate>();
    const fn = (c: { w: Nx.Tensor }, k: number): Nx.Tensor => c.w.multiply(k);
    const compiled = Nx.Defn.compile(fn, [{ w: Nx.template(["n"], "f32") }, 2]);
    expectTypeOf(compiled).toEqualTypeOf<(c: { w: Nx.Tensor }, k: number) => Nx.Tensor>();
    const scaled = (x: Nx.Tensor<readonly ["x"]>, by: Nx.Tensor<readonly []>) => x.multiply(by);
    Nx.Defn.compile(scaled, [Nx.template(["n"], "f32", { names: ["x"] }), Nx.template([], "f32")]);
    // @ts-expect-error -- a number is no tensor, whatever its size
    Nx.Defn.compile(fn, [{ w: 1 }, Nx.template(["n"], "f32")]);
    // @ts-expect-error -- nothing can be computed with it
    Nx.abs(named);
  });

  it("are not tracked where none are given", () => {
    expectTypeOf(Nx.tensor([1, 2])).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.tensor([1, 2], { type: "f32" })).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.iota([2])).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.tensor([1], { names: [] as (string | null)[] })).toExtend<Nx.Tensor>();
  });

  it("are taken from a tensor given as shape", () => {
    const x = Nx.tensor([1], { names: ["x"] });
    expectTypeOf(Nx.iota(x)).toEqualTypeOf<Nx.Tensor<readonly ["x"]>>();
    expectTypeOf(Nx.iota(x, { type: "f32" })).toEqualTypeOf<Nx.Tensor<readonly ["x"]>>();
    expectTypeOf(Nx.iota(x, { names: ["y"] })).toEqualTypeOf<Nx.Tensor<readonly ["y"]>>();
    expectTypeOf(Nx.fill(x, 1)).toEqualTypeOf<Nx.Tensor<readonly ["x"]>>();
  });

  it("are kept by conversions", () => {
    const x = Nx.tensor([1], { names: ["x"] });
    expectTypeOf(Nx.asType(x, "f32")).toEqualTypeOf<Nx.Tensor<readonly ["x"]>>();
    expectTypeOf(x.asType("f32")).toEqualTypeOf<Nx.Tensor<readonly ["x"]>>();
    expectTypeOf(Nx.bitcast(x, "f64")).toEqualTypeOf<Nx.Tensor<readonly ["x"]>>();
    expectTypeOf(Nx.toTensor(x)).toEqualTypeOf<Nx.Tensor<readonly ["x"]>>();
    expectTypeOf(Nx.asType(1, "f32")).toEqualTypeOf<Nx.Tensor<readonly []>>();
    expectTypeOf(Nx.toBatched(x, 1)).toExtend<Iterable<Nx.Tensor<readonly ["x"]>>>();
  });

  it("make a tensor of known names a tensor still", () => {
    const x = Nx.tensor([1], { names: ["x"] });
    expectTypeOf(x).toExtend<Nx.Tensor>();
    expectTypeOf(x).toExtend<Nx.Operand>();
    expectTypeOf<Nx.Tensor>().not.toExtend<Nx.Tensor<readonly ["x"]>>();
    expectTypeOf<Nx.Tensor<readonly ["x"]>>().not.toExtend<Nx.Tensor<readonly ["y"]>>();
  });

  it("are checked by methods", () => {
    const t = Nx.tensor([[1, 2]], { names: ["x", "y"] });
    expectTypeOf(t.sum({ axes: ["x"] })).toExtend<Nx.Tensor<readonly ["y"]>>();
    expectTypeOf(t.add(1).exp()).toEqualTypeOf<Nx.Tensor<readonly ["x", "y"]>>();
    // @ts-expect-error there is no axis z
    t.sum({ axes: ["z"] });
    // @ts-expect-error y and z stand at the same place
    t.add(Nx.tensor([[1, 2]], { names: ["x", "z"] }));
  });
});

describe("what creation takes", () => {
  it("is plain data, typed arrays and tensors", () => {
    Nx.tensor([
      [1, 2n],
      [true, new Nx.Complex(1)],
    ]);
    Nx.tensor([Float32Array.of(1), [2]]);
    Nx.tensor(Nx.tensor(1));
    // @ts-expect-error strings are no data
    Nx.tensor("1");
    // @ts-expect-error null is no data
    Nx.tensor([1, null]);
    // @ts-expect-error tensors are joined with Nx.stack
    Nx.tensor([Nx.tensor(1)]);
    // @ts-expect-error no such type
    Nx.tensor(1, { type: "f31" });
    // @ts-expect-error the count is required
    Nx.linspace(0, 1, {});
    // @ts-expect-error no such option
    Nx.iota([1], { axs: 0 });
  });

  it("is what guards let through", () => {
    const value = 1 as unknown;
    if (Nx.isTensor(value)) expectTypeOf(value).toEqualTypeOf<Nx.Tensor>();
    const [int, named] = Nx.toTemplate([1, Nx.tensor([1], { names: ["x"] })] as const);
    expectTypeOf(int).toEqualTypeOf<Nx.Tensor<readonly []>>();
    expectTypeOf(named).toEqualTypeOf<Nx.Tensor<readonly ["x"]>>();
  });
});
