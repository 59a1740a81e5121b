/**
 * What a reduction does with rows of numbers: sums, products, extremes in f64, complex products in pairs of f64, and 64-bit
 * integers in pairs of 32-bit halves. Knows plain arrays only.
 *
 * Order: sums and products of f64 have eight accumulators for each block of rows. They start from 0 and 1; accumulator j
 * takes rows j, j + 8, j + 16 and so on. In the end they are joined as ((a0+a4)+(a2+a6))+((a1+a5)+(a3+a7)): halves of
 * vectors of any length can do both. Complex sums are sums of the parts. Complex products start from the first row and
 * take the others one by one. Extremes and integers do not depend on the order.
 */
import { multiply as multiplyOne } from "../../core/complex-math";
import { max, min, multiply } from "../../core/int64";

/** Arrays that reductions work in. */
export type Work = Float64Array | Int32Array;

/** Rows of accumulators that sums and products have for a block. */
export const LANES = 8;

/** How rows of `width` entries are folded into a row of accumulators. */
export interface Kernel<A extends Work> {
  readonly create: (length: number) => A;
  /** Begins accumulators at `at`; returns how many of the rows at `from` it used up. */
  readonly start: (sums: A, at: number, x: A, from: number, width: number) => 0 | 1;
  /** Folds `rows` packed rows (at least one) into the accumulators; may overwrite them. */
  readonly rows: (sums: A, at: number, x: A, from: number, rows: number, width: number) => void;
  /** Folds one row of accumulators into another of the same array; `left` comes first. */
  readonly join: (sums: A, left: number, right: number, width: number) => void;
  /** Of kernels whose blocks have {@link LANES} rows of accumulators, to which `start` and `rows` then refer. */
  readonly lanes?: {
    /** Joins the accumulators of a block, leaving the result in the first row. */
    readonly close: (sums: A, at: number, width: number) => void;
    /** A whole block at once into a single row; may overwrite the block. */
    readonly block: (sums: A, at: number, x: A, from: number, rows: number, width: number) => void;
  };
}

const floats = (length: number): Float64Array => new Float64Array(length);
const halves = (length: number): Int32Array => new Int32Array(length);

function startWith(identity: number): Kernel<Float64Array>["start"] {
  return (sums, at, _x, _from, width) => {
    for (let c = 0; c < width; c++) sums[at + c] = identity;
    return 0;
  };
}

const startLanes = (identity: number): Kernel<Float64Array>["start"] => {
  const start = startWith(identity);
  return (sums, at, x, from, width) => start(sums, at, x, from, LANES * width);
};

/** Begins with a copy of the first row. */
function startWithFirst(sums: Work, at: number, x: Work, from: number, width: number): 1 {
  for (let c = 0; c < width; c++) sums[at + c] = x[from + c]!;
  return 1;
}

/** Pieces begin with a row of accumulator 0, so eight packed rows lie as their accumulators do. */
function addRows(sums: Float64Array, at: number, x: Float64Array, from: number, rows: number, width: number): void {
  const step = LANES * width;
  const end = from + rows * width;
  let first = from;
  // Twice as many rows at a time, so that accumulators are read and written half as often.
  for (; first + 2 * step <= end; first += 2 * step) {
    for (let to = at, i = first; to < at + step; to++, i++) sums[to] = sums[to]! + x[i]! + x[i + step]!;
  }
  for (; first < end; first += step) {
    const n = Math.min(step, end - first);
    for (let i = 0; i < n; i++) sums[at + i]! += x[first + i]!;
  }
}

function multiplyRows(
  sums: Float64Array,
  at: number,
  x: Float64Array,
  from: number,
  rows: number,
  width: number,
): void {
  const step = LANES * width;
  const end = from + rows * width;
  let first = from;
  // Twice as many rows at a time, so that accumulators are read and written half as often.
  for (; first + 2 * step <= end; first += 2 * step) {
    for (let to = at, i = first; to < at + step; to++, i++) sums[to] = sums[to]! * x[i]! * x[i + step]!;
  }
  for (; first < end; first += step) {
    const n = Math.min(step, end - first);
    for (let i = 0; i < n; i++) sums[at + i]! *= x[first + i]!;
  }
}

function addLanes(sums: Float64Array, at: number, width: number): void {
  const w = width;
  for (let i = at; i < at + w; i++) {
    const even = sums[i]! + sums[i + 4 * w]! + (sums[i + 2 * w]! + sums[i + 6 * w]!);
    const odd = sums[i + w]! + sums[i + 5 * w]! + (sums[i + 3 * w]! + sums[i + 7 * w]!);
    sums[i] = even + odd;
  }
}

function multiplyLanes(sums: Float64Array, at: number, width: number): void {
  const w = width;
  for (let i = at; i < at + w; i++) {
    const even = sums[i]! * sums[i + 4 * w]! * (sums[i + 2 * w]! * sums[i + 6 * w]!);
    const odd = sums[i + w]! * sums[i + 5 * w]! * (sums[i + 3 * w]! * sums[i + 7 * w]!);
    sums[i] = even * odd;
  }
}

