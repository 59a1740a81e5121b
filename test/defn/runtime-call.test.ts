import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import * as Nx from "nx-numerics";

const compilers = ["optimizing", "evaluator"] as const;
const backends = ["wasm", "binary"] as const;
const ways = compilers.flatMap((compiler) => backends.map((backend) => ({ compiler, backend })));

/** By hand, of one vector: what cannot be traced, since it reads the values. */
const reversedSums = (t: Nx.Tensor): Nx.Tensor => {
  let sum = 0;
  return Nx.f64(t.toNumbers().map((value) => (sum = value - sum)));
};

const like = (t: Nx.Tensor): Nx.Tensor => Nx.template(t.shape, "f64");

describe.each(ways)("runtimeCall in defn, $compiler on $backend", ({ compiler, backend }) => {
  const run = <A extends unknown[], R>(fn: (...args: A) => R, ...args: A): R =>
    Nx.withDefaultBackend(backend, () => Nx.Defn.jit(fn, { compiler })(...args));

  it("gives what the function gives for the values, among fused operations", () => {
    const fn = (x: Nx.Tensor): Nx.Tensor => Nx.runtimeCall(like(x), x.multiply(2).add(1), reversedSums).abs().add(x);
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, min: -9, max: 9 }), { minLength: 1, maxLength: 9 }), (list) => {
        const eager = Nx.withDefaultBackend(backend, () => fn(Nx.f64(list)));
        const traced = run(
          fn,
          Nx.withDefaultBackend(backend, () => Nx.f64(list)),
        );
        expect(traced.toBinary()).toEqual(eager.toBinary());
      }),
      { numRuns: 20 },
    );
  });

  it("calls it again on each run, with the values of that run", () => {
    const seen: number[] = [];
    const fn = Nx.Defn.jit((x: Nx.Tensor) => Nx.runtimeCall(Nx.template([], "s64"), x, (t) => seen.push(t.item())), {
      compiler,
    });
    expect([5, 7, 5].map((n) => fn(Nx.tensor(n)).item())).toEqual([1, 2, 3]);
    expect(seen).toEqual([5, 7, 5]);
  });

  it("leaves large values alone that the function keeps and gives back", () => {
    const kept: Nx.Tensor[] = [];
    const keep = (t: Nx.Tensor): Nx.Tensor => {
      kept.push(t);
      return t;
    };
    const x = Nx.withDefaultBackend(backend, () => Nx.iota([20_000]).f32());
    const fn = (t: Nx.Tensor): Nx.Tensor => {
      const called = Nx.runtimeCall(t, t.add(1), keep);
      return called.add(1).sqrt().cumulativeSum().multiply(called);
    };
    const first = run(fn, x).toTypedArray();
    expect(kept[0]!.slice([19_999], [1]).toNumbers()).toEqual([20_000]);
    expect(run(fn, x).toTypedArray()).toEqual(first);
    expect(kept[0]!.slice([0], [3]).toNumbers()).toEqual([1, 2, 3]);
  });

  it("runs in the branch that is taken and in each turn of a loop, where it is read", () => {
    const calls: string[] = [];
    const note =
      (label: string) =>
      (t: Nx.Tensor): Nx.Tensor => {
        calls.push(label);
        return t.multiply(2);
      };
    const fn = (x: Nx.Tensor): Nx.Tensor => {
      Nx.runtimeCall(x, x, note("unread"));
      const positive = Nx.Defn.cond([[x.greater(0), () => Nx.runtimeCall(x, x, note("positive"))]], () =>
        Nx.runtimeCall(x, x.negate(), note("negative")),
      );
      return Nx.Defn.whileLoop(
        positive,
        (s) => s.less(20),
        (s) => Nx.runtimeCall(x, s, note("turn")),
      );
    };
    expect(run(fn, Nx.tensor(-3)).item()).toBe(24);
    expect(calls).toEqual(["negative", "turn", "turn"]);
  });

  it("is not merged with another call, nor computed before there are values", () => {
    let count = 0;
    const next = (): number => ++count;
    const fn = (x: Nx.Tensor): Nx.Tensor => {
      const draw = (): Nx.Tensor => Nx.runtimeCall(Nx.template([], "s64"), 1, next);
      return Nx.stack([draw(), draw()]).add(x);
    };
    const compiled = Nx.Defn.compile(fn, [Nx.template([], "s64")], { compiler });
    expect(count).toBe(0);
    expect(compiled(Nx.tensor(0)).toNumbers().sort()).toEqual([1, 2]);
  });
});

