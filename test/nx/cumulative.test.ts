import fc from "fast-check";
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import * as s from "../backends/binary/support";
import { expectGradients, numbers, randoms } from "../defn/grad/check";
import { errorOf, view } from "./aggregates/view";
import {
  axisOf,
  elements,
  integerElement,
  isComplex,
  isInteger,
  namedTensors,
  rounded,
  wrapped,
  type Element,
} from "./indexed/naive";
import { tries } from "../effort";

const OPS = ["cumulativeSum", "cumulativeProduct", "cumulativeMax", "cumulativeMin"] as const;
type Op = (typeof OPS)[number];

const INTEGERS: { readonly [K in Op]: (a: bigint, b: bigint) => bigint } = {
  cumulativeSum: (a, b) => a + b,
  cumulativeProduct: (a, b) => a * b,
  cumulativeMax: (a, b) => (a > b ? a : b),
  cumulativeMin: (a, b) => (a < b ? a : b),
};

const FLOATS: { readonly [K in Op]: (a: number, b: number) => number } = {
  cumulativeSum: (a, b) => a + b,
  cumulativeProduct: (a, b) => a * b,
  cumulativeMax: (a, b) => Math.max(a, b),
  cumulativeMin: (a, b) => Math.min(a, b),
};

/** Sums of floats narrower than f64: four elements by themselves, then added to what is before them. */
function byFours(line: readonly number[]): number {
  let sum = -0;
  for (let i = 0; i < line.length; i += 4) {
    const [a, b = -0, c = -0, d = -0] = line.slice(i, i + 4);
    sum += a! + b + (c + d);
  }
  return sum;
}

/** All elements of a list combined. */
function combined(op: Op, type: Nx.DType, [first, ...rest]: readonly Element[]): Element {
  if (isInteger(type)) {
    const combine = (a: bigint, b: Element) => wrapped(type, INTEGERS[op](a, BigInt(b as bigint)));
    return integerElement(type, rest.reduce(combine, BigInt(first as bigint)));
  }
  const isNarrow = !isComplex(type) && type !== "f64";
  if (op === "cumulativeSum" && isNarrow) return rounded(type, byFours([first, ...rest] as number[]));
  if (!isComplex(type)) return rounded(type, (rest as number[]).reduce(FLOATS[op], first as number));
  const [re, im] = (rest as [number, number][]).reduce(
    ([a, b], [c, d]) => (op === "cumulativeSum" ? [a + c, b + d] : [a * c - b * d, a * d + b * c]),
    first as [number, number],
  );
  return [rounded(type, re), rounded(type, im)];
}

function naive(op: Op, t: Nx.Tensor, axis: number, reverse: boolean): Element[] {
  const from = elements(t);
  return s.positions(t.shape).map((position) => {
    const at = reverse ? t.shape[axis]! - 1 - position[axis]! : position[axis]!;
    const line = Array.from({ length: at + 1 }, (_, i) => {
      const index = reverse ? t.shape[axis]! - 1 - i : i;
      return from[s.flatten(t.shape, position.with(axis, index))]!;
    });
    return combined(op, t.type, line);
  });
}

const square = () =>
  Nx.tensor([
    [2, 3, 1],
    [1, 3, 2],
    [2, 1, 3],
  ]);
const counted = () => Nx.iota([3, 3]);

