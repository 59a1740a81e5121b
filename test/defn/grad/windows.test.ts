import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { complexes, expectComplexGradients, expectGradients, randoms } from "./check";

const { grad } = Nx.Defn;

const OPS = ["windowSum", "windowProduct", "windowMax", "windowMin", "windowMean"] as const;

type WindowCase = [name: string, shape: number[], window: number[], options?: Nx.WindowOptions];

const CASES: WindowCase[] = [
  ["a line", [6], [3]],
  ["a window of one", [3], [1]],
  ["one window for all", [2, 3], [2, 3]],
  ["strides", [7], [3], { strides: 2 }],
  ["strides longer than the window", [9], [2], { strides: 4 }],
  ["same padding", [5], [3], { padding: "same" }],
  ["same padding of an even window, with strides", [7], [4], { padding: "same", strides: 2 }],
  ["uneven padding", [4], [3], { padding: [[2, 1]] }],
  ["windows in the padding alone", [3], [2], { padding: [[3, 4]] }],
  ["negative padding", [7], [2], { padding: [[-2, -1]] }],
  ["negative padding on one side, with strides", [8], [3], { padding: [[-3, 2]], strides: 2 }],
  ["dilations", [7], [3], { windowDilations: 2 }],
  ["dilations with padding and strides", [6], [3], { windowDilations: 2, padding: [[2, 3]], strides: 3 }],
  ["dilations with negative padding", [9], [2], { windowDilations: 3, padding: [[-1, -2]] }],
  ["a plane", [4, 5], [2, 3]],
  ["a plane, all options apart", [5, 6], [2, 3], { strides: [2, 1], padding: [[1, 0], [-1, 2]], windowDilations: [1, 2] }], // prettier-ignore
  ["three axes, one left as it is", [3, 2, 4], [2, 1, 2], { padding: "same", strides: [1, 1, 2] }],
];

/** Different elements, in no order, and further apart than the steps of differences. */
function apart(shape: readonly number[]): Nx.Tensor {
  const size = shape.reduce((product, dim) => product * dim, 1);
  return Nx.f64(Array.from({ length: size }, (_, i) => (((i * 11 + 5) % 31) - 15) / 8)).reshape([...shape]);
}

describe.each(OPS)("%s", (op) => {
  it.each<WindowCase>(CASES)("over %s", (_name, shape, window, options) => {
    // windows of padding alone have an infinite extreme, which differences cannot take
    const finite = (t: Nx.Tensor) => Nx.select(Nx.isInfinity(t), 0, t);
    expectGradients((x) => finite(Nx[op](x, window, options)), apart(shape));
  });
});

describe.each(["windowSum", "windowProduct", "windowMean"] as const)("%s of complex numbers", (op) => {
  it.each<WindowCase>(CASES)("over %s", (_name, shape, window, options) => {
    expectComplexGradients((z) => Nx[op](z, window, options), complexes(shape));
  });
});

describe("extremes of windows", () => {
  /** The maximum lies where the minimum of the negated elements does. */
  const gradients = (list: number[], window: number, options?: Nx.WindowOptions) => {
    const max = grad((x: Nx.Tensor) => Nx.windowMax(x, [window], options))(Nx.f32(list)).toList();
    const min = grad((x: Nx.Tensor) => Nx.windowMin(x, [window], options))(Nx.f32(list).negate()).toList();
    expect(min).toEqual(max);
    return max;
  };

  it("go to the last of those that reach them", () => {
    expect(gradients([1, 1, 1, 1], 2)).toEqual([0, 1, 1, 1]);
    expect(gradients([2, 1, 2, 1, 2], 3)).toEqual([0, 0, 2, 0, 1]);
    expect(gradients([3, 3, 3, 3], 2, { strides: 2 })).toEqual([0, 1, 0, 1]);
    expect(gradients([5, 5, 5, 5, 5], 2, { windowDilations: 2 })).toEqual([0, 0, 1, 1, 1]);
    expect(gradients([5, 5, 5], 2, { windowDilations: 2, padding: "same" })).toEqual([0, 2, 1]);
  });

  it("go to the last in row-major order in a plane", () => {
    const x = Nx.f32([[4, 4], [4, 4]]); // prettier-ignore
    const fn = (t: Nx.Tensor) => Nx.windowMax(t, [2, 2], { padding: "same" });
    expect(grad(fn)(x).toFlatList()).toEqual([0, 0, 0, 4]);
    const dilated = (t: Nx.Tensor) => Nx.windowMax(t, [2, 1], { windowDilations: [1, 3], padding: "same" });
    expect(grad(dilated)(x).toFlatList()).toEqual([0, 0, 2, 2]);
  });

  it("of windows that hold padding alone go nowhere", () => {
    expect(gradients([1, 2], 2, { padding: [[2, 3]] })).toEqual([1, 2]);
    expect(gradients([1, 2], 2, { padding: [[4, 4]], windowDilations: 2 })).toEqual([2, 2]);
  });

  it("take infinite elements as elements", () => {
    expect(gradients([-Infinity, -Infinity, 1], 2)).toEqual([0, 1, 1]);
    expect(gradients([-Infinity, -Infinity], 2, { padding: [[1, 1]] })).toEqual([1, 2]);
    expect(gradients([-Infinity, -Infinity], 2, { padding: [[2, 2]], windowDilations: 2 })).toEqual([2, 2]);
  });
});

