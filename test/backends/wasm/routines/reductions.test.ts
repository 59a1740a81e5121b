/** Routines that go along lines: bit for bit the primitives of the reference. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { routineOf } from "../../../../lib/backends/wasm/routines";
import { DTYPES, isComplex, toAggregate, type DType } from "../../../../lib/core/types";
import type { ReduceOp } from "../../../../lib/ops";
import { tries } from "../../../effort";
import * as s from "../../binary/support";
import { expectRoutine, filled, MOODS, template } from "./support";

const REAL = DTYPES.filter((type) => !isComplex(type));
const kept = (shape: readonly number[], axes: readonly number[]) => shape.filter((_, axis) => !axes.includes(axis));

/** Axes around the widths of lanes, of what is turned, and of blocks. */
const shapes = fc
  .array(fc.constantFrom(1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 32, 33, 64, 127, 129, 300), { minLength: 1, maxLength: 4 })
  .filter((shape) => s.sizeOf(shape) <= 6000);
const operands = fc.record({ shape: shapes, seed: fc.nat(2 ** 30), mood: fc.constantFrom(...MOODS) });

const check = <T>(arbitrary: fc.Arbitrary<T>, property: (value: T) => void, times: number): void =>
  fc.assert(fc.property(arbitrary, property), { numRuns: tries(times) });

/** Shapes and axes that every way of folding is met by, long lines too. */
const SHAPES: readonly (readonly [number[], number[]])[] = [
  [[], []],
  [[5], []],
  [[1], [0]],
  [[3], [0]],
  [[64], [0]],
  [[1000], [0]],
  [[5000], [0]],
  [[2, 2], [1]],
  [[9, 3], [1]],
  [[1, 31], [1]],
  [[5, 31], [1]],
  [[5, 200], [1]],
  [[130, 3], [0]],
  [[40, 3, 7], [1]],
  [[3, 200, 5], [1]],
  [
    [3, 5, 7],
    [0, 2],
  ],
  [
    [3, 5, 7],
    [0, 1, 2],
  ],
];

const reduced = (op: ReduceOp, type: DType): DType =>
  op === "all" || op === "any" ? "u8" : op === "sum" || op === "product" ? toAggregate(type) : type;

describe.each(DTYPES)("of %s", (type) => {
  const ops = (["sum", "product", "reduceMax", "reduceMin", "all", "any"] as const).filter(
    (op) => !isComplex(type) || op === "sum" || op === "all" || op === "any",
  );

  it("reductions over any axes", () => {
    for (const [shape, axes] of SHAPES) {
      for (const op of ops) {
        const attrs = { op, axes, keepAxes: false };
        for (const mood of ["plain", "special"] as const) {
          const x = filled(type, shape, shape.length, mood);
          expectRoutine("reduceOp", [template(reduced(op, type), kept(shape, axes))], [x], attrs);
        }
      }
    }
    const cases = fc.record({ x: operands, op: fc.constantFrom(...ops), axes: fc.infiniteStream(fc.boolean()) });
    check(
      cases,
      ({ x: { shape, seed, mood }, op, axes }) => {
        const chosen = shape.map((_, i) => i).filter(() => axes.next().value as boolean);
        const over = chosen.length > 0 ? chosen : [0];
        const attrs = { op, axes: over, keepAxes: false };
        expectRoutine(
          "reduceOp",
          [template(reduced(op, type), kept(shape, over))],
          [filled(type, shape, seed, mood)],
          attrs,
        );
      },
      120,
    );
  });
});

describe.each(REAL)("of %s", (type) => {
  it("places of extremes", () => {
    const cases = fc.record({
      x: operands,
      op: fc.constantFrom("argmax" as const, "argmin" as const),
      tieBreak: fc.constantFrom("low" as const, "high" as const),
      at: fc.option(fc.nat(3), { nil: null }),
      out: fc.constantFrom("s64" as const, "s32" as const, "u8" as const),
    });
    check(
      cases,
      ({ x: { shape, seed, mood }, op, tieBreak, at, out }) => {
        const axis = at === null ? null : at % shape.length;
        const to = template(out, axis === null ? [] : kept(shape, [axis]));
        expectRoutine("argReduce", [to], [filled(type, shape, seed, mood)], { op, axis, keepAxis: false, tieBreak });
      },
      200,
    );
  });

  it("running reductions", () => {
    const cases = fc.record({
      x: operands,
      op: fc.constantFrom(
        "cumulativeSum" as const,
        "cumulativeProduct" as const,
        "cumulativeMax" as const,
        "cumulativeMin" as const,
      ),
      at: fc.nat(3),
      reverse: fc.boolean(),
    });
    check(
      cases,
      ({ x: { shape, seed, mood }, op, at, reverse }) => {
        const axis = at % shape.length;
        expectRoutine("cumulative", [template(type, shape)], [filled(type, shape, seed, mood)], { op, axis, reverse });
      },
      200,
    );
  });
});

