import { describe, expect, it, vi } from "vitest";
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { COMPILERS } from "../../../lib/defn/compiler";
import { Units } from "../../../lib/defn/fuse/rows/units";
import { trace } from "../../../lib/defn/trace";

/** How often units were looked for while a function was planned. */
function lookups(fn: (x: Tensor) => Tensor): number {
  const of = vi.spyOn(Units.prototype, "of");
  try {
    COMPILERS.optimizing(trace(fn as never, [Nx.f32([1, 2, 3])], new Set()).graph);
    return of.mock.calls.length;
  } finally {
    of.mockRestore();
  }
}

describe("nests of a graph", () => {
  it("are found in a time that is linear in the readers of a tensor", () => {
    const steps = (n: number) => (x: Tensor) => {
      let y = x;
      for (let i = 0; i < n; i++) y = Nx.sum(y).add(x).multiply(i);
      return y;
    };
    expect(lookups(steps(600))).toBeLessThan(2.5 * lookups(steps(300)));
  });

  it("are merged in a time that is linear in what lies between their units", () => {
    const far = (n: number) => (x: Tensor) => {
      const made = Array.from({ length: n }, (_, i) => Nx.sin(Nx.sort(x.add(i))));
      return Nx.concatenate([...made, Nx.stack(made.map((each) => Nx.sum(each)))]);
    };
    expect(lookups(far(600))).toBeLessThan(2.5 * lookups(far(300)));
  });
});
