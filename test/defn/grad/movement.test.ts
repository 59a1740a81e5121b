import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { complexes, expectClose, expectComplexGradients, expectGradients, randoms } from "./check";
import { sampled } from "../../effort";

const { grad } = Nx.Defn;

const INDICES = Nx.tensor([
  [2, 0],
  [2, 2],
]);

/** The degrees of functions that are not linear. */
const DEGREES: Readonly<Record<string, number>> = { einsum: 3 };

/** Functions that move elements of a tensor of shape [2, 3, 4]. */
const MOVES: readonly (readonly [string, (t: Nx.Tensor) => Nx.Tensor])[] = [
  ["reverse of all axes", (t) => Nx.reverse(t)],
  ["reverse of some", (t) => Nx.reverse(t, { axes: [2, 0] })],
  ["slice", (t) => Nx.slice(t, [1, 0, 2], [1, 2, 2])],
  ["slice with strides that leave an end out", (t) => Nx.slice(t, [0, 0, 0], [2, 3, 4], { strides: [1, 2, 3] })],
  ["slice with strides that reach the end", (t) => Nx.slice(t, [0, 0, 1], [2, 3, 3], { strides: [2, 2, 2] })],
  ["slice beyond the end, clamped", (t) => Nx.slice(t, [7, -3, 3], [1, 2, 2])],
  ["slice at places of tensors", (t) => Nx.slice(t, [Nx.tensor(1), 0, Nx.tensor(9)], [1, 3, 2])],
  [
    "slice at places of tensors with strides",
    (t) => Nx.slice(t, [0, Nx.tensor(-4), Nx.tensor(1)], [2, 3, 3], { strides: 2 }),
  ],
  ["sliceAlongAxis", (t) => Nx.sliceAlongAxis(t, 1, 3, { axis: 2, strides: 2 })],
  ["take", (t) => Nx.take(t, INDICES, { axis: 1 })],
  ["take along the last", (t) => Nx.take(t, Nx.tensor([3, 3, 0, 3]), { axis: -1 })],
  ["take at a scalar", (t) => Nx.take(t, Nx.tensor(1))],
  ["takeAlongAxis", (t) => Nx.takeAlongAxis(t, Nx.broadcast(Nx.tensor([0, 3, 3, 1, 0]), [2, 3, 5]), { axis: 2 })],
  ["takeAlongAxis of the first", (t) => Nx.takeAlongAxis(t, Nx.remainder(Nx.iota([3, 3, 4]), 2))],
  ["gather of elements", (t) => Nx.gather(t, Nx.tensor([[1, 2, 3], [0, 0, 0], [1, 2, 3]]))], // prettier-ignore
  ["gather of rows", (t) => Nx.gather(t, Nx.tensor([[1, 2], [1, 2]]))], // prettier-ignore
  ["gather of other axes", (t) => Nx.gather(t, Nx.tensor([[[3, 1], [0, 0]]]), { axes: [2, 0] })], // prettier-ignore
  ["gather at one place", (t) => Nx.gather(t, Nx.tensor([1, 0, 2]))],
  ["concatenate with itself", (t) => Nx.concatenate([t, t.multiply(2), t], { axis: 1 })],
  ["stack with itself", (t) => Nx.stack([t, t.multiply(3)], { axis: -1 })],
  ["pad in between", (t) => t.pad(0, [[0, 0, 1], [1, 0, 2], [0, 2, 3]])], // prettier-ignore
  ["pad, all cropped but one", (t) => t.pad(0, [[-1, 0, 0], [-1, -1, 0], [0, -3, 0]])], // prettier-ignore
  ["pad, cropping what is in between", (t) => t.pad(0, [[-1, 0, 1], [-2, -1, 2], [1, -4, 1]])], // prettier-ignore
  ["transpose", (t) => Nx.transpose(t)],
  ["broadcast and sum", (t) => Nx.broadcast(t, [3, 2, 3, 4]).sum({ axes: [1] })],
  ["takeDiagonal, off the middle", (t) => Nx.takeDiagonal(t.at(1), { offset: 1 })],
  ["makeDiagonal", (t) => Nx.makeDiagonal(t.at(1, 2), { offset: -1 })],
  ["rearrange", (t) => Nx.rearrange(t, "a b (c d) -> (d a) c b", { d: 2 })],
  ["repeat by a pattern", (t) => Nx.repeat(t, "a b c -> c (a 2) b")],
  ["reduce by a pattern", (t) => Nx.reduce(t, "a b c -> c a", "mean")],
  ["einsum", (t) => Nx.einsum("abc,adc,c->dba", t, t, t.at(0, 1))],
  ["einsum of a diagonal", (t) => Nx.einsum("bb->b", t.at(1).sliceAlongAxis(0, 3, { axis: 1 }))],
  ["moveAxis", (t) => Nx.moveAxis(t, 2, 0)],
  ["swapAxes", (t) => Nx.swapAxes(t, 0, 2)],
  ["roll", (t) => Nx.roll(t, [1, -1], { axis: [0, 2] })],
  ["roll of all", (t) => Nx.roll(t, 5)],
  ["repeat", (t) => Nx.repeat(t, 2, { axis: 1 })],
  ["repeat by a list", (t) => Nx.repeat(t, [2, 0, 1], { axis: 1 })],
  ["split", (t) => Nx.split(t, 1, { axis: 1 })[1]],
  ["unstack", (t) => Nx.unstack(t, { axis: 1 })[2]!],
  ["tril", (t) => Nx.tril(t, { k: 1 })],
  ["triu", (t) => Nx.triu(t)],
  ["trace", (t) => Nx.trace(t, { offset: 1 })],
  ["diff", (t) => Nx.diff(t, { axis: 1, order: 2 })],
  ["flatten and reshape", (t) => t.flatten().reshape([6, 4])],
  ["access", (t) => t.at(-1, Nx.range(0, 1), 2)],
];

