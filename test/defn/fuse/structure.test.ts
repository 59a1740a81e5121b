import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { MAX_INPUTS, MAX_NODES } from "../../../lib/defn/fuse/clusters";
import { runPasses, OPTIMIZE } from "../../../lib/defn/passes";
import { trace } from "../../../lib/defn/trace";
import { BACKENDS, differences, fusedGraph, kernelsOf, nodesOf, type FusedNode } from "./support";

const t = (shape: readonly number[]): Tensor => Nx.iota(shape, { type: "f32" }).subtract(3);
const kinds = (fn: (...args: Tensor[]) => unknown, ...args: Tensor[]): string[] =>
  nodesOf(fusedGraph(fn, ...args)).map(({ kind }) => kind);

/** Inputs, nodes and results of each kernel. */
const sizes = (fn: (...args: Tensor[]) => unknown, ...args: Tensor[]) =>
  kernelsOf(fusedGraph(fn, ...args)).map((node) => sizesOf(node));

function sizesOf({ inputs, outs, attrs }: FusedNode) {
  const steps = nodesOf(attrs.fn).filter(({ inputs: operands }) => operands.length > 0);
  return { inputs: inputs.length, nodes: steps.length, outs: outs.length };
}

function same(fn: (...args: Tensor[]) => Tensor[], ...args: Tensor[]): void {
  for (const [, backend] of BACKENDS) {
    Nx.withDefaultBackend(backend, () => {
      const own = args.map((arg) => Nx.backendCopy(arg, backend));
      expect(differences(Nx.defn(fn, { compiler: "optimizing" })(...own), fn(...own))).toBeNull();
    });
  }
}

describe("kernels of known functions", () => {
  it("a chain is one", () => {
    const chain = (x: Tensor) => [x.add(1).multiply(2).abs().subtract(x).negate().max(0).floor().min(9).sqrt().add(x)];
    expect(sizes(chain, t([4, 5]))).toEqual([{ inputs: 1, nodes: 10, outs: 1 }]);
    same(chain, t([4, 5]));
  });

  it("two results that share work are one", () => {
    const fn = (x: Tensor, y: Tensor) => {
      const shared = x.multiply(y).add(1);
      return [shared.abs(), shared.subtract(x)];
    };
    expect(sizes(fn, t([7]), t([7]))).toEqual([{ inputs: 2, nodes: 4, outs: 2 }]);
    same(fn, t([7]), t([7]));
  });

  it("results that only read the same tensor are one", () => {
    expect(sizes((x) => [x.add(1), x.multiply(3), x.abs()], t([6]))).toEqual([{ inputs: 1, nodes: 3, outs: 3 }]);
  });

  it("a reduction between two parts of a kernel keeps them apart", () => {
    const fn = (x: Tensor) => {
      const y = x.multiply(2).add(1);
      return [y.divide(y.sum()).add(y)];
    };
    expect(sizes(fn, t([6]))).toEqual([
      { inputs: 1, nodes: 2, outs: 1 },
      { inputs: 2, nodes: 2, outs: 1 },
    ]);
    same(fn, t([6]));
  });

  it("moving operands about is done by the kernel, and a constant is part of it", () => {
    const fn = (x: Tensor, y: Tensor) => [
      x
        .transpose()
        .add(y.reverse({ axes: [1] }))
        .multiply(Nx.broadcast(0.5, [50, 40])),
    ];
    const args = [t([40, 50]), t([50, 40])];
    expect(sizes(fn, ...args)).toMatchObject([{ inputs: 2, outs: 1 }]);
    expect(kinds(fn, ...args)).toEqual(["parameter", "parameter", "fused", "element"]);
    same(fn, ...args);
  });

  it("a reshape between element-wise ops is nothing", () => {
    const fn = (x: Tensor) => [x.add(1).reshape([10, 2]).multiply(2).flatten().abs()];
    expect(sizes(fn, t([4, 5]))).toHaveLength(1);
    same(fn, t([4, 5]));
  });

  it("results that are an argument, the same node twice, a view or a constant stay what they are", () => {
    const fn = (x: Tensor) => {
      const y = x.add(1).multiply(2);
      return [x, y, y, y.transpose(), y.reshape([20]), Nx.tensor(7), x.transpose(), y.add(0.5)];
    };
    expect(sizes(fn, t([4, 5]))).toHaveLength(1);
    same(fn, t([4, 5]));
  });

  it("one op by itself stays as it was", () => {
    expect(kinds((x) => x.add(x).sum(), t([4]))).not.toContain("fused");
    expect(kinds((x) => x.reshape([2, 2]).add(Nx.iota([2, 2])), t([4]))).toHaveLength(4);
  });
});

