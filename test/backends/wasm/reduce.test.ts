/** Reductions, arg-reductions and running reductions in WebAssembly: bit for bit those of the binary backend. */
import fc from "fast-check";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import type { Attrs } from "../../../lib/backend";
import { binaryBackend } from "../../../lib/backends/binary";
import { inScratch, scratch, SLACK, views } from "../../../lib/backends/wasm/memory/linear";
import { BLOCK } from "../../../lib/kernel/recurrence";
import { finisher } from "../../../lib/backends/wasm/reduce/finisher";
import { wasmReduceOp } from "../../../lib/backends/wasm/reduce/reduce";
import { reducerFor } from "../../../lib/backends/wasm/reduce/reducers";
import { wasmCumulative } from "../../../lib/backends/wasm/reduce/scan";
import { wasmArgReduce } from "../../../lib/backends/wasm/reduce/search";
import { readyWorkers } from "../../../lib/backends/wasm/threads/index";
import {
  bytesOf as bytesOfType,
  DTYPES,
  isComplex,
  isFloat,
  isInteger,
  toAggregate,
  type DType,
} from "../../../lib/core/types";
import type { CumulativeOp, ReduceOp } from "../../../lib/ops";
import { Tensor } from "../../../lib/tensor";
import { tune } from "../../../lib/backends/tuning";
import * as s from "../binary/support";
import { orResident } from "./residency";
import { sampled, tries } from "../../effort";
import { arrayOf } from "../../array-of";

const REAL = orResident(
  DTYPES.filter((type) => !isComplex(type)),
  2,
);
const OPS: readonly ReduceOp[] = ["sum", "product", "reduceMax", "reduceMin", "all", "any"];
const RUNNING: readonly CumulativeOp[] = ["cumulativeSum", "cumulativeProduct", "cumulativeMax", "cumulativeMin"];

const kept = (shape: readonly number[], axes: readonly number[]) => shape.filter((_, axis) => !axes.includes(axis));

function checkReduce(op: ReduceOp, x: Tensor, axes: readonly number[]): void {
  const truth = op === "all" || op === "any";
  const order = op === "reduceMax" || op === "reduceMin";
  const type = truth ? "u8" : order ? x.type : toAggregate(x.type);
  const shape = kept(x.shape, axes);
  const out = { type, shape, names: s.unnamed(shape) };
  const attrs = { op, axes, keepAxes: false };
  s.expectSameData(type, shape, wasmReduceOp(out, [x], attrs), binaryBackend.reduceOp(out, [x], attrs));
}

function checkArg(x: Tensor, attrs: Attrs["argReduce"]): void {
  const shape = attrs.axis === null ? [] : kept(x.shape, [attrs.axis]);
  const out = { type: "s64" as const, shape, names: s.unnamed(shape) };
  s.expectSameData("s64", shape, wasmArgReduce(out, [x], attrs), binaryBackend.argReduce(out, [x], attrs));
}

function checkRunning(x: Tensor, attrs: Attrs["cumulative"]): void {
  const { type, shape } = x;
  const out = { type, shape, names: s.unnamed(shape) };
  s.expectSameData(type, shape, wasmCumulative(out, [x], attrs), binaryBackend.cumulative(out, [x], attrs));
}

const SCALES = [-3, -2, -1, 0, 1, 2, 3].map((exponent) => 2 ** exponent);

/** Random numbers, and now and then a special one; with `few`, small integers so that many are equal. */
function filled(type: DType, shape: readonly number[], seed: number, mood: "plain" | "special" | "few"): Tensor {
  let state = seed | 1;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) | 0) / 2 ** 31;
  const specials = isInteger(type) ? [0, 1, 127] : [0, -0, NaN, Infinity, -Infinity, 1e-7];
  const length = s.sizeOf(shape) * (isComplex(type) ? 2 : 1);
  const whole = isInteger(type);
  const values = new Float64Array(length);
  for (let i = 0; i < length; i++) {
    if (mood === "few") values[i] = Math.floor(next() * 2);
    else if (mood === "special" && next() > 0.97)
      values[i] = specials[Math.floor((next() + 1) * 0.5 * specials.length)]!;
    else values[i] = whole ? Math.floor(next() * 2 ** 31) : 1 + next() * SCALES[Math.round(next() * 3) + 3]!;
  }
  if (type === "s64" || type === "u64") {
    return s.fromBytes(
      type,
      shape,
      new Uint8Array(BigInt64Array.from(values, (v) => BigInt(v) * 0x1_0000_4001n).buffer),
    );
  }
  if (!isComplex(type)) return s.fromNumbers(type, shape, values);
  const parts = s.fromNumbers(type === "c64" ? "f32" : "f64", [...shape, 2], values);
  return s.fromBytes(type, shape, binaryBackend.download(parts));
}

