import { describe, expect, it, vi } from "vitest";
import * as Nx from "nx-numerics";

const { cond, grad, hook, jit, map, scan, valueAndGrad, vmap, whileLoop } = Nx.Defn;
const values = (t: Nx.Tensor): unknown => (t.shape.length === 0 ? t.toNumber() : t.toList());
const compilers = ["optimizing", "evaluator"] as const;

describe.each(compilers)("hook with the %s compiler", (compiler) => {
  const run = <A extends unknown[], R>(fn: (...args: A) => R, ...args: A): R => jit(fn, { compiler })(...args);

  it("is called in the order of the program, whether read or not", () => {
    const seen: unknown[] = [];
    const note = (label: string) => (t: Nx.Tensor) => void seen.push(label, values(t));
    const result = run(
      (x: Nx.Tensor) => {
        const late = x.exp().log();
        hook(x.sum(), note("unread"));
        const doubled = hook(x.multiply(2), note("read"));
        hook(late.sum(), note("of what was made before"));
        return doubled;
      },
      Nx.tensor([1, 2]),
    );
    expect(result.toList()).toEqual([2, 4]);
    expect(seen).toEqual(["unread", 3, "read", [2, 4], "of what was made before", 3]);
  });

  it("is not merged with an equal one, and runs once for each call of the function", () => {
    const seen: unknown[] = [];
    const fn = jit(
      (x: Nx.Tensor) => {
        hook(x.add(1), (t) => seen.push(values(t)));
        hook(x.add(1), (t) => seen.push(values(t)));
        return x;
      },
      { compiler },
    );
    fn(Nx.tensor(1));
    fn(Nx.tensor(5));
    expect(seen).toEqual([2, 2, 6, 6]);
  });

  it("runs in the branch that is taken only", () => {
    const seen: string[] = [];
    const fn = jit(
      (x: Nx.Tensor) =>
        cond(
          [
            [
              x.greater(0),
              () => {
                hook(x, () => seen.push("positive"));
                return x;
              },
            ],
          ],
          () => hook(x.negate(), () => seen.push("other")),
        ),
      { compiler },
    );
    expect([fn(Nx.tensor(3)), fn(Nx.tensor(-4))].map(values)).toEqual([3, 4]);
    expect(seen).toEqual(["positive", "other"]);
  });

  it("runs in each step of a loop, in the condition as well, around what surrounds it", () => {
    const seen: unknown[] = [];
    const note = (label: string) => (t: Nx.Tensor) => void seen.push([label, values(t)]);
    run((limit: Nx.Tensor) => {
      hook(limit, note("before"));
      const last = whileLoop(
        Nx.tensor(0),
        (i) => {
          hook(i, note("condition"));
          return i.less(limit);
        },
        (i) => {
          hook(limit, note("limit"));
          return i.add(1);
        },
      );
      hook(last, note("after"));
      return limit;
    }, Nx.tensor(2));
    expect(seen).toEqual([
      ["before", 2],
      ["condition", 0],
      ["limit", 2],
      ["condition", 1],
      ["limit", 2],
      ["condition", 2],
      ["after", 2],
    ]);
  });

  it("runs in each step of scan and map", () => {
    const seen: unknown[] = [];
    const note = (t: Nx.Tensor) => void seen.push(values(t));
    run(
      (x: Nx.Tensor) => {
        map((row) => hook(row.sum(), note), x);
        return scan((sum, row) => [hook(sum.add(row.sum()), note), row], Nx.tensor(0), x)[0];
      },
      Nx.tensor([
        [1, 2],
        [3, 4],
      ]),
    );
    expect(seen).toEqual([3, 7, 3, 10]);
  });

  it("is called for each element in the function of Nx.map", () => {
    const seen: unknown[] = [];
    const result = run(
      (x: Nx.Tensor) =>
        Nx.map(x, (e) => {
          hook(e, (t) => seen.push(values(t)));
          return e.multiply(2);
        }),
      Nx.tensor([1, 2, 3]),
    );
    expect(result.toList()).toEqual([2, 4, 6]);
    expect(seen).toEqual([1, 2, 3]);
  });

  it("gets containers as they were given", () => {
    let seen: unknown;
    run(
      (x: Nx.Tensor) => {
        hook({ x, sums: [x.sum(), 1], label: "kept" }, (value) => (seen = value));
        return x;
      },
      Nx.tensor([1, 2], { names: ["x"] }),
    );
    const { x, sums, label } = seen as { x: Nx.Tensor; sums: Nx.Tensor[]; label: string };
    expect([x.names, x.toList(), sums.map(values), label]).toEqual([["x"], [1, 2], [3, 1], "kept"]);
  });

  it("may compute, and errors that it throws are those of the program", () => {
    const wrong = new Nx.ArgumentError("mine");
    const fn = (x: Nx.Tensor) => {
      hook(x, (t) => {
        expect(jit((y: Nx.Tensor) => y.add(1))(t).toNumber()).toBe(2);
        throw wrong;
      });
      return x;
    };
    expect(() => run(fn, Nx.tensor(1))).toThrow(wrong);
  });
});

