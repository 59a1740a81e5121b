/** Reductions against references on plain lists: bigints for integers, the documented order of additions for floats. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { multiply } from "../../../lib/core/complex-math";
import { DTYPES, isComplex, isInteger, isUnsigned, is64Bit, toAggregate, type DType } from "../../../lib/core/types";
import type { ReduceOp } from "../../../lib/ops";
import type { Tensor } from "../../../lib/tensor";
import * as s from "./support";
import { sampled, tries } from "../../effort";

const REAL = DTYPES.filter((type) => !isComplex(type));
const INTEGERS = DTYPES.filter(isInteger);
const FLOATS = REAL.filter((type) => !isInteger(type));

/** Shape of the result without the reduced axes. */
const kept = (shape: readonly number[], axes: readonly number[]) => shape.filter((_, axis) => !axes.includes(axis));

function reduce(op: ReduceOp, type: DType, x: Tensor, axes: readonly number[]): Tensor {
  return s.run("reduceOp", type, kept(x.shape, axes), [x], { op, axes, keepAxes: false });
}

/** The elements that go into each result, in row-major order. */
function members<T>(values: readonly T[], shape: readonly number[], axes: readonly number[]): T[][] {
  const lists = Array.from({ length: s.sizeOf(kept(shape, axes)) }, (): T[] => []);
  s.positions(shape).forEach((position, i) => {
    const key = position.filter((_, axis) => !axes.includes(axis));
    lists[s.flatten(kept(shape, axes), key)]!.push(values[i]!);
  });
  return lists;
}

/** Folds neighbouring axes at a time, the last ones first, as the order of additions is documented. */
function staged<T>(values: T[], shape: number[], axes: number[], fold: (list: T[]) => T): T[] {
  if (axes.length === 0) return values;
  const group = [Math.max(...axes)];
  while (axes.includes(group[0]! - 1)) group.unshift(group[0]! - 1);
  const partial = members(values, shape, group).map(fold);
  const rest = axes.filter((axis) => !group.includes(axis));
  return staged(partial, kept(shape, group), rest, fold);
}

type Join = (a: number, b: number) => number;

/** One block: eight accumulators in turn, joined as a tree. */
function foldBlock(list: number[], identity: number, op: Join): number {
  const lanes = Array.from({ length: 8 }, () => identity);
  list.forEach((value, i) => (lanes[i % 8] = op(lanes[i % 8]!, value)));
  const four = [0, 1, 2, 3].map((i) => op(lanes[i]!, lanes[i + 4]!)) as [number, number, number, number];
  return op(op(four[0], four[2]), op(four[1], four[3]));
}

/** Blocks of 128 in pairs. */
function foldFloats(list: number[], identity: number, op: Join): number {
  const stack: { blocks: number; value: number }[] = [];
  const join = () => {
    const [left, right] = stack.splice(-2) as [(typeof stack)[0], (typeof stack)[0]];
    stack.push({ blocks: left.blocks + right.blocks, value: op(left.value, right.value) });
  };
  for (let i = 0; i < list.length; i += 128) {
    stack.push({ blocks: 1, value: foldBlock(list.slice(i, i + 128), identity, op) });
    while (stack.length > 1 && stack.at(-1)!.blocks === stack.at(-2)!.blocks) join();
  }
  while (stack.length > 1) join();
  return stack[0]!.value;
}

/** A tensor of the type with any set of axes. */
const withAxes = (
  shape: fc.Arbitrary<number[]>,
  type: DType,
  make: (shape: number[], type: DType) => fc.Arbitrary<Tensor>,
) => shape.chain((dims) => fc.tuple(make(dims, type), fc.subarray(dims.map((_, axis) => axis))));

/** Numbers of many sizes. */
function spread(shape: number[], type: DType): fc.Arbitrary<Tensor> {
  return fc.nat(2 ** 31).map((seed) => {
    let state = seed;
    const next = () => (state = (Math.imul(state, 1664525) + 1013904223) | 0) / 2 ** 31;
    const values = Array.from({ length: s.sizeOf(shape) }, () => next() * 2 ** Math.round(next() * 3));
    return s.fromNumbers(type, shape, values);
  });
}

