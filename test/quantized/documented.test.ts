/** What the documents and the reference kernels say, one by one. */

import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { factorOf, saturate, shifted } from "../../lib/quantized/host";
import { fx16, fx8, held, integersOf, Q, refusal, sa8 } from "./support";

describe("shifts", () => {
  it("round halves up, within so many bits", () => {
    expect([3n, 1n, -1n, -3n].map((v) => shifted(v, 1, 16, "up"))).toEqual([2n, 1n, 0n, -1n]);
    expect(shifted(32767n, 1, 16, "up")).toBe(16383n);
    expect(shifted(32767n, 1, 32, "up")).toBe(16384n);
  });

  it("round halves to even numbers", () => {
    expect([5n, 3n, 1n, -1n, -3n].map((v) => shifted(v, 1, 16, "convergent"))).toEqual([2n, 2n, 0n, 0n, -2n]);
  });

  it("by 0, by more than there are bits, and to the left", () => {
    expect(shifted(-7n, 0, 16, "up")).toBe(-7n);
    expect(shifted(-32768n, 15, 16, "up")).toBe(-1n);
    expect(shifted(-32768n, 16, 16, "up")).toBe(0n);
    expect(shifted(-3n, -2, 16, "up")).toBe(-12n);
    expect([1n, -1n].map((v) => shifted(v, -40, 32, "up"))).toEqual([2147483647n, -2147483648n]);
    expect([128n, -129n, 5n].map((v) => saturate(v, 8))).toEqual([127n, -128n, 5n]);
  });
});

describe("factors", () => {
  it("are 1 for every scale to itself", { timeout: 60_000 }, () => {
    for (const rounding of ["up", "convergent"] as const) {
      for (let scale = 1; scale < 32768; scale++) {
        const { mantissa, shift } = factorOf(scale, scale, 0, 23, rounding);
        expect(mantissa / 2 ** shift).toBe(1);
      }
    }
  });

  it("have 15 digits and are near the quotient, where no shift is cut", () => {
    for (const [a, b, n] of [
      [1, 32767, 2],
      [32767, 1, 0],
      [12345, 54, -4],
      [1073676289, 32767, 8],
    ] as const) {
      const { mantissa, shift } = factorOf(a, b, n, 31, "up");
      expect(mantissa).toBeGreaterThanOrEqual(2 ** 14);
      expect(mantissa).toBeLessThan(2 ** 15);
      expect(Math.abs(mantissa / 2 ** shift / (a / b / 2 ** n) - 1)).toBeLessThan(2 ** -14);
    }
  });
});

describe("sa8", () => {
  it("rounds each operand of a sum before it is added", () => {
    const half = held([1], sa8(1, 1));
    const out = sa8(1, 0);
    expect(integersOf(Q.add(half, half, { out }))).toEqual([2]);
    expect(integersOf(Q.add(half, half, { out, rounding: "convergent" }))).toEqual([0]);
  });

  it("max and min give an operand where the formats are one", () => {
    const all = Array.from({ length: 256 }, (_, i) => i - 128);
    for (const scale of [1, 3, 127, 16384, 16385, 32767]) {
      for (const zero of [-128, 0, 5, 127]) {
        const x = held(all, sa8(scale, 7, zero));
        const y = held([...all].reverse(), sa8(scale, 7, zero));
        expect(integersOf(Q.max(x, y))).toEqual(all.map((q) => Math.max(q, -1 - q)));
        expect(integersOf(Q.min(x, y))).toEqual(all.map((q) => Math.min(q, -1 - q)));
      }
    }
  });

  it("adding zero changes nothing", () => {
    const all = Array.from({ length: 256 }, (_, i) => i - 128);
    for (const [scale, zero] of [
      [1, 0],
      [3, -128],
      [16385, 127],
      [32767, 11],
    ] as const) {
      const format = sa8(scale, 9, zero);
      const nothing = held([-4], sa8(77, 3, -4), []);
      expect(integersOf(Q.add(held(all, format), nothing, { out: format }))).toEqual(all);
      expect(integersOf(Q.sub(held(all, format), nothing, { out: format }))).toEqual(all);
    }
  });

  it("brings max to the parameters of the output", () => {
    const x = held([1, 2, -3], sa8(1, 0));
    expect(integersOf(Q.max(x, held([0], sa8(1, 0), []), { out: sa8(1, 1, 10) }))).toEqual([12, 14, 10]);
  });

  it("saturates and never wraps", () => {
    const format = sa8(1, 0);
    const x = held([127, -128, 100], format);
    expect(integersOf(Q.add(x, x, { out: format }))).toEqual([127, -128, 127]);
    expect(integersOf(Q.mul(x, x, { out: format }))).toEqual([127, 127, 127]);
    expect(integersOf(Q.sub(x, held([-128, 127, -100], format), { out: format }))).toEqual([127, -128, 127]);
  });
});

