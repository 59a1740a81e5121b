import { List } from "immutable";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { expectGradients, randoms } from "./grad/check";

const { cond, grad, map, scan, whileLoop } = Nx.Defn;

describe("cond", () => {
  const sign = Nx.defn((x: Nx.Tensor) =>
    cond(
      [
        [x.less(0), () => Nx.s32(-1)],
        [x.equal(0), () => Nx.s32(0)],
      ],
      () => Nx.s32(1),
    ),
  );

  it("takes the first branch whose predicate holds", () => {
    expect([-5, 0, 7].map((x) => sign(Nx.tensor(x)).toNumber())).toEqual([-1, 0, 1]);
  });

  it("computes only that branch", () => {
    const guarded = Nx.defn((x: Nx.Tensor) => cond([[x.equal(0), () => x]], () => Nx.quotient(100, x)));
    expect(guarded(Nx.tensor(0)).toNumber()).toBe(0);
    expect(guarded(Nx.tensor(7)).toNumber()).toBe(14);
  });

  it("counts NaN as true and decides true, false and numbers while tracing", () => {
    expect(cond([[NaN, () => Nx.tensor(1)]], () => Nx.tensor(2)).toNumber()).toBe(1);
    expect(cond([[Nx.f32(NaN), () => Nx.tensor(1)]], () => Nx.tensor(2)).toNumber()).toBe(1);
    let traced = 0;
    const result = cond(
      [
        [false, () => Nx.tensor(++traced)],
        [true, () => Nx.tensor(5)],
      ],
      () => Nx.tensor(++traced),
    );
    expect([result.toNumber(), traced]).toEqual([5, 0]);
  });

  it("merges types, shapes and names of all branches", () => {
    const fn = Nx.defn((p: Nx.Tensor) =>
      cond([[p, () => ({ a: Nx.u8([1, 2]), b: Nx.tensor(1) })]], () => ({
        a: Nx.f32([[0.5], [1.5]], { names: ["x", null] }),
        b: Nx.tensor(2.5),
      })),
    );
    const taken = fn(Nx.u8(1));
    expect([taken.a.type, taken.a.shape, taken.a.names]).toEqual(["f32", [2, 2], ["x", null]]);
    expect(taken.a.toList()).toEqual([
      [1, 2],
      [1, 2],
    ]);
    expect(taken.b.type).toBe("f32");
    expect(fn(Nx.u8(0)).a.toList()).toEqual([
      [0.5, 0.5],
      [1.5, 1.5],
    ]);
  });

  it("refuses branches of different structure, showing both", () => {
    const fn = () => cond<unknown>([[Nx.u8(1), () => [Nx.tensor(1)]]], () => ({ a: Nx.tensor(1) }));
    expect(fn).toThrow(Nx.DefnError);
    expect(fn).toThrow('array { 0: tensor } and object { "a": tensor }');
    expect(() => cond([[Nx.u8(1), () => Nx.iota([2])]], () => Nx.iota([3]))).toThrow("s64[2] and s64[3]");
    expect(() => cond([[Nx.u8(1), () => undefined as never]], () => Nx.tensor(1))).toThrow("is a return missing?");
    expect(() => cond(7 as never, () => 1)).toThrow(Nx.ArgumentError);
    expect(() => cond([[1, 2 as never]], () => 1)).toThrow(Nx.ArgumentError);
  });

  it("nests, also within the branches themselves", () => {
    const clamp = Nx.defn((x: Nx.Tensor, low: Nx.Tensor, high: Nx.Tensor) =>
      cond([[x.less(low), () => low]], () => cond([[x.greater(high), () => high]], () => x)),
    );
    const at = (x: number) => clamp(Nx.f32(x), Nx.f32(-1), Nx.f32(1)).toNumber();
    expect([at(-3), at(0.5), at(3)]).toEqual([-1, 0.5, 1]);
  });

  it("keeps what a branch alone needs inside of it", () => {
    const fn = (x: Nx.Tensor) => cond([[x.less(0), () => x.exp()]], () => x.sin());
    const text = String(Nx.Defn.debugExpr(fn)(Nx.f32(1)));
    expect(text).toMatch(/^d = cond\(c, a\).*\n {2}with\n {4}/m);
    expect(text.split("\n").filter((line) => /^\S.*(exp|sin)\(/.test(line))).toEqual([]);
  });

  it("is differentiated branch by branch", () => {
    const fn = (x: Nx.Tensor, y: Nx.Tensor) =>
      cond([[x.sum().less(0), () => x.multiply(y).sin()]], () =>
        x.exp().multiply(cond([[y.sum().less(0), () => y]], () => y.multiply(y))),
      );
    expectGradients(fn, Nx.f64([-1, 0.3]), Nx.f64([0.5, 0.7]));
    expectGradients(fn, Nx.f64([1, 0.3]), Nx.f64([-0.5, -0.7]));
    expectGradients((x) => grad((y: Nx.Tensor) => fn(y, y))(x), Nx.f64([1, 0.3]));
  });
});

describe("whileLoop", () => {
  const power = (x: Nx.Tensor, n: Nx.Operand) =>
    whileLoop(
      { i: Nx.tensor(0), y: Nx.f64(1) },
      ({ i }) => i.less(n),
      ({ i, y }) => ({ i: i.add(1), y: y.multiply(x) }),
    ).y;

  it("runs until the condition no longer holds", () => {
    expect(power(Nx.f64(2), 10).toNumber()).toBe(1024);
    expect(power(Nx.f64(2), 0).toNumber()).toBe(1);
    expect(Nx.defn(power)(Nx.f64(2), Nx.tensor(5)).toNumber()).toBe(32);
  });

  it("takes numbers as state and keeps the kind of containers", () => {
    const last = whileLoop(
      List([1, 0.5]),
      (s) => Nx.less(s.get(0)!, 4),
      (s) => s.map((x) => Nx.multiply(x, 2)),
    );
    expect(last).toBeInstanceOf(List);
    expect([last.get(0)!.toNumber(), last.get(1)!.toNumber()]).toEqual([4, 2]);
  });

  it("says what differs between the state and what the body returned", () => {
    const fn = () =>
      whileLoop(
        { a: Nx.tensor(1), b: Nx.f32([1, 2], { names: ["x"] }) },
        ({ a }) => a.less(3),
        ({ a, b }) => ({ a: a.add(1.5), b: b.reshape([2]) }),
      );
    expect(fn).toThrow(Nx.DefnError);
    expect(fn).toThrow(
      "the state at .a is s64[] and it returned f32[], the state at .b is f32[x: 2] and it returned f32[2]",
    );
    expect(() =>
      whileLoop(
        Nx.tensor(1),
        (x) => x.less(2),
        (x) => [x],
      ),
    ).toThrow("the state is tensor and it returned array");
    expect(() =>
      whileLoop(
        Nx.iota([2]),
        (x) => x.less(2),
        (x) => x,
      ),
    ).toThrow("reduce it with Nx.all or Nx.any");
    expect(() =>
      whileLoop(
        "x",
        () => true,
        (x) => x,
      ),
    ).toThrow(Nx.NxError);
    expect(() =>
      whileLoop(
        {},
        () => true,
        (x) => x,
      ),
    ).toThrow("a state of at least one tensor");
  });

  it.each([0, 1, 2, 31, 33, 100, 1100])("is differentiated after %i steps", (n) => {
    const gradient = grad((x: Nx.Tensor) => power(x, n))(Nx.f64(1.001)).toNumber() as number;
    expect(gradient / (n * 1.001 ** (n - 1) || 1)).toBeCloseTo(n === 0 ? 0 : 1, 12);
  });

  it("is differentiated with respect to the state, what it closes over, and twice", () => {
    const settle = (x: Nx.Tensor, rate: Nx.Tensor) =>
      whileLoop(
        x,
        (y) => y.reduceMax().greater(0.2),
        (y) => y.multiply(rate).add(y.multiply(y).multiply(0.01)),
      );
    expectGradients(settle, Nx.f64([1, 0.8]), Nx.f64([0.7, 0.6]));
    expect(grad(grad((x: Nx.Tensor) => power(x, 5)))(Nx.f64(1.5)).toNumber()).toBeCloseTo(20 * 1.5 ** 3, 10);
  });
});

describe("scan", () => {
  const recurrence = (x: Nx.Tensor, w: Nx.Tensor) =>
    scan(
      (h, e) => {
        const next = h.multiply(w).add(e).tanh();
        return [next, next.sum()] as const;
      },
      Nx.f64([0.1, 0.2]),
      x,
    );

  it("stacks results along the axis it goes along", () => {
    const x = Nx.iota([2, 3], { names: ["x", "t"] });
    const [last, all] = scan((sum, column) => [sum.add(column), sum], Nx.s64([0, 0], { names: ["x"] }), x, {
      axis: "t",
    });
    expect(last.toList()).toEqual([3, 12]);
    expect([all.names, all.toList()]).toEqual([
      ["x", "t"],
      [
        [0, 0, 1],
        [0, 3, 7],
      ],
    ]);
  });

  it("goes backwards on request", () => {
    const [last, all] = scan((sum, x) => [sum.add(x), sum.add(x)], Nx.tensor(0), Nx.tensor([1, 2, 3]), {
      reverse: true,
    });
    expect([last.toNumber(), all.toList()]).toEqual([6, [6, 5, 3]]);
  });

  it("keeps nothing of steps that give null", () => {
    const x = Nx.f64([[1, 5], [7, 2]]); // prettier-ignore
    const largest = (t: Nx.Tensor) => scan((best, row) => [Nx.max(best, row), null], Nx.f64([0, 0]), t);
    const [last, nothing] = largest(x);
    expect([last.toList(), nothing]).toEqual([[7, 5], null]);
    for (const fn of [Nx.defn(largest), (t: Nx.Tensor) => Nx.Defn.jitApply(largest, [t])]) {
      const [compiled, kept] = fn(x);
      expect([compiled.equals(last), kept]).toEqual([true, null]);
    }
    const both = Nx.Defn.vmap(largest)(Nx.stack([x, x.negate()]));
    expect([both[0].toList(), both[1]]).toEqual([[[7, 5], [0, 0]], null]); // prettier-ignore
    expect(() => Nx.defn(() => null as unknown as Nx.Tensor)()).toThrow("the function returned null");
    expectGradients((t) => scan((s, e) => [s.multiply(e), null], Nx.f64(1), t)[0], randoms([5]));
  });

  it("refuses wrong steps, sequences and options", () => {
    expect(() => scan((s: Nx.Tensor) => s as never, Nx.tensor(0), Nx.iota([2]))).toThrow(
      "must return [next state, result]",
    );
    expect(() => scan((s) => [s.add(0.5), s], Nx.tensor(0), Nx.iota([2]))).toThrow(
      "the state is s64[] and it returned f32[]",
    );
    expect(() => scan((s) => [s, s], Nx.tensor(0), Nx.tensor(1))).toThrow(Nx.ArgumentError);
    expect(() => scan((s) => [s, s], Nx.tensor(0), [])).toThrow("at least one tensor to go along");
    expect(() => scan((s) => [s, s], Nx.tensor(0), Nx.iota([2]), { along: 1 } as never)).toThrow(
      'unknown option "along"',
    );
  });

  it("is differentiated in both directions and twice", () => {
    expectGradients((x, w) => recurrence(x, w)[1], randoms([4, 2]), randoms([2]));
    expectGradients((x, w) => recurrence(x, w)[0], randoms([4, 2]), randoms([2]));
    expectGradients(
      (x) => scan((s, e) => [s.add(e.multiply(s)), e.multiply(s)], Nx.f64(1), x, { reverse: true })[1],
      randoms([5]),
    );
    expectGradients(
      (w) =>
        grad(
          (v: Nx.Tensor) =>
            recurrence(
              Nx.f64([
                [0.1, 0.4],
                [0.3, -0.2],
              ]),
              v,
            )[1],
        )(w),
      randoms([2]),
    );
  });

  it("costs as much per step however long it is", () => {
    const [sum] = scan((s, x) => [s.add(x), x], Nx.tensor(0), Nx.iota([3000]));
    expect(sum.toNumber()).toBe((3000 * 2999) / 2);
  });
});

describe("map", () => {
  it("goes along any axis of containers", () => {
    const pairs = {
      a: Nx.iota([2, 3], { names: ["x", "y"] }),
      b: Nx.iota([3, 3], { names: ["z", "y"] }).at(Nx.range(0, 2)),
    };
    const result = map(({ a, b }) => a.add(b.rename([null])), pairs, { axis: "y" });
    expect([result.names, result.toList()]).toEqual([
      ["x", "y"],
      [
        [0, 2, 4],
        [6, 8, 10],
      ],
    ]);
  });

  it("is differentiated", () => {
    expectGradients((x, w) => map((row) => row.multiply(w).sum().sin(), x), randoms([3, 2]), randoms([2]));
  });
});
