import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { expectEntries, randoms } from "./entries";

const { cond, foriLoop, scan, whileLoop, map, vmap } = Nx.Defn;

describe("cond", () => {
  it("chooses for each entry", () => {
    const absolute = (x: Nx.Tensor) => cond([[x.less(0), () => x.negate()]], () => x.multiply(1));
    expectEntries(absolute, [randoms([5])]);
  });

  it("takes several clauses, containers, and merges types and shapes", () => {
    const fn = (x: Nx.Tensor, v: Nx.Tensor) =>
      cond<{ a: Nx.Tensor; b: Nx.Tensor }>(
        [
          [x.greater(1), () => ({ a: v, b: Nx.u8(1) })],
          [x.greater(0), () => ({ a: x, b: Nx.f32(2.5) })],
        ],
        () => ({ a: Nx.tensor(0), b: Nx.tensor(3) }),
      );
    expectEntries(fn, [Nx.f64([2, 0.5, -1]), randoms([3, 2])]);
    expectEntries(fn, [Nx.f64([2, 0.5, -1]), randoms([2])], { axes: [0, null] });
  });

  it("with the same predicate for all entries computes one branch only", () => {
    const divided = (p: Nx.Tensor, x: Nx.Tensor) => cond([[p, () => x]], () => Nx.quotient(x, Nx.subtract(x, x)));
    expectEntries(divided, [Nx.u8(1), Nx.tensor([1, 2])], { axes: [null, 0] });
  });

  it("lets one branch lack the axis, or several have different ones", () => {
    const one = (p: Nx.Tensor, x: Nx.Tensor) => cond([[p, () => x]], () => Nx.f64([7, 8]));
    for (const p of [0, 1]) expectEntries(one, [Nx.u8(p), randoms([3, 2])], { axes: [null, 0] });
    const outer = (p: Nx.Tensor) => (x: Nx.Tensor) =>
      vmap((y: Nx.Tensor) => cond([[p, () => Nx.add(x, 0)]], () => Nx.add(y, 0)))(Nx.f64([1, 2]));
    for (const p of [0, 1]) expectEntries(outer(Nx.u8(p)), [Nx.f64([5, 6, 7])]);
  });

  it("has gradients", () => {
    const slope = Nx.grad((x: Nx.Tensor) => cond([[x.less(0), () => x.multiply(-2)]], () => x.multiply(x)));
    expectEntries(slope, [Nx.f64([-1, 2, 3])]);
  });
});

describe("whileLoop", () => {
  const collatz = (n: Nx.Tensor) =>
    whileLoop(
      { n, steps: Nx.tensor(0) },
      (state) => Nx.greater(state.n, 1),
      (state) => ({
        n: Nx.select(Nx.remainder(state.n, 2), Nx.multiply(state.n, 3).add(1), Nx.quotient(state.n, 2)),
        steps: state.steps.add(1),
      }),
    );

  it("goes on until no entry wants to", () => {
    expectEntries(collatz, [Nx.tensor([1, 6, 27, 2])]);
    expect(vmap(collatz)(Nx.tensor([1, 6, 27])).steps.toList()).toEqual([0, 8, 111]);
  });

  it("widens a state that the body computes from vectorized tensors", () => {
    const grown = (x: Nx.Tensor) =>
      whileLoop(
        { i: Nx.tensor(0), sum: Nx.f64([0, 0]) },
        (state) => Nx.less(state.i, 3),
        (state) => ({ i: state.i.add(1), sum: state.sum.add(x) }),
      ).sum;
    expectEntries(grown, [randoms([4, 2])]);
  });

  it("works where only the condition is vectorized", () => {
    const counted = (limit: Nx.Tensor) =>
      whileLoop(
        Nx.tensor(0),
        (i) => Nx.less(i, limit),
        (i) => i.add(1),
      );
    expectEntries(counted, [Nx.tensor([3, 0, 5])]);
  });

  it("nests, with one loop in another and cond inside", () => {
    const nested = (x: Nx.Tensor) =>
      whileLoop(
        x,
        (y) => Nx.less(y, 100),
        (y) =>
          whileLoop(
            cond([[Nx.less(y, 10), () => y.multiply(3)]], () => y.add(7)),
            (z) => Nx.remainder(z, 2),
            (z) => z.add(1),
          ),
      );
    expectEntries(nested, [Nx.tensor([1, 50, 99, 200])]);
  });

  it("has gradients", () => {
    const power = (x: Nx.Tensor) =>
      whileLoop(
        { i: Nx.tensor(0), y: x },
        (s) => Nx.less(s.i, 3),
        (s) => ({ i: s.i.add(1), y: s.y.multiply(x) }),
      ).y;
    expectEntries(Nx.grad(power), [Nx.f64([1.5, 2, -1])]);
    const total = (xs: Nx.Tensor) => Nx.sum(vmap(power)(xs) as Nx.Tensor);
    expect(Nx.grad(total)(Nx.f64([1, 2])).toList()).toEqual([4, 32]);
  });
});

