import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { expectGradients, randoms } from "./check";

const { grad } = Nx.Defn;

function direct<P extends Nx.Primitive>(
  primitive: P,
  shape: readonly number[],
  inputs: readonly Nx.Tensor[],
  attrs: Nx.Attrs[P],
): Nx.Tensor {
  const { backend } = inputs[0]!;
  const out = { type: inputs[0]!.type, shape, names: shape.map(() => null) };
  const fill = backend[primitive] as Nx.PrimitiveFunction<P>;
  return new Nx.Tensor(backend, fill(out, inputs, attrs), out.type, out.shape, out.names);
}

describe("reductions", () => {
  const x = () => randoms([2, 3, 4], 0.5, 2);

  it.each([
    ["all", undefined],
    ["one axis", { axes: [1] }],
    ["two axes, kept", { axes: [0, 2], keepAxes: true }],
  ] as const)("%s", (_name, options) => {
    const apart = Nx.multiply(Nx.remainder(Nx.multiply(Nx.iota([2, 3, 4], { type: "f64" }), 7), 24), 0.1);
    for (const op of ["reduceMax", "reduceMin"] as const) {
      const fn = Nx[op] as (t: Nx.Tensor, options?: object) => Nx.Tensor;
      expectGradients((t) => fn(t, options), apart);
    }
    for (const op of ["sum", "product", "mean", "variance", "standardDeviation"] as const) {
      const fn = Nx[op] as (t: Nx.Tensor, options?: object) => Nx.Tensor;
      expectGradients((t) => fn(t, options), x());
    }
  });

  it("the product is right at zeros", () => {
    expect(grad((t: Nx.Tensor) => t.product())(Nx.f32([0, 2, 3])).toList()).toEqual([6, 0, 0]);
    expect(grad((t: Nx.Tensor) => t.product())(Nx.f32([0, 2, 0])).toList()).toEqual([0, 0, 0]);
  });

  it("extremes share between all that reach them", () => {
    expect(grad((t: Nx.Tensor) => t.reduceMax())(Nx.f32([1, 3, 3, 2])).toList()).toEqual([0, 0.5, 0.5, 0]);
  });

  it("indices, all and any have no slope", () => {
    for (const fn of [Nx.argmax, Nx.argmin, Nx.all, Nx.any] as ((t: Nx.Tensor) => Nx.Tensor)[]) {
      expect(grad((t: Nx.Tensor) => fn(t))(Nx.f32([1, 2])).toList()).toEqual([0, 0]);
    }
  });

  it("blocks are differentiated through what they mean", () => {
    const apart = Nx.f64([5, 1, 3, 9, 7, 2, 8, 4, 6, 0, 11, 10]).reshape([3, 4]);
    expectGradients((t) => Nx.median(t, { axis: 1 }), apart);
    expectGradients((t) => Nx.median(t, { axis: 0 }), apart);
  });
});

describe("moving elements", () => {
  const x = () => randoms([2, 3, 4]);

  it.each<[string, (t: Nx.Tensor) => Nx.Tensor]>([
    ["reshape", (t) => t.reshape([4, 6])],
    ["transpose", (t) => t.transpose({ axes: [2, 0, 1] })],
    ["broadcast", (t) => Nx.broadcast(t, [5, 2, 3, 4])],
    ["broadcast along size 1", (t) => Nx.broadcast(t.sum({ axes: [1], keepAxes: true }), [2, 6, 4])],
    ["broadcast with axes", (t) => Nx.broadcast(t, [2, 5, 3, 4], { axes: [0, 2, 3] })],
    [
      "pad",
      (t) =>
        t.pad(0, [
          [1, 2, 0],
          [0, 0, 2],
          [2, 1, 1],
        ]),
    ],
    [
      "pad, cropping",
      (t) =>
        t.pad(0, [
          [-1, 1, 0],
          [1, -1, 1],
          [-1, -1, 2],
        ]),
    ],
    [
      "reflect",
      (t) =>
        t.reflect({
          paddingConfig: [
            [1, 2],
            [0, 1],
            [3, 0],
          ],
        }),
    ],
    ["tile", (t) => t.tile([2, 1, 3])],
    ["at", (t) => t.at(1, Nx.range(1, 3))],
    ["at, dynamic", (t) => t.at(Nx.tensor(1), Nx.range(1, 3))],
    ["takeDiagonal", (t) => Nx.takeDiagonal(t.at(0))],
    ["squeeze and newAxis", (t) => t.newAxis(1).squeeze()],
    ["reverse", (t) => direct("reverse", [2, 3, 4], [t], { axes: [0, 2] })],
    [
      "slice with strides",
      (t) => direct("slice", [1, 2, 2], [t], { starts: [1, 0, 1], lengths: [1, 3, 3], strides: [1, 2, 2] }),
    ],
    [
      "slice, dynamic and clamped",
      (t) =>
        direct("slice", [2, 2, 2], [t, Nx.tensor(9)], { starts: [0, null, 0], lengths: [2, 2, 3], strides: [1, 1, 2] }),
    ],
    ["sort", (t) => direct("sort", [2, 3, 4], [t], { axis: 1, direction: "desc" })],
    [
      "take",
      (t) =>
        direct(
          "take",
          [2, 2, 2, 4],
          [
            t,
            Nx.tensor([
              [2, 0],
              [2, 2],
            ]),
          ],
          { axis: 1 },
        ),
    ],
    [
      "gather",
      (t) =>
        direct(
          "gather",
          [2],
          [
            t,
            Nx.tensor([
              [1, 2, 3],
              [1, 2, 3],
            ]),
          ],
          { axes: [0, 1, 2] },
        ),
    ],
  ])("%s", (_name, fn) => {
    expectGradients(fn, x());
  });

  it("pad with a traced value", () => {
    expectGradients(
      (t, v) =>
        t.pad(v, [
          [1, 2, 1],
          [-1, 1, 0],
        ]),
      randoms([2, 3]),
      randoms([]),
    );
  });

  it("putSlice", () => {
    const fn = (t: Nx.Tensor, piece: Nx.Tensor) => direct("putSlice", [3, 4], [t, piece], { starts: [9, 1] });
    expectGradients(fn, randoms([3, 4]), randoms([2, 2]));
  });

  it("indexed add and put, with duplicates", () => {
    const indices = Nx.tensor([
      [0, 1],
      [2, 2],
      [0, 1],
    ]);
    for (const op of ["add", "put"] as const) {
      const fn = (t: Nx.Tensor, updates: Nx.Tensor) =>
        direct("indexed", [3, 3], [t, indices, updates], { op, axes: [0, 1] });
      expectGradients(fn, randoms([3, 3]), randoms([3]));
    }
    expectGradients((t, d) => Nx.putDiagonal(t, d), randoms([3, 3]), randoms([3]));
  });

  it("concatenate", () => {
    const fn = (a: Nx.Tensor, b: Nx.Tensor) => direct("concatenate", [2, 5], [a, b], { axis: 1 });
    expectGradients(fn, randoms([2, 2]), randoms([2, 3]));
  });
});