describe("moving elements", () => {
  it.each(MOVES)("%s", (_name, fn) => {
    expectGradients(fn, randoms([2, 3, 4]));
  });

  it.each(sampled(MOVES, 15, "complex"))("%s, complex", (_name, fn) => {
    expectComplexGradients(fn, complexes([2, 3, 4]));
  });

  // Euler's theorem on homogeneous functions
  it.each(sampled(MOVES, 15, "homogeneous"))("%s: its gradients add up to its result", (name, fn) => {
    const x = randoms([2, 3, 4]);
    expectClose(
      Nx.multiply(grad(fn)(x), x).sum(),
      fn(x)
        .sum()
        .multiply(DEGREES[name] ?? 1),
    );
  });
});

describe("putting elements", () => {
  it("putSlice", () => {
    const [t, piece] = [randoms([3, 4]), randoms([2, 2])];
    expectGradients((x, p) => Nx.putSlice(x, [1, 1], p), t, piece);
    expectGradients((x, p) => Nx.putSlice(x, [-5, 9], p), t, piece);
    expectGradients((x, p) => Nx.putSlice(x, [Nx.tensor(9), 1], p), t, piece);
    expectGradients((x, p) => Nx.putSlice(x, [Nx.tensor(0), Nx.tensor(-1)], p), t, piece);
    expectComplexGradients((x, p) => Nx.putSlice(x, [0, 2], p), complexes([3, 4]), complexes([2, 2]));
  });

  it("putSlice of a real piece into complex numbers", () => {
    const [x, z] = [randoms([2]), complexes([4])];
    const fn = (piece: Nx.Tensor) => Nx.pow(Nx.abs(Nx.putSlice(z, [1], piece)), 2);
    expectGradients(fn, x);
  });

  const places = Nx.tensor([
    [0, 1],
    [2, 2],
    [0, 1],
    [1, 0],
  ]);

  it.each(["indexedAdd", "indexedPut"] as const)("%s, with duplicates", (op) => {
    expectGradients((t, u) => Nx[op](t, places, u), randoms([3, 4]), randoms([4]));
    expectGradients((t, u) => Nx[op](t, places, u), randoms([3, 4, 2]), randoms([4, 2]));
    expectGradients((t, u) => Nx[op](t, places, u, { axes: [2, 0] }), randoms([3, 2, 3]), randoms([4, 2]));
    expectGradients((t, u) => Nx[op](t, Nx.tensor([[[1], [0]], [[1], [1]]]), u), randoms([2]), randoms([2, 2])); // prettier-ignore
    expectComplexGradients((t, u) => Nx[op](t, places, u), complexes([3, 4]), complexes([4]));
  });

  it("of duplicates the last update stays, and only it has a slope", () => {
    const fn = (u: Nx.Tensor) => Nx.indexedPut(Nx.f32([1, 1]), Nx.tensor([[0], [0], [1]]), u);
    expect(grad(fn)(Nx.f32([5, 6, 7])).toList()).toEqual([0, 1, 1]);
    const base = (t: Nx.Tensor) => Nx.indexedPut(t, Nx.tensor([[0], [0]]), Nx.f32([5, 6]));
    expect(grad(base)(Nx.f32([1, 1])).toList()).toEqual([0, 1]);
  });

  it("putDiagonal", () => {
    expectGradients((t, d) => Nx.putDiagonal(t, d, { offset: 1 }), randoms([3, 4]), randoms([3]));
  });
});

describe("places of narrow types", () => {
  it.each(["u8", "s8"] as const)("of type %s go with axes that are longer than it counts", (type) => {
    const places = Nx.broadcast(Nx.tensor([[1, 0]], { type }), [300, 2]);
    const weights = Nx.iota([300, 2], { type: "f64" });
    const gradient = grad((t: Nx.Tensor) => Nx.takeAlongAxis(t, places, { axis: 1 }).multiply(weights))(weights);
    expect(gradient.toList()).toEqual(Nx.reverse(weights, { axes: [1] }).toList());
    const down = grad((t: Nx.Tensor) =>
      Nx.takeAlongAxis(t, Nx.transpose(places), { axis: 0 }).multiply(weights.transpose()),
    );
    expect(down(Nx.transpose(weights)).toList()).toEqual(gradient.transpose().toList());
  });
});

