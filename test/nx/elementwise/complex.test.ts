import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { decode, readOracle, type Coded } from "../../oracles/read";
import { COMPLEX_POW_ULP_PER_LOG, COMPLEX_ULP } from "../../tolerances";
import { functionOf, ulpIn } from "./compare";

type Parts = [Coded, Coded];

interface Oracle {
  complex: { left: Parts[]; right: Parts[]; unary: Record<string, Parts[]>; binary: Record<string, Parts[]> };
}

const { complex: oracle } = readOracle<Oracle>("elementwise.json");
const REAL = ["abs", "real", "imag", "phase"];
const TYPES = ["c64", "c128"] as const;

const tensorOf = (parts: Parts[], type: Nx.DType): Nx.Tensor =>
  Nx.tensor(
    parts.map(([re, im]) => new Nx.Complex(decode(re), decode(im))),
    { type },
  );

function expectNear(actual: Nx.Tensor, expected: Parts[], part: "f32" | "f64", ulps: number): void {
  Nx.toFlatList(actual).forEach((value, i) => {
    const [re, im] = expected[i]!.map(decode) as [number, number];
    const [x, y] = value instanceof Nx.Complex ? [value.re, value.im] : [Number(value), 0];
    const allowed = ulps * ulpIn(part, Math.max(Math.abs(re), Math.abs(im)));
    expect(Math.abs(x - re), `real part at ${i}: ${x} for ${re}`).toBeLessThanOrEqual(allowed);
    expect(Math.abs(y - im), `imaginary part at ${i}: ${y} for ${im}`).toBeLessThanOrEqual(allowed);
  });
}

describe.each(TYPES)("%s", (type) => {
  const part = type === "c64" ? "f32" : "f64";
  it.each(Object.entries(oracle.unary))("Nx.%s agrees with the oracle", (name, expected) => {
    const y = functionOf(name)(tensorOf(oracle.left, type));
    expect(y.type).toBe(REAL.includes(name) ? part : type);
    expectNear(y, expected, part, COMPLEX_ULP);
  });

  it.each(Object.entries(oracle.binary))("Nx.%s agrees with the oracle", (name, expected) => {
    const z = functionOf(name)(tensorOf(oracle.left, type), tensorOf(oracle.right, type));
    expect(z.type).toBe(type);
    expectNear(z, expected, part, name === "pow" ? 4 * COMPLEX_POW_ULP_PER_LOG : COMPLEX_ULP);
  });

  const REFUSED = ["ceil", "erf", "erfInv", "erfc", "floor", "round"];
  it.each(REFUSED)("Nx.%s is an error", (name) => {
    expect(() => functionOf(name)(tensorOf(oracle.left, type))).toThrow(
      `${name} is not defined for complex tensors, got type ${type}`,
    );
  });

  const ORDERED = ["atan2", "complex", "greater", "greaterEqual", "less", "lessEqual", "max", "min", "remainder"];
  it.each(ORDERED)("Nx.%s is an error on either side", (name) => {
    const z = tensorOf(oracle.left, type);
    const message = `${name} is not defined for complex tensors, got type`;
    expect(() => functionOf(name)(z, 1)).toThrow(message);
    expect(() => functionOf(name)(1, z)).toThrow(message);
  });
});

describe("parts", () => {
  it("are told apart by sign and special value", () => {
    const z = Nx.complex(Nx.f64([-0, NaN, Infinity]), Nx.f64([0, -Infinity, -0]));
    expect(z.type).toBe("c128");
    expect(Nx.toFlatList(Nx.real(z))).toEqual([-0, NaN, Infinity]);
    expect(Nx.toFlatList(Nx.imag(z))).toEqual([0, -Infinity, -0]);
    expect(Nx.toFlatList(Nx.isNan(z))).toEqual([0, 1, 0]);
    expect(Nx.toFlatList(Nx.isInfinity(z))).toEqual([0, 1, 1]);
    expect(Nx.toFlatList(Nx.imag(Nx.conjugate(z)))).toEqual([-0, Infinity, 0]);
  });

  it("decide equality and truth", () => {
    const [one, i] = [new Nx.Complex(1, 0), new Nx.Complex(0, 1)];
    expect(Nx.toFlatList(Nx.equal(Nx.tensor([one, i]), 1))).toEqual([1, 0]);
    expect(Nx.toFlatList(Nx.notEqual(Nx.tensor([one, i]), i))).toEqual([1, 0]);
    expect(Nx.toFlatList(Nx.logicalNot(Nx.tensor([i, new Nx.Complex(-0, 0)])))).toEqual([0, 1]);
    expect(Nx.toFlatList(Nx.logicalAnd(Nx.tensor([i]), true))).toEqual([1]);
  });

  it("of real numbers are plain", () => {
    expect(Nx.conjugate(Nx.f64([1])).type).toBe("c128");
    expect(Nx.toFlatList(Nx.imag(Nx.conjugate(Nx.f64([1]))))).toEqual([0]);
    expect(Nx.phase(Nx.s8([-1])).type).toBe("f32");
    expect(Nx.imag(Nx.u8([3])).type).toBe("f32");
  });
});
