import { List, Map, OrderedMap, Record } from "immutable";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { foreignBackend } from "../testing/foreign-backend";

const { defn } = Nx;

function counted<F extends (...args: never[]) => unknown>(fn: F): F & { traces: () => number } {
  let traces = 0;
  const wrapped = ((...args: never[]) => {
    traces++;
    return fn(...args);
  }) as F;
  return Object.assign(wrapped, { traces: () => traces });
}

describe("signature cache", () => {
  it("traces once per type, shape and names", () => {
    const fn = counted((t: Nx.Tensor) => t.add(1));
    const wrapped = defn(fn);
    wrapped(Nx.tensor([1, 2]));
    wrapped(Nx.tensor([3, 4]));
    expect(fn.traces()).toBe(1);
    wrapped(Nx.tensor([1.5, 2]));
    wrapped(Nx.tensor([1, 2, 3]));
    wrapped(Nx.tensor([1, 2], { names: ["x"] }));
    expect(fn.traces()).toBe(4);
  });

  it("keeps statics in the key, by value where they have one", () => {
    const fn = counted((t: Nx.Tensor, options: { axis: string; keys: List<string> }) =>
      t.sum({ axes: [options.axis] }).add(options.keys.size),
    );
    const wrapped = defn(fn);
    const t = Nx.iota([2, 3], { names: ["x", "y"] });
    expect(wrapped(t, { axis: "x", keys: List(["a"]) }).toList()).toEqual([4, 6, 8]);
    expect(wrapped(t, { axis: "x", keys: List(["a"]) }).toList()).toEqual([4, 6, 8]);
    expect(fn.traces()).toBe(1);
    expect(wrapped(t, { axis: "y", keys: List(["a"]) }).toList()).toEqual([4, 13]);
    expect(fn.traces()).toBe(2);
  });

  it("takes whole arguments as static on request", () => {
    const fn = counted((t: Nx.Tensor, times: number) =>
      Array.from({ length: times }).reduce((sum: Nx.Tensor) => sum.add(t), t),
    );
    const wrapped = defn(fn, { staticArgs: [1] });
    expect(wrapped(Nx.tensor(2), 3).toNumber()).toBe(8);
    expect(wrapped(Nx.tensor(2), 1).toNumber()).toBe(4);
    expect(fn.traces()).toBe(2);
  });

  it("tells containers of different kinds apart", () => {
    const fn = counted((c: unknown) => (Array.isArray(c) ? (c as Nx.Tensor[])[0]! : (c as { 0: Nx.Tensor })[0]));
    const wrapped = defn(fn);
    wrapped([Nx.tensor(1)]);
    wrapped({ 0: Nx.tensor(1) });
    expect(fn.traces()).toBe(2);
  });
});

describe("arguments and results", () => {
  it("keeps numbers weak, given as arguments or written in the body", () => {
    const add = defn((a: Nx.Operand, b: Nx.Operand) => Nx.add(a, b));
    expect(add(1, Nx.u8(2)).type).toBe("u8");
    expect(add(1.5, Nx.u8(2)).type).toBe("f32");
    expect(add(1, 2).type).toBe("s64");
    expect(defn((t: Nx.Tensor) => t.add(1))(Nx.u8(2)).type).toBe("u8");
    expect(defn(() => 1 as unknown as Nx.Tensor)().type).toBe("s64");
  });

  it("keeps the kind of every container", () => {
    const Point = Record({ x: Nx.tensor(0), y: Nx.tensor(0) });
    const double = (t: Nx.Tensor) => t.multiply(2);
    const result = defn(
      (a: Nx.Tensor[], b: { p: InstanceType<typeof Point>; q: Map<string, Nx.Tensor> }, c: List<Nx.Tensor>) => ({
        a: a.map(double),
        p: b.p.set("y", b.p.x.add(1)),
        q: OrderedMap(b.q.map(double)),
        c: c.map(double),
      }),
    )(
      [Nx.tensor(1), Nx.tensor(2)],
      { p: new Point({ x: Nx.tensor(5) }), q: Map({ k: Nx.tensor(3) }) },
      List([Nx.tensor(4)]),
    );
    expect(result.a.map((t) => t.toNumber())).toEqual([2, 4]);
    expect(result.p).toBeInstanceOf(Point);
    expect(result.p.y.toNumber()).toBe(6);
    expect(OrderedMap.isOrderedMap(result.q)).toBe(true);
    expect(result.q.get("k")!.toNumber()).toBe(6);
    expect(List.isList(result.c)).toBe(true);
    expect(result.c.get(0)!.toNumber()).toBe(8);
  });

  it("keys of objects cannot be mistaken for structure", () => {
    const fn = counted((c: unknown) => Object.values(c as object)[0] as Nx.Tensor);
    const wrapped = defn(fn);
    wrapped({ "a;s64[];b": Nx.tensor(1) });
    wrapped({ a: Nx.tensor(1), b: Nx.tensor(1) });
    expect(fn.traces()).toBe(2);
  });

  it("does not depend on the order of object keys", () => {
    const fn = counted((c: { a: Nx.Tensor; b: Nx.Tensor }) => c.a.subtract(c.b));
    const wrapped = defn(fn);
    expect(wrapped({ a: Nx.tensor(5), b: Nx.tensor(3) }).toNumber()).toBe(2);
    expect(wrapped({ b: Nx.tensor(3), a: Nx.tensor(5) }).toNumber()).toBe(2);
    expect(fn.traces()).toBe(1);
  });

  it("takes tensors of the surroundings", () => {
    const scale = Nx.tensor([10, 20]);
    expect(defn((t: Nx.Tensor) => t.multiply(scale))(Nx.tensor([1, 2])).toList()).toEqual([10, 40]);
  });

  it("runs a defn inside a defn as part of it", () => {
    const inner = defn((a: Nx.Operand, b: Nx.Operand) => Nx.add(a, b));
    expect(defn((t: Nx.Tensor) => inner(t, 1))(Nx.u8(2)).type).toBe("u8");
    const text = String(Nx.Defn.debugExpr((t: Nx.Tensor) => inner(t, 1))(Nx.u8(2)));
    expect(text).toContain("add(");
  });
});