describe("what must not become one kernel", () => {
  it("two readers of a tensor of which one waits for a kernel that waits for the other", () => {
    // a and b read p; e has a node that b needs and a node that needs a.
    const fn = (p: Tensor, q: Tensor) => {
      const first = q.add(1);
      const b = p.add(first.sort());
      const a = p.multiply(2);
      return [b, first.add(a.sort()), a];
    };
    same(fn, t([3]), t([3]));
    expect(sizes(fn, t([3]), t([3])).length).toBeGreaterThan(0);
  });

  it("kernels that lie on both sides of a third, in every order of results", () => {
    const parts = (x: Tensor, y: Tensor) => {
      const a = x.add(y);
      const b = y.multiply(2).add(a.sort());
      const c = x.subtract(b.reverse().sort());
      const d = a.max(c.sort()).min(y);
      return [a, b, c, d, x.add(d.sum()), y.subtract(a.sum())];
    };
    for (let turn = 0; turn < 6; turn++) {
      const turned = (x: Tensor, y: Tensor): Tensor[] => {
        const all = parts(x, y);
        return [...all.slice(turn), ...all.slice(0, turn)];
      };
      same(turned, t([5]), t([5]).reverse());
      same((x, y) => turned(x, y).reverse(), t([5]), t([5]));
    }
  });
});

describe("limits", () => {
  it("a long chain becomes kernels of bounded size", () => {
    const chain = (x: Tensor) => {
      let y = x;
      for (let i = 0; i < 500; i++) y = i % 3 === 0 ? y.add(x) : i % 3 === 1 ? y.multiply(0.5) : y.subtract(1);
      return [y];
    };
    const kernels = sizes(chain, t([9]));
    expect(kernels.length).toBe(Math.ceil(500 / MAX_NODES));
    expect(kernels.reduce((sum, { nodes }) => sum + nodes, 0)).toBe(500);
    for (const { nodes } of kernels) expect(nodes).toBeLessThanOrEqual(MAX_NODES);
    same(chain, t([9]));
  });

  it("a chain of special functions becomes kernels of bounded code", () => {
    for (const type of ["f32", "f64"] as const) {
      const chain = (x: Tensor) => {
        let y = x;
        for (let i = 0; i < 30; i++) y = y.add(0.25).sin().abs().pow(1.5);
        return [y];
      };
      const x = Nx.iota([40], { type });
      const kernels = kernelsOf(fusedGraph(chain, x));
      expect(kernels.length).toBeGreaterThan(2);
      expect(kernels.length).toBeLessThan(60);
      same(chain, x);
    }
  });

  it("constants that no number holds are read as tensors", () => {
    const x = Nx.tensor([1n, 2n ** 63n], { type: "u64" });
    same((y) => [y.add(2n ** 63n + 1n).bitwiseAnd(2n ** 63n + 3n), y.multiply(3).add(1)], x);
  });

  it("a sum of many arguments becomes kernels of bounded reading", () => {
    const args = Array.from({ length: 60 }, (_, i) => t([4]).add(i));
    const fn = (...xs: Tensor[]) => [xs.reduce((sum, x) => sum.add(x.multiply(2)))];
    for (const { inputs } of sizes(fn, ...args)) expect(inputs).toBeLessThanOrEqual(MAX_INPUTS);
    expect(sizes(fn, ...args).length).toBeGreaterThan(1);
    same(fn, ...args);
  });

  it("a reshape at the edge of a full kernel is read through, also where it is a result", () => {
    for (const length of [MAX_NODES - 1, MAX_NODES, MAX_NODES + 1]) {
      const fn = (x: Tensor) => {
        let y = x;
        for (let i = 0; i < length; i++) y = y.multiply(i % 2 === 0 ? 2 : 0.5).add(0);
        const turned = y.reshape([5, 4]);
        const flat = turned.add(1).reshape([20]);
        return [turned, flat, flat.multiply(2).add(flat), turned.transpose()];
      };
      same(fn, t([4, 5]));
    }
  });

  it("deep graphs do not overflow the stack", () => {
    const chain = (x: Tensor) => {
      let y = x;
      for (let i = 0; i < 20_000; i++) y = i % 2 === 0 ? y.add(1) : y.subtract(1);
      return y;
    };
    expect(kernelsOf(fusedGraph(chain, t([3]))).length).toBe(Math.ceil(20_000 / MAX_NODES));
    const turns = (x: Tensor) => {
      let y = x;
      for (let i = 0; i < 20_001; i++) y = y.transpose();
      return y.add(1);
    };
    expect(kernelsOf(fusedGraph(turns, t([2, 3]))).length).toBe(1);
  });
});

