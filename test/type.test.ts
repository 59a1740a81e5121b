import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { readOracle } from "./oracles/read";

const { Type } = Nx;
const { merge } = readOracle<{ merge: Record<Nx.DType, Record<Nx.DType, Nx.DType>> }>("promotion.json");
const TYPES = Object.keys(merge) as Nx.DType[];

describe("merge", () => {
  it.each(TYPES)("of %s with every type", (left) => {
    const results = Object.fromEntries(TYPES.map((right) => [right, Type.merge(left, right)]));
    expect(results).toEqual(merge[left]);
  });

  it("knows all types", () => {
    expect(TYPES).toHaveLength(14);
  });
});

describe("mergeNumber", () => {
  // The examples of Nx.Type.merge_number, and the ends of each range.
  it.each([
    ["u8", 0, "u8"],
    ["u8", 255, "u8"],
    ["u8", 256, "u16"],
    ["u8", 65536, "u32"],
    ["u8", 2 ** 32, "u64"],
    ["u8", -1, "s16"],
    ["u8", -32768, "s16"],
    ["u8", -32769, "s32"],
    ["u64", -1337, "s64"],
    ["s8", 127, "s8"],
    ["s8", -128, "s8"],
    ["s8", 128, "s16"],
    ["s8", -129, "s16"],
    ["s16", 2n ** 40n, "s64"],
    ["s8", 1.5, "f32"],
    ["u64", NaN, "f32"],
    ["f32", 1, "f32"],
    ["f64", 1.5, "f64"],
    ["bf16", 2.5, "bf16"],
    ["f16", 1e300, "f16"],
    ["c64", 1.5, "c64"],
    ["u8", true, "u8"],
    ["f64", new Nx.Complex(1, 1), "c128"],
    ["c128", new Nx.Complex(1, 1), "c128"],
  ] as const)("of %s and %s is %s", (type, number, wanted) => {
    expect(Type.mergeNumber(type, number)).toBe(wanted);
    expect(Nx.add(Nx.tensor(0, { type }), number).type).toBe(wanted);
  });
});

describe("conversions", () => {
  it.each([
    // floating, aggregate, real, complex
    ["u8", "f32", "u64", "f32", "c64"],
    ["u64", "f32", "u64", "f32", "c64"],
    ["s16", "f32", "s64", "f32", "c64"],
    ["s64", "f32", "s64", "f32", "c64"],
    ["bf16", "bf16", "bf16", "bf16", "c64"],
    ["f16", "f16", "f16", "f16", "c64"],
    ["f32", "f32", "f32", "f32", "c64"],
    ["f64", "f64", "f64", "f64", "c128"],
    ["c64", "c64", "c64", "f32", "c64"],
    ["c128", "c128", "c128", "f64", "c128"],
  ] as const)("of %s", (type, floating, aggregate, real, complex) => {
    expect(Type.toFloating(type)).toBe(floating);
    expect(Type.toAggregate(type)).toBe(aggregate);
    expect(Type.toReal(type)).toBe(real);
    expect(Type.toComplex(type)).toBe(complex);
    expect(Type.toString(type)).toBe(type);
    expect(Type.normalize(type)).toBe(type);
    const t = Nx.tensor(1, { type });
    expect([Nx.exp(t).type, Nx.sum(t).type, Nx.real(t).type, Nx.conjugate(t).type]).toEqual([
      floating,
      aggregate,
      real,
      complex,
    ]);
  });
});

describe("kinds", () => {
  it.each(TYPES)("of %s", (type) => {
    expect(Type.isInteger(type)).toBe(/^[us]/.test(type));
    expect(Type.isUnsigned(type)).toBe(type.startsWith("u"));
    expect(Type.isSigned(type)).toBe(type.startsWith("s"));
    expect(Type.isFloat(type)).toBe(/^(f|bf|c)/.test(type));
    expect(Type.isComplex(type)).toBe(type.startsWith("c"));
  });
});

