/**
 * The printed examples of tinygrad's page of element-wise functions, all of them, in the words of this library. Numbers are
 * printed with four decimals there. Where the results differ for a reason, both are written down.
 */

import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";

type Example = readonly [name: string, compute: () => Nx.Tensor, printed: readonly (number | bigint)[]];

const f32 = Nx.f32;
const s32 = Nx.s32;
const u8 = Nx.u8;
const steps = f32([-3, -2, -1, 0, 1, 2, 3]);
const halves = f32([-3.5, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5]);
const quarters = f32([0, Math.PI / 2, Math.PI, (3 * Math.PI) / 2, 2 * Math.PI]);
const tenths = f32([-0.9, -0.6, -0.3, 0, 0.3, 0.6, 0.9]);
const odd = f32([1, Infinity, 2, -Infinity, NaN]);
const small = f32([-1.5, -1, -0.5, 0, 0.5, 1, 1.5]);
const powers = f32([1, 2, 4, 8]);
const divided = s32([-4, 7, 5, 4, -7, 8]);
const divisors = s32([2, -3, 8, -2, 3, 5]);
const drawn = f32([-0.5144, 1.085, 0.9089, -0.0841]);
const bools = [u8([1, 1, 0, 0]), u8([1, 0, 1, 0])] as const;
const bytes = Nx.s8([0, 2, 5, 255]); // 255 is -1

const MATH: readonly Example[] = [
  ["logical_not", () => Nx.logicalNot(u8([0, 1])), [1, 0]],
  ["neg", () => Nx.negate(steps), [3, 2, 1, -0, -1, -2, -3]],
  ["log", () => Nx.log(powers), [0, 0.6931, 1.3863, 2.0794]],
  ["log2", () => Nx.log2(powers), [0, 1, 2, 3]],
  ["log10", () => Nx.log10(powers), [0, 0.301, 0.6021, 0.9031]],
  ["exp", () => Nx.exp(f32([0, 1, 2, 3])), [1, 2.7183, 7.3891, 20.0855]],
  ["exp2", () => Nx.exp2(f32([0, 1, 2, 3])), [1, 2, 4, 8]],
  ["sqrt", () => Nx.sqrt(f32([1, 2, 3, 4])), [1, 1.4142, 1.7321, 2]],
  ["rsqrt", () => Nx.rsqrt(f32([1, 2, 3, 4])), [1, 0.7071, 0.5774, 0.5]],
  ["sin", () => Nx.sin(quarters), [0, 1, -0, -1, 0]],
  ["acos", () => Nx.acos(tenths), [2.6906, 2.2143, 1.8755, 1.5708, 1.2661, 0.9273, 0.451]],
  ["asin", () => Nx.asin(tenths), [-1.1198, -0.6435, -0.3047, 0, 0.3047, 0.6435, 1.1198]],
  ["atan", () => Nx.atan(steps), [-1.249, -1.1071, -0.7854, 0, 0.7854, 1.1071, 1.249]],
  ["trunc", () => Nx.trunc(halves), [-3, -2, -1, -0, 0, 1, 2, 3]],
  ["ceil", () => Nx.ceil(halves), [-3, -2, -1, -0, 1, 2, 3, 4]],
  ["floor", () => Nx.floor(halves), [-4, -3, -2, -1, 0, 1, 2, 3]],
  ["isinf", () => Nx.isInfinity(odd), [0, 1, 0, 1, 0]],
  ["isnan", () => Nx.isNan(odd), [0, 0, 0, 0, 1]],
  ["isfinite", () => Nx.isFinite(odd), [1, 0, 1, 0, 0]],
  ["lerp", () => Nx.lerp(f32([1, 2, 3]), f32([4, 5, 6]), 0.5), [2.5, 3.5, 4.5]],
  ["square", () => Nx.square(steps), [9, 4, 1, 0, 1, 4, 9]],
  ["clamp", () => Nx.clamp(steps, { min: -1, max: 1 }), [-1, -1, -1, 0, 1, 1, 1]],
  ["clip", () => Nx.clip(steps, -1, 1), [-1, -1, -1, 0, 1, 1, 1]],
  ["sign", () => Nx.sign(steps), [-1, -1, -1, 0, 1, 1, 1]],
  ["abs", () => Nx.abs(steps), [3, 2, 1, 0, 1, 2, 3]],
  ["reciprocal", () => Nx.reciprocal(f32([1, 2, 3, 4])), [1, 0.5, 0.3333, 0.25]],
];

