/** Sums of products in WebAssembly against the binary backend: within the bound where sums round, else the same bits. */
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { Attrs } from "../../../lib/backend";
import { binaryBackend } from "../../../lib/backends/binary";
import { dotFrom, wasmDot } from "../../../lib/backends/wasm/contractions/dot";
import { plain } from "../../../lib/backends/wasm/plain";
import { bytesOf, DTYPES, isInteger, type DType } from "../../../lib/core/types";
import { isOfMatrices } from "../../../lib/kernel/transposed";
import type { Tensor } from "../../../lib/tensor";
import * as s from "../binary/support";
import {
  cases,
  EPSILON,
  expectWithin,
  numbers,
  randomTensor,
  real,
  referenceOf,
  resultOf,
} from "./contraction-support";
import { tries } from "../../effort";

/** All sizes in WebAssembly. */
const dot = dotFrom(0, 2 ** 28);

const sizeAlong = (shape: readonly number[], axes: readonly number[]): number =>
  axes.reduce((size, axis) => size * shape[axis]!, 1);

const matrices: Attrs["dot"] = { contract: [[1], [0]], batch: [[], []] };
const product = (type: DType, x: Tensor, y: Tensor, fn = dot) =>
  resultOf(fn, type, [x.shape[0]!, y.shape[1]!], [x, y], matrices);

