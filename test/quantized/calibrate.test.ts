/** Formats chosen for ranges and data, and what holds for all numbers. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { stepOf } from "../../lib/quantized/format";
import { BACKENDS, fx16, fx8, held, integersOf, Q, sa8, type Any } from "./support";
import { tries } from "../effort";

const finite = fc.double({ min: -1e6, max: 1e6, noNaN: true });
const ends = fc.tuple(finite, finite).map(([a, b]) => (a < b ? ([a, b] as const) : ([b, a] as const)));
/** Where scales have fewer digits than elsewhere, or none. */
const tiny = ends.map(([a, b]) => [a * 2 ** -130, b * 2 ** -130] as const);

it("data from one end of f64 to the other has a format", () => {
  const most = Q.calibrate(Nx.f64([-1.7e308, 1.7e308]));
  expect(most).toEqual(Q.formatForRange(-1.7e308, 1.7e308));
  expect(Q.calibrate(Nx.f64([-1.7e308, 0, 1.7e308]), { method: "percentile", percentile: 90 })).toEqual(most);
});

describe("formats for ranges", () => {
  it("hold both ends and 0 within a step", () => {
    fc.assert(
      fc.property(
        fc.oneof(ends, tiny),
        fc.constantFrom("sa8", "fx8", "fx16"),
        fc.boolean(),
        ([low, high], type, symmetric) => {
          const format = Q.formatForRange(low, high, type === "sa8" ? { type, symmetric } : { type });
          const back = Q.dequantize(Q.quantize(Nx.f64([low, high, 0]), format), {
            type: "f64",
          }).toFlatList() as number[];
          const step = stepOf(format);
          const slack = 2 ** -20 * Math.max(-low, high);
          expect(Math.abs(back[0]! - low)).toBeLessThanOrEqual(step + slack);
          expect(Math.abs(back[1]! - high)).toBeLessThanOrEqual(step + slack);
          expect(back[2]).toBe(0);
        },
      ),
    );
  });

  it("waste at most half of the integers of fx, and next to none of sa8", () => {
    fc.assert(
      fc.property(ends, ([low, high]) => {
        const size = Math.max(-low, high);
        fc.pre(high - low > 1e-6 && size > 1e-6);
        const widest = Math.max(
          ...integersOf(Q.quantize(Nx.f64([low, high]), Q.formatForRange(low, high, { type: "fx16" }))).map(Math.abs),
        );
        expect(widest).toBeGreaterThanOrEqual(16383);
        const format = Q.formatForRange(low, high);
        expect(stepOf(format) / ((Math.max(high, 0) - Math.min(low, 0)) / 255)).toBeCloseTo(1, 4);
      }),
    );
  });

  it("of numbers at the ends of what there is", () => {
    expect(Q.formatForRange(0, 0)).toEqual(sa8(1, 0, -128));
    expect(Q.formatForRange(0, 0, { symmetric: true })).toEqual(sa8(1, 0, 0));
    expect(Q.formatForRange(0, 0, { type: "fx16" })).toEqual(fx16(15));
    expect(Q.formatForRange(-1, 1, { type: "fx8" })).toEqual(fx8(6));
    expect(Q.formatForRange(-1, 0.9999, { type: "fx16" })).toEqual(fx16(14));
    expect(Q.formatForRange(0, 127, { type: "fx8" })).toEqual(fx8(0));
    expect(Q.formatForRange(0, 127.5, { type: "fx8" })).toEqual(fx8(-1));
    expect(Q.formatForRange(-1e308, 1e308).scaleFracBits).toBe(-128);
    expect(Q.formatForRange(-1e-300, 1e-300).scaleFracBits).toBe(127);
    expect(Q.formatForRange(0, 255.2 * 2 ** -125)).toEqual(sa8(5, 127, -128)); // 4 would end a fifth of a step too early
    expect(Q.formatForRange(1, 255)).toEqual(sa8(16384, 14, -128));
    expect(Q.formatForRange(-255, -1)).toEqual(sa8(16384, 14, 127));
  });

  it("refuses what is no range", () => {
    expect(() => Q.formatForRange(1, NaN)).toThrow(Nx.ArgumentError);
    expect(() => Q.formatForRange("0" as never, 1)).toThrow(/two finite numbers/);
    expect(() => Q.formatForRange(0, 1, { type: "fx8", symmetric: false })).toThrow(/no zero point/);
  });
});