it.each(["c64", "c128"] as const)("running sums of %s, and no other running reductions", (type) => {
  check(
    fc.record({ x: operands, at: fc.nat(3), reverse: fc.boolean() }),
    ({ x: { shape, seed, mood }, at, reverse }) => {
      const attrs = { op: "cumulativeSum" as const, axis: at % shape.length, reverse };
      expectRoutine("cumulative", [template(type, shape)], [filled(type, shape, seed, mood)], attrs);
    },
    100,
  );
  const [out, attrs] = [template(type, [8]), { op: "cumulativeProduct", axis: 0, reverse: false } as const];
  expect(routineOf("cumulative", [out], [out], attrs)).toBeNull();
});

describe.each(REAL)("sorts of %s", (type) => {
  const lines = fc.record({
    shape: fc.array(fc.constantFrom(1, 2, 3, 4, 5, 8, 9, 16, 31, 32), { minLength: 1, maxLength: 3 }),
    at: fc.nat(2),
    direction: fc.constantFrom("asc" as const, "desc" as const),
    seed: fc.nat(2 ** 30),
    mood: fc.constantFrom(...MOODS),
    out: fc.constantFrom("s64" as const, "u64" as const, "s32" as const, "u32" as const),
  });

  it("short lines, stable, with zeros and NaNs as they are", () => {
    const small = lines.filter(({ shape }) => s.sizeOf(shape) <= 3000);
    check(
      small,
      ({ shape, at, direction, seed, mood, out }) => {
        const attrs = { axis: at % shape.length, direction };
        const x = filled(type, shape, seed, mood);
        expectRoutine("sort", [template(type, shape)], [x], attrs, { exact: true });
        expectRoutine("argsort", [template(out, shape)], [x], attrs);
      },
      100,
    );
  });
});

it("long lines, and positions of types that vector code does not make, have no routine of sorting", () => {
  const attrs = { axis: 0, direction: "asc" } as const;
  const [x, long] = [template("f32", [8]), template("f32", [33])];
  expect(routineOf("sort", [long], [long], attrs)).toBeNull();
  expect(routineOf("sort", [template("c64", [8])], [template("c64", [8])], attrs)).toBeNull();
  expect(routineOf("argsort", [template("u8", [8])], [x], attrs)).toBeNull();
});

describe.each(REAL)("windows of %s", (type) => {
  const axis = fc.record({
    size: fc.integer({ min: 1, max: 9 }),
    window: fc.integer({ min: 1, max: 3 }),
    low: fc.integer({ min: -1, max: 2 }),
    high: fc.integer({ min: -1, max: 2 }),
    stride: fc.constantFrom(1, 1, 2, 3),
    dilation: fc.constantFrom(1, 1, 2),
  });
  const results = ({ size, window, low, high, stride, dilation }: FcValue<typeof axis>): number =>
    Math.floor((size + low + high - (window - 1) * dilation - 1) / stride) + 1;
  const cases = fc
    .record({
      axes: fc.array(axis, { minLength: 1, maxLength: 3 }),
      op: fc.constantFrom("windowSum" as const, "windowProduct" as const, "windowMax" as const, "windowMin" as const),
      seed: fc.nat(2 ** 30),
      mood: fc.constantFrom(...MOODS),
    })
    .filter(({ axes }) => axes.every((each) => results(each) > 0 && each.size + each.low + each.high > 0));

  it("where vector code has kernels", () => {
    let found = 0;
    check(
      cases,
      ({ axes, op, seed, mood }) => {
        const x = filled(
          type,
          axes.map(({ size }) => size),
          seed,
          mood,
        );
        const attrs = {
          op,
          window: axes.map(({ window }) => window),
          padding: axes.map(({ low, high }) => [low, high] as const),
          strides: axes.map(({ stride }) => stride),
          dilations: axes.map(({ dilation }) => dilation),
        };
        const out = template(type, axes.map(results));
        if (!routineOf("windowOp", [out], [x], attrs)) return;
        found++;
        expectRoutine("windowOp", [out], [x], attrs);
      },
      150,
    );
    expect(found).toBeGreaterThan(0);
  });

  it.each([0, 1])("axis by axis, by rows and not, with %i elements around", (around) => {
    for (const shape of [
      [80, 90],
      [2000, 5],
    ]) {
      const attrs = {
        op: "windowMax",
        window: [3, 4],
        padding: shape.map(() => [around, around] as const),
        ...{ strides: [1, 1], dilations: [1, 1] },
      } as const;
      const out = template(type, [shape[0]! - 2 + 2 * around, shape[1]! - 3 + 2 * around]);
      expectRoutine("windowOp", [out], [filled(type, shape, 7, MOODS[0])], attrs);
    }
  });
});

type FcValue<A> = A extends fc.Arbitrary<infer T> ? T : never;

it("products of complex numbers, which have an order of their own, have no routine", () => {
  const x = template("c64", [4]);
  expect(routineOf("reduceOp", [template("c64", [])], [x], { op: "product", axes: [0], keepAxes: false })).toBeNull();
  expect(routineOf("cumulative", [x], [x], { op: "cumulativeProduct", axis: 0, reverse: false })).toBeNull();
});