describe("fx16", () => {
  it("the square of -1 saturates", () => {
    const x = held([-32768], fx16(15));
    expect(integersOf(Q.mul(x, x, { out: fx16(15) }))).toEqual([32767]);
  });

  it("extremes are shifted in 16 bits, at most by 15", () => {
    expect(integersOf(Q.max(held([32767], fx16(1)), held([0], fx16(1)), { out: fx16(0) }))).toEqual([16383]);
    expect(integersOf(Q.min(held([-32768], fx16(20)), held([0], fx16(20)), { out: fx16(0) }))).toEqual([-1]);
  });

  it("adds numbers with different fractions and rounds once", () => {
    const [x, y] = [held([1, 3], fx16(2)), held([1, 1], fx16(1))];
    expect(integersOf(Q.add(x, y, { out: fx16(1) }))).toEqual([2, 3]); // 0.75 and 1.25 in halves
    expect(integersOf(Q.add(x, y, { out: fx16(4) }))).toEqual([12, 20]);
  });
});

describe("shapes and scalars", () => {
  const format = fx16(0);
  const x = held([1, 2, 3, 4, 5, 6], format, [2, 3]);
  const out = format;

  it("a scalar is on its own side", () => {
    for (const shape of [[], [1], [1, 1]]) {
      const ten = held([10], format, shape);
      expect(integersOf(Q.sub(ten, x, { out }))).toEqual([9, 8, 7, 6, 5, 4]);
      expect(integersOf(Q.sub(x, ten, { out }))).toEqual([-9, -8, -7, -6, -5, -4]);
      expect(Q.sub(ten, x, { out }).shape).toEqual([2, 3]);
    }
  });

  it("with its own parameters", () => {
    expect(integersOf(Q.mul(held([3], fx16(1), []), x, { out: fx16(1) }))).toEqual([3, 6, 9, 12, 15, 18]);
  });

  it("a single element may have more axes than the other operand", () => {
    const ten = Q.fromIntegers(Nx.s16([[[10]]], { names: ["a", "b", "c"] }), format);
    const line = Q.fromIntegers(Nx.s16([1, 2], { names: ["x"] }), format);
    const sum = Q.add(ten as never, line as never, { out });
    expect([sum.shape, sum.names, integersOf(sum)]).toEqual([[2], ["x"], [11, 12]]);
  });

  it("a scalar goes with a single element", () => {
    expect(Q.add(held([1], format, []), held([2], format, [1, 1]), { out }).shape).toEqual([1, 1]);
    expect(Q.add(held([1], format, [1]), held([2], format, [1, 1]), { out }).shape).toEqual([1, 1]);
  });

  it("nothing else broadcasts", () => {
    expect(refusal(() => Q.add(x, held([1, 2, 3], format, [1, 3]), { out }))).toBe("SHAPE_MISMATCH 2");
    expect(refusal(() => Q.add(x, held([1, 2, 3], format), { out }))).toBe("SHAPE_MISMATCH 2");
    expect(refusal(() => Q.add(x, held([1, 2], format, [2, 1]), { out }))).toBe("SHAPE_MISMATCH 2");
  });
});

