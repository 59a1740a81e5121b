/**
 * What a reduction does with rows of numbers: sums, products, extremes in f64, complex products in pairs of f64, and 64-bit
 * integers in pairs of 32-bit halves. Knows plain arrays only.
 *
 * Order: sums and products of f64 start from 0 and 1 and take eight rows at a time as ((a+b)+(c+d))+((e+f)+(g+h)), then the
 * remaining rows one by one. Complex sums are sums of the parts. Complex products start from the first row and take the
 * others one by one. Extremes and integers do not depend on the order.
 */
import { multiply as multiplyOne } from "../../core/complex-math";
import { max, min, multiply } from "../../core/int64";

/** Arrays that reductions work in. */
export type Work = Float64Array | Int32Array;

/** How rows of `width` entries are folded into a row of accumulators. */
export interface Kernel<A extends Work> {
  readonly create: (length: number) => A;
  /** Begins accumulators at `at`; returns how many of the rows at `from` it used up. */
  readonly start: (sums: A, at: number, x: A, from: number, width: number) => 0 | 1;
  /** Folds `rows` packed rows (at least one) into the accumulators; may overwrite them. */
  readonly rows: (sums: A, at: number, x: A, from: number, rows: number, width: number) => void;
  /** Folds one row of accumulators into another of the same array; `left` comes first. */
  readonly join: (sums: A, left: number, right: number, width: number) => void;
}

const floats = (length: number): Float64Array => new Float64Array(length);
const halves = (length: number): Int32Array => new Int32Array(length);

function startWith(identity: number): Kernel<Float64Array>["start"] {
  return (sums, at, _x, _from, width) => {
    for (let c = 0; c < width; c++) sums[at + c] = identity;
    return 0;
  };
}

/** Begins with a copy of the first row. */
function startWithFirst(sums: Work, at: number, x: Work, from: number, width: number): 1 {
  for (let c = 0; c < width; c++) sums[at + c] = x[from + c]!;
  return 1;
}

export const f64Sum: Kernel<Float64Array> = {
  create: floats,
  start: startWith(0),
  rows(sums, at, x, from, rows, width) {
    let r = 0;
    let i = from;
    const w = width;
    for (; r + 8 <= rows; r += 8, i += 7 * w) {
      for (let c = at; c < at + w; c++, i++) {
        const low = x[i]! + x[i + w]! + (x[i + 2 * w]! + x[i + 3 * w]!);
        const high = x[i + 4 * w]! + x[i + 5 * w]! + (x[i + 6 * w]! + x[i + 7 * w]!);
        sums[c]! += low + high;
      }
    }
    for (; r < rows; r++) for (let c = at; c < at + w; c++, i++) sums[c]! += x[i]!;
  },
  join(sums, left, right, width) {
    for (let c = 0; c < width; c++) sums[left + c]! += sums[right + c]!;
  },
};

export const f64Product: Kernel<Float64Array> = {
  create: floats,
  start: startWith(1),
  rows(sums, at, x, from, rows, width) {
    let r = 0;
    let i = from;
    const w = width;
    for (; r + 8 <= rows; r += 8, i += 7 * w) {
      for (let c = at; c < at + w; c++, i++) {
        const low = x[i]! * x[i + w]! * (x[i + 2 * w]! * x[i + 3 * w]!);
        const high = x[i + 4 * w]! * x[i + 5 * w]! * (x[i + 6 * w]! * x[i + 7 * w]!);
        sums[c]! *= low * high;
      }
    }
    for (; r < rows; r++) for (let c = at; c < at + w; c++, i++) sums[c]! *= x[i]!;
  },
  join(sums, left, right, width) {
    for (let c = 0; c < width; c++) sums[left + c]! *= sums[right + c]!;
  },
};

/**
 * `Math.max` is what is wanted: NaN wins, -0 is less than 0. It is asked only where a plain comparison does not settle it.
 * The rows are in cache, so each column is followed by itself.
 */
export const f64Max: Kernel<Float64Array> = {
  create: floats,
  start: startWithFirst,
  rows(sums, at, x, from, rows, width) {
    for (let c = 0; c < width; c++) {
      const end = from + rows * width;
      let held = sums[at + c]!;
      for (let i = from + c; i < end; i += width) if (!(x[i]! < held)) held = Math.max(held, x[i]!);
      sums[at + c] = held;
    }
  },
  join(sums, left, right, width) {
    for (let c = 0; c < width; c++) sums[left + c] = Math.max(sums[left + c]!, sums[right + c]!);
  },
};

