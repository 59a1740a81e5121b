import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { complexes, expectComplexGradients, expectGradients, randoms } from "./check";

const { grad } = Nx.Defn;

/** Ranges in which the functions are smooth; null for those that are constant in between. */
const RANGES: { readonly [K in Nx.UnaryOp]: readonly [number, number] | "constant" | "complex" } = {
  abs: [0.2, 2],
  acos: [-0.8, 0.8],
  acosh: [1.3, 3],
  asin: [-0.8, 0.8],
  asinh: [-2, 2],
  atan: [-2, 2],
  atanh: [-0.8, 0.8],
  bitwiseNot: "constant",
  cbrt: [0.5, 2],
  ceil: "constant",
  conjugate: "complex",
  cos: [-3, 3],
  cosh: [-2, 2],
  countLeadingZeros: "constant",
  erf: [-2, 2],
  erfInv: [-0.8, 0.8],
  erfc: [-2, 2],
  exp: [-2, 2],
  exp2: [-2, 2],
  expm1: [-2, 2],
  floor: "constant",
  gelu: [-3, 3],
  geluTanh: [-3, 3],
  hardSigmoid: [-2, 2],
  hardSwish: [-2, 2],
  imag: "complex",
  isInfinity: "constant",
  isNan: "constant",
  log: [0.3, 3],
  log10: [0.3, 3],
  log1p: [-0.5, 3],
  log2: [0.3, 3],
  mish: [-3, 3],
  negate: [-1, 1],
  populationCount: "constant",
  quickGelu: [-3, 3],
  real: "complex",
  round: "constant",
  roundEven: "constant",
  rsqrt: [0.3, 3],
  selu: [0.3, 2],
  sigmoid: [-3, 3],
  sign: "constant",
  silu: [-3, 3],
  sin: [-3, 3],
  sinh: [-2, 2],
  softplus: [-3, 3],
  softsign: [0.3, 3],
  sqrt: [0.3, 3],
  tan: [-1, 1],
  tanh: [-2, 2],
  trunc: "constant",
};

const unary = Object.keys(RANGES) as Nx.UnaryOp[];
const BITS = ["bitwiseNot", "countLeadingZeros", "populationCount"];

describe("unary ops", () => {
  it.each(unary.filter((op) => Array.isArray(RANGES[op])))("%s", (op) => {
    const [low, high] = RANGES[op] as [number, number];
    expectGradients((x) => Nx[op](x), randoms([7], low, high));
  });

  it.each(unary.filter((op) => RANGES[op] === "constant"))("%s has no slope", (op) => {
    const x = BITS.includes(op) ? Nx.s64([1, 5]) : Nx.f32([0.3, 1.7]);
    expect(grad((t: Nx.Tensor) => Nx[op](t))(x).toList()).toEqual([0, 0]);
  });

  it("abs has slope 1 at 0 and 0 at complex 0", () => {
    expect(grad((x: Nx.Tensor) => Nx.abs(x))(Nx.f32([-2, 0, -0, 3])).toList()).toEqual([-1, 1, 1, 1]);
    expect(grad((z: Nx.Tensor) => Nx.abs(z))(Nx.tensor(new Nx.Complex(0, 0))).toNumber()).toEqual(new Nx.Complex(0, 0));
  });
});

const PAIRS: { readonly [K in Nx.BinaryOp]: readonly [number, number] | "constant" | "none" } = {
  add: [-2, 2],
  atan2: [0.3, 2],
  bitwiseAnd: "constant",
  bitwiseOr: "constant",
  bitwiseXor: "constant",
  complex: "none",
  divide: [0.5, 2],
  equal: "constant",
  greater: "constant",
  greaterEqual: "constant",
  leftShift: "constant",
  less: "constant",
  lessEqual: "constant",
  logAddExp: [-2, 2],
  logicalAnd: "constant",
  logicalOr: "constant",
  logicalXor: "constant",
  max: [-2, 2],
  min: [-2, 2],
  multiply: [-2, 2],
  notEqual: "constant",
  pow: [0.5, 2],
  quotient: "constant",
  remainder: "none",
  rightShift: "constant",
  subtract: [-2, 2],
};

const binary = Object.keys(PAIRS) as Nx.BinaryOp[];
const INTEGERS = ["bitwiseAnd", "bitwiseOr", "bitwiseXor", "leftShift", "rightShift", "quotient"];

