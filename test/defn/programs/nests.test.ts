import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { sizeOf } from "../../../lib/core/shape";
import { expectSame, stepsOf, type Fn } from "./support";

/** A nest of rows whose kernel reads a vector that all rows share, between steps that make a program of it. */
const shared: Fn = (x, v) => {
  const sums = Nx.cumulativeSum(x, { axis: 0 }).add(v.square());
  return [sums.sum(1), Nx.softmax(sums.transpose().add(v.exp().sum()), 0)];
};

describe("nests of several stages in programs", () => {
  it("read a vector that all rows share once for each element, not once more for each row", () => {
    const maps = stepsOf(shared, Nx.iota([40, 5], { type: "f32" }), Nx.f32([1, 2, 3, 4, 5])).filter(
      (step) => step.kind === "map",
    );
    const sizes = maps.flatMap(({ nest }) =>
      nest.operands.filter(({ space }) => space === "full").map(({ view }) => sizeOf(view.shape) - nest.rows),
    );
    expect(sizes.length).toBeGreaterThan(2);
    expect(new Set(sizes)).toEqual(new Set([0]));
  });

  it("have the bits of their ops one by one", () => {
    const args = [Nx.iota([40, 5], { type: "f32" }).divide(7), Nx.f32([1, 0.2, 3, 0.4, 5])];
    expectSame(shared, args, null);
  });
});
