import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  columnsPacked,
  cutBlocks,
  cutConvolution,
  cutHandedOn,
  cutRegions,
} from "../../../lib/backends/wasm/schedule/contractions";
import { cutElements, cutRows, isForThreads } from "../../../lib/backends/wasm/schedule/element-wise";
import { cutLines, cutLongLines } from "../../../lib/backends/wasm/schedule/lines";
import { cutGroups, cutRowsOfGroups } from "../../../lib/backends/wasm/schedule/reductions";
import { cutSort } from "../../../lib/backends/wasm/schedule/sorts";
import { creditAfter, restAfter } from "../../../lib/backends/wasm/schedule/threads";

const STEP = 16;
const BLOCK = 128;

const threads = fc.integer({ min: 1, max: 16 });
const bytes = fc.constantFrom(1, 2, 4, 8, 16);
const upTo = (max: number): fc.Arbitrary<number> => fc.integer({ min: 1, max });

const elementwise = fc.record({
  size: upTo(2e7),
  widest: bytes,
  ops: upTo(100),
  staged: fc.boolean(),
  inPlace: fc.boolean(),
  transposedRow: fc.oneof(fc.constant(0), upTo(5000)),
  periods: fc.array(fc.oneof(fc.constant(0), upTo(5000)), { maxLength: 3 }),
});

const rows = fc.record({
  lines: upTo(5000),
  length: upTo(5000),
  full: fc.array(bytes, { minLength: 1, maxLength: 5 }),
  stages: upTo(5),
  folds: fc.integer({ min: 0, max: 3 }),
  ops: upTo(100),
  staged: fc.boolean(),
});

const reduction = fc.record({
  groups: upTo(3000),
  rows: upTo(3000),
  columns: upTo(3000),
  bytes: fc.constantFrom(1, 2, 4, 8),
  resident: fc.boolean(),
  sharedFrom: fc.constantFrom(Infinity, 0, 100_000),
});

/** Whether chunks of a span are all of the units, and none is empty. */
const covers = (units: number, { span, chunks }: { span: number; chunks: number }): void => {
  expect(span).toBeGreaterThan(0);
  expect(span * chunks).toBeGreaterThanOrEqual(units);
  expect(span * (chunks - 1)).toBeLessThan(units);
};

