import { describe, expectTypeOf, it } from "vitest";
import * as Nx from "nx-numerics";

const x = Nx.zeros([2, 3], { names: ["x", "y"] });
const y = Nx.zeros([3], { names: ["y"] });
const untracked: Nx.Tensor = x;

describe("names of a formula", () => {
  it("are those of its operands, merged", () => {
    expectTypeOf(Nx.formula`2 * ${x} + ${y} * ${0.5}`).toEqualTypeOf<Nx.Tensor<readonly ["x", "y"]>>();
    expectTypeOf(Nx.formula`${y} + ${x}`).toEqualTypeOf<Nx.Tensor<readonly ["x", "y"]>>();
    expectTypeOf(Nx.formula`2 * pi`).toEqualTypeOf<Nx.Tensor<readonly []>>();
    expectTypeOf(Nx.formula`${untracked} + ${y}`).toEqualTypeOf<Nx.Tensor>();
  });

  it("must not clash", () => {
    const z = y.rename({ y: "z" });
    // @ts-expect-error y is not z
    expectTypeOf(() => Nx.formula`${x} + ${z}`).toBeFunction();
  });
});