describe("binary ops", () => {
  it.each(binary.filter((op) => Array.isArray(PAIRS[op])))("%s, broadcasting either side", (op) => {
    const [low, high] = PAIRS[op] as [number, number];
    const fn = (x: Nx.Tensor, y: Nx.Tensor) => Nx[op](x, y);
    expectGradients(fn, randoms([2, 3], low, high), randoms([2, 3], low, high));
    expectGradients(fn, randoms([3, 1], low, high), randoms([2], low, high));
    expectGradients(fn, randoms([], low, high), randoms([2, 2], low, high));
  });

  it.each(binary.filter((op) => PAIRS[op] === "constant"))("%s has no slope", (op) => {
    const x = INTEGERS.includes(op) ? Nx.s64([1, 5]) : Nx.f32([0.3, 1.7]);
    expect(grad((t: Nx.Tensor) => Nx[op](t, x))(x).toList()).toEqual([0, 0]);
  });

  it("shares evenly between equals", () => {
    expect(grad((x: Nx.Tensor) => Nx.max(x, 1))(Nx.f32([0, 1, 2])).toList()).toEqual([0, 0.5, 1]);
    expect(grad((x: Nx.Tensor) => Nx.min(x, 1))(Nx.f32([0, 1, 2])).toList()).toEqual([1, 0.5, 0]);
  });

  it("pow with exponent 0, base 0 and a traced exponent", () => {
    expect(grad((x: Nx.Tensor) => Nx.pow(x, 0))(Nx.f32([0, 2])).toList()).toEqual([0, 0]);
    expect(grad((x: Nx.Tensor) => Nx.pow(x, 2))(Nx.f32([0, -3])).toList()).toEqual([0, -6]);
    expect(grad((y: Nx.Tensor) => Nx.pow(0, y))(Nx.f32([2])).toList()).toEqual([0]);
    expect(grad((x: Nx.Tensor) => Nx.pow(x, 3))(Nx.s64([2])).toList()).toEqual([12]);
  });

  it("remainder moves with the dividend", () => {
    const fn = (x: Nx.Tensor, y: Nx.Tensor) => Nx.remainder(x, y);
    expectGradients(fn, Nx.f64([5.3, -5.3, 1.1]), Nx.f64([2, 2.1, 0.4]));
  });
});

describe("complex numbers", () => {
  const z = Nx.c128([new Nx.Complex(0.3, -0.8), new Nx.Complex(-1.2, 0.4)]);
  const close = (actual: Nx.Tensor, expected: Nx.Operand) =>
    expect(Nx.allClose(actual, expected, { rtol: 1e-12 }).toNumber()).toBe(1);

  it.each([
    ["z z", (x: Nx.Tensor) => Nx.multiply(x, x), (x: Nx.Tensor) => Nx.multiply(2, x)],
    ["exp", Nx.exp, Nx.exp],
    ["sin", Nx.sin, Nx.cos],
    ["log", Nx.log, (x: Nx.Tensor) => Nx.divide(1, x)],
    ["1 / z", (x: Nx.Tensor) => Nx.divide(1, x), (x: Nx.Tensor) => Nx.negate(Nx.divide(1, Nx.multiply(x, x)))],
    ["z^3", (x: Nx.Tensor) => Nx.pow(x, 3), (x: Nx.Tensor) => Nx.multiply(3, Nx.multiply(x, x))],
    ["real", Nx.real, () => Nx.f64([1, 1])],
    ["imag", Nx.imag, () => Nx.c128([new Nx.Complex(0, -1), new Nx.Complex(0, -1)])],
    ["conjugate", Nx.conjugate, () => Nx.f64([1, 1])],
    ["abs", Nx.abs, (x: Nx.Tensor) => Nx.divide(Nx.conjugate(x), Nx.abs(x))],
  ] as const)("%s", (_name, fn, expected) => {
    close(grad((x: Nx.Tensor) => fn(x as never))(z), expected(z as never));
  });

  const OPS = ["conjugate", "cos", "exp", "imag", "log", "negate", "real", "sigmoid", "sin", "sqrt", "tanh"] as const;
  it.each(OPS)("%s of parts that are f64", (op) => {
    expectComplexGradients((z) => Nx.asType(Nx[op](z), "c128"), complexes([2, 3], 0.2, 0.9));
  });

  it.each(["add", "divide", "multiply", "pow", "subtract"] as const)("%s of f64 and c64 is f64 all through", (op) => {
    const z = Nx.c64([new Nx.Complex(0.5, -0.25)]);
    const parts = (w: Nx.Tensor) => Nx.concatenate([Nx.real(w), Nx.imag(w)]);
    expectGradients((x) => parts(Nx[op](x, z)), randoms([3], 0.3, 2));
    expectGradients((x) => parts(Nx[op](z, x)), randoms([3], 0.3, 2));
    expectGradients((x) => parts(Nx[op](x, new Nx.Complex(0.3, 0.7))), randoms([3], 0.3, 2));
  });

  it("a pair of reals", () => {
    const fn = (x: Nx.Tensor, y: Nx.Tensor) => Nx.abs(Nx.exp(Nx.complex(x, y)).add(Nx.complex(y, 1)));
    expectGradients(fn, randoms([3]), randoms([3]));
  });
});