/** Sizes around the ends of blocks and tiles, with the reduced axis first, last or in the middle. */
const LONG: [number[], number[]][] = [
  [[1031], [0]],
  [[1031, 3], [0]],
  [[3, 1031], [1]],
  [[2, 300, 5], [1]],
  [[129, 300], [0]],
  [
    [137, 2, 33],
    [0, 2],
  ],
  [
    [5000, 2],
    [0, 1],
  ],
  [[2, 128, 700], [1]],
];

describe.each(FLOATS)("sum and product of %s", (type) => {
  const check = (x: Tensor, axes: number[]) => {
    const values = s.valuesOf(x) as number[];
    const list = (identity: number, op: Join) =>
      staged(values, [...x.shape], axes, (items: number[]) => foldFloats(items, identity, op));
    const stored = (numbers: number[]) => s.bitsOf(s.fromNumbers(type, kept(x.shape, axes), numbers));
    expect(s.bitsOf(reduce("sum", type, x, axes))).toEqual(stored(list(0, (a, b) => a + b)));
    expect(s.bitsOf(reduce("product", type, x, axes))).toEqual(stored(list(1, (a, b) => a * b)));
  };

  it("folds in the documented order and rounds once", () => {
    fc.assert(
      fc.property(withAxes(s.shapes(), type, spread), ([x, axes]) => check(x, axes)),
      { numRuns: 40 },
    );
  });

  it.each(sampled(LONG, 3, type))("of shape %j over %j", (shape, axes) =>
    check(fc.sample(spread(shape, type), 1)[0]!, axes),
  );
});

describe.each(INTEGERS)("sum and product of %s", (type) => {
  const out = toAggregate(type);
  const wrap = (value: bigint) => (isUnsigned(type) ? BigInt.asUintN(64, value) : BigInt.asIntN(64, value));
  const check = (x: Tensor, axes: number[]) => {
    const lists = members((s.valuesOf(x) as (number | bigint)[]).map(BigInt), x.shape, axes);
    expect(s.valuesOf(reduce("sum", out, x, axes))).toEqual(lists.map((list) => wrap(list.reduce((a, b) => a + b))));
    expect(s.valuesOf(reduce("product", out, x, axes))).toEqual(
      lists.map((list) => list.reduce((a, b) => wrap(a * b), 1n)),
    );
  };

  it("is exact modulo 2^64", () => {
    fc.assert(
      fc.property(withAxes(s.shapes(), type, s.randomBits), ([x, axes]) => check(x, axes)),
      { numRuns: 30 },
    );
  });

  it.each(sampled(LONG, 3, type))("of shape %j over %j", (shape, axes) =>
    check(fc.sample(s.randomBits(shape, type), 1)[0]!, axes),
  );
});

it("integers beyond what doubles add exactly", () => {
  const n = 2 ** 21 + 5;
  const x = s.fromBytes("u32", [n], new Uint8Array(4 * n).fill(255));
  expect(s.valuesOf(reduce("sum", "u64", x, [0]))).toEqual([BigInt(n) * (2n ** 32n - 1n)]);
});

