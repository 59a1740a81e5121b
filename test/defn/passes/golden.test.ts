import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { MAX_NODES } from "../../../lib/defn/fuse/clusters";
import { NORMALIZE, OPTIMIZE } from "../../../lib/defn/passes";
import { cse } from "../../../lib/defn/passes/cse";
import { dce } from "../../../lib/defn/passes/dce";
import { epilogues, fuse, rows } from "../../../lib/defn/passes/fusions";
import { fold } from "../../../lib/defn/passes/fold";
import { normalize } from "../../../lib/defn/passes/normalize";
import { rematerialize } from "../../../lib/defn/passes/rematerialize";
import { transposes } from "../../../lib/defn/passes/transposes";
import { fusedGraph, kernelsOf, nodesOf } from "../fuse/support";
import { after, firedOf, golden, same } from "./support";

const x = Nx.iota([2, 3], { type: "f32", names: ["row", "column"] });
const large = Nx.iota([200, 100], { type: "f32" });
const square = Nx.iota([20, 20], { type: "f32" });
const bias = Nx.iota([20], { type: "f32" });

describe("golden texts", () => {
  it("fold", () =>
    expect(golden([fold], (t) => t.multiply(Nx.iota([3]).add(1)), x)).toMatchInlineSnapshot(`
      "a = parameter 0  f32[row: 2][column: 3]
      b = iota(axis: null)  s64[3]
      c = constant(value: 1)  s64
      d = add(b, c)  s64[3]
      e = multiply(a, d)  f32[row: 2][column: 3]
      return e

      after fold
      a = parameter 0  f32[row: 2][column: 3]
      b = literal of 3 elements  s64[3]
      c = multiply(a, b)  f32[row: 2][column: 3]
      return c"
    `));
  it("cse", () =>
    expect(golden([cse], (t) => t.add(1).exp().multiply(t.add(1).exp()), x)).toMatchInlineSnapshot(`
      "a = parameter 0  f32[row: 2][column: 3]
      b = constant(value: 1)  f32
      c = add(a, b)  f32[row: 2][column: 3]
      d = exp(c)  f32[row: 2][column: 3]
      e = constant(value: 1)  f32
      f = add(a, e)  f32[row: 2][column: 3]
      g = exp(f)  f32[row: 2][column: 3]
      h = multiply(d, g)  f32[row: 2][column: 3]
      return h

      after cse
      a = parameter 0  f32[row: 2][column: 3]
      b = constant(value: 1)  f32
      c = add(a, b)  f32[row: 2][column: 3]
      d = exp(c)  f32[row: 2][column: 3]
      e = multiply(d, d)  f32[row: 2][column: 3]
      return e"
    `));
  it("dce", () =>
    expect(
      golden(
        [normalize, dce],
        (t, k) => Nx.Defn.cond([[t.sum().greater(0), () => Nx.select(1, t, k)]], () => t.negate()),
        x,
        x,
      ),
    ).toMatchInlineSnapshot(`
      "a = parameter 0  f32[row: 2][column: 3]
      b = parameter 1  f32[row: 2][column: 3]
      c = sum(a, axes: [0, 1], keepAxes: false)  f32
      d = constant(value: 0)  f32
      e = greater(c, d)  u8
      f = cond(e, a, b)  f32[row: 2][column: 3]
        with
          a = parameter 0  f32[row: 2][column: 3]
          b = parameter 1  f32[row: 2][column: 3]
          return a
        with
          a = parameter 0  f32[row: 2][column: 3]
          b = parameter 1  f32[row: 2][column: 3]
          c = negate(a)  f32[row: 2][column: 3]
          return c
      g = element(f, index: 0)  f32[row: 2][column: 3]
      return g

      after dce
      a = parameter 0  f32[row: 2][column: 3]
      b = parameter 1  f32[row: 2][column: 3]
      c = sum(a, axes: [0, 1], keepAxes: false)  f32
      d = constant(value: 0)  f32
      e = greater(c, d)  u8
      f = cond(e, a)  f32[row: 2][column: 3]
        with
          a = parameter 0  f32[row: 2][column: 3]
          return a
        with
          a = parameter 0  f32[row: 2][column: 3]
          b = negate(a)  f32[row: 2][column: 3]
          return b
      g = element(f, index: 0)  f32[row: 2][column: 3]
      return g"
    `));
  it("fuse", () =>
    expect(
      golden(
        [fuse],
        (t) =>
          t
            .add(1)
            .multiply(t.transpose().reshape([2, 3]))
            .sum(),
        x,
      ),
    ).toMatchInlineSnapshot(`
      "a = parameter 0  f32[row: 2][column: 3]
      b = constant(value: 1)  f32
      c = add(a, b)  f32[row: 2][column: 3]
      d = transpose(a, axes: [1, 0])  f32[column: 3][row: 2]
      e = reshape(d)  f32[2][3]
      f = multiply(c, e)  f32[row: 2][column: 3]
      g = sum(f, axes: [0, 1], keepAxes: false)  f32
      return g

      after fuse
      a = parameter 0  f32[row: 2][column: 3]
      b = transpose(a, axes: [1, 0])  f32[column: 3][row: 2]
      c = reshape(b)  f32[2][3]
      d = fused(a, c)  f32[row: 2][column: 3]
        with
          a = parameter 0  f32[row: 2][column: 3]
          b = parameter 1  f32[2][3]
          c = constant(value: 1)  f32
          d = add(a, c)  f32[row: 2][column: 3]
          e = multiply(d, b)  f32[row: 2][column: 3]
          return e
      e = element(d, index: 0)  f32[row: 2][column: 3]
      f = sum(e, axes: [0, 1], keepAxes: false)  f32
      return f"
    `));
  it("rows", () =>
    expect(golden([fuse, rows], (t) => Nx.exp(t.subtract(t.reduceMax({ axes: [1], keepAxes: true }))), x)).toMatchInlineSnapshot(`
      "a = parameter 0  f32[row: 2][column: 3]
      b = reduceMax(a, axes: [1], keepAxes: true) f32[row: 2][column: 1]
      c = fused(a, b)  f32[row: 2][column: 3]
        with
          a = parameter 0  f32[row: 2][column: 3]
          b = parameter 1  f32[row: 2][column: 1]
          c = subtract(a, b)  f32[row: 2][column: 3]
          d = exp(c)  f32[row: 2][column: 3]
          return d
      d = element(c, index: 0)  f32[row: 2][column: 3]
      return d

      after rows
      a = parameter 0  f32[row: 2][column: 3]
      b = fused(a)  f32[row: 2][column: 3]
        with
          a = parameter 0  f32[row: 2][column: 3]
          b = reduceMax(a, axes: [1], keepAxes: true) f32[row: 2][column: 1]
          c = fused(a, b)  f32[row: 2][column: 3]
            with
              a = parameter 0  f32[row: 2][column: 3]
              b = parameter 1  f32[row: 2][column: 1]
              c = subtract(a, b)  f32[row: 2][column: 3]
              d = exp(c)  f32[row: 2][column: 3]
              return d
          d = element(c, index: 0)  f32[row: 2][column: 3]
          return d
      c = element(b, index: 0)  f32[row: 2][column: 3]
      return c"
    `)); // prettier-ignore
  it("transposes", () =>
    expect(golden([transposes], (a, b) => a.transpose().dot(b.transpose()).transpose(), square, square))
      .toMatchInlineSnapshot(`
      "a = parameter 0  f32[20][20]
      b = parameter 1  f32[20][20]
      c = transpose(a, axes: [1, 0])  f32[20][20]
      d = transpose(b, axes: [1, 0])  f32[20][20]
      e = dot(c, d, contract: [[1], [0]], batch: [[], []]) f32[20][20]
      f = transpose(e, axes: [1, 0])  f32[20][20]
      return f

      after transposes
      a = parameter 0  f32[20][20]
      b = parameter 1  f32[20][20]
      c = dot(b, a, contract: [[1], [0]], batch: [[], []]) f32[20][20]
      return c"
    `));
  it("epilogues", () =>
    expect(
      golden(
        [transposes, fuse, epilogues],
        (a, w, bias) => Nx.max(a.dot(w.transpose()).add(bias), 0),
        square,
        square,
        bias,
      ),
    ).toMatchInlineSnapshot(`
      "a = parameter 0  f32[20][20]
      b = parameter 1  f32[20][20]
      c = parameter 2  f32[20]
      d = dot(a, b, contract: [[1], [1]], batch: [[], []]) f32[20][20]
      e = fused(d, c)  f32[20][20]
        with
          a = parameter 0  f32[20][20]
          b = parameter 1  f32[20]
          c = add(a, b)  f32[20][20]
          d = constant(value: 0)  f32
          e = max(c, d)  f32[20][20]
          return e
      f = element(e, index: 0)  f32[20][20]
      return f

      after epilogues
      a = parameter 0  f32[20][20]
      b = parameter 1  f32[20][20]
      c = parameter 2  f32[20]
      d = fused(a, b, c)  f32[20][20]
        with
          a = parameter 0  f32[20][20]
          b = parameter 1  f32[20][20]
          c = parameter 2  f32[20]
          d = dot(a, b, contract: [[1], [1]], batch: [[], []]) f32[20][20]
          e = fused(d, c)  f32[20][20]
            with
              a = parameter 0  f32[20][20]
              b = parameter 1  f32[20]
              c = add(a, b)  f32[20][20]
              d = constant(value: 0)  f32
              e = max(c, d)  f32[20][20]
              return e
          f = element(e, index: 0)  f32[20][20]
          return f
      e = element(d, index: 0)  f32[20][20]
      return e"
    `));
  it("rematerialize", () =>
    expect(
      golden(
        [cse, rematerialize],
        (t) => t.multiply(2).add(1).add(t.multiply(2).add(1).transpose()),
        Nx.iota([3, 3], { type: "f32" }),
      ),
    ).toMatchInlineSnapshot(`
      "a = parameter 0  f32[3][3]
      b = constant(value: 2)  f32
      c = multiply(a, b)  f32[3][3]
      d = constant(value: 1)  f32
      e = add(c, d)  f32[3][3]
      f = transpose(e, axes: [1, 0])  f32[3][3]
      g = add(e, f)  f32[3][3]
      return g

      after rematerialize
      a = parameter 0  f32[3][3]
      b = constant(value: 2)  f32
      c = multiply(a, b)  f32[3][3]
      d = constant(value: 1)  f32
      e = add(c, d)  f32[3][3]
      f = transpose(a, axes: [1, 0])  f32[3][3]
      g = constant(value: 2)  f32
      h = multiply(f, g)  f32[3][3]
      i = constant(value: 1)  f32
      j = add(h, i)  f32[3][3]
      k = add(e, j)  f32[3][3]
      return k"
    `));
});

