import { describe, expect, it } from "vitest";
import * as Nx from "../../lib/index";

describe("untraced", () => {
  const table = () => Nx.Defn.untraced(() => Nx.cumulativeSum(Nx.f32([1, 2, 3])));
  const fn = (t: Nx.Tensor) => {
    const sums = table();
    return t.multiply(sums).divide(Nx.toNumber(Nx.Defn.untraced(() => Nx.reduceMax(sums))));
  };
  const x = Nx.f32([6, 4, 2]);

  it("gives what a plain call gives, in every kind of trace", () => {
    const plain = fn(x).toList();
    expect(plain).toEqual([1, 2, 2]);
    for (const compiler of ["optimizing", "evaluator"] as const) {
      const compiled = Nx.defn(fn, { compiler });
      for (let i = 0; i < 2; i++) expect(compiled(x).toList()).toEqual(plain);
    }
    expect(Nx.defn((t: Nx.Tensor) => Nx.defn(fn)(t))(x).toList()).toEqual(plain);
    expect(Nx.Defn.vmap(fn)(Nx.stack([x, x])).toList()).toEqual([plain, plain]);
    expect(Nx.grad((t: Nx.Tensor) => Nx.sum(fn(t)))(x).toList()).toEqual([1, 3, 6].map((s) => Math.fround(s / 6)));
    const branch = (t: Nx.Tensor) => Nx.Defn.cond([[Nx.greater(t.sum(), 0), () => fn(t)]], () => t);
    expect(Nx.defn(branch)(x).toList()).toEqual(plain);
  });

  it("computes once for each signature", () => {
    let times = 0;
    const compiled = Nx.defn((t: Nx.Tensor) => t.add(Nx.Defn.untraced(() => (times++, Nx.f32([1, 1, 1])))));
    for (let i = 0; i < 3; i++) compiled(x);
    expect(times).toBe(1);
  });

  it("leaves the trace as it was, after errors as well", () => {
    const compiled = Nx.defn((t: Nx.Tensor) => {
      expect(() => Nx.Defn.untraced(() => t.sum())).toThrow(/used in Nx.sum after.*nothing of it in Nx.Defn.untraced/);
      expect(() => Nx.Defn.untraced(1 as never)).toThrow(/expects a function without arguments, got: 1/);
      expect(() => Nx.toNumber(Nx.tensor(1))).toThrow(/being traced/);
      return t.add(1);
    });
    expect(compiled(x).toList()).toEqual([7, 5, 3]);
  });
});