describe("scan and map", () => {
  const step = (sum: Nx.Tensor, x: Nx.Tensor) => [sum.add(x), sum.multiply(x)] as const;

  it("go along an axis behind the vectorized one", () => {
    expectEntries((xs: Nx.Tensor) => scan(step, Nx.f64(0), xs), [randoms([3, 5])]);
    expectEntries((xs: Nx.Tensor) => scan(step, Nx.f64([0, 0]), xs, { axis: 0, reverse: true }), [randoms([3, 5, 2])]);
    expectEntries((xs: Nx.Tensor) => map((x) => x.sum(), xs, { axis: 1 }), [randoms([2, 3, 4])]);
  });

  it("take states and sequences of which only one is vectorized", () => {
    const run = (start: Nx.Tensor, xs: Nx.Tensor) => scan(step, start, xs);
    expectEntries(run, [randoms([4]), randoms([5])], { axes: [0, null] });
    expectEntries(run, [Nx.f64(0.5), randoms([4, 5])], { axes: [null, 0] });
    expectEntries(run, [randoms([4]), randoms([5, 4])], { axes: [0, 1] });
  });

  it("keep the names of entries and results", () => {
    const xs = Nx.iota([2, 3, 2], { names: ["batch", "time", "x"] });
    const sums = vmap((x: Nx.Tensor) =>
      map((entry) => entry.multiply(entry.sum({ axes: ["x"] })), x, { axis: "time" }),
    );
    expect((sums(xs) as Nx.Tensor).names).toEqual(["batch", "time", "x"]);
  });

  it("leave out the name of the axis where entries have one of that name", () => {
    const outer = (x: Nx.Tensor) => map((s) => x.multiply(s), x);
    const carried = (x: Nx.Tensor) => scan((s: Nx.Tensor, e: Nx.Tensor) => [s.add(e), s] as const, x, x)[1];
    const x = Nx.f64([1, 2], { names: ["d"] });
    for (const fn of [outer, carried]) {
      for (const way of [fn, Nx.defn(fn), Nx.defn(fn, { compiler: "evaluator" })]) {
        expect((way(x) as Nx.Tensor).names).toEqual([null, "d"]);
      }
      expect((vmap(fn)(Nx.stack([x, x])) as Nx.Tensor).names).toEqual([null, null, "d"]);
      expectEntries(fn as (x: Nx.Tensor) => Nx.Tensor, [Nx.stack([x, x.add(1)])]);
    }
  });

  it("have gradients", () => {
    const total = (xs: Nx.Tensor) => Nx.sum(scan(step, Nx.f64(1), xs)[1] as Nx.Tensor);
    expectEntries(Nx.grad(total), [randoms([3, 4])], { close: true });
  });
});

describe("states of two axes that they get in different orders", () => {
  const [a, b] = [Nx.vectorize(Nx.f64([0.1, 0.2]), "a"), Nx.vectorize(Nx.f64([0.3, 0.4, 0.5]), "b")];
  const start = { x: Nx.f64(0), y: Nx.f64(0) };
  type State = { readonly x: Nx.Tensor; readonly y: Nx.Tensor };
  const turn = ({ x, y }: State): State => ({
    x: x.multiply(x).subtract(y.multiply(y)).add(a),
    y: x.multiply(y).multiply(2).add(b),
  });
  const loops = {
    whileLoop: () => foriLoop(0, 4, (_i, s) => turn(s), start),
    scan: () => scan((s: State, _: Nx.Tensor) => [turn(s), s.x], start, Nx.iota([4]))[0],
  };

  it.each(Object.entries(loops))("are in one order within %s, and in their own behind it", (_, loop) => {
    const fn = () => loop() as unknown as State;
    const { x, y } = fn();
    expect([String(x), String(y)]).toEqual([
      expect.stringContaining("vectorized[a: 2][b: 3]"),
      expect.stringContaining("vectorized[b: 3][a: 2]"),
    ]);
    const single = (p: number, q: number): State => {
      let s = { x: 0, y: 0 };
      for (let i = 0; i < 4; i++) s = { x: s.x * s.x - s.y * s.y + p, y: s.x * s.y * 2 + q };
      return s as unknown as State;
    };
    const entries = [0.1, 0.2].map((p) => [0.3, 0.4, 0.5].map((q) => single(p, q)));
    expect(Nx.devectorize(x).toList()).toEqual(entries.map((row) => row.map((s) => s.x)));
    const turned = [0, 1, 2].map((j) => entries.map((row) => row[j]!.y));
    expect(Nx.devectorize(y).toList()).toEqual(turned);
    const [whole, ...bodies] = String(Nx.Defn.explain(Nx.defn(fn))()).split("body of");
    expect(whole).toContain("transpose");
    expect(bodies.join()).not.toContain("transpose");
  });
});

describe("the names of what goes through control flow as it is", () => {
  const never = (x: Nx.Tensor) => whileLoop([Nx.tensor(0), x], ([on]) => on!, ([on, y]) => [on!, y!])[1]; // prettier-ignore
  const carried = (x: Nx.Tensor) => scan((state: Nx.Tensor, y: Nx.Tensor) => [state, y] as const, x, Nx.iota([2]))[0];
  const chosen = (x: Nx.Tensor) => cond([[Nx.tensor(1), () => x]], () => x.add(1));

  it.each(Object.entries({ never, carried, chosen }))("are those of results: %s", (_, control) => {
    for (const [before, after] of [
      [[null], undefined],
      [["b"], undefined],
      [undefined, [null]],
      [["b"], ["c"]],
    ] as const) {
      const fn = (x: Nx.Tensor): Nx.Tensor => {
        const given = before ? Nx.rename(x, before) : x;
        const result = control(given) as Nx.Tensor;
        return after ? Nx.rename(result, after) : result;
      };
      const rows = Nx.tensor([[6], [7]], { names: [null, "a"] });
      const expected = after ?? before ?? ["a"];
      expect(fn(rows.at(0)).names).toEqual(expected);
      expect(Nx.defn(fn)(rows.at(0)).names).toEqual(expected);
      expect(vmap(fn)(rows).names).toEqual([null, ...expected]);
      expect(Nx.defn(vmap(fn))(rows).names).toEqual([null, ...expected]);
    }
  });
});
