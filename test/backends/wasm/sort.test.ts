/** Sorting in WebAssembly: bit for bit what the binary backend gives, for every type, axis, direction and length. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Direction } from "../../../lib/backend";
import { binaryBackend } from "../../../lib/backends/binary";
import { elementsIn, type ArrayData } from "../../../lib/backends/arrays/storage";
import { wasmBackend } from "../../../lib/backends/wasm";
import { arrays } from "../../../lib/backends/wasm/arrays";
import { wasmArgsort, wasmSort } from "../../../lib/backends/wasm/sort";
import { bytesOf as sizeInBytes, DTYPES, isComplex, isInteger, type DType } from "../../../lib/core/types";
import { Tensor } from "../../../lib/tensor";
import * as s from "../binary/support";

const REAL = DTYPES.filter((type) => !isComplex(type));
const DIRECTIONS = ["asc", "desc"] as const;
const POSITIONS = ["s64", "s32", "u64", "u32", "u8"] as const;

const rawOf = (array: ArrayBufferView): Buffer =>
  Buffer.from(array.buffer as ArrayBuffer, array.byteOffset, array.byteLength);
const bytesOf = (data: ArrayData): Buffer => rawOf(elementsIn(data));

function expectSame(type: DType, shape: readonly number[], found: unknown, expected: unknown): void {
  if (bytesOf(found as ArrayData).equals(bytesOf(expected as ArrayData))) return;
  const bits = (data: unknown) => s.bitsOf(new Tensor(binaryBackend, data, type, shape, s.unnamed(shape)));
  expect(bits(found)).toEqual(bits(expected));
}

function check(x: Tensor, axis: number, direction: Direction, positions: DType = "s64"): void {
  const { shape } = x;
  const of = (type: DType) => ({ type, shape, names: s.unnamed(shape) });
  const before = Buffer.from(binaryBackend.download(x));
  const attrs = { axis, direction };
  expectSame(x.type, shape, wasmSort(of(x.type), [x], attrs), binaryBackend.sort(of(x.type), [x], attrs));
  const order = of(positions);
  expectSame(positions, shape, wasmArgsort(order, [x], attrs), binaryBackend.argsort(order, [x], attrs));
  expect(before.equals(binaryBackend.download(x))).toBe(true);
}

/** Bits at random, of floats also NaNs; or few different values, zeros of both signs and NaNs among them. */
function filled(type: DType, shape: readonly number[], seed: number, crowded: boolean): Tensor {
  let state = seed | 1;
  const next = () => ((state = (Math.imul(state, 1664525) + 1013904223) | 0) >>> 8) / 2 ** 24;
  const size = s.sizeOf(shape);
  if (!crowded)
    return s.fromBytes(
      type,
      shape,
      Uint8Array.from({ length: size * sizeInBytes(type) }, () => next() * 256),
    );
  const special = isInteger(type) ? [0, 1, 2, 3, 100] : [0, -0, 1, -1, Infinity, -Infinity, NaN, 2.5];
  return s.fromNumbers(
    type,
    shape,
    Array.from({ length: size }, () => special[Math.floor(next() * special.length)]!),
  );
}

/** Around the lengths at which another way begins, and shapes that are cut into several blocks. */
const CASES: readonly (readonly [shape: readonly number[], axis: number])[] = [
  [[256], 0],
  [[2047], 0],
  [[4096], 0],
  [[20_001], 0],
  [[128, 2], 1],
  [[2, 128], 0],
  [[100, 3], 1],
  [[37, 7], 0],
  [[7, 37, 5], 1],
  [[9, 512], 1],
  [[9, 513], 1],
  [[513, 3], 0],
  [[2, 2048], 1],
  [[7, 500], 1],
  [[300, 8], 0],
  [[3, 300, 2], 1],
  [[3, 600, 2], 1],
  [[3, 40, 17], 1],
  [[2, 64, 700], 1],
  [[9001, 3], 0],
  [[5000, 4], 1],
  [[33, 1000], 1],
];

describe.each(REAL)("%s", (type) => {
  it.each(CASES)("%j along axis %i", (shape, axis) => {
    for (const crowded of [false, true]) {
      const x = filled(type, shape, 7 * shape.length + axis + 1, crowded);
      for (const direction of DIRECTIONS) check(x, axis, direction);
    }
  });

  it("sorts any shape along any axis, to positions of any type", () => {
    const shapes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 3 });
    const cases = shapes.chain((shape) => fc.tuple(fc.constant(shape), fc.nat(shape.length - 1)));
    fc.assert(
      fc.property(
        fc.tuple(cases, fc.nat(2 ** 30), fc.boolean()),
        fc.tuple(fc.constantFrom(...DIRECTIONS), fc.constantFrom(...POSITIONS)),
        ([[shape, axis], seed, crowded], [direction, positions]) =>
          check(filled(type, shape, seed, crowded), axis, direction, positions),
      ),
      { numRuns: 25 },
    );
  });
});

it("sorts every length that networks are made for", () => {
  for (let n = 2; n <= 130; n++) {
    const x = filled("f32", [Math.ceil(300 / n), n], n, n % 2 === 0);
    for (const direction of DIRECTIONS) check(x, 1, direction);
  }
});

it("keeps NaNs as they are, in their order", () => {
  const words = Uint32Array.from({ length: 600 }, (_, i) =>
    i % 3 === 0 ? (i % 2 ? 0xff800001 : 0x7fc00000) + i : i << 20,
  );
  const x = s.fromBytes("f32", [600], new Uint8Array(words.buffer));
  for (const direction of DIRECTIONS) check(x, 0, direction);
});

it("sorts tensors that lie in the memory of kernels, beside others", () => {
  for (const type of ["f32", "s64", "u8", "f64"] as const) {
    for (const shape of [
      [3, 30_001],
      [30_001, 3],
      [3000, 31],
    ]) {
      const neighbours = [0, 1].map(() => arrays.unset(type, shape));
      const x = s.on(wasmBackend, filled(type, shape, 99, true));
      const beside = neighbours.map((array) => array.fill(7).slice());
      for (const axis of [0, 1]) check(x, axis, "asc");
      neighbours.forEach((array, i) => expect(Buffer.compare(rawOf(array), rawOf(beside[i]!))).toBe(0));
    }
  }
});

it("leaves complex numbers and lines of one element to the binary backend", () => {
  check(filled("f32", [500, 1], 3, true), 1, "desc");
});
