/** Functions written in place: what was compiled for one runs others that trace to the same graph, and only these. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { tune } from "../../lib/backends/tuning";
import { fuse } from "../../lib/defn/passes/fusions";
import { differenceOf } from "../fuzz/compare";
import { errorOf } from "../nx/aggregates/view";

beforeEach(() => tune({ compiledFrom: null }));
afterEach(() => tune({ compiledFrom: 0 }));

/** How often graphs are fused while `fn` runs. */
function fusedBy(fn: () => unknown): number {
  const spy = vi.spyOn(fuse, "run");
  fn();
  const { length } = spy.mock.calls;
  spy.mockRestore();
  return length;
}

/** What a function gives where its graph runs as it was traced. */
function evaluated(fn: () => Tensor): Tensor {
  const before = Nx.Defn.defaultOptions({ compiler: "evaluator" });
  try {
    return fn();
  } finally {
    Nx.Defn.defaultOptions(before);
  }
}

const many = (start: number): Tensor => Nx.subtract(Nx.iota([3000], { type: "f32" }), start);

/** Functions of a tensor and others that they close over, each written anew at each call. */
const fresh: Readonly<Record<string, (x: Tensor, y: Tensor) => Tensor>> = {
  whileLoop: (x, y) => Nx.Defn.whileLoop(x, (s) => s.sum().abs().less(1e9), (s) => s.multiply(2).add(y)),
  "whileLoop in a loop": (x, y) => Nx.Defn.foriLoop(0, 3, (i, s) => Nx.Defn.whileLoop(s, (t) => t.sum().abs().less(1e9), (t) => t.multiply(i.add(2)).add(y)), x),
  scan: (x, y) => Nx.Defn.scan((s, row) => [s.add(row).multiply(y.reshape([30, 100])), row.sum()], x.reshape([30, 100]), y.reshape([30, 100]))[0],
  cond: (x, y) => Nx.Defn.cond([[x.sum().less(0), () => x.multiply(3).add(y)]], () => y.subtract(1)),
  "cond in a loop": (x, y) => Nx.Defn.foriLoop(0, 4, (i, s) => Nx.Defn.cond([[i.less(2), () => s.add(y)]], () => s.multiply(y)), x),
  defn: (x, y) => Nx.defn((z: Tensor) => z.tanh().multiply(y).add(x.sum()))(x),
  grad: (x, y) => Nx.grad((z: Tensor) => z.tanh().multiply(y).sum())(x),
  jacobian: (x, y) => Nx.Defn.jacobian((z: Tensor) => z.multiply(y.slice([0], [40])).tanh())(x.slice([0], [40])),
  vmap: (x, y) => Nx.defn((z: Tensor) => Nx.Defn.vmap((row: Tensor) => row.softmax().multiply(y.slice([0], [100])))(z))(x.reshape([30, 100])),
  "a result that is closed over": (x, y) => Nx.defn((z: Tensor) => [z.tanh().sum(), y])(x)[1]!,
}; // prettier-ignore

describe("functions written in place", () => {
  it.each(Object.keys(fresh))("are compiled once: %s", (name) => {
    const fn = fresh[name]!;
    fn(many(5), many(7));
    expect(fusedBy(() => [fn(many(1), many(2)), fn(many(-3), many(4))])).toBe(0);
  });

  it.each(Object.keys(fresh))("read the tensors of their own call: %s", (name) => {
    const fn = fresh[name]!;
    for (const [x, y] of [[many(5), many(7)], [many(2999), many(8)], [many(-3), many(-3)]] as const) {
      expect(differenceOf(fn(x, y), evaluated(() => fn(x, y)))).toBeNull();
    }
    const both = many(3);
    expect(differenceOf(fn(both, both), fn(both, many(3)))).toBeNull();
  }); // prettier-ignore

  it("compute once, where they are called again, what is made of the tensors that they close over", () => {
    const y = many(1);
    const made = Nx.defn((x: Tensor) => x.add(y.exp()));
    const x = many(2);
    expect([0, 1, 2].map(() => fusedBy(() => made(x)))).toEqual([1, 1, 0]);
    expect(differenceOf(made(many(2)), Nx.add(many(2), y.exp()))).toBeNull();
  });
});

