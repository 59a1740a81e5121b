import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bf16FromNumber, bf16ToNumber, f16FromNumber, f16ToNumber } from "../../lib/core/half";
import { tries } from "../effort";

interface Format {
  name: string;
  fractionBits: number;
  bias: number;
  fromNumber: (x: number) => number;
  toNumber: (bits: number) => number;
}

const formats: Format[] = [
  { name: "f16", fractionBits: 10, bias: 15, fromNumber: f16FromNumber, toNumber: f16ToNumber },
  { name: "bf16", fractionBits: 7, bias: 127, fromNumber: bf16FromNumber, toNumber: bf16ToNumber },
];

/** The value of a bit pattern by the definition of the format. */
function valueByDefinition({ fractionBits, bias }: Format, bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits & 0x7fff) >> fractionBits;
  const fraction = bits & (2 ** fractionBits - 1);
  if (exponent === 2 * bias + 1) return fraction === 0 ? sign * Infinity : NaN;
  if (exponent === 0) return sign * fraction * 2 ** (1 - bias - fractionBits);
  return sign * (1 + fraction / 2 ** fractionBits) * 2 ** (exponent - bias);
}

/** x as an integer number of 2^-1074, exactly. */
function asUnits(x: number): bigint {
  const view = new BigUint64Array(new Float64Array([Math.abs(x)]).buffer)[0] as bigint;
  const exponent = view >> 52n;
  const fraction = view & ((1n << 52n) - 1n);
  const size = exponent === 0n ? fraction : (fraction | (1n << 52n)) << (exponent - 1n);
  return x < 0 ? -size : size;
}

/** The nearest pattern by exact comparison with its two neighbours, found by bisection over the positive patterns. */
function nearestByDefinition(format: Format, x: number): number {
  const sign = Object.is(Math.sign(x), -0) || x < 0 ? 0x8000 : 0;
  const infinity = (2 * format.bias + 1) << format.fractionBits;
  const size = asUnits(Math.abs(x));
  // The pattern of infinity stands, as a bound, for the next power of two.
  const units = (bits: number): bigint =>
    bits === infinity ? 2n * asUnits(2 ** format.bias) : asUnits(valueByDefinition(format, bits));
  let low = 0;
  let high = infinity;
  if (size >= units(infinity)) return sign | infinity;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (units(middle) <= size) low = middle;
    else high = middle;
  }
  const below = size - units(low);
  const above = units(high) - size;
  return sign | (below < above || (below === above && low % 2 === 0) ? low : high);
}

describe.each(formats)("$name", (format) => {
  it("reads all 65536 patterns as the format defines them, and writes them back", () => {
    for (let bits = 0; bits < 0x10000; bits++) {
      const value = format.toNumber(bits);
      if (!Object.is(value, valueByDefinition(format, bits)))
        expect([bits, value]).toEqual([bits, valueByDefinition(format, bits)]);
      if (value === value && format.fromNumber(value) !== bits)
        expect([bits, format.fromNumber(value)]).toEqual([bits, bits]);
    }
  });

  it("rounds the middle between any two neighbours to the even one, and numbers beside it to the nearer one", () => {
    const infinity = (2 * format.bias + 1) << format.fractionBits;
    for (let bits = 0; bits < infinity - 1; bits++) {
      const middle = (format.toNumber(bits) + format.toNumber(bits + 1)) / 2;
      const even = bits % 2 === 0 ? bits : bits + 1;
      const nudge = middle * 2 ** -52;
      const got = [middle, middle - nudge, middle + nudge, -middle].map(format.fromNumber);
      if (got[0] !== even || got[1] !== bits || got[2] !== bits + 1 || got[3] !== (even | 0x8000)) {
        expect([bits, ...got]).toEqual([bits, even, bits, bits + 1, even | 0x8000]);
      }
    }
  });

  it("rounds any number once, to the nearest even", () => {
    const inRange = fc
      .tuple(fc.double({ min: 1, max: 2, noNaN: true }), fc.integer({ min: -152, max: 130 }), fc.boolean())
      .map(([m, e, negative]) => (negative ? -m : m) * 2 ** e);
    fc.assert(
      fc.property(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), inRange), (x) => {
        expect(format.fromNumber(x)).toBe(nearestByDefinition(format, x));
      }),
      { numRuns: tries(3000) },
    );
  });

  it("keeps zeros, infinities and NaN", () => {
    const infinity = (2 * format.bias + 1) << format.fractionBits;
    expect(format.fromNumber(0)).toBe(0);
    expect(format.fromNumber(-0)).toBe(0x8000);
    expect(format.fromNumber(Infinity)).toBe(infinity);
    expect(format.fromNumber(-Infinity)).toBe(infinity | 0x8000);
    expect(format.fromNumber(NaN) & 0x7fff).toBe(infinity | (1 << (format.fractionBits - 1)));
    expect(format.fromNumber(5e-324)).toBe(0);
    expect(format.fromNumber(-5e-324)).toBe(0x8000);
    expect(format.fromNumber(Number.MAX_VALUE)).toBe(infinity);
  });
});

describe("known values", () => {
  it("overflows f16 from 65520 on", () => {
    expect(f16ToNumber(f16FromNumber(65519.999))).toBe(65504);
    expect(f16ToNumber(f16FromNumber(65520))).toBe(Infinity);
  });

  it("rounds to f16 where rounding to f32 first would give another number", () => {
    const x = 1 + 2 ** -11 + 2 ** -40;
    expect(f16ToNumber(f16FromNumber(x))).toBe(1 + 2 ** -10);
    expect(f16ToNumber(f16FromNumber(Math.fround(x)))).toBe(1);
  });

  it("rounds to bf16 instead of truncating", () => {
    expect(bf16FromNumber(1.00390625 + 2 ** -10)).toBe(0x3f81);
    expect(bf16ToNumber(bf16FromNumber(0.1))).toBe(0.10009765625);
    expect(bf16ToNumber(bf16FromNumber(1.99999))).toBe(2);
  });
});
