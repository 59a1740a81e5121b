/** What types know of arrays in stores: the names of what is read and reduced. */
import * as Nx from "nx-numerics";
import { createZarr, openZarr, type ZarrArray } from "nx-numerics/zarr";
import { describe, expectTypeOf, it } from "vitest";

declare const air: ZarrArray<readonly ["time", "lat", "lon"]>;
declare const some: ZarrArray;
declare const either: number | readonly [number, number];

describe("names of arrays", () => {
  it("are those that were said", () => {
    expectTypeOf(openZarr(new Map<string, Uint8Array>(), { names: ["x", null] })).resolves.toEqualTypeOf<
      ZarrArray<readonly ["x", null]>
    >();
    expectTypeOf(openZarr(new Map<string, Uint8Array>(), "air")).resolves.toEqualTypeOf<ZarrArray>();
    const like = Nx.template([2], "f32", { names: ["x"] });
    expectTypeOf(createZarr(new Map<string, Uint8Array>(), like, { chunks: [1] })).resolves.toEqualTypeOf<
      ZarrArray<readonly ["x"]>
    >();
    expectTypeOf(air).toExtend<ZarrArray>();
  });

  it("lose the axes that are read at a position", () => {
    expectTypeOf(air.read()).resolves.toEqualTypeOf<Nx.Tensor<readonly ["time", "lat", "lon"]>>();
    expectTypeOf(air.read({ time: [0, 24], lat: 100 })).resolves.toEqualTypeOf<Nx.Tensor<readonly ["time", "lon"]>>();
    expectTypeOf(air.read({ time: Nx.range(0, 9, 2) })).resolves.toEqualTypeOf<
      Nx.Tensor<readonly ["time", "lat", "lon"]>
    >();
    expectTypeOf(air.read({ time: either })).resolves.toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(some.read({ time: 0 })).resolves.toEqualTypeOf<Nx.Tensor>();
    // @ts-expect-error no such axis
    void air.read({ tiem: 0 });
  });

  it("lose the axes that are reduced", () => {
    expectTypeOf(air.mean({ axes: ["time"] })).resolves.toEqualTypeOf<Nx.Tensor<readonly ["lat", "lon"]>>();
    expectTypeOf(air.variance("time")).resolves.toEqualTypeOf<Nx.Tensor<readonly ["lat", "lon"]>>();
    expectTypeOf(air.sum()).resolves.toEqualTypeOf<Nx.Tensor<readonly []>>();
    expectTypeOf(air.reduceMax({ axes: [0], keepAxes: true })).resolves.toEqualTypeOf<
      Nx.Tensor<readonly ["time", "lat", "lon"]>
    >();
    expectTypeOf(some.mean({ axes: ["time"] })).resolves.toEqualTypeOf<Nx.Tensor>();
    // @ts-expect-error no such axis
    void air.mean({ axes: ["tiem"] });
  });

  it("come with blocks", async () => {
    for await (const { block, where } of air) {
      expectTypeOf(block).toEqualTypeOf<Nx.Tensor<readonly ["time", "lat", "lon"]>>();
      expectTypeOf(where.time).toEqualTypeOf<readonly [start: number, end: number]>();
      expectTypeOf(air.read(where)).resolves.toEqualTypeOf<Nx.Tensor<readonly ["time", "lat", "lon"]>>();
    }
    expectTypeOf(air.reduce((block) => block.sum({ axes: ["time"] }), Nx.add)).resolves.toExtend<Nx.Tensor>();
  });
});
