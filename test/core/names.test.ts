import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";

const a = Nx.iota([2, 2], { names: ["b", null] });
const b = Nx.iota([2, 2], { names: [null, "b"] });

/** Whatever merges the names of operands. */
const MERGING: Readonly<Record<string, () => unknown>> = {
  add: () => Nx.add(a, b),
  less: () => Nx.less(a, b),
  select: () => Nx.select(Nx.u8(1), a, b),
  "select by a mask": () => Nx.select(a, b, Nx.f32(0)),
  concatenate: () => Nx.concatenate([a, b], { axis: 0 }),
  stack: () => Nx.stack([a, b]),
  putSlice: () => Nx.putSlice(a, [0, 0], b),
  "cond, traced": () => Nx.Defn.jitApply((x: Nx.Tensor, y: Nx.Tensor) => Nx.Defn.cond([[Nx.u8(1), () => x]], () => y), [a, b]),
  linspace: () => Nx.linspace(a, b, { n: 3 }),
  dot: () => Nx.dot(a, [1], b, [0]),
  lerp: () => Nx.lerp(a, b, 0.5),
  formula: () => Nx.defn((x: Nx.Tensor, y: Nx.Tensor) => x.add(y))(a, b),
}; // prettier-ignore

describe("names that would stand at two axes of a result", () => {
  it.each(Object.entries(MERGING))("%s: are an error", (_, merge) => {
    expect(merge).toThrow(/duplicate names|same name/);
  });
});