describe("infer", () => {
  it.each([
    [1, "s64"],
    [-0, "s64"],
    [1.5, "f32"],
    [NaN, "f32"],
    [2 ** 64, "f32"],
    [1n, "s64"],
    [true, "u8"],
    [new Nx.Complex(1, 2), "c64"],
  ] as const)("of %s is %s", (given, type) => {
    expect(Type.infer(given)).toBe(type);
    expect(Nx.tensor(given).type).toBe(type);
  });
});

describe("castNumber", () => {
  it.each([
    ["u8", 10, 10],
    ["u8", 300, 300],
    ["s8", -10, -10],
    ["s64", 2n ** 70n, 2n ** 70n],
    ["f32", 10n, 10],
    ["bf16", -10.25, -10.25],
    ["f64", Infinity, Infinity],
    ["c64", 10, new Nx.Complex(10, 0)],
    ["c128", new Nx.Complex(1, 2), new Nx.Complex(1, 2)],
  ] as const)("to %s of %s", (type, given, wanted) => {
    expect(Type.castNumber(type, given)).toEqual(wanted);
  });

  it.each([
    ["u8", -10],
    ["u64", -1n],
    ["s8", 1.5],
    ["s64", NaN],
    ["f32", new Nx.Complex(1, 2)],
    ["f32", "1"],
    ["f32", true],
  ] as const)("to %s refuses %s", (type, given) => {
    expect(() => Type.castNumber(type, given as number)).toThrow(Nx.ArgumentError);
  });
});

describe("limits", () => {
  it.each(["bf16", "f16", "f32", "f64"] as const)("of %s are those of its arithmetic", (type) => {
    const t = (x: number): Nx.Tensor => Nx.tensor(x, { type });
    const is = (a: Nx.Tensor, b: number) => expect(Nx.toNumber(a)).toBe(b);
    const [epsilon, normal] = [Type.epsilon(type), Type.smallestPositiveNormal(type)];
    is(Nx.subtract(Nx.add(t(1), epsilon), 1), epsilon);
    is(Nx.subtract(Nx.add(t(1), epsilon / 2), 1), 0);
    is(t(normal), normal);
    is(t(normal * epsilon), normal * epsilon);
    is(t((normal * epsilon) / 2), 0);
    is(t(Type.maxFinite(type) as number), Type.maxFinite(type) as number);
    is(Nx.add(t(Type.maxFinite(type) as number), Type.maxFinite(type) as number), Infinity);
    expect([Type.min(type), Type.max(type)]).toEqual([-Infinity, Infinity]);
    expect(Type.minFinite(type)).toBe(-Type.maxFinite(type));
  });

  it.each(["u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64"] as const)("of %s wrap around", (type) => {
    const [min, max] = [BigInt(Type.min(type)), BigInt(Type.max(type))];
    const next = Nx.toNumber(Nx.add(Nx.tensor(max, { type }), Nx.tensor(1, { type })));
    expect(BigInt(next as number | bigint)).toBe(min);
    expect([Type.minFinite(type), Type.maxFinite(type)]).toEqual([Type.min(type), Type.max(type)]);
    expect(max - min).toBe(2n ** BigInt(type.slice(1)) - 1n);
  });
});

describe("wrong types", () => {
  const one = [
    Type.toFloating,
    Type.toAggregate,
    Type.toReal,
    Type.toComplex,
    Type.toString,
    Type.normalize,
    Type.isInteger,
    Type.isUnsigned,
    Type.isSigned,
    Type.isFloat,
    Type.isComplex,
    Type.min,
    Type.max,
    Type.minFinite,
    Type.maxFinite,
    Type.epsilon,
    Type.smallestPositiveNormal,
  ] as ((type: never) => unknown)[];

  it.each(["f31", "toString", "", null, undefined, 32, ["f", 32], {}])("%s is refused", (wrong) => {
    for (const fn of one) expect(() => fn(wrong as never)).toThrow(/invalid type/);
    expect(() => Type.merge("f32", wrong as never)).toThrow(/invalid type/);
    expect(() => Type.merge(wrong as never, "f32")).toThrow(/invalid type/);
    expect(() => Type.mergeNumber(wrong as never, 1)).toThrow(/invalid type/);
    expect(() => Type.castNumber(wrong as never, 1)).toThrow(/invalid type/);
  });
});
