/** Routines of sums of products: bit for bit the primitive of the same backend, whose order of sums depends on sizes and types. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wasmBackend } from "../../../../lib/backends/wasm";
import { routineOf } from "../../../../lib/backends/wasm/routines";
import { DTYPES, isComplex, mergeTypes, type DType } from "../../../../lib/core/types";
import { tries } from "../../../effort";
import * as s from "../../binary/support";
import { expectRoutine, filled, MOODS, template } from "./support";

const REAL = DTYPES.filter((type) => !isComplex(type));
const like = { like: wasmBackend };

interface Case {
  readonly batch: readonly number[];
  readonly m: readonly number[];
  readonly k: readonly number[];
  readonly n: readonly number[];
}

/** Operands of which the axes lie in some order, and the attributes. */
function check(
  types: readonly [DType, DType],
  sizes: Case,
  orders: readonly [number, number],
  seed: number,
  mood: (typeof MOODS)[number],
): void {
  const [x, y] = [
    [sizes.batch, sizes.m, sizes.k],
    [sizes.batch, sizes.k, sizes.n],
  ].map((groups, i) => {
    const axes = groups.flatMap((group, g) => group.map((size, j) => ({ size, g, j })));
    // Groups turn around, and so do their axes: what is contracted or counted through then is not in one piece.
    const order =
      orders[i]! === 0
        ? axes
        : orders[i] === 1
          ? axes.slice().reverse()
          : [...axes.filter(({ g }) => g === 2), ...axes.filter(({ g }) => g !== 2)];
    const place = (g: number): number[] =>
      groups[g]!.map((_, j) => order.findIndex((axis) => axis.g === g && axis.j === j));
    return {
      tensor: filled(
        types[i]!,
        order.map(({ size }) => size),
        seed + i,
        mood,
      ),
      place,
    };
  }) as [Side, Side];
  const free = (side: Side, groups: readonly number[]): number[] => {
    const used = groups.flatMap((g) => side.place(g));
    return side.tensor.shape.filter((_, axis) => !used.includes(axis)) as number[];
  };
  const attrs = { contract: [x.place(2), y.place(1)], batch: [x.place(0), y.place(0)] } as const;
  const shape = [...sizes.batch, ...free(x, [0, 2]), ...free(y, [0, 1])];
  const out = template(mergeTypes(types[0], types[1]), shape);
  expectRoutine("dot", [out], [x.tensor, y.tensor], attrs, like);
}

interface Side {
  readonly tensor: ReturnType<typeof filled>;
  place(group: number): number[];
}

const size = fc.constantFrom(1, 1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17);
const sizes = fc
  .record({
    batch: fc.array(fc.constantFrom(1, 2, 3), { maxLength: 2 }),
    m: fc.array(size, { maxLength: 2 }),
    k: fc.array(size, { minLength: 1, maxLength: 2 }),
    n: fc.array(size, { maxLength: 2 }),
  })
  .filter(({ batch, m, k, n }) => s.sizeOf([...batch, ...m, ...k, ...n]) <= 30_000);
const cases = fc.record({
  sizes,
  orders: fc.tuple(fc.nat(2), fc.nat(2)),
  seed: fc.nat(2 ** 30),
  mood: fc.constantFrom(...MOODS),
});

/** Where the primitive goes another way: few products and many, vectors, more than a stretch of k. */
const SIZES: readonly (readonly number[])[] = [
  [1, 1, 1],
  [4, 4, 4],
  [15, 16, 17],
  [16, 16, 16],
  [33, 20, 19],
  [1, 5000, 1],
  [1, 100, 60],
  [70, 100, 1],
  [3, 600, 5],
  [9, 300, 9],
  [1, 600, 40],
];

describe.each(REAL)("of %s", (type) => {
  it("sizes at which the order of sums changes", () => {
    for (const [m, k, n] of SIZES) {
      for (const orders of [
        [0, 0],
        [1, 0],
        [0, 1],
        [2, 2],
      ] as const) {
        check([type, type], { batch: [], m: [m!], k: [k!], n: [n!] }, orders, m! + n!, "plain");
      }
    }
  });

  it("pairs of axes that are named against their order", () => {
    for (const mood of MOODS) check([type, type], { batch: [], m: [], k: [16, 9], n: [] }, [1, 0], 231196097, mood);
    check([type, type], { batch: [2], m: [9], k: [30, 9], n: [5] }, [1, 0], 1, "plain");
  });

  it("vectors and matrices whose batch lies against its order", () => {
    for (const orders of [
      [1, 0],
      [1, 1],
      [0, 1],
    ] as const) {
      check([type, type], { batch: [3, 2], m: [7], k: [17, 8], n: [] }, orders, 5, "plain");
      check([type, type], { batch: [3, 2], m: [], k: [17, 8], n: [7] }, orders, 5, "plain");
    }
  });

  it("axes in any order", () => {
    fc.assert(
      fc.property(cases, ({ sizes: given, orders, seed, mood }) => check([type, type], given, orders, seed, mood)),
      { numRuns: tries(60) },
    );
  });
});

