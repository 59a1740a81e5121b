import fc from "fast-check";
import { List } from "immutable";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { bind, type Bindings } from "../../lib/core/dims";

const { compile } = Nx.Defn;

/** A function that counts how often it is traced. */
function counted<A extends unknown[], R>(fn: (...args: A) => R) {
  const counter = { traces: 0 };
  const call = (...args: A): R => {
    counter.traces++;
    return fn(...args);
  };
  return { call, counter };
}

const f32 = (...shape: number[]) => Nx.iota(shape, { type: "f32" });

describe("templates with names of dimensions", () => {
  it("say what they stand for", () => {
    const t = Nx.template(["batch", 3], "f32", { names: ["row", null] });
    expect(t).toBeInstanceOf(Nx.SymbolicTemplate);
    expect(t).not.toBeInstanceOf(Nx.Tensor);
    expect([t.type, t.shape, t.names, t.rank]).toEqual(["f32", ["batch", 3], ["row", null], 2]);
    const text = "#Nx.Tensor<\n  f32[row: batch][3]\n  Nx.TemplateBackend\n>";
    expect([String(t), Nx.inspect(t)]).toEqual([text, text]);
    expect(Object.isFrozen(t.shape)).toBe(true);
  });

  it("are tensors where no size is a name", () => {
    expect(Nx.template([2] as readonly (number | string)[], "f32")).toBeInstanceOf(Nx.Tensor);
  });

  it.each<[string, unknown, string]>([
    ["number as text", ["2", 3], 'or the name of a dimension such as "batch"'],
    ["empty name", [""], 'not "auto"), got: ""'],
    ["any size", ["auto"], 'not "auto"), got: "auto"'],
    ["name that looks like an axis", ["x: 2"], 'got: "x: 2"'],
    ["empty axis", ["n", 0], 'must hold positive integers only, got 0 in ["n", 0]'],
    ["hole", ["n", undefined], "must hold positive integers only, got undefined"],
  ])("refuse a %s", (_what, shape, message) => {
    expect(() => Nx.template(shape as string[], "f32")).toThrow(message);
  });

  it("refuse types and axis names that do not fit", () => {
    expect(() => Nx.template(["n"], "f33" as never)).toThrow(Nx.ArgumentError);
    expect(() => Nx.template(["n"], "f32", { names: ["a", "b"] })).toThrow("rank 1 and shape [n]");
    expect(() => Nx.template(["n", "n"], "f32", { names: ["a", "a"] })).toThrow("duplicate names");
    expect(() => Nx.template(["n"], "f32", { label: "a" } as never)).toThrow("unknown option");
    expect(Nx.template(["n"], "f32", { name: "a" } as never).names).toEqual(["a"]);
  });

  it.each<[string, (t: never) => unknown]>([
    ["a function", (t) => Nx.abs(t)],
    ["a function of two", (t) => Nx.add(1, t)],
    ["a function of many", (t) => Nx.concatenate([t, t])],
    ["a method", (t) => (t as Nx.Tensor).add(1)],
    ["a defn", (t) => Nx.defn((x: Nx.Tensor) => x.add(1))(t)],
    ["a defn, in a container", (t) => Nx.defn((x: { a: Nx.Tensor }) => x.a)({ a: t })],
    ["a gradient", (t) => Nx.grad((x: Nx.Tensor) => x.sum())(t)],
    ["a printed graph", (t) => Nx.Defn.debugExpr((x: Nx.Tensor) => x.sum())(t)],
  ])("cannot be computed with: %s", (_what, use) => {
    const t = Nx.template(["n"], "f32") as never;
    expect(() => use(t)).toThrow(Nx.BackendError);
    expect(() => use(t)).toThrow(/cannot perform operations on a Nx.TemplateBackend tensor.*f32\[n\]/);
  });
});

