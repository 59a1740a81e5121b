import { afterAll, describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { binaryBackend } from "../../../lib/backends/binary";
import { wasmBackend } from "../../../lib/backends/wasm";
import { PROGRAM_ELEMENTS } from "../../../lib/backends/wasm/schedule/programs";
import { readyWorkers } from "../../../lib/backends/wasm/threads/index";
import { tune } from "../../../lib/backends/tuning";
import { differences } from "../../defn/fuse/support";
import { layerNorm, logSoftmax, softmax, tensorsOf, type Fn } from "../../defn/fuse/rows-support";
import { sampled } from "../../effort";
import { orResident } from "./residency";

const squares: Fn = (a, b) => [
  a
    .subtract(b)
    .pow(2)
    .sum({ axes: [1] })
    .sqrt(),
  a.multiply(b),
];

/** Sizes of many pieces: short rows, long ones, one that no piece divides, and rows that are cut. */
const CASES: readonly (readonly [name: string, fn: Fn, shapes: readonly (readonly number[])[]])[] = [
  ["softmax", (x) => softmax(x), [[1000, 1000]]],
  ["softmax of short rows", (x) => softmax(x), [[100_003, 3]]],
  ["softmax of rows of 1", (x) => softmax(x), [[40_001, 1]]],
  ["softmax of rows of 2", (x) => softmax(x), [[40_002, 2]]],
  ["softmax of rows of 7", (x) => softmax(x), [[20_001, 7]]],
  ["softmax of rows of 31", (x) => softmax(x), [[5003, 31]]],
  ["softmax of rows of 32", (x) => softmax(x), [[5003, 32]]],
  ["softmax of long rows", (x) => softmax(x), [[37, 16_384]]],
  ["log-softmax", (x) => logSoftmax(x), [[999, 129]]],
  ["layer norm", layerNorm, [[1000, 700], [700], [700]]],
  ["layer norm by row", layerNorm, [[1000, 127], [1000, 1], [127]]],
  [
    "row values and full ones",
    (x) => [x.exp().sum({ axes: [1] }), x.subtract(x.reduceMin({ axes: [1], keepAxes: true }))],
    [[513, 515]],
  ],
  [
    "rows that are cut",
    squares,
    [
      [5, 100_001],
      [5, 100_001],
    ],
  ],
  [
    "one row that is cut",
    squares,
    [
      [1, 700_000],
      [1, 700_000],
    ],
  ],
];

afterAll(() => tune({ threads: null }));

/** Waits until as many threads take part as were asked for. */
async function threads(count: number): Promise<void> {
  tune({ threads: count });
  const any = Nx.iota([512, 512], { type: "f32", backend: wasmBackend });
  const fn = Nx.defn((x: Tensor) => softmax(x));
  for (let tries = 0; tries < 400 && readyWorkers() < count - 1; tries++) {
    fn(any);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(readyWorkers()).toBe(count - 1);
}

describe.each(orResident([1, 2, 3], 1))("row programs on %d threads", (count) => {
  it.each(sampled(CASES, 5, String(count)))(
    "give the bits of the binary backend: %s",
    { timeout: 30_000 },
    async (_name, fn, shapes) => {
      await threads(count);
      const reference = Nx.withDefaultBackend(binaryBackend, () => fn(...tensorsOf(binaryBackend, shapes, ["f32"])));
      const args = tensorsOf(wasmBackend, shapes, ["f32"]);
      const compiled = Nx.defn(fn as never) as Fn;
      const listed = (made: ReturnType<Fn>): readonly Tensor[] => [made].flat();
      for (let times = 0; times < 3; times++) {
        expect(differences(listed(compiled(...args)), listed(reference))).toBeNull();
      }
    },
  );
});

describe.each(["u8", "s16", "f16", "s32", "f32", "s64", "f64"] as const)("short lines of %s", (type) => {
  /** What there is one of for each line, what all lines share, and what is computed of lines, beside all elements. */
  const mixed: Fn = (x, row, column) => {
    const most = x!.reduceMax({ axes: [1], keepAxes: true });
    const y = most.subtract(x!).multiply(row!);
    return [y.sum({ axes: [1] }), y.add(column!).subtract(row!), x!.multiply(column!).add(most)];
  };
  it.each([1, 2, 3, 5, 8, 15, 16, 17, 31, 32])("of %i", (length) => {
    // More elements than programs take.
    const lines = Math.ceil((PROGRAM_ELEMENTS + 1) / length);
    const shapes = [
      [lines, length],
      [1, length],
      [lines, 1],
    ];
    const reference = Nx.withDefaultBackend(binaryBackend, () => mixed(...tensorsOf(binaryBackend, shapes, [type])));
    const compiled = Nx.defn(mixed as never) as Fn;
    const args = tensorsOf(wasmBackend, shapes, [type]);
    for (let times = 0; times < 2; times++) {
      expect(differences([compiled(...args)].flat(), [reference].flat())).toBeNull();
    }
  });
});

describe("nests of folds", () => {
  it("leaves operands alone and gives fresh results", () => {
    const [x] = tensorsOf(wasmBackend, [[9, 33]], ["f32"]);
    const before = x!.toBinary();
    const fn = Nx.defn((t: Tensor) => [softmax(t), t.sum({ axes: [1] })] as const);
    const [first] = fn(x!);
    const bytes = first.toBinary();
    fn(x!.multiply(2));
    expect(x!.toBinary()).toEqual(before);
    expect(first.toBinary()).toEqual(bytes);
  });
});
