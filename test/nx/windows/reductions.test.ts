import fc from "fast-check";
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { errorOf, view } from "../aggregates/view";
import { TYPES, elements, isComplex, isInteger, rounded, tensorOf, texts, wrap, type Element } from "../ndim/numbers";
import {
  NAMES,
  anyAxes,
  extentOf,
  factors,
  longAxes,
  optionsOf,
  resultsOf,
  shapeOf,
  sizeOf,
  windowOf,
  windowsOf,
  type Axis,
} from "./naive";
import { tries } from "../../effort";

const OPS = ["windowSum", "windowProduct", "windowMax", "windowMin"] as const;
type Op = (typeof OPS)[number];

const WHOLE: { readonly [K in Op]: (a: bigint, b: bigint) => bigint } = {
  windowSum: (a, b) => a + b,
  windowProduct: (a, b) => a * b,
  windowMax: (a, b) => (a > b ? a : b),
  windowMin: (a, b) => (a < b ? a : b),
};

const REAL: { readonly [K in Op]: (a: number, b: number) => number } = {
  windowSum: (a, b) => a + b,
  windowProduct: (a, b) => a * b,
  windowMax: (a, b) => Math.max(a, b),
  windowMin: (a, b) => Math.min(a, b),
};

const NEUTRAL = { windowSum: 0, windowProduct: 1, windowMax: -Infinity, windowMin: Infinity };

/** The ends of an integer type. */
function limit(type: Nx.DType, op: Op): bigint {
  const bits = BigInt(type.slice(1));
  const signed = type.startsWith("s");
  if (op === "windowMax") return signed ? -(2n ** (bits - 1n)) : 0n;
  return 2n ** (signed ? bits - 1n : bits) - 1n;
}

/** The elements of one window combined; null stands for padding. */
function combined(op: Op, type: Nx.DType, window: readonly (Element | null)[]): Element {
  if (isInteger(type)) {
    const neutral = op === "windowMax" || op === "windowMin" ? limit(type, op) : BigInt(NEUTRAL[op]);
    const list = window.map((x) => (x === null ? neutral : BigInt(x as number)));
    return wrap(
      list.reduce((a, b) => WHOLE[op](a, b)),
      type,
    );
  }
  if (!isComplex(type)) {
    return rounded(
      window.map((x) => (x === null ? NEUTRAL[op] : (x as number))).reduce((a, b) => REAL[op](a, b)),
      type,
    );
  }
  const list = window.map((x) => (x === null ? new Nx.Complex(NEUTRAL[op], 0) : (x as Nx.Complex)));
  const { re, im } = list.reduce((a, b) =>
    op === "windowSum"
      ? new Nx.Complex(a.re + b.re, a.im + b.im)
      : new Nx.Complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re),
  );
  return new Nx.Complex(rounded(re, type), rounded(im, type));
}

/** Elements for an op: of any magnitude, but products of floats must stay exact, and complex numbers finite. */
function elementsFor(op: Op, type: Nx.DType, count: number, seed: number): Element[] {
  if (isInteger(type) || (isComplex(type) && op === "windowSum")) return elements(type, count, seed);
  if (op === "windowProduct" || seed % 2 === 0) return factors(type, count, seed, 12);
  return elements(type, count, seed);
}

function check(op: Op, type: Nx.DType, axes: readonly Axis[], seed: number): void {
  const shape = shapeOf(axes);
  const list = elementsFor(op, type, sizeOf(shape), seed);
  const names = NAMES.slice(0, axes.length);
  const result = Nx[op](tensorOf(list, type, shape, names), windowOf(axes), optionsOf(axes));
  expect([result.type, result.shape, result.names]).toEqual([type, resultsOf(axes), names]);
  const expected = windowsOf(axes).map((window) =>
    combined(
      op,
      type,
      window.map((flat) => (flat === null ? null : list[flat]!)),
    ),
  );
  expect(texts(result.toFlatList())).toEqual(texts(expected));
}

const ordered = (op: Op) => TYPES.filter((type) => !isComplex(type) || op === "windowSum" || op === "windowProduct");

