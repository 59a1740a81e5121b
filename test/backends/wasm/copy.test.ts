/** Copies in the memory of kernels: the bytes that a loop over items copies, and no others. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyLattice, copyPicked, type Lattice } from "../../../lib/backends/arrays/copy";
import { allocate, elementsOf, widthOf, type Elements } from "../../../lib/backends/arrays/storage";
import { wasmBackend as wasm } from "../../../lib/backends/wasm";
import { addressOf, arena } from "../../../lib/backends/wasm/memory/arena";
import { arrays } from "../../../lib/backends/wasm/arrays";
import { copyBox, copyBoxesOf } from "../../../lib/backends/wasm/copy";
import { callsOf, partsOf, planned, type Box } from "../../../lib/backends/wasm/copy/boxes";
import { kernelMemory } from "../../../lib/backends/wasm/memory/linear";
import { rowMajorStrides, sizeOf, type Shape } from "../../../lib/core/shape";
import { bytesOf, DTYPES, type DType } from "../../../lib/core/types";
import { readerOf } from "../../../lib/kernel/operand";
import { ArrayMemory } from "../../../lib/backends/arrays/memory";
import { tune } from "../../../lib/backends/tuning";
import { bytesOfView } from "../../../lib/core/bytes";
import { backendCopy, iota } from "nx-numerics";
import { tries } from "../../effort";

const ROOM = 2 ** 18;

function bytesAt(array: Elements): Uint8Array {
  return new Uint8Array(kernelMemory().buffer, addressOf(array)!, array.byteLength);
}

function filled(entries: number, seed: number): Uint8Array {
  const array = arena.create(Uint8Array, entries)!;
  let state = seed + 1;
  for (let i = 0; i < entries; i++) array[i] = state = (state * 1103515245 + 12345) & 0x7fffffff;
  return array;
}

/** The same box, item by item, between arrays. */
function reference(memory: Uint8Array, target: Uint8Array, { from, to, bytes, axes }: Box, axis = 0): void {
  if (axis === axes.length) return target.set(memory.subarray(from, from + bytes), to);
  const { size, from: step, to: toStep } = axes[axis]!;
  for (let i = 0; i < size; i++) {
    reference(memory, target, { from: from + i * step, to: to + i * toStep, bytes, axes }, axis + 1);
  }
}

it("runs of some kilobytes are copied whatever lies between their ends, and nothing beside them", () => {
  const source = filled(ROOM, 5);
  const target = filled(ROOM, 6);
  const expected = target.slice();
  for (const bytes of [4096, 16_388, 2 ** 16]) {
    for (const [from, to] of [
      [0, 0],
      [4, 9],
      [3, 1000],
    ] as const) {
      expect(arrays.copier!.run(source, from, target, to, bytes)).toBe(true);
      expected.set(source.subarray(from, from + bytes), to);
      expect(Buffer.compare(bytesAt(target), expected)).toBe(0);
    }
  }
  // entries of several bytes are counted, not bytes
  const [values, put] = [arena.create(Int32Array, 3000)!, arena.create(Int32Array, 3000)!];
  values.forEach((_, i) => (values[i] = i));
  put.fill(-1);
  expect(arrays.copier!.run(values, 5, put, 7, 2000)).toBe(true);
  expect([...put]).toEqual([...put.keys()].map((i) => (i < 7 || i >= 2007 ? -1 : i - 2)));
  expect(arrays.copier!.run(new Uint8Array(8192), 0, target, 0, 8192), "an array elsewhere").toBe(false);
});

