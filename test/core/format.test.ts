import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Complex } from "../../lib/core/complex";
import { formatElement, formatFloat } from "../../lib/core/format";
import { bf16FromNumber, bf16ToNumber, f16FromNumber, f16ToNumber } from "../../lib/core/half";
import { tries } from "../effort";

const f16 = (x: number) => f16ToNumber(f16FromNumber(x));
const bf16 = (x: number) => bf16ToNumber(bf16FromNumber(x));

/** Significant digits of a printed float. */
function digitsOf(text: string): string {
  return text.replace(/^-/, "").replace(/e.*$/, "").replace(".", "").replace(/^0+/, "").replace(/0+$/, "");
}

/** Whether any decimal of so many digits rounds to a positive float. */
function expressible(x: number, digits: number, round: (x: number) => number): boolean {
  if (digits < 1) return false;
  const scale = Math.floor(Math.log10(x)) - digits + 1;
  const base = Math.floor(
    Number(`${x}e${-scale}`.replace(/e(-?\d+)e(-?\d+)/, (_, a, b) => `e${Number(a) + Number(b)}`)),
  );
  return [base - 1, base, base + 1, base + 2].some((whole) => round(Number(`${whole}e${scale}`)) === x);
}

describe("formatFloat", () => {
  it.each([
    [1, "f32", "1.0"],
    [-1.5, "f32", "-1.5"],
    [0, "f32", "0.0"],
    [-0, "f64", "-0.0"],
    [NaN, "f16", "NaN"],
    [Infinity, "bf16", "Inf"],
    [-Infinity, "f64", "-Inf"],
    [Math.fround(1.2), "f32", "1.2"],
    [1.2, "f64", "1.2"],
    [Math.fround(0.1), "f64", "0.10000000149011612"],
    [f16(0.1), "f16", "0.1"],
    [bf16(0.1), "bf16", "0.1"],
    [123456789, "f64", "123456789.0"],
    [16777216, "f32", "16777216.0"],
    [3.4028234663852886e38, "f32", "3.4028235e38"],
    [1.401298464324817e-45, "f32", "1.0e-45"],
    [5e-324, "f64", "5.0e-324"],
    [1e15, "f64", "1000000000000000.0"],
    [1e16, "f64", "1.0e16"],
    [1e20, "f64", "1.0e20"],
    [0.0001, "f64", "0.0001"],
    [0.00001, "f64", "1.0e-5"],
    [1.5e-7, "f64", "1.5e-7"],
    [2 ** -126, "f32", "1.1754944e-38"],
    [Math.PI, "f64", "3.141592653589793"],
    [Math.fround(Math.PI), "f32", "3.1415927"],
    [2 / 3, "f64", "0.6666666666666666"],
  ] as const)("prints %s of %s as %s", (value, type, text) => {
    expect(formatFloat(value, type)).toBe(text);
  });

  it.each([
    ["f16", f16ToNumber, f16],
    ["bf16", bf16ToNumber, bf16],
  ] as const)("prints every %s with the fewest digits that read back", (type, toNumber, round) => {
    const wrong: string[] = [];
    for (let bits = 1; bits < 0x8000; bits++) {
      const x = toNumber(bits);
      if (!Number.isFinite(x)) continue;
      const text = formatFloat(x, type);
      const count = digitsOf(text).length;
      if (round(Number(text)) !== x || expressible(x, count - 1, round)) wrong.push(`${x} as ${text}`);
    }
    expect(wrong).toEqual([]);
  });

  it("prints any f32 with the fewest digits that read back", () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (x) => {
        const text = formatFloat(x, "f32");
        expect(Object.is(Math.fround(Number(text)), x)).toBe(true);
        if (x !== 0) expect(expressible(Math.abs(x), digitsOf(text).length - 1, Math.fround)).toBe(false);
      }),
      { numRuns: tries(2000) },
    );
  });

  it("prints any f64 so that it reads back", () => {
    const readsBack = (x: number) => Object.is(Number(formatFloat(x, "f64")), x);
    fc.assert(fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), readsBack));
  });

  it("finds the fewest digits next to powers of two, where floats are unevenly spaced", () => {
    for (let exponent = -149; exponent < 128; exponent++) {
      const x = 2 ** exponent;
      const text = formatFloat(x, "f32");
      expect(Math.fround(Number(text))).toBe(x);
      expect(expressible(x, digitsOf(text).length - 1, Math.fround), `${x} as ${text}`).toBe(false);
    }
  });
});

describe("formatElement", () => {
  it.each([
    [3, "u8", "3"],
    [-3, "s64", "-3"],
    [9007199254740993n, "s64", "9007199254740993"],
    [2, "f32", "2.0"],
    [new Complex(1, -2), "c64", "1.0-2.0i"],
    [new Complex(Math.fround(0.1), Math.fround(0.2)), "c64", "0.1+0.2i"],
    [new Complex(0.1, -0), "c128", "0.1-0.0i"],
    [new Complex(NaN, -Infinity), "c64", "NaN-Infi"],
    [new Complex(Infinity, NaN), "c64", "Inf+NaNi"],
  ] as const)("prints %s of %s as %s", (value, type, text) => {
    expect(formatElement(value, type)).toBe(text);
  });
});