describe("the schedule", () => {
  it("cuts element-wise work into whole steps that cover it, with no more slots than chunks", () => {
    fc.assert(
      fc.property(elementwise, threads, (nest, count) => {
        const cut = cutElements(nest, count);
        covers(nest.size, cut);
        expect(cut.slots).toBeLessThanOrEqual(cut.chunks);
        if (cut.chunks > 1) expect(cut.span % STEP === 0 || cut.span % nest.transposedRow === 0).toBe(true);
        if (count === 1 || nest.inPlace) expect(cut.slots).toBe(1);
      }),
    );
  });

  it("cuts element-wise work that is not for threads in the same way for any number of them", () => {
    const views = fc.constantFrom(null, { isScattered: () => false });
    fc.assert(
      fc.property(elementwise, views, threads, upTo(10), (nest, viewed, count, loads) => {
        if (isForThreads(nest.size, nest.ops + loads)) return;
        expect(cutElements({ ...nest, viewed }, count)).toEqual(cutElements({ ...nest, viewed }, 1));
      }),
    );
  });

  it("cuts reductions of few bytes in the same way for any number of threads", () => {
    fc.assert(
      fc.property(reduction, fc.boolean(), threads, (one, isAtOnce, count) => {
        if (one.groups * one.rows * one.columns * one.bytes >= one.sharedFrom) return;
        expect(cutRowsOfGroups(one, count)).toEqual(cutRowsOfGroups(one, 1));
        if (isAtOnce) expect(cutGroups(one, true, count)).toEqual(cutGroups(one, true, 1));
      }),
    );
  });

  it("cuts what is copied from a transposed operand into lines of the cache of whole rows", () => {
    const viewed = { isScattered: () => false };
    const nest = { widest: 4, staged: true, inPlace: false, ops: 1, periods: [], viewed };
    const spanOf = (rows: number, length: number): number =>
      cutElements({ ...nest, size: rows * length, transposedRow: length }, 2).span;
    expect([spanOf(1000, 1000), spanOf(999, 1001)]).toEqual([64 * 1000, 64 * 1001]);
    expect(spanOf(100, 10_000) % STEP).toBe(0); // rows of which too few fit
  });

  it("has threads copy a piece right before they work on it, unless a piece reads little of each line", () => {
    const nest = { size: 1 << 20, widest: 4, staged: true, inPlace: false, ops: 8, transposedRow: 1024, periods: [] };
    const cutOf = (isScattered: boolean, threads: number) =>
      cutElements({ ...nest, viewed: { isScattered: () => isScattered } }, threads);
    expect([1, 2].map((threads) => cutOf(false, threads))).toMatchObject([
      { isInTurn: true, chunks: 16, slots: 1 },
      { isInTurn: true, chunks: 16, slots: 6 },
    ]);
    expect(cutOf(true, 2)).toMatchObject({ isTogether: true });
    expect(cutElements({ ...nest, inPlace: true, viewed: { isScattered: () => false } }, 2).slots).toBe(1);
  });

  it("does in one go what is resident and has one thread, or is written over its operands", () => {
    fc.assert(
      fc.property(elementwise, threads, (nest, count) => {
        const resident = { ...nest, staged: false };
        expect(cutElements(resident, 1).chunks).toBe(1);
        expect(cutElements({ ...resident, inPlace: true }, count).chunks).toBe(1);
      }),
    );
  });

  it("cuts lines, and parts of lines into whole blocks", () => {
    fc.assert(
      fc.property(rows, threads, (nest, count) => {
        const whole = cutLines(nest, count);
        covers(nest.lines, whole);
        expect(whole.slots).toBeLessThanOrEqual(whole.chunks);
        if (whole.isAtOnce) expect(whole.slots).toBe(whole.chunks);
        else expect(whole.each).toBe(whole.span);
        expect(whole.each).toBeGreaterThan(0);
        expect(whole.each).toBeLessThanOrEqual(whole.span);
        const { span, chunks } = cutLongLines(nest, count);
        expect(span % BLOCK).toBe(0);
        covers(nest.length, { span, chunks: chunks / nest.lines });
      }),
    );
  });

  it("cuts rows of reductions into powers of two of blocks: sums of equal parts are joined in pairs", () => {
    fc.assert(
      fc.property(reduction, threads, (nest, count) => {
        const { width, tiles, height, chunks, together } = cutRowsOfGroups(nest, count);
        expect(Math.log2(height / BLOCK) % 1).toBe(0);
        covers(nest.rows, { span: height, chunks });
        covers(nest.columns, { span: width, chunks: tiles });
        if (tiles > 1) expect(width % 16).toBe(0);
        expect(together).toBeGreaterThan(0);
        covers(nest.groups, cutGroups(nest, true, count));
        covers(nest.groups, cutGroups(nest, false, count));
      }),
    );
  });

  it("shares large reductions with threads, but none that is copied", () => {
    const slots = (resident: boolean, sharedFrom: number, count: number): number => {
      const nest = { groups: 100, rows: 128, columns: 128, bytes: 4, resident, sharedFrom };
      return cutGroups(nest, false, count).slots;
    };
    expect([slots(false, 0, 8), slots(true, 0, 8), slots(true, 0, 1)]).toEqual([1, 32, 1]);
    expect([slots(true, 6_553_600, 8), slots(true, 6_553_601, 8)]).toEqual([32, 1]);
  });

  it("cuts kernels around contractions into calls of whole steps", () => {
    fc.assert(
      fc.property(upTo(2e6), upTo(50), fc.boolean(), threads, (most, ops, staged, count) => {
        const { span, each } = cutBlocks({ most, ops, staged, step: STEP, row: 1 }, count);
        expect([span % STEP, each % STEP]).toEqual([0, 0]);
        expect(each).toBeGreaterThan(0);
      }),
    );
  });

  it("cuts no row of a kernel that goes row by row, and shares none that writes beyond its end", () => {
    fc.assert(
      fc.property(upTo(2e4), upTo(500), upTo(50), threads, (row, rows, ops, count) => {
        const { span, each } = cutBlocks({ most: row * rows, ops, staged: false, step: STEP, row }, count);
        fc.pre(row > 1);
        expect([span % row, each % row]).toEqual([0, 0]);
        if (row % STEP !== 0) expect(each).toBe(span);
      }),
    );
  });
});

