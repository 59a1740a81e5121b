/**
 * Reductions and searches of views where they lie: each result is made of the elements of the view, in their order, and the bits are those
 * of the binary backend, for one thread and several.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import type { Backend, DType, Tensor } from "nx-numerics";
import { binaryBackend } from "../../../lib/backends/binary";
import { wasmBackend } from "../../../lib/backends/wasm";
import { elementOf, runsOf, StridedView } from "../../../lib/backends/wasm/reduce/strided";
import { tune } from "../../../lib/backends/tuning";
import { isFloat } from "../../../lib/core/types";
import { accessOf } from "../../../lib/kernel/operand";
import { awkward, differences } from "../../defn/fuse/support";
import { arrayOf } from "../../array-of";

beforeAll(() => tune({ deferredFrom: 1024 }));
afterAll(() => tune({ threads: null, deferredFrom: null }));

type View = readonly [name: string, stored: readonly number[], view: (x: Tensor) => Tensor];

const VIEWS: readonly View[] = [
  ["the elements from the second one on", [40_001], (x) => x.slice([1], [40_000])],
  ["columns from the second one on", [130, 257], (x) => x.slice([0, 1], [130, 256])],
  ["three blocks of columns", [67, 390], (x) => x.slice([0, 1], [67, 384])],
  ["every second row", [260, 128], (x) => x.slice([1, 0], [259, 128], { strides: [2, 1] })],
  ["rows in reverse", [131, 256], (x) => x.reverse({ axes: [0] })],
  ["all in reverse", [20_003], (x) => x.reverse()],
  ["columns in reverse", [67, 300], (x) => x.reverse({ axes: [1] })],
  ["columns in reverse, short lines", [700, 30], (x) => x.reverse({ axes: [1] })],
  ["every second element", [40_003], (x) => x.slice([1], [40_001], { strides: 2 })],
  ["every second column", [67, 601], (x) => x.slice([0, 1], [67, 600], { strides: [1, 2] })],
  ["transposed", [512, 140], (x) => x.transpose()],
  ["transposed, every second column", [512, 70], (x) => x.transpose().slice([0, 0], [70, 511], { strides: [1, 2] })],
  ["transposed, few rows", [20_000, 3], (x) => x.transpose()],
  ["transposed, few columns", [7, 5000], (x) => x.transpose()],
  ["a row again and again", [256], (x) => x.broadcast([150, 256])],
  ["a column again and again", [150, 1], (x) => x.broadcast([150, 256])],
  ["middle axes exchanged", [12, 40, 36, 40], (x) => x.transpose({ axes: [0, 2, 1, 3] })],
  ["middle axes exchanged, short lines", [12, 40, 36, 20], (x) => x.transpose({ axes: [0, 2, 1, 3] })],
  ["runs of groups", [2, 520, 2, 128], (x) => x.transpose({ axes: [0, 2, 1, 3] })],
  ["a part of three axes", [30, 20, 70], (x) => x.slice([3, 1, 2], [20, 18, 64])],
  ["the last axis first", [200, 16, 16], (x) => x.transpose({ axes: [2, 0, 1] })],
  ["rows of two arrays", [64, 256], (x) => Nx.concatenate([x, x.reverse()], { axis: 1 }).reshape([128, 256])],
  ["axes in reverse", [6, 9, 4, 8, 10], (x) => x.transpose()],
  ["the first axis last", [8, 128, 64], (x) => x.transpose({ axes: [1, 2, 0] })],
];

const last = (x: Tensor): number => x.rank - 1;

/** Numbers of several sizes, whose sums have other bits in another order; sums of awkward ones are not numbers. */
function plain(backend: Backend, type: DType, stored: readonly number[]): Tensor {
  const length = stored.reduce((product, dim) => product * dim, 1);
  const numbers = arrayOf(Float64Array, length, (i) => Math.sin(i) * 10 ** (i % 7));
  const made = Nx.fromBinary(new Uint8Array(numbers.buffer), "f64", { backend }).asType(type).reshape(stored);
  Nx.evaluate(made);
  return made;
}

const WORKS: Readonly<Record<string, (x: Tensor) => Tensor>> = {
  "sums of all": (x) => x.sum(),
  "sums along the last axis": (x) => x.sum({ axes: [last(x)] }),
  "sums along the first axis": (x) => x.sum({ axes: [0] }),
  "extremes along the last axis": (x) => x.reduceMax({ axes: [last(x)] }),
  "extremes of all": (x) => x.reduceMin(),
  "sums along the first and the last axis": (x) => x.sum({ axes: [...new Set([0, last(x)])] }),
  "products of all": (x) => x.product(),
  "the first places along the last axis": (x) => x.argmax({ axis: last(x) }),
  "the last places along the first axis": (x) => x.argmin({ axis: 0, tieBreak: "high" }),
};

const TYPES: readonly DType[] = ["f32", "f64", "u8", "s64", "bf16"];

