/** Quantized tensors as values: names, text, traces, donation, and how they run. */

import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { fx16, held, integersOf, Q, sa8, type Any } from "./support";

const wide = sa8(3, 4, 5);
const fine = sa8(5, 5, -5);
const named = (values: readonly number[], names: readonly (string | null)[]) =>
  Q.quantize(Nx.f32(values, { names }), wide);

describe("a quantized tensor", () => {
  it("has type, shape and names, and cannot be changed", () => {
    const q = named([1, 2, 3], ["x"]);
    expect([q.type, q.shape, q.names, q.rank, q.size, q.values.type]).toEqual(["sa8", [3], ["x"], 1, 3, "s8"]);
    expect([Object.isFrozen(q), Object.isFrozen(q.format)]).toEqual([true, true]);
    const given = { type: "fx16", fracBits: 3 } as { type: "fx16"; fracBits: number };
    const held16 = Q.quantize(1, given);
    given.fracBits = 7;
    expect(held16.format).toEqual({ type: "fx16", fracBits: 3 });
  });

  it("shows itself", () => {
    const q = held([-11, 5, 21], wide);
    const text = "#Nx.Quantized<\n  sa8[3]\n  step 0.1875, zero point 5, from -24.9375 to 22.875\n  [-11, 5, 21]\n>";
    expect([String(q), inspect(q), Q.inspect(q)]).toEqual([text, text, text]);
  });

  it("merges and checks names", () => {
    const out = wide;
    expect(Q.add(named([1], ["x"]), named([2], [null]), { out }).names).toEqual(["x"]);
    expect(Q.add(Q.quantize(1, wide), named([1, 2], ["x"]), { out }).names).toEqual(["x"]);
    expect(() => Q.add(named([1, 2], ["x"]), named([1, 2], ["y"]), { out })).toThrow(/cannot merge axis name "x"/);
    expect(() => Q.add(named([1], ["x"]), named([1, 2], ["y"]), { out })).toThrow(/cannot merge axis name "x"/);
  });

  it("saturates infinities and takes NaN for zero", () => {
    expect(integersOf(Q.quantize(Nx.f32([Infinity, -Infinity, NaN]), wide))).toEqual([127, -128, 5]);
    expect(integersOf(Q.quantize(Nx.f64([1e300, -1e300, NaN]), fx16(3)))).toEqual([32767, -32768, 0]);
  });

  it("takes all real types and gives all floats", () => {
    for (const type of ["u8", "s64", "f16", "bf16", "f64"] as const) {
      expect(integersOf(Q.quantize(Nx.tensor([3, 6], { type }), sa8(3, 0)))).toEqual([1, 2]);
    }
    for (const type of ["f16", "bf16", "f32", "f64"] as const) {
      const back = Q.dequantize(held([-3, 8], fx16(2)), { type });
      expect([back.type, back.toList()]).toEqual([type, [-0.75, 2]]);
    }
    expect(Q.dequantize(held([3], sa8(1, 0)), { type: "f64" }).toList()).toEqual([3]);
    expect(Q.dequantize(held([3, 0], sa8(32767, -128))).toList()).toEqual([Infinity, 0]);
    expect(() => Q.quantize(new Nx.Complex(1, 2), wide)).toThrow(Nx.ArgumentError);
  });
});

describe("strict promotion", () => {
  it("has no say in what kernels do", () => {
    const all = () => [
      integersOf(Q.add(held([1, 50], wide), held([7, -50], fine), { out: wide, rounding: "convergent" })),
      integersOf(Q.mul(held([1, 500], fx16(-3)), held([7, -50], fx16(60)), { out: fx16(80) })),
      Q.dequantize(Q.quantize(Nx.f16([0.1, 3]), wide)).toList(),
      Q.fakeQuantize(Nx.bf16([0.1, 3]), sa8(32767, 3)).toList(),
      Nx.grad((x: Nx.Tensor) => Q.fakeQuantize(x, sa8(32767, 3)).sum())(Nx.bf16([0.1, 3])).toList(),
    ];
    expect(Nx.withPromotion("strict", all)).toEqual(all());
  });
});

