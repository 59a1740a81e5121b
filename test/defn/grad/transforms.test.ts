import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { complexes, expectClose, expectComplexGradients, expectGradients, randoms } from "./check";

const { grad } = Nx.Defn;

/** Transforms of complex numbers, with the shape of the input. */
const TRANSFORMS: readonly (readonly [string, readonly number[], (z: Nx.Tensor) => Nx.Tensor])[] = [
  ["fft", [4], (z) => Nx.fft(z)],
  ["fft of five, of a batch", [2, 5], (z) => Nx.fft(z)],
  ["fft, cut", [6], (z) => Nx.fft(z, { length: 4 })],
  ["fft, filled up", [3], (z) => Nx.fft(z, { length: 5 })],
  ["fft, filled up to a power of two", [5], (z) => Nx.fft(z, { length: "powerOfTwo" })],
  ["fft along the first axis", [4, 3], (z) => Nx.fft(z, { axis: 0 })],
  ["ifft", [6], (z) => Nx.ifft(z)],
  ["ifft, filled up, along the middle", [2, 3, 2], (z) => Nx.ifft(z, { axis: 1, length: 4 })],
  ["fft2", [3, 4], (z) => Nx.fft2(z)],
  ["fft2, cut and filled up", [2, 3, 4], (z) => Nx.fft2(z, { lengths: [4, 3] })],
  ["ifft2 of other axes", [3, 2, 2], (z) => Nx.ifft2(z, { axes: [2, 0] })],
];

describe("Fourier transforms", () => {
  it.each(TRANSFORMS)("%s", (_name, shape, fn) => {
    expectComplexGradients(fn, complexes(shape));
  });

  it.each(TRANSFORMS)("%s of real numbers has a real gradient", (_name, shape, fn) => {
    expectGradients((x) => Nx.abs(fn(x)), randoms(shape));
  });

  it.each([4, 5])("rfft of %i", (n) => {
    expectGradients((x) => Nx.abs(Nx.rfft(x)), randoms([2, n]));
    expectGradients((x) => Nx.imag(Nx.rfft(x, { axis: 0, length: 5 })), randoms([n, 2]));
  });

  it.each([6, 5])("irfft to %i", (n) => {
    expectComplexGradients((z) => Nx.irfft(z, { length: n }), complexes([2, Math.floor(n / 2) + 1]));
    expectComplexGradients((z) => Nx.irfft(z, { length: n, axis: 0 }), complexes([6, 2]));
  });

  it("go back to where they came from with all gradients 1", () => {
    const x = randoms([6]);
    expectClose(grad((t: Nx.Tensor) => Nx.irfft(Nx.rfft(t)))(x), Nx.broadcast(Nx.f64(1), [6]));
  });

  it("of a sum of squares follow Parseval", () => {
    const x = randoms([5]);
    const power = (t: Nx.Tensor) => Nx.pow(Nx.abs(Nx.fft(t)), 2).sum();
    expectClose(grad(power)(x), Nx.multiply(10, x));
  });
});

/** Elements in no order, all different and further apart than the steps of differences. */
const scattered = (shape: readonly number[]): Nx.Tensor => {
  const size = shape.reduce((product, dim) => product * dim, 1);
  return Nx.f64(Array.from({ length: size }, (_, i) => ((i * 7 + 3) % 29) / 4 - 3)).reshape([...shape]);
};

describe("order", () => {
  it.each([0, 1, 2])("sort along axis %i, either way", (axis) => {
    expectGradients((x) => Nx.sort(x, { axis }), scattered([2, 3, 4]));
    expectGradients((x) => Nx.sort(x, { axis, direction: "desc" }), scattered([2, 3, 4]));
  });

  it("sort leaves equal elements their places, so each has the weight of its own", () => {
    const fn = (x: Nx.Tensor) => Nx.multiply(Nx.sort(x), Nx.f32([1, 10, 100, 1000]));
    expect(grad(fn)(Nx.f32([2, 1, 2, 1])).toList()).toEqual([100, 1, 1000, 10]);
    const down = (x: Nx.Tensor) => Nx.multiply(Nx.sort(x, { direction: "desc" }), Nx.f32([1, 10, 100, 1000]));
    expect(grad(down)(Nx.f32([2, 1, 2, 1])).toList()).toEqual([1, 100, 10, 1000]);
  });

  it("argsort and the places of topK have no slope", () => {
    const x = Nx.f32([[3, 1, 2]]);
    expect(grad((t: Nx.Tensor) => Nx.argsort(t, { axis: 1 }))(x).toList()).toEqual([[0, 0, 0]]);
    expect(grad((t: Nx.Tensor) => Nx.topK(t, { k: 2 })[1])(x).toList()).toEqual([[0, 0, 0]]);
  });

  it("topK", () => {
    expectGradients((x) => Nx.topK(x, { k: 2 })[0], scattered([3, 4]));
    const fn = (x: Nx.Tensor) => Nx.multiply(Nx.topK(x, { k: 3 })[0], Nx.f32([1, 10, 100]));
    expect(grad(fn)(Nx.f32([5, 7, 5, 7])).toList()).toEqual([100, 1, 0, 10]);
  });

  it("median and mode go to the elements they are made of", () => {
    expectGradients((x) => Nx.median(x, { axis: 2 }), scattered([2, 3, 4]));
    expectGradients((x) => Nx.median(x, { axis: 1, keepAxis: true }), scattered([2, 3, 4]));
    expectGradients((x) => Nx.median(x), scattered([3, 3]));
  });
});

const RUNNING = ["cumulativeSum", "cumulativeProduct", "cumulativeMax", "cumulativeMin"] as const;

describe("running reductions", () => {
  it.each(RUNNING)("%s along any axis, from either end", (op) => {
    for (const axis of [0, 1, 2]) {
      for (const reverse of [false, true]) {
        expectGradients((x) => Nx[op](x, { axis, reverse }), scattered([2, 5, 3]));
      }
    }
  });

  it.each(["cumulativeSum", "cumulativeProduct"] as const)("%s, complex", (op) => {
    expectComplexGradients((z) => Nx[op](z, { axis: 1, reverse: true }), complexes([2, 4]));
  });

  it("the product is right at one zero, at two and at none", () => {
    const fn = (x: Nx.Tensor) => Nx.cumulativeProduct(x);
    for (const reverse of [false, true]) {
      for (const list of [
        [2, 0, 3, 4],
        [0, 2, 0, 3],
        [0, 0, 0, 0],
        [1, 2, 3, 0],
      ]) {
        expectGradients((x) => Nx.cumulativeProduct(x, { reverse }), Nx.f64(list));
      }
    }
    expect(grad(fn)(Nx.f32([2, 0, 3])).toList()).toEqual([1, 8, 0]);
  });

  it("extremes that are reached again go to the latest place", () => {
    const weights = Nx.f32([1, 10, 100, 1000]);
    const x = Nx.f32([1, 3, 3, 2]);
    expect(grad((t: Nx.Tensor) => Nx.cumulativeMax(t).multiply(weights))(x).toList()).toEqual([1, 10, 1100, 0]);
    expect(grad((t: Nx.Tensor) => Nx.cumulativeMin(t.negate()).multiply(weights))(x).toList()).toEqual([
      -1, -10, -1100, -0,
    ]);
    const back = (t: Nx.Tensor) => Nx.cumulativeMax(t, { reverse: true }).multiply(weights);
    expect(grad(back)(x).toList()).toEqual([0, 11, 100, 1000]);
  });
});