describe("nests in the memory of kernels", () => {
  const resident = elementwise.map((nest) => ({ ...nest, staged: false, inPlace: false }));

  it("are cut for threads only where one alone takes long: more ops or more elements never make one whole again", () => {
    fc.assert(
      fc.property(resident, threads, upTo(100), upTo(1e6), (nest, count, ops, elements) => {
        const isShared = (size: number, all: number) => cutElements({ ...nest, size, ops: all }, count).chunks > 1;
        if (isShared(nest.size, nest.ops)) expect(isShared(nest.size + elements, nest.ops + ops)).toBe(true);
      }),
    );
  });

  it("are whole where they take less than a tenth of a millisecond", () => {
    const nest = { widest: 4, staged: false, inPlace: false, transposedRow: 0, periods: [] };
    expect(cutElements({ ...nest, size: 1e5, ops: 30 }, 2).chunks).toBe(1);
    expect(cutElements({ ...nest, size: 1e5, ops: 100 }, 2).chunks).toBeGreaterThan(1);
    expect(cutElements({ ...nest, size: 1e6, ops: 1 }, 2).chunks).toBeGreaterThan(1);
  });
});

describe("element-wise work by rows", () => {
  const cut = (row: number, rows: number, count: number) => {
    const nest = {
      size: row * rows,
      ends: rows > 1 ? [row, row * rows] : [row],
      widest: 4,
      ops: 1,
      least: 24,
    };
    return cutRows(nest, count);
  };

  it("is shared by threads in whole rows, or in whole steps of the only one", () => {
    expect([cut(800, 4000, 2), cut(801, 4000, 2), cut(801, 4000, 1)].map((one) => one?.isShared)).toEqual([
      true,
      true,
      false,
    ]);
    expect([cut(23, 4000, 1), cut(24, 4000, 1)?.groups, cut(32, 4000, 1)?.groups]).toEqual([null, 2, 4]);
    fc.assert(
      fc.property(upTo(4e6), threads, (row, count) => {
        const one = cut(row, 1, count);
        if (one?.isShared) expect(one.span % STEP).toBe(0);
      }),
    );
  });
});

describe("products of matrices", () => {
  const sizes = fc.record({ batch: upTo(40), m: upTo(2000), k: upTo(3000), n: upTo(3000) });

  it("are cut into regions of whole tiles, of which each element of the result has one", () => {
    fc.assert(
      fc.property(sizes, fc.constantFrom(2, 4, 6), fc.double({ min: 0, max: 1, noNaN: true }), (all, tile, part) => {
        const { batch, m, n } = all;
        const [matrix, row] = [Math.floor(part * (batch - 1)), Math.floor(part * (m - 1))];
        const whole = { matrix, count: batch - matrix, row, rows: m - row };
        const regions = cutRegions(all, tile, whole);
        let elements = 0;
        // of thousands of regions, so that what is wrong is expected once for all
        const wrong = regions.filter((r, i) => {
          elements += r.count * r.rows * r.columns;
          const isTiled = r.row + r.rows >= m || r.rows % tile === 0;
          const begins = Math.min(r.matrix - matrix, r.row - row, r.column) >= 0;
          const ends = r.matrix + r.count <= batch && r.row + r.rows <= m && r.column + r.columns <= n;
          const before = regions[i - 1] ?? { matrix: -1, row: 0, column: 0 };
          const order = [r.matrix - before.matrix, r.row - before.row, r.column - before.column];
          const isInOrder = order.find((step) => step !== 0)! > 0;
          return !(isTiled && begins && ends && isInOrder);
        });
        expect(wrong).toEqual([]);
        expect(elements).toBe(whole.count * whole.rows * n);
      }),
    );
  });

  it("are handed on by whole matrices, or by rows of one", () => {
    fc.assert(
      fc.property(sizes, bytes, (all, size) => {
        const { matrices, rows } = cutHandedOn(all, size);
        expect(rows === all.m || matrices === 1).toBe(true);
        expect(Math.min(matrices, rows)).toBeGreaterThan(0);
      }),
    );
  });

  it("are packed by whole panels", () => {
    fc.assert(
      fc.property(upTo(1e6), upTo(32), (k, panel) => {
        expect(columnsPacked(k, panel) % panel).toBe(0);
        expect(columnsPacked(k, panel)).toBeGreaterThan(0);
      }),
    );
  });
});

