import { describe, it } from "vitest";
import * as Nx from "nx-numerics";
import { expectGradients, randoms } from "./check";

describe("gradients of functions that combine arrays", () => {
  it("kron and cross", () => {
    expectGradients((x, y) => Nx.kron(x, y), randoms([2, 3]), randoms([2, 2]));
    expectGradients((x, y) => Nx.cross(x, y), randoms([2, 3]), randoms([1, 3]));
    expectGradients((x, y) => Nx.cross(x, y, { axis: 0 }), randoms([3, 2]), randoms([3, 2]));
  });

  it("covariance and correlation", () => {
    expectGradients((x) => Nx.covariance(x, { ddof: 1 }), randoms([5, 3]));
    expectGradients((x, mean) => Nx.covariance(x, { mean }), randoms([4, 2]), randoms([2]));
    expectGradients((x) => Nx.correlation(x).slice([0, 1], [1, 1]), randoms([5, 2]));
  });

  it("logSumExp", () => {
    expectGradients((x) => Nx.logSumExp(x), randoms([3, 4]));
    expectGradients((x) => Nx.logSumExp(x, { axes: [1], keepAxes: true }), randoms([3, 4], -3, 3));
    expectGradients(
      (x, b) => Nx.logSumExp(x, { axes: [0], expScalingFactor: b }),
      randoms([3, 4]),
      randoms([4], 0.5, 2),
    );
  });

  it("quantile, interp and sums of groups", () => {
    expectGradients((x) => Nx.quantile(x, [0.1, 0.8], { axis: 1 }), randoms([2, 5]));
    expectGradients((x, ys) => Nx.interp(x, Nx.f64([-1, -0.3, 0.4, 1]), ys), randoms([5], -0.29, 0.39), randoms([4]));
    expectGradients((x) => Nx.segmentSum(x, Nx.tensor([1, 0, 1]), 2), randoms([3, 2]));
    expectGradients((x) => Nx.segmentMean(x, Nx.tensor([1, 0, 1]), 2), randoms([3, 2]));
    expectGradients((w) => Nx.bincount(Nx.tensor([0, 2, 0]), { length: 3, weights: w }), randoms([3]));
  });

  it("windows, groups and rows with too few elements, whose results are NaN, count for nothing", () => {
    const known = (t: Nx.Tensor): Nx.Tensor => Nx.where(Nx.isNan(t), 0, t);
    for (const op of ["variance", "standardDeviation", "skewness", "kurtosis", "median", "mean"] as const) {
      expectGradients((x) => known(Nx.rolling(x, 0, 3)[op]()), randoms([6]));
      expectGradients((x) => known(Nx.rolling(x, 1, 4, { minPeriods: 3, center: true })[op]()), randoms([2, 5]));
    }
    const labels = Nx.s64([0, 1, 1, 2, 1]);
    // rows of three, two and one
    const mask = Nx.u8([[1, 1, 1], [1, 0, 1], [0, 1, 0]]); // prettier-ignore
    for (const op of ["variance", "standardDeviation"] as const) {
      expectGradients((x) => known(Nx.rolling(x, 0, 3, { minPeriods: 1 })[op]({ ddof: 1 })), randoms([6]));
      expectGradients((x) => known(Nx.groupBy(x, 0, labels, { groups: 3 })[op]({ ddof: 1 })), randoms([5, 2]));
      const overRows = (x: Nx.Tensor) => Nx[op](Nx.where(mask, x, NaN), { axes: [1], nan: "skip", ddof: 1 });
      expectGradients((x) => known(overRows(x)), randoms([3, 3]));
    }
  });

  it("meshgrid", () => {
    expectGradients((x, y) => Nx.meshgrid([x, y]).reduce((a, b) => a.multiply(b)), randoms([3]), randoms([2]));
  });
});