describe("hooks and gradients", () => {
  it("run once for the value and change no gradient", () => {
    const seen: unknown[] = [];
    const loss = (x: Nx.Tensor) => hook(x.multiply(x).sum(), (t) => seen.push(values(t)));
    expect(grad(loss)(Nx.f32([1, 2])).toList()).toEqual([2, 4]);
    const [value, g] = valueAndGrad(loss)(Nx.f32([3]));
    expect([value.toNumber(), g.toList()]).toEqual([9, [6]]);
    expect(seen).toEqual([5, 9]);
  });

  it("run once in loops that the gradient goes through again", () => {
    const seen: unknown[] = [];
    const note = (t: Nx.Tensor) => void seen.push(values(t));
    const cube = (x: Nx.Tensor) =>
      whileLoop(
        { i: Nx.tensor(0), y: x },
        ({ i }) => i.less(2),
        ({ i, y }) => ({ i: hook(i.add(1), note), y: y.multiply(x) }),
      ).y;
    expect(grad(cube)(Nx.f32(2)).toNumber()).toBe(12);
    expect(seen).toEqual([1, 2]);
    seen.length = 0;
    const sums = (x: Nx.Tensor) => scan((sum, e) => [hook(sum.add(e.multiply(e)), note), e], Nx.f32(0), x)[0];
    expect(grad(sums)(Nx.f32([1, 2])).toList()).toEqual([2, 4]);
    expect(seen).toEqual([1, 5]);
    seen.length = 0;
    const nested = (x: Nx.Tensor) => map((row) => sums(row), x).sum();
    expect(
      grad(nested)(
        Nx.f32([
          [1, 2],
          [3, 4],
        ]),
      ).toList(),
    ).toEqual([
      [2, 4],
      [6, 8],
    ]);
    expect(seen).toEqual([1, 5, 9, 25]);
  });

  it("run once for the second derivative", () => {
    const seen: unknown[] = [];
    const cube = (x: Nx.Tensor) => hook(x.multiply(x).multiply(x), (t) => seen.push(values(t)));
    expect(grad(grad(cube))(Nx.f32(2)).toNumber()).toBe(12);
    expect(seen).toEqual([8]);
  });
});

describe("hooks under vmap", () => {
  it("see the vectorized value", () => {
    const seen: Nx.Tensor[] = [];
    const sum = (x: Nx.Tensor) => hook(x.sum(), (t) => seen.push(t));
    for (const fn of [vmap(sum), jit((x: Nx.Tensor) => vmap(sum)(x))]) {
      expect(
        fn(
          Nx.tensor([
            [1, 2],
            [3, 4],
          ]),
        ).toList(),
      ).toEqual([3, 7]);
    }
    expect(seen.map((t) => [t.shape, Nx.devectorize(t).toList()])).toEqual([
      [[], [3, 7]],
      [[], [3, 7]],
    ]);
  });
});

describe("hooks under vmap", () => {
  it("may read the value of all entries, which the function around them may not", () => {
    const seen: unknown[] = [];
    const sum = (x: Nx.Tensor) => hook(x.sum(), (t) => seen.push(Nx.devectorize(t).toList()));
    for (const fn of [vmap(sum), jit((x: Nx.Tensor) => vmap(sum)(x))]) fn(Nx.iota([2, 2]));
    expect(seen).toEqual([[1, 5], [1, 5]]); // prettier-ignore
    expect(() => vmap((x: Nx.Tensor) => (Nx.devectorize(x.sum()).toList(), x))(Nx.iota([2, 2]))).toThrow(Nx.NxError);
  });
});