describe("products of windows", () => {
  it("are right at zeros", () => {
    for (const list of [
      [2, 0, 3, 4],
      [0, 2, 0, 3],
      [0, 0, 0, 5],
    ]) {
      expectGradients((x) => Nx.windowProduct(x, [3], { padding: "same" }), Nx.f64(list));
      expectGradients(
        (x) => Nx.windowProduct(x, [2], { windowDilations: 2, strides: 2, padding: [[1, 1]] }),
        Nx.f64(list),
      );
    }
    expect(grad((x: Nx.Tensor) => Nx.windowProduct(x, [2]))(Nx.f32([2, 0, 3])).toList()).toEqual([0, 5, 0]);
  });
});

describe("scattering to extremes of windows", () => {
  const SCATTERS: [name: string, shape: number[], source: number[], window: number[], options?: Nx.WindowScatterOptions][] = [
    ["a line", [6], [4], [3]],
    ["strides", [7], [3], [3], { strides: 2 }],
    ["padding", [4], [5], [2], { padding: [[1, 1]] }],
    ["same padding and strides", [6], [3], [4], { padding: "same", strides: 2 }],
    ["negative padding", [6], [3], [2], { padding: [[-1, -1]] }],
    ["a plane", [4, 4], [2, 3], [2, 2], { strides: [2, 1] }],
  ]; // prettier-ignore

  it.each(SCATTERS)("over %s", (_name, shape, source, window, options) => {
    for (const op of ["windowScatterMax", "windowScatterMin"] as const) {
      const fn = (s: Nx.Tensor, initial: Nx.Tensor) => Nx[op](apart(shape), s, initial, window, options);
      expectGradients(fn, randoms(source), randoms([]));
      const complex = (s: Nx.Tensor, initial: Nx.Tensor) => Nx[op](apart(shape), s, initial, window, options);
      expectComplexGradients(complex, complexes(source), complexes([]));
    }
  });

  it("has no slope in the tensor whose extremes are the places", () => {
    const fn = (x: Nx.Tensor) => Nx.windowScatterMax(x, Nx.f32([1, 2]), 0, [2]);
    expect(grad(fn)(Nx.f32([1, 5, 3])).toList()).toEqual([0, 0, 0]);
  });

  it("goes to the last of equal elements", () => {
    const fn = (s: Nx.Tensor) => Nx.windowScatterMin(Nx.f32([1, 1, 1]), s, 0, [2]).multiply(Nx.f32([1, 10, 100]));
    expect(grad(fn)(Nx.f32([1, 1])).toList()).toEqual([10, 100]);
  });

  /** What is added goes where the value goes: its slope is the weight of that place. */
  const expectSame = (op: "windowScatterMax" | "windowScatterMin", x: Nx.Tensor, options?: Nx.WindowScatterOptions) => {
    const weights = Nx.add(Nx.iota([...x.shape], { type: "f64" }), 1);
    const count = Nx.windowMax(x, [2], options).size;
    const scattered = (s: Nx.Tensor) => Nx[op](x, s, 0, [2], options).multiply(weights).sum();
    const each = Array.from({ length: count }, (_, i) => scattered(Nx.equal(Nx.iota([count]), i).f64()).toNumber());
    expect(grad(scattered)(Nx.fill([count], 1, { type: "f64" })).toList()).toEqual(each);
  };

  it.each(["windowScatterMax", "windowScatterMin"] as const)("%s goes to where the value goes", (op) => {
    const far = 2n ** 53n;
    expectSame(op, Nx.s64([far, far + 1n, far, far + 2n]));
    expectSame(op, Nx.u64([2n ** 64n - 1n, 2n ** 64n - 2n, 0n, 0n]), { padding: [[1, 2]] });
    expectSame(op, Nx.s64([-(2n ** 63n), 2n ** 63n - 1n]), { padding: [[2, 2]] });
    expectSame(op, Nx.u8([0, 0, 255, 255]), { padding: [[1, 1]] });
    expectSame(op, Nx.f32([1, NaN, 3, NaN, NaN, -1]), { padding: [[1, 1]] });
    expectSame(op, Nx.bf16([NaN, Infinity, -Infinity]));
  });
});