describe.each(OPS)("%s", (op) => {
  it("is what a loop over each window gives, for every type, rank and option", () => {
    fc.assert(
      fc.property(fc.constantFrom(...ordered(op)), anyAxes, fc.nat(10000), (type, axes, seed) =>
        check(op, type, axes, seed),
      ),
      { numRuns: tries(400) },
    );
  });

  it("is so for large windows, which are reduced by blocks", () => {
    let blocks = 0;
    fc.assert(
      fc.property(fc.constantFrom(...ordered(op)), longAxes, fc.nat(10000), (type, axes, seed) => {
        const { size, window, pad } = axes.find((axis) => axis.window > 1)!;
        blocks += Number(resultsOf(axes).reduce((a, b) => Math.max(a, b)) * window > 4 * (size + pad[0] + pad[1]));
        check(op, type, axes, seed);
      }),
      { numRuns: tries(200) },
    );
    expect(blocks).toBeGreaterThan(tries(200) / 5);
  });

  it.each([
    [1, 1],
    [2, 1],
    [3, 1],
    [1, 2],
    [1, 3],
    [2, 3],
    [3, 2],
    [5, 1],
  ])("is so by blocks with strides of %i and dilations of %i", (stride, dilation) => {
    for (const type of ordered(op)) {
      for (const window of [30, 31]) {
        const axis = { size: 200, window, stride, dilation, pad: [7, 4] as const };
        expect(resultsOf([axis])[0]! * window).toBeGreaterThan(4 * 211);
        check(op, type, [axis], stride);
        const rows = { size: 2, window: 1, stride: 1, dilation: 1, pad: [0, 0] as const };
        check(op, type, [rows, axis], dilation);
        check(op, type, [axis, rows], dilation);
      }
    }
  });

  it("gives the neutral element where a window lies in the padding", () => {
    for (const type of ordered(op)) {
      const axes = [{ size: 2, window: 2, stride: 1, dilation: 1, pad: [3, 3] as const }];
      check(op, type, axes, 1);
      // Everything is cropped, in front or behind, and padding is put on the other side.
      check(op, type, [{ ...axes[0]!, pad: [-4, 5] as const }], 1);
      check(op, type, [{ ...axes[0]!, pad: [5, -4] as const }], 1);
      check(op, type, [{ ...axes[0]!, size: 3, pad: [2, -2] as const }, axes[0]!], 1);
    }
    const floats = { windowSum: 0, windowProduct: 1, windowMax: -Infinity, windowMin: Infinity };
    for (const type of ["f64", "f32", "f16", "bf16"] as const) {
      const t = tensorOf([1, 2], type, [2]);
      expect(Nx[op](t, [1], { padding: [[1, -2]] }).toList()).toEqual([floats[op]]);
    }
  });

  it("takes scalars, which have one window of no axes", () => {
    expect(view(Nx[op](7, []))).toBe("s64 7");
    expect(view(Nx[op](Nx.bf16(1.5), [], { padding: "same", strides: [], windowDilations: 3 }))).toBe("bf16 1.5");
  });

  it('takes "same" as half of what the window reaches over, the larger half behind', () => {
    fc.assert(
      fc.property(anyAxes, fc.nat(1000), (axes, seed) => {
        const same = axes.map((axis): Axis => {
          const reach = extentOf(axis) - 1;
          return { ...axis, pad: [Math.floor(reach / 2), Math.ceil(reach / 2)] };
        });
        const t = tensorOf(elements("s32", sizeOf(shapeOf(axes)), seed), "s32", shapeOf(axes));
        const { strides, windowDilations } = optionsOf(same) as Required<Nx.WindowOptions>;
        const actual = Nx[op](t, windowOf(same), { padding: "same", strides, windowDilations });
        expect(view(actual)).toBe(view(Nx[op](t, windowOf(same), optionsOf(same))));
        expect(actual.shape).toEqual(same.map(({ size, stride }) => Math.ceil(size / stride)));
      }),
    );
  });

  it("takes one stride and one dilation for all axes, and no padding by default", () => {
    const t = tensorOf(elements("s16", 80, 3), "s16", [8, 10]);
    const spelled = {
      padding: [
        [0, 0],
        [0, 0],
      ],
      strides: [2, 2],
      windowDilations: [3, 3],
    } as const;
    expect(view(Nx[op](t, [2, 3], { strides: 2, windowDilations: 3 }))).toBe(view(Nx[op](t, [2, 3], spelled)));
    expect(view(Nx[op](t, [2, 3], { ...spelled, padding: "valid" }))).toBe(view(Nx[op](t, [2, 3], spelled)));
    expect(view(Nx[op](t, [1, 1]))).toBe(view(t));
  });

  it("leaves what it was given as it was", () => {
    for (const type of ordered(op)) {
      const t = tensorOf(elements(type, 12, 1), type, [3, 4]);
      const before = view(t);
      Nx[op](t, [2, 2], { padding: "same" });
      Nx[op](t, [1, 1]);
      expect(view(t)).toBe(before);
    }
  });

  it("is the same traced, and for every element of a vectorized axis", () => {
    const t = tensorOf(elements("f32", 40, 5), "f32", [4, 10]);
    const call = (x: Nx.Tensor) =>
      Nx[op](x, x.shape.map(() => 2), { padding: x.shape.map(() => [1, 2] as const), strides: 3 }); // prettier-ignore
    expect(view(Nx.defn(call)(t))).toBe(view(call(t)));
    const rows = [...Nx.toBatched(t, 1)].map((row) => call(row.reshape([10])));
    expect(view(Nx.Defn.vmap(call)(t) as Nx.Tensor)).toBe(view(Nx.stack(rows)));
  });
});

