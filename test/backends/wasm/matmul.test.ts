/** Products of matrices in the memory of kernels, against sums in double precision within the bound for any order. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { multiply, rowsHandedOn, type Epilogue, type Operand } from "../../../lib/backends/wasm/matmul/index";
import { inScratch, scratch, views } from "../../../lib/backends/wasm/memory/linear";
import type { Sizes } from "../../../lib/backends/wasm/schedule/contractions";
import { readyWorkers } from "../../../lib/backends/wasm/threads/index";
import { tune } from "../../../lib/backends/tuning";
import { EPSILON, expectWithin, numbers, real, sameNumbers, type Real } from "./contraction-support";
import { tries } from "../../effort";

type Floats = Float32Array | Float64Array;

const sizeOf = (type: Real): number => (type === "f32" ? 4 : 8);
const arrayOf = (type: Real, values: ArrayLike<number>): Floats =>
  type === "f32" ? Float32Array.from(values) : Float64Array.from(values);

/** How the matrices of an operand lie: by rows, by columns, or with room between rows and between elements. */
type Order = "rows" | "columns" | "spaced";
const order = (): fc.Arbitrary<Order> => fc.constantFrom("rows", "columns", "spaced");

interface Laid {
  readonly operand: Omit<Operand, "address">;
  readonly elements: Floats;
  readonly at: (i: number, row: number, column: number) => number;
}

function lay(type: Real, kind: Order, batch: number, rows: number, columns: number, seed: number): Laid {
  const column = kind === "columns" ? rows : kind === "spaced" ? 3 : 1;
  const row = kind === "columns" ? 1 : kind === "spaced" ? 3 * columns + 2 : columns;
  const each = kind === "spaced" ? rows * row + 5 : rows * columns;
  const elements = arrayOf(type, numbers(batch * each, seed));
  const offsets = Array.from({ length: batch }, (_, i) => i * each);
  return { operand: { offsets, row, column }, elements, at: (i, r, c) => elements[i * each + r * row + c * column]! };
}

interface Result {
  readonly c: Floats;
  readonly calls: readonly (readonly [start: number, count: number])[];
}

/** The product, with what may be done to it along the way. */
function product(type: Real, a: Laid, b: Laid, sizes: Sizes, after = false): Result {
  const size = sizeOf(type);
  const calls: [number, number][] = [];
  return inScratch(() => {
    const place = (elements: Floats) => {
      const address = scratch(elements.byteLength);
      views()[type].set(elements, address / size);
      return address;
    };
    const left = { address: place(a.elements), ...a.operand };
    const right = { address: place(b.elements), ...b.operand };
    const count = sizes.batch * sizes.m * sizes.n;
    const epilogue: Epilogue = {
      ...(after && {
        afterRows(start: number, rows: number, address: number) {
          calls.push([start, rows]);
          const view = views()[type];
          for (let i = address / size; i < address / size + rows * sizes.n; i++) view[i] = -view[i]!;
        },
      }),
    };
    // Guards on both sides: nothing beside the result may be written to.
    const around = scratch((count + 32) * size);
    views()[type].fill(77, around / size, around / size + count + 32);
    const c = around + 16 * size;
    multiply(type, left, right, c, sizes, epilogue);
    const view = views()[type];
    expect(view.slice(around / size, c / size)).toEqual(arrayOf(type, new Array<number>(16).fill(77)));
    expect(view.slice(c / size + count, c / size + count + 16)).toEqual(arrayOf(type, new Array<number>(16).fill(77)));
    return { c: view.slice(c / size, c / size + count), calls };
  });
}

function reference(a: Laid, b: Laid, { batch, m, k, n }: Sizes) {
  const values = new Float64Array(batch * m * n);
  const magnitudes = new Float64Array(batch * m * n);
  for (let i = 0, at = 0; i < batch; i++) {
    for (let r = 0; r < m; r++) {
      for (let c = 0; c < n; c++, at++) {
        for (let l = 0; l < k; l++) {
          const one = a.at(i, r, l) * b.at(i, l, c);
          values[at] = values[at]! + one;
          magnitudes[at] = magnitudes[at]! + Math.abs(one);
        }
      }
    }
  }
  return { values, magnitudes };
}

