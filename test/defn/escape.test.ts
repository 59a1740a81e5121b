/**
 * Traced tensors that outlive their trace: whatever is done with one afterwards is an error that says whose it is and what to do.
 */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";

const { cond, customGrad, grad, hessian, jacobian, jvp, map, scan, valueAndGrad, vjp, vmap, whileLoop } = Nx.Defn;

type Keep = (t: Nx.Tensor) => void;

/** Calls `keep` with a tensor that its function is traced with. */
interface Construct {
  readonly run: (x: Nx.Tensor, keep: Keep) => unknown;
  /** How messages call the function. */
  readonly place: RegExp;
  /** How they call it where it is applied to several entries at once. */
  readonly placeOfEntries?: RegExp;
  /** What to do, in the message. */
  readonly remedy: RegExp;
}

const scalar = (t: Nx.Tensor): Nx.Tensor => t.sum();

/** Functions that have parameters of their own even within a traced function. */
const INNER: Readonly<Record<string, Construct>> = {
  "whileLoop, body": {
    run: (x, keep) =>
      whileLoop(
        x,
        (s) => Nx.any(s.less(0)),
        function double(s) {
          keep(s);
          return s.multiply(2);
        },
      ),
    place: /double, the body of Nx\.Defn\.whileLoop,/,
    remedy: /make it a part of the state/,
  },
  "whileLoop, condition": {
    run: (x, keep) => whileLoop(x, (s) => (keep(s), Nx.any(s.less(0))), (s) => s.multiply(2)), // prettier-ignore
    place: /of the condition of Nx\.Defn\.whileLoop /,
    // the body asks again, to leave entries as they are that have stopped
    placeOfEntries: /of the body of Nx\.Defn\.whileLoop /,
    remedy: /make it a part of the state/,
  },
  "scan, state": {
    run: (x, keep) => scan((s, q) => (keep(s), [s.add(q), q]), Nx.f32(0), x),
    place: /of the body of Nx\.Defn\.scan /,
    remedy: /return it as the result in \[next state, result\]/,
  },
  "scan, entry": {
    run: (x, keep) =>
      scan(
        function step(s, q) {
          keep(q);
          return [s.add(q), q];
        },
        Nx.f32(0),
        x,
      ),
    place: /step, the body of Nx\.Defn\.scan,/,
    remedy: /return it as the result in \[next state, result\]/,
  },
  map: {
    run: (x, keep) => map((q) => (keep(q), q.add(1)), x),
    place: /of the body of Nx\.Defn\.map /,
    remedy: /return it from that function/,
  },
  "map within scan": {
    run: (x, keep) => scan((s, q) => [s, map((r) => (keep(r), r.add(q)), x)], Nx.f32(0), x),
    place: /of the body of Nx\.Defn\.map /,
    remedy: /return it/,
  },
  customGrad: {
    run: (x, keep) => grad((z: Nx.Tensor) => customGrad(scalar(z), [z], (g) => (keep(g), [z.multiply(g)])))(x),
    place: /of the function given to Nx\.Defn\.customGrad /,
    remedy: /as a gradient/,
  },
};

/** Functions of one element, which backends may call with values outside of a trace. */
const SCALAR: Readonly<Record<string, Construct>> = {
  "Nx.map": {
    run: (x, keep) => Nx.map(x, function halve(e) {
      keep(e);
      return e.divide(2);
    }), // prettier-ignore
    place: /halve, the function given to Nx\.map,/,
    remedy: /return it from that function/,
  },
  "Nx.reduce": {
    run: (x, keep) => Nx.reduce(x, 0, (e, a) => (keep(a), e.add(a))),
    place: /of the function given to Nx\.reduce /,
    remedy: /return it from that function/,
  },
  "Nx.windowReduce": {
    run: (x, keep) => Nx.windowReduce(x, 0, [2], (e, a) => (keep(e), e.add(a))),
    place: /of the function given to Nx\.windowReduce /,
    remedy: /return it from that function/,
  },
};