const ACTIVATIONS: readonly Example[] = [
  ["relu", () => Nx.relu(steps), [0, 0, 0, 0, 1, 2, 3]],
  ["sigmoid", () => Nx.sigmoid(steps), [0.0474, 0.1192, 0.2689, 0.5, 0.7311, 0.8808, 0.9526]],
  ["logsigmoid", () => Nx.logSigmoid(steps), [-3.0486, -2.1269, -1.3133, -0.6931, -0.3133, -0.1269, -0.0486]],
  ["hardsigmoid", () => Nx.hardSigmoid(steps), [0, 0.1667, 0.3333, 0.5, 0.6667, 0.8333, 1]],
  ["elu", () => Nx.elu(steps), [-0.9502, -0.8647, -0.6321, 0, 1, 2, 3]],
  ["celu", () => Nx.celu(steps), [-0.9502, -0.8647, -0.6321, 0, 1, 2, 3]],
  ["selu", () => Nx.selu(steps), [-1.6706, -1.5202, -1.1113, 0, 1.0507, 2.1014, 3.1521]],
  ["swish", () => Nx.swish(steps), [-0.1423, -0.2384, -0.2689, 0, 0.7311, 1.7616, 2.8577]],
  ["silu", () => Nx.silu(steps), [-0.1423, -0.2384, -0.2689, 0, 0.7311, 1.7616, 2.8577]],
  ["relu6", () => Nx.relu6(f32([-9, -6, -3, 0, 3, 6, 9])), [0, 0, 0, 0, 3, 6, 6]],
  ["hardswish", () => Nx.hardSwish(steps), [-0, -0.3333, -0.3333, 0, 0.6667, 1.6667, 3]],
  ["tanh", () => Nx.tanh(steps), [-0.9951, -0.964, -0.7616, 0, 0.7616, 0.964, 0.9951]],
  ["sinh", () => Nx.sinh(steps), [-10.0179, -3.6269, -1.1752, 0, 1.1752, 3.6269, 10.0179]],
  ["cosh", () => Nx.cosh(steps), [10.0677, 3.7622, 1.5431, 1, 1.5431, 3.7622, 10.0677]],
  ["atanh", () => Nx.atanh(tenths), [-1.4722, -0.6931, -0.3095, 0, 0.3095, 0.6931, 1.4722]],
  ["asinh", () => Nx.asinh(steps), [-1.8184, -1.4436, -0.8814, 0, 0.8814, 1.4436, 1.8184]],
  ["acosh", () => Nx.acosh(steps), [NaN, NaN, NaN, NaN, 0, 1.317, 1.7627]],
  ["hardtanh", () => Nx.hardTanh(small), [-1, -1, -0.5, 0, 0.5, 1, 1]],
  ["erf", () => Nx.erf(small), [-0.9661, -0.8427, -0.5205, 0, 0.5205, 0.8427, 0.9661]],
  ["gelu", () => Nx.gelu(steps, { approximate: "tanh" }), [-0.0036, -0.0454, -0.1588, 0, 0.8412, 1.9546, 2.9964]],
  ["quick_gelu", () => Nx.quickGelu(steps), [-0.0181, -0.0643, -0.1542, 0, 0.8458, 1.9357, 2.9819]],
  ["leaky_relu", () => Nx.leakyRelu(steps), [-0.03, -0.02, -0.01, 0, 1, 2, 3]],
  ["leaky_relu(0.42)", () => Nx.leakyRelu(steps, { negSlope: 0.42 }), [-1.26, -0.84, -0.42, 0, 1, 2, 3]],
  ["mish", () => Nx.mish(steps), [-0.1456, -0.2525, -0.3034, 0, 0.8651, 1.944, 2.9865]],
  ["softplus", () => Nx.softplus(steps), [0.0486, 0.1269, 0.3133, 0.6931, 1.3133, 2.1269, 3.0486]],
  ["softsign", () => Nx.softsign(steps), [-0.75, -0.6667, -0.5, 0, 0.5, 0.6667, 0.75]],
];

