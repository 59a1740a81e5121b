/** What the compiler knows of the axis names of distinct elements and entries. */
import * as Nx from "nx-numerics";
import { expectTypeOf, it } from "vitest";

declare const t: Nx.Tensor<readonly ["x", "y"]>;

it("unique knows the names of what it finds", () => {
  expectTypeOf(Nx.unique(t).inverse).toEqualTypeOf<Nx.Tensor<readonly ["x", "y"]>>();
  expectTypeOf(Nx.unique(t, { name: "z" }).counts).toEqualTypeOf<Nx.Tensor<readonly ["z"]>>();
  expectTypeOf(t.unique("x").values).toEqualTypeOf<Nx.Tensor<readonly ["x", "y"]>>();
  expectTypeOf(Nx.unique(t, "y").inverse).toEqualTypeOf<Nx.Tensor<readonly ["y"]>>();
  expectTypeOf(Nx.unique(t, { axis: 1 }).counts).toEqualTypeOf<Nx.Tensor<readonly ["y"]>>();
  expectTypeOf(Nx.unique(t, { axis: -1, name: "z" }).counts).toEqualTypeOf<Nx.Tensor<readonly ["z"]>>();
  expectTypeOf(Nx.unique(t, { axis: -1, name: "z" }).values).toEqualTypeOf<Nx.Tensor<readonly ["x", "z"]>>();
  // @ts-expect-error no axis has this name
  Nx.unique(t, "z");
});
