import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { OPTIMIZE, runPasses } from "../../../lib/defn/passes";
import { plan, type Donated } from "../../../lib/defn/plan/plan";
import { printPlan } from "../../../lib/defn/plan/print";
import { BACKENDS, differences } from "../fuse/support";
import { same, traceOf, type Fn } from "./support";

const SIDE = 160;
const x = Nx.iota([SIDE, SIDE], { type: "f32" });
const y = Nx.iota([SIDE, SIDE], { type: "f32" }).subtract(7);

function planned(fn: Fn, args: readonly Tensor[], donated?: Donated): string {
  const graph = runPasses(traceOf(fn, ...args), OPTIMIZE);
  return printPlan(graph, plan(graph, donated));
}

/** Two kernels with a sort between them, which both read what the first one gives. */
const twoKernels = (a: Tensor, b: Tensor) => {
  const first = a.exp().multiply(b);
  return [first.subtract(first.sort()).abs()];
};

describe("golden texts", () => {
  it("temporaries", () =>
    expect(planned(twoKernels as Fn, [x, y])).toMatchInlineSnapshot(`
      "c = fused(a, b)  f32[160][160]  lets go of a, b
      d = element(c, index: 0)  f32[160][160]  lets go of c
      e = sort(d, axis: 0, direction: "asc")  f32[160][160]
      f = fused(d, e)  f32[160][160]  f.0 over d  gives back e
      g = element(f, index: 0)  f32[160][160]  lets go of f
      return g"
    `));
  it("donated arguments", () =>
    expect(planned((a, b) => [a.add(b).multiply(2), b.sum()], [x, y], [true, false])).toMatchInlineSnapshot(`
      "c = fused(a, b)  f32[160][160], f32  gives back a  lets go of b
      d = element(c, index: 0)  f32[160][160]
      e = element(c, index: 1)  f32  lets go of c
      return d, e"
    `));
  it("functions", () =>
    expect(
      planned((a) => Nx.Defn.whileLoop(a, (s) => s.sum().less(9), (s) => s.exp().sort().add(1).abs()), [x]), // prettier-ignore
    ).toMatchInlineSnapshot(`
      "b = while(a)  f32[160][160]  lets go of a
        with
          b = fused(a)  u8  lets go of a
          c = element(b, index: 0)  u8  lets go of b
          return c
        with
          b = exp(a)  f32[160][160]  lets go of a
          c = sort(b, axis: 0, direction: "asc")  f32[160][160]  gives back b
          d = fused(c)  f32[160][160]  d.0 over c
          e = element(d, index: 0)  f32[160][160]  lets go of d
          return e
      c = element(b, index: 0)  f32[160][160]  lets go of b
      return c"
    `));
});

/** Which results are written over which operands, for each kernel that does so. */
const reusesOf = (fn: Fn, args: readonly Tensor[], donated?: Donated) =>
  plan(runPasses(traceOf(fn, ...args), OPTIMIZE), donated).steps.flatMap(({ reuses }) => (reuses ? [reuses] : []));

describe("a kernel writes over", () => {
  it("a temporary that it reads last", () => {
    expect(reusesOf(twoKernels as Fn, [x, y])).toEqual([[expect.any(Number)]]);
    same(twoKernels, x, y);
  });

  it("donated arguments only", () => {
    const fn = (a: Tensor, b: Tensor) => [a.add(b).multiply(2)];
    expect(reusesOf(fn, [x, y])).toEqual([]);
    expect(reusesOf(fn, [x, y], [false, true])).toEqual([[1]]);
    expect(reusesOf(fn, [x, y], [true, true])).toEqual([[0]]);
  });

  it("one operand for each result", () => {
    const fn = (a: Tensor, b: Tensor) => [a.add(b).multiply(2), a.subtract(b).abs()];
    expect(reusesOf(fn, [x, y], [true, true])).toEqual([[0, 1]]);
  });

  it.each<readonly [string, Fn, readonly Tensor[]]>([
    ["that is read by strides", (a) => a.transpose().add(1).abs(), [x]],
    ["that is read by strides as well", (a) => a.transpose().add(a), [x]],
    ["that a later step reads", (a) => [a.add(1).abs(), a.sort()], [x]],
    ["of another type", (a) => a.asType("s32").add(1), [x]],
    ["of another size", (a, b) => a.add(b).abs(), [Nx.iota([SIDE], { type: "f32" }), x.asType("s32")]],
    ["that is small", (a) => a.add(1).abs(), [Nx.f32([1, 2])]],
    ["that is a result", (a) => [a.add(1).abs(), a], [x]],
    ["that a hook sees", (a) => (Nx.Defn.hook(a, () => 0), a.add(1).abs()), [x]],
  ])("nothing %s", (_name, fn, args) => {
    expect(reusesOf(fn, args, args.map(() => true))).toEqual([]); // prettier-ignore
  });
});

