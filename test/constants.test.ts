import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";

const { Constants } = Nx;
const FLOATS = ["bf16", "f16", "f32", "f64"] as const;
type Constant = (type?: Nx.DType, options?: { backend?: Nx.BackendSpec }) => Nx.Tensor;

const value = (t: Nx.Tensor): number | bigint => Nx.toNumber(t) as number | bigint;

/** A number rounded to nearest even in a type, by NumPy for f16 and f32, by hand for bf16. */
const ROUNDED = {
  pi: { bf16: 3.140625, f16: 3.140625, f32: 3.1415927410125732, f64: Math.PI },
  e: { bf16: 2.71875, f16: 2.71875, f32: 2.7182817459106445, f64: Math.E },
  eulerGamma: { bf16: 0.578125, f16: 0.5771484375, f32: 0.5772156715393066, f64: 0.5772156649015329 },
  nan: { bf16: NaN, f16: NaN, f32: NaN, f64: NaN },
  infinity: { bf16: Infinity, f16: Infinity, f32: Infinity, f64: Infinity },
  negInfinity: { bf16: -Infinity, f16: -Infinity, f32: -Infinity, f64: -Infinity },
  epsilon: { bf16: 2 ** -7, f16: 2 ** -10, f32: 2 ** -23, f64: Number.EPSILON },
  smallestPositiveNormal: {
    bf16: 1.1754943508222875e-38,
    f16: 6.103515625e-5,
    f32: 1.1754943508222875e-38,
    f64: 2.2250738585072014e-308,
  },
} as const;

describe.each(Object.entries(ROUNDED))("%s", (name, values) => {
  const constant = Reflect.get(Constants, name) as Constant;

  it.each(FLOATS)("in %s", (type) => {
    const t = constant(type);
    expect([t.type, t.shape, t.names]).toEqual([type, [], []]);
    expect(value(t)).toBe(values[type]);
  });

  it("is f32 unless told", () => {
    expect(constant().type).toBe("f32");
    expect(constant(undefined, { backend: "binary" }).type).toBe("f32");
  });

  it.each(["u8", "s64", "c64", "c128"] as const)("does not exist in %s", (type) => {
    expect(() => constant(type)).toThrow(/float types only/);
    expect(() => constant(type)).toThrow(Nx.ArgumentError);
  });
});

describe("limits", () => {
  it.each([
    ["u8", 0, 255],
    ["u16", 0, 65535],
    ["u32", 0, 4294967295],
    ["u64", 0, 18446744073709551615n],
    ["s8", -128, 127],
    ["s16", -32768, 32767],
    ["s32", -2147483648, 2147483647],
    ["s64", -9223372036854775808n, 9223372036854775807n],
    ["bf16", -3.3895313892515355e38, 3.3895313892515355e38],
    ["f16", -65504, 65504],
    ["f32", -3.4028234663852886e38, 3.4028234663852886e38],
    ["f64", -Number.MAX_VALUE, Number.MAX_VALUE],
  ] as const)("of %s", (type, min, max) => {
    const float = Nx.Type.isFloat(type);
    expect(value(Constants.minFinite(type))).toBe(min);
    expect(value(Constants.maxFinite(type))).toBe(max);
    expect(value(Constants.min(type))).toBe(float ? -Infinity : min);
    expect(value(Constants.max(type))).toBe(float ? Infinity : max);
    expect(Constants.max(type).type).toBe(type);
  });

  it.each(["min", "max", "minFinite", "maxFinite"] as const)("%s is f32 unless told, and not complex", (name) => {
    expect(Constants[name]().type).toBe("f32");
    expect(() => Constants[name]("c64")).toThrow(/not defined for complex types/);
  });
});

describe("i", () => {
  it("is complex", () => {
    expect(Constants.i().type).toBe("c64");
    expect(Nx.toNumber(Constants.i())).toEqual(new Nx.Complex(0, 1));
    expect(Constants.i("c128").type).toBe("c128");
    expect(Constants.i({ type: "c128", backend: "binary" }).type).toBe("c128");
    expect(Nx.toNumber(Nx.multiply(Constants.i(), Constants.i()))).toEqual(new Nx.Complex(-1, 0));
    expect(() => Constants.i("f32")).toThrow(/complex types c64 and c128 only/);
  });
});

it("takes options with or without a type", () => {
  expect(Constants.pi({ type: "f64" }).type).toBe("f64");
  expect(Constants.pi("f64", { backend: "binary" }).backend).toBe(Nx.binaryBackend);
  expect(() => Constants.pi("f64", { type: "f32" } as never)).toThrow(/unknown option "type"/);
  expect(() => Constants.pi({ typ: "f64" } as never)).toThrow(/did you mean "type"/);
  expect(() => Constants.pi(null as never)).toThrow(Nx.ArgumentError);
  expect(() => Constants.pi("f31" as never)).toThrow(/did you mean "f32"/);
  expect(() => Constants.pi("f32", { backend: "nowhere" })).toThrow(Nx.BackendError);
});

it("is a constant of the graph inside defn", () => {
  const area = Nx.defn((r: Nx.Tensor) => Nx.multiply(Constants.pi("f64"), Nx.multiply(r, r)));
  expect(Nx.toNumber(area(Nx.f64(2)))).toBe(4 * Math.PI);
});