describe("hooks by name", () => {
  const fn = (x: Nx.Tensor) => hook(x.add(1), "next");

  it("run only where a function is given", () => {
    const seen: unknown[] = [];
    expect(jit(fn)(Nx.tensor(1)).toNumber()).toBe(2);
    jit(fn, { hooks: { next: (t: Nx.Tensor) => seen.push(values(t)) } })(Nx.tensor(1));
    expect(seen).toEqual([2]);
    expect(String(Nx.Defn.debugExpr(fn)(Nx.tensor(1)))).not.toContain("hook");
  });

  it("prefer the functions of the traced function, the outermost first", () => {
    const seen: string[] = [];
    const own = (x: Nx.Tensor) => hook(x, "a", () => seen.push("own"));
    jit(own)(Nx.tensor(1));
    const inner = jit(own, { hooks: { a: () => seen.push("inner") } });
    inner(Nx.tensor(1));
    jit((x: Nx.Tensor) => inner(x))(Nx.tensor(1));
    jit((x: Nx.Tensor) => inner(x), { hooks: { a: () => seen.push("outer") } })(Nx.tensor(1));
    expect(seen).toEqual(["own", "inner", "inner", "outer"]);
  });

  it("refuse what is no function", () => {
    expect(() => jit(fn, { hooks: { next: 1 as never } })).toThrow(
      /option hooks of Nx.Defn.jit must be an object of functions/,
    );
    expect(() => jit(fn, { hooks: [] as never })).toThrow(Nx.ArgumentError);
    expect(() => hook(Nx.tensor(1), "a", 2 as never)).toThrow(Nx.ArgumentError);
    expect(() => hook("text", () => 0)).toThrow(/expects a tensor, a number or a container/);
  });
});

describe("outside of a trace", () => {
  it("calls at once, or not at all", () => {
    const seen: unknown[] = [];
    const t = Nx.tensor(1);
    expect(hook(t, (x) => seen.push(x)).equals(t)).toBe(true);
    expect(hook(t, "name").equals(t)).toBe(true);
    expect(hook(2, (x) => seen.push(x.toNumber())).toNumber()).toBe(2);
    expect(seen).toEqual([t, 2]);
  });

  it("refuses tensors whose trace has ended", () => {
    let kept: Nx.Tensor | undefined;
    jit((x: Nx.Tensor) => (kept = x.add(1)))(Nx.tensor(1));
    expect(() => hook(kept!, () => 0)).toThrow(Nx.DefnError);
  });
});

describe("printing", () => {
  it("prints values when they are there, and expressions while tracing", () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    try {
      const fn = jit((x: Nx.Tensor) => {
        Nx.Defn.printExpr({ sum: x.sum() }, { label: "traced" });
        return Nx.Defn.printValue({ x, y: x.add(1) }, { map: ({ y }) => y, label: "y" }).x;
      });
      fn(Nx.tensor([1]));
      fn(Nx.tensor([2]));
      const lines = log.mock.calls.map(([text]) =>
        String(text)
          .split("\n")
          .map((line) => line.trim())
          .join(" "),
      );
      expect(lines[0]).toMatch(/^traced: \.sum a = parameter 0 +s64\[1\] b = sum\(a,/);
      expect(lines.slice(1)).toEqual(["y: #Nx.Tensor< s64[1] [2] >", "y: #Nx.Tensor< s64[1] [3] >"]);
    } finally {
      log.mockRestore();
    }
  });
});

describe("options of printing", () => {
  it("are checked", () => {
    for (const options of [{ label: 1 }, { print: "log" }, { map: 1 }, { lable: "x" }] as never[]) {
      expect(() => Nx.Defn.printValue(Nx.tensor(1), options)).toThrow(Nx.ArgumentError);
      expect(() => Nx.Defn.printExpr(Nx.tensor(1), options)).toThrow(Nx.ArgumentError);
    }
  });
});

describe("assertShape", () => {
  it("checks rank, sizes, names and equal sizes while tracing", () => {
    const t = Nx.iota([2, 3], { names: ["row", "x"] });
    for (const pattern of ["auto", [2, 3], [null, 3], ["auto", "n"], { row: 2, x: null }] as Nx.Defn.ShapePattern[]) {
      expect(Nx.Defn.assertShape(t, pattern).equals(t)).toBe(true);
    }
    for (const pattern of [[2], [2, 4], ["n", "n"], { x: 3, row: 2 }, { row: 2, y: 3 }] as Nx.Defn.ShapePattern[]) {
      expect(() => jit((x: Nx.Tensor) => Nx.Defn.assertShape(x, pattern))(t)).toThrow(
        /expected a tensor of shape .* got: s64\[row: 2\]\[x: 3\]/,
      );
    }
    for (const pattern of [[2.5], null, "x", 3, [undefined]] as never[]) {
      expect(() => Nx.Defn.assertShape(t, pattern)).toThrow(/expects a pattern/);
    }
  });
});
