/** Fourier transforms in WebAssembly: bit for bit what the binary backend gives. */
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { Attrs } from "../../../lib/backend";
import { binaryBackend } from "../../../lib/backends/binary";
import { wasmBackend } from "../../../lib/backends/wasm";
import { elementsIn, type ArrayData } from "../../../lib/backends/arrays/storage";
import { arrays } from "../../../lib/backends/wasm/arrays";
import { wasmFft } from "../../../lib/backends/wasm/fft";
import { plain } from "../../../lib/backends/wasm/plain";
import { WORK_BYTES_MOST } from "../../../lib/backends/wasm/schedule/sorts";
import { DTYPES, type DType } from "../../../lib/core/types";
import type { Tensor } from "../../../lib/tensor";
import * as s from "../binary/support";
import { tries } from "../../effort";

/** Along every axis. */
function check(x: Tensor, type: "c64" | "c128", way: Omit<Attrs["fft"], "axis">): void {
  const { shape } = x;
  const out = { type, shape, names: s.unnamed(shape) };
  const before = Buffer.from(binaryBackend.download(x));
  for (const axis of shape.keys()) {
    const attrs = { axis, ...way };
    s.expectSameData(type, shape, wasmFft(out, [x], attrs), binaryBackend.fft(out, [x], attrs));
  }
  expect(before.equals(binaryBackend.download(x))).toBe(true);
}

/** Numbers of both signs, zeros among them. */
function filled(type: DType, shape: readonly number[], seed: number): Tensor {
  let state = seed | 1;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) | 0) / 2 ** 31;
  const isPair = type === "c64" || type === "c128";
  const parts = isPair ? [...shape, 2] : shape;
  const is64Bit = type === "s64" || type === "u64";
  const values = Array.from({ length: s.sizeOf(parts) }, () => {
    const x = next();
    return is64Bit ? BigInt(Math.floor(x * 2 ** 50)) : x > 0.9 ? -0 : x * 100;
  });
  if (!isPair) return s.fromNumbers(type, shape, values);
  const real = s.fromNumbers(type === "c64" ? "f32" : "f64", parts, values);
  return s.fromBytes(type, shape, binaryBackend.download(real));
}

const WAYS = [
  { inverse: false, eps: 0, half: false },
  { inverse: true, eps: 0, half: false },
  { inverse: false, eps: 30, half: false },
] as const;

/** Every radix, prime factors in all orders, convolutions, one line, two, an odd number of them, many short ones. */
const SHAPES: readonly (readonly number[])[] = [
  [256],
  [512],
  [1000],
  [1001],
  [1024],
  [2048],
  [4096],
  [8200],
  [1009],
  [67 * 4],
  [300, 2],
  [301, 3],
  [101, 4],
  [77, 5],
  [300, 7],
  [63, 8],
  [33, 12],
  [50, 30],
  [7, 61],
  [5, 67],
  [20, 67],
  [3, 1024],
  [2, 3, 360],
  [3, 1013],
  [40, 128],
];

/** Halves along every axis of an even length, either way. */
function checkHalves(shape: readonly number[], real: "f32" | "f64", complex: "c64" | "c128", seed: number): void {
  for (const [axis, n] of shape.entries()) {
    if (n % 2 !== 0) continue;
    const halved = shape.map((size, i) => (i === axis ? n / 2 + 1 : size));
    const numbers = filled(real, shape, seed);
    const spectrum = filled(complex, halved, seed);
    for (const eps of [0, 30]) {
      const out = { type: complex, shape: halved, names: s.unnamed(halved) };
      const attrs = { axis, eps, half: true };
      const forward = { ...attrs, inverse: false };
      s.expectSameData(complex, halved, wasmFft(out, [numbers], forward), binaryBackend.fft(out, [numbers], forward));
      const back = { type: real, shape, names: s.unnamed(shape) };
      const inverse = { ...attrs, inverse: true, eps: eps / 100 };
      s.expectSameData(real, shape, wasmFft(back, [spectrum], inverse), binaryBackend.fft(back, [spectrum], inverse));
    }
  }
}

/** Lengths whose halves have every first radix and every kind of middle, lines of a single one and many. */
const HALVED: readonly (readonly number[])[] = [
  [256],
  [1000],
  [1002],
  [1008],
  [1032],
  [2000],
  [2 * 1009],
  [4 * 1009],
  [8200],
  [300, 2],
  [301, 4],
  [101, 6],
  [77, 10],
  [301, 14],
  [60, 30],
  [8, 62],
  [5, 134],
  [3, 1024],
  [2, 6, 360],
  [3, 2026],
  [41, 128],
];