describe("planes", () => {
  const sizes = fc.constantFrom(1, 2, 4, 8, 16, 3, 12, 20, 40);
  const steps = fc.record({
    bytes: sizes,
    outer: fc.integer({ min: 1, max: 40 }),
    inner: fc.integer({ min: 1, max: 70 }),
    row: fc.constantFrom("dense", "same", "neighbour", "wide", "back"),
    step: fc.constantFrom("next", "same", "back", "second", "third", "fourth", "column"),
    gap: fc.constantFrom(0, 0, 1, 5),
    spread: fc.constantFrom(1, 1, 1, 3),
    start: fc.nat(40),
  });

  it("are copied whatever their items, rows and steps", () => {
    const source = filled(ROOM, 1);
    const target = filled(ROOM, 2);
    const expected = target.slice();
    fc.assert(
      fc.property(steps, ({ bytes, outer, inner, row, step, gap, spread, start }) => {
        const times = { next: 1, same: 0, back: -1, second: 2, third: 3, fourth: 4, column: outer + 1 }[step];
        const fromStep = bytes * times;
        const length = Math.max(1, Math.abs(fromStep)) * inner;
        const fromRow = { dense: length, same: 0, neighbour: bytes, wide: length + 3 * bytes, back: -length }[row];
        const toStep = bytes * spread;
        const toRow = toStep * inner + gap * bytes;
        fc.pre(outer * (length + 3 * bytes) + length < ROOM / 2 && outer * toRow < ROOM / 2);
        const axes = [
          { size: outer, from: fromRow, to: toRow },
          { size: inner, from: fromStep, to: toStep },
        ];
        copyBox({ bytes, axes, from: addressOf(source)! + ROOM / 2 + start, to: addressOf(target)! + start });
        reference(source, expected, { bytes, axes, from: ROOM / 2 + start, to: start });
        expect(Buffer.compare(bytesAt(target), expected)).toBe(0);
      }),
      { numRuns: tries(1500) },
    );
    for (const array of [source, target]) arena.giveBack(array);
  });
});

describe("boxes in parts", () => {
  const boxes = fc.record({
    bytes: fc.constantFrom<number>(1, 2, 4, 4, 4, 8, 8, 16, 12),
    sizes: fc.array(fc.constantFrom<number>(1, 2, 3, 4, 5, 8, 16, 33, 65, 130, 600), { minLength: 1, maxLength: 5 }),
    // as many places of a row as a power of 2, and as it needs
    alike: fc.boolean(),
    order: fc.array(fc.nat(100), { minLength: 5, maxLength: 5 }),
    back: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
    count: fc.integer({ min: 1, max: 7 }),
  });
  const BYTES = 2 ** 19;
  // few rows of a plane, whose neighbours go on at the source, and a last part that has too few items for squares
  const turned = {
    bytes: 4,
    sizes: [8, 8, 65],
    alike: false,
    order: [2, 1, 0, 0, 0],
    back: [false, false, false, false, false],
    count: 2,
  };

  const forwards = { alike: true, back: turned.back, bytes: 16, count: 2 };
  const vectors = { ...forwards, sizes: [20, 130], order: [1, 0, 0, 0, 0] };
  // bands of squares, and what is left below and beside them
  const bands = [1, 2, 4, 8].map((bytes) => ({ ...vectors, bytes, sizes: [55, 600] }));
  const bandsOfFew = { ...turned, alike: true, sizes: [8, 8, 75] };
  // more rows than are turned at a time
  const manyRows = { ...turned, bytes: 1, sizes: [40, 8, 600] };

  it("hold the same items together, and no others", () => {
    const source = filled(BYTES, 3);
    const target = filled(BYTES, 4);
    const expected = target.slice();
    fc.assert(
      fc.property(boxes, ({ bytes, sizes, alike, order, back, count }) => {
        const room = (size: number): number => (alike && size > 1 ? 2 ** Math.ceil(Math.log2(size)) : size);
        const inSource = sizes.map((_, i) => i).sort((a, b) => order[a]! - order[b]! || a - b);
        const strides = (axes: readonly number[], roomOf: (size: number) => number): number[] => {
          const steps: number[] = [];
          let step = bytes;
          for (const axis of [...axes].reverse()) [steps[axis], step] = [step, step * roomOf(sizes[axis]!)];
          return steps;
        };
        fc.pre(bytes * sizes.reduce((product, size) => product * room(size), 1) < BYTES / 2);
        const [from, to] = [strides(inSource, room), strides([...sizes.keys()], room)];
        let begin = 64;
        const axes = sizes.map((size, i) => {
          if (!back[i]) return { size, from: from[i]!, to: to[i]! };
          begin += (size - 1) * from[i]!;
          return { size, from: -from[i]!, to: to[i]! };
        });
        const box = { bytes, axes, from: addressOf(source)! + begin, to: addressOf(target)! };
        const calls = partsOf(planned(box), count).flatMap(callsOf);
        for (const { module, name, args } of calls.reverse()) module.exports[name]!(...args);
        reference(source, expected, { bytes, axes, from: begin, to: 0 });
        expect(Buffer.compare(bytesAt(target), expected)).toBe(0);
      }),
      {
        numRuns: tries(600),
        examples: [turned, vectors, bandsOfFew, manyRows, ...bands].map((example) => [example]),
      },
    );
    for (const array of [source, target]) arena.giveBack(array);
  });
});