describe("formats for data", () => {
  const t = Nx.f32([
    [-1, 0],
    [0.5, 3],
  ]);

  it("from the least and the largest element", () => {
    expect(Q.calibrate(t)).toEqual(Q.formatForRange(-1, 3));
    expect(Q.calibrate(t, { symmetric: true })).toEqual(Q.formatForRange(-3, 3, { symmetric: true }));
    expect(Q.calibrate(t, { type: "fx8" })).toEqual(fx8(5));
    expect(Q.calibrate(Nx.u8([0, 255]))).toEqual(sa8(16384, 14, -128));
    expect(Q.calibrate(7)).toEqual(Q.formatForRange(0, 7));
  });

  it("from percentiles, between elements by a straight line", () => {
    const data = Nx.f64(Array.from({ length: 101 }, (_, i) => ((i * 37) % 101) - 20)); // -20 to 80 in disorder
    const at = (percentile: number, symmetric = false) =>
      Q.calibrate(data, { method: "percentile", percentile, symmetric });
    expect(at(100)).toEqual(Q.formatForRange(-20, 80));
    expect(at(90)).toEqual(Q.formatForRange(-10, 70));
    expect(at(95.5)).toEqual(Q.formatForRange(-15.5, 75.5));
    expect(at(90, true)).toEqual(Q.formatForRange(-70, 70, { symmetric: true }));
    const default_ = Q.calibrate(data, { method: "percentile" });
    expect(stepOf(default_)).toBeCloseTo(99.8 / 255, 4);
  });

  it("refuses what it cannot use", () => {
    expect(() => Q.calibrate(t, { percentile: 99 })).toThrow(/goes with/);
    expect(() => Q.calibrate(t, { method: "percentile", percentile: 50 })).toThrow(/above 50/);
    expect(() => Q.calibrate(Nx.f32([1, Infinity]))).toThrow(/finite/);
    expect(() => Q.calibrate(Nx.c64([1]))).toThrow(Nx.ArgumentError);
    expect(() => Nx.defn((x: Nx.Tensor) => Q.quantize(x, Q.calibrate(x)))(t)).toThrow(Nx.DefnError);
  });
});

const zero = fc.integer({ min: -128, max: 127 });
const sa8Format = fc
  .tuple(fc.integer({ min: 1, max: 32767 }), fc.integer({ min: 0, max: 15 }), zero)
  .map((n) => sa8(...n));
const fx16Format = fc.integer({ min: -2, max: 17 }).map(fx16);
const bytes = fc.array(fc.integer({ min: -128, max: 127 }), { minLength: 5, maxLength: 5 });
const words = fc.array(fc.integer({ min: -32768, max: 32767 }), { minLength: 5, maxLength: 5 });
const operand = fc.oneof(
  fc.tuple(bytes, sa8Format, bytes, sa8Format, sa8Format),
  fc.tuple(words, fx16Format, words, fx16Format, fx16Format),
);
const RUNS = { numRuns: tries(60) };