/** Beyond the size below which the binary backend does the work, around the ends of blocks, strips and pieces. */
const SHAPES: [number[], number[]][] = [
  [[1001], [0]],
  [[20, 33], [0]],
  [[33, 20], [1]],
  [[4096], [0]],
  [[16_385], [0]],
  [[70_001], [0]],
  [[600, 7], [1]],
  [[600, 8], [1]],
  [[33, 129], [1]],
  [[40, 128], [1]],
  [[2, 20_000], [1]],
  [[129, 67], [0]],
  [[128, 64], [0]],
  [[5000, 3], [0]],
  [[20_000, 2], [0]],
  [[7, 1001], [0]],
  [[1, 5001], [0]],
  [[140, 300], [0]],
  [[130, 1100], [0]],
  [[40, 4, 50], [1]],
  [[9, 130, 17], [1]],
  [
    [9, 130, 17],
    [0, 2],
  ],
  [
    [9, 130, 17],
    [0, 1],
  ],
  [
    [9, 130, 17],
    [1, 2],
  ],
  [
    [5, 9, 11, 13],
    [0, 2],
  ],
  [
    [5, 9, 11, 13],
    [1, 3],
  ],
];

const shapesNear = fc
  .array(fc.constantFrom(1, 2, 3, 4, 5, 7, 8, 9, 16, 33, 64, 127, 128, 129, 257), { minLength: 1, maxLength: 4 })
  .filter((shape) => s.sizeOf(shape) >= 512 && s.sizeOf(shape) <= 60_000);
const moods = fc.constantFrom("plain" as const, "special" as const, "few" as const);

describe("rows a multiple of a power of two apart, whose lines push each other out of caches", () => {
  it.each(["f16", "bf16", "f32", "f64", "s8", "s64"] as const)("of %s", (type) => {
    const columns = 512 / bytesOfType(type);
    for (const rows of sampled([20, 21, 22, 27, 31, 36, 73, 127, 128, 129, 136, 300], 4, type)) {
      for (const mood of ["plain", "special"] as const) {
        const x = filled(type, [rows, columns], rows, mood);
        for (const op of ["sum", "product"] as const) checkReduce(op, x, [0]);
        checkReduce("sum", filled(type, [2, rows, 2 * columns], rows, mood), [1]);
      }
    }
  });
});

it("rows of f32 that lie on more pages than processors know the places of", () => {
  for (const [rows, columns] of [
    [95, 1100],
    [96, 1024 + 3],
    [131, 1037],
    [260, 800],
  ] as const) {
    for (const mood of ["plain", "special"] as const) {
      for (const op of ["sum", "product"] as const) checkReduce(op, filled("f32", [rows, columns], rows, mood), [0]);
    }
  }
});

describe.each(REAL)("of %s", (type) => {
  it("shapes around the ends of blocks and pieces", () => {
    for (const [shape, axes] of sampled(SHAPES, 3, type)) {
      for (const mood of ["plain", "special"] as const) {
        const x = filled(type, shape, shape[0]!, mood);
        for (const op of OPS) checkReduce(op, x, axes);
      }
    }
  });

  it("any shape and axes", () => {
    const cases = shapesNear.chain((shape) =>
      fc.tuple(fc.constant(shape), fc.subarray(shape.map((_, axis) => axis)), fc.nat(), moods, fc.constantFrom(...OPS)),
    );
    fc.assert(
      fc.property(cases, ([shape, axes, seed, mood, op]) => checkReduce(op, filled(type, shape, seed, mood), axes)),
      { numRuns: tries(40) },
    );
  });

  it("positions of extremes", () => {
    const cases = shapesNear.chain((shape) =>
      fc.tuple(
        fc.constant(shape),
        fc.record({
          op: fc.constantFrom("argmax" as const, "argmin" as const),
          axis: fc.constantFrom(null, ...shape.map((_, axis) => axis)),
          keepAxis: fc.constant(false),
          tieBreak: fc.constantFrom("low" as const, "high" as const),
        }),
        fc.nat(),
        moods,
      ),
    );
    fc.assert(
      fc.property(cases, ([shape, attrs, seed, mood]) => checkArg(filled(type, shape, seed, mood), attrs)),
      { numRuns: tries(60) },
    );
  });

  it.each(sampled(SHAPES, 2, type))("positions in shape %j along the first of %j", (shape, [axis]) => {
    for (const mood of ["special", "few"] as const) {
      const x = filled(type, shape, 5, mood);
      checkArg(x, { op: "argmax", axis: axis!, keepAxis: false, tieBreak: "low" });
      checkArg(x, { op: "argmin", axis: axis!, keepAxis: false, tieBreak: "high" });
    }
  });

  it("running reductions", () => {
    const cases = shapesNear.chain((shape) =>
      fc.tuple(
        fc.constant(shape),
        fc.record({ op: fc.constantFrom(...RUNNING), axis: fc.nat(shape.length - 1), reverse: fc.boolean() }),
        fc.nat(),
        moods,
      ),
    );
    fc.assert(
      fc.property(cases, ([shape, attrs, seed, mood]) => checkRunning(filled(type, shape, seed, mood), attrs)),
      { numRuns: tries(40) },
    );
  });

  it.each(sampled(SHAPES, 2, `running ${type}`))(
    "running reductions in shape %j along the first of %j",
    (shape, [axis]) => {
      const x = filled(type, shape, 3, "special");
      for (const op of RUNNING) checkRunning(x, { op, axis: axis!, reverse: op === "cumulativeSum" });
    },
  );
});