it("operands of two types", () => {
  const types = fc.tuple(fc.constantFrom(...REAL), fc.constantFrom(...REAL));
  fc.assert(
    fc.property(cases, types, ({ sizes: given, orders, seed, mood }, both) => check(both, given, orders, seed, mood)),
    { numRuns: tries(300) },
  );
});

it("few products of complex numbers", () => {
  const types = fc.constantFrom<readonly [DType, DType]>(["c64", "c64"], ["c128", "c128"], ["c64", "c128"]);
  const few = cases.filter(({ sizes: { batch, m, k, n } }) => s.sizeOf([...batch, ...m, ...k, ...n]) < 1024);
  fc.assert(
    fc.property(few, types, ({ sizes: given, orders, seed, mood }, both) => check(both, given, orders, seed, mood)),
    { numRuns: tries(300) },
  );
});

it("many products of complex numbers, and some of real ones with complex ones, have no routine", () => {
  const [x, real] = [template("c64", [16, 16]), template("f32", [4, 4])];
  const attrs = { contract: [[1], [0]], batch: [[], []] } as const;
  expect(routineOf("dot", [x], [x, x], attrs)).toBeNull();
  expect(
    routineOf("dot", [template("c64", [8, 8])], [template("c64", [8, 16]), template("c64", [16, 8])], attrs),
  ).toBeNull();
  expect(routineOf("dot", [template("c64", [4, 4])], [real, template("c64", [4, 4])], attrs)).toBeNull();
});

it("products that are worth packing have no routine", () => {
  const x = template("f32", [256, 256]);
  const attrs = { contract: [[1], [0]], batch: [[], []] } as const;
  expect(routineOf("dot", [x], [x, x], attrs)).toBeNull();
});

describe("convolutions", () => {
  const axis = fc.record({
    size: fc.integer({ min: 1, max: 9 }),
    taps: fc.integer({ min: 1, max: 3 }),
    low: fc.integer({ min: -1, max: 2 }),
    high: fc.integer({ min: -1, max: 2 }),
    stride: fc.constantFrom(1, 1, 2, 3),
    dilation: fc.constantFrom(1, 1, 2),
    spread: fc.constantFrom(1, 1, 2),
  });
  type Axis = typeof axis extends fc.Arbitrary<infer T> ? T : never;
  const whole = ({ size, low, high, spread }: Axis): number => low + (size - 1) * spread + 1 + high;
  const results = (each: Axis): number =>
    Math.floor((whole(each) - (each.taps - 1) * each.dilation - 1) / each.stride) + 1;
  const convolutions = fc
    .record({
      axes: fc.array(axis, { minLength: 1, maxLength: 2 }),
      batch: fc.integer({ min: 1, max: 3 }),
      channels: fc.constantFrom(1, 2, 3, 8),
      filters: fc.constantFrom(1, 2, 5, 16),
      feature: fc.constantFrom(1, 2),
      batches: fc.constantFrom(1, 2),
      seed: fc.nat(2 ** 30),
      mood: fc.constantFrom(...MOODS),
    })
    .filter(({ feature, batches }) => feature === 1 || batches === 1)
    .filter(({ axes }) => axes.every((each) => whole(each) > 0 && results(each) > 0));

  it.each([
    ["f32", "f32"],
    ["f64", "f64"],
    ["f16", "f16"],
    ["bf16", "f32"],
    ["f32", "f64"],
  ] as const)("of %s by %s", (left, right) => {
    fc.assert(
      fc.property(convolutions, ({ axes, batch, channels, filters, feature, batches, seed, mood }) => {
        const x = filled(left, [batch * batches, channels * feature, ...axes.map(({ size }) => size)], seed, mood);
        const groups = feature * batches;
        const w = filled(right, [filters * groups, channels, ...axes.map(({ taps }) => taps)], seed + 1, mood);
        const out = template(mergeTypes(left, right), [batch, filters * groups, ...axes.map(results)]);
        const attrs = {
          strides: axes.map(({ stride }) => stride),
          padding: axes.map(({ low, high }) => [low, high] as const),
          inputDilation: axes.map(({ spread }) => spread),
          kernelDilation: axes.map(({ dilation }) => dilation),
          featureGroups: feature,
          batchGroups: batches,
        };
        expectRoutine("conv", [out], [x, w], attrs, like);
      }),
      { numRuns: tries(150) },
    );
  });

  it("with more than a stretch of products for each sum", () => {
    const [x, w] = [filled("f32", [2, 40, 9, 9], 1, "plain"), filled("f32", [5, 40, 3, 3], 2, "plain")];
    const attrs = {
      ...{
        strides: [1, 1],
        padding: [[1, 1] as const, [1, 1] as const],
        inputDilation: [1, 1],
        kernelDilation: [1, 1],
      },
      ...{ featureGroups: 1, batchGroups: 1 },
    };
    expectRoutine("conv", [template("f32", [2, 5, 9, 9])], [x, w], attrs, like);
  });
});
