/** Reductions over windows by kernels: the bits of the reference for all types, and which windows kernels take. */
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { Attrs } from "../../../lib/backend";
import { elementsIn, toBytes, type ArrayData } from "../../../lib/backends/arrays/storage";
import { binaryBackend } from "../../../lib/backends/binary";
import { tune } from "../../../lib/backends/tuning";
import { windowOpFrom, windowsPlan } from "../../../lib/backends/wasm/elements/windows";
import { readyWorkers } from "../../../lib/backends/wasm/threads/index";
import { DTYPES, isComplex, isFloat, type DType } from "../../../lib/core/types";
import { Tensor } from "../../../lib/tensor";
import { tries } from "../../effort";
import * as s from "../binary/support";

const OPS = ["windowMax", "windowMin", "windowSum", "windowProduct"] as const;

/** All sizes by kernels. */
const windowOp = windowOpFrom(0);

interface Axis {
  readonly size: number;
  readonly window: number;
  readonly stride: number;
  readonly dilation: number;
  readonly padding: readonly [low: number, high: number];
}

const resultsOf = ({ size, window, stride, dilation, padding: [low, high] }: Axis): number =>
  Math.floor((low + size + high - (window - 1) * dilation - 1) / stride) + 1;

const axes = (): fc.Arbitrary<Axis[]> => {
  const small = (min: number, max: number) => fc.integer({ min, max });
  const axis = fc.record({
    size: small(1, 40),
    window: fc.oneof(small(1, 4), small(1, 9)),
    stride: small(1, 3),
    dilation: small(1, 2),
    padding: fc.tuple(small(-2, 5), small(-2, 5)),
  });
  return fc.array(axis, { minLength: 1, maxLength: 3 }).filter((all) => all.every((each) => resultsOf(each) > 0));
};

function templateOf(type: DType, all: readonly Axis[]) {
  const shape = all.map(resultsOf);
  return { type, shape, names: s.unnamed(shape) };
}

const attrsOf = (op: (typeof OPS)[number], all: readonly Axis[]): Attrs["windowOp"] => ({
  op,
  window: all.map(({ window }) => window),
  padding: all.map(({ padding }) => padding),
  strides: all.map(({ stride }) => stride),
  dilations: all.map(({ dilation }) => dilation),
});

/** Numbers of all magnitudes; now and then one of those that are not like others. */
function elements(type: DType, count: number, seed: number): number[] | bigint[] {
  let state = seed | 1;
  const next = (): number => (state = (Math.imul(state, 1664525) + 1013904223) | 0);
  if (type === "s64" || type === "u64") return Array.from({ length: count }, () => BigInt(next()) * BigInt(next()));
  if (!isFloat(type)) return Array.from({ length: count }, next);
  const odd = [NaN, Infinity, -Infinity, -0, 0, -0, 0];
  return Array.from({ length: count }, () => (next() >>> 26 === 0 ? odd[(next() >>> 8) % 7]! : next() / 2 ** 20));
}

const bits = (data: unknown, { type, shape, names }: ReturnType<typeof templateOf>) =>
  s.computedBitsOf(new Tensor(binaryBackend, data, type, shape, names));

describe.each(DTYPES.filter((type) => !isComplex(type)))("windows of %s", (type) => {
  it("have the bits of the reference", () => {
    fc.assert(
      fc.property(axes(), fc.constantFrom(...OPS), fc.integer(), (all, op, seed) => {
        const shape = all.map(({ size }) => size);
        const x = s.fromNumbers(type, shape, elements(type, s.sizeOf(shape), seed) as number[]);
        const out = templateOf(type, all);
        const attrs = attrsOf(op, all);
        expect(bits(windowOp(out, [x], attrs), out)).toEqual(bits(binaryBackend.windowOp(out, [x], attrs), out));
      }),
      { numRuns: tries(60) },
    );
  });
});

it.each([2, 3])("sums of zeros with a sign have none, from windows of %i", (window) => {
  const all = [{ size: 8, window, stride: 1, dilation: 1, padding: [0, 0] }] as const;
  const out = templateOf("f32", all);
  const x = s.fromNumbers("f32", [8], new Array<number>(8).fill(-0));
  const sums = new Tensor(binaryBackend, windowOp(out, [x], attrsOf("windowSum", all)), out.type, out.shape, out.names);
  expect(s.valuesOf(sums)).toEqual(new Array<number>(out.shape[0]!).fill(0));
});