const passes = (upTo: typeof rematerialize) => OPTIMIZE.slice(0, OPTIMIZE.indexOf(upTo) + 1);

describe("recompute or store", () => {
  it("a cheap value that lies on both sides of something is computed twice", () => {
    const fn = (t: Tensor) => {
      const y = t.multiply(2).add(1);
      return [y.add(y.transpose())];
    };
    const square = Nx.iota([30, 30], { type: "f32" });
    expect(firedOf(passes(rematerialize), fn, square)).toBe(1);
    expect(after(passes(fuse), fn, square).match(/fused/g)).toHaveLength(1);
    same(fn, square);
  });

  it("an expensive one is kept", () => {
    const fn = (t: Tensor) => {
      const y = t.exp().tanh();
      return [y.add(y.transpose())];
    };
    expect(firedOf(passes(rematerialize), fn, Nx.iota([30, 30], { type: "f32" }))).toBe(0);
  });

  it("one that something else reads is kept, or that is a result", () => {
    const fn = (t: Tensor) => {
      const y = t.multiply(2).add(1);
      return [y.add(y.transpose()), y.sort()];
    };
    const square = Nx.iota([30, 30], { type: "f32" });
    expect(firedOf(passes(rematerialize), fn, square)).toBe(0);
    expect(firedOf(passes(rematerialize), (t) => [t.add(1), t.add(1).transpose().add(t.add(1))], square)).toBe(0);
    same(fn, square);
  });

  it("one that would be computed for every row is kept", () => {
    const fn = (t: Tensor, row: Tensor) => {
      const y = row.multiply(2).add(1).abs().subtract(0.5);
      return [t.add(y)];
    };
    expect(firedOf(passes(rematerialize), fn, large, Nx.iota([100], { type: "f32" }))).toBe(0);
  });

  it("slices of a value compute no more than they show", () => {
    const fn = (t: Tensor) => {
      const y = t.multiply(2).add(1);
      return [y.slice([0, 0], [100, 100]).add(y.slice([100, 0], [100, 100]))];
    };
    expect(after(passes(fuse), fn, large).match(/fused/g)).toHaveLength(1);
    same(fn, large);
  });

  it("a sum of long rows leaves no operand in memory", () => {
    const fn = (t: Tensor) => {
      const y = t.multiply(0.5).add(1);
      return [y.divide(y.sum())];
    };
    expect(firedOf(passes(rematerialize), fn, large)).toBe(1);
    const { buffers } = Nx.Defn.explain(fn as never)(large as never);
    expect(buffers.filter(({ role }) => role === "temporary").map(({ bytes }) => bytes)).toEqual([4]);
    same(fn, large);
  });

  it("values of other shapes, constants and broadcast operands are seen through views", () => {
    const fn = (t: Tensor, row: Tensor) => {
      const y = t.multiply(row).add(Nx.broadcast(3, [30, 30]));
      return [y.reverse({ axes: [1] }).add(y.transpose()), y.reshape([900]).multiply(2).sort()];
    };
    const only = (t: Tensor, row: Tensor) => fn(t, row).slice(0, 1);
    const args = [Nx.iota([30, 30], { type: "f32" }), Nx.iota([30], { type: "f32" })];
    for (const each of [fn, only]) same(each as never, ...args);
  });
});

