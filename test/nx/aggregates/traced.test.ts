import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { view } from "./view";

const t = Nx.tensor(
  [
    [4, 1.5, 3],
    [2, NaN, 3],
  ],
  { names: ["x", "y"] },
);
const ints = Nx.tensor(
  [
    [4, 1, 3],
    [2, 2, 3],
  ],
  { names: ["x", "y"] },
);

const FUNCTIONS: Record<string, (a: Nx.Tensor) => Nx.Tensor> = {
  sum: (a) => Nx.sum(a, { axes: [0] }),
  product: (a) => Nx.product(a, { axes: [1], keepAxes: true }),
  all: (a) => Nx.all(a),
  any: (a) => Nx.any(a, { axes: [1] }),
  reduceMax: (a) => Nx.reduceMax(a, { axes: [0] }),
  reduceMin: (a) => Nx.reduceMin(a, { axes: [0] }),
  mean: (a) => Nx.mean(a, { axes: [1] }),
  variance: (a) => Nx.variance(a, { axes: [1], ddof: 1 }),
  standardDeviation: (a) => Nx.standardDeviation(a),
  weightedMean: (a) => Nx.weightedMean(a, Nx.tensor([1, 2, 3]), { axes: [1] }),
  argmax: (a) => Nx.argmax(a, { axis: 1 }),
  argmin: (a) => Nx.argmin(a, { keepAxis: true }),
  median: (a) => Nx.median(a, { axis: 0 }),
  "median of an odd number": (a) => Nx.median(a, { axis: 1, keepAxis: true }),
  mode: (a) => Nx.mode(a, { axis: 1 }),
  reduce: (a) => Nx.reduce(a, 1, (x, acc) => Nx.multiply(x, acc), { axes: [0] }),
  allClose: (a) => Nx.allClose(a, Nx.add(a, 1e-9), { equalNan: true }),
};

describe("traced", () => {
  it.each(Object.entries(FUNCTIONS))("%s", (_, fn) => {
    for (const given of [t, ints]) expect(view(Nx.Defn.jit(fn)(given))).toBe(view(fn(given)));
  });
});