/** A block of a few columns one by one, with the accumulators in locals. */
function addColumns(sums: Float64Array, at: number, x: Float64Array, from: number, rows: number, width: number): void {
  const w = width;
  const tail = rows % LANES;
  for (let c = 0; c < w; c++) {
    let a0 = 0;
    let a1 = 0;
    let a2 = 0;
    let a3 = 0;
    let a4 = 0;
    let a5 = 0;
    let a6 = 0;
    let a7 = 0;
    let i = from + c;
    for (const end = i + (rows - tail) * w; i < end; i += LANES * w) {
      a0 += x[i]!;
      a1 += x[i + w]!;
      a2 += x[i + 2 * w]!;
      a3 += x[i + 3 * w]!;
      a4 += x[i + 4 * w]!;
      a5 += x[i + 5 * w]!;
      a6 += x[i + 6 * w]!;
      a7 += x[i + 7 * w]!;
    }
    if (tail > 0) a0 += x[i]!;
    if (tail > 1) a1 += x[i + w]!;
    if (tail > 2) a2 += x[i + 2 * w]!;
    if (tail > 3) a3 += x[i + 3 * w]!;
    if (tail > 4) a4 += x[i + 4 * w]!;
    if (tail > 5) a5 += x[i + 5 * w]!;
    if (tail > 6) a6 += x[i + 6 * w]!;
    sums[at + c] = a0 + a4 + (a2 + a6) + (a1 + a5 + (a3 + a7));
  }
}

function multiplyColumns(
  sums: Float64Array,
  at: number,
  x: Float64Array,
  from: number,
  rows: number,
  width: number,
): void {
  const w = width;
  const tail = rows % LANES;
  for (let c = 0; c < w; c++) {
    let a0 = 1;
    let a1 = 1;
    let a2 = 1;
    let a3 = 1;
    let a4 = 1;
    let a5 = 1;
    let a6 = 1;
    let a7 = 1;
    let i = from + c;
    for (const end = i + (rows - tail) * w; i < end; i += LANES * w) {
      a0 *= x[i]!;
      a1 *= x[i + w]!;
      a2 *= x[i + 2 * w]!;
      a3 *= x[i + 3 * w]!;
      a4 *= x[i + 4 * w]!;
      a5 *= x[i + 5 * w]!;
      a6 *= x[i + 6 * w]!;
      a7 *= x[i + 7 * w]!;
    }
    if (tail > 0) a0 *= x[i]!;
    if (tail > 1) a1 *= x[i + w]!;
    if (tail > 2) a2 *= x[i + 2 * w]!;
    if (tail > 3) a3 *= x[i + 3 * w]!;
    if (tail > 4) a4 *= x[i + 4 * w]!;
    if (tail > 5) a5 *= x[i + 5 * w]!;
    if (tail > 6) a6 *= x[i + 6 * w]!;
    sums[at + c] = a0 * a4 * (a2 * a6) * (a1 * a5 * (a3 * a7));
  }
}

/** From this many columns on, whole rows are faster than columns one by one. */
const WIDE = 16;

/** A block: of many columns, its first eight rows become the accumulators. */
function addBlock(sums: Float64Array, at: number, x: Float64Array, from: number, rows: number, width: number): void {
  if (width < WIDE) return addColumns(sums, at, x, from, rows, width);
  if (rows > LANES) addRows(x, from, x, from + LANES * width, rows - LANES, width);
  for (let held = Math.min(rows, LANES), half = LANES / 2; half > 0; held = Math.min(held, half), half >>>= 1) {
    const n = (held - half) * width;
    for (let i = from, j = from + half * width; i < from + n; i++, j++) x[i]! += x[j]!;
  }
  // The accumulators would have started from 0, which takes the sign off -0.
  for (let c = 0; c < width; c++) sums[at + c] = x[from + c]! + 0;
}

function multiplyBlock(
  sums: Float64Array,
  at: number,
  x: Float64Array,
  from: number,
  rows: number,
  width: number,
): void {
  if (width < WIDE) return multiplyColumns(sums, at, x, from, rows, width);
  if (rows > LANES) multiplyRows(x, from, x, from + LANES * width, rows - LANES, width);
  for (let held = Math.min(rows, LANES), half = LANES / 2; half > 0; held = Math.min(held, half), half >>>= 1) {
    const n = (held - half) * width;
    for (let i = from, j = from + half * width; i < from + n; i++, j++) x[i]! *= x[j]!;
  }
  for (let c = 0; c < width; c++) sums[at + c] = x[from + c]!;
}

export const f64Sum: Kernel<Float64Array> = {
  create: floats,
  start: startLanes(0),
  rows: addRows,
  join(sums, left, right, width) {
    for (let c = 0; c < width; c++) sums[left + c]! += sums[right + c]!;
  },
  lanes: { close: addLanes, block: addBlock },
};

export const f64Product: Kernel<Float64Array> = {
  create: floats,
  start: startLanes(1),
  rows: multiplyRows,
  join(sums, left, right, width) {
    for (let c = 0; c < width; c++) sums[left + c]! *= sums[right + c]!;
  },
  lanes: { close: multiplyLanes, block: multiplyBlock },
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