describe.each(REAL)("short rows of %s", (type) => {
  // All up to twice a vector, and the ends of what counts as short; as many rows as are multiples of nothing, in one piece and in
  // two, the second of which has fewer rows than there are lanes.
  const lengths = [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 15, 16, 17, 24, 30, 31, 32, 33];
  it.each(sampled(lengths, 3, type))("of %i", (length) => {
    const inPiece = Math.floor(65_536 / bytesOfType(type) / length);
    for (const [rows, mood] of [
      [Math.ceil(4099 / length), "special"],
      [Math.max(inPiece, Math.ceil(4096 / length)) + 1, "few"],
    ] as const) {
      const x = filled(type, [rows, length], length, mood);
      for (const op of OPS) checkReduce(op, x, [1]);
      for (const op of ["argmax", "argmin"] as const) {
        for (const tieBreak of ["low", "high"] as const) checkArg(x, { op, axis: 1, keepAxis: false, tieBreak });
      }
    }
    const x = filled(type, [Math.ceil(4099 / length), length], length, "special");
    for (const op of RUNNING) for (const reverse of [false, true]) checkRunning(x, { op, axis: 1, reverse });
  });

  it("of which all are the last that is sought", () => {
    for (const value of isInteger(type) ? [0, -128, 127, 255] : [-Infinity, Infinity, NaN, -0]) {
      const x = s.fromNumbers(type, [1400, 3], new Float64Array(4200).fill(value));
      for (const op of OPS) checkReduce(op, x, [1]);
      for (const op of ["argmax", "argmin"] as const) {
        for (const tieBreak of ["low", "high"] as const) checkArg(x, { op, axis: 1, keepAxis: false, tieBreak });
      }
    }
  });

  it.each([64, 99, 100, 101])("of %i in which positions are sought", (length) => {
    for (const mood of ["special", "few"] as const) {
      const x = filled(type, [61, length], length, mood);
      for (const op of ["argmax", "argmin"] as const) {
        for (const tieBreak of ["low", "high"] as const) checkArg(x, { op, axis: 1, keepAxis: false, tieBreak });
      }
    }
  });
});

describe.each(REAL.filter(isFloat))("positions of extremes of %s where some numbers are rare", (type) => {
  /** What is sought below everything, with some numbers at places of the first axis. */
  const at = (shape: readonly number[], rare: Readonly<Record<number, number>>, usual: number): Tensor => {
    const [rows, each] = [shape[0]!, s.sizeOf(shape.slice(1))];
    const values = new Float64Array(rows * each).fill(usual);
    for (const [row, value] of Object.entries(rare)) values[Number(row) * each + (Number(row) % each)] = value;
    return s.fromNumbers(type, shape, values);
  };
  const cases: readonly [string, Readonly<Record<number, number>>, number][] = [
    ["one that is no number", { 19: NaN }, 1],
    ["several that are no numbers", { 3: NaN, 9: NaN, 40: NaN, 41: NaN }, -Infinity],
    ["numbers behind one that is none", { 7: NaN, 8: 5, 50: Infinity }, 0],
    ["both infinities", { 2: Infinity, 11: -Infinity, 30: Infinity, 44: -Infinity }, 3],
    ["both zeros", { 2: -0, 30: 0, 44: -0 }, 0],
  ];
  it.each(cases)("%s", (_, rare, usual) => {
    for (const shape of [
      [53, 100],
      [53, 7, 15],
      [53, 16],
    ]) {
      const x = at(shape, rare, usual);
      for (const op of ["argmax", "argmin"] as const) {
        for (const tieBreak of ["low", "high"] as const) {
          for (let axis = 0; axis < shape.length; axis++) checkArg(x, { op, axis, keepAxis: false, tieBreak });
        }
      }
    }
  });
});

