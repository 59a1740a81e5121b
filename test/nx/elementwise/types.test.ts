import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { readOracle } from "../../oracles/read";
import { functionOf } from "./compare";

type Types = Record<Nx.DType, Nx.DType>;

interface Table {
  merge: Record<Nx.DType, Types>;
  numbers: ({ number: number | string; kind: "integer" | "float" } & Types)[];
  toFloating: Types;
  toReal: Types;
  toComplex: Types;
}

const table = readOracle<Table>("promotion.json");
const TYPES = Object.keys(table.merge) as Nx.DType[];
const one = (type: Nx.DType): Nx.Tensor => Nx.tensor([1], { type });
const isComplex = (type: Nx.DType): boolean => type.startsWith("c");
const isInteger = (type: Nx.DType): boolean => /^[us]\d/.test(type);

/** The types a function gives for all pairs of types, or `error` where it raises. */
function typesOf(name: string): Record<string, Record<string, string>> {
  const result = (a: Nx.DType, b: Nx.DType): string => {
    try {
      return functionOf(name)(one(a), one(b)).type;
    } catch (error) {
      if (error instanceof Nx.ArgumentError) return "error";
      throw error;
    }
  };
  return Object.fromEntries(TYPES.map((a) => [a, Object.fromEntries(TYPES.map((b) => [b, result(a, b)]))]));
}

const expected = (rule: (merged: Nx.DType) => string): Record<string, Record<string, string>> =>
  Object.fromEntries(TYPES.map((a) => [a, Object.fromEntries(TYPES.map((b) => [b, rule(table.merge[a][b])]))]));

describe("types of two tensors", () => {
  it.each(["add", "subtract", "multiply", "pow"])("Nx.%s merges", (name) => {
    expect(typesOf(name)).toEqual(expected((merged) => merged));
  });

  it.each(["max", "min", "remainder"])("Nx.%s merges real types", (name) => {
    expect(typesOf(name)).toEqual(expected((merged) => (isComplex(merged) ? "error" : merged)));
  });

  it("Nx.divide makes floats of the merged type", () => {
    expect(typesOf("divide")).toEqual(expected((merged) => table.toFloating[merged]));
  });

  it("Nx.atan2 makes floats of the merged real type", () => {
    expect(typesOf("atan2")).toEqual(expected((merged) => (isComplex(merged) ? "error" : table.toFloating[merged])));
  });

  it("Nx.complex makes complex numbers of the merged real type", () => {
    expect(typesOf("complex")).toEqual(expected((merged) => (isComplex(merged) ? "error" : table.toComplex[merged])));
  });

  const BITS = ["bitwiseAnd", "bitwiseOr", "bitwiseXor", "leftShift", "quotient", "rightShift"];
  it.each(BITS)("Nx.%s takes integers only", (name) => {
    expect(typesOf(name)).toEqual(expected((merged) => (isInteger(merged) ? merged : "error")));
  });

  it.each(["equal", "notEqual", "logicalAnd", "logicalOr", "logicalXor"])("Nx.%s gives u8", (name) => {
    expect(typesOf(name)).toEqual(expected(() => "u8"));
  });

  it.each(["less", "lessEqual", "greater", "greaterEqual"])("Nx.%s gives u8 for real types", (name) => {
    expect(typesOf(name)).toEqual(expected((merged) => (isComplex(merged) ? "error" : "u8")));
  });
});

