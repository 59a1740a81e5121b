import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { readOracle } from "../../oracles/read";
import { functionOf, texts } from "./compare";

type Values = (number | string)[];

interface Row {
  values: Values;
  nonzero: Values;
  counts: Values;
  unary: Record<string, Values>;
  binary: Record<string, Values>;
  notZero: Record<string, Values>;
  byCount: Record<string, Values>;
}

const { integer } = readOracle<{ integer: Record<string, Row> }>("elementwise.json");
const TESTS = /^(equal|notEqual|less|greater|logical|isFinite)/;

describe.each(Object.entries(integer))("%s", (typeName, row) => {
  const type = typeName as Nx.DType;
  const tensorOf = (values: Values): Nx.Tensor => Nx.tensor(values.map(BigInt), { type });
  const column = (): Nx.Tensor => Nx.newAxis(tensorOf(row.values), 1);
  const check = (name: string, actual: Nx.Tensor, expected: Values): void => {
    expect(actual.type).toBe(TESTS.test(name) ? "u8" : type);
    expect(texts(actual)).toEqual(expected.map(String));
  };

  it.each(Object.entries(row.unary))("Nx.%s agrees with the oracle", (name, expected) => {
    check(name, functionOf(name)(tensorOf(row.values)), expected);
  });

  it.each(Object.entries(row.binary))("Nx.%s agrees with the oracle, wrapping around", (name, expected) => {
    check(name, functionOf(name)(column(), tensorOf(row.values)), expected);
  });

  it.each(Object.entries(row.notZero))("Nx.%s agrees with the oracle, truncating", (name, expected) => {
    check(name, functionOf(name)(column(), tensorOf(row.nonzero)), expected);
    expect(() => functionOf(name)(tensorOf(row.values), tensorOf([0]))).toThrow(Nx.ArgumentError);
    expect(() => functionOf(name)(tensorOf(row.values), 0)).toThrow(/zero/);
  });

  it.each(Object.entries(row.byCount))("Nx.%s agrees with the oracle", (name, expected) => {
    check(name, functionOf(name)(column(), tensorOf(row.counts)), expected);
    expect(() => functionOf(name)(tensorOf(row.values), -1)).toThrow(Nx.ArgumentError);
    expect(() => functionOf(name)(tensorOf(row.values), Nx.s8([-1]))).toThrow(/negative/);
  });

  it("divides into floats, by zero as well", () => {
    const zero = Nx.divide(tensorOf([1, 0]), tensorOf([0]));
    expect(zero.type).toBe("f32");
    expect(texts(zero)).toEqual(["Infinity", "NaN"]);
  });
});

describe("mixed integer types", () => {
  it("compute in the type that holds both", () => {
    expect(texts(Nx.add(Nx.u8([255]), Nx.s8([-128])))).toEqual(["127"]);
    expect(texts(Nx.subtract(Nx.u32([0]), Nx.s8([1])))).toEqual(["-1"]);
    expect(texts(Nx.multiply(Nx.s64([2n ** 62n]), Nx.u8([2])))).toEqual([String(-(2n ** 63n))]);
  });

  it("compare values, not bits", () => {
    expect(texts(Nx.less(Nx.s8([-1]), Nx.u8([1])))).toEqual(["1"]);
    expect(texts(Nx.equal(Nx.u8([255]), Nx.s8([-1])))).toEqual(["0"]);
    expect(texts(Nx.greater(Nx.u64([2n ** 64n - 1n]), 0))).toEqual(["1"]);
  });

  it("raise integers to powers exactly", () => {
    expect(texts(Nx.pow(Nx.s32([3]), 20))).toEqual(["-808182895"]);
    expect(texts(Nx.pow(3, 39))).toEqual(["4052555153018976267"]);
    expect(texts(Nx.pow(0, 0))).toEqual(["1"]);
    expect(texts(Nx.pow(Nx.s8([-2]), Nx.u8([7])))).toEqual(["-128"]);
    expect(texts(Nx.pow(2, 0.5))).toEqual([String(Math.fround(Math.SQRT2))]);
  });
});