describe.each(VIEWS)("%s", (_, stored, view) => {
  const operands = new Map<string, readonly Tensor[]>();
  afterAll(() => operands.clear());

  /** What is viewed, made once for all works. */
  const operandsIn = (backend: Backend, type: DType): readonly Tensor[] => {
    const key = `${backend.name} ${type}`;
    const made =
      operands.get(key) ?? (isFloat(type) ? [awkward, plain] : [awkward]).map((dataIn) => dataIn(backend, type, stored, 1)); // prettier-ignore
    operands.set(key, made);
    return made;
  };

  const run = (backend: Backend, type: DType, work: (x: Tensor) => Tensor): Tensor[] =>
    Nx.withDefaultBackend(backend, () =>
      operandsIn(backend, type).map((x) => {
        const made = work(view(x));
        Nx.evaluate(made);
        return made;
      }),
    );

  it.each(Object.entries(WORKS))("%s", (_name, work) => {
    for (const type of TYPES) {
      const expected = run(binaryBackend, type, work);
      for (const threads of [1, 2]) {
        tune({ threads });
        expect(differences(run(wasmBackend, type, work), expected), type).toBeNull();
      }
    }
  });
});

const sizes = fc.array(fc.constantFrom(1, 2, 3, 4, 5, 8, 40, 128, 256), { minLength: 1, maxLength: 4 });
const views = sizes.chain((shape) =>
  fc.record({
    shape: fc.constant(shape),
    strides: fc.array(fc.constantFrom(0, 1, 2, 40, 128, 300, -1, -40), {
      minLength: shape.length,
      maxLength: shape.length,
    }),
    offset: fc.nat(1000),
    from: fc.nat(shape.length - 1),
    to: fc.nat(shape.length - 1),
  }),
);

/** The elements at all indices of axes. */
function elementsAt(shape: readonly number[], strides: readonly number[], offset: number): number[] {
  if (shape.length === 0) return [offset];
  const [dim, ...inner] = shape as [number, ...number[]];
  const [step, ...steps] = strides as [number, ...number[]];
  return Array.from({ length: dim }, (_, i) => elementsAt(inner, steps, offset + i * step)).flat();
}

it("groups begin where they lie, over any number of axes", () => {
  for (let axes = 0; axes <= 5; axes++) {
    const groups = { shape: [2, 3, 2, 4, 5].slice(5 - axes), strides: [1000, 7, -40, 300, 2].slice(5 - axes) };
    const begins = elementsAt(groups.shape, groups.strides, 90);
    const strided = {
      grid: { groups: begins.length, rows: 2, columns: 1 },
      offset: 90,
      groups,
      pitch: 1,
      by: 1,
    } as const;
    expect(begins.map((_, group) => elementOf(strided, group))).toEqual(begins);
    const [start, n] = [Math.floor(begins.length / 3), Math.ceil(begins.length / 2)];
    const runs = runsOf(strided, start, n);
    const seen = runs.flatMap(({ from, step, count }) => Array.from({ length: count }, (_, i) => from + i * step));
    expect(seen).toEqual(begins.slice(start, start + n));
    expect(runs.map(({ done }) => done)).toEqual(
      runs.map((_, i) => runs.slice(0, i).reduce((sum, { count }) => sum + count, 0)),
    );
  }
});

it("a view in place has the rows of the view for each result, in the order of both", () => {
  fc.assert(
    fc.property(views, ({ shape, strides, offset, from, to }) => {
      const [begin, end] = [Math.min(from, to), Math.max(from, to) + 1];
      const size = shape.reduce<number>((product, dim) => product * dim, 1);
      fc.pre(size < 50_000);
      const sizeIn = (axes: readonly number[]): number => axes.reduce((product, dim) => product * dim, 1);
      const grid = {
        groups: sizeIn(shape.slice(0, begin)),
        rows: sizeIn(shape.slice(begin, end)),
        columns: sizeIn(shape.slice(end)),
      };
      const view = new StridedView(accessOf(shape, strides, offset), grid);
      const whole = view.inPlace();
      const found = whole?.strided ?? view.inParts()?.strided;
      fc.pre(found !== undefined && found !== null);
      const elements = elementsAt(shape, strides, offset);
      const expected = Array.from({ length: grid.groups * grid.columns }, (_, i) =>
        Array.from({ length: grid.rows }, (_, row) => {
          const group = Math.floor(i / grid.columns);
          return elements[(group * grid.rows + row) * grid.columns + (i % grid.columns)]!;
        }),
      );
      const { grid: own, pitch } = found!;
      const made: number[][] = [];
      for (let group = 0; group < own.groups; group++) {
        for (let column = 0; column < own.columns; column++) {
          const first = elementOf(found!, group) + column;
          made.push(Array.from({ length: own.rows }, (_, row) => first + row * pitch));
        }
      }
      const { shape: kept, steps, offset: begins } = whole?.results ?? { shape: [made.length], steps: [1], offset: 0 };
      const results = elementsAt(kept, steps, begins).map((at) => made[at]!);
      expect(results.flat()).toEqual(expected.flat());
      const runs = runsOf(found!, 0, own.groups);
      const first = runs.flatMap(({ from: at, step, count }) => Array.from({ length: count }, (_, i) => at + i * step));
      expect(first).toEqual(Array.from({ length: own.groups }, (_, group) => elementOf(found!, group)));
    }),
    { numRuns: 300 },
  );
});