describe("types of a tensor and a plain number", () => {
  const cases = table.numbers
    .filter(({ number, kind }) => kind === "integer" || !Number.isInteger(number) || Number(number) > 2 ** 64)
    .map((row) => [typeof row.number === "string" ? BigInt(row.number) : row.number, row] as const)
    .filter(([number]) => typeof number === "number" || (number < 2n ** 64n && number >= -(2n ** 63n))); // others are errors

  it.each(cases)("%s is weak", (number, row) => {
    const weak = Object.fromEntries(TYPES.map((type) => [type, Nx.add(one(type), number).type]));
    const mirrored = Object.fromEntries(TYPES.map((type) => [type, Nx.multiply(number, one(type)).type]));
    const wanted = Object.fromEntries(TYPES.map((type) => [type, row[type]]));
    expect(weak).toEqual(wanted);
    expect(mirrored).toEqual(wanted);
  });

  it("special values are floats, booleans fit every type", () => {
    expect(Nx.add(Nx.u8([1]), NaN).type).toBe("f32");
    expect(Nx.add(Nx.bf16([1]), Infinity).type).toBe("bf16");
    expect(TYPES.map((type) => Nx.add(one(type), true).type)).toEqual(TYPES);
  });

  it("a Complex counts as a c64 tensor", () => {
    const i = new Nx.Complex(0, 1);
    expect(TYPES.map((type) => Nx.add(one(type), i).type)).toEqual(TYPES.map((type) => table.merge[type].c64));
  });

  it("a scalar tensor is not weak", () => {
    expect(Nx.add(Nx.u8([1]), Nx.tensor(1)).type).toBe("s64");
    expect(Nx.add(Nx.bf16([1]), Nx.tensor(1.5)).type).toBe("f32");
  });

  it("numbers alone are what they look like", () => {
    expect(Nx.add(1, 2).type).toBe("s64");
    expect(Nx.add(1, 2.5).type).toBe("f32");
    expect(Nx.add(1n, 2).type).toBe("s64");
    expect(Nx.add(true, false).type).toBe("u8");
    expect(Nx.add(1.5, new Nx.Complex(0, 1)).type).toBe("c64");
  });

  it("keeps the precision of an f64 operand", () => {
    expect(Nx.toFlatList(Nx.add(Nx.f64([0.1]), 0.2))).toEqual([0.1 + 0.2]);
  });
});

describe("types of one tensor", () => {
  const typesOfUnary = (name: string): string[] =>
    TYPES.map((type) => {
      try {
        return functionOf(name)(one(type)).type;
      } catch {
        return "error";
      }
    });

  const FLOATING = ["acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh", "exp", "expm1", "log"];
  const FLOATING_TOO = ["log1p", "rsqrt", "sigmoid", "sin", "sinh", "sqrt", "tan", "tanh"];
  it.each([...FLOATING, ...FLOATING_TOO])("Nx.%s makes floats", (name) => {
    expect(typesOfUnary(name)).toEqual(TYPES.map((type) => table.toFloating[type]));
  });

  it.each(["erf", "erfc", "erfInv"])("Nx.%s makes floats of real types", (name) => {
    expect(typesOfUnary(name)).toEqual(TYPES.map((type) => (isComplex(type) ? "error" : table.toFloating[type])));
  });

  it.each(["negate", "sign"])("Nx.%s keeps the type", (name) => {
    expect(typesOfUnary(name)).toEqual(TYPES);
  });

  it.each(["floor", "ceil", "round"])("Nx.%s keeps real types", (name) => {
    expect(typesOfUnary(name)).toEqual(TYPES.map((type) => (isComplex(type) ? "error" : type)));
  });

  it("Nx.abs keeps real types and makes complex ones real", () => {
    expect(typesOfUnary("abs")).toEqual(TYPES.map((type) => (isComplex(type) ? table.toReal[type] : type)));
  });

  it.each(["real", "imag", "phase"])("Nx.%s gives the real type", (name) => {
    expect(typesOfUnary(name)).toEqual(TYPES.map((type) => table.toReal[type]));
  });

  it("Nx.conjugate gives the complex type", () => {
    expect(typesOfUnary("conjugate")).toEqual(TYPES.map((type) => table.toComplex[type]));
  });

  it.each(["bitwiseNot", "countLeadingZeros", "populationCount"])("Nx.%s takes integers only", (name) => {
    expect(typesOfUnary(name)).toEqual(TYPES.map((type) => (isInteger(type) ? type : "error")));
  });

  it.each(["isNan", "isInfinity", "logicalNot"])("Nx.%s gives u8", (name) => {
    expect(typesOfUnary(name)).toEqual(TYPES.map(() => "u8"));
  });
});
