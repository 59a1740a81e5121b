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

  it("meshgrid", () => {
    expectGradients((x, y) => Nx.meshgrid([x, y]).reduce((a, b) => a.multiply(b)), randoms([3]), randoms([2]));
  });
});