/** Floats of every size and sign, NaNs among them; each second one is near the one before, so that sums are of both. */
function anyFloats(count: number, seed: number): Uint32Array {
  let state = seed | 1;
  let before = 0;
  return arrayOf(Uint32Array, count, (i) => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    const word = state ^ (state >>> 15);
    return (before = i % 2 === 0 ? word : before ^ (word & 0x83ff_ffff));
  });
}

it.each(sampled([1, 2, 3, 5], 2))("floats of every size in rows of %i are rounded once", (length) => {
  const rows = Math.ceil(50_000 / length);
  for (const seed of [1, 2]) {
    const x = s.fromBytes("f32", [rows, length], new Uint8Array(anyFloats(rows * length, seed).buffer));
    for (const op of OPS) checkReduce(op, x, [1]);
    for (const op of RUNNING) for (const reverse of [false, true]) checkRunning(x, { op, axis: 1, reverse });
  }
});

describe.each(orResident(["c64", "c128"] as const, 1))("of %s", (type) => {
  it.each(sampled(SHAPES, 4, type))("sums and truth in shape %j over axes %j", (shape, axes) => {
    for (const mood of ["plain", "few"] as const) {
      const x = filled(type, shape, 9, mood);
      for (const op of ["sum", "product", "all", "any"] as const) checkReduce(op, x, axes);
    }
  });
});

describe("extremes of half floats and signs of zero", () => {
  it.each(["f16", "bf16"] as const)("every value of %s", (type) => {
    const bits = arrayOf(Uint16Array, 65_536, (i) => (i * 40_503) & 0xffff);
    const x = s.fromBytes(type, [8192, 8], new Uint8Array(bits.buffer));
    for (const op of OPS) checkReduce(op, x, [1]);
    for (const op of OPS) checkReduce(op, x, [0]);
    for (const op of RUNNING) checkRunning(x, { op, axis: 1, reverse: false });
  });

  it.each(["f32", "f64", "f16"] as const)("zeros of %s", (type) => {
    const zeros = arrayOf(Float64Array, 8192, (i) => (i % 5 === 4 ? 0 : -0));
    for (const shape of [
      [512, 16],
      [4096, 2],
    ]) {
      for (const op of OPS) for (const axis of [0, 1]) checkReduce(op, s.fromNumbers(type, shape, zeros), [axis]);
    }
    const negative = s.fromNumbers(type, [8192], zeros.fill(-0));
    for (const op of OPS) checkReduce(op, negative, [0]);
    for (const op of RUNNING) checkRunning(negative, { op, axis: 0, reverse: false });
  });
});

it("a million tenths in f32 are a hundred thousand", () => {
  const x = s.fromBytes("f32", [1_000_000], new Uint8Array(new Float32Array(1_000_000).fill(0.1).buffer));
  const data = wasmReduceOp({ type: "f32", shape: [], names: [] }, [x], { op: "sum", axes: [0], keepAxes: false });
  expect(s.valuesOf(new Tensor(binaryBackend, data, "f32", [], []))).toEqual([100_000]);
});

describe("on several threads", () => {
  afterAll(() => {
    tune({ threads: null, sharedFrom: null });
  });

  it.each([
    [[1_000_003], [0]],
    [[1000, 700], [0]],
    [[1000, 700], [1]],
    [[90_000, 10], [1]],
    [[200_001, 3], [1]],
    [[10, 90_000], [0]],
    [[60, 70, 100], [1]],
  ])(
    "shape %j over %j gives the same bits",
    async (shape, axes) => {
      tune({ threads: 2, sharedFrom: 0 });
      const x = filled("f32", shape, 77, "special");
      // the first reading leaves an operand where it lies, the second takes it into the memory of kernels, where threads read it
      for (let reading = 0; reading < 2; reading++) checkReduce("sum", x, axes);
      await vi.waitFor(() => expect(readyWorkers()).toBe(1), 20_000);
      for (const op of OPS) checkReduce(op, x, axes);
      checkArg(x, { op: "argmax", axis: axes[0]!, keepAxis: false, tieBreak: "low" });
      checkRunning(x, { op: "cumulativeSum", axis: axes[0]!, reverse: false });
    },
    60_000,
  );
});