/** Products whose sums are made in the order that is promised, each step rounded. */
function inStretches(type: Real, a: Laid, b: Laid, { batch, m, k, n }: Sizes): Floats {
  const rounded = type === "f32" ? Math.fround : (x: number) => x;
  const c = arrayOf(type, new Float64Array(batch * m * n));
  for (let i = 0; i < c.length; i++) {
    const [matrix, row, column] = [Math.floor(i / m / n), Math.floor(i / n) % m, i % n];
    for (let start = 0; start < k; start += 256) {
      let sum = 0;
      for (let l = start; l < Math.min(k, start + 256); l++) {
        sum = rounded(sum + rounded(a.at(matrix, row, l) * b.at(matrix, l, column)));
      }
      c[i] = start === 0 ? sum : c[i]! + sum;
    }
  }
  return c;
}

function check(type: Real, sizes: Sizes, orders: readonly [Order, Order] = ["rows", "rows"]): void {
  const a = lay(type, orders[0], sizes.batch, sizes.m, sizes.k, 1);
  const b = lay(type, orders[1], sizes.batch, sizes.k, sizes.n, 2);
  expectWithin(product(type, a, b, sizes).c, reference(a, b, sizes), sizes.k, EPSILON[type]);
}

const side = (): fc.Arbitrary<number> => fc.integer({ min: 1, max: 70 });

describe("products of matrices", () => {
  it("of random sizes and strides, in batches", () => {
    const cases = fc.record({ batch: fc.integer({ min: 1, max: 4 }), m: side(), k: side(), n: side() });
    fc.assert(
      fc.property(real(), cases, order(), order(), (type, sizes, x, y) => check(type, sizes, [x, y])),
      { numRuns: tries(60) },
    );
  });

  it("sum from the first product to the last, in stretches of 256, packed or not", () => {
    const cases = fc.record({
      batch: fc.integer({ min: 1, max: 3 }),
      m: fc.integer({ min: 2, max: 40 }),
      k: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom(256, 257, 700)),
      n: fc.oneof(fc.integer({ min: 2, max: 40 }), fc.constantFrom(300, 513, 515, 516)),
    });
    const isInOrder = (type: Real, sizes: Sizes, x: Order, y: Order): void => {
      const a = lay(type, x, sizes.batch, sizes.m, sizes.k, 1);
      const b = lay(type, y, sizes.batch, sizes.k, sizes.n, 2);
      expect(product(type, a, b, sizes).c).toEqual(inStretches(type, a, b, sizes));
    };
    fc.assert(fc.property(real(), cases, order(), order(), isInOrder), { numRuns: tries(40) });
  });

  it("of sizes around those of tiles, regions and stretches of k", () => {
    for (const type of ["f32", "f64"] as const) {
      for (const m of [3, 4, 5]) for (const n of [3, 4, 5, 7, 8, 9]) check(type, { batch: 1, m, k: 5, n });
      for (const k of [255, 256, 257, 513]) check(type, { batch: 1, m: 5, k, n: 9 });
      for (const m of [31, 33, 127, 128, 129]) check(type, { batch: 1, m, k: 40, n: 17 });
      for (const n of [511, 512, 513]) check(type, { batch: 1, m: 9, k: 33, n });
      check(type, { batch: 1, m: 131, k: 300, n: 515 }, ["columns", "columns"]);
    }
  });

  it("by vectors from either side, in all orders", () => {
    const orders = ["rows", "columns", "spaced"] as const;
    for (const type of ["f32", "f64"] as const) {
      for (const x of orders) {
        for (const y of orders) {
          for (const [m, n] of [
            [1, 1],
            [1, 37],
            [37, 1],
            [2050, 1],
            [1, 4099],
          ] as const) {
            check(type, { batch: 2, m, k: 7, n }, [x, y]);
            check(type, { batch: 1, m, k: 1, n }, [x, y]);
          }
        }
      }
    }
  });

  it("of one step, which round once", () => {
    const sizes = { batch: 1, m: 21, k: 1, n: 19 };
    const [a, b] = [lay("f32", "rows", 1, 21, 1, 3), lay("f32", "rows", 1, 1, 19, 4)];
    expect(product("f32", a, b, sizes).c).toEqual(Float32Array.from(reference(a, b, sizes).values));
  });

  it("keeps what is not finite to the rows and columns it belongs to", () => {
    for (const type of ["f32", "f64"] as const) {
      for (const [m, k, n] of [
        [5, 6, 7],
        [1, 9, 6],
        [6, 9, 1],
        [4, 300, 8],
      ] as const) {
        const a = lay(type, "rows", 1, m, k, 5);
        const b = lay(type, "rows", 1, k, n, 6);
        a.elements[(m - 1) * k + 2] = Infinity;
        b.elements[2 * n] = 0;
        b.elements[3 * n + (n - 1)] = NaN;
        const { c } = product(type, a, b, { batch: 1, m, k, n });
        for (let i = 0; i < m; i++) {
          for (let j = 0; j < n; j++) {
            const got = c[i * n + j]!;
            // Infinity times 0 in the last row and first column; NaN in the last column.
            if (j === n - 1 || (i === m - 1 && j === 0)) expect(got).toBeNaN();
            else if (i === m - 1) expect(Math.abs(got)).toBe(Infinity);
            else expect(Math.abs(got)).toBeLessThan(k);
          }
        }
      }
    }
  });

  it("gives matrices at any distances from each other", () => {
    const elements = arrayOf("f32", numbers(40, 9));
    const placed = { elements, offsets: [20, 0, 5], row: 2, column: 1 };
    const sizes = { batch: 3, m: 2, k: 2, n: 2 };
    const laid: Laid = { operand: placed, elements, at: (i, r, c) => elements[placed.offsets[i]! + 2 * r + c]! };
    expectWithin(product("f32", laid, laid, sizes).c, reference(laid, laid, sizes), 2, EPSILON.f32);
  });
});