describe("status codes", () => {
  const bytes = held([1, 2], sa8(1, 0));
  const words = held([1, 2], fx16(0));
  const scalar = held([1], sa8(1, 0), []);
  const out = sa8(1, 0);

  it("have the numbers of the library", () => {
    expect(Object.values(Q.STATUS)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
    expect([Q.STATUS.INCOMPATEBLE_TENSORS, Q.STATUS.NOT_SUPPORTED, Q.STATUS.TYPE_MISMATCH]).toEqual([3, 6, 12]);
  });

  it.each([
    ["no tensor", () => Q.add(null as never, bytes, { out }), "BAD_TENSOR 1"],
    ["no quantized tensor", () => Q.add(bytes, Nx.s8([1, 2]) as never, { out }), "BAD_TENSOR 1"],
    ["no output", () => Q.add(bytes, bytes, undefined as never), "BAD_TENSOR 1"],
    ["five axes", () => Q.add(held([1], out, [1, 1, 1, 1, 1]), bytes, { out }), "BAD_TENSOR 1"],
    ["two scalars", () => Q.add(scalar, scalar, { out }), "NOT_SUPPORTED 6"],
    ["output of another type", () => Q.add(bytes, bytes, { out: fx16(0) }), "INCOMPATEBLE_TENSORS 3"],
    ["other shapes", () => Q.add(bytes, held([1, 2, 3], out), { out }), "SHAPE_MISMATCH 2"],
    ["other formats of extremes", () => Q.max(bytes, held([1, 2], sa8(2, 1))), "INCOMPATEBLE_TENSORS 3"],
    ["other types of extremes", () => Q.max(bytes, words, { out }), "INCOMPATEBLE_TENSORS 3"],
    ["other types", () => Q.add(bytes, words, { out }), "TYPE_MISMATCH 12"],
    ["a scale of 0", () => Q.add(bytes, bytes, { out: sa8(0, 0) }), "BAD_TENSOR 1"],
    ["a negative scale", () => held([1], sa8(-1, 0)), "BAD_TENSOR 1"],
    ["a fraction as scale", () => held([1], sa8(0.5, 0)), "BAD_TENSOR 1"],
    ["a zero point above", () => Q.add(bytes, bytes, { out: sa8(1, 0, 128) }), "INCOMPATEBLE_TENSORS 3"],
    ["a zero point below", () => held([1], sa8(1, 0, -129)), "INCOMPATEBLE_TENSORS 3"],
    ["scales along an axis", () => held([1], { ...sa8(1, 0), dim: 0 }), "INCOMPATEBLE_TENSORS 3"],
    ["scales of the tensor", () => held([1], { ...sa8(1, 0), dim: -1 }), "OK 0"],
    ["too many fractional bits", () => held([1], fx8(128)), "BAD_TENSOR 1"],
    ["integers of another type", () => Q.fromIntegers(Nx.s16([1]), out), "TYPE_MISMATCH 12"],
    ["a format that is none", () => Q.quantize(1, { type: "fx32", fracBits: 3 } as never), "BAD_TENSOR 1"],
    ["an unknown key", () => Q.quantize(1, { type: "fx8", fracBits: 3, zeroPoint: 1 } as never), "BAD_TENSOR 1"],
  ])("%s", (_, run, expected) => {
    expect(refusal(run)).toBe(expected);
  });

  it("are looked for in the documented order", () => {
    const three = held([1, 2, 3], fx16(2));
    // scalars, then the output's type, then shapes, then formats of extremes, then types, then parameters
    expect(refusal(() => Q.max(scalar, held([1], fx16(1), []), { out: fx16(0) }))).toBe("NOT_SUPPORTED 6");
    expect(refusal(() => Q.max(bytes, three, { out: fx16(0) }))).toBe("INCOMPATEBLE_TENSORS 3");
    expect(refusal(() => Q.max(bytes, three, { out: sa8(0, 0) }))).toBe("SHAPE_MISMATCH 2");
    expect(refusal(() => Q.add(bytes, words, { out: sa8(0, 0) }))).toBe("TYPE_MISMATCH 12");
    expect(refusal(() => Q.max(bytes, words, { out: sa8(0, 0) }))).toBe("INCOMPATEBLE_TENSORS 3");
  });

  it("options that are none are plain errors of arguments", () => {
    expect(() => Q.add(bytes, bytes, { out, round: "up" } as never)).toThrow(Nx.ArgumentError);
    expect(() => Q.add(bytes, bytes, { out, rounding: "even" as never })).toThrow(/"up", "convergent"/);
    expect(() => Q.add(bytes, bytes, { out, donate: "out" as never })).toThrow(/"left", "right"/);
  });
});