describe.each(REAL)("reduceMax, reduceMin, all and any of %s", (type) => {
  type Value = number | bigint;
  /** NaN above all; -0 below 0. */
  const below = (a: Value, b: Value) => a < b || (a === b && Object.is(a, -0));
  const least = (a: Value, b: Value) => (a !== a || b !== b ? NaN : below(a, b) ? a : b);
  const most = (a: Value, b: Value) => (a !== a || b !== b ? NaN : below(a, b) ? b : a);
  const check = (x: Tensor, axes: number[]) => {
    const lists = members(s.valuesOf(x) as Value[], x.shape, axes);
    const pick = (op: (a: Value, b: Value) => Value) => lists.map((list) => list.reduce((a, b) => op(a, b)));
    expect(s.valuesOf(reduce("reduceMax", type, x, axes))).toEqual(pick(most));
    expect(s.valuesOf(reduce("reduceMin", type, x, axes))).toEqual(pick(least));
    const truth = lists.map((list) => list.map((value) => Number(value) !== 0));
    expect(s.valuesOf(reduce("all", "u8", x, axes))).toEqual(truth.map((list) => Number(list.every(Boolean))));
    expect(s.valuesOf(reduce("any", "u8", x, axes))).toEqual(truth.map((list) => Number(list.some(Boolean))));
  };
  const specials = (shape: number[], of: DType) => {
    const values = isInteger(of) ? [0, 0, 1, 2] : [0, -0, -0, NaN, Infinity, -Infinity, 1, -1];
    const size = s.sizeOf(shape);
    const numbers = fc.array(fc.constantFrom(...values), { minLength: size, maxLength: size });
    return numbers.map((list) => s.fromNumbers(of, shape, list));
  };

  it("agree with one comparison after the other", () => {
    const make = (shape: number[], of: DType) => fc.oneof(s.randomBits(shape, of), specials(shape, of));
    fc.assert(
      fc.property(withAxes(s.shapes(), type, make), ([x, axes]) => check(x, axes)),
      { numRuns: 40 },
    );
  });

  it.each(sampled(LONG, 3, type))("of shape %j over %j", (shape, axes) =>
    check(fc.sample(s.randomBits(shape, type), 1)[0]!, axes),
  );
});

describe.each(["c64", "c128"] as const)("%s", (type) => {
  const complex = (shape: number[], of: DType) =>
    spread([...shape, 2], of === "c64" ? "f32" : "f64").map((parts) =>
      s.fromBytes(of, shape, parts.backend.download!(parts)),
    );
  const stored = (shape: readonly number[], pairs: number[][]) => {
    const parts = s.fromNumbers(type === "c64" ? "f32" : "f64", [...shape, 2], pairs.flat());
    return s.valuesOf(s.fromBytes(type, shape, parts.backend.download!(parts)));
  };

  it("sums parts in the order of floats", () => {
    fc.assert(
      fc.property(withAxes(s.shapes(), type, complex), ([x, axes]) => {
        const parts = [0, 1].map((k) => (s.valuesOf(x) as number[][]).map((pair) => pair[k]!));
        const [re, im] = parts.map((list) =>
          staged(list, [...x.shape], axes, (items) => foldFloats(items, 0, (a, b) => a + b)),
        );
        const shape = kept(x.shape, axes);
        const expected = re!.map((part, i) => [part, im![i]!]);
        expect(s.valuesOf(reduce("sum", type, x, axes))).toEqual(axes.length ? stored(shape, expected) : s.valuesOf(x));
      }),
    );
  });

  it("multiplies one by one", () => {
    const x = fc.sample(complex([3, 20], type), 1)[0]!;
    const result = new Float64Array(2);
    const expected = members(s.valuesOf(x) as number[][], [3, 20], [1]).map((list) =>
      list.reduce((a, b) => {
        multiply(a[0]!, a[1]!, b[0]!, b[1]!, result, 0);
        return [...result];
      }),
    );
    expect(s.valuesOf(reduce("product", type, x, [1]))).toEqual(stored([3], expected));
  });

  it("counts a zero in both parts as false", () => {
    const zeros = [0, 0, -0, 0, 0, NaN, 1, 0];
    const parts = s.fromNumbers(type === "c64" ? "f32" : "f64", [8], zeros);
    const x = s.fromBytes(type, [2, 2], parts.backend.download!(parts));
    expect(s.valuesOf(reduce("any", "u8", x, [1]))).toEqual([0, 1]);
    expect(s.valuesOf(reduce("all", "u8", x, [0]))).toEqual([0, 0]);
    expect(s.valuesOf(reduce("all", "u8", x, []))).toEqual([0, 0, 1, 1]);
  });
});