it("of large tensors go by rows on any number of threads, with the bits of the reference", () => {
  const sizes = fc.record({
    images: fc.integer({ min: 1, max: 6 }),
    rows: fc.integer({ min: 10, max: 60 }),
    columns: fc.integer({ min: 16, max: 90 }),
    window: fc.integer({ min: 1, max: 3 }),
    stride: fc.constantFrom(1, 2),
    padding: fc.constantFrom([0, 0], [1, 1], [1, 0]) as fc.Arbitrary<Axis["padding"]>,
  });
  fc.assert(
    fc.property(
      sizes,
      fc.constantFrom("f32", "f64", "s32"),
      fc.constantFrom(...OPS),
      fc.constantFrom(1, 3),
      ({ images, rows, columns, window, stride, padding }, type, op, threads) => {
        tune({ threads });
        const still = { window: 1, stride: 1, dilation: 1, padding: [0, 0] as const };
        const moving = { window, stride, dilation: 1, padding };
        const all = [
          { size: images, ...still },
          { size: 8, ...still },
          { size: rows, ...moving },
          { size: columns, ...moving },
        ];
        const shape = all.map(({ size }) => size);
        const x = s.fromNumbers(type, shape, elements(type, s.sizeOf(shape), images * rows + columns) as number[]);
        const out = templateOf(type, all);
        const attrs = attrsOf(op, all);
        expect(bits(windowOp(out, [x], attrs), out)).toEqual(bits(binaryBackend.windowOp(out, [x], attrs), out));
      },
    ),
    { numRuns: tries(40) },
  );
  tune({ threads: null });
});

it("of tensors worth sharing are cut between rows that no other call writes to", async () => {
  tune({ threads: 3 });
  for (const [images, size] of [
    [12, 128],
    [12, 122],
    [400, 20],
  ] as const) {
    const all = [images, 16].map((size): Axis => ({ size, window: 1, stride: 1, dilation: 1, padding: [0, 0] }));
    const pooled = { size, window: 2, stride: 2, dilation: 1, padding: [0, 0] } as const;
    const shape = [images, 16, size, size];
    const x = s.fromNumbers("f32", shape, elements("s32", s.sizeOf(shape), size) as number[]);
    const axes = [...all, pooled, pooled];
    const [out, attrs] = [templateOf("f32", axes), attrsOf("windowMax", axes)];
    windowOp(out, [x], attrs);
    await vi.waitFor(() => expect(readyWorkers()).toBeGreaterThan(0), 20_000);
    const bytesOf = (data: unknown): Buffer =>
      Buffer.from(toBytes(elementsIn(data as ArrayData), "f32", s.sizeOf(out.shape)));
    const expected = bytesOf(binaryBackend.windowOp(out, [x], attrs));
    for (let i = 0; i < 5; i++) expect(bytesOf(windowOp(out, [x], attrs)).equals(expected)).toBe(true);
  }
  tune({ threads: null });
});

describe("the plan of windows", () => {
  const axis = (size: number, window: number, stride = 1, padding: Axis["padding"] = [0, 0]): Axis => ({
    ...{ size, window, stride, padding, dilation: 1 },
  });
  const passesOf = (type: DType, op: (typeof OPS)[number], all: readonly Axis[]): number => {
    const shape = all.map(({ size }) => size);
    const x = s.fromNumbers(type, shape, new Array<number>(s.sizeOf(shape)).fill(1));
    return windowsPlan(templateOf(type, all), x, attrsOf(op, all))?.passes.length ?? 0;
  };

  it.each([
    ["pooling is one pass", "f32", "windowMax", [axis(4, 1), axis(32, 2, 2), axis(32, 2, 2)], 1],
    ["so are small sums", "f32", "windowSum", [axis(64, 3, 1, [1, 1]), axis(64, 3, 1, [1, 1])], 1],
    ["so are extremes of few elements", "f32", "windowMax", [axis(64, 3), axis(64, 3)], 1],
    ["extremes of more elements go axis by axis", "f32", "windowMax", [axis(128, 3), axis(128, 3)], 2],
    ["results apart do not", "f32", "windowMax", [axis(128, 3, 2), axis(128, 3, 2)], 1],
    ["windows of two by two do not", "f32", "windowMax", [axis(512, 2), axis(512, 2)], 1],
    ["so are larger sums of floats", "f32", "windowSum", [axis(128, 3), axis(128, 3)], 1],
    ["extremes of many places go axis by axis", "f32", "windowMin", [axis(64, 9), axis(64, 9)], 2],
    ["sums of integers do, too", "s16", "windowSum", [axis(64, 9), axis(64, 9)], 2],
    ["sums of floats that go by blocks are left", "f32", "windowSum", [axis(4096, 7)], 0],
    ["large windows are left", "f32", "windowMax", [axis(4096, 200)], 0],
    ["results far apart are left", "f32", "windowMax", [axis(4096, 2, 256)], 0],
    ["little work is left", "f32", "windowMax", [axis(64, 2)], 0],
  ] as const)("%s", (_, type, op, all, passes) => {
    expect(passesOf(type, op, all)).toBe(passes);
  });
});
