import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { decode, readOracle, type Coded } from "../../oracles/read";
import { ELEMENTWISE_F64_ULP, ELEMENTWISE_ULP } from "../../tolerances";
import { farOff, functionOf } from "./compare";

type FloatType = "f16" | "bf16" | "f32" | "f64";
type UnaryRow = Record<FloatType | "longF32" | "longF64", Coded[]>;

interface Oracle {
  unary: { short: Coded[]; long: Coded[]; ops: Record<string, UnaryRow> };
  binary: { grid: Coded[]; ops: Record<string, { f64: Coded[]; f32?: Coded[] }> };
}

const oracle = readOracle<Oracle>("elementwise.json");
const TYPES = ["f16", "bf16", "f32", "f64"] as const;
const TESTS = ["isNan", "isInfinity", "isFinite", "logicalNot"];
const ulps = (type: FloatType): number => (type === "f64" ? ELEMENTWISE_F64_ULP : type === "f32" ? ELEMENTWISE_ULP : 0);

describe.each(Object.entries(oracle.unary.ops))("Nx.%s", (name, row) => {
  const apply = functionOf(name);
  it.each(TYPES)("agrees with the oracle at special and ordinary points of %s", (type) => {
    const x = Nx.tensor(oracle.unary.short.map(decode), { type });
    const y = apply(x);
    expect(y.type).toBe(TESTS.includes(name) ? "u8" : type);
    expect(y.shape).toEqual(x.shape);
    expect(farOff(y, row[type], ulps(type))).toEqual([]);
  });

  it("agrees with the oracle at other points of f32 and f64", () => {
    const x = oracle.unary.long.map(decode);
    expect(farOff(apply(Nx.f32(x)), row.longF32, ulps("f32"))).toEqual([]);
    expect(farOff(apply(Nx.f64(x)), row.longF64, ulps("f64"))).toEqual([]);
  });
});

/** Which zero comes out where both operands are zeros is left open. */
const loose = (name: string, values: Coded[]): Coded[] =>
  name === "max" || name === "min" ? values.map((value) => (value === "-0" ? 0 : value)) : values;

describe.each(Object.entries(oracle.binary.ops))("Nx.%s", (name, row) => {
  const apply = functionOf(name);
  const grid = oracle.binary.grid.map(decode);
  it.each(["f32", "f64"] as const)("agrees with the oracle on a grid of %s numbers", (type) => {
    const z = apply(Nx.newAxis(Nx.tensor(grid, { type }), 1), Nx.tensor(grid, { type }));
    expect(z.shape).toEqual([grid.length, grid.length]);
    const exact = name === "pow" || name === "atan2" ? ulps(type) : 0;
    const expected = loose(name, type === "f32" ? (row.f32 ?? row.f64) : row.f64);
    const signless = name === "max" || name === "min" ? Nx.add(z, 0) : z;
    expect(farOff(signless, expected, exact)).toEqual([]);
  });
});

describe("rounding", () => {
  it("returns integers unchanged", () => {
    const t = Nx.u8([1, 2]);
    expect(Nx.floor(t).equals(t)).toBe(true);
    expect(Nx.ceil(t).equals(t)).toBe(true);
    expect(Nx.round(t).equals(t)).toBe(true);
    expect(Nx.roundEven(t).equals(t)).toBe(true);
    expect(Nx.trunc(t).equals(t)).toBe(true);
  });

  it("takes halves away from zero beyond where adding one half works", () => {
    const x = [0.49999999999999994, -0.49999999999999994, 2 ** 52 + 1, -(2 ** 52) - 1, 2 ** 53];
    expect(Nx.toFlatList(Nx.round(Nx.f64(x)))).toEqual([0, -0, 2 ** 52 + 1, -(2 ** 52) - 1, 2 ** 53]);
  });

  it("takes halves to the even number, and leaves what has no fraction", () => {
    const x = [
      0.49999999999999994,
      0.5,
      1.5,
      2.5,
      -0.5,
      -1.5,
      0.5000000000000001,
      -0,
      2 ** 51 + 0.5,
      2 ** 52 + 1,
      -(2 ** 60),
    ];
    const expected = [0, 0, 2, 2, -0, -2, 1, -0, 2 ** 51, 2 ** 52 + 1, -(2 ** 60)];
    expect(Nx.toFlatList(Nx.roundEven(Nx.f64(x)))).toEqual(expected);
    expect(Nx.toFlatList(Nx.roundEven(Nx.f32([8388607.5, -8388606.5, 3e38])))).toEqual([
      8388608,
      -8388606,
      Math.fround(3e38),
    ]);
    expect(Nx.toFlatList(Nx.roundEven(Nx.f16([1023.5, 1022.5, 65504])))).toEqual([1024, 1022, 65504]);
  });
});

describe("overflow and underflow", () => {
  it("gives infinities and zeros of the type", () => {
    expect(Nx.toFlatList(Nx.multiply(Nx.f16([60000, -60000]), 2))).toEqual([Infinity, -Infinity]);
    expect(Nx.toFlatList(Nx.exp(Nx.f32([89, -110])))).toEqual([Infinity, 0]);
    expect(Nx.toFlatList(Nx.exp(Nx.f64([89, 710])))).toEqual([4.4896128191743455e38, Infinity]);
    expect(Nx.toFlatList(Nx.multiply(Nx.f32([1e-30]), 1e-10))).toEqual([Math.fround(1e-40)]);
  });
});