describe("running reductions", () => {
  const cases = fc.tuple(namedTensors(), fc.constantFrom(...OPS), fc.nat(3), fc.nat(2), fc.boolean());

  it("are what a loop over each line gives, for every type, along any axis, either way", () => {
    fc.assert(
      fc.property(cases, ([t, op, seed, kind, reverse]) => {
        const { axis, form } = axisOf(t, seed, kind);
        fc.pre(!isComplex(t.type) || op === "cumulativeSum");
        const result = Nx[op](t, { axis: form, reverse });
        expect([result.type, result.shape, result.names]).toEqual([t.type, t.shape, t.names]);
        expect(elements(result)).toEqual(naive(op, t, axis, reverse));
      }),
      { numRuns: tries(400) },
    );
  });

  it("multiply complex numbers of any size of axis", () => {
    const parts = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 24, maxLength: 24 });
    const shapes = fc.constantFrom([12], [3, 4], [2, 3, 2]);
    fc.assert(
      fc.property(
        parts,
        shapes,
        fc.constantFrom("c64", "c128"),
        fc.nat(2),
        fc.boolean(),
        (list, shape, type, seed, reverse) => {
          const t = Nx.complex(Nx.f64(list.slice(12)), Nx.f64(list.slice(0, 12)))
            .reshape(shape)
            .asType(type);
          const axis = seed % shape.length;
          const result = Nx.cumulativeProduct(t, { axis, reverse });
          // Zeros may differ in sign: the order of the sum in the imaginary part is not part of the contract.
          expect(
            Nx.equal(result, pairs(naive("cumulativeProduct", t, axis, reverse), shape))
              .all()
              .toNumber(),
          ).toBe(1);
          expect(result.type).toBe(type);
        },
      ),
    );
  });

  it("run along the first axis forwards by default", () => {
    for (const op of OPS) {
      const t = Nx.f32([
        [1.5, -2],
        [4, 8],
      ]);
      expect(Nx[op](t).equals(Nx[op](t, { axis: 0, reverse: false })), op).toBe(true);
      expect(Nx[op](t).equals(Nx[op](t, { axis: 1 })), op).toBe(false);
    }
  });

  it("reversed are the same on the reversed axis", () => {
    const flip = (t: Nx.Tensor) => Nx.take(t, Nx.subtract(t.shape[1]! - 1, Nx.iota([t.shape[1]!])), { axis: 1 });
    const t = Nx.f64([
      [1, -5, 3, 0.5],
      [NaN, 2, 9, -1],
    ]);
    for (const op of OPS) {
      const other = flip(Nx[op](flip(t), { axis: 1 }));
      expect(view(Nx[op](t, { axis: 1, reverse: true }))).toBe(view(other));
    }
  });

  it("leave axes of one element and single elements as they are", () => {
    for (const op of OPS) {
      expect(view(Nx[op](Nx.tensor([7])))).toBe("s64[1] [7]");
      expect(view(Nx[op](Nx.f32([[-0, NaN, 3]])))).toBe("f32[1][3] [[-0,NaN,3]]");
    }
  });

  it("take plain numbers for nothing that has an axis", () => {
    for (const op of OPS) {
      expect(errorOf(() => Nx[op](5))).toBe(
        `ArgumentError: Nx.${op}: given axis (0) invalid for shape [] with rank 0; a scalar has no axes`,
      );
    }
  });

  it("take long axes in one pass", () => {
    const n = 500_000;
    const sums = Nx.cumulativeSum(Nx.iota([n]));
    expect(sums.at(-1).toNumber()).toBe((n * (n - 1)) / 2);
    expect(sums.at(1000).toNumber()).toBe(500_500);
    const columns = Nx.cumulativeMax(Nx.iota([n / 2, 2]), { reverse: true });
    expect(columns.at(0).toList()).toEqual([n - 2, n - 1]);
  });

  it("are the same traced, and for every element of a vectorized axis", () => {
    const t = Nx.f32([
      [1.5, -2, 3],
      [4, 8, -0.5],
    ]);
    for (const op of OPS) {
      const fn = (x: Nx.Tensor) => Nx[op](x, { axis: -1, reverse: true });
      const expected = view(fn(t));
      expect(view(Nx.defn(fn)(t))).toBe(expected);
      expect(view(Nx.Defn.vmap((row: Nx.Tensor) => Nx[op](row, { reverse: true }))(t) as Nx.Tensor)).toBe(expected);
    }
  });
});

/** The elements of a complex result as a c128 tensor. */
function pairs(list: readonly Element[], shape: readonly number[]): Nx.Tensor {
  const parts = list as readonly [number, number][];
  return Nx.complex(Nx.f64(parts.map(([re]) => re)), Nx.f64(parts.map(([, im]) => im))).reshape(shape);
}