describe("several inputs", () => {
  it("concatenate and stack", () => {
    const join = (a: Nx.Tensor, b: Nx.Tensor, c: Nx.Tensor) => Nx.concatenate([a, b, c], { axis: 1 });
    expectGradients(join, randoms([2, 1, 2]), randoms([2, 3, 2]), randoms([2, 2, 2]));
    expectGradients((a, b) => Nx.stack([a, b, a], { axis: 1 }), randoms([2, 3]), randoms([2, 3]));
    expectComplexGradients((a, b) => Nx.concatenate([a, b]), complexes([2]), complexes([3]));
  });

  it("of several types give each its own", () => {
    const fn = (p: Nx.Tensor[]) =>
      Nx.concatenate(p)
        .multiply(Nx.f64([1, 2, 3]))
        .sum();
    const gradient = grad(fn)([Nx.f32([1]), Nx.f64([1]), Nx.tensor([1])]);
    expect(gradient.map((g) => [g.type, g.toList()])).toEqual([
      ["f32", [1]],
      ["f64", [2]],
      ["f32", [3]],
    ]);
  });

  it("concatenate of complex and real numbers gives the real ones a real gradient", () => {
    const z = complexes([2]);
    expectGradients((x) => Nx.abs(Nx.exp(Nx.concatenate([x, z, x]))), randoms([2]));
  });

  it("select, with each part broadcast", () => {
    const pred = Nx.u8([[1, 0, 1], [0, 0, 1]]); // prettier-ignore
    expectGradients((x, y) => Nx.select(pred, x, y), randoms([2, 3]), randoms([2, 3]));
    expectGradients((x, y) => Nx.select(pred, x, y), randoms([2, 1]), randoms([3]));
    expectGradients((x, y) => Nx.select(Nx.u8(0), x, y), randoms([2, 1]), randoms([3]));
    expectGradients((x) => Nx.select(Nx.greater(x, 0), x.exp(), x.multiply(x)), Nx.f64([-1, 0.5, -0.3, 2]));
    expectComplexGradients((x, y) => Nx.select(pred, x, y), complexes([3]), complexes([2, 1]));
  });

  it("clip, and what its bounds are given", () => {
    const x = Nx.f64([-2, -0.5, 0.3, 1.5, 3]);
    expectGradients((t, low, high) => Nx.clip(t, low, high), x, Nx.f64(-1), Nx.f64(1));
    const bounds = grad((p: Nx.Tensor[]) => Nx.clip(p[0]!, p[1]!, p[2]!))([x, Nx.f64(-1), Nx.f64(1)]);
    expect(bounds.map((g) => g.toFlatList())).toEqual([[0, 1, 1, 0, 0], [1], [2]]);
  });

  it("pad with a value that is differentiated", () => {
    const fn = (t: Nx.Tensor, value: Nx.Tensor) => t.pad(value, [[-1, 2, 1], [3, -1, 2]]); // prettier-ignore
    expectGradients(fn, randoms([3, 2]), randoms([]));
    expectComplexGradients(fn, complexes([3, 2]), complexes([]));
  });
});

describe("reductions at special places", () => {
  it("extremes share between all that reach them, along each axis", () => {
    const x = Nx.f32([[1, 3, 3], [3, 3, 2]]); // prettier-ignore
    expect(grad((t: Nx.Tensor) => t.reduceMax())(x).toFlatList()).toEqual([0, 0.25, 0.25, 0.25, 0.25, 0]);
    expect(grad((t: Nx.Tensor) => t.reduceMax({ axes: [1] }))(x).toFlatList()).toEqual([0, 0.5, 0.5, 0.5, 0.5, 0]);
    expect(grad((t: Nx.Tensor) => t.reduceMin({ axes: [0] }))(x).toFlatList()).toEqual([1, 0.5, 0, 0, 0.5, 1]);
  });

  it("the product is right at zeros, along any axes", () => {
    const x = Nx.f64([[0, 2, 3], [4, 0, 0]]); // prettier-ignore
    for (const axes of [[0], [1], [0, 1]]) expectGradients((t) => t.product({ axes }), x);
    expect(grad((t: Nx.Tensor) => t.product({ axes: [1] }))(x).toFlatList()).toEqual([6, 0, 0, 0, 0, 0]);
    expect(grad((t: Nx.Tensor) => t.product({ axes: [0] }))(x).toFlatList()).toEqual([4, 0, 0, 0, 2, 3]);
    expectComplexGradients((t) => t.product({ axes: [0] }), complexes([3, 2]));
  });

  it("sums of complex numbers", () => {
    expectComplexGradients((t) => t.sum({ axes: [1] }), complexes([2, 3]));
    expectComplexGradients((t) => t.mean({ axes: [0], keepAxes: true }), complexes([2, 3]));
    expectComplexGradients((t) => t.variance(), complexes([4]));
  });
});