it("takes no longer for windows of half a million elements than for small ones", () => {
  const n = 1_000_000;
  const t = Nx.iota([n], { type: "f64" });
  const sums = Nx.windowSum(t, [n / 2]);
  expect(sums.shape).toEqual([n / 2 + 1]);
  expect(sums.at(0).toNumber()).toBe(((n / 2) * (n / 2 - 1)) / 2);
  expect(sums.at(1).toNumber()).toBe(((n / 2) * (n / 2 + 1)) / 2);
  expect(Nx.windowMax(t, [n / 2]).equals(Nx.add(Nx.iota([n / 2 + 1], { type: "f64" }), n / 2 - 1))).toBe(true);
});

describe("values", () => {
  it("wrap integers in their own type", () => {
    expect(view(Nx.windowSum(Nx.u8([200, 100, 50]), [2]))).toBe("u8[2] [44,150]");
    expect(view(Nx.windowSum(Nx.s8([100, 100, -100]), [2]))).toBe("s8[2] [-56,0]");
    expect(view(Nx.windowProduct(Nx.u16([256, 256, 3]), [2]))).toBe("u16[2] [0,768]");
    expect(view(Nx.windowProduct(Nx.u32([65537, 65537]), [2]))).toBe("u32[1] [131073]");
    expect(view(Nx.windowSum(Nx.s64([2n ** 63n - 1n, 1n, -1n]), [2]))).toBe("s64[2] [-9223372036854775808,0]");
    expect(view(Nx.windowProduct(Nx.u64([2n ** 63n + 1n, 3n]), [2]))).toBe(`u64[1] [${2n ** 63n + 3n}]`);
  });

  it("tell 64-bit integers apart that are one double", () => {
    const t = Nx.s64([2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, -(2n ** 53n)]);
    expect(view(Nx.windowMax(t, [2]))).toBe(`s64[3] [${2n ** 53n + 1n},${2n ** 53n + 1n},${-(2n ** 53n)}]`);
    expect(view(Nx.windowMin(t, [2]))).toBe(`s64[3] [${2n ** 53n},${-(2n ** 53n) - 1n},${-(2n ** 53n) - 1n}]`);
    expect(view(Nx.windowMax(Nx.u64([1n, 2n ** 63n]), [2]))).toBe(`u64[1] [${2n ** 63n}]`);
    expect(view(Nx.windowMin(Nx.u64([1n, 2n ** 63n]), [2], { padding: "same" }))).toBe(`u64[2] [1,${2n ** 63n}]`);
  });

  it("round floats once", () => {
    expect(view(Nx.windowSum(Nx.f32([2 ** 24, 1, 1]), [3]))).toBe("f32[1] [16777218]");
    expect(view(Nx.windowSum(Nx.f16([60000, 60000, -60000]), [3]))).toBe("f16[1] [60000]");
    expect(view(Nx.windowSum(Nx.bf16([256, 1, 1]), [3]))).toBe("bf16[1] [258]");
    expect(view(Nx.windowProduct(Nx.f16([60000, 60000, 2 ** -14]), [2]))).toMatch(/^f16\[2\] \[Infinity,3\.66/);
    expect(view(Nx.windowSum(Nx.f32([1e30, 1, -1e30]), [3]))).toBe("f32[1] [0]");
  });

  it("are NaN only for the windows that have one, and infinite where they are", () => {
    const t = Nx.f32([1, NaN, 3, Infinity, 5, -Infinity, Infinity]);
    expect(view(Nx.windowSum(t, [2]))).toBe("f32[6] [NaN,NaN,Infinity,Infinity,-Infinity,NaN]");
    expect(view(Nx.windowMax(t, [2]))).toBe("f32[6] [NaN,NaN,Infinity,Infinity,5,Infinity]");
    expect(view(Nx.windowMin(t, [2]))).toBe("f32[6] [NaN,NaN,3,5,-Infinity,-Infinity]");
    expect(view(Nx.windowProduct(t, [2]))).toBe("f32[6] [NaN,NaN,Infinity,Infinity,-Infinity,-Infinity]");
    const long = Nx.f64(Array.from({ length: 100 }, (_, i) => (i === 50 ? NaN : i)));
    for (const op of OPS) {
      const result = Nx[op](long, [20]).toList() as number[];
      expect(result.map(Number.isNaN)).toEqual(result.map((_, i) => i > 30 && i <= 50));
    }
  });
});

describe("windows much larger than the axis", () => {
  it("take no memory or time for the padding that all of them share", () => {
    const t = Nx.tensor([1, 2, 3]);
    const far = { padding: [[1e9, 0]] } as const;
    expect(Nx.windowSum(t, [1e9], far).toList()).toEqual([0, 1, 3, 6]);
    expect(
      Nx.windowMax(t.asType("f32"), [1e9], { padding: [[1e9, 1e9]], windowDilations: 2, strides: 5e8 }).toList(),
    ).toEqual([3]);
  });

  it("give what the same windows give over an axis that is padded before", () => {
    const sizes = fc.record({
      window: fc.integer({ min: 1, max: 12 }),
      low: fc.integer({ min: 0, max: 14 }),
      high: fc.integer({ min: 0, max: 14 }),
      strides: fc.integer({ min: 1, max: 4 }),
      windowDilations: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(
        sizes,
        fc.constantFrom("s64", "f64", "s32"),
        ({ window, low, high, strides, windowDilations }, type) => {
          fc.pre((window - 1) * windowDilations + 1 <= low + 3 + high);
          const t = Nx.tensor([5, -3, 4]).asType(type);
          const steps = { strides, windowDilations };
          const direct = Nx.windowSum(t, [window], { padding: [[low, high]], ...steps });
          expect(direct.toList()).toEqual(Nx.windowSum(Nx.pad(t, 0, [[low, high]]), [window], steps).toList());
        },
      ),
    );
  });
});

describe("windowMean", () => {
  const floating = (type: Nx.DType) => (isInteger(type) ? "f32" : type);

  it("is the sum over the size of the window, padding included, in a floating type", () => {
    fc.assert(
      fc.property(fc.constantFrom(...TYPES), anyAxes, fc.nat(10000), (type, axes, seed) => {
        const count = sizeOf(shapeOf(axes));
        const list = isInteger(type) ? factors(type, count, seed, 5) : elements(type, count, seed);
        const names = NAMES.slice(0, axes.length);
        const result = Nx.windowMean(tensorOf(list, type, shapeOf(axes), names), windowOf(axes), optionsOf(axes));
        expect([result.type, result.shape, result.names]).toEqual([floating(type), resultsOf(axes), names]);
        const cells = sizeOf(windowOf(axes));
        const mean = (window: readonly (number | null)[], part: (x: Element) => number) =>
          rounded(window.reduce<number>((sum, i) => sum + (i === null ? 0 : part(list[i]!)), 0) / cells, result.type);
        const expected = windowsOf(axes).map((window) => {
          const re = mean(window, (x) => (x instanceof Nx.Complex ? x.re : Number(x)));
          return isComplex(type)
            ? new Nx.Complex(
                re,
                mean(window, (x) => (x as Nx.Complex).im),
              )
            : re;
        });
        expect(texts(result.toFlatList())).toEqual(texts(expected));
      }),
      { numRuns: tries(300) },
    );
  });

  it("does not wrap or overflow on the way", () => {
    expect(view(Nx.windowMean(Nx.u8([255, 255, 1]), [2]))).toBe("f32[2] [255,128]");
    expect(view(Nx.windowMean(Nx.f16([60000, 60000]), [2]))).toBe("f16[1] [60000]");
    expect(view(Nx.windowMean(Nx.s64([2n ** 62n, 2n ** 62n, 2n ** 62n]), [3]))).toBe(`f32[1] [${2 ** 62}]`);
    expect(view(Nx.windowMean(Nx.f64([1, NaN, 3, 5]), [2]))).toBe("f64[3] [NaN,NaN,4]");
    expect(view(Nx.windowMean(3, []))).toBe("f32 3");
  });
});

describe("errors", () => {
  const t = Nx.tensor([[1, 2, 3]], { names: ["y", "x"] });
  const ALL = [...OPS, "windowMean"] as const;

  it.each(ALL)("%s names what is wrong", (op) => {
    const call = (window: unknown, options?: unknown) =>
      errorOf(() => Nx[op](t, window as number[], options as Nx.WindowOptions));
    expect(call([2])).toBe(
      `ArgumentError: Nx.${op} expects a window with a size for each axis of shape [y: 1][x: 3], got window [2]; size 1 leaves an axis as it is`,
    );
    expect(call([1, 4])).toBe(
      `ArgumentError: Nx.${op} would give an empty result: axis 1 of shape [y: 1][x: 3] is 3 long with padding, ` +
        `which a window [1][4] that reaches over 4 does not fit into`,
    );
    expect(call([1, 2], { windowDilations: 3 })).toMatch("that reaches over 4 does not fit into");
    expect(call([1, 1], { padding: [[0, 0], [-2, -1]] })).toMatch("axis 1 of shape [y: 1][x: 3] is 0 long"); // prettier-ignore
    expect(call([1, 1], { padding: [[0, 0], [-9, 1]] })).toMatch("is -5 long with padding"); // prettier-ignore
    for (const window of [2, "2", null, undefined, [0, 1], [1, -1], [1.5, 1], [1, NaN], {}, ["y", "x"]]) {
      expect(call(window)).toMatch(/^ArgumentError: /);
    }
    for (const steps of [0, -1, 1.5, "1", null, [1], [1, 2, 3], [1, 0], NaN, {}]) {
      expect(call([1, 1], { strides: steps })).toMatch(
        `option strides of Nx.${op} must be a positive integer or a list of 2, one for each axis, got: `,
      );
      expect(call([1, 1], { windowDilations: steps })).toMatch(`option windowDilations of Nx.${op} must be`);
    }
    for (const padding of [
      "full",
      1,
      null,
      [],
      [[0, 0]],
      [[0, 0], [0]],
      [
        [0, 0],
        [0, 0.5],
      ],
      [[0, 0], 1],
      [
        [0, 0],
        [0, 2 ** 31],
      ],
    ]) {
      // prettier-ignore
      expect(call([1, 1], { padding })).toMatch(
        `option padding of Nx.${op} must be "valid", "same" or a list of 2 pairs [low, high], one for each axis, got: `,
      );
    }
    expect(call([1, 1], { stride: 2 })).toMatch(/^ArgumentError: .*stride/);
    expect(errorOf(() => Nx[op]("no" as never, []))).toMatch(`ArgumentError: Nx.${op} expects`);
  });

  it("refuse an order of complex numbers", () => {
    expect(errorOf(() => Nx.windowMax(Nx.c64([1, 2]), [2]))).toBe(
      "ArgumentError: Nx.windowMax is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first",
    );
    expect(errorOf(() => Nx.windowMin(Nx.c128([1, 2]), [2]))).toBe(
      "ArgumentError: Nx.windowMin is not defined for complex tensors, got type c128; take Nx.abs, Nx.real or Nx.imag first",
    );
  });

  it("refuse more results than a tensor can hold, and say so when memory does not suffice", () => {
    const huge = 2 ** 31 - 1;
    const both = { padding: [[huge, 0], [huge, 0]] as const }; // prettier-ignore
    expect(errorOf(() => Nx.windowSum(t, [1, 1], both))).toMatch(/^ArgumentError: the result of Nx\.windowSum, shape /);
    expect(errorOf(() => Nx.windowSum(t, [1, 1], { ...both, strides: huge }))).toMatch(
      /^BackendError: Nx\.windowSum: out of memory/,
    );
  });
});