describe("cumulativeSum", () => {
  it("runs along either axis, either way", () => {
    expect(view(Nx.cumulativeSum(Nx.tensor([1, 2, 3, 4])))).toBe("s64[4] [1,3,6,10]");
    expect(view(Nx.cumulativeSum(counted(), { axis: 0 }))).toBe("s64[3][3] [[0,1,2],[3,5,7],[9,12,15]]");
    expect(view(Nx.cumulativeSum(counted(), { axis: 1 }))).toBe("s64[3][3] [[0,1,3],[3,7,12],[6,13,21]]");
    const back = { reverse: true };
    expect(view(Nx.cumulativeSum(counted(), { axis: 0, ...back }))).toBe("s64[3][3] [[9,12,15],[9,11,13],[6,7,8]]");
    expect(view(Nx.cumulativeSum(counted(), { axis: 1, ...back }))).toBe("s64[3][3] [[3,3,2],[12,9,5],[21,15,8]]");
  });

  it("agrees with numpy.cumsum", () => {
    expect(Nx.cumulativeSum(Nx.f64(new Array<number>(10).fill(0.1))).toList()).toEqual([
      0.1, 0.2, 0.30000000000000004, 0.4, 0.5, 0.6, 0.7, 0.7999999999999999, 0.8999999999999999, 0.9999999999999999,
    ]);
    expect(view(Nx.cumulativeSum(Nx.u64([2n ** 63n, 2n ** 63n - 1n, 5n])))).toBe(
      "u64[3] [9223372036854775808,18446744073709551615,4]",
    );
  });

  it("wraps integers in their own type", () => {
    expect(view(Nx.cumulativeSum(Nx.u8([200, 50, 10])))).toBe("u8[3] [200,250,4]");
    expect(view(Nx.cumulativeSum(Nx.s8([100, 100, -100])))).toBe("s8[3] [100,-56,100]");
    expect(view(Nx.cumulativeSum(Nx.s64([2n ** 63n - 1n, 1n, -1n])))).toBe(
      "s64[3] [9223372036854775807,-9223372036854775808,9223372036854775807]",
    );
    expect(view(Nx.cumulativeSum(Nx.u32([2 ** 32 - 1, 2, 3])))).toBe("u32[3] [4294967295,1,4]");
  });

  it("rounds floats once for each result", () => {
    expect(view(Nx.cumulativeSum(Nx.f32([2 ** 24, 1, 1])))).toBe("f32[3] [16777216,16777216,16777218]");
    expect(view(Nx.cumulativeSum(Nx.f16([2048, 1, 1])))).toBe("f16[3] [2048,2048,2050]");
    expect(view(Nx.cumulativeSum(Nx.bf16([256, 1, 1])))).toBe("bf16[3] [256,256,258]");
    expect(view(Nx.cumulativeSum(Nx.f16([60000, 60000, -60000])))).toBe("f16[3] [60000,Infinity,60000]");
  });

  it("passes NaN and infinities on in their line only", () => {
    const t = Nx.f32([
      [1, Infinity, 1],
      [NaN, -Infinity, 1],
    ]);
    expect(view(Nx.cumulativeSum(t))).toBe("f32[2][3] [[1,Infinity,1],[NaN,NaN,2]]");
    expect(view(Nx.cumulativeSum(t, { axis: 1 }))).toBe("f32[2][3] [[1,Infinity,Infinity],[NaN,NaN,NaN]]");
  });

  it("adds complex numbers", () => {
    const t = Nx.c64([new Nx.Complex(1, 2), new Nx.Complex(3, -1), new Nx.Complex(0, -2)]);
    expect(view(Nx.cumulativeSum(t))).toBe("c64[3] [1:2,4:1,4:-1]");
  });
});