describe("hooks and effects", () => {
  it("are called with what the graph computes, and in their order", () => {
    const seen: unknown[] = [];
    const fn = (x: Tensor) => {
      const a = x.add(1).multiply(2);
      Nx.Defn.hook(a, (value) => seen.push(value.toFlatList()));
      const b = a.subtract(3).abs();
      Nx.Defn.hook(b.transpose(), (value) => seen.push(value.toFlatList()));
      return b.add(a);
    };
    const run = Nx.defn(fn, { compiler: "optimizing" });
    expect(run(t([2, 2])).toFlatList()).toEqual([3, 1, 1, 3].map((_, i) => Math.abs(2 * (i - 2) - 3) + 2 * (i - 2)));
    expect(seen).toEqual([
      [-4, -2, 0, 2],
      [7, 3, 5, 1],
    ]);
  });

  it("of values that nobody else reads are kept", () => {
    const seen: unknown[] = [];
    const run = Nx.defn((x: Tensor) => {
      Nx.Defn.hook(x.multiply(2).add(1), (value) => seen.push(value.toFlatList()));
      return x;
    });
    run(t([2]));
    expect(seen).toEqual([[-5, -3]]);
  });
});

describe("kernels inside of other things", () => {
  const [, wasm] = BACKENDS[1]!;

  it("bodies of control flow are fused and give the same", () => {
    const fn = (x: Tensor) => {
      const doubled = Nx.Defn.whileLoop(
        { y: x, i: Nx.tensor(0) },
        ({ i }) => i.multiply(2).add(1).less(9),
        ({ y, i }) => ({ y: y.multiply(1.5).add(x).reverse().abs(), i: i.add(1) }),
      ).y;
      const chosen = Nx.Defn.cond([[x.sum().add(1).greater(0), () => doubled.add(1).multiply(x)]], () =>
        doubled.subtract(x).abs(),
      );
      const [last, all] = Nx.Defn.scan(
        (state: Tensor, row: Tensor) => [state.add(row).multiply(0.5), state.subtract(row).abs()] as const,
        chosen.sum({ axes: [0] }),
        chosen,
      );
      return [doubled, chosen, last, all];
    };
    for (const x of [t([3, 4]), t([3, 4]).subtract(9)]) same(fn, x);
    const graph = runPasses(trace(fn as never, [t([3, 4])], new Set()).graph, OPTIMIZE);
    const inner = nodesOf(graph).flatMap((node) =>
      "attrs" in node && "functions" in node.attrs ? node.attrs.functions : [],
    );
    expect(inner.filter((graphOf) => kernelsOf(graphOf).length > 0).length).toBeGreaterThanOrEqual(4);
  });

  it("gradients of compiled functions are those of plain ones, and compiled gradients too", () => {
    const loss = (x: Tensor) => x.multiply(x).add(x.transpose()).abs().divide(x.max(0.25)).sum();
    for (const [, backend] of BACKENDS) {
      Nx.withDefaultBackend(backend, () => {
        const x = Nx.backendCopy(t([4, 4]), backend);
        const expected = [Nx.grad(loss)(x)];
        expect(differences([Nx.grad(Nx.defn(loss))(x)], expected)).toBeNull();
        expect(differences([Nx.defn(Nx.grad(loss), { compiler: "optimizing" })(x)], expected)).toBeNull();
        expect(differences([Nx.defn(Nx.grad(loss), { compiler: "evaluator" })(x)], expected)).toBeNull();
      });
    }
  });

  it("compiled functions run under vmap, and vmap under compilation", () => {
    const fn = (x: Tensor) => x.multiply(2).add(x.sum()).transpose().subtract(1).abs();
    Nx.withDefaultBackend(wasm, () => {
      const x = Nx.backendCopy(t([3, 4, 5]), wasm);
      const expected = [Nx.Defn.vmap(fn)(x)];
      expect(differences([Nx.Defn.vmap(Nx.defn(fn))(x)], expected)).toBeNull();
      expect(differences([Nx.defn(Nx.Defn.vmap(fn))(x)], expected)).toBeNull();
      const rows = Nx.vectorize(x, "row");
      expect(differences([Nx.devectorize(Nx.defn(fn)(rows))], [Nx.devectorize(fn(rows))])).toBeNull();
    });
  });

  it("a compiled function within another is fused with it", () => {
    const inner = Nx.defn((x: Tensor) => x.add(1).multiply(3));
    expect(sizes((x) => inner(x).subtract(x).abs(), t([5]))).toEqual([{ inputs: 1, nodes: 4, outs: 1 }]);
  });

  it("names of axes are kept", () => {
    const x = Nx.iota([2, 3], { names: ["row", "column"], type: "f32" });
    const run = Nx.defn((a: Tensor) => [a.add(1).multiply(2), a.transpose().abs().add(1)], { compiler: "optimizing" });
    expect(run(x).map(({ names }) => names)).toEqual([
      ["row", "column"],
      ["column", "row"],
    ]);
  });
});
