import { List, Map } from "immutable";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { expectGradients, randoms } from "./check";

const { grad, valueAndGrad } = Nx.Defn;

describe("grad", () => {
  it("gives back the kind of every container", () => {
    const x = { a: [Nx.f32(1), 2], b: List([Nx.f32([1, 2])]), c: Map([["d", Nx.f64(3)]]), label: "kept" };
    const gradient = grad((p: typeof x) =>
      Nx.multiply(p.a[0]!, p.a[1]!)
        .add(p.b.get(0)!.sum())
        .add(Nx.multiply(p.c.get("d")!, 5)),
    )(x);
    expect(gradient.a.map((t) => t.toNumber())).toEqual([2, 1]);
    expect(gradient.b.get(0)!.toList()).toEqual([1, 1]);
    expect(gradient.c.get("d")!.toNumber()).toBe(5);
    expect(gradient.label).toBe("kept");
  });

  it("is zero where the result does not depend on the variable", () => {
    expect(grad((_x: Nx.Tensor) => Nx.f32(1))(Nx.f32([1, 2])).toList()).toEqual([0, 0]);
    const both = grad((p: Nx.Tensor[]) => p[0]!.multiply(3))([Nx.f32(1), Nx.f32([1, 2])]);
    expect(both[1]!.toList()).toEqual([0, 0]);
  });

  it("sums results that are no scalars", () => {
    expect(grad((x: Nx.Tensor) => x.multiply(Nx.f32([2, 3])))(Nx.f32([1, 1])).toList()).toEqual([2, 3]);
  });

  it("adds up where paths meet", () => {
    const fn = (x: Nx.Tensor) => {
      const y = x.sin();
      return y.multiply(y).add(x.multiply(y)).sum();
    };
    expectGradients(fn, randoms([4]));
  });

  it("survives a deep chain", () => {
    const fn = (x: Nx.Tensor) => Array.from({ length: 3000 }).reduce((t: Nx.Tensor) => t.multiply(1.0001), x);
    expect(grad(fn)(Nx.f64(1)).toNumber()).toBeCloseTo(1.0001 ** 3000, 10);
  });

  it("takes what a function closes over as constant, also inside a trace", () => {
    const outer = (x: Nx.Tensor) => {
      const held = x.multiply(x);
      return grad((y: Nx.Tensor) => y.multiply(held))(x);
    };
    expect(Nx.defn(outer)(Nx.f32(3)).toNumber()).toBe(9);
    expect(grad(outer)(Nx.f32(3)).toNumber()).toBe(6);
  });

  it("nests", () => {
    const f = (x: Nx.Operand) => Nx.pow(x, 5);
    expect(grad(grad(f))(2).toNumber()).toBe(160);
    expect(grad(grad(grad(f)))(2).toNumber()).toBe(240);
    expectGradients((x) => grad((y: Nx.Tensor) => y.exp().product().multiply(y.reduceMax()))(x), randoms([3], 0.2, 1));
  });

  it("keeps names, and does not trip over those of others", () => {
    const x = Nx.f32(
      [
        [1, 2],
        [3, 4],
      ],
      { names: ["x", "y"] },
    );
    const gradient = grad((t: Nx.Tensor) => t.sum({ axes: ["x"] }).multiply(Nx.f32([1, 2], { names: ["y"] })))(x);
    expect(gradient.names).toEqual(["x", "y"]);
    expect(gradient.toList()).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  it("says what cannot be differentiated", () => {
    const mapped = grad((x: Nx.Tensor) => Nx.map(x, (e) => e.multiply(2)));
    expect(() => mapped(Nx.f32([1]))).toThrow(Nx.DefnError);
    expect(() => mapped(Nx.f32([1]))).toThrow("Nx.map with a function of scalars has no gradient");
    const reduced = grad((x: Nx.Tensor) => Nx.reduce(x, 0, (e, acc) => e.add(acc)));
    expect(() => reduced(Nx.f32([1]))).toThrow("use Nx.sum");
    expect(() => grad("x" as never)).toThrow(Nx.ArgumentError);
    expect(() => grad((x: Nx.Tensor) => [x])(Nx.f32(1))).toThrow("expects a function that returns one tensor");
  });
});

describe("valueAndGrad", () => {
  it("gives the value in its own type", () => {
    const [value, gradient] = valueAndGrad((x: Nx.Tensor) => x.multiply(x).sum())(Nx.s64([1, 2]));
    expect([value.type, value.toNumber()]).toEqual(["s64", 5]);
    expect([gradient.type, gradient.toList()]).toEqual(["f32", [2, 4]]);
  });

  it("traces the function once", () => {
    let calls = 0;
    const fn = valueAndGrad((x: Nx.Tensor) => {
      calls++;
      return x.sin().sum();
    });
    fn(Nx.f32([1]));
    fn(Nx.f32([2]));
    expect(calls).toBe(1);
  });

  it("computes the function once", () => {
    const text = String(
      Nx.Defn.debugExpr(
        valueAndGrad((x: Nx.Tensor) => x.exp().sum()),
        { compiler: "optimizing" },
      )(Nx.f32([1, 2])),
    );
    expect(text.match(/exp\(/g)).toHaveLength(1);
  });
});