const BROADCASTED: readonly Example[] = [
  ["div of integers", () => Nx.divide(s32([1, 4, 10]), s32([2, 3, 4])), [0.5, 1.3333, 2.5]],
  ["idiv", () => Nx.idiv(divided, divisors), [-2, -2, 0, -2, -2, 1]],
  ["mod", () => Nx.mod(divided, divisors), [0, -2, 5, 0, 2, 3]],
  ["bitwise_xor", () => Nx.bitwiseXor(s32([-1, -2, 3]), s32([1, 0, 3])), [-2, -2, 0]],
  ["bitwise_xor of booleans", () => Nx.bitwiseXor(...bools), [0, 1, 1, 0]],
  ["bitwise_and", () => Nx.bitwiseAnd(s32([2, 5, 255]), s32([3, 14, 16])), [2, 4, 16]],
  ["bitwise_and of booleans", () => Nx.bitwiseAnd(...bools), [1, 0, 0, 0]],
  ["bitwise_or", () => Nx.bitwiseOr(s32([2, 5, 255]), s32([4, 4, 4])), [6, 5, 255]],
  ["bitwise_or of booleans", () => Nx.bitwiseOr(...bools), [1, 1, 1, 0]],
  ["bitwise_not", () => Nx.bitwiseNot(bytes), [-1, -3, -6, 0]],
  ["bitwise_not of booleans", () => Nx.logicalNot(u8([1, 0])), [0, 1]],
  ["lshift", () => Nx.leftShift(u8([1, 3, 31]), 2), [4, 12, 124]],
  ["rshift", () => Nx.rightShift(u8([4, 13, 125]), 2), [1, 3, 31]],
  ["pow", () => Nx.pow(s32([-1, 2, 3]), 2.0), [1, 4, 9]],
  ["pow of a number", () => Nx.pow(f32(2), s32([-1, 2, 3])), [0.5, 4, 8]],
  ["maximum", () => Nx.max(s32([-1, 2, 3]), 1), [1, 2, 3]],
  ["maximum of tensors", () => Nx.max(s32([-1, 2, 3]), s32([-4, -2, 9])), [-1, 2, 9]],
  ["minimum", () => Nx.min(s32([-1, 2, 3]), 1), [-1, 1, 1]],
  ["minimum of tensors", () => Nx.min(s32([-1, 2, 3]), s32([-4, -2, 9])), [-4, -2, 3]],
  ["where", () => Nx.where(u8([[1, 1, 0], [1, 0, 0]]), 1, 3), [1, 1, 3, 1, 3, 3]], // prettier-ignore
  [
    "where of a condition",
    () => {
      const t = f32([[0.9779, 0.4678, 0.5526], [-0.3288, -0.8555, 0.2753]]); // prettier-ignore
      return Nx.where(Nx.greater(t, 0), t, -Infinity);
    },
    [0.9779, 0.4678, 0.5526, -Infinity, -Infinity, 0.2753],
  ],
];

const CASTS: readonly Example[] = [
  ["cast to int32", () => Nx.asType(f32([-1, 2.5, 3]), "s32"), [-1, 2, 3]],
  ["cast to uint8", () => Nx.asType(f32([-1, 2.5, 3]), "u8", { overflow: "wrap" }), [255, 2, 3]],
  ["bitcast", () => Nx.bitcast(s32([-1, 2, 3]), "u32"), [4294967295, 2, 3]],
  ["float", () => s32([-1, 2, 3]).f32(), [-1, 2, 3]],
  ["half", () => s32([-1, 2, 3]).f16(), [-1, 2, 3]],
  ["int", () => f32([-1.5, -0.5, 0, 0.5, 1.5]).s32(), [-1, 0, 0, 0, 1]],
  ["bool", () => s32([-1, 0, 1]).notEqual(0), [1, 0, 1]],
];

const numbers = (t: Nx.Tensor): number[] => t.toFlatList() as number[];

/** Numbers as text, -0 as itself. */
const textOf = (t: Nx.Tensor): string =>
  numbers(t)
    .map((x) => (Object.is(x, -0) ? "-0" : String(x)))
    .join(" ");

/** What four decimals show: of a number that is not zero itself, a zero has the sign. */
const shown = (x: unknown): number => (x === 0 ? (x as number) : Number(Number(x).toFixed(4)));

describe.each([
  ["Unary Ops (math)", MATH],
  ["Unary Ops (activation)", ACTIVATIONS],
  ["Elementwise Ops (broadcasted)", BROADCASTED],
  ["Casting Ops", CASTS],
])("%s", (_group, examples) => {
  it.each(examples)("%s", (_name, compute, printed) => {
    expect(compute().toFlatList().map(shown)).toEqual(printed);
  });
});

