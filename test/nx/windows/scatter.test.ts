import fc from "fast-check";
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { errorOf, view } from "../aggregates/view";
import { TYPES, elements, isComplex, isInteger, rounded, tensorOf, texts, wrap, type Element } from "../ndim/numbers";
import {
  NAMES,
  anyAxes,
  factors,
  fitting,
  optionsOf,
  resultsOf,
  shapeOf,
  sizeOf,
  windowOf,
  windowsOf,
  type Axis,
} from "./naive";
import { tries } from "../../effort";

const OPS = { windowScatterMax: "max", windowScatterMin: "min" } as const;
type Op = keyof typeof OPS;
const NAMES_OF_OPS = Object.keys(OPS) as Op[];
const REAL = TYPES.filter((type) => !isComplex(type));

const isNan = (x: Element) => typeof x === "number" && Number.isNaN(x);

/** Where the last extreme of a window is; a NaN is one. Null where all of it lies in the padding. */
function extreme(op: Op, list: readonly Element[], window: readonly (number | null)[]): number | null {
  let best: number | null = null;
  for (const flat of window) {
    if (flat === null) continue;
    const [x, held] = [list[flat]!, best === null ? null : list[best]!];
    if (held === null || isNan(x) || (op === "windowScatterMax" ? x >= held : x <= held)) best = flat;
  }
  return best;
}

/** The sum of an element and those that land on it. */
function total(type: Nx.DType, start: Element, added: readonly Element[]): Element {
  if (isInteger(type)) {
    return wrap(
      added.reduce<bigint>((sum, x) => sum + BigInt(x as number), BigInt(start as number)),
      type,
    );
  }
  const part = (of: (x: Element) => number) =>
    rounded(
      added.reduce<number>((sum, x) => sum + of(x), of(start)),
      type,
    );
  if (!isComplex(type)) return part(Number);
  return new Nx.Complex(part((x) => (x as Nx.Complex).re), part((x) => (x as Nx.Complex).im)); // prettier-ignore
}

/** Elements that are often equal, or any. */
function crowded(type: Nx.DType, count: number, seed: number): Element[] {
  if (seed % 3 === 0) return elements(type, count, seed);
  return factors(type, count, seed, seed % 3 === 1 ? 4 : 1000);
}

