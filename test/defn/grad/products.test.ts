import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { complexes, expectClose, expectComplexGradients, expectGradients, randoms } from "./check";

const { grad } = Nx.Defn;

type DotCase = [name: string, left: number[], right: number[], options?: Nx.DotOptions];

/** Products by the shapes of both sides. */
const DOTS: DotCase[] = [
  ["two vectors", [4], [4]],
  ["a matrix and a vector", [3, 4], [4]],
  ["a vector and a matrix", [3], [3, 2]],
  ["two matrices", [3, 4], [4, 2]],
  ["a scalar and a matrix", [], [2, 3]],
  ["a matrix and a scalar", [2, 3], []],
  ["three axes and a matrix", [2, 3, 4], [4, 2]],
  ["a matrix and three axes", [3, 4], [2, 4, 3]],
  [
    "the first axes",
    [4, 3],
    [4, 2],
    {
      contract: [[0], [0]],
    },
  ],
  [
    "axes that pair up crosswise",
    [2, 3, 4],
    [4, 5, 2],
    {
      contract: [
        [0, 2],
        [2, 0],
      ],
    },
  ],
  [
    "pairs in descending order",
    [2, 3, 4],
    [3, 4, 2],
    {
      contract: [
        [2, 1],
        [1, 0],
      ],
    },
  ],
  [
    "all axes",
    [2, 3],
    [3, 2],
    {
      contract: [
        [0, 1],
        [1, 0],
      ],
    },
  ],
  ["no axes", [2], [3], { contract: [[], []] }],
  ["a batch", [2, 3, 4], [2, 4, 3], { contract: [[2], [1]], batch: [[0], [0]] }],
  [
    "two batch axes",
    [2, 2, 3, 4],
    [2, 2, 4],
    {
      contract: [[3], [2]],
      batch: [
        [0, 1],
        [0, 1],
      ],
    },
  ],
  ["a batch, nothing else free", [3, 4], [3, 4], { contract: [[1], [1]], batch: [[0], [0]] }],
  [
    "a batch, two axes crosswise",
    [2, 3, 4, 2],
    [2, 4, 2, 3],
    {
      contract: [
        [3, 1],
        [2, 3],
      ],
      batch: [[0], [0]],
    },
  ],
];

describe("dot", () => {
  it.each<DotCase>(DOTS)("%s", (_name, left, right, options) => {
    expectGradients((x, y) => Nx.dot(x, y, options), randoms(left), randoms(right));
  });

  it.each<DotCase>(DOTS)("%s, complex", (_name, left, right, options) => {
    expectComplexGradients((x, y) => Nx.dot(x, y, options), complexes(left), complexes(right));
  });

  it("of a real and a complex side gives a real gradient for the real one", () => {
    const z = complexes([3, 2]);
    expectGradients((x) => Nx.real(Nx.dot(x, z)).add(Nx.imag(Nx.dot(x, z))), randoms([2, 3]));
    const gradient = grad((x: Nx.Tensor) => Nx.dot(x, z))(randoms([2, 3]));
    expect(gradient.type).toBe("f64");
    expectClose(gradient, Nx.broadcast(Nx.real(z).sum({ axes: [1] }), [2, 3]));
  });

  it("of a tensor with itself counts both sides", () => {
    expectGradients((x) => Nx.dot(x, x), randoms([3, 3]));
    expectGradients((x) => Nx.dot(x, Nx.transpose(x)), randoms([2, 3]));
  });

  it("has the gradients of the books", () => {
    const [a, b] = [randoms([2, 3]), randoms([3, 4])];
    const byA = grad((x: Nx.Tensor) => Nx.dot(x, b).sum())(a);
    expectClose(byA, Nx.dot(Nx.broadcast(Nx.f64(1), [2, 4]), Nx.transpose(b)));
    const square = randoms([3, 3]);
    const byX = grad((x: Nx.Tensor) => Nx.dot(Nx.dot(x, square), x))(Nx.f64([1, -2, 3]));
    expectClose(byX, Nx.dot(Nx.add(square, Nx.transpose(square)), Nx.f64([1, -2, 3])));
    const z = complexes([4]);
    expectClose(grad((x: Nx.Tensor) => Nx.dot(x, x))(z), Nx.multiply(2, z));
  });

  it("keeps names that both sides have, which its own gradient would meet twice", () => {
    const x = Nx.rename(Nx.f32([[1, 2], [3, 4]]), ["i", "j"]); // prettier-ignore
    const y = Nx.rename(Nx.f32([[1, 0], [0, 1]]), ["j", "k"]); // prettier-ignore
    const gradient = grad((p: Nx.Tensor[]) => Nx.dot(p[0]!, p[1]!))([x, y]);
    expect(gradient.map((g) => g.names)).toEqual([
      ["i", "j"],
      ["j", "k"],
    ]);
    expect(gradient[1]!.toList()).toEqual([
      [4, 4],
      [6, 6],
    ]);
  });

  it("outer", () => {
    expectGradients((x, y) => Nx.outer(x, y), randoms([3]), randoms([2, 2]));
    expectComplexGradients((x, y) => Nx.outer(x, y), complexes([2]), complexes([3]));
  });
});