describe("halves", () => {
  it.each(HALVED.map((shape) => ({ shape })))("$shape", ({ shape }) => {
    checkHalves(shape, "f32", "c64", shape.length);
    checkHalves(shape, "f64", "c128", shape.length + 1);
    checkHalves(shape, "f64", "c64", shape.length + 2);
    checkHalves(shape, "f32", "c128", shape.length + 3);
  });

  it("has any even length", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 1, max: 9 }),
        fc.nat(2 ** 20),
        (m, lines, seed) => {
          checkHalves([lines, 2 * m], "f64", "c128", seed);
        },
      ),
      { numRuns: tries(60) },
    );
  });

  it("carries what is not finite as the binary backend does", () => {
    for (const shape of [[1024], [1000], [4, 100]]) {
      const values = Array.from({ length: s.sizeOf(shape) }, (_, i) => (i === 17 ? Infinity : i === 40 ? NaN : i));
      const x = s.fromNumbers("f64", shape, values);
      const halved = [...shape.slice(0, -1), shape.at(-1)! / 2 + 1];
      const out = { type: "c128" as const, shape: halved, names: s.unnamed(halved) };
      const attrs = { axis: shape.length - 1, inverse: false, eps: 0, half: true };
      s.expectSameData("c128", halved, wasmFft(out, [x], attrs), binaryBackend.fft(out, [x], attrs));
    }
  });
});

describe.each(["f32", "f64", "c64", "c128"] as const)("%s", (type) => {
  it.each(SHAPES.map((shape) => ({ shape })))("$shape", ({ shape }) => {
    for (const attrs of WAYS) {
      check(filled(type, shape, shape.length), "c64", attrs);
      check(filled(type, shape, shape.length + 1), "c128", attrs);
    }
  });
});

it.each(DTYPES)("reads %s", (type) => {
  for (const shape of [[320], [9, 60], [3, 134]]) for (const attrs of WAYS) check(filled(type, shape, 3), "c64", attrs);
});

it("has any length", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1500 }),
      fc.integer({ min: 1, max: 9 }),
      fc.nat(2 ** 20),
      (n, lines, seed) => {
        check(filled("c128", [lines, n], seed), "c128", WAYS[seed % 3]!);
      },
    ),
    { numRuns: tries(80) },
  );
});

it("carries what is not finite as the binary backend does", () => {
  for (const shape of [[1024], [4, 100]]) {
    const values = Array.from({ length: s.sizeOf(shape) }, (_, i) => (i === 17 ? Infinity : i === 40 ? NaN : i));
    check(s.fromNumbers("f64", shape, values), "c128", WAYS[0]);
  }
});

it("transforms tensors that lie in the memory of kernels, beside others", () => {
  for (const shape of [[65_536], [33, 1001], [10_001, 3]]) {
    const neighbours = [0, 1].map(() => arrays.unset("f32", shape).fill(7));
    const x = s.on(wasmBackend, filled("c64", shape, 5));
    for (const attrs of WAYS) check(x, "c64", attrs);
    for (const array of neighbours) expect(array.every((value) => value === 7)).toBe(true);
  }
});

it("goes row by row through planes that have no room", () => {
  const columns = WORK_BYTES_MOST / 64 + 8;
  const x = Float32Array.from({ length: 2 * columns }, (_, i) => (i < columns ? i : 3));
  const out = { type: "c64" as const, shape: [2, columns], names: s.unnamed([2, columns]) };
  const given = s.fromBytes("f32", [2, columns], new Uint8Array(x.buffer));
  const transposed = vi.spyOn(plain, "transpose");
  const result = elementsIn(wasmFft(out, [given], { axis: 0, inverse: false, eps: 0, half: false }) as ArrayData);
  expect(transposed).toHaveBeenCalledTimes(2);
  transposed.mockRestore();
  let wrong = 0;
  for (let i = 0; i < columns; i++) {
    const at = 2 * (columns + i);
    const isRight = result[2 * i] === i + 3 && result[at] === i - 3 && result[2 * i + 1] === 0 && result[at + 1] === 0;
    wrong += Number(!isRight);
  }
  expect(wrong).toBe(0);
});