export const f64Min: Kernel<Float64Array> = {
  create: floats,
  start: startWithFirst,
  rows(sums, at, x, from, rows, width) {
    for (let c = 0; c < width; c++) {
      const end = from + rows * width;
      let held = sums[at + c]!;
      for (let i = from + c; i < end; i += width) if (!(x[i]! > held)) held = Math.min(held, x[i]!);
      sums[at + c] = held;
    }
  },
  join(sums, left, right, width) {
    for (let c = 0; c < width; c++) sums[left + c] = Math.min(sums[left + c]!, sums[right + c]!);
  },
};

/** 1 where no entry is zero; NaN is not, -0 is. */
export const allTrue: Kernel<Float64Array> = {
  create: floats,
  start: startWith(1),
  rows(sums, at, x, from, rows, width) {
    for (let c = 0; c < width; c++) {
      const end = from + rows * width;
      let held = sums[at + c]!;
      for (let i = from + c; i < end; i += width) if (x[i] === 0) held = 0;
      sums[at + c] = held;
    }
  },
  join(sums, left, right, width) {
    for (let c = 0; c < width; c++) if (sums[right + c] === 0) sums[left + c] = 0;
  },
};

/** 1 where some entry is not zero. */
export const anyTrue: Kernel<Float64Array> = {
  create: floats,
  start: startWith(0),
  rows(sums, at, x, from, rows, width) {
    for (let c = 0; c < width; c++) {
      const end = from + rows * width;
      let held = sums[at + c]!;
      for (let i = from + c; i < end; i += width) if (x[i] !== 0) held = 1;
      sums[at + c] = held;
    }
  },
  join(sums, left, right, width) {
    for (let c = 0; c < width; c++) if (sums[right + c] !== 0) sums[left + c] = 1;
  },
};

function multiplyComplex(sums: Float64Array, at: number, x: Float64Array, from: number, width: number): void {
  for (let c = 0; c < width; c += 2) {
    multiplyOne(sums[at + c]!, sums[at + c + 1]!, x[from + c]!, x[from + c + 1]!, sums, at + c);
  }
}

export const c128Product: Kernel<Float64Array> = {
  create: floats,
  start: startWithFirst,
  rows(sums, at, x, from, rows, width) {
    for (let r = 0; r < rows; r++) multiplyComplex(sums, at, x, from + r * width, width);
  },
  join(sums, left, right, width) {
    multiplyComplex(sums, left, sums, right, width);
  },
};

/** Sums modulo 2^64; written out, since every sum of large integers runs through it. */
function addHalves(sums: Int32Array, at: number, x: Int32Array, from: number, rows: number, width: number): void {
  if (width === 2) return addColumn(sums, at, x, from, rows);
  for (let r = 0, i = from; r < rows; r++) {
    for (let c = at; c < at + width; c += 2, i += 2) {
      const lo = (sums[c]! >>> 0) + (x[i]! >>> 0);
      sums[c] = lo;
      sums[c + 1]! += x[i + 1]! + (lo >= 2 ** 32 ? 1 : 0);
    }
  }
}

/** One column: the halves add up on their own in doubles, the carry follows. */
function addColumn(sums: Int32Array, at: number, x: Int32Array, from: number, rows: number): void {
  let lo = sums[at]! >>> 0;
  let hi = sums[at + 1]!;
  for (let i = from; i < from + 2 * rows; i += 2) {
    lo += x[i]! >>> 0;
    hi += x[i + 1]!;
  }
  sums[at] = lo;
  sums[at + 1] = hi + Math.floor(lo / 2 ** 32);
}

export const i64Sum: Kernel<Int32Array> = {
  create: halves,
  start: startWithFirst,
  rows: addHalves,
  join: (sums, left, right, width) => addHalves(sums, left, sums, right, 1, width),
};

type BlockOp = (out: Int32Array, a: Int32Array, b: Int32Array, n: number) => void;

/** A kernel of one of the block functions on 64-bit integers: the rows are folded in half until one is left. */
function halvesKernel(op: BlockOp): Kernel<Int32Array> {
  const combine = (a: Int32Array, i: number, b: Int32Array, j: number, length: number): void => {
    const target = a.subarray(i, i + length);
    op(target, target, b.subarray(j, j + length), length / 2);
  };
  return {
    create: halves,
    start: startWithFirst,
    rows(sums, at, x, from, rows, width) {
      for (let left = rows, half; left > 1; left -= half) {
        half = left >>> 1;
        combine(x, from, x, from + (left - half) * width, half * width);
      }
      combine(sums, at, x, from, width);
    },
    join: (sums, left, right, width) => combine(sums, left, sums, right, width),
  };
}

export const i64Product = halvesKernel(multiply);
export const s64Max = halvesKernel((out, a, b, n) => max(out, a, b, n, true));
export const u64Max = halvesKernel((out, a, b, n) => max(out, a, b, n, false));
export const s64Min = halvesKernel((out, a, b, n) => min(out, a, b, n, true));
export const u64Min = halvesKernel((out, a, b, n) => min(out, a, b, n, false));
