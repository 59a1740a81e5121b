/** Sums of products of integers and complex numbers in WebAssembly against the binary backend. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import type { Attrs } from "../../../lib/backend";
import { binaryBackend } from "../../../lib/backends/binary";
import { dotFrom, dotPlan, planFor } from "../../../lib/backends/wasm/contractions/dot";
import { readyWorkers } from "../../../lib/backends/wasm/threads/index";
import { bitsOf, DTYPES, isComplex, isInteger, type ComplexType, type DType } from "../../../lib/core/types";
import type { Tensor } from "../../../lib/tensor";
import { tune } from "../../../lib/backends/tuning";
import { bytesOfView } from "../../../lib/core/bytes";
import * as s from "../binary/support";
import { cases, EPSILON, expectWithin, numbers, resultOf } from "./contraction-support";
import { tries } from "../../effort";
import { arrayOf } from "../../array-of";

/** All sizes in WebAssembly. */
const dot = dotFrom(0, 2 ** 28);
const matrices: Attrs["dot"] = { contract: [[1], [0]], batch: [[], []] };

const INTEGERS = DTYPES.filter(isInteger);
const integer = () => fc.constantFrom(...INTEGERS);
const complex = () => fc.constantFrom<ComplexType>("c64", "c128");
const side = () => fc.integer({ min: 1, max: 70 });
const seeds = fc.integer({ min: 1, max: 1e6 });

/** Random bits, of which the highest are copies of the sign where only so many are wanted. */
function randomIntegers(type: DType, shape: readonly number[], seed: number, bits = bitsOf(type)): Tensor {
  const values = numbers(2 * s.sizeOf(shape), seed);
  const wrap = type.startsWith("u") ? BigInt.asUintN : BigInt.asIntN;
  const word = (x: number): bigint => BigInt(Math.floor((x + 1) * 2 ** 31));
  const integers = Array.from({ length: s.sizeOf(shape) }, (_, i) =>
    wrap(bits, (word(values[2 * i]!) << 32n) | word(values[2 * i + 1]!)),
  );
  return s.fromNumbers(type, shape, bitsOf(type) === 64 ? integers : integers.map(Number));
}

/** Parts between -1 and 1. */
function randomComplex(type: DType, shape: readonly number[], seed: number): Tensor {
  return complexOf(type, shape, numbers(2 * s.sizeOf(shape), seed));
}

function complexOf(type: DType, shape: readonly number[], parts: Float64Array): Tensor {
  return s.fromBytes(type, shape, bytesOfView(type === "c64" ? Float32Array.from(parts) : parts.slice()));
}

/** The same numbers in c128, and tensors of doubles that hold how large each is at most. */
function widened(x: Tensor): { readonly wide: Tensor; readonly sizes: Tensor } {
  const out = { type: "c128", shape: x.shape, names: s.unnamed(x.shape) } as const;
  const data = binaryBackend.asType(out, [x], { overflow: "saturate" }) as { elements: Float64Array };
  const sizes = arrayOf(Float64Array, s.sizeOf(x.shape), (i) => {
    return Math.abs(data.elements[2 * i]!) + Math.abs(data.elements[2 * i + 1]!);
  });
  return { wide: complexOf("c128", x.shape, data.elements), sizes: s.fromNumbers("f64", x.shape, sizes) };
}

/** Parts of the result within the bound of sums of two products for each pair of elements. */
function expectComplex(
  type: ComplexType,
  out: readonly number[],
  inputs: readonly Tensor[],
  attrs: Attrs["dot"],
): void {
  const [x, y] = inputs.map(widened) as [ReturnType<typeof widened>, ReturnType<typeof widened>];
  const values = resultOf(binaryBackend.dot, "c128", out, [x.wide, y.wide], attrs);
  const each = resultOf(binaryBackend.dot, "f64", out, [x.sizes, y.sizes], attrs);
  const magnitudes = arrayOf(Float64Array, 2 * each.length, (i) => each[i >> 1]!);
  const k = attrs.contract[0].reduce((size, axis) => size * inputs[0]!.shape[axis]!, 1);
  const epsilon = type === "c64" ? EPSILON.f32 : EPSILON.f64;
  expectWithin(resultOf(dot, type, out, inputs, attrs), { values, magnitudes }, 2 * k, epsilon);
}

function expectSame(
  type: DType,
  out: readonly number[],
  inputs: readonly Tensor[],
  attrs: Attrs["dot"],
  fn = dot,
): void {
  const expected = resultOf(binaryBackend.dot, type, out, inputs, attrs);
  expect(resultOf(fn, type, out, inputs, attrs)).toEqual(expected);
}

/** Matrices of random sizes, each transposed or not, in batches or not. */
const layouts = () =>
  fc
    .record({
      batch: fc.integer({ min: 0, max: 3 }),
      m: side(),
      k: side(),
      n: side(),
      left: fc.boolean(),
      right: fc.boolean(),
    })
    .map(({ batch, m, k, n, left, right }) => {
      const front = batch > 0 ? [batch] : [];
      const at = front.length;
      return {
        shapes: [
          [...front, ...(left ? [k, m] : [m, k])],
          [...front, ...(right ? [n, k] : [k, n])],
        ] as const,
        out: [...front, m, n],
        attrs: {
          contract: [[left ? at : at + 1], [right ? at + 1 : at]],
          batch: batch > 0 ? [[0], [0]] : [[], []],
        } satisfies Attrs["dot"],
      };
    });