describe("in traces", () => {
  const x = held([1, 50, -100], wide);
  const y = held([7, -50, 90], fine);

  it("goes in and out, and formats are part of the signature", () => {
    let traced = 0;
    const sum = Nx.defn((a: Any, b: Any) => {
      traced++;
      return Q.add(a, b, { out: wide });
    });
    for (const [a, b] of [
      [x, y],
      [y, x],
      [x, x],
      [x, y],
    ] as const) {
      expect(integersOf(sum(a, b))).toEqual(integersOf(Q.add(a, b, { out: wide })));
    }
    expect(traced).toBe(3);
    expect(sum(x, y).format).toEqual(wide);
  });

  it("stays in containers", () => {
    const both = Nx.defn(({ a, b }: { a: Any; b: Any }) => ({ sum: Q.add(a, b, { out: wide }), list: [Q.max(a, a)] }));
    const { sum, list } = both({ a: x, b: y });
    expect([integersOf(sum), integersOf(list[0]!)]).toEqual([integersOf(Q.add(x, y, { out: wide })), integersOf(x)]);
  });

  it("branches and loops keep the format", () => {
    const loop = Nx.defn((a: Any) =>
      Nx.Defn.whileLoop(
        a,
        (q: Any) => q.values.reduceMax().less(100),
        (q: Any) => Q.add(q, q, { out: wide }),
      ),
    );
    expect(Math.max(...integersOf(loop(x)))).toBeGreaterThanOrEqual(100);
    const other = Nx.defn((a: Any) =>
      Nx.Defn.cond([[a.values.sum().greater(0), () => a]], () => Q.max(a, a, { out: fine })),
    );
    expect(() => other(x)).toThrow(Nx.NxError);
  });

  it("shapes of values are checked while tracing", () => {
    const sum = Nx.defn((a: Any, b: Any) => Q.add(a, b, { out: wide }));
    expect(() => sum(x, held([1, 2], wide))).toThrow(Q.QuantizedError);
  });
});

describe("kernels", () => {
  const kernels = (fn: (a: Any, b: Any) => unknown, a: Any, b: Any): number => Nx.Defn.explain(fn)(a, b).totals.kernels;

  it.each(["add", "sub", "mul", "min", "max"] as const)("%s is one kernel in every format", (op) => {
    for (const rounding of ["up", "convergent"] as const) {
      for (const [a, b, out] of [
        [sa8(3, 4, 5), sa8(5, 5, -5), sa8(7, 4, 1)],
        [sa8(32767, 0), sa8(3, 1), sa8(1, 9)],
        [fx16(8), fx16(12), fx16(10)],
        [fx16(-60), fx16(60), fx16(90)],
      ] as const) {
        const right = op === "min" || op === "max" ? a : b;
        const fn = (x: Any, y: Any) => Q[op](x, y, { out, rounding });
        expect(kernels(fn, held([1, 2, 3], a), held([4, 5, 6], right))).toBe(1);
      }
    }
  });

  it("what depends on a scalar alone is computed once, not for every element", () => {
    const fn = (x: Any, y: Any) => Q.add(x, y, { out: wide });
    const report = Nx.Defn.explain(fn)(held(new Array(100).fill(1), wide), held([4], fine, []));
    expect(report.kernels.map(({ bytesWritten }) => bytesWritten)).toEqual([4, 100]);
  });

  it("a chain is one, from real numbers to real numbers", () => {
    const chain = (x: Nx.Tensor, y: Nx.Tensor) => {
      const [p, q] = [Q.quantize(x, wide), Q.quantize(y, fine)];
      return Q.dequantize(Q.max(Q.mul(p, Q.add(p, q, { out: wide }), { out: fine }), Q.quantize(0, fine)));
    };
    const t = Nx.f32([1, 2, 3]);
    expect(Nx.Defn.explain(chain)(t, t).totals.kernels).toBe(1);
  });

  it("no floats are computed with", () => {
    const text = String(
      Nx.Defn.debugExpr((a: Any, b: Any) => Q.mul(a, b, { out: wide }))(held([1], wide), held([1], fine)),
    );
    expect(text).toMatch(/s32/);
    expect(text).not.toMatch(/\bf(16|32|64)\b/);
  });
});

describe("donation", () => {
  const SIZE = 100_000;
  const make = () => Q.fromIntegers(Nx.asType(Nx.remainder(Nx.iota([SIZE]), 251), "s8"), wide);
  const isGone = (q: Any): boolean => {
    try {
      q.values.toFlatList({ limit: 1 });
      return false;
    } catch (error) {
      if (error instanceof Nx.BackendError) return true;
      throw error;
    }
  };

  it.each(["binary", "wasm"] as const)("gives the operand up and changes no result on %s", (backend) => {
    Nx.withDefaultBackend(backend, () => {
      const expected = integersOf(Q.sub(make(), Q.quantize(3, wide), { out: fine }));
      const [left, right, three] = [make(), make(), Q.quantize(3, wide)];
      expect(integersOf(Q.sub(left, three, { out: fine, donate: "left" }))).toEqual(expected);
      expect([isGone(left), isGone(three)]).toEqual([true, false]);
      const kept = make();
      expect(integersOf(Q.max(kept, right, { donate: "right" }))).toEqual(integersOf(kept));
      expect([isGone(kept), isGone(right)]).toEqual([false, true]);
    });
  });

  it("of both operands at once, if they are one", () => {
    const q = make();
    const expected = integersOf(Q.add(q, q, { out: wide }));
    expect(integersOf(Q.add(q, q, { out: wide, donate: "left" }))).toEqual(expected);
    expect(isGone(q)).toBe(true);
  });

  it("means nothing within a trace", () => {
    const q = held([1, 2], wide);
    const fn = Nx.defn((a: Any) => [Q.add(a, a, { out: wide, donate: "left" }), Q.sub(a, a, { out: wide })]);
    expect(fn(q).map(integersOf)).toEqual([
      [-3, -1],
      [5, 5],
    ]);
  });
});