// Rows of one block whose columns are shared by several calls: any number of columns may be left for the last one.
it.each([1, 2])("columns that several calls share, %s threads", (threads) => {
  tune({ threads });
  try {
    for (const left of [0, 1, 2, 3, 4, 5, 15]) {
      for (const columns of [4000 + left, 4096 + left, 16_000 + left]) {
        const x = filled("f32", [33, columns], columns, "special");
        checkReduce("sum", x, [0]);
        checkReduce("reduceMax", x, [0]);
        checkArg(x, { op: "argmax", axis: 0, keepAxis: false, tieBreak: "high" });
      }
    }
  } finally {
    tune({ threads: null });
  }
});

it("folds piece by piece as it does at once", () => {
  const [rows, columns] = [1000, 13];
  const reducer = reducerFor("sum", "f32", { groups: 1, rows, columns }, "f32")!;
  const finish = finisher(reducer.entries[0]!, "f32", columns)!;
  const { run, blocks, join } = reducer.module.exports;
  inScratch(() => {
    const x = scratch(rows * columns * 4 + SLACK);
    const [whole, parts] = [scratch(columns * 8 + SLACK), scratch(8 * columns * 8 + SLACK)];
    const temp = scratch(reducer.tempBytes(rows, columns, 1));
    const rounded = scratch(64 + SLACK);
    const memory = views();
    for (let i = 0; i < rows * columns; i++) memory.f32[x / 4 + i] = Math.sin(i) * 10 ** (i % 7);
    run!(x, 1, 0, rows, columns * 4, columns, 0, whole, 0, temp);
    for (let row = 0, to = parts; row < rows; row += 2 * BLOCK, to += 2 * columns * 8) {
      blocks!(x + row * columns * 4, Math.min(2 * BLOCK, rows - row), columns * 4, columns, to);
    }
    join!(parts, 0, Math.ceil(rows / BLOCK), columns);
    const at = (address: number) => Array.from(memory.f64.subarray(address / 8, address / 8 + columns));
    expect(at(parts)).toEqual(at(whole));
    finish.run(whole, columns, rounded);
    expect(Array.from(memory.f32.subarray(rounded / 4, rounded / 4 + columns))).toEqual(at(whole).map(Math.fround));
  });
});

it("writes no more than both parts of complex numbers, behind which another thread writes", () => {
  const rows = 3 * BLOCK;
  const { blocks } = reducerFor("sum", "f32", { groups: 1, rows, columns: 2 }, "f32")!.module.exports;
  inScratch(() => {
    const [x, parts] = [scratch(rows * 8 + SLACK), scratch(8 * 8)];
    const memory = views();
    memory.f32.fill(1, x / 4, x / 4 + 2 * rows);
    memory.f64.fill(-1, parts / 8, parts / 8 + 8);
    blocks!(x, rows, 8, 2, parts);
    expect([...memory.f64.subarray(parts / 8, parts / 8 + 8)]).toEqual([
      ...Array.from({ length: 6 }, () => BLOCK),
      -1,
      -1,
    ]);
  });
});

describe("results of which there are few are rounded by a loop, as a kernel rounds them", () => {
  afterEach(() => tune({ compiledFrom: 0 }));

  it.each(["f32", "f16", "bf16"] as const)("to %s", (type) => {
    const numbers = [
      0,
      -0,
      1 / 3,
      -1e300,
      1e-45,
      65519.99,
      65520,
      6e-8,
      2 ** -150,
      1 + 2 ** -9,
      Infinity,
      -Infinity,
      NaN,
    ];
    const rounded = (compiledFrom: number | null): number[] => {
      tune({ compiledFrom });
      const finish = finisher("f64", type, numbers.length)!;
      return inScratch(() => {
        const [from, to] = [scratch(8 * numbers.length + SLACK), scratch(8 * numbers.length + SLACK)];
        views().f64.set(numbers, from / 8);
        finish.run(from, numbers.length, to);
        return Array.from(views().u8.slice(to, to + numbers.length * bytesOfType(type)));
      });
    };
    expect(rounded(null)).toEqual(rounded(0));
  });
});
