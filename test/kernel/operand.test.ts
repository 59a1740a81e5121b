import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readerOf, type Elements, type Operand } from "../../lib/kernel/operand";
import { tries } from "../effort";

const ARRAYS = [Uint8Array, Uint16Array, Int32Array, Float32Array, Float64Array] as const;

/** All elements of the space in order, one at a time. */
function reference({ elements, width, offset, strides }: Operand, shape: readonly number[]): number[] {
  let places = [offset];
  shape.forEach((dim, axis) => {
    places = places.flatMap((place) => Array.from({ length: dim }, (_, i) => place + i * strides[axis]!));
  });
  return places.flatMap((place) => Array.from(elements.subarray(place * width, (place + 1) * width)));
}

interface Case {
  readonly operand: Operand;
  readonly shape: readonly number[];
}

/** Strides of any kind: row-major ones, those of reversed, repeated, transposed or skipping axes, and others. */
const cases: fc.Arbitrary<Case> = fc
  .record({
    dims: fc.array(fc.constantFrom<number[]>(1, 2, 3, 5, 8, 40), { maxLength: 4 }),
    kinds: fc.array(fc.constantFrom("plain", "plain", "zero", "negative", "skip", "odd"), {
      minLength: 4,
      maxLength: 4,
    }),
    order: fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4, maxLength: 4 }),
    keepOrder: fc.boolean(),
    width: fc.constantFrom(1 as const, 2 as const),
    array: fc.constantFrom(...ARRAYS),
    offset: fc.nat(5),
  })
  .filter(({ dims }) => dims.reduce((a, b) => a * b, 1) < 20_000)
  .map(({ dims, kinds, order, keepOrder, width, array, offset }) => {
    const strides = dims.map(() => 0);
    const axes = keepOrder ? dims.map((_, axis) => axis).reverse() : order.filter((axis) => axis < dims.length);
    let next = 1;
    let [low, high] = [0, 0];
    for (const axis of axes) {
      const kind = kinds[axis]!;
      const step =
        kind === "zero" ? 0 : kind === "odd" ? 3 : kind === "skip" ? 2 * next : kind === "negative" ? -next : next;
      strides[axis] = step;
      const reach = step * (dims[axis]! - 1);
      low += Math.min(reach, 0);
      high += Math.max(reach, 0);
      if (kind !== "zero") next = Math.abs(step) * dims[axis]!;
    }
    const length = high - low + 1 + offset;
    const elements: Elements = new array(length * width);
    for (let i = 0; i < elements.length; i++) elements[i] = (i * 37 + 11) % 251;
    return { operand: { elements, width, offset: offset - low, strides }, shape: dims };
  });

const emptyLike = (elements: Elements, length: number): Elements =>
  new (elements.constructor as new (length: number) => Elements)(length);

/** Reads the space in blocks of a length; the array between blocks is not to be touched. */
function readInBlocks({ operand, shape }: Case, block: number, at: number): { result: number[]; rest: number[] } {
  const { elements, width } = operand;
  const size = shape.reduce((a, b) => a * b, 1);
  const reader = readerOf(operand, shape);
  const result: number[] = [];
  const rest: number[] = [];
  for (let start = 0; start < size; start += block) {
    const n = Math.min(block, size - start);
    const dst = emptyLike(elements, (at + n + 2) * width).fill(255);
    reader.read(dst, at, start, n);
    const values = Array.from(dst);
    result.push(...values.slice(at * width, (at + n) * width));
    rest.push(...values.slice(0, at * width), ...values.slice((at + n) * width));
  }
  return { result, rest };
}

describe("readers", () => {
  it("give the elements of any view, block by block, and write nothing else", () => {
    fc.assert(
      fc.property(cases, fc.constantFrom(1, 2, 7, 16, 33, 64, 1000, 20_000), fc.nat(4), (given, block, at) => {
        const size = given.shape.reduce((a, b) => a * b, 1);
        fc.pre(size / block < 500);
        const { result, rest } = readInBlocks(given, block, at);
        expect(result).toEqual(reference(given.operand, given.shape));
        expect(rest.every((value) => value === 255)).toBe(true);
      }),
      { numRuns: tries(600) },
    );
  });

  it("start anywhere", () => {
    fc.assert(
      fc.property(cases, fc.nat(19_999), fc.nat(300), (given, first, n) => {
        const size = given.shape.reduce((a, b) => a * b, 1);
        const start = first % size;
        const count = Math.min(n, size - start);
        const { elements, width } = given.operand;
        const dst = emptyLike(elements, count * width);
        readerOf(given.operand, given.shape).read(dst, 0, start, count);
        const expected = reference(given.operand, given.shape).slice(start * width, (start + count) * width);
        expect(Array.from(dst)).toEqual(expected);
      }),
      { numRuns: tries(400) },
    );
  });

  it.each([
    ["uniform", [3, 4], [0, 0]],
    ["uniform", [1, 1], [7, 5]],
    ["uniform", [], []],
    ["contiguous", [3, 4], [4, 1]],
    ["contiguous", [3, 1, 4], [4, 99, 1]],
    ["periodic", [3, 4], [0, 1]],
    ["strided", [3, 4], [1, 3]],
    ["strided", [5], [-1]],
    ["strided", [5], [2]],
  ] as const)("%s over %j with strides %j", (access, shape, strides) => {
    const elements = new Float32Array(200);
    expect(readerOf({ elements, width: 1, offset: 20, strides }, shape).access.kind).toBe(access);
  });

  it.each([
    ["rows of four and more that are transposed", [4, 100_000], [1, 4], 50_000, true],
    ["rows of three", [3, 100_000], [1, 3], 50_000, false],
    ["pieces that read all of their lines", [1000, 1000], [1, 1000], 16_000, false],
    ["pieces that read a part of them", [1000, 1000], [1, 1000], 15_000, true],
    ["every tenth element", [100_000], [10], 50_000, false],
    ["far rows along their elements", [100, 1000], [5000, 1], 50, false],
  ] as const)("know whether little is read of a line: %s", (_, shape, strides, piece, isScattered) => {
    const operand: Operand = { elements: new Float32Array(1), width: 1, offset: 0, strides };
    expect(readerOf(operand, shape).isScattered(piece)).toBe(isScattered);
  });

  it("repeat a period that is longer and shorter than a block, from every phase", () => {
    for (const width of [1, 2] as const) {
      const elements = Int32Array.from({ length: 14 * width }, (_, i) => i);
      const operand: Operand = { elements, width, offset: 4, strides: [0, 1] };
      const expected = reference(operand, [30, 10]);
      for (let start = 0; start < 25; start++) {
        for (const n of [1, 4, 9, 10, 11, 25, 200]) {
          const dst = new Int32Array(n * width);
          readerOf(operand, [30, 10]).read(dst, 0, start, n);
          expect(Array.from(dst)).toEqual(expected.slice(start * width, (start + n) * width));
        }
      }
    }
  });
});
