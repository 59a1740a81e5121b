import { afterEach, describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";

const { defn } = Nx;

/** A function that counts how often it is traced. */
function counted<A extends unknown[], R>(fn: (...args: A) => R) {
  const counter = { traces: 0 };
  const call = (...args: A): R => {
    counter.traces++;
    return fn(...args);
  };
  return { call, counter };
}

const vector = (size: number) => Nx.iota([size], { type: "f32" });

afterEach(() => {
  Nx.Defn.defaultOptions({ compiler: "optimizing", maxCacheEntries: 128 });
});

describe("the cache", () => {
  it("lets go of the signature used longest ago", () => {
    const { call, counter } = counted((t: Nx.Tensor) => t.add(1));
    const wrapped = defn(call, { maxCacheEntries: 2 });
    for (const size of [1, 2, 1, 3, 1]) wrapped(vector(size)); // 3 takes the place of 2
    expect(counter.traces).toBe(3);
    wrapped(vector(2));
    expect(counter.traces).toBe(4);
    wrapped(vector(1));
    expect(counter.traces).toBe(4);
  });

  it("keeps as many as the defaults of the program say", () => {
    expect(Nx.Defn.defaultOptions({ maxCacheEntries: 1 })).toEqual({ compiler: "optimizing", maxCacheEntries: 128 });
    const { call, counter } = counted((t: Nx.Tensor) => t.add(1));
    const wrapped = defn(call);
    for (const size of [1, 2, 1]) wrapped(vector(size));
    expect(counter.traces).toBe(3);
    expect(Nx.Defn.defaultOptions()).toEqual({ compiler: "optimizing", maxCacheEntries: 1 });
  });

  it("keeps compilers apart", () => {
    const { call, counter } = counted((t: Nx.Tensor) => t.add(1));
    const wrapped = defn(call);
    wrapped(vector(2));
    Nx.Defn.defaultOptions({ compiler: "evaluator" });
    wrapped(vector(2));
    wrapped(vector(2));
    expect(counter.traces).toBe(2);
  });

  it("tells names, wrapped tensors and positions of statics apart", () => {
    const { call, counter } = counted(
      (...args: unknown[]) => args.find((arg) => arg instanceof Nx.Tensor) as Nx.Tensor,
    );
    const wrapped = defn(call);
    wrapped(vector(2), "a");
    wrapped("a", vector(2));
    wrapped(vector(2).rename(["x"]), "a");
    wrapped(Nx.vectorize(vector(2), "v"), "a");
    wrapped(vector(2), "a");
    expect(counter.traces).toBe(4);
  });
});

describe("jitApply and compile", () => {
  it("runs a function once", () => {
    expect(Nx.Defn.jitApply((a: Nx.Tensor, b: number) => a.multiply(b), [vector(3), 2]).toList()).toEqual([0, 2, 4]);
  });

  it("traces ahead of time and never again", () => {
    const { call, counter } = counted((c: { x: Nx.Tensor; k: number }, word: string) =>
      c.x.multiply(c.k).add(word.length),
    );
    const compiled = Nx.Defn.compile(call, [{ x: Nx.template([2], "f32"), k: 1.5 }, "ab"]);
    expect(counter.traces).toBe(1);
    expect(compiled({ x: vector(2), k: 2.5 }, "ab").toList()).toEqual([2, 4.5]);
    expect(counter.traces).toBe(1);
    expect(() => compiled({ x: vector(3), k: 2.5 }, "ab")).toThrow(
      "a compiled function was called with number f32, f32[3], but it was compiled for number f32, f32[2]; compile it",
    );
    expect(() => compiled({ x: vector(2), k: 2.5 }, "abc")).toThrow(
      "containers, static arguments or their number differ",
    );
    expect(counter.traces).toBe(1);
  });

  it("becomes part of the graph of a function that calls it", () => {
    const compiled = Nx.Defn.compile((t: Nx.Tensor) => t.exp(), [Nx.template([2], "f32")]);
    const text = String(Nx.Defn.debugExpr((t: Nx.Tensor) => compiled(t.add(1)))(vector(2)));
    expect(text).toContain("exp(");
  });

  it("reports errors of the function when it is compiled", () => {
    expect(() => Nx.Defn.compile((t: Nx.Tensor) => t.add(Nx.iota([3])), [Nx.template([2], "f32")])).toThrow(
      Nx.ArgumentError,
    );
  });
});

describe("donated arguments", () => {
  it("are released by the call", () => {
    const add = defn((a: Nx.Tensor, b: Nx.Tensor) => a.add(b), { donate: [0] });
    const [a, b] = [vector(3), vector(3)];
    expect(add(a, b).toList()).toEqual([0, 2, 4]);
    expect(() => a.toList()).toThrow(Nx.BackendError);
    expect(b.toList()).toEqual([0, 1, 2]);
  });

  it("stay where a result is one of them", () => {
    const both = defn((c: { a: Nx.Tensor; b: Nx.Tensor }) => [c.a, c.b.add(1)] as const, { donate: true });
    const [a, b] = [vector(2), vector(2)];
    const [same, more] = both({ a, b });
    expect(same.toList()).toEqual([0, 1]);
    expect(more.toList()).toEqual([1, 2]);
    expect(() => b.toList()).toThrow(Nx.BackendError);
  });

  it("keep results that share their elements", () => {
    const reshaped = defn((a: Nx.Tensor) => a.reshape([3, 1]), { donate: true });
    expect(reshaped(vector(3)).toList()).toEqual([[0], [1], [2]]);
  });

  it("must occur once", () => {
    const a = vector(2);
    expect(() => defn((x: Nx.Tensor, y: Nx.Tensor) => x.add(y), { donate: [1] })(a, a)).toThrow(
      "donated was given twice",
    );
    expect(a.toList()).toEqual([0, 1]);
  });
});

describe("containers of classes", () => {
  class Pair {
    constructor(
      readonly left: Nx.Tensor,
      readonly right: Nx.Tensor,
      readonly label = "pair",
    ) {}
    [Nx.container](visit: Nx.Visit): Pair {
      return new Pair(visit(this.left, "left"), visit(this.right, "right"), this.label);
    }
    sum(): Nx.Tensor {
      return this.left.add(this.right);
    }
  }
  class Other extends Pair {}

  it("go through defn with their methods and keep their class", () => {
    const { call, counter } = counted((p: Pair) => new Pair(p.sum(), p.left, p.label));
    const wrapped = defn(call);
    const result = wrapped(new Pair(vector(2), vector(2)));
    expect(result).toBeInstanceOf(Pair);
    expect(result.left.toList()).toEqual([0, 2]);
    wrapped(new Pair(vector(2), vector(2)));
    expect(counter.traces).toBe(1);
    wrapped(new Other(vector(2), vector(2)));
    expect(counter.traces).toBe(2);
  });

  it("are differentiated, vectorized and scanned", () => {
    const loss = (p: Pair) => Nx.sum(Nx.multiply(p.left, p.right));
    const gradient = Nx.grad(loss)(new Pair(vector(2), Nx.f32([5, 6])));
    expect(gradient).toBeInstanceOf(Pair);
    expect(gradient.left.toList()).toEqual([5, 6]);
    const swapped = Nx.Defn.whileLoop(
      new Pair(Nx.f32(1), Nx.f32(2)),
      (p) => Nx.less(p.left, 10),
      (p) => new Pair(p.right, p.sum()),
    );
    expect(swapped.left.toNumber()).toBe(13);
  });

  it("cannot be written into files", () => {
    expect(() => Nx.serialize(new Pair(vector(1), vector(1)))).toThrow("got: an instance of Pair");
  });
});

describe("lazy entries", () => {
  const lazily = (made: string[], name: string) =>
    Nx.Defn.lazy(Nx.template([2], "f32"), () => {
      made.push(name);
      return vector(2);
    }) as unknown as Nx.Tensor;

  it("are made when the result needs them, at each call", () => {
    const made: string[] = [];
    const total = defn((c: { a: Nx.Tensor; b: Nx.Tensor }) => c.a.sum());
    const entries = { a: lazily(made, "a"), b: lazily(made, "b") };
    expect(total(entries).toNumber()).toBe(1);
    expect(total(entries).toNumber()).toBe(1);
    expect(made).toEqual(["a", "a"]);
  });

  it("share the signature of tensors", () => {
    const { call, counter } = counted((t: Nx.Tensor) => t.add(1));
    const wrapped = defn(call);
    wrapped(vector(2));
    wrapped(lazily([], "a"));
    expect(counter.traces).toBe(1);
  });

  it("have gradients", () => {
    expect(Nx.grad((t: Nx.Tensor) => t.multiply(t).sum())(lazily([], "a")).toList()).toEqual([0, 2]);
  });
});

describe("what cannot be traced", () => {
  it("says that a function calls itself without end", () => {
    const recursive = (t: Nx.Tensor): Nx.Tensor => Nx.select(t.less(1), t, recursive(t.subtract(1)));
    expect(() => defn(recursive)(vector(1))).toThrow(
      /recursive calls itself without end while it is traced.*whileLoop/,
    );
    const nested: (t: Nx.Tensor) => Nx.Tensor = defn((t: Nx.Tensor) => nested(t.add(1)));
    expect(() => nested(vector(1))).toThrow(/calls itself without end while it is traced/);
  });

  it("lets recursion on plain numbers be", () => {
    const power = (t: Nx.Tensor, n: number): Nx.Tensor => (n === 0 ? Nx.tensor(1) : t.multiply(power(t, n - 1)));
    expect(defn(power, { staticArgs: [1] })(Nx.f32(2), 10).toNumber()).toBe(1024);
  });

  it("names what to use instead of conditions on traced tensors", () => {
    const positive = (t: Nx.Tensor) => ((t as unknown as number) > 0 ? t : t.negate());
    expect(() => defn(positive)(Nx.f32(1))).toThrow(/Nx.select/);
  });

  it("finds functions that are not pure", () => {
    const { checkPure } = Nx.Defn;
    expect(checkPure((t: Nx.Tensor) => t.add(Nx.f32([1, 2])))(vector(2))).toBeUndefined();
    expect(() => checkPure((t: Nx.Tensor) => t.add(Math.random()))(vector(2))).toThrow(/not pure.*constant/s);
    let calls = 0;
    const literal = (t: Nx.Tensor) => t.add(Nx.f32([1, ++calls]));
    expect(() => checkPure(literal)(vector(2))).toThrow(/literal is not pure.*other elements/s);
    const structure = (t: Nx.Tensor) => (++calls % 2 ? t : t.exp());
    expect(() => checkPure(structure)(vector(2))).toThrow(/structure is not pure/);
  });
});

describe("options", () => {
  it.each(["", 0, NaN, null, false])("are refused where they are %j", (value) => {
    const given = (key: string) => () => defn((t: Nx.Tensor) => t, { [key]: value });
    expect(given("compiler")).toThrow('option compiler of Nx.defn must be one of "evaluator", "optimizing", got: ');
    expect(given("promotion")).toThrow('option promotion of Nx.defn must be one of "nx", "strict", got: ');
    expect(given("staticArgs")).toThrow("option staticArgs of Nx.defn must be a list of positions of arguments");
  });

  it.each<[string, unknown, string]>([
    ["donate", [-1], "option donate of Nx.defn must be a list of positions of arguments, from 0 on, got: [-1]"],
    ["staticArgs", [0.5], "option staticArgs of Nx.defn must be a list of positions"],
    ["maxCacheEntries", 0, "option maxCacheEntries of Nx.defn must be an integer of at least 1, got: 0"],
    ["compiler", "fast", "option compiler of Nx.defn must be one of"],
    ["donated", true, 'unknown option "donated" for Nx.defn; did you mean "donate"?'],
  ])("%s", (key, value, message) => {
    expect(() => defn((t: Nx.Tensor) => t, { [key]: value })).toThrow(message);
  });
});
