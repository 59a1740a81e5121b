/** Functions of entries along an axis that is given by name. */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";

const { vmap } = Nx.Defn;
const x = Nx.f64([[1, 2, 3], [4, 5, 9]], { names: ["feature", "batch"] }); // prettier-ignore
const w = Nx.f64([1, 10], { names: ["feature"] });
const names = (t: Nx.Tensor): unknown[] => [t.names, t.toFlatList()];

describe("vmap over a name", () => {
  it("goes over that axis wherever it stands, and takes tensors without it whole", () => {
    const score = (t: Nx.Tensor, weights: Nx.Tensor): Nx.Tensor => t.dot(weights);
    const expected = [["batch"], [41, 52, 93]];
    expect(names(vmap(score, { over: "batch" })(x, w))).toEqual(expected);
    expect(names(vmap(score, { over: "batch" })(x.transpose(), w))).toEqual(expected);
    expect(names(Nx.defn(vmap(score, { over: "batch" }))(x, w))).toEqual(expected);
    const both = x.transpose().multiply(w).rename(["batch", "feature"]);
    expect(names(vmap(score, { over: "batch" })(x, Nx.onesLike(both)))).toEqual([["batch"], [5, 7, 12]]);
  });

  it("gives what it gives by the axes of each argument", () => {
    const f = (a: Nx.Tensor, b: Nx.Tensor): Nx.Tensor => Nx.outer(a.rename([null]), b).exp();
    const byName = vmap(f, { over: "batch" })(x, w);
    expect(byName.equals(vmap(f, ["batch", null])(x, w))).toBe(true);
    expect(byName.names).toEqual(["batch", null, "feature"]);
  });

  it("looks at each tensor of a container by itself, and leaves numbers weak", () => {
    const f = (p: { readonly x: Nx.Tensor; readonly w: Nx.Tensor; readonly by: number }): readonly Nx.Tensor[] => [
      p.x.dot(p.w).multiply(p.by),
      Nx.u8(1).multiply(p.by),
    ];
    const [scores, same] = vmap(f, { over: "batch" })({ x, w, by: 2 });
    expect(names(scores!)).toEqual([["batch"], [82, 104, 186]]);
    expect([same!.type, ...names(same!)]).toEqual(["u8", ["batch"], [2, 2, 2]]);
  });

  it("nests, and is differentiated", () => {
    const product = (a: Nx.Tensor, b: Nx.Tensor): Nx.Tensor => a.multiply(b);
    const table = vmap(vmap(product, { over: "feature" }), { over: "batch" })(x, w);
    expect(names(table)).toEqual([
      ["batch", "feature"],
      [1, 40, 2, 50, 3, 90],
    ]);
    const slope = Nx.grad((weights: Nx.Tensor) => vmap((t: Nx.Tensor) => t.dot(weights), { over: "batch" })(x).sum());
    expect(names(slope(w))).toEqual([["feature"], [6, 18]]);
  });

  it("needs a tensor with the axis, of one size, and a name", () => {
    const same = (t: Nx.Tensor, u: Nx.Tensor): Nx.Tensor => t.add(u.sum());
    expect(() => vmap(same, { over: "bath" })(x, w)).toThrow(
      'Nx.Defn.vmap needs at least one argument with an axis named "bath" to go over',
    );
    expect(() => vmap(same, { over: "batch" })(x, Nx.f64([1, 2], { names: ["batch"] }))).toThrow(
      "Nx.Defn.vmap goes over axes of one size, but argument 0 has 3 entries and argument 1 has 2; rename the axis of an argument",
    );
    expect(() => vmap(same, { over: 1 } as never)).toThrow("option over of Nx.Defn.vmap must be the name of an axis");
    expect(() => vmap(same, { ovr: "x" } as never)).toThrow(
      'unknown option "ovr" for Nx.Defn.vmap; did you mean "over"?',
    );
    expect(() => vmap(same, new Map() as never)).toThrow("Nx.Defn.vmap expects its options as an object");
  });
});
