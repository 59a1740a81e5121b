/** When passes run: graphs of little work run as they were traced at first. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { tune } from "../../lib/backends/tuning";
import { fuse } from "../../lib/defn/passes/fusions";
import { differenceOf } from "../fuzz/compare";
import { errorOf } from "../nx/aggregates/view";

beforeEach(() => tune({ compiledFrom: null }));
afterEach(() => {
  tune({ compiledFrom: 0 });
  vi.restoreAllMocks();
});

/** How often graphs are fused while `fn` runs. */
function fusedBy(fn: () => unknown): number {
  const spy = vi.spyOn(fuse, "run");
  fn();
  const { length } = spy.mock.calls;
  spy.mockRestore();
  return length;
}

const ten = (x: Tensor): Tensor =>
  x.multiply(0.5).add(1).multiply(x).subtract(0.25).max(-3).multiply(0.75).add(x).min(3).negate().multiply(2);

const few = Nx.subtract(Nx.iota([8]), 3.5);

describe("passes", () => {
  it("run once for a function of little work, when it was called some times", () => {
    const fn = Nx.defn(ten);
    expect(fusedBy(() => fn(few))).toBe(0);
    const calls = Array.from({ length: 10 }, () => fusedBy(() => fn(few)));
    expect(calls.reduce((sum, fused) => sum + fused)).toBe(1);
    expect(calls.at(-1)).toBe(0);
  });

  it("run at the first call of a function of much work", () => {
    expect(fusedBy(() => Nx.defn(ten)(Nx.iota([1000], { type: "f32" })))).toBe(1);
  });

  it("run before any call of a function that is compiled ahead", () => {
    let fn = ten;
    expect(fusedBy(() => (fn = Nx.Defn.compile(ten, [Nx.template([8], "f32")])))).toBe(1);
    expect(fusedBy(() => fn(few))).toBe(0);
  });

  it("run late where functions of nodes run so often as the graph says", () => {
    const { cond, map, scan } = Nx.Defn;
    const fns: readonly (readonly [much: number, fn: (x: Tensor) => Tensor])[] = [
      [5000, (x) => cond([[x.sum().greater(0), () => x]], () => ten(x))],
      [5000, (x) => Nx.logit(x)],
      [100, (x) => Nx.map(x, (y) => y.add(1))],
      [100, (x) => map((y) => y.add(1), x)],
      [100, (x) => scan((sum, y) => [sum.add(y), sum], Nx.f32(0), x)[1]],
      [100, (x) => Nx.reduce(x, 0, (a, b) => a.add(b))],
      [50, (x) => Nx.windowReduce(x, 0, [2], (a, b) => a.add(b))],
    ];
    for (const [much, fn] of fns) {
      expect(fusedBy(() => Nx.defn(fn)(few))).toBe(0);
      expect(fusedBy(() => Nx.defn(fn)(Nx.iota([much], { type: "f32" })))).toBeGreaterThan(0);
    }
  });

  it("run at once where arguments are given up, functions are called, values end loops and backends have no programs", () => {
    const { hook, map, whileLoop } = Nx.Defn;
    const { grad } = Nx;
    const fns = [
      Nx.defn(ten, { donate: true }),
      Nx.defn((x: Tensor) => hook(x, () => undefined).add(1)),
      Nx.defn((x: Tensor) => map((y) => hook(y, () => undefined).add(1), x)),
      Nx.defn((x: Tensor) =>
        whileLoop(
          x,
          (y) => y.sum().less(0),
          (y) => y.add(1),
        ),
      ),
    ];
    for (const fn of fns) expect(fusedBy(() => fn(few.add(0)))).toBeGreaterThan(0);
    expect(fusedBy(() => Nx.defn((x: Tensor) => ten(x).abs())(Nx.backendCopy(few, "binary")))).toBe(1);
    expect(fusedBy(() => grad((x: Tensor) => ten(x).sum())(few))).toBe(0);
  });

  it("run for a profile, with the lines of the function", () => {
    const fn = Nx.defn(ten);
    fn(few);
    expect(String(Nx.profile(() => fn(few)))).toMatch(/late\.test\.ts/);
  });
});