type ConvCase = [name: string, input: number[], kernel: number[], options?: Nx.ConvOptions];

/** Convolutions by the shapes of input and kernel. */
const CONVS: ConvCase[] = [
  ["a line", [2, 1, 6], [1, 1, 3]],
  ["several channels and filters", [2, 3, 5], [2, 3, 2]],
  ["strides", [1, 2, 7], [2, 2, 3], { strides: 2 }],
  ["strides that leave the end out", [1, 1, 8], [1, 1, 3], { strides: 3 }],
  ["same padding", [1, 2, 5], [2, 2, 3], { padding: "same" }],
  ["same padding of an even kernel, with strides", [1, 1, 6], [2, 1, 4], { padding: "same", strides: 2 }],
  ["uneven padding", [1, 1, 4], [1, 1, 3], { padding: [[3, 1]] }],
  ["padding beyond the kernel", [1, 1, 3], [1, 1, 2], { padding: [[4, 3]] }],
  ["negative padding", [1, 2, 7], [1, 2, 2], { padding: [[-2, -1]] }],
  ["negative padding and strides", [1, 1, 9], [1, 1, 2], { padding: [[-1, 2]], strides: 3 }],
  ["a dilated input", [1, 2, 4], [1, 2, 3], { inputDilation: 2, padding: [[1, 2]] }],
  ["a dilated input, cropped", [1, 1, 4], [1, 1, 2], { inputDilation: 3, padding: [[-2, -1]] }],
  ["a dilated kernel", [1, 2, 7], [2, 2, 3], { kernelDilation: 2 }],
  ["all dilated, with strides", [1, 1, 5], [1, 1, 3], { inputDilation: 2, kernelDilation: 3, strides: 2, padding: [[2, 3]] }],
  ["groups of channels", [1, 4, 5], [6, 2, 2], { featureGroupSize: 2 }],
  ["a filter for each channel", [2, 3, 5], [6, 1, 3], { featureGroupSize: 3, strides: 2, padding: "same" }],
  ["groups of channels, dilated", [1, 4, 4], [2, 2, 2], { featureGroupSize: 2, inputDilation: 2, kernelDilation: 2 }],
  ["groups of the batch", [4, 2, 5], [6, 2, 2], { batchGroupSize: 2 }],
  ["a filter for each entry of the batch", [3, 2, 6], [3, 2, 3], { batchGroupSize: 3, strides: 2, padding: [[1, 0]] }],
  ["a plane", [2, 2, 4, 5], [3, 2, 2, 3]],
  ["a plane, all options apart", [1, 2, 5, 4], [2, 1, 2, 3], {
    strides: [2, 1], padding: [[1, 0], [0, 2]], inputDilation: [1, 2], kernelDilation: [2, 1], featureGroupSize: 2,
  }],
  ["a plane, batch groups", [2, 1, 4, 4], [2, 1, 3, 2], { strides: [1, 2], padding: "same", batchGroupSize: 2 }],
  ["channels last", [2, 4, 3], [3, 3, 2], { inputPermutation: [0, 2, 1] }],
  ["everything permuted", [4, 2, 5, 1], [3, 2, 3, 2], {
    inputPermutation: [3, 1, 0, 2], kernelPermutation: [2, 1, 3, 0], outputPermutation: [2, 3, 1, 0],
  }],
  ["a space", [1, 1, 3, 3, 3], [2, 1, 2, 2, 2], { padding: "same" }],
]; // prettier-ignore

describe("conv", () => {
  it.each<ConvCase>(CONVS)("%s", (_name, input, kernel, options) => {
    expectGradients((x, k) => Nx.conv(x, k, options), randoms(input), randoms(kernel));
  });

  it.each<ConvCase>(CONVS.filter(([, input]) => input.length === 3))("%s, complex", (_name, input, kernel, options) => {
    expectComplexGradients((x, k) => Nx.conv(x, k, options), complexes(input), complexes(kernel));
  });

  it("has the turned kernel as the gradient of the input", () => {
    const kernel = Nx.f64([[[1, 2, 3]]]);
    const middle = (x: Nx.Tensor) => Nx.conv(x, kernel, { padding: "same" }).reshape([5]).at(2);
    expect(grad(middle)(Nx.broadcast(Nx.f64(0), [1, 1, 5])).toFlatList()).toEqual([0, 1, 2, 3, 0]);
  });

  it("takes integers", () => {
    const gradient = grad((x: Nx.Tensor) => Nx.conv(x, Nx.tensor([[[1, -2]]])))(Nx.iota([1, 1, 3]));
    expect([gradient.type, gradient.toFlatList()]).toEqual(["f32", [1, -1, -2]]);
  });
});