describe("laws", () => {
  it("numbers come back within half a step", () => {
    fc.assert(
      fc.property(
        fc.oneof(sa8Format, fx16Format),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 9 }),
        (format, shares) => {
          const step = stepOf(format);
          const [low, high] =
            format.type === "sa8" ? [-128 - format.zeroPoint, 127 - format.zeroPoint] : [-32768, 32767];
          const t = Nx.f32(shares.map((share) => (low + (high - low) * share) * step));
          const back = Q.dequantize(Q.quantize(t, format)).toFlatList() as number[];
          (t.toFlatList() as number[]).forEach((x, i) => {
            expect(Math.abs(back[i]! - x)).toBeLessThanOrEqual(step * 0.5 + Math.abs(x) * 2 ** -22);
          });
        },
      ),
      RUNS,
    );
  });

  it("integers come back as they were", () => {
    fc.assert(
      fc.property(operand, ([x, format]) => {
        expect(integersOf(Q.quantize(Q.dequantize(held(x, format)), format))).toEqual(x);
      }),
      RUNS,
    );
  });

  it("sums, products and extremes commute; a difference with itself is 0", () => {
    fc.assert(
      fc.property(operand, fc.constantFrom("up", "convergent"), ([x, fx, y, fy, out], rounding) => {
        const [a, b] = [held(x, fx), held(y, fy)];
        for (const op of ["add", "mul"] as const) {
          expect(integersOf(Q[op](a, b, { out, rounding }))).toEqual(integersOf(Q[op](b, a, { out, rounding })));
        }
        const same = held(y, fx);
        for (const op of ["min", "max"] as const) {
          expect(integersOf(Q[op](a, same, { out, rounding }))).toEqual(integersOf(Q[op](same, a, { out, rounding })));
          expect(integersOf(Q[op](a, a))).toEqual(x);
        }
        const nothing = out.type === "sa8" ? out.zeroPoint : 0;
        expect(integersOf(Q.sub(a, a, { out, rounding }))).toEqual(x.map(() => nothing));
      }),
      RUNS,
    );
  });

  it("results are near those of real numbers", () => {
    fc.assert(
      fc.property(words, words, fc.integer({ min: 0, max: 15 }), (x, y, n) => {
        const [a, b] = [held(x, fx16(n)), held(y, fx16(n))];
        const real = (q: Any) => Q.dequantize(q, { type: "f64" });
        const clamp = (t: Nx.Tensor) => t.clamp({ min: -32768 / 2 ** (n - 1), max: 32767 / 2 ** (n - 1) });
        const gap = (q: Any, t: Nx.Tensor) => real(q).subtract(clamp(t)).abs().reduceMax().toNumber() as number;
        expect(gap(Q.add(a, b, { out: fx16(n - 1) }), real(a).add(real(b)))).toBeLessThanOrEqual(2 ** -n);
        expect(gap(Q.mul(a, b, { out: fx16(n - 1) }), real(a).multiply(real(b)))).toBeLessThanOrEqual(2 ** -n);
      }),
      RUNS,
    );
  });

  it("both backends give the same bytes, also of large tensors", () => {
    const size = 70_001;
    const spread = (by: number, type: "s8" | "s16") =>
      Nx.asType(Nx.multiply(Nx.iota([size], { type: "s32" }), by), type);
    const formats = [
      [sa8(301, 9, 3), sa8(77, 6, -7), sa8(3, 1, 20)],
      [sa8(32767, 0, 1), sa8(32767, 2, 0), sa8(1, 9, 0)],
      [fx16(9), fx16(13), fx16(6)],
      [fx16(40), fx16(3), fx16(20)],
    ] as const;
    const results = BACKENDS.map((backend) =>
      Nx.withDefaultBackend(backend, () =>
        formats.flatMap(([left, right, out]) => {
          const type = left.type === "sa8" ? "s8" : "s16";
          const [a, b] = [Q.fromIntegers(spread(37, type), left), Q.fromIntegers(spread(2503, type), right)];
          const all = (rounding: "up" | "convergent") => [
            Q.add(a, b, { out, rounding }),
            Q.sub(a, b, { out, rounding }),
            Q.mul(a, b, { out, rounding }),
            Q.max(a, a, { out, rounding }),
          ];
          return [...all("up"), ...all("convergent"), Q.quantize(Q.dequantize(a), right)].map((q) =>
            Nx.toBinary(q.values),
          );
        }),
      ),
    );
    expect(results[1]!.length).toBe(36);
    results[1]!.forEach((bytes_, i) => expect(Buffer.compare(bytes_, results[0]![i]!)).toBe(0));
  });
});

describe("fakeQuantize", () => {
  it("rounds as quantizing does, and lets gradients through within the range", () => {
    const format = sa8(1, 2, 10);
    const t = Nx.f64([-40, -34.5, -1.3, 0, 2.6, 29.25, 30], { names: ["x"] });
    const fake = (x: Nx.Tensor) => Q.fakeQuantize(x, format);
    expect(fake(t).toList()).toEqual(Q.dequantize(Q.quantize(t, format)).toList());
    expect([fake(t).type, fake(t).names]).toEqual(["f64", ["x"]]);
    const g = Nx.grad((x: Nx.Tensor) =>
      fake(x)
        .multiply(Nx.f64([1, 2, 3, 4, 5, 6, 7]))
        .sum(),
    )(t);
    expect(g.toList()).toEqual([0, 2, 3, 4, 5, 6, 0]);
    expect(Q.fakeQuantize(3, fx8(0)).type).toBe("f32");
  });
});