describe("cumulativeProduct", () => {
  it("runs along either axis, either way", () => {
    expect(view(Nx.cumulativeProduct(Nx.tensor([1, 2, 3, 4])))).toBe("s64[4] [1,2,6,24]");
    expect(view(Nx.cumulativeProduct(counted(), { axis: 0 }))).toBe("s64[3][3] [[0,1,2],[0,4,10],[0,28,80]]");
    expect(view(Nx.cumulativeProduct(counted(), { axis: 1 }))).toBe("s64[3][3] [[0,0,0],[3,12,60],[6,42,336]]");
    const back = { reverse: true };
    expect(view(Nx.cumulativeProduct(counted(), { axis: 0, ...back }))).toBe(
      "s64[3][3] [[0,28,80],[18,28,40],[6,7,8]]",
    );
    expect(view(Nx.cumulativeProduct(counted(), { axis: 1, ...back }))).toBe(
      "s64[3][3] [[0,2,2],[60,20,5],[336,56,8]]",
    );
  });

  it("agrees with numpy.cumprod", () => {
    expect(view(Nx.cumulativeProduct(Nx.s64([2n ** 40n, 3n ** 15n, -7n, 5n ** 9n])))).toBe(
      "s64[4] [1099511627776,-2669953981333110784,242933795622223872,-7081489301086666752]",
    );
    const t = Nx.c128([new Nx.Complex(1, 2), new Nx.Complex(3, -1), new Nx.Complex(0, -2)]);
    expect(view(Nx.cumulativeProduct(t))).toBe("c128[3] [1:2,5:5,10:-10]");
  });

  it("wraps integers in their own type", () => {
    expect(view(Nx.cumulativeProduct(Nx.u8([16, 16, 3])))).toBe("u8[3] [16,0,0]");
    expect(view(Nx.cumulativeProduct(Nx.s16([200, 200, -1])))).toBe("s16[3] [200,-25536,25536]");
    expect(view(Nx.cumulativeProduct(Nx.u32([2 ** 31, 3, 3])))).toBe("u32[3] [2147483648,2147483648,2147483648]");
    expect(view(Nx.cumulativeProduct(Nx.u64([2n ** 64n - 1n, 3n])))).toBe(
      `u64[2] [${2n ** 64n - 1n},${2n ** 64n - 3n}]`,
    );
  });

  it("rounds floats once for each result", () => {
    expect(view(Nx.cumulativeProduct(Nx.f16([60000, 2, 0.5])))).toBe("f16[3] [60000,Infinity,60000]");
    expect(view(Nx.cumulativeProduct(Nx.f32([0, Infinity, 1])))).toBe("f32[3] [0,NaN,NaN]");
    expect(view(Nx.cumulativeProduct(Nx.f32([-1, 0, -1])))).toBe("f32[3] [-1,-0,0]");
  });

  it("keeps infinite complex products infinite, as multiply does", () => {
    const [a, b] = [new Nx.Complex(Infinity, NaN), new Nx.Complex(1, 1)];
    for (const make of [Nx.c64, Nx.c128]) {
      const expected = view(Nx.multiply(make([a]), make([b])));
      expect(expected).toContain("Infinity:Infinity");
      expect(view(Nx.cumulativeProduct(make([a, b])).at(Nx.range(1)))).toBe(expected);
      expect(view(Nx.cumulativeProduct(make([[a], [b]]), { axis: 0 }).at(1))).toBe(expected);
    }
  });
});

describe("cumulativeMax", () => {
  it("runs along either axis, either way", () => {
    expect(view(Nx.cumulativeMax(Nx.tensor([3, 4, 2, 1])))).toBe("s64[4] [3,4,4,4]");
    expect(view(Nx.cumulativeMax(square(), { axis: 0 }))).toBe("s64[3][3] [[2,3,1],[2,3,2],[2,3,3]]");
    expect(view(Nx.cumulativeMax(square(), { axis: 1 }))).toBe("s64[3][3] [[2,3,3],[1,3,3],[2,2,3]]");
    const back = { reverse: true };
    expect(view(Nx.cumulativeMax(square(), { axis: 0, ...back }))).toBe("s64[3][3] [[2,3,3],[2,3,3],[2,1,3]]");
    expect(view(Nx.cumulativeMax(square(), { axis: 1, ...back }))).toBe("s64[3][3] [[3,3,1],[3,3,2],[3,3,3]]");
  });

  it("is NaN from the first NaN on, as numpy.maximum.accumulate", () => {
    const t = Nx.f64([
      [3, NaN, -Infinity],
      [2, 7, NaN],
      [9, 8, 1],
    ]);
    expect(view(Nx.cumulativeMax(t))).toBe("f64[3][3] [[3,NaN,-Infinity],[3,NaN,NaN],[9,NaN,NaN]]");
    expect(view(Nx.cumulativeMax(Nx.f16([1, NaN, 2]), { reverse: true }))).toBe("f16[3] [NaN,NaN,2]");
  });

  it("orders 64-bit integers by all of their bits, and 0 after -0", () => {
    expect(view(Nx.cumulativeMax(Nx.s64([2n ** 53n, 2n ** 53n + 1n, -1n])))).toBe(
      "s64[3] [9007199254740992,9007199254740993,9007199254740993]",
    );
    expect(view(Nx.cumulativeMax(Nx.u64([1n, 2n ** 63n, 5n])))).toBe(`u64[3] [1,${2n ** 63n},${2n ** 63n}]`);
    expect(view(Nx.cumulativeMax(Nx.f32([-0, 0, -0])))).toBe("f32[3] [-0,0,0]");
  });
});