describe.each(BACKENDS)("in place on %s", (_name, backend) => {
  const on = <R>(body: () => R): R => Nx.withDefaultBackend(backend, body);
  const own = (t: Tensor) => Nx.backendCopy(t, backend);
  const step = (a: Tensor) => [a.multiply(3).subtract(1), a.sum()];
  const donating = Nx.defn(step, { donate: [0] });

  it("donated tensors are gone, and the results are right", () =>
    on(() => {
      const a = own(x);
      const expected = step(own(x));
      expect(differences(donating(a), expected)).toBeNull();
      expect(() => a.toBinary()).toThrow(/deallocated/);
    }));

  it("memory that another tensor holds is left alone", () =>
    on(() => {
      const a = own(x);
      const view = a.reshape([SIDE * SIDE]);
      donating(a);
      expect(differences([view], [own(x).reshape([SIDE * SIDE])])).toBeNull();
    }));

  it("a donated tensor that the function closes over is read before it is gone", () =>
    on(() => {
      const a = own(x);
      const fn = Nx.defn((t: Tensor) => [t.add(1).multiply(2).sort().add(Nx.add(a, 1).multiply(t.sum()))], {
        donate: true,
      });
      const expected = [
        own(x)
          .add(1)
          .multiply(2)
          .sort()
          .add(own(x).add(1).multiply(own(x).sum())),
      ];
      expect(differences(fn(a), expected)).toBeNull();
    }));

  it("what a lazy entry makes is not given up", () =>
    on(() => {
      const made = own(x);
      donating(own(x));
      const [first] = donating(Nx.Defn.lazy(Nx.template([SIDE, SIDE], "f32"), () => made) as never);
      expect(differences([made], [own(x)])).toBeNull();
      expect(differences([first!], step(own(x)).slice(0, 1))).toBeNull();
    }));

  it("a loop reads all results of a decomposition, one of which was read last before the loop", () =>
    on(() => {
      // half the logarithm of the determinant of p J + I, where J is full of ones: log(1 + n p) / 2
      const n = SIDE;
      const f = (p: Tensor) => {
        const matrix = Nx.ones([n, n], { type: "f64" }).multiply(p).add(Nx.eye(n));
        return Nx.takeDiagonal(Nx.LinAlg.cholesky(matrix)).log().sum();
      };
      expect(Nx.Defn.jacobian(f)(Nx.f64(0.5)).item()).toBeCloseTo(n / (1 + n / 2) / 2, 10);
      expect(Nx.Defn.hessian(f)(Nx.f64(0.5)).item()).toBeCloseTo(-((n / (1 + n / 2)) ** 2) / 2, 10);
      const inverse = (p: Tensor) => Nx.LinAlg.invert(Nx.eye(n, { type: "f64" }).multiply(p)).sum();
      expect(Nx.Defn.jacobian(inverse)(Nx.f64(0.5)).item()).toBeCloseTo(-4 * n, 10);
    }));

  it("loops over donated states give what others give", () =>
    on(() => {
      const next = (s: Tensor, g: Tensor) => s.subtract(g.multiply(0.1)).max(-5);
      const run = Nx.defn(next, { donate: [0] });
      let [state, expected] = [own(x), own(x)];
      for (let i = 0; i < 6; i++) [state, expected] = [run(state, own(y)), next(expected, own(y))];
      expect(differences([state], [expected])).toBeNull();
    }));
});

describe("the report", () => {
  it("says which buffers are written over others, and how many blocks of memory that takes", () => {
    const { buffers, totals } = Nx.Defn.explain(twoKernels as never)(x as never, y as never);
    expect(buffers.flatMap(({ name, over }) => (over === null ? [] : [[name, over]]))).toHaveLength(1);
    expect(totals.blocks).toBe(2);
    expect(totals.peakBytes).toBe(2 * 4 * SIDE * SIDE);
    const donated = Nx.Defn.explain(((a: Tensor) => a.add(1).abs()) as never, { donate: true })(x as never);
    expect([donated.totals.blocks, donated.buffers[1]!.over]).toEqual([0, "a"]);
    expect(String(donated)).toMatch(/over\n.*\n.*result .* a$/m);
  });
});
