/** Running sums by fours: the same bits in WebAssembly and TypeScript, the order that is documented, and its laws. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Attrs } from "../../../lib/backend";
import { binaryBackend } from "../../../lib/backends/binary";
import { elementsIn, type ArrayData } from "../../../lib/backends/arrays/storage";
import { tune } from "../../../lib/backends/tuning";
import { wasmBackend } from "../../../lib/backends/wasm";
import { wasmCumulative } from "../../../lib/backends/wasm/reduce/scan";
import { DTYPES, isComplex, type DType } from "../../../lib/core/types";
import { Tensor } from "../../../lib/tensor";
import * as s from "../binary/support";
import { arrayOf } from "../../array-of";

const OPS = ["cumulativeSum", "cumulativeProduct", "cumulativeMax", "cumulativeMin"] as const;
const FLOATS = ["bf16", "f16", "f32", "f64"] as const;

function numbers(n: number, seed: number): Float64Array {
  let state = seed | 1;
  return arrayOf(Float64Array, n, () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return state / 2 ** 31 + 2 ** -((state >>> 8) & 15);
  });
}

function check(x: Tensor, attrs: Attrs["cumulative"]): void {
  const { type, shape } = x;
  const out = { type, shape, names: s.unnamed(shape) };
  s.expectSameData(type, shape, wasmCumulative(out, [x], attrs), binaryBackend.cumulative(out, [x], attrs));
}

/** By the definition. */
function byFours(x: readonly number[]): number[] {
  const results: number[] = [];
  for (let i = 0, held = -0; i < x.length; i += 4) {
    const [a, b, c, d] = x.slice(i, i + 4) as [number, number, number, number];
    const run = [held + a, held + (a + b), held + (a + b + c), held + (a + b + (c + d))].slice(0, x.length - i);
    results.push(...run);
    held = run.at(-1)!;
  }
  return results;
}

/** Long and short lines, few and many columns, lengths that end within a run, pieces of several sizes. */
const SHAPES: readonly (readonly [shape: readonly number[], axis: number])[] = [
  [[4096], 0],
  [[70_003], 0],
  [[33_001, 2], 0],
  [[30_001, 3], 0],
  [[1001, 5], 1],
  [[300, 66, 3], 1],
  [[2, 5001, 5], 1],
  [[7, 40_001], 0],
  [[41, 3001], 0],
  [[3, 9, 301], 1],
];

describe.each(DTYPES.filter((type) => !isComplex(type)))("%s", (type: DType) => {
  it.each(SHAPES)("%j along axis %i", (shape, axis) => {
    const large = s.sizeOf(shape) > 50_000;
    const x = s.fromNumbers(
      type,
      shape,
      type === "s64" || type === "u64" ? integers(shape) : numbers(s.sizeOf(shape), 5),
    );
    for (const op of large ? (["cumulativeSum"] as const) : OPS) {
      for (const reverse of [false, true]) check(x, { op, axis, reverse });
    }
  });
});

describe.each(["c64", "c128"] as const)("sums of both parts of %s", (type) => {
  const shapes: typeof SHAPES = [...SHAPES, [[700, 9], 1], [[2, 100, 1025], 1]];
  it.each(shapes)("%j along axis %i", (shape, axis) => {
    const parts = numbers(2 * s.sizeOf(shape), 5);
    parts.fill(-0, 0, 40);
    const elements = type === "c64" ? Float32Array.from(parts) : parts;
    const x = s.fromBytes(type, shape, new Uint8Array(elements.buffer));
    for (const reverse of [false, true]) check(x, { op: "cumulativeSum", axis, reverse });
  });
});

const integers = (shape: readonly number[]): bigint[] =>
  Array.from(numbers(s.sizeOf(shape), 3), (x) => BigInt(Math.trunc(x * 2 ** 40)));

describe("sums of floats", () => {
  it("are what the definition says, from either end", () => {
    const element = fc.oneof(fc.float({ noNaN: true }), fc.constantFrom(0, -0, 1, -1, Math.fround(0.1)));
    const lines = fc.array(element, { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(lines, fc.boolean(), (line, reverse) => {
        const given = reverse ? line.slice().reverse() : line;
        const expected = (reverse ? byFours(given).reverse() : byFours(given)).map(Math.fround);
        const x = s.fromNumbers("f32", [line.length], line);
        const attrs = { op: "cumulativeSum", axis: 0, reverse } as const;
        expect(s.valuesOf(s.run("cumulative", "f32", x.shape, [x], attrs))).toEqual(expected);
      }),
    );
  });

  it("of f64 go one after the other", () => {
    const x = s.fromNumbers("f64", [3000], new Float64Array(3000).fill(0.1));
    let sum = 0;
    const expected = Array.from({ length: 3000 }, () => (sum += 0.1));
    const out = { type: "f64" as const, shape: [3000], names: [null] };
    const data = wasmCumulative(out, [x], { op: "cumulativeSum", axis: 0, reverse: false });
    expect(Array.from(elementsIn(data as ArrayData))).toEqual(expected);
  });

  it.each(FLOATS)("of %s never fall where no element is negative", (type) => {
    const x = s.fromNumbers(type, [5003], numbers(5003, 11).map(Math.abs));
    const out = { type, shape: [5003], names: [null] };
    const data = wasmCumulative(out, [x], { op: "cumulativeSum", axis: 0, reverse: false });
    const sums = s.valuesOf(new Tensor(binaryBackend, data, type, [5003], [null])) as number[];
    expect(sums.every((sum, i) => i === 0 || sum >= sums[i - 1]!)).toBe(true);
  });

  it("are rounded once: a million tenths", () => {
    const n = 1_000_000;
    const x = s.fromNumbers("f32", [n], new Float64Array(n).fill(0.1));
    const out = { type: "f32" as const, shape: [n], names: [null] };
    const data = wasmCumulative(out, [x], { op: "cumulativeSum", axis: 0, reverse: false });
    const sums = elementsIn(data as ArrayData);
    for (const i of [0, 1, 2, 999, 123_456, n - 1]) expect(sums[i]).toBe(Math.fround((i + 1) * Math.fround(0.1)));
  });

  it("keep the sign of zeros, and what is not finite", () => {
    const special = [-0, -0, -0, -0, -0, 0, 1, Infinity, 2, -Infinity, NaN, 1];
    const values = Array.from({ length: 3000 }, (_, i) => (i < 2988 ? -0 : special[i - 2988]!));
    for (const reverse of [false, true]) {
      const line = s.fromNumbers("f32", [3000], reverse ? values.slice().reverse() : values);
      check(line, { op: "cumulativeSum", axis: 0, reverse });
    }
  });

  it("of tensors in the memory of kernels are the same", () => {
    for (const [shape, axis] of SHAPES) {
      const x = s.on(wasmBackend, s.fromNumbers("f32", shape, numbers(s.sizeOf(shape), 9)));
      for (const reverse of [false, true]) check(x, { op: "cumulativeSum", axis, reverse });
    }
  });

  it("of half floats are the same where threads round them, whole steps of them or not", () => {
    for (const type of ["f16", "bf16"] as const) {
      for (const shape of [
        [512, 512],
        [300, 1000],
        [301, 1001],
      ]) {
        const x = s.on(wasmBackend, s.fromNumbers(type, shape, numbers(s.sizeOf(shape), 9)));
        for (const threads of [1, 2]) {
          tune({ threads });
          for (const reverse of [false, true]) check(x, { op: "cumulativeSum", axis: 1, reverse });
        }
      }
    }
    tune({ threads: null });
  });
});