describe("accuracy", () => {
  const n = 1_000_000;
  const tenths = (type: DType, shape: number[]) => s.fromNumbers(type, shape, new Float64Array(n).fill(0.1));

  it("a million tenths in f32", () => {
    expect(s.valuesOf(reduce("sum", "f32", tenths("f32", [n]), [0]))).toEqual([100000]);
    expect(s.valuesOf(reduce("sum", "f32", tenths("f32", [1000, 1000]), [0, 1]))).toEqual([100000]);
    expect(s.valuesOf(reduce("sum", "f32", tenths("f32", [n, 1]), [0]))).toEqual([100000]);
    expect(s.valuesOf(reduce("sum", "f32", tenths("f32", [n / 2, 2]), [0]))).toEqual([50000, 50000]);
  });

  it("a million tenths in f64, along an inner and an outer axis", () => {
    const [inner] = s.valuesOf(reduce("sum", "f64", tenths("f64", [n]), [0])) as number[];
    const outer = s.valuesOf(reduce("sum", "f64", tenths("f64", [n / 2, 2]), [0])) as number[];
    expect(Math.abs(inner! - 1e5)).toBeLessThan(5e-10);
    for (const sum of outer) expect(Math.abs(sum - 5e4)).toBeLessThan(2e-10);
  });

  it("does not round between the axes", () => {
    const x = s.fromNumbers("f32", [3, 1, 1, 2], [2 ** 24, 1, 1, 1, 1, 0]);
    expect(s.valuesOf(s.run("reduceOp", "f32", [1, 1], [x], { op: "sum", axes: [0, 3], keepAxes: false }))).toEqual([
      2 ** 24 + 4,
    ]);
  });
});

describe.each(REAL)("argmax and argmin of %s", (type) => {
  type Value = number | bigint;
  const beats = (op: "argmax" | "argmin", later: boolean, a: Value, b: Value) => {
    if (a !== a) return later || b === b;
    return (op === "argmax" ? a > b : a < b) || (later && a === b);
  };

  it("give the first or the last extreme, NaN above all", () => {
    const values = isInteger(type) ? [0, 1, 1, 2] : [0, -0, 1, 1, -1, NaN, Infinity, -Infinity];
    const make = (shape: number[]) =>
      fc.oneof(
        s.randomBits(shape, type),
        fc
          .array(fc.constantFrom(...values), { minLength: s.sizeOf(shape), maxLength: s.sizeOf(shape) })
          .map((list) => s.fromNumbers(type, shape, list)),
      );
    const cases = s.shapes(1).chain((shape) => fc.tuple(make(shape), fc.option(fc.nat(shape.length - 1))));
    const ops = fc.tuple(fc.constantFrom("argmax" as const, "argmin" as const), fc.boolean());
    fc.assert(
      fc.property(cases, ops, ([x, axis], [op, later]) => {
        const axes = axis === null ? x.shape.map((_, i) => i) : [axis];
        const lists = members(s.valuesOf(x) as Value[], x.shape, axes);
        const attrs = { op, axis, keepAxis: false, tieBreak: later ? "high" : "low" } as const;
        const result = s.run("argReduce", "s64", kept(x.shape, axes), [x], attrs);
        expect(s.valuesOf(result)).toEqual(
          lists.map((list) =>
            BigInt(list.reduce((at: number, value, i) => (beats(op, later, value, list[at]!) ? i : at), 0)),
          ),
        );
      }),
      { numRuns: tries(60) },
    );
  });

  it("find what is far along", () => {
    for (const shape of [[9000], [9000, 1], [70, 300]]) {
      const x = s.fromNumbers(type, shape, Array(s.sizeOf(shape)).fill(is64Bit(type) ? 1n : 1));
      const at = (tieBreak: "low" | "high") =>
        s.valuesOf(
          s.run("argReduce", "s64", kept(shape, [0]), [x], { op: "argmin", axis: 0, keepAxis: false, tieBreak }),
        );
      expect(new Set(at("low"))).toEqual(new Set([0n]));
      expect(new Set(at("high"))).toEqual(new Set([BigInt(shape[0]! - 1)]));
    }
  });
});