describe("select, clip and types", () => {
  it("select routes, also to a broadcast branch", () => {
    const fn = (x: Nx.Tensor, y: Nx.Tensor) =>
      Nx.select(
        Nx.u8([
          [1, 0, 1],
          [0, 0, 1],
        ]),
        x,
        y,
      );
    expectGradients(fn, randoms([3]), randoms([]));
    const scalar = (x: Nx.Tensor, y: Nx.Tensor) => Nx.select(Nx.u8(1), x, y);
    expectGradients(scalar, randoms([3, 1]), randoms([2]));
  });

  it("clip has no slope at its bounds and beyond", () => {
    const gradient = grad((x: Nx.Tensor) => Nx.clip(x, -1, 1))(Nx.f32([-2, -1, 0, 1, 2]));
    expect(gradient.toList()).toEqual([0, 0, 1, 0, 0]);
  });

  it.each(["f16", "bf16", "f32", "f64"] as const)("keeps the type %s", (type) => {
    const gradient = grad((x: Nx.Tensor) => Nx.exp(x).sum())(Nx.tensor([0, 0], { type, names: ["x"] }));
    expect(gradient.type).toBe(type);
    expect(gradient.names).toEqual(["x"]);
    expect(gradient.toList()).toEqual([1, 1]);
  });

  it("takes integers as reals", () => {
    const gradient = grad((x: Nx.Tensor) => Nx.multiply(x, x).multiply(0.5))(Nx.s64([3, -4]));
    expect(gradient.type).toBe("f32");
    expect(gradient.toList()).toEqual([3, -4]);
  });

  it("passes through casts, to the real part where the operand is real", () => {
    expectGradients((x) => Nx.asType(Nx.sin(x), "f64").multiply(2), randoms([3]));
    const gradient = grad((x: Nx.Tensor) => Nx.real(Nx.multiply(Nx.asType(x, "c128"), new Nx.Complex(2, 5))));
    expect(gradient(Nx.f64([1, 2])).toList()).toEqual([2, 2]);
  });

  it("rounds no operand that the result does not round", () => {
    const whole = Nx.s64(16_777_217); // no f32 is that number
    const slopeAt = (fn: (x: Nx.Tensor) => Nx.Tensor, x: number) => Number(grad(fn)(Nx.f64(x)).toNumber());
    expect(slopeAt((x) => Nx.multiply(x, whole), 2)).toBe(16_777_217);
    expect(slopeAt((x) => Nx.divide(x, whole), 2)).toBe(1 / 16_777_217);
    expect(slopeAt((x) => Nx.pow(x, whole), 1)).toBe(16_777_217);
    expect(slopeAt((x) => Nx.max(x, whole), 16_777_216.5)).toBe(0);
    expect(slopeAt((x) => Nx.clip(x, 0, whole), 16_777_216.5)).toBe(1);
    expect(slopeAt((x) => Nx.clip(x, whole, 1e9), 16_777_216.5)).toBe(0);
    for (const base of [Nx.f32(5.5), Nx.f16(5.5), Nx.u8(5)]) {
      const slope = slopeAt((x) => Nx.pow(base, x), 2);
      const expected = Number(base) ** 2 * Math.log(Number(base));
      expect(Math.abs(slope / expected - 1)).toBeLessThan(1e-15);
    }
  });

  it("computes half floats in f32", () => {
    const fn = (x: Nx.Tensor) => Nx.multiply(Nx.multiply(x, 200), 200).divide(1000).sum();
    expect(grad(fn)(Nx.f16([1])).toList()).toEqual([40]);
  });
});