/** Sizes around those of tiles and stretches, and products with vectors. */
const SIZES = [
  [1, 1, 1],
  [3, 5, 7],
  [4, 8, 16],
  [5, 9, 17],
  [33, 257, 19],
  [1, 40, 37],
  [37, 40, 1],
  [1, 300, 1],
  [9, 1, 11],
  [130, 70, 515],
] as const;

describe("products of integers", () => {
  it("over any axes in any order are those of the binary backend", () => {
    fc.assert(
      fc.property(integer(), cases(), seeds, (type, { left, right, out, attrs }, seed) => {
        expectSame(type, out, [randomIntegers(type, left, seed), randomIntegers(type, right, seed + 1)], attrs);
      }),
      { numRuns: tries(200) },
    );
  });

  it("of matrices of random sizes wrap around in the same way", () => {
    fc.assert(
      fc.property(integer(), layouts(), seeds, (type, { shapes, out, attrs }, seed) => {
        const inputs = shapes.map((shape, i) => randomIntegers(type, shape, seed + i));
        expectSame(type, out, inputs, attrs);
      }),
      { numRuns: tries(100) },
    );
  });

  it("of sizes around those of tiles and stretches", () => {
    for (const type of ["s8", "u16", "s32", "u64"] as const) {
      for (const [m, k, n] of SIZES) {
        expectSame(type, [m, n], [randomIntegers(type, [m, k], 1), randomIntegers(type, [k, n], 2)], matrices);
      }
    }
  });

  it("of two types are made in that of the result", () => {
    fc.assert(
      fc.property(integer(), integer(), integer(), layouts(), seeds, (out, left, right, layout, seed) => {
        const inputs = [
          randomIntegers(left, layout.shapes[0], seed),
          randomIntegers(right, layout.shapes[1], seed + 1),
        ];
        expectSame(out, layout.out, inputs, layout.attrs);
      }),
      { numRuns: tries(60) },
    );
  });

  it("of 64 bits are exact whether doubles would hold the sums or not", () => {
    const attempts = [20, 23, 24, 25, 26, 27, 31, 32, 33, 40, 51, 52, 53, 63, 64];
    for (const type of ["s64", "u64"] as const) {
      for (const bits of attempts) {
        const [x, y] = [randomIntegers(type, [21, 8], 3, bits), randomIntegers(type, [8, 18], 4, bits)];
        expectSame(type, [21, 18], [x, y], matrices);
        expectSame(type, [21, 18], [x, randomIntegers(type, [8, 18], 5, 3)], matrices);
      }
    }
  });

  it("of 64 bits are made in doubles just where these are exact", () => {
    const typeFor = (type: DType, x: bigint, y: bigint, k = 1): string | undefined => {
      const [left, right] = [
        s.fromNumbers(type, [2, k], Array(2 * k).fill(x)),
        s.fromNumbers(type, [k, 2], Array(2 * k).fill(y)),
      ];
      const out = { type, shape: [2, 2] };
      const plan = dotPlan(out, left, right, matrices, 0);
      expectSame(type, [2, 2], [left, right], matrices);
      return plan ? planFor(plan, out, [left, right]).type : undefined;
    };
    const [half, more] = [2n ** 25n - 1n, 2n ** 26n - 1n];
    expect(typeFor("u64", more, half)).toBe("f64");
    expect(typeFor("u64", more, more)).toBe("s64");
    expect(typeFor("s64", -more - 1n, half)).toBe("f64");
    expect(typeFor("s64", -more - 2n, half)).toBe("s64");
    expect(typeFor("s64", -(2n ** 51n), -1n)).toBe("f64");
    expect(typeFor("s64", half, half, 2)).toBe("f64");
    expect(typeFor("s64", half, half, 3)).toBe("s64");
    expect(typeFor("u64", 2n ** 64n - 1n, 1n)).toBe("s64");
  });

  it("in halves where little may be staged are the same", () => {
    for (const type of INTEGERS) {
      const [x, y] = [randomIntegers(type, [2, 18, 40], 1), randomIntegers(type, [40, 11, 2], 2)];
      const attrs = { contract: [[2], [0]], batch: [[0], [2]] } as const;
      expectSame(type, [2, 18, 11], [x, y], attrs, dotFrom(0, 16_000));
      expectSame(type, [2, 18, 11], [x, y], attrs, dotFrom(0, 100));
    }
  });
});