describe("boxes of tensors in memory", () => {
  beforeAll(() => tune({ largeFrom: 1 }));
  afterAll(() => tune({ largeFrom: null }));

  const made = (type: DType, count: number): Elements => {
    const t = backendCopy(iota([count], { type }), wasm);
    return elementsOf(t);
  };
  const box = fc.record({
    type: fc.constantFrom(...DTYPES),
    shape: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }),
    order: fc.nat(23),
    flips: fc.array(fc.constantFrom(-1, 1, 1, 2, 0), { minLength: 4, maxLength: 4 }),
    padding: fc.array(fc.constantFrom(0, 0, 1, 3), { minLength: 4, maxLength: 4 }),
  });

  /** A view of an array of `outer`: its axes in some order, each forwards, backwards, by two, or one place again and again. */
  function viewOf(shape: Shape, order: number, flips: readonly number[]): { whole: Shape; view: Lattice } {
    const axes = shape.map((_, i) => i).sort((a, b) => ((order >> a) & 1) - ((order >> b) & 1) || a - b);
    const whole = axes.map((axis) => shape[axis]! * Math.max(1, Math.abs(flips[axis]!)));
    const strides = rowMajorStrides(whole);
    let offset = 0;
    const steps = shape.map((dim, axis) => {
      const stride = strides[axes.indexOf(axis)]!;
      if (flips[axis]! < 0) offset += (dim - 1) * stride;
      return stride * flips[axis]!;
    });
    return { whole, view: { offset, steps } };
  }

  it("are copied as they are by the loops of the binary backend", () => {
    fc.assert(
      fc.property(box, ({ type, shape, order, flips, padding }) => {
        const { whole, view } = viewOf(shape, order, flips);
        const around = shape.map((dim, i) => dim + padding[i]!);
        const place = { offset: 0, steps: rowMajorStrides(around) };
        const source = made(type, sizeOf(whole));
        const results = [arrays, new ArrayMemory()].map((memory) => {
          const target = made(type, sizeOf(around));
          expect(addressOf(target)).not.toBeNull();
          copyLattice(memory, type, shape, source, view, target, place);
          return Buffer.from(bytesAt(target));
        });
        expect(results[0]!.equals(results[1]!)).toBe(true);
      }),
      { numRuns: tries(800) },
    );
  });

  it("are read by kernels as readers read them by themselves", () => {
    fc.assert(
      fc.property(box, fc.nat(100), fc.nat(100), ({ type, shape, order, flips }, first, last) => {
        const { whole, view } = viewOf(shape, order, flips);
        const source = made(type, sizeOf(whole));
        const operand = { elements: source, width: widthOf(type), offset: view.offset, strides: view.steps };
        const reader = readerOf(operand, shape);
        const size = sizeOf(shape);
        const start = Math.floor((first / 101) * size);
        const n = Math.max(1, Math.floor((last / 100) * (size - start)));
        const byThemselves = allocate(type, n);
        reader.read(byThemselves, 0, start, n);
        const target = made(type, n);
        reader.read(target, 0, start, n, copyBoxesOf);
        expect(Buffer.from(bytesAt(target)).equals(bytesOfView(byThemselves))).toBe(true);
        expect(byThemselves.byteLength).toBe(n * bytesOf(type));
      }),
      { numRuns: tries(800) },
    );
  });

  it("are picked run by run", () => {
    const picked = fc.record({
      type: fc.constantFrom(...DTYPES),
      outer: fc.integer({ min: 1, max: 3 }),
      run: fc.integer({ min: 1, max: 9 }),
      size: fc.integer({ min: 1, max: 30 }),
      numbers: fc.array(fc.nat(1000), { minLength: 1, maxLength: 60 }),
      isHeld: fc.boolean(),
    });
    fc.assert(
      fc.property(picked, ({ type, outer, run, size, numbers, isHeld }) => {
        const held = made(type, outer * size * run);
        const source = isHeld ? held : held.slice(); // small arrays elsewhere are put into the memory of kernels
        const picks = Uint32Array.from(numbers, (x) => x % size);
        const results = [arrays, new ArrayMemory()].map((memory) => {
          const target = made(type, outer * picks.length * run + 20);
          copyPicked(memory, type, source, target, { outer, size, run, picks });
          return Buffer.from(bytesAt(target));
        });
        expect(results[0]!.equals(results[1]!)).toBe(true);
      }),
      { numRuns: tries(500) },
    );
  });
});