/** Slopes with closed forms, of which f32 must not lose digits, nor make NaN, where squares are large, small or near 1. */
describe("far away, close to 0, and near the ends", () => {
  const far = [Infinity, -Infinity, 1e15, -1e15, 3e38, 1e5, 0, -0];
  const slopes: readonly (readonly [keyof typeof Nx, number[], (x: number) => number])[] = [
    ["atan", far, (x) => 1 / (1 + x * x)],
    ["asinh", far, (x) => 1 / Math.sqrt(1 + x * x)],
    ["erf", far, (x) => (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x)],
    ["erfc", far, (x) => (-2 / Math.sqrt(Math.PI)) * Math.exp(-x * x)],
    ["asin", [0.9999, -0.9999, 0.5], (x) => 1 / Math.sqrt((1 - x) * (1 + x))],
    ["acos", [0.9999, -0.9999, 0.5], (x) => -1 / Math.sqrt((1 - x) * (1 + x))],
    ["atanh", [0.9999, -0.9999, 0.5], (x) => 1 / ((1 - x) * (1 + x))],
    ["cbrt", [Infinity, 1e30, -1e-30, 8], (x) => 1 / (3 * Math.cbrt(x) ** 2)],
  ];
  const sums = (fn: (x: Nx.Tensor) => Nx.Tensor) => grad((x: Nx.Tensor) => fn(x).sum()) as (x: Nx.Tensor) => Nx.Tensor;

  it.each(slopes)("%s", (name, points, slope) => {
    const once = sums(Nx[name] as (x: Nx.Tensor) => Nx.Tensor);
    const x = Nx.f32(points);
    (once(x).toList() as number[]).forEach((value, i) => {
      const expected = slope(x.at(i).toNumber() as number);
      expect(Math.abs(value - expected)).toBeLessThanOrEqual(Math.abs(expected) * 1e-6 + 1e-44);
    });
    expect(sums(once)(x).isNan().sum().toNumber()).toBe(0);
  });

  it("atan2", () => {
    const at = (y: number, x: number, type: "f32" | "f64"): number[] => {
      const both = [Nx.tensor(y, { type }), Nx.tensor(x, { type })];
      return grad(([a, b]: Nx.Tensor[]) => Nx.atan2(a!, b!))(both).map((t) => t.toNumber() as number);
    };
    const near = (values: number[]): unknown => values.map((v) => expect.closeTo(v, 6) as unknown);
    expect(at(1e-25, 1e-25, "f32").map((v) => v * 1e-25)).toEqual(near([0.5, -0.5]));
    expect(at(1e25, -1e25, "f32").map((v) => v * 1e25)).toEqual(near([-0.5, -0.5]));
    expect(at(3e200, 4e200, "f64").map((v) => v * 1e200)).toEqual(near([0.16, -0.12]));
    expect(at(0, -2, "f32")).toEqual([-0.5, -0]);
  });

  it("atan2 twice", () => {
    const [y, x] = [Nx.f64([0.3, -2, 1]), Nx.f64([1.4, 0.2, 1])];
    expectGradients((a, b) => grad((t: Nx.Tensor) => Nx.atan2(t, b!).sum())(a!) as Nx.Tensor, y, x);
  });

  it("powers, by their exponents", () => {
    const slope = grad((y: Nx.Tensor) => Nx.pow(Nx.f32([Infinity, 0, 2]), y).sum())(Nx.f32([-1, 2, 3]));
    expect(slope.toList()).toEqual([0, 0, expect.closeTo(8 * Math.LN2, 5)]);
  });

  it("extremes keep infinite cotangents from what was not chosen", () => {
    const fn = (x: Nx.Tensor) => Nx.multiply(Nx.max(x, 0), Nx.f32([Infinity, Infinity, 2])).sum();
    expect(grad(fn)(Nx.f32([-1, 1, NaN])).toList()).toEqual([0, Infinity, 2]);
    expect(grad((x: Nx.Tensor) => Nx.min(x, 1).multiply(NaN).sum())(Nx.f32([2, 0])).toList()).toEqual([0, NaN]);
  });

  it("remainders, where the quotient is rounded to a whole number", () => {
    expect(grad((y: Nx.Tensor) => Nx.remainder(Nx.f64(1), y))(Nx.f64(0.1)).toNumber()).toBe(-9);
  });
});