describe("products of complex numbers", () => {
  it("over any axes in any order are within the bound", () => {
    fc.assert(
      fc.property(complex(), cases(), seeds, (type, { left, right, out, attrs }, seed) => {
        expectComplex(type, out, [randomComplex(type, left, seed), randomComplex(type, right, seed + 1)], attrs);
      }),
      { numRuns: tries(200) },
    );
  });

  it("of matrices of random sizes, each transposed or not", () => {
    fc.assert(
      fc.property(complex(), layouts(), seeds, (type, { shapes, out, attrs }, seed) => {
        expectComplex(
          type,
          out,
          [randomComplex(type, shapes[0], seed), randomComplex(type, shapes[1], seed + 1)],
          attrs,
        );
      }),
      { numRuns: tries(100) },
    );
  });

  it("of sizes around those of tiles and stretches, and of many at once", () => {
    for (const type of ["c64", "c128"] as const) {
      for (const [m, k, n] of SIZES) {
        expectComplex(type, [m, n], [randomComplex(type, [m, k], 1), randomComplex(type, [k, n], 2)], matrices);
      }
      const batch = { contract: [[2], [1]], batch: [[0], [0]] } as const;
      const inputs = [randomComplex(type, [300, 1, 20], 3), randomComplex(type, [300, 20, 13], 4)];
      expectComplex(type, [300, 1, 13], inputs, batch);
    }
  });

  it("by real ones are those of the numbers as complex ones", () => {
    for (const type of ["c64", "c128"] as const) {
      for (const real of ["f32", "bf16", "s16", "u8"] as const) {
        const values = numbers(12 * 21, 7).map((x) => (isInteger(real) ? Math.trunc(Math.abs(x) * 100) : x));
        const [x, y] = [s.fromNumbers(real, [12, 21], values), randomComplex(type, [21, 9], 8)];
        expectComplex(type, [12, 9], [x, y], matrices);
      }
    }
    const [wide, y] = [randomIntegers("s64", [12, 21], 1), randomComplex("c64", [21, 9], 8)];
    expectSame("c64", [12, 9], [wide, y], matrices);
  });

  it("keep NaN and infinities where they belong", () => {
    for (const type of ["c64", "c128"] as const) {
      const parts = numbers(2 * 13 * 21, 7);
      parts[10] = NaN;
      parts[2 * 21 * 12 + 41] = -Infinity;
      parts[2 * 21 * 3 + 6] = Infinity;
      const other = numbers(2 * 21 * 9, 8);
      other[2 * 20 * 9] = 0;
      const [x, y] = [complexOf(type, [13, 21], parts), complexOf(type, [21, 9], other)];
      expectComplex(type, [13, 9], [x, y], matrices);
      const real = s.fromNumbers("f32", [4, 13], numbers(52, 9));
      expectComplex(type, [4, 21], [real, x], matrices);
    }
  });

  it("leave their operands alone, and go to the binary backend where there is no room", () => {
    for (const type of ["c64", "c128"] as const) {
      const [x, y] = [randomComplex(type, [20, 30], 1), randomComplex(type, [30, 25], 2)];
      const before = [s.bitsOf(x), s.bitsOf(y)];
      resultOf(dot, type, [20, 25], [x, y], matrices);
      expect([s.bitsOf(x), s.bitsOf(y)]).toEqual(before);
      expectSame(type, [20, 25], [x, y], matrices, dotFrom(0, 500));
    }
  });
});

describe("compiled functions", () => {
  const layer = (x: Nx.Tensor, y: Nx.Tensor) => Nx.add(Nx.dot(Nx.transpose(x), y), Nx.dot(x, Nx.transpose(y)));

  it("give what eager calls on the binary backend give", () => {
    for (const type of [...INTEGERS, "c64", "c128"] as const) {
      const make = (seed: number) => {
        const parts = isComplex(type) ? randomComplex(type, [110, 110], seed) : randomIntegers(type, [110, 110], seed);
        return Nx.backendCopy(parts, "wasm");
      };
      const [x, y] = [make(1), make(2)];
      const expected = layer(Nx.backendCopy(x, "binary"), Nx.backendCopy(y, "binary"));
      for (let i = 0; i < 2; i++) {
        const actual = Nx.Defn.jit(layer)(x, y);
        if (isInteger(type)) expect(s.bitsOf(Nx.backendCopy(actual, "binary"))).toEqual(s.bitsOf(expected));
        else expect(Nx.toNumber(Nx.allClose(Nx.backendCopy(actual, "binary"), expected, { atol: 1e-4 }))).toBe(1);
      }
    }
  });
});

describe("threads", () => {
  beforeAll(() => tune({ threads: 2 }));
  afterAll(() => tune({ threads: null }));

  it("leave every bit as it is", async () => {
    const products = () =>
      (["s8", "u32", "s64", "c64", "c128"] as const).map((type) => {
        const make = (shape: readonly number[], seed: number) =>
          isComplex(type) ? randomComplex(type, shape, seed) : randomIntegers(type, shape, seed);
        return resultOf(dot, type, [2, 150, 190], [make([2, 150, 170], 1), make([2, 170, 190], 2)], {
          contract: [[2], [1]],
          batch: [[0], [0]],
        });
      });
    products();
    await expect.poll(readyWorkers, { timeout: 10_000 }).toBe(1);
    const divided = products();
    tune({ threads: 1 });
    expect(divided).toEqual(products());
  });
});