describe("functions are told apart", () => {
  const x = many(5);
  const apart: Readonly<Record<string, readonly (() => Tensor)[]>> = {
    "by numbers": [0, -0, NaN, 1, 0.1, 2 ** 53].map((k) => () => Nx.defn((t: Tensor) => t.tanh().multiply(k))(x)),
    "by integers": [1n, 2n, 2n ** 62n].map((k) => () => Nx.defn((t: Tensor) => t.sum().add(k))(x.asType("s64"))),
    "by complex numbers": [[0, 1], [0, -1], [1, 0]].map(([re, im]) => () => Nx.defn((t: Tensor) => t.tanh().multiply(new Nx.Complex(re!, im!)))(x)),
    "by types": (["f64", "f16", "s32"] as const).map((type) => () => Nx.defn((t: Tensor) => t.tanh().asType(type))(x)),
    "by names": ["a", "b"].map((name) => () => Nx.defn((t: Tensor) => t.tanh().rename([name]))(x)),
    "by options": [0, 1, -1].map((axis) => () => Nx.defn((t: Tensor) => t.reshape([60, 50]).cumulativeSum({ axis }))(x)),
    "by tensors that they make": [[1, 2], [1, -0], [1, 0]].map((k) => () => Nx.defn((t: Tensor) => t.reshape([1500, 2]).multiply(Nx.f32(k)))(x)),
    "by what is closed over twice": [[x, x], [many(7), x], [many(7), many(7)]].map(([y, z]) => () => Nx.defn((t: Tensor) => t.tanh().multiply(y!).add(z!))(x)),
    "by loops": [1e3, 1e6].map((end) => () => Nx.Defn.whileLoop(x, (s) => s.sum().less(end), (s) => s.multiply(2))),
    "by the order of operands": [() => Nx.defn((a: Tensor, b: Tensor) => a.subtract(b).tanh())(x, many(7)), () => Nx.defn((a: Tensor, b: Tensor) => b.subtract(a).tanh())(x, many(7))],
  }; // prettier-ignore

  it.each(Object.keys(apart))("%s", (name) => {
    for (let round = 0; round < 2; round++) {
      for (const fn of apart[name]!) {
        expect(differenceOf(fn(), evaluated(fn))).toBeNull();
      }
    }
  });

  it("by the backend, and by what is configured", () => {
    const fn = () => Nx.defn((t: Tensor) => t.multiply(0.37).tanh())(x);
    fn();
    expect(fusedBy(() => Nx.withDefaultBackend("binary", fn))).toBe(1);
    tune({ joinedFrom: 0 });
    expect(fusedBy(fn)).toBe(1);
    tune({ joinedFrom: null });
    expect(fusedBy(fn)).toBe(0);
  });

  it("by what they call", () => {
    const seen: number[] = [];
    for (const k of [1, 2]) Nx.defn((t: Tensor) => Nx.Defn.hook(t.tanh(), () => void seen.push(k)))(x);
    expect(seen).toEqual([1, 2]);
  });
});

describe("errors", () => {
  it("say the line of their own function", () => {
    const zero = Nx.broadcast(Nx.s32(0), [3000]);
    const one = Nx.broadcast(Nx.s32(1), [3000]);
    const fn = (y: Tensor) => Nx.defn((t: Tensor) => t.add(1).quotient(y))(one);
    fn(one);
    const other = () => Nx.defn((t: Tensor) => t.add(1).quotient(zero))(one);
    const line = Number(/kept\.test\.ts:(\d+)/.exec(new Error().stack!)![1]) - 1;
    expect(errorOf(other)).toMatch(new RegExp(`kept\\.test\\.ts:${line}:`));
  });

  it("say that a tensor was given back", () => {
    const gone = many(1);
    const fn = (y: Tensor) => Nx.grad((t: Tensor) => t.tanh().multiply(y).sum())(many(2));
    fn(many(1));
    Nx.backendDeallocate(gone);
    expect(() => fn(gone)).toThrow(/deallocated/);
  });
});