describe("early calls", () => {
  const table = Nx.reshape(Nx.subtract(Nx.iota([12], { type: "f32" }), 4.25), [3, 4]);
  const whole = Nx.s32([[-7, 3, 2, 9], [1, 0, -1, 5], [2 ** 31 - 1, 4, -8, 6]]); // prettier-ignore
  const fns: ((x: Tensor) => readonly Tensor[])[] = [
    (x) => [ten(x)],
    (x) => [x.softmax({ axis: 1 }), Nx.logSumExp(x), x],
    (x) => [x.transpose().dot(x), x.dot(x.transpose()).tanh(), x.sum({ axes: [0] }).subtract(x.mean())],
    (x) => [
      x.asType("f16").multiply(1.1).add(x.asType("bf16")),
      x
        .reverse({ axes: [1] })
        .slice([0, 1], [2, 3])
        .reshape([6]),
    ],
    (x) => [Nx.sort(x), x.argmax(), Nx.concatenate([x, x.negate()]), Nx.select(x.greater(1), x, Nx.tensor(0))],
    (x) => [Nx.add(Nx.tensor([1, 2, 3, 4]).multiply(3), x), Nx.iota([3, 4]), x.add(0), x.add(0)],
    (x) => [x.add(1), x],
    (x) => {
      const [one, other] = [x.multiply(3), Nx.tensor([1, 2])];
      return [one, other, one, other];
    },
    (x) => Nx.topK(x, { k: 2 }),
    (x) => Nx.Defn.scan((sum, row) => [sum.multiply(2).add(row), [sum, row]], x.at(0), x).flat() as Tensor[],
    (x) => [Nx.map(x, (y) => y.multiply(3).add(x.at(0, 1))), Nx.reduce(x, 0, (a, b) => a.multiply(2).add(b))],
    (x) =>
      [x.sum().greater(-1e9), x.sum().less(-1e9)].map((p) => Nx.Defn.cond([[p, () => x.asType("f32")]], () => table)),
    (x) => [Nx.Defn.cond([[x.sum().greater(0), () => x]], () => x.negate()), Nx.Defn.scan((s, v) => [s, v], x, x)[0]],
    (x) => Nx.LinAlg.qr(x.slice([0, 0], [3, 3])),
    (x) => Nx.LinAlg.eigh(x.dot(x.transpose())),
  ];

  it("give the bits that later ones do, in tensors of their own", () => {
    for (const fn of fns) {
      for (const x of [table, whole]) {
        const made = Nx.defn(fn);
        const calls = Array.from({ length: 40 }, () => made(x));
        for (const results of calls) {
          expect(new Set(results).size).toBe(calls[0]!.length);
          expect(results).not.toContain(x);
          expect(results.map((result, i) => differenceOf(result, calls.at(-1)![i]!))).toEqual(results.map(() => null));
        }
        const [first, second] = calls as [Tensor[], Tensor[]];
        first.forEach((result) => Nx.backendDeallocate(result));
        expect(second.map((result, i) => differenceOf(result, calls.at(-1)![i]!))).toEqual(second.map(() => null));
        expect(x.size).toBe(x.toFlatList().length);
      }
    }
  });

  it("raise what later ones do", () => {
    const fn = Nx.defn((x: Tensor) => Nx.quotient(x.add(1).multiply(3), x.subtract(2).multiply(x.add(4))));
    const message = (): string => errorOf(() => fn(Nx.s32([1, 2])));
    const first = message();
    expect(first).toMatch(/by zero.*raised by quotient.*late\.test\.ts/);
    expect(Array.from({ length: 40 }, message)).toEqual(new Array(40).fill(first));
  });

  it("make no lazy tensor that later ones do not make", () => {
    let made = 0;
    const lazy = (): unknown =>
      Nx.Defn.lazy(Nx.template([8], "f32"), () => {
        made++;
        return few;
      });
    const fn = Nx.defn((x: Tensor, { y }: { y: Tensor }) => (y.rank === 1 ? x.add(1) : y));
    for (let call = 0; call < 3; call++) fn(few, { y: lazy() as Tensor });
    expect(made).toBe(0);
  });
});