describe("functions compiled for them", () => {
  const gram = (rows: Nx.Tensor) => Nx.dot(rows.transpose(), rows);

  it("run at any size, traced once for each", () => {
    const { call, counter } = counted(gram);
    const compiled = compile(call, [Nx.template(["batch", 3], "f32")]);
    expect(counter.traces).toBe(1);
    for (const size of [2, 4, 1, 4, 2]) {
      expect(compiled(f32(size, 3)).toList()).toEqual(gram(f32(size, 3)).toList());
    }
    expect(counter.traces).toBe(4);
  });

  it("agree with the function for all sizes", () => {
    const fn = (a: Nx.Tensor, b: Nx.Tensor) => Nx.dot(a, b).add(a.sum()).divide(2);
    const compiled = compile(fn, [Nx.template(["m", "k"], "f32"), Nx.template(["k", "n"], "f32")]);
    const size = fc.integer({ min: 1, max: 9 });
    fc.assert(
      fc.property(size, size, size, (m, k, n) => {
        const [a, b] = [f32(m, k), f32(k, n)];
        expect(compiled(a, b).equals(fn(a, b))).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it("assert that a name is the same size in two arguments", () => {
    const compiled = compile(
      (a: Nx.Tensor, b: Nx.Tensor) => a.add(b),
      [Nx.template(["batch", 1], "f32"), Nx.template(["batch", 3], "f32")],
    );
    expect(compiled(f32(5, 1), f32(5, 3)).shape).toEqual([5, 3]);
    expect(() => compiled(f32(5, 1), f32(4, 3))).toThrow(
      '"batch" is 5 in argument 0 but 4 in argument 1 (axis 0 of f32[batch][3], got f32[4][3])',
    );
    // sizes that broadcast are not the same
    expect(() => compiled(f32(5, 1), f32(1, 3))).toThrow('"batch" is 5 in argument 0 but 1 in argument 1');
  });

  it("assert that a name is the same size on two axes", () => {
    const trace = compile((t: Nx.Tensor) => Nx.takeDiagonal(t).sum(), [Nx.template(["n", "n"], "f32")]);
    expect(trace(f32(3, 3)).toNumber()).toBe(12);
    expect(() => trace(f32(2, 3))).toThrow(
      '"n" is 2 on axis 0 but 3 in argument 0 (axis 1 of f32[n][n], got f32[2][3])',
    );
  });

  it("take containers and statics", () => {
    const fn = (layer: { w: Nx.Tensor; list: List<Nx.Tensor> }, x: Nx.Tensor, word: string, k: number) => ({
      out: Nx.dot(x, layer.w).add(layer.list.get(0)!).multiply(k).add(word.length),
    });
    const compiled = compile(fn, [
      { w: Nx.template(["in", "out"], "f32"), list: List([Nx.template(["out"], "f32")]) },
      Nx.template(["batch", "in"], "f32"),
      "ab",
      1.5,
    ]);
    const layer = (n: number, m: number, bias = m) => ({ w: f32(n, m), list: List([f32(bias)]) });
    for (const [n, m, batch] of [
      [2, 3, 4],
      [3, 1, 2],
    ] as const) {
      const wanted = fn(layer(n, m), f32(batch, n), "ab", 2.5).out;
      expect(compiled(layer(n, m), f32(batch, n), "ab", 2.5).out.equals(wanted)).toBe(true);
    }
    expect(() => compiled(layer(2, 3, 4), f32(4, 2), "ab", 1)).toThrow(
      '"out" is 4 in argument 0 at .list[0] but 3 in argument 0 at .w (axis 1 of f32[in][out], got f32[2][3])',
    );
    expect(() => compiled(layer(2, 3), f32(4, 2), "abc", 1)).toThrow(
      /called with .*f32\[4\]\[2\].*compiled for f32\[out\], f32\[in\]\[out\], f32\[batch\]\[in\], f32\[\]/,
    );
  });

  it("compare types, ranks, fixed sizes and axis names", () => {
    const compiled = compile((t: Nx.Tensor) => t.sum(), [Nx.template(["n", 3], "f32", { names: ["x", null] })]);
    const t = (shape: number[], names: (string | null)[], type: Nx.DType = "f32") => Nx.iota(shape, { type, names });
    expect(compiled(t([2, 3], ["x", null])).toNumber()).toBe(15);
    const pattern = "f32[x: n][3], got";
    expect(() => compiled(t([2, 3], ["x", null], "s64"))).toThrow(
      `argument 0 must be of type f32, got s64 (${pattern} s64[x: 2][3])`,
    );
    expect(() => compiled(t([3], ["x"]))).toThrow(`argument 0 must have rank 2, got rank 1 (${pattern} f32[x: 3])`);
    expect(() => compiled(t([2, 4], ["x", null]))).toThrow(
      `a size of argument 0 must be 3, got 4 (axis 1 of ${pattern} f32[x: 2][4])`,
    );
    expect(() => compiled(t([2, 3], [null, null]))).toThrow(
      `axis 0 of argument 0 must be named "x", got unnamed (${pattern} f32[2][3])`,
    );
    expect(() => compiled(t([2, 3], ["x", "y"]))).toThrow('axis 1 of argument 0 must be unnamed, got named "y"');
    expect(() => (compiled as () => unknown)()).toThrow("called with no tensors, but it was compiled for f32[x: n][3]");
  });

  it("keep as many sizes as they were told to", () => {
    const { call, counter } = counted((t: Nx.Tensor) => t.add(1));
    const compiled = compile(call, [Nx.template(["n"], "f32")], { maxCacheEntries: 2 });
    for (const size of [1, 2, 1, 3, 1]) compiled(f32(size)); // 3 takes the place of 2
    expect(counter.traces).toBe(1 + 3);
    compiled(f32(2));
    expect(counter.traces).toBe(1 + 4);
  });

  it("keep the promotion of their compilation", () => {
    const add = (a: Nx.Tensor, b: Nx.Tensor) => a.add(b);
    const compiled = compile(add, [Nx.template(["n"], "u8"), Nx.template(["n"], "s8")]);
    const args = [Nx.u8([1]), Nx.s8([1])] as const;
    expect(Nx.withPromotion("strict", () => compiled(...args)).type).toBe("s16");
    expect(() => compile(add, [Nx.template(["n"], "u8"), Nx.template(["n"], "s8")], { promotion: "strict" })).toThrow(
      /strict promotion/,
    );
  });

  it("release what is donated and leave statics alone", () => {
    const compiled = compile((a: Nx.Tensor, k: number) => a.multiply(k), [Nx.template(["n"], "f32"), 3], {
      donate: [0],
      staticArgs: [1],
    });
    const a = f32(4);
    expect(compiled(a, 3).toList()).toEqual([0, 3, 6, 9]);
    expect(() => a.toList()).toThrow(Nx.BackendError);
    expect(() => compiled(f32(4), 4)).toThrow("containers, static arguments or their number differ");
  });

  it("become part of the graph of a function that calls them", () => {
    const compiled = compile((t: Nx.Tensor) => t.exp(), [Nx.template(["n", "n"], "f32")]);
    const outer = (t: Nx.Tensor) => compiled(t.add(1));
    expect(String(Nx.Defn.debugExpr(outer)(f32(2, 2)))).toContain("exp(");
    expect(() => Nx.defn(outer)(f32(2, 3))).toThrow('"n" is 2 on axis 0 but 3 in argument 0');
  });
});

describe("errors of shape", () => {
  it("come when a function is compiled and name the dimensions", () => {
    const add = (a: Nx.Tensor, b: Nx.Tensor) => a.add(b);
    const templates = [Nx.template(["m"], "f32"), Nx.template(["n"], "f32")] as const;
    expect(() => compile(add, [...templates])).toThrow(
      /raised while compiling for f32\[m\], f32\[n\] with "m" = 5, "n" = 7, and likewise with "m" = 24, "n" = 36/,
    );
    expect(() => compile((t: Nx.Tensor) => t.add(Nx.iota([3])), [Nx.template(["n"], "f32")])).toThrow(Nx.ArgumentError);
  });

  it("do not come from sizes that were made up badly", () => {
    const halves = compile((t: Nx.Tensor) => t.reshape([2, t.shape[0]! / 2]), [Nx.template(["n"], "f32")]);
    expect(halves(f32(6)).shape).toEqual([2, 3]);
    expect(() => halves(f32(5))).toThrow(/raised by a function compiled for f32\[n\] with "n" = 5$/);
    const windows = compile((t: Nx.Tensor) => Nx.windowSum(t, [9]), [Nx.template(["n"], "f32")]);
    expect(windows(f32(10)).toList()).toEqual([36, 45]);
  });

  it("avoid sizes that are given", () => {
    const add = (a: Nx.Tensor, b: Nx.Tensor) => a.add(b);
    expect(() => compile(add, [Nx.template(["n"], "f32"), Nx.template([5], "f32")])).toThrow('with "n" = 7,');
  });

  it("other errors are left alone", () => {
    const broken = (): Nx.Tensor => {
      throw new TypeError("mine");
    };
    expect(() => compile(broken as (t: Nx.Tensor) => Nx.Tensor, [Nx.template(["n"], "f32")])).toThrow(
      new TypeError("mine"),
    );
  });
});

describe("bind", () => {
  it("binds each name once, to the size met first", () => {
    const bindings: Bindings = new Map();
    const pattern = { type: "f32", shape: ["n", 2, "m"], names: [null, null, null] } as const;
    bind(pattern, { ...pattern, shape: [3, 2, 4] }, bindings, "argument 0");
    bind(pattern, { ...pattern, shape: [3, 2, 4] }, bindings, "argument 1");
    expect([...bindings]).toEqual([
      ["n", { size: 3, where: "argument 0", axis: 0 }],
      ["m", { size: 4, where: "argument 0", axis: 2 }],
    ]);
  });
});
