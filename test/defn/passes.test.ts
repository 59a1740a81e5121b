import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { plan } from "../../lib/defn/plan/plan";
import { printGraph } from "../../lib/defn/print";
import { runPasses } from "../../lib/defn/passes";
import { cse } from "../../lib/defn/passes/cse";
import { dce } from "../../lib/defn/passes/dce";
import { fold } from "../../lib/defn/passes/fold";
import { trace } from "../../lib/defn/trace";
import type { Pass } from "../../lib/defn/passes/pass";

const graphOf = (fn: (...args: Nx.Tensor[]) => unknown, ...args: Nx.Tensor[]) => trace(fn, args, new Set()).graph;
const after = (passes: Pass[], fn: (...args: Nx.Tensor[]) => unknown, ...args: Nx.Tensor[]) =>
  printGraph(runPasses(graphOf(fn, ...args), passes))
    .split("\n")
    .map((line) => line.replace(/ {2,}(?=\S)/g, "  "));

const t = Nx.tensor([1, 2, 3], { names: ["x"] });

describe("cse", () => {
  it("merges equal nodes and what builds on them", () => {
    expect(after([cse], (x) => Nx.add(Nx.exp(Nx.multiply(x, 2)), Nx.exp(Nx.multiply(x, 2))), t)).toEqual([
      "a = parameter 0  s64[x: 3]",
      "b = constant(value: 2)  s64",
      "c = multiply(a, b)  s64[x: 3]",
      "d = exp(c)  f32[x: 3]",
      "e = add(d, d)  f32[x: 3]",
      "return e",
    ]);
  });

  it("keeps what differs in attributes, types, names or the sign of zero", () => {
    const fn = (x: Nx.Tensor) => [
      x.sum(),
      x.product(),
      x.asType("f32"),
      x.asType("f64"),
      x.asType("f32").multiply(0),
      x.asType("f32").multiply(-0),
    ];
    expect(after([cse], fn, t).filter((line) => line.includes("constant"))).toHaveLength(2);
    expect(after([cse], fn, t).filter((line) => line.includes("asType"))).toHaveLength(2);
  });

  it("merges one captured tensor used twice", () => {
    const k = Nx.tensor([1, 2, 3]);
    expect(after([cse], (x) => x.add(k).multiply(k), t).filter((line) => line.includes("captured"))).toHaveLength(1);
  });
});

describe("fold", () => {
  it("computes what is known, through several nodes", () => {
    expect(after([fold], (x) => x.add(Nx.multiply(Nx.iota([3]), 2).sum()), t)).toEqual([
      "a = parameter 0  s64[x: 3]",
      "b = literal of 1 elements  s64",
      "c = add(a, b)  s64[x: 3]",
      "return c",
    ]);
  });

  it("leaves large results alone unless they are made of what is as large", () => {
    expect(after([fold], (x) => x.sum().add(Nx.iota([1000])), t).join()).toContain("iota(");
    const k = Nx.iota([1000]);
    const fn = (x: Nx.Tensor) =>
      x
        .sum()
        .add(Nx.negate(k))
        .add(Nx.broadcast(k, [2, 1000]));
    expect(after([fold], fn, t).join()).not.toContain("negate(");
    expect(after([fold], fn, t).join()).toContain("broadcast(");
  });

  it("records what is done to tensors of the surroundings", () => {
    const k = Nx.tensor([1, 2, 3]);
    expect(after([], (x) => x.add(Nx.negate(k)), t).join()).toContain("negate(");
  });

  it("leaves errors to the run", () => {
    const fn = (x: Nx.Tensor) => x.add(Nx.quotient(Nx.iota([1]), Nx.iota([1])));
    expect(after([fold], fn, t).join()).toContain("quotient(");
    expect(() => Nx.defn(fn)(t)).toThrow(Nx.ArgumentError);
  });
});

describe("dce", () => {
  it("never lists what the outputs do not need", () => {
    const lines = after(
      [dce],
      (x) => {
        x.exp();
        return x.add(x);
      },
      t,
    );
    expect(lines.join()).not.toContain("exp(");
  });

  it("drops what a user function no longer reads", () => {
    const graph = graphOf((x, k) => Nx.map(x, (e) => e.multiply(k.sum())), t, t);
    const [output] = graph.outputs;
    expect(output!.inputs).toHaveLength(2);
    const inner = (output as { attrs: { fn: import("../../lib/defn/graph").Graph } }).attrs.fn;
    const without = { ...output!, attrs: { fn: { ...inner, outputs: [inner.parameters[0]!] } } } as typeof output;
    const result = dce.run({ ...graph, outputs: [without!] });
    expect(result.outputs[0]!.inputs).toHaveLength(1);
  });
});

describe("cse of large graphs", () => {
  it("takes time in proportion to the nodes of one operand, constants and slices too", () => {
    const count = 20000;
    const graph = graphOf(
      (x) => Array.from({ length: count }, (_, i) => [x.add(i % 3), Nx.slice(x, [i % 2], [1]), Nx.tensor(i)]),
      t,
    );
    const merged = cse.run(graph).outputs; // in milliseconds; pair by pair it would not end within the time of a test
    expect(new Set(merged).size).toBe(3 + 2 + count);
  });
});

describe("plan", () => {
  it("lets go of every value at its last use", () => {
    const { steps } = plan(graphOf((x) => x.add(x).exp().sum(), t));
    expect(steps.map((step) => step.frees.length)).toEqual([1, 1, 1]);
  });

  it("keeps what is returned", () => {
    const { steps } = plan(
      graphOf((x) => {
        const y = x.add(x);
        return [y, y.exp()];
      }, t),
    );
    expect(steps.map((step) => step.frees.length)).toEqual([1, 0]);
  });

  it("goes through deep chains without recursion", () => {
    const deep = Nx.defn((x: Nx.Tensor) => {
      let y = x;
      for (let i = 0; i < 20000; i++) y = y.add(1);
      return y;
    });
    expect(deep(t).toList()).toEqual([20001, 20002, 20003]);
  });
});