describe.each(NAMES_OF_OPS)("%s", (op) => {
  it("adds each element of the source where a loop finds the last extreme of its window", () => {
    const types = fc.tuple(fc.constantFrom(...REAL), fc.constantFrom(...TYPES));
    fc.assert(
      fc.property(types, anyAxes, fc.nat(10000), ([type, added], drawn, seed) => {
        const axes = drawn.map((axis): Axis => fitting({ ...axis, dilation: 1 }));
        const list = crowded(type, sizeOf(shapeOf(axes)), seed);
        const results = resultsOf(axes);
        const source = elements(added, sizeOf(results) + 1, seed + 1);
        const start = source.pop()!;
        const names = NAMES.slice(0, axes.length);
        const { padding, strides } = optionsOf(axes) as Required<Nx.WindowOptions>;
        const result = Nx[op](
          tensorOf(list, type, shapeOf(axes), names),
          tensorOf(source, added, results),
          tensorOf([start], added, []),
          windowOf(axes),
          { padding, strides },
        );
        expect([result.type, result.shape, result.names]).toEqual([added, shapeOf(axes), names]);
        const landed = list.map((): Element[] => []);
        windowsOf(axes).forEach((window, i) => {
          const at = extreme(op, list, window);
          if (at !== null) landed[at]!.push(source[i]!);
        });
        expect(texts(result.toFlatList())).toEqual(texts(landed.map((x) => total(added, start, x))));
      }),
      { numRuns: tries(400) },
    );
  });

  it("takes the last of several extremes, row by row", () => {
    const ones = Nx.broadcast(1, [3, 3]);
    const result = Nx[op](ones, Nx.tensor([[1, 2], [3, 4]]), 0, [2, 2]); // prettier-ignore
    expect(view(result)).toBe("s64[3][3] [[0,0,0],[0,1,2],[0,3,4]]");
    expect(view(Nx[op](Nx.f32([0, -0, 0]), Nx.s64([1, 2]), 0, [2]))).toBe("s64[3] [0,1,2]");
    expect(view(Nx[op](Nx.f32([-0, 0, -0]), Nx.s64([1, 2]), 0, [2]))).toBe("s64[3] [0,1,2]");
  });

  it("takes a NaN for the extreme, and infinities for what they are", () => {
    const t = Nx.f64([NaN, 1, Infinity, NaN, NaN, -Infinity, 2]);
    const source = Nx.s64([1, 2, 4, 8, 16, 32]);
    const expected = op === "windowScatterMax" ? "[1,0,2,4,24,0,32]" : "[1,2,0,4,24,32,0]";
    expect(view(Nx[op](t, source, 0, [2]))).toBe(`s64[7] ${expected}`);
    const ends = Nx.f32([-Infinity, -Infinity, Infinity, Infinity]);
    expect(view(Nx[op](ends, Nx.s64([5, 7]), 0, [2], { strides: 2 }))).toBe("s64[4] [0,5,0,7]");
  });

  it("leaves out what belongs to windows that lie wholly in the padding", () => {
    const options = { padding: [[2, 3]] } as const;
    const source = Nx.s64([1, 10, 100, 1000, 10000, 100000]);
    const expected = op === "windowScatterMax" ? "[10,1100]" : "[110,1000]";
    expect(view(Nx[op](Nx.s64([3, 4]), source, 0, [2], options))).toBe(`s64[2] ${expected}`);
    expect(view(Nx[op](Nx.s64([3, 4]), Nx.s64([1, 2]), 7, [1], { padding: [[4, -4]] }))).toBe("s64[2] [7,7]");
  });

  it("tells 64-bit integers apart that are one double", () => {
    const t = Nx.s64([2n ** 53n + 1n, 2n ** 53n, -(2n ** 53n), -(2n ** 53n) - 1n]);
    const expected = op === "windowScatterMax" ? "[1,2,4,0]" : "[0,1,2,4]";
    expect(view(Nx[op](t, Nx.u8([1, 2, 4]), 0, [2]))).toBe(`u8[4] ${expected}`);
    const unsigned = Nx.u64([1n, 2n ** 63n]);
    expect(view(Nx[op](unsigned, Nx.s64([3]), 0, [2]))).toBe(
      op === "windowScatterMax" ? "s64[2] [0,3]" : "s64[2] [3,0]",
    );
  });

  it("wraps integers and rounds floats once", () => {
    const t = op === "windowScatterMax" ? Nx.tensor([0, 9, 0, 0]) : Nx.tensor([9, 0, 9, 9]);
    expect(view(Nx[op](t, Nx.u8([200, 100, 1]), 0, [2]))).toBe("u8[4] [0,44,0,1]");
    expect(view(Nx[op](t, Nx.s64([2n ** 63n - 1n, 1n, 0n]), 0, [2]).at(1))).toBe("s64 -9223372036854775808");
    expect(view(Nx[op](t, Nx.f16([1, 1, 0]), 2048, [2]).at(1))).toBe("f16 2050");
  });

  it("has the merged type of source and initial value, a plain number being weak", () => {
    const t = Nx.tensor([1, 2]);
    const typeOf = (source: Nx.Operand, initial: Nx.Operand) => Nx[op](t, source, initial, [2]).type;
    expect(typeOf(Nx.u8([1]), 0)).toBe("u8");
    expect(typeOf(Nx.u8([1]), 300)).toBe("u16");
    expect(typeOf(Nx.u8([1]), Nx.s64(0))).toBe("s64");
    expect(typeOf(Nx.s64([1]), 0.5)).toBe("f32");
    expect(typeOf(Nx.bf16([1]), 0.5)).toBe("bf16");
    expect(typeOf(Nx.f32([1]), Nx.f64(0))).toBe("f64");
    expect(typeOf(Nx.f32([1]), new Nx.Complex(0, 1))).toBe("c64");
    expect(view(Nx[op](Nx.tensor([2, 2]), Nx.u8([200]), Nx.s64(1000), [2]))).toBe("s64[2] [1000,1200]");
    expect(view(Nx[op](Nx.f64([2, 2]), Nx.c64([new Nx.Complex(1, 2)]), Nx.f64(0.5), [2]))).toBe(
      "c128[2] [0.5:0,1.5:2]",
    );
  });

  it('takes "same" padding, one stride for all axes, and scalars', () => {
    const t = tensorOf(elements("s32", 30, 2), "s32", [5, 6], ["y", "x"]);
    const source = Nx.iota([3, 3]);
    const spelled = { padding: [[1, 1], [0, 1]], strides: [2, 2] } as const; // prettier-ignore
    const same = Nx[op](t, source, 0, [3, 2], { padding: "same", strides: 2 });
    expect(view(same)).toBe(view(Nx[op](t, source, 0, [3, 2], spelled)));
    expect(same.names).toEqual(["y", "x"]);
    expect(view(Nx[op](3, 5, 1, []))).toBe("s64 6");
  });

  it("is the same traced", () => {
    const t = tensorOf(elements("f32", 30, 2), "f32", [5, 6]);
    const call = (x: Nx.Tensor) => Nx[op](x, Nx.iota([4, 5]), 0.5, [2, 2]);
    expect(view(Nx.defn(call)(t))).toBe(view(call(t)));
  });

  it("says what is wrong", () => {
    const t = Nx.tensor([1, 2, 3, 4], { names: ["x"] });
    const call = (source: unknown, initial: unknown, window: unknown, options?: object) =>
      errorOf(() => Nx[op](t, source as Nx.Tensor, initial as Nx.Tensor, window as number[], options));
    expect(call(Nx.tensor([10]), 0, [2], { strides: 2 })).toBe(
      `ArgumentError: Nx.${op} expects a source with an element for each window, shape [2], got shape [1]`,
    );
    expect(call(Nx.tensor([1, 2], { names: ["y"] }), 0, [2])).toMatch("shape [3], got shape [y: 2]");
    expect(call(5, 0, [4])).toMatch("shape [1], got shape []");
    expect(call(Nx.tensor([1, 2, 3]), Nx.tensor([0]), [2])).toBe(
      `ArgumentError: Nx.${op} expects a scalar as initial value, got: s64[1]`,
    );
    expect(call(Nx.tensor([1]), 0, [5])).toMatch(`ArgumentError: Nx.${op} would give an empty result`);
    expect(call(Nx.tensor([1]), 0, [2, 2])).toMatch(
      `ArgumentError: Nx.${op} expects a window with a size for each axis`,
    );
    expect(call(Nx.tensor([1]), 0, [2], { windowDilations: 2 })).toMatch(/^ArgumentError: .*windowDilations/);
    expect(call(Nx.tensor([1]), 0, [2], { strides: 0 })).toMatch(`ArgumentError: option strides of Nx.${op} must be`);
    expect(call(null, 0, [2])).toMatch(`ArgumentError: Nx.${op} expects`);
    expect(call(Nx.tensor([1]), "0", [2])).toMatch(`ArgumentError: Nx.${op} expects`);
    expect(errorOf(() => Nx[op](Nx.c64([1, 2]), Nx.tensor([1]), 0, [2]))).toBe(
      `ArgumentError: Nx.${op} is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first`,
    );
  });
});

it("is how gradients go back through windowMax and windowMin", () => {
  const t = Nx.f32([3, 3, 1, 2, 2]);
  const weights = Nx.f32([1, 2, 4, 8]);
  const max = Nx.Defn.grad((x: Nx.Tensor) => Nx.sum(Nx.multiply(Nx.windowMax(x, [2]), weights)))(t);
  expect(view(max)).toBe(view(Nx.windowScatterMax(t, weights, 0, [2])));
  expect(view(max)).toBe("f32[5] [0,3,0,4,8]");
  const min = Nx.Defn.grad((x: Nx.Tensor) => Nx.sum(Nx.multiply(Nx.windowMin(x, [2]), weights)))(t);
  expect(view(min)).toBe(view(Nx.windowScatterMin(t, weights, 0, [2])));
});