describe("runtimeCall", () => {
  it("takes and gives containers, and passes options on", () => {
    const output = { sum: Nx.template([], "f32"), rest: [Nx.template([2], "u8", { names: ["bit"] })] } as const;
    const split = (
      { t, k }: { readonly t: Nx.Tensor; readonly k: Nx.Tensor },
      { bits }: { readonly bits: readonly number[] },
    ) => ({ sum: t.sum().multiply(k), rest: [Nx.u8([...bits])] }) as const;
    const call = (t: Nx.Tensor) => Nx.runtimeCall(output, { t, k: 2 }, split, { options: { bits: [1, 0] } });
    for (const found of [call(Nx.f32([1, 2])), Nx.defn(call)(Nx.f32([1, 2]))]) {
      expect(found.sum.item()).toBe(6);
      expect(found.rest[0].names).toEqual(["bit"]);
      expect(found.rest[0].toNumbers()).toEqual([1, 0]);
    }
  });

  it("is called for each entry of vectorized axes, with its names", () => {
    const shapes: unknown[] = [];
    const row = (t: Nx.Tensor): number => {
      shapes.push([t.shape, t.names]);
      return Math.max(...t.toNumbers());
    };
    const best = (t: Nx.Tensor): Nx.Tensor => Nx.runtimeCall(Nx.template([], "s64"), t, row);
    const t = Nx.tensor([[1, 5, 2], [7, 0, 3]], { names: ["row", "x"] }); // prettier-ignore
    const wanted = [5, 7];
    expect(Nx.Defn.vmap(best)(t).toNumbers()).toEqual(wanted);
    expect(Nx.defn(Nx.Defn.vmap(best))(t).toNumbers()).toEqual(wanted);
    expect(Nx.devectorize(best(Nx.vectorize(t, "row"))).toNumbers()).toEqual(wanted);
    expect(shapes).toEqual(Array(6).fill([[3], ["x"]]));
    const both = Nx.Defn.vmap((a: Nx.Tensor) =>
      Nx.Defn.vmap((b: Nx.Tensor) =>
        Nx.runtimeCall(Nx.template([], "s64"), [a, b], ([p, q]) => p!.item() * 10 + q!.item()),
      )(Nx.tensor([1, 2, 3])),
    )(Nx.tensor([4, 5]));
    expect(both.toList()).toEqual([[41, 42, 43], [51, 52, 53]]); // prettier-ignore
  });

  it("has no gradient but one that is given to it, wherever the cotangent comes from", () => {
    const double = (t: Nx.Tensor): Nx.Tensor => t.multiply(2);
    const call = (x: Nx.Tensor): Nx.Tensor => Nx.runtimeCall(x, x, double);
    const x = Nx.f32([1, 2]);
    const refused = /function "double" of Nx.runtimeCall has no gradient.*customGrad/;
    const turns = (x: Nx.Tensor): Nx.Tensor => Nx.Defn.foriLoop(0, 2, (_i, s) => call(s), x).sum();
    const between = (x: Nx.Tensor): Nx.Tensor =>
      Nx.Defn.foriLoop(0, 2, (_i, { b }) => ({ a: call(b), b }), { a: Nx.f32([0, 0]), b: x } as { a: Nx.Tensor; b: Nx.Tensor }).a.sum(); // prettier-ignore
    for (const loss of [(t: Nx.Tensor) => call(t).sum(), turns, between])
      expect(() => Nx.grad(loss)(x)).toThrow(refused);
    expect(() => Nx.Defn.jvp(call, [x], [x])).toThrow(refused);
    expect(Nx.grad((t: Nx.Tensor) => t.multiply(Nx.Defn.stopGrad(call(t))).sum())(x).toNumbers()).toEqual([2, 4]);
    expect(Nx.grad((t: Nx.Tensor) => t.multiply(call(Nx.f32([3, 4]))).sum())(x).toNumbers()).toEqual([6, 8]);
    const own = (t: Nx.Tensor): Nx.Tensor => Nx.Defn.customGrad(call(t), [t], (g) => [g.multiply(2)]).sum();
    expect(Nx.grad(own)(x).toNumbers()).toEqual([2, 2]);
    expect(Nx.grad((t: Nx.Tensor) => Nx.Defn.vmap(own)(t).sum())(Nx.f32([[1, 2]])).toList()).toEqual([[2, 2]]);
  });

  const f = Nx.template([2], "f32", { names: ["x"] });
  const t = Nx.f32([1, 2], { names: ["x"] });
  it.each<[string, () => unknown, RegExp]>([
    ["a type", () => t.f64(), /function must return what its output says, but that is f32\[x: 2\] and it returned f64/],
    ["a shape", () => t.sum(), /it returned f32\[\]/],
    ["names", () => t.rename(["y"]), /it returned f32\[y: 2\]/],
    ["a structure", () => [t], /that is tensor and it returned array/],
    ["a number that does not fit", () => 1, /it returned f32\[\]/],
    ["a promise", () => Promise.resolve(t), /cannot be async/],
    ["nothing", () => undefined, /is a return missing/],
    ["a template", () => f, /must return tensors with values, but it returned template/],
    ["a vectorized tensor", () => Nx.vectorize(Nx.f32([[1, 2]]), "v"), /must return tensors with values/],
  ])("refuses %s other than its output says, eagerly, traced and vectorized", (_what, wrong, message) => {
    const call = (x: Nx.Tensor): Nx.Tensor => Nx.runtimeCall(f, x, wrong as () => Nx.Tensor);
    expect(() => call(t)).toThrow(message);
    expect(() => Nx.defn(call)(t)).toThrow(message);
    expect(() => Nx.Defn.vmap(call)(Nx.stack([t]))).toThrow(message);
  });

  it("says what it is given wrongly, and lets errors of the function through as they are", () => {
    const refused = (args: readonly unknown[]) =>
      expect(() => (Nx.runtimeCall as (...args: readonly unknown[]) => unknown)(...args));
    refused([t, t, 3]).toThrow("what Nx.runtimeCall calls must be a function, got: 3");
    refused([[], t, () => t]).toThrow("Nx.runtimeCall expects a template or a container of them, got: []");
    refused([t, {}, () => t]).toThrow("Nx.runtimeCall expects a tensor, a number or a container of them, got: {}");
    refused(["f32", t, () => t]).toThrow(/output of Nx.runtimeCall must be a tensor/);
    refused([t, t, () => t, { scale: 3 }]).toThrow(
      'unknown option "scale" for Nx.runtimeCall, expected one of: options',
    );
    const own = new RangeError("mine");
    const fail = vi.fn(() => {
      throw own;
    });
    const call = (x: Nx.Tensor): Nx.Tensor => Nx.runtimeCall(t, x, fail);
    expect(() => Nx.defn(call)(t)).toThrow(own);
    expect(fail).toHaveBeenCalledOnce();
  });

  it("is a node that is shown by name", () => {
    const double = (t: Nx.Tensor): Nx.Tensor => t.multiply(2);
    const text = Nx.Defn.debugExpr((x: Nx.Tensor) => Nx.runtimeCall(x, x, double).exp())(t).toString();
    expect(text).toContain('b = runtimeCall(a, name: "double")');
    expect(String(Nx.Defn.explain((x: Nx.Tensor) => Nx.runtimeCall(x, x, double).exp())(t))).toContain("runtimeCall(a");
  });
});
