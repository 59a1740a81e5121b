/** Powers by plain numbers: squares and reciprocals rounded once, products of integers that wrap around, whatever the backend. */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { backendDeallocate, evaluate, tensor } from "nx-numerics";

const NUMBERS = [
  ...Array.from({ length: 1000 }, (_, i) => Math.sin(i * 12.9898) * 43.5453),
  0,
  -0,
  1,
  -1,
  0.1,
  -2.3,
  1 / 3,
  12345.678,
  3e-30,
  -7e25,
  1e200,
  5e-324,
  Infinity,
  -Infinity,
  NaN,
];

describe("a plain exponent", () => {
  it("2 squares floats with one rounding", () => {
    const squares = NUMBERS.map((x) => x * x);
    expect(Nx.pow(tensor(NUMBERS, { type: "f64" }), 2).toList()).toEqual(squares);
    const floats = NUMBERS.map(Math.fround);
    expect(Nx.pow(tensor(floats, { type: "f32" }), 2).toList()).toEqual(floats.map((x) => Math.fround(x * x)));
  });

  it("-1 is a quotient with one rounding", () => {
    expect(Nx.pow(tensor(NUMBERS, { type: "f64" }), -1).toList()).toEqual(NUMBERS.map((x) => 1 / x));
    const floats = NUMBERS.map(Math.fround);
    expect(Nx.pow(tensor(floats, { type: "f32" }), -1).toList()).toEqual(floats.map((x) => Math.fround(1 / x)));
  });

  it.each([2, 3, 4, 5, 7, 8, 11, 15, 16, 33])("%s of integers is exact and wraps around", (exponent) => {
    const numbers = [0, 1, -1, 2, -3, 7, 100, -127];
    for (const [type, bits] of [
      ["s8", 8],
      ["s16", 16],
      ["s32", 32],
      ["s64", 64],
    ] as const) {
      const expected = numbers.map((x) => BigInt.asIntN(bits, BigInt(x) ** BigInt(exponent)));
      expect(
        Nx.pow(tensor(numbers, { type }), exponent)
          .toList()
          .map((x) => BigInt(x as number | bigint)),
      ).toEqual(expected);
    }
    const expected = numbers.map((x) => BigInt.asUintN(8, BigInt(Math.abs(x)) ** BigInt(exponent)));
    expect(
      Nx.pow(tensor(numbers.map(Math.abs), { type: "u8" }), exponent)
        .toList()
        .map((x) => BigInt(x as number | bigint)),
    ).toEqual(expected);
  });

  it("squares complex numbers without a logarithm", () => {
    const z = tensor([new Nx.Complex(1, 2), new Nx.Complex(-3, 0.5)], { type: "c128" });
    expect(Nx.pow(z, 2).toList()).toEqual([new Nx.Complex(-3, 4), new Nx.Complex(8.75, -3)]);
  });

  it("keeps names, and is the same in a compiled function, with its derivative", () => {
    const x = tensor([0.1, -2, 3.7], { type: "f64", names: ["t"] });
    const square = (t: Nx.Tensor): Nx.Tensor => t.pow(2);
    expect(Nx.defn(square)(x).toList()).toEqual([0.1 * 0.1, 4, 3.7 * 3.7]);
    expect(Nx.pow(x, -1).names).toEqual(["t"]);
    expect(Nx.grad((t: Nx.Tensor) => square(t).sum())(x).toList()).toEqual([0.2, -4, 7.4]);
  });

  it("names its own function in errors", () => {
    expect(() => Nx.pow(tensor([2, 3]), -1)).toThrow(/Nx\.pow/);
    for (const exponent of [2, -1]) {
      const gone = evaluate(tensor([0.5, 2]));
      backendDeallocate(gone);
      expect(() => Nx.pow(gone, exponent)).toThrow(/Nx\.pow/);
    }
    const integers = evaluate(tensor([2, 3]));
    backendDeallocate(integers);
    expect(() => Nx.pow(integers, 3)).toThrow(/Nx\.pow/);
  });
});
