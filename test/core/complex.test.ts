import { is } from "immutable";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { Complex } from "../../lib/core/complex";
import { formatElement } from "../../lib/core/format";

describe("Complex", () => {
  it("holds its parts, the imaginary one being 0 unless given", () => {
    expect([new Complex(1, -2).re, new Complex(1, -2).im, new Complex(3).im]).toEqual([1, -2, 0]);
  });

  it.each([
    [1, -2, "1.0-2.0i"],
    [3, 0, "3.0+0.0i"],
    [NaN, -Infinity, "NaN-Infi"],
    [-Infinity, NaN, "-Inf+NaNi"],
    [-1.5, 0.1, "-1.5+0.1i"],
    [-0, -0, "-0.0-0.0i"],
    [0, Infinity, "0.0+Infi"],
    [1e-4, -1e15, "0.0001-1000000000000000.0i"],
    [1.5e-7, -1e16, "1.5e-7-1.0e16i"],
  ])("prints %s and %s as %s", (re, im, text) => {
    expect(String(new Complex(re, im))).toBe(text);
    expect(inspect(new Complex(re, im))).toBe(text);
  });

  it("prints its parts as tensors print f64", () => {
    for (const x of [0.1, 1 / 3, -2.5e-5, 123456789, 9.99e15, 1e21, 5e-324, -1.7976931348623157e308]) {
      expect(String(new Complex(x, x))).toBe(formatElement(new Complex(x, x), "c128"));
    }
  });

  it("is immutable", () => {
    expect(Object.isFrozen(new Complex(1, 2))).toBe(true);
  });

  it("is equal by value, for Immutable.js too", () => {
    expect(new Complex(1, 2).equals(new Complex(1, 2))).toBe(true);
    expect(is(new Complex(1, NaN), new Complex(1, NaN))).toBe(true);
    expect(is(new Complex(0, 1), new Complex(-0, 1))).toBe(true);
    expect(is(new Complex(1, 2), new Complex(2, 1))).toBe(false);
    expect(new Complex(1).equals(1)).toBe(false);
  });

  it("hashes equal values alike and others mostly apart", () => {
    expect(new Complex(0, -0).hashCode()).toBe(new Complex(-0, 0).hashCode());
    const hashes = new Set(Array.from({ length: 1000 }, (_, i) => new Complex(i % 40, Math.floor(i / 40)).hashCode()));
    expect(hashes.size).toBeGreaterThan(900);
  });
});