describe("examples with random numbers, known to four decimals", () => {
  const column = f32([[2], [3.5]]);
  const CASES: readonly Example[] = [
    ["add", () => drawn.add(20), [19.4856, 21.085, 20.9089, 19.9159]],
    ["add of a column", () => drawn.add(column), [1.4856, 3.085, 2.9089, 1.9159, 2.9856, 4.585, 4.4089, 3.4159]],
    ["sub", () => drawn.subtract(20), [-20.5144, -18.915, -19.0911, -20.0841]],
    ["sub of a column", () => drawn.subtract(column), [-2.5144, -0.915, -1.0911, -2.0841, -4.0144, -2.415, -2.5911, -3.5841]],
    ["mul", () => drawn.multiply(3), [-1.5431, 3.2549, 2.7267, -0.2523]],
    ["mul of a column", () => drawn.multiply(f32([[-1], [2]])), [0.5144, -1.085, -0.9089, 0.0841, -1.0287, 2.17, 1.8178, -0.1682]],
    ["div", () => drawn.divide(3), [-0.1715, 0.3617, 0.303, -0.028]],
  ]; // prettier-ignore
  it.each(CASES)("%s", (_name, compute, printed) => {
    const y = compute().toFlatList() as number[];
    y.forEach((value, i) => expect(Math.abs(value - Number(printed[i]))).toBeLessThan(2.5e-4));
  });
});

describe("types of the examples of casts", () => {
  it.each([
    ["float", "f32"],
    ["half", "f16"],
    ["int", "s32"],
    ["bfloat16", "bf16"],
    ["double", "f64"],
    ["long", "s64"],
    ["short", "s16"],
  ] as const)("%s is t.%s()", (_name, type) => {
    const t = Nx.tensor([-1, 2, 3], { names: ["x"] });
    expect([t[type]().type, t[type]().names, t[type]().toList()]).toEqual([type, ["x"], [-1, 2, 3]]);
  });

  it("take the rule for what is out of range", () => {
    expect(f32([-1, 2.5, 300]).u8().toList()).toEqual([0, 2, 255]);
    expect(f32([-1, 2.5, 300]).u8({ overflow: "wrap" }).toList()).toEqual([255, 2, 44]);
  });
});

describe("examples that print something else here, for a reason", () => {
  it("round: roundEven keeps the sign of what becomes zero", () => {
    expect(numbers(Nx.roundEven(halves))).toEqual([-4, -2, -2, -0, 0, 2, 2, 4]); // there: ... 0. 0. ...
    expect(numbers(Nx.round(halves))).toEqual([-4, -3, -2, -1, 1, 2, 3, 4]);
  });

  it("cos, tan: of the numbers that f32 has, not of those that were meant", () => {
    // There: 1, 0, -1, -2.3842e-07, 1, though no f32 has the cosine 0.
    expect(numbers(Nx.cos(quarters))).toEqual([1, -4.371138828673793e-8, -1, 1.1924880638503055e-8, 1]);
    const eighths = f32([0, Math.PI / 4, Math.PI / 2, (3 * Math.PI) / 4, Math.PI]);
    const [zero, one, most, minus, almost] = numbers(Nx.tan(eighths)); // there: 0, 1, inf, -1, 0
    expect([zero, one, most, minus]).toEqual([0, 1, -22877332, -1]);
    expect(almost).toBeCloseTo(0, 6);
  });

  it("pow of integers by floats gives floats, of which NaN becomes 0 as an integer", () => {
    const y = Nx.pow(s32([-1, 2, 3]), f32([-1.5, 0.5, 1.5]));
    expect([y.type, ...numbers(y).map(shown)]).toEqual(["f32", NaN, 1.4142, 5.1962]);
    expect(Nx.asType(Nx.roundEven(y), "s32").toList()).toEqual([0, 1, 5]); // there: -2147483648, 1, 5
  });

  it("gelu without options is the exact function", () => {
    expect(numbers(Nx.gelu(f32([-3]))).map(shown)).toEqual([-0.004]); // there: -0.0036
  });
});