describe("cumulativeMin", () => {
  it("runs along either axis, either way", () => {
    expect(view(Nx.cumulativeMin(Nx.tensor([3, 4, 2, 1])))).toBe("s64[4] [3,3,2,1]");
    expect(view(Nx.cumulativeMin(square(), { axis: 0 }))).toBe("s64[3][3] [[2,3,1],[1,3,1],[1,1,1]]");
    expect(view(Nx.cumulativeMin(square(), { axis: 1 }))).toBe("s64[3][3] [[2,2,1],[1,1,1],[2,1,1]]");
    const back = { reverse: true };
    expect(view(Nx.cumulativeMin(square(), { axis: 0, ...back }))).toBe("s64[3][3] [[1,1,1],[1,1,2],[2,1,3]]");
    expect(view(Nx.cumulativeMin(square(), { axis: 1, ...back }))).toBe("s64[3][3] [[1,1,1],[1,2,2],[1,1,3]]");
  });

  it("is NaN from the first NaN on, as numpy.minimum.accumulate", () => {
    const t = Nx.f64([
      [3, NaN, -Infinity],
      [2, 7, NaN],
      [9, 8, 1],
    ]);
    expect(view(Nx.cumulativeMin(t, { axis: 1 }))).toBe("f64[3][3] [[3,NaN,NaN],[2,2,NaN],[9,8,1]]");
  });

  it("orders 64-bit integers by all of their bits, and -0 before 0", () => {
    const low = -(2n ** 63n);
    expect(view(Nx.cumulativeMin(Nx.s64([0n, low + 1n, low])))).toBe(`s64[3] [0,${low + 1n},${low}]`);
    expect(view(Nx.cumulativeMin(Nx.u64([2n ** 64n - 1n, 2n ** 63n, 2n ** 63n + 1n])))).toBe(
      `u64[3] [${2n ** 64n - 1n},${2n ** 63n},${2n ** 63n}]`,
    );
    expect(view(Nx.cumulativeMin(Nx.f32([0, -0, 0])))).toBe("f32[3] [0,-0,-0]");
  });
});

describe("what running reductions refuse", () => {
  it("is said with what was expected", () => {
    const t = Nx.iota([2, 3], { names: ["x", "y"] });
    for (const op of OPS) {
      const call = (options: unknown) => errorOf(() => Nx[op](t, options as object));
      expect(call({ axis: 2 })).toBe(
        `ArgumentError: Nx.${op}: given axis (2) invalid for shape [x: 2][y: 3] with rank 2; expected -2 to 1`,
      );
      expect(call({ axis: -3 })).toContain("given axis (-3) invalid for shape [x: 2][y: 3]");
      expect(call({ axis: "z" })).toContain('no axis named "z" in shape [x: 2][y: 3]: the axes are "x", "y"');
      expect(call({ axis: 0.5 })).toBe(`ArgumentError: Nx.${op}: axis must be an integer or an axis name, got: 0.5`);
      expect(call({ reverse: 1 })).toBe(`ArgumentError: option reverse of Nx.${op} must be true or false, got: 1`);
      expect(call({ axs: [0] })).toBe(
        `ArgumentError: unknown option "axs" for Nx.${op}; did you mean "axis"? Expected one of: axis, reverse, nan`,
      );
      expect(call(true)).toContain(`Nx.${op} expects its options as an object`);
      expect(errorOf(() => Nx[op]("no" as unknown as Nx.Tensor))).toContain(`Nx.${op} expects a tensor or a number`);
    }
  });

  it("is complex numbers, where order matters", () => {
    for (const op of ["cumulativeMax", "cumulativeMin"] as const) {
      expect(errorOf(() => Nx[op](Nx.c128([1])))).toContain(`${op} is not defined for complex tensors, got type c128`);
    }
  });
});

describe("gradients of running reductions", () => {
  it.each(OPS)("of %s are those of differences", (op) => {
    for (const reverse of [false, true]) {
      expectGradients((t) => Nx[op](t!, { reverse }), randoms([7]));
      expectGradients((t) => Nx[op](t!, { axis: 1, reverse }), randoms([2, 5, 3]));
      expectGradients((t) => Nx[op](t!, { axis: -1, reverse }), randoms([3, 1]));
    }
  });

  it("of products are right at zeros", () => {
    for (const reverse of [false, true]) {
      const list = numbers(6);
      list[1] = list[4] = 0;
      expectGradients((t) => Nx.cumulativeProduct(t!, { reverse }), Nx.f64(list));
    }
  });
});
