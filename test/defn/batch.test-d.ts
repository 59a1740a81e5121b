import { describe, expectTypeOf, it } from "vitest";
import * as Nx from "nx-numerics";

declare const batch: Nx.Batch.Batch<{ readonly x: number }>;
const total = (all: { readonly x: Nx.Tensor }): Nx.Tensor => all.x;

describe("a batch as an argument", () => {
  it("has the type of the container that it stands for", () => {
    expectTypeOf(batch.asArgument().x).toEqualTypeOf<Nx.Tensor>();
    Nx.defn(total)(batch.asArgument());
    Nx.Defn.compile(total, [batch.asArgument()])(batch.asArgument());
    // @ts-expect-error -- a batch itself is no container
    Nx.defn(total)(batch);
  });
});