describe("kernels", () => {
  it("have all constants of a long polynomial in themselves", () => {
    const horner = (t: Tensor) => {
      let y = t.multiply(0.5);
      for (let i = 0; i < 60; i++) y = y.add(i / 7).multiply(t);
      return [y];
    };
    const kernels = kernelsOf(fusedGraph(horner, x));
    expect(kernels.map(({ inputs }) => inputs.length)).toEqual([1]);
    expect(nodesOf(kernels[0]!.attrs.fn).filter(({ inputs }) => inputs.length > 0).length).toBeLessThanOrEqual(
      MAX_NODES,
    );
    same(horner, x);
  });

  it("read constants that are no numbers, and count them", () => {
    const u = Nx.tensor([1n, 2n ** 63n], { type: "u64" });
    const fn = (t: Tensor) => {
      let y = t;
      for (let i = 0n; i < 40n; i++) y = y.bitwiseXor(2n ** 63n + i).add(1);
      return [y];
    };
    same(fn, u);
  });
});

describe("passes", () => {
  it("of the compiler come in order", () => {
    expect(NORMALIZE.map(({ name }) => name)).toEqual(["inline", "fold", "normalize", "cse", "dce"]);
    const names = OPTIMIZE.map(({ name }) => name);
    expect(names.indexOf("rematerialize")).toBe(names.indexOf("fuse") - 1);
    expect(names.indexOf("rows")).toBeGreaterThan(names.indexOf("fuse"));
  });
});
