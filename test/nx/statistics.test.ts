/** Standard scores, moments, polynomials, integrals and convolutions, against NumPy and SciPy. */
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { expectGradients, randoms } from "../defn/grad/check";
import { differenceOf } from "../fuzz/compare";
import { decode, readOracle, type Coded } from "../oracles/read";

type Values = readonly (Coded | Values)[];

interface Case {
  readonly fn: keyof typeof Nx;
  readonly args: readonly (Values | { readonly plain: number | readonly number[] })[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly result: Values | Coded;
}

const isValues = (arg: unknown): arg is Values => Array.isArray(arg);

const decoded = (value: Coded | Values): Nx.NestedData => (isValues(value) ? value.map(decoded) : decode(value));

const tensorOf = (values: Values): Nx.Tensor => Nx.f64(decoded(values) as Nx.NestedData[]);

/** What of a call is a tensor is a parameter of the compiled function. */
function call({ fn, args, options }: Case, given: readonly Nx.Tensor[]): Nx.Tensor {
  let next = 0;
  const list = args.map((arg) => (isValues(arg) ? given[next++]! : arg.plain));
  const vectors = ["weights", "x"].flatMap((key) => (key in options ? [[key, tensorOf(options[key] as Values)]] : []));
  return (Nx[fn] as unknown as (...all: unknown[]) => Nx.Tensor)(...list, ...(Object.keys(options).length > 0 ? [{ ...options, ...Object.fromEntries(vectors) }] : [])); // prettier-ignore
}

/** Coefficients of far places have the condition of their powers, which scaled are 1e9 apart at most. */
const RTOL = { polyfit: 1e-8, other: 1e-12 };

const cases = readOracle<Case[]>("statistics.json").map((one, i) => [`${one.fn} ${JSON.stringify(one.options)} (${i})`, one] as const); // prettier-ignore

describe("NumPy and SciPy", () => {
  it.each(cases)("%s", (_, one) => {
    const given = one.args.filter(isValues).map(tensorOf);
    const expected = isValues(one.result) ? tensorOf(one.result) : Nx.f64(decode(one.result));
    const result = call(one, given);
    expect(result.shape).toEqual(expected.shape);
    const rtol = one.fn === "polyfit" ? RTOL.polyfit : RTOL.other;
    const close = Nx.allClose(result, expected, { rtol, atol: 1e-13, equalNan: true }).toNumber();
    expect(close, `${String(result)} for ${String(expected)}`).toBe(1);
    expect(differenceOf(Nx.defn((...all: Nx.Tensor[]) => call(one, all))(...given), result)).toBeNull();
  });
});

describe("results", () => {
  it("have the types and names of operands", () => {
    const t = Nx.tensor([[1, 2], [3, 7]], { names: ["x", "y"], type: "f16" }); // prettier-ignore
    expect([Nx.zscore(t), t.zscore({ axes: ["x"] })].map(({ type, names }) => [type, names])).toEqual(Array(2).fill(["f16", ["x", "y"]])); // prettier-ignore
    expect([Nx.skewness(t, { axes: ["x"], keepAxes: true }).names, Nx.kurtosis(t, { axes: ["x"] }).names]).toEqual([["x", "y"], ["y"]]); // prettier-ignore
    expect([Nx.trapezoid(t, { axis: "x" }).names, Nx.convolve(t, Nx.f32([1, 2]), { axis: "x" }).names]).toEqual([["y"], ["x", "y"]]); // prettier-ignore
    expect([Nx.convolve(t, Nx.u8([1, 2])).type, Nx.convolve(Nx.s32([2 ** 20, 3]), Nx.s32([2 ** 9])).toList()]).toEqual(["f16", [2 ** 29, 1536]]); // prettier-ignore
    expect(Nx.trapezoid(Nx.f32([[1, 2], [3, 5]]), { x: Nx.f32([[0, 1], [0, 3]]) }).toList()).toEqual([1.5, 12]); // prettier-ignore
    expect(Nx.trapezoid(Nx.f32([5])).toNumber()).toBe(0);
    expect([Nx.unwrap(t, "x").names, Nx.unwrap(t).type, Nx.unwrap(Nx.u8([5])).toList(), Nx.unwrap(Nx.s32([350, 10]), { period: 360 }).toList()]).toEqual([["x", "y"], "f16", [5], [350, 370]]); // prettier-ignore
    expect([Nx.gradient(t, { axis: "x" }).names, Nx.gradient(t).type, Nx.gradient(Nx.u8([200, 1])).toList()]).toEqual([["x", "y"], "f16", [-199, -199]]); // prettier-ignore
    expect(Nx.gradient(Nx.f32([[1, 2, 4], [3, 5, 9]]), { x: Nx.f32([[0, 1, 2], [0, 2, 4]]) }).toList()).toEqual([[1, 1.5, 2], [1, 1.5, 2]]); // prettier-ignore
    expect(Nx.gradient(Nx.c64([new Nx.Complex(0, 1), new Nx.Complex(2, 1)])).toList()).toEqual(Array(2).fill(new Nx.Complex(2, 0))); // prettier-ignore
    expect(Nx.convolve(Nx.c64([new Nx.Complex(0, 1)]), Nx.c64([new Nx.Complex(0, 1)])).toList()).toEqual([new Nx.Complex(-1, 0)]); // prettier-ignore
    expect([Nx.zscore(Nx.f32([2, 2])).toList(), Nx.skewness(Nx.f32([2, 2])).toNumber()]).toEqual([[NaN, NaN], NaN]);
  });

  it("have the right gradients", () => {
    expectGradients((x) => Nx.zscore(x, { axes: [1] }), randoms([2, 5]));
    expectGradients((x) => Nx.skewness(x, { axes: [1], bias: false }), randoms([2, 5]));
    expectGradients((x) => Nx.kurtosis(x, { axes: [0], bias: false }), randoms([5, 2]));
    expectGradients((p, x) => Nx.polyval(p, x), randoms([4]), randoms([3]));
    expectGradients((y, x) => Nx.trapezoid(y, { x }), randoms([2, 4]), randoms([4]));
    expectGradients((y, x) => Nx.gradient(y, { x, edgeOrder: 2 }), randoms([2, 4]), randoms([4]));
    expectGradients((a, v) => Nx.convolve(a, v, { mode: "same" }), randoms([6]), randoms([3]));
    expectGradients((y) => Nx.polyfit(Nx.f64([0, 1, 2, 4]), y, 2), randoms([4]));
  });

  it("wrap integers around as products do", () => {
    expect(Nx.convolve(Nx.u8([200, 1]), Nx.u8([2])).toList()).toEqual(Nx.multiply(Nx.u8([200, 1]), Nx.u8(2)).toList());
    expect(Nx.convolve(Nx.s8([100]), Nx.s8([2])).toList()).toEqual([-56]);
    expect(Nx.polyval(Nx.s8([2, -10, 4]), Nx.s8([-7])).toList()).toEqual([-84]);
  });

  it("are infinite where their highest power is", () => {
    expect(Nx.polyval(Nx.f64([2, 1]), Nx.f64([Infinity, -Infinity])).toList()).toEqual([Infinity, -Infinity]);
    expect(Nx.polyval(Nx.f64([2]), Nx.f64([Infinity, NaN])).toList()).toEqual([2, 2]);
  });

  it.each<[string, () => unknown]>([
    ["Nx.skewness is not defined for complex tensors", () => Nx.skewness(Nx.c64([1, 2]))],
    ["option bias of Nx.kurtosis must be true or false, got: 0", () => Nx.kurtosis(Nx.f32([1, 2]), { bias: 0 as never })],
    ["option mode of Nx.convolve must be one of \"full\", \"same\", \"valid\", got: \"all\"", () => Nx.convolve(Nx.f32([1]), Nx.f32([1]), { mode: "all" as never })],
    ["Nx.trapezoid expects either a number as the option dx or places as the option x", () => Nx.trapezoid(Nx.f32([1, 2]), { x: Nx.f32([1, 2]), dx: 1 })],
    ["option x of Nx.gradient expects places of shape [3] or [2][3], got shape [2]", () => Nx.gradient(Nx.ones([2, 3]), { x: Nx.f32([1, 2]) })],
    ["Nx.unwrap is not defined for complex tensors", () => Nx.unwrap(Nx.c64([1, 2]))],
    ["option period of Nx.unwrap must be a positive number, got: \"2\"", () => Nx.unwrap(Nx.f32([1, 2]), { period: "2" as never })],
    ["option edgeOrder of Nx.gradient must be 1 or 2, got: 3", () => Nx.gradient(Nx.ones([4]), { edgeOrder: 3 as never })],
    ["Nx.gradient expects at least 3 elements along axis 0 for edgeOrder: 2, got shape [x: 2]", () => Nx.gradient(Nx.ones([2], { names: ["x"] }), { edgeOrder: 2 })],
    ["Nx.polyfit expects places as a vector and as many values (and weights), got shapes [2], [3]", () => Nx.polyfit(Nx.f32([1, 2]), Nx.f32([1, 2, 3]), 1)],
  ])("refuses: %s", (text, bad) => expect(bad).toThrow(text)); // prettier-ignore
});