describe("functions without examples", () => {
  it("copysign", () => {
    expect(Nx.copysign(f32([1, -2, 0, 3]), f32([-1, 2, -0, -0])).toList()).toEqual([-1, 2, -0, -3]);
  });

  it("logaddexp", () => {
    expect(
      Nx.logAddExp(f32([0, 1000]), f32([0, 1000]))
        .toFlatList()
        .map(shown),
    ).toEqual([0.6931, 1000.6932]);
  });

  it("div with a rounding mode", () => {
    const [a, b] = [s32([-7, 7, -7, 7, 6]), s32([2, 2, -2, -2, 3])];
    expect(Nx.divide(a, b, { roundingMode: "trunc" }).toList()).toEqual([-3, 3, 3, -3, 2]);
    const down = Nx.divide(a, b, { roundingMode: "floor" });
    expect([down.type, ...(down.toFlatList() as number[])]).toEqual(["s32", -4, 3, 3, -4, 2]);
    const floats = Nx.divide(a.f32(), b, { roundingMode: "floor" });
    expect([floats.type, ...numbers(floats)]).toEqual(["f32", -4, 3, 3, -4, 2]);
    expect(Nx.divide(u8([7]), u8([2]), { roundingMode: "floor" }).type).toBe("u8");
    expect(() => Nx.divide(a, 0, { roundingMode: "floor" })).toThrow(Nx.ArgumentError);
    expect(() => Nx.divide(a, b, { roundingMode: "ceil" } as never)).toThrow("option roundingMode of Nx.divide");
    expect(() => Nx.divide(a, b, { mode: "floor" } as never)).toThrow('unknown option "mode" for Nx.divide');
  });

  it("isinf of one sign", () => {
    expect(Nx.isInfinity(odd, { detectNegative: false }).toList()).toEqual([0, 1, 0, 0, 0]);
    expect(Nx.isInfinity(odd, { detectPositive: false }).toList()).toEqual([0, 0, 0, 1, 0]);
    expect(Nx.isInfinity(odd, { detectPositive: false, detectNegative: false }).toList()).toEqual([0, 0, 0, 0, 0]);
    expect(Nx.isInfinity(odd, {}).toList()).toEqual([0, 1, 0, 1, 0]);
    const z = Nx.c64([new Nx.Complex(Infinity, -Infinity), new Nx.Complex(0, -Infinity), new Nx.Complex(0, NaN)]);
    expect(Nx.isInfinity(z, { detectNegative: false }).toList()).toEqual([1, 0, 0]);
    expect(Nx.isInfinity(Nx.s64([1]), { detectNegative: false }).toList()).toEqual([0]);
    expect(() => Nx.isInfinity(odd, { detectNegative: 0 } as never)).toThrow("must be true or false, got: 0");
    expect([Infinity, 1].map(Nx.isInfinity).map((t) => t.toNumber())).toEqual([1, 0]);
  });
});

describe("mod, copysign and lerp beyond the examples", () => {
  it("mod of floats is exact and has the sign of the divisor, of zeros too", () => {
    const y = Nx.mod(f32([1e10, -4, 4, -5, 5, 5.5, -0, 0]), f32([3, 2, -2, Infinity, -Infinity, 0, 3, -3]));
    expect(textOf(y)).toBe("1 0 -0 Infinity -Infinity NaN 0 -0");
    expect(() => Nx.mod(1, new Nx.Complex(1, 2))).toThrow("mod is not defined for complex tensors");
    expect(() => Nx.mod(f32([1, 2, 3]), f32([1, 2]))).toThrow("Nx.mod cannot broadcast tensors");
  });

  it("copysign merges types, and tells -0 from 0 in all of them", () => {
    for (const type of ["f16", "bf16", "f32", "f64"] as const) {
      const y = Nx.copysign(
        Nx.tensor([1, 1, 1, 1, NaN], { type }),
        Nx.tensor([0, -0, Infinity, -Infinity, -1], { type }),
      );
      expect([y.type, textOf(y)]).toEqual([type, "1 -1 1 -1 NaN"]);
    }
    expect(Nx.copysign(u8([200]), Nx.s8([-1])).toList()).toEqual([-200]);
    expect(Nx.copysign(Nx.s64([-3]), 0).toList()).toEqual([3]);
  });

  it("lerp meets both ends, merges names and widens half floats", () => {
    const [a, b] = [f32([0.1, -7.3, 1e30], { names: ["x"] }), f32([0.7, 1e-8, -1e30])];
    expect(Nx.lerp(a, b, 0).toList()).toEqual(a.toList());
    expect(Nx.lerp(a, b, 1).toList()).toEqual(b.toList());
    const grid = Nx.lerp(a, b, f32([[0.25], [0.5]], { names: ["w", null] }));
    expect([grid.names, grid.shape]).toEqual([
      ["w", "x"],
      [2, 3],
    ]);
    expect(Nx.lerp(Nx.f16([0]), Nx.f16([1]), Nx.f16([0.333])).toList()).toEqual(Nx.f16([0.333]).toList());
    expect(Nx.lerp(0, 10, 0.5).toNumber()).toBe(5);
    expect(Nx.lerp(Nx.f64([0]), 1, 0.1).toList()).toEqual([0.1]);
    expect(() => Nx.lerp(a, b, f32([1, 2]))).toThrow("cannot broadcast");
  });
});