describe("epilogues", () => {
  const cases = fc.record({ batch: fc.integer({ min: 1, max: 3 }), m: side(), k: side(), n: side() });

  it("are handed every row once, in order", () => {
    fc.assert(
      fc.property(real(), cases, (type, sizes) => {
        const { batch, m, k, n } = sizes;
        const a = lay(type, "rows", batch, m, k, 7);
        const b = lay(type, "rows", batch, k, n, 8);
        const plain = product(type, a, b, sizes).c;
        const { c, calls } = product(type, a, b, sizes, true);
        expect(c).toEqual(plain.map((x) => -x));
        let next = 0;
        for (const [start, count] of calls) {
          expect(start).toBe(next);
          next += count;
        }
        expect(next).toBe(batch * m);
      }),
      { numRuns: 40 },
    );
  });

  it("hands on large results in parts", () => {
    const sizes = { batch: 2, m: 300, k: 3, n: 1500 };
    const [a, b] = [lay("f32", "rows", 2, 300, 3, 1), lay("f32", "rows", 2, 3, 1500, 2)];
    const plain = product("f32", a, b, sizes).c;
    const { c, calls } = product("f32", a, b, sizes, true);
    expect(calls.length).toBeGreaterThan(2);
    const negated = plain.map((x) => -x);
    expect(sameNumbers(c, negated)).toBe(true);
  });

  it("is handed rows that pass through room for no more than these", () => {
    for (const sizes of [
      { batch: 2, m: 300, k: 3, n: 1500 },
      { batch: 900, m: 17, k: 5, n: 33 },
      { batch: 2, m: 1, k: 9, n: 70 },
    ]) {
      const { batch, m, k, n } = sizes;
      const [a, b] = [lay("f32", "rows", batch, m, k, 1), lay("f32", "rows", batch, k, n, 2)];
      const passed = new Float32Array(batch * m * n);
      inScratch(() => {
        const [left, right] = [a, b].map(({ elements, operand }) => {
          const address = scratch(elements.byteLength);
          views().f32.set(elements as Float32Array, address / 4);
          return { address, ...operand };
        }) as [Operand, Operand];
        const most = rowsHandedOn("f32", sizes);
        const c = scratch(4 * most * n);
        multiply("f32", left, right, c, sizes, {
          passing: true,
          afterRows(start, rows, address) {
            expect([address, rows <= most]).toEqual([c, true]);
            passed.set(views().f32.subarray(c / 4, c / 4 + rows * n), start * n);
          },
        });
      });
      expect(sameNumbers(passed, product("f32", a, b, sizes).c)).toBe(true);
    }
  });
});

describe("threads", () => {
  beforeAll(() => tune({ threads: 3 }));
  afterAll(() => tune({ threads: null }));

  it("leave every bit as it is", async () => {
    const shapes = [
      [1, 200, 300, 520],
      [6, 70, 64, 90],
      [1, 1, 600, 5000],
      [1, 5000, 600, 1],
    ] as const;
    const products = () =>
      shapes.map(
        ([batch, m, k, n]) =>
          product("f32", lay("f32", "rows", batch, m, k, 1), lay("f32", "rows", batch, k, n, 2), { batch, m, k, n }).c,
      );
    products();
    await expect.poll(readyWorkers, { timeout: 10_000 }).toBe(2);
    const divided = products();
    tune({ threads: 1 });
    products().forEach((whole, i) => expect(sameNumbers(divided[i]!, whole)).toBe(true));
  });
});
