import { describe, expect, expectTypeOf, it } from "vitest";
import * as Nx from "nx-numerics";

const image = Nx.iota([2, 6], { names: ["batch", "pixel"] });
const x = Nx.iota([4, 3], { names: ["sample", "feature"] });
const w = Nx.iota([3, 5], { names: ["feature", "unit"] });
const time = Nx.iota([3], { names: ["time"] });
const untracked: Nx.Tensor = image;

describe("names in types follow patterns", () => {
  it("of layouts", () => {
    expectTypeOf(Nx.rearrange(image, "batch (height width) -> height (batch width)", { height: 2 })).toEqualTypeOf<
      Nx.Tensor<readonly ["height", null]>
    >();
    expectTypeOf(image.rearrange("... pixel -> pixel 1 ...")).toEqualTypeOf<
      Nx.Tensor<readonly ["pixel", null, "batch"]>
    >();
    expectTypeOf(image.rearrange("batch (h w)\n -> (batch h)\n    w", { h: 2 })).toEqualTypeOf<
      Nx.Tensor<readonly [null, "w"]>
    >();
    expectTypeOf(untracked.rearrange("b c -> c b")).toEqualTypeOf<Nx.Tensor<readonly ["c", "b"]>>();
    expectTypeOf(untracked.rearrange("... c -> c ...")).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(image.repeat("batch pixel -> batch x pixel", { x: 2 })).toEqualTypeOf<
      Nx.Tensor<readonly ["batch", "x", "pixel"]>
    >();
    expectTypeOf(image.repeat(2)).toEqualTypeOf<Nx.Tensor<readonly [null]>>();
    expectTypeOf(image.repeat(2, { axis: "batch" })).toEqualTypeOf<Nx.Tensor<readonly ["batch", "pixel"]>>();
    expectTypeOf(Nx.reduce(image, "batch (row 2) -> row", "mean")).toEqualTypeOf<Nx.Tensor<readonly ["row"]>>();
    expectTypeOf(Nx.reduce(image, 0, (a, b) => a.add(b), { axes: ["batch"] })).toEqualTypeOf<
      Nx.Tensor<readonly ["pixel"]>
    >();
  });

  it("of products", () => {
    expectTypeOf(Nx.einsum("sample feature, feature unit -> sample unit", x, w)).toEqualTypeOf<
      Nx.Tensor<readonly ["sample", "unit"]>
    >();
    expectTypeOf(Nx.einsum("ij,jk->ki", x, w)).toEqualTypeOf<Nx.Tensor<readonly ["unit", "sample"]>>();
    expectTypeOf(Nx.einsum("... feature, feature unit -> unit ...", x, w)).toEqualTypeOf<
      Nx.Tensor<readonly ["unit", "sample"]>
    >();
    expectTypeOf(Nx.einsum("time,time->", time, time)).toEqualTypeOf<Nx.Tensor<readonly []>>();
    expectTypeOf(Nx.einsum("i j -> j i", Nx.iota([2, 3]) as Nx.Tensor)).toEqualTypeOf<Nx.Tensor<readonly ["j", "i"]>>();
    expectTypeOf(Nx.einsum("ij->ji", untracked)).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.einsum("i,->i", time, 2)).toEqualTypeOf<Nx.Tensor<readonly ["time"]>>();
    const pattern = "ij,jk->ik" as string;
    expectTypeOf(Nx.einsum(pattern, x, w)).toEqualTypeOf<Nx.Tensor>();
  });

  it("and refuse words that are not those of the axes", () => {
    const wrong = [
      // @ts-expect-error misspelt axis
      () => image.rearrange("batch pixl -> pixl batch"),
      // @ts-expect-error a size of no word
      () => image.rearrange("batch (h w) -> h w batch", { hh: 2 }),
      // @ts-expect-error an axis too few
      () => image.rearrange("batch -> batch"),
      // @ts-expect-error misspelt axis
      () => image.repeat("batch x -> x"),
      // @ts-expect-error misspelt axis
      () => image.repeat(2, { axis: "batc" }),
      // @ts-expect-error misspelt axis
      () => Nx.reduce(image, "batch pixl -> batch", "sum"),
      // @ts-expect-error misspelt axis
      () => Nx.einsum("sample featur, feature unit -> sample unit", x, w),
      // @ts-expect-error an axis of no operand
      () => Nx.einsum("sample feature, feature unit -> sample units", x, w),
      // @ts-expect-error an operand too many
      () => Nx.einsum("sample feature -> sample", x, w),
    ];
    for (const call of wrong) expect(call).toThrow(Nx.ArgumentError);
  });
});
