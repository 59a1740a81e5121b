/** Sorting against a comparison sort of positions, one lane at a time. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DTYPES, isComplex, type DType } from "../../../lib/core/types";
import type { Tensor } from "../../../lib/tensor";
import * as s from "./support";

const REAL = DTYPES.filter((type) => !isComplex(type));
const DIRECTIONS = ["asc", "desc"] as const;

type Value = number | bigint;

/** NaN above everything, -0 equal to 0. */
function compare(a: Value, b: Value): number {
  if (a !== a || b !== b) return Number(a !== a) - Number(b !== b);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Flat positions of each lane along an axis. */
function lanes(shape: readonly number[], axis: number): number[][] {
  const heads = s.positions(shape.with(axis, 1));
  return heads.map((head) => Array.from({ length: shape[axis]! }, (_, i) => s.flatten(shape, head.with(axis, i))));
}

function check(x: Tensor, axis: number, direction: (typeof DIRECTIONS)[number]): void {
  const values = s.valuesOf(x) as Value[];
  const bits = s.bitsOf(x);
  const sign = direction === "asc" ? 1 : -1;
  const [expectedBits, expectedOrder]: [string[], bigint[]] = [[], []];
  for (const lane of lanes(x.shape, axis)) {
    const order = lane.map((_, i) => i).sort((i, j) => sign * compare(values[lane[i]!]!, values[lane[j]!]!));
    order.forEach((from, to) => {
      expectedBits[lane[to]!] = bits[lane[from]!]!;
      expectedOrder[lane[to]!] = BigInt(from);
    });
  }
  expect(s.bitsOf(s.run("sort", x.type, x.shape, [x], { axis, direction }))).toEqual(expectedBits);
  expect(s.valuesOf(s.run("argsort", "s64", x.shape, [x], { axis, direction }))).toEqual(expectedOrder);
}

/** Random bits, with values that meet again and again and the special ones among them. */
function crowded(shape: number[], type: DType): fc.Arbitrary<Tensor> {
  const special = [0, -0, 1, -1, Infinity, -Infinity, NaN, 2.5];
  const floats = fc.constantFrom(...special);
  const isFloat = type.startsWith("f") || type === "bf16";
  const value = isFloat ? floats : fc.integer({ min: 0, max: 3 });
  const size = s.sizeOf(shape);
  return fc
    .array(value, { minLength: size, maxLength: size })
    .map((values) => s.fromNumbers(type, shape, values as number[]));
}

describe.each(REAL)("%s", (type) => {
  it("sorts along any axis, stably, either way", () => {
    const cases = s
      .shapes(1)
      .chain((shape) => fc.tuple(fc.oneof(s.randomBits(shape, type), crowded(shape, type)), fc.nat(shape.length - 1)));
    fc.assert(
      fc.property(cases, fc.constantFrom(...DIRECTIONS), ([x, axis], direction) => check(x, axis, direction)),
      { numRuns: 40 },
    );
  });

  it.each([25, 257, 5000])("sorts lanes of %i", (n) => {
    for (const [x] of [fc.sample(s.randomBits([n, 2], type), 1), fc.sample(crowded([n, 2], type), 1)]) {
      for (const direction of DIRECTIONS) check(x!, 0, direction);
    }
  });
});

it("puts NaN last when ascending and first when descending, infinities at the ends of the numbers", () => {
  const x = s.fromNumbers("f32", [7], [3, NaN, Infinity, -Infinity, 0, -0, 1]);
  const sorted = (direction: "asc" | "desc") => s.valuesOf(s.run("sort", "f32", [7], [x], { axis: 0, direction }));
  expect(sorted("asc")).toEqual([-Infinity, 0, -0, 1, 3, Infinity, NaN]);
  expect(sorted("desc")).toEqual([NaN, Infinity, 3, 1, 0, -0, -Infinity]);
});

it("keeps lower indices first among equals", () => {
  const x = s.fromNumbers("s64", [4], [3n, 1n, 3n, 1n]);
  const order = (direction: "asc" | "desc") => s.valuesOf(s.run("argsort", "s64", [4], [x], { axis: 0, direction }));
  expect(order("asc")).toEqual([1n, 3n, 0n, 2n]);
  expect(order("desc")).toEqual([0n, 2n, 1n, 3n]);
});

it("tells 64-bit integers apart that are one double", () => {
  const values = [2n ** 63n - 1n, 2n ** 63n - 2n, -(2n ** 63n), -(2n ** 63n) + 1n, 2n ** 53n + 1n, 2n ** 53n];
  const x = s.fromNumbers("s64", [6], values);
  const expected = values.slice().sort((a, b) => (a < b ? -1 : 1));
  expect(s.valuesOf(s.run("sort", "s64", [6], [x], { axis: 0, direction: "asc" }))).toEqual(expected);
});

it("writes positions in other types too", () => {
  const x = s.fromNumbers("f32", [3], [3, 1, 2]);
  expect(s.valuesOf(s.run("argsort", "u8", [3], [x], { axis: 0, direction: "asc" }))).toEqual([1, 2, 0]);
});