describe("convolutions", () => {
  it("are cut into parts of whole blocks, which are whole lines or whole tiles", () => {
    const lines = fc.oneof(fc.constant(0), upTo(3000));
    fc.assert(
      fc.property(upTo(20), upTo(300), upTo(2000), upTo(30), lines, upTo(9), (groups, rows, k, size, line, images) => {
        const positions = line > 0 ? size * line : 100 * size;
        const cut = cutConvolution({ groups, rows, k, positions, line, tile: 8 }, images);
        covers(positions, { span: cut.block, chunks: cut.blocks });
        expect(cut.block % (line > 0 ? line : 8)).toBe(0);
        expect(cut.units).toBe(images * groups * cut.blocks);
        covers(cut.units, { span: cut.share, chunks: cut.parts });
      }),
    );
  });
});

describe("sorts", () => {
  it("are cut into blocks of whole lines, of which each line has one", () => {
    fc.assert(
      fc.property(upTo(60), upTo(500), upTo(300), fc.boolean(), (before, n, columns, isShort) => {
        const after = isShort ? columns : 1;
        const { blocks, most } = cutSort([before, n, after], isShort);
        const seen = new Set<number>();
        for (const { first, groups, width } of blocks) {
          expect(groups * n * width).toBeLessThanOrEqual(most);
          for (let group = 0; group < groups; group++) {
            for (let column = 0; column < width; column++) seen.add(first + group * n * after + column);
          }
        }
        expect(blocks.reduce((lines, { groups, width }) => lines + groups * width, 0)).toBe(before * after);
        const lines = Array.from({ length: before * after }, (_, i) => Math.floor(i / after) * n * after + (i % after));
        expect(lines.filter((line) => !seen.has(line))).toEqual([]);
      }),
    );
  });
});

describe("the rest of threads after a call", () => {
  const times = fc.double({ min: 0.01, max: 5, noNaN: true });
  const part = (min: number, max: number) => fc.double({ min, max, noNaN: true });

  it("is none where several threads took at most a tenth longer than one", () => {
    fc.assert(
      fc.property(times, part(0, 1.099), (alone, of) => {
        expect(restAfter(creditAfter(0, of * alone, alone))).toBe(0);
      }),
    );
  });

  it("makes call and rest together take a tenth longer than one thread, unless it is as long as rests are", () => {
    fc.assert(
      fc.property(times, part(1.101, 100), (alone, of) => {
        const [taken, rest] = [of * alone, restAfter(creditAfter(0, of * alone, alone))];
        expect(rest).toBeGreaterThan(0);
        if (rest < 100) expect((taken + rest) / (alone + rest)).toBeCloseTo(1.1, 6);
        else expect(rest).toBe(100);
      }),
    );
  });

  it("is none where calls before have gained what this one loses, and no more than five milliseconds of that count", () => {
    let credit = 0;
    for (let i = 0; i < 100; i++) credit = creditAfter(credit, 0.5, 1);
    expect(restAfter(creditAfter(credit, 1.1 + 4.9, 1))).toBe(0);
    expect(restAfter(creditAfter(credit, 1.1 + 5.1, 1))).toBeCloseTo(1, 6);
  });

  it("ends also after the process was stopped for an hour", () => {
    expect(restAfter(creditAfter(5, 3_600_000, 1))).toBe(100);
  });
});