/** Functions that are traced when they are called; within a traced function they become part of it. */
const OUTER: Readonly<Record<string, Construct>> = {
  defn: {
    run: (x, keep) => Nx.defn((z: Nx.Tensor) => (keep(z), z))(x),
    place: /of the function given to Nx\.defn /,
    remedy: /return it from that function/,
  },
  jit: {
    run: (x, keep) => Nx.Defn.jit((z: Nx.Tensor) => (keep(z), z))(x),
    place: /of the function given to Nx\.Defn\.jit /,
    remedy: /return it from that function/,
  },
  compile: {
    run: (x, keep) => Nx.Defn.compile((z: Nx.Tensor) => (keep(z), z), [x])(x),
    place: /of the function given to Nx\.Defn\.compile /,
    remedy: /return it from that function/,
  },
  grad: {
    run: (x, keep) =>
      grad(function loss(z: Nx.Tensor) {
        keep(z);
        return scalar(z);
      })(x),
    place: /loss, the function given to Nx\.Defn\.grad,/,
    remedy: /Nx\.Defn\.valueAndGrad and \{ hasAux: true \}/,
  },
  valueAndGrad: {
    run: (x, keep) => valueAndGrad((z: Nx.Tensor) => (keep(z), scalar(z)))(x),
    place: /of the function given to Nx\.Defn\.valueAndGrad /,
    remedy: /\{ hasAux: true \}/,
  },
  jacobian: {
    run: (x, keep) => jacobian((z: Nx.Tensor) => (keep(z), z))(x),
    place: /of the function given to Nx\.Defn\.jacobian /,
    remedy: /return it/,
  },
  hessian: {
    run: (x, keep) => hessian((z: Nx.Tensor) => (keep(z), scalar(z)))(x),
    place: /of the function given to Nx\.Defn\.(?:hessian|jacobian) /,
    remedy: /return it/,
  },
  jvp: {
    run: (x, keep) => jvp((z: Nx.Tensor) => (keep(z), z), [x], [x]),
    place: /of the function given to Nx\.Defn\.jvp /,
    remedy: /return it/,
  },
  vjp: {
    run: (x, keep) => vjp((z: Nx.Tensor) => (keep(z), z), [x]),
    place: /of the function given to Nx\.Defn\.vjp /,
    remedy: /return it/,
  },
};

/** What is kept: the parameter, or something that was computed of it. */
const KEPT: Readonly<Record<string, (t: Nx.Tensor) => Nx.Tensor>> = {
  "the parameter": (t) => t,
  "what was computed of it": (t) => t.multiply(2).add(1),
  "a loop that reads it": (t) => whileLoop(Nx.f32(0), (s) => s.less(3), (s) => s.add(Nx.sum(t).abs()).add(1)), // prettier-ignore
};

/** What is done with it within the function that is being traced. */
const USES: Readonly<Record<string, (t: Nx.Tensor, x: Nx.Tensor) => unknown>> = {
  return: (t) => t,
  "return in a container": (t, x) => ({ x, kept: [t] }),
  add: (t) => t.add(1),
  sin: (t) => Nx.sin(t),
  stack: (t, x) => Nx.stack([Nx.sum(x), Nx.sum(t)]),
  "a branch": (t, x) => cond([[x.sum().less(0), () => t.sum()]], () => x.sum()),
  "a body": (t, x) => map((q) => q.add(t), x),
  "a function of elements": (t, x) => Nx.map(x, (e) => e.add(t.sum())),
  grad: (t, x) => grad((z: Nx.Tensor) => z.multiply(t).sum())(x),
  hook: (t, x) => (Nx.Defn.hook(t, () => null), x),
};

const X = Nx.f32([3, 1, 2], { names: ["x"] });
const entries = Object.entries;

const ended = (place: RegExp, remedy: RegExp): RegExp => new RegExp(`${place.source}.*after its trace had ended: .*${remedy.source}`); // prettier-ignore

function expectEscaped(run: () => unknown, { place, remedy }: Construct): void {
  let raised: unknown;
  try {
    run();
  } catch (error) {
    raised = error;
  }
  expect(raised).toBeInstanceOf(Nx.DefnError);
  expect((raised as Error).message).toMatch(ended(place, remedy));
}

describe.each(entries({ ...INNER, ...SCALAR }))("what a function of %s leaves behind", (_name, construct) => {
  const kept = (of: (t: Nx.Tensor) => Nx.Tensor, x: Nx.Tensor): Nx.Tensor => {
    let found: Nx.Tensor | undefined;
    construct.run(x, (t) => (found = of(t)));
    return found!;
  };
  const cases = entries(KEPT).flatMap(([what, of]) => entries(USES).map(([use, how]) => ({ what, use, of, how })));

  it.each(cases)("cannot be used in the surrounding trace: $what, $use", ({ of, how }) => {
    for (const compiler of ["optimizing", "evaluator"] as const) {
      const fn = Nx.defn((x: Nx.Tensor) => how(kept(of, x), x) as Nx.Tensor, { compiler });
      expectEscaped(() => fn(X), construct);
    }
  });
  it("cannot be used under vmap", () => {
    const rows = Nx.f32([[3, 1], [2, 5]]); // prettier-ignore
    const fn = vmap((x: Nx.Tensor) => kept((t) => t, x).add(1));
    expectEscaped(() => Nx.defn(fn)(rows), { ...construct, place: construct.placeOfEntries ?? construct.place });
  });
});