describe("user functions", () => {
  it("reduce and map trace, with what they read of the surroundings", () => {
    const fn = defn((t: Nx.Tensor, k: Nx.Tensor) => {
      const scaled = Nx.map(t, (x) => Nx.add(Nx.multiply(x, k.sum()), 1));
      return Nx.reduce(scaled, 0, (x, acc) => Nx.max(x, Nx.add(acc, k.at(0))), { axes: [1] });
    });
    const t = Nx.tensor([
      [1, 2, 3],
      [9, 0, 1],
    ]);
    const k = Nx.tensor([2, 3]);
    const eager = Nx.reduce(
      Nx.map(t, (x) => Nx.add(Nx.multiply(x, 5), 1)),
      0,
      (x, acc) => Nx.max(x, Nx.add(acc, 2)),
      { axes: [1] },
    );
    expect(fn(t, k)).toEqual(eager);
  });
});

describe("errors while tracing", () => {
  it("reading values", () => {
    expect(() => defn((t: Nx.Tensor) => Nx.add(t, t.toNumber() as number))(Nx.tensor(1))).toThrow(Nx.DefnError);
    expect(() => defn((t: Nx.Tensor) => ((t as unknown as number) > 0 ? t : t))(Nx.tensor(1))).toThrow(
      /no value yet.*Nx\.select/,
    );
  });

  it("results that are no tensors", () => {
    expect(() => defn((() => undefined) as unknown as () => Nx.Tensor)()).toThrow(/is a return missing\?/);
    expect(() => defn((async (t: Nx.Tensor) => t) as unknown as (t: Nx.Tensor) => Nx.Tensor)(Nx.tensor(1))).toThrow(
      /cannot be async/,
    );
    expect(() => defn((t: Nx.Tensor) => ({ t, label: "no" }))(Nx.tensor(1))).toThrow(/\.label returned "no"/);
  });

  it("a traced tensor that escapes", () => {
    let leaked: Nx.Tensor | undefined;
    defn((t: Nx.Tensor) => (leaked = t.add(1)))(Nx.tensor(1));
    expect(() => leaked!.add(1)).toThrow(/after its trace had ended/);
    expect(() => leaked!.toNumber()).toThrow(Nx.DefnError);
  });

  it("leaves nothing behind after an error", () => {
    expect(() => defn((t: Nx.Tensor) => t.sum({ axes: ["nope"] }))(Nx.tensor([1]))).toThrow(/no axis named "nope"/);
    expect(Nx.add(1, 2).backend).toBe(Nx.tensor(0).backend);
    expect(Nx.add(1, 2).toNumber()).toBe(3);
  });

  it("what is not a function, unknown options", () => {
    expect(() => defn(3 as never)).toThrow(/expects a function/);
    expect(() => defn((t: Nx.Tensor) => t, { compilr: "evaluator" } as never)).toThrow(/did you mean "compiler"/);
    expect(() => defn((t: Nx.Tensor) => t, { compiler: "fast" as never })).toThrow(/"optimizing"/);
  });
});

describe("backends", () => {
  it("runs on the backend of the arguments, constants included", () => {
    const backend = foreignBackend();
    const fn = defn((t: Nx.Tensor) => t.add(1).multiply(Nx.iota([2])));
    const result = fn(Nx.backendCopy(Nx.tensor([1, 2]), backend));
    expect(result.backend).toBe(backend);
    expect(result.toList()).toEqual([0, 3]);
  });

  it("evaluator and optimizing compilers agree", () => {
    const fn = (t: Nx.Tensor) => t.subtract(t.mean()).divide(t.standardDeviation()).exp().sum();
    const t = Nx.tensor([1, 2, 4, 8]);
    expect(defn(fn, { compiler: "evaluator" })(t)).toEqual(defn(fn, { compiler: "optimizing" })(t));
  });
});