describe("dot", () => {
  it("sums over any axes in any order", () => {
    fc.assert(
      fc.property(real(), cases(), (type, { left, right, out, attrs }) => {
        const inputs = [randomTensor(type, left, 1), randomTensor(type, right, 2)];
        const actual = resultOf(dot, type, out, inputs, attrs);
        const k = sizeAlong(left, attrs.contract[0]);
        expectWithin(actual, referenceOf("dot", out, inputs, attrs), k, EPSILON[type]);
      }),
      { numRuns: tries(200) },
    );
  });

  it("multiplies matrices of random sizes, each transposed or not", () => {
    const side = fc.integer({ min: 1, max: 70 });
    fc.assert(
      fc.property(real(), side, side, side, fc.boolean(), fc.boolean(), (type, m, k, n, turnLeft, turnRight) => {
        const x = randomTensor(type, turnLeft ? [k, m] : [m, k], 1);
        const y = randomTensor(type, turnRight ? [n, k] : [k, n], 2);
        const attrs = { contract: [[turnLeft ? 0 : 1], [turnRight ? 1 : 0]], batch: [[], []] } as const;
        const actual = resultOf(wasmDot, type, [m, n], [x, y], attrs);
        expectWithin(actual, referenceOf("dot", [m, n], [x, y], attrs), k, EPSILON[type]);
      }),
    );
  });

  it("gives the same bits as the binary backend for integers of every width, each matrix transposed or not", () => {
    const side = fc.integer({ min: 1, max: 40 });
    const integers = fc.constantFrom(...DTYPES.filter(isInteger));
    fc.assert(
      fc.property(integers, side, side, side, fc.boolean(), fc.boolean(), (type, m, k, n, turnLeft, turnRight) => {
        const shapes = [turnLeft ? [k, m] : [m, k], turnRight ? [n, k] : [k, n]];
        const [x, y] = shapes.map((shape, i) => {
          const bytes = Uint8Array.from(numbers(s.sizeOf(shape) * bytesOf(type), i + 1), (value) => 2 ** 20 * value);
          return s.fromBytes(type, shape, bytes);
        }) as [Tensor, Tensor];
        const attrs = { contract: [[turnLeft ? 0 : 1], [turnRight ? 1 : 0]], batch: [[], []] } as const;
        const expected = resultOf(binaryBackend.dot, type, [m, n], [x, y], attrs);
        expect(resultOf(dot, type, [m, n], [x, y], attrs)).toEqual(expected);
      }),
    );
  });

  it("gives the same bits as the binary backend for doubles by a vector, over any axes in any order, zeros with their signs", () => {
    const vectors = cases().filter(
      ({ left, right, attrs }) => !isOfMatrices([{ shape: left }, { shape: right }], attrs),
    );
    fc.assert(
      fc.property(vectors, fc.constantFrom(dot, dotFrom(0, 400)), ({ left, right, out, attrs }, by) => {
        const inputs = [left, right].map((shape, i) => {
          const values = numbers(s.sizeOf(shape), i + 1).map((value) => (Math.abs(value) < 0.5 ? value * 0 : value));
          return s.fromNumbers("f64", shape, values);
        });
        const expected = resultOf(binaryBackend.dot, "f64", out, inputs, attrs);
        expect(resultOf(by, "f64", out, inputs, attrs)).toEqual(expected);
      }),
      { numRuns: tries(200) },
    );
    for (const [rows, k] of [
      [7, 300],
      [8, 301],
      [9, 2],
      [2051, 65],
    ] as const) {
      for (const axis of [0, 1] as const) {
        const [a, x] = [randomTensor("f64", axis === 1 ? [rows, k] : [k, rows], 1), randomTensor("f64", [k], 2)];
        const attrs = { contract: [[axis], [0]], batch: [[], []] } as const;
        const expected = resultOf(binaryBackend.dot, "f64", [rows], [a, x], attrs);
        expect(resultOf(dot, "f64", [rows], [a, x], attrs)).toEqual(expected);
      }
    }
  });

  it("leaves its operands alone and gives a fresh array", () => {
    const [x, y] = [randomTensor("f32", [20, 30], 1), randomTensor("f32", [30, 25], 2)];
    const before = [s.bitsOf(x), s.bitsOf(y)];
    const first = product("f32", x, y);
    const second = product("f32", x, y);
    expect([s.bitsOf(x), s.bitsOf(y)]).toEqual(before);
    expect(first).not.toBe(second);
    expect(first).toEqual(second);
    expect((first as Float32Array).buffer).toBeInstanceOf(ArrayBuffer);
  });

  it("sums half floats in f32 and rounds once", () => {
    for (const type of ["f16", "bf16"] as const) {
      const [x, y] = [randomTensor(type, [19, 40], 1), randomTensor(type, [40, 23], 2)];
      const wide = product("f32", x, y);
      const rounded = s.fromNumbers(type, [19, 23], wide);
      expect(product(type, x, y)).toEqual((rounded.data as { elements: unknown }).elements);
      expectWithin(wide, referenceOf("dot", [19, 23], [x, y], matrices), 40, EPSILON.f32);
    }
  });

  it("widens narrower floats to the type of the result", () => {
    const [x, y] = [randomTensor("f32", [12, 30], 1), randomTensor("f64", [30, 14], 2)];
    expectWithin(product("f64", x, y), referenceOf("dot", [12, 14], [x, y], matrices), 30, EPSILON.f64);
    const half = randomTensor("bf16", [12, 30], 3);
    expectWithin(product("f64", half, y), referenceOf("dot", [12, 14], [half, y], matrices), 30, EPSILON.f64);
  });

  it("leaves integers that meet floats to the binary backend", () => {
    const values = numbers(900, 5).map((v) => Math.trunc(1e9 * v));
    const [x, y] = [s.fromNumbers("s32", [30, 30], values), randomTensor("f32", [30, 30], 6)];
    expect(product("f32", x, y)).toEqual(product("f32", x, y, binaryBackend.dot));
  });

  const matricesOfABatch: Attrs["dot"] = { contract: [[2], [0]], batch: [[0], [2]] };
  const matricesInOrder: Attrs["dot"] = { contract: [[1], [1]], batch: [[0], [0]] };
  const columns: Attrs["dot"] = { contract: [[0], [0]], batch: [[], []] };
  it.each([
    ["matrices of a batch", "f32", [6, 18, 40], [40, 11, 6], matricesOfABatch],
    ["matrices, then rows", "f32", [2, 40, 37], [2, 40, 11], matricesInOrder],
    ["an odd number of rows", "f32", [37, 40], [40, 11], matrices],
    ["rows along two axes", "f64", [3, 7, 40], [40, 11], { ...matrices, contract: [[2], [0]] } as Attrs["dot"]],
    ["rows that are rounded", "bf16", [37, 40], [40, 11], matrices],
    ["three rows, or none of them", "f64", [3, 700], [700, 2], matrices],
    ["rows by a vector", "f32", [500, 40], [40], matrices],
    ["columns by a vector", "f32", [40, 500], [40], columns],
  ] as const)("makes %s, in halves where little may be staged, to the same bits", (_, type, left, right, attrs) => {
    // arrays that were read before lie in the memory of kernels
    const made = (fn: typeof dot) =>
      resultOf(fn, type, out, [randomTensor(type, left, 1), randomTensor(type, right, 2)], attrs);
    const { contract, batch } = attrs;
    const free = (shape: readonly number[], side: 0 | 1) =>
      shape.filter((_size, axis) => ![...contract[side], ...batch[side]].some((taken) => taken === axis));
    const out = [...batch[0].map((axis) => left[axis]!), ...free(left, 0), ...free(right, 1)];
    const byLoops = vi.spyOn(plain, "dot");
    const whole = made(dot);
    for (let most = 2 ** 16; ; most *= 0.8) {
      const result = made(dotFrom(0, most));
      if (byLoops.mock.calls.length > 0) break;
      expect(result).toEqual(whole);
    }
    byLoops.mockRestore();
    expect(made(dotFrom(0, 100))).toEqual(made(binaryBackend.dot));
  });

  it("gives scalars", () => {
    const [x, y] = [randomTensor("f32", [50], 1), randomTensor("f32", [50], 2)];
    const attrs = { contract: [[0], [0]], batch: [[], []] } as const;
    expectWithin(resultOf(dot, "f32", [], [x, y], attrs), referenceOf("dot", [], [x, y], attrs), 50, EPSILON.f32);
  });

  it("keeps NaN and infinities where they belong", () => {
    for (const type of ["f32", "f64"] as const) {
      const values = numbers(13 * 21, 7);
      values[5] = NaN;
      values[21 * 12 + 20] = -Infinity;
      const x = s.fromNumbers(type, [13, 21], values);
      const zeros = numbers(21 * 9, 8);
      zeros[20 * 9] = 0;
      const y = s.fromNumbers(type, [21, 9], zeros);
      expectWithin(product(type, x, y), referenceOf("dot", [13, 9], [x, y], matrices), 21, EPSILON[type]);
    }
  });
});