describe.each(entries({ ...INNER, ...OUTER }))("what a function of %s leaves behind", (_name, construct) => {
  const kept = (): Nx.Tensor => {
    let found: Nx.Tensor | undefined;
    construct.run(X, (t) => (found = t.multiply(2)));
    return found!;
  };

  it("cannot be used in the program", () => {
    expectEscaped(() => kept().add(1), construct);
    expectEscaped(() => Nx.sin(kept()), construct);
    expectEscaped(() => Nx.softmax(kept()), construct);
    expectEscaped(() => kept().toNumber(), construct);
    expectEscaped(() => Nx.concatenate([X, kept()]), construct);
    expectEscaped(() => whileLoop(kept(), () => false, (s) => s), construct); // prettier-ignore
    expectEscaped(() => Nx.Defn.hook(kept(), () => null), construct);
  });
  it("cannot be used by another traced function", () => {
    const t = kept();
    expectEscaped(() => Nx.defn((x: Nx.Tensor) => x.add(t.sum()))(X), construct);
    expectEscaped(() => Nx.defn(() => t)(), construct);
    expectEscaped(() => Nx.defn((x: Nx.Tensor) => x)(t), construct);
    expectEscaped(() => grad((x: Nx.Tensor) => x.multiply(t).sum())(X), construct);
  });
  it("still has a shape, and prints as what it is", () => {
    expect(kept().type).toBe("f32");
    expect(String(kept())).toMatch(/Nx\.Defn\.Expr\n {2}multiply/);
  });
});

describe("messages", () => {
  let t: Nx.Tensor;
  Nx.defn((x: Nx.Tensor) => (t = x))(X);
  it.each([
    ["Nx.add", () => t.add(1)],
    ["Nx.add", () => Nx.add(X, t)],
    ["Nx.exp", () => t.exp()],
    ["Nx.dot", () => Nx.dot(t, X)],
    ["Nx.sum", () => t.sum()],
    ["Nx.gelu", () => Nx.gelu(t)],
    ["Nx.toList", () => t.toList()],
    ["Nx.Defn.stopGrad", () => Nx.Defn.stopGrad(t)],
    ["Nx.Defn.grad", () => grad((x: Nx.Tensor) => x.sum())(t)],
    ["Nx.Defn.compile", () => Nx.Defn.compile((x: Nx.Tensor) => x, [t])],
  ])("name %s, which was called", (name, run) => {
    expect(run).toThrow(`was used in ${name} after its trace had ended`);
  });
  it("name the function that returned it", () => {
    const leaky = (x: Nx.Tensor) => ({ x, t });
    expect(() => Nx.defn(leaky)(X)).toThrow("was returned by leaky at .t after its trace had ended");
  });
  it("say where a function that is compiled within another has its tensors from", () => {
    const inner = (x: Nx.Tensor) => Nx.Defn.compile((y: Nx.Tensor) => y.add(x), [X])(X);
    expect(() => Nx.defn(inner)(X)).toThrow(
      "the function given to Nx.Defn.compile reads a traced tensor of inner, the function given to Nx.defn,, within which",
    );
  });
});

describe("what goes on to work", () => {
  it("functions read the tensors of all functions around them", () => {
    const nested = (x: Nx.Tensor) =>
      scan(
        (s, q) => {
          const inner = whileLoop(q, (v) => v.less(x.sum().add(s)), (v) => v.add(q).add(1)); // prettier-ignore
          return [s.add(q), map((r) => r.add(inner).multiply(s), x).sum()];
        },
        Nx.f32(0),
        x,
      )[1];
    const expected = nested(X).toList();
    for (const compiler of ["optimizing", "evaluator"] as const) {
      expect(Nx.defn(nested, { compiler })(X).toList()).toEqual(expected);
    }
    expect(
      vmap(nested)(Nx.stack([X, X.add(1)]))
        .at(0)
        .toList(),
    ).toEqual(expected);
    expect(() => grad((x: Nx.Tensor) => nested(x).sum())(X)).not.toThrow();
    const elements = Nx.defn((x: Nx.Tensor) => map((q) => Nx.map(x, (e) => e.multiply(q)).sum(), x));
    expect(elements(X).toList()).toEqual([18, 6, 12]);
  });
  it("a tensor made in a function of nothing that belongs to it", () => {
    const fn = (x: Nx.Tensor) => {
      let outer: Nx.Tensor | undefined;
      map((q) => ((outer = x.multiply(2)), q), x);
      return outer!;
    };
    expect(Nx.defn(fn)(X).toList()).toEqual([6, 2, 4]);
  });
  it("a variable of a gradient within a traced function is the value that it stands for", () => {
    const fn = (x: Nx.Tensor) => {
      let variable: Nx.Tensor | undefined;
      const g = grad((z: Nx.Tensor) => ((variable = z), z.multiply(z).sum()))(x);
      return [g, variable!.add(1)];
    };
    expect(Nx.defn(fn)(X).map((t) => t.toList())).toEqual([[6, 2, 4], [4, 2, 3]]); // prettier-ignore
  });
  it("a trace that ended with an error leaves the next one alone", () => {
    const failing = (x: Nx.Tensor) => map((q) => q.reshape([2]), x);
    expect(() => Nx.defn(failing)(X)).toThrow(Nx.ArgumentError);
    expect(Nx.defn((x: Nx.Tensor) => map((q) => q.add(1), x))(X).toList()).toEqual([4, 2, 3]);
  });
});
