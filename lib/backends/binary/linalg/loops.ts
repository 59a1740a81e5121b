/**
 * The loops that decompositions spend their time in, over rows of doubles, and the rooms that these lie in. Whoever has others
 * does the same operations in the same order, so that results are the same bits.
 */
import { plainWhole, type WholeLoops } from "./whole";

/** Rows of doubles in an array: where the first begins, and how far apart rows are. */
export interface Rows {
  readonly of: Float64Array;
  readonly at: number;
  readonly row: number;
}

/** The same of which elements of a row are `step` apart, too. */
interface Spaced extends Rows {
  readonly step: number;
}

/** Loops over doubles. */
export interface Loops {
  /**
   * `c[i][j] += sign a[i][k] b[k][j]` for all rows i and columns j and, one after the other, all steps k: the order in which an
   * element is added to is that of k, however the work is cut.
   */
  addProducts(sign: 1 | -1, c: Rows, a: Spaced, b: Rows, rows: number, columns: number, steps: number): void;
  /**
   * The products of rows of x with one row of y. Elements whose positions are the same modulo 8 are summed together; odd and even
   * sums are joined in pairs, then with each other; what is left behind eights goes by pairs to the first two sums.
   */
  dots(out: Float64Array, x: Rows, count: number, y: Rows, length: number): void;
  /**
   * Rotates the first row with the second, the second with the third, and so on, by `rotations`, a cosine and a sine for each pair:
   * x becomes `c x + s y` and y becomes `c y - s x`.
   */
  rotateRows(x: Rows, rotations: Float64Array, count: number, length: number): void;
}

/** Where doubles lie, and the loops that work on them there. */
export interface Workshop {
  readonly loops: Loops;
  readonly whole: WholeLoops;
  /** Rows of matrices up to which loops for whole ones take less time than those for parts of the work. */
  readonly wholeTo: number;
  /** Whether factors of 0 are left out. */
  readonly isCareful?: boolean;
  /** An array of zeros. */
  zeros(size: number): Float64Array;
  /** An array of any numbers, all of which whoever asks for it writes. */
  unset(size: number): Float64Array;
}

/** Rows of matrices up to which loops take less time than calls for parts of the work. */
export const ONE_LOOP_TO = 16;

const zeros = (size: number): Float64Array => new Float64Array(size);

const plainLoops: Loops = {
  addProducts(sign, c, a, b, rows, columns, steps) {
    for (let i = 0; i < rows; i++) {
      const to = c.at + i * c.row;
      const from = a.at + i * a.row;
      let k = 0;
      for (; k + 3 < steps; k += 4) addFour(c.of, to, sign, a, from + k * a.step, b, b.at + k * b.row, columns);
      if (k + 1 < steps) {
        addTwo(c.of, to, sign, a, from + k * a.step, b, b.at + k * b.row, columns);
        k += 2;
      }
      if (k < steps) addRow(c.of, to, sign * a.of[from + k * a.step]!, b.of, b.at + k * b.row, columns);
    }
  },
  dots(out, x, count, y, length) {
    for (let i = 0; i < count; i++) out[i] = dot(x.of, x.at + i * x.row, y.of, y.at, length);
  },
  rotateRows({ of, at, row }, rotations, count, length) {
    for (let i = 0; i < count; i++)
      rotate(of, at + i * row, at + (i + 1) * row, rotations[2 * i]!, rotations[2 * i + 1]!, length);
  },
};

/** Doubles of arrays that are used again and again: making arrays is most of the work on small matrices. */
const KEPT = 4096;

/** Arrays in the order in which the work on a matrix asked for them: that on the next matrix of a batch asks for the same sizes. */
const kept: Float64Array[] = [];
let next = 0;
let taken = 0;

/** The array that the work on the matrix before asked for here, if it was of this size. */
function again(size: number): Float64Array | null {
  const array = kept[next];
  return array?.length === size && taken + size <= KEPT ? array : null;
}

/** An array for this place, which is kept while there are few. */
function place(array: Float64Array): Float64Array {
  return (taken += array.length) > KEPT ? array : (kept[next++] = array);
}

/** In arrays of the engine. */
const plainWorkshop: Workshop = {
  loops: plainLoops,
  whole: plainWhole,
  wholeTo: ONE_LOOP_TO,
  zeros: (size) => place(again(size)?.fill(0) ?? zeros(size)),
  unset: (size) => place(again(size) ?? zeros(size)),
};

/** Works in arrays of the engine; none of them may be kept. */
export function workPlainly<T>(work: (workshop: Workshop) => T): T {
  next = 0;
  taken = 0;
  return work(plainWorkshop);
}

/**
 * The same for numbers that are not finite: factors of 0 are left out, so that an infinity spoils only what it is an operand of.
 */
export const carefulWorkshop: Workshop = {
  isCareful: true,
  whole: plainWhole,
  wholeTo: 0,
  zeros,
  unset: zeros,
  loops: {
    ...plainLoops,
    addProducts(sign, c, a, b, rows, columns, steps) {
      for (let i = 0; i < rows; i++) {
        for (let k = 0; k < steps; k++) {
          const f = sign * a.of[a.at + i * a.row + k * a.step]!;
          if (f !== 0) addRow(c.of, c.at + i * c.row, f, b.of, b.at + k * b.row, columns);
        }
      }
    },
  },
};

function addRow(x: Float64Array, a: number, f: number, y: Float64Array, b: number, count: number): void {
  for (let j = 0; j < count; j++) x[a + j]! += f * y[b + j]!;
}

/** Two steps at once, in their order. */
function addTwo(
  x: Float64Array,
  to: number,
  sign: 1 | -1,
  { of: a, step }: Spaced,
  from: number,
  { of: y, row }: Rows,
  b0: number,
  count: number,
): void {
  const f0 = sign * a[from]!;
  const f1 = sign * a[from + step]!;
  const b1 = b0 + row;
  for (let j = 0; j < count; j++) x[to + j] = x[to + j]! + f0 * y[b0 + j]! + f1 * y[b1 + j]!;
}

/** Four steps. */
function addFour(
  x: Float64Array,
  to: number,
  sign: 1 | -1,
  { of: a, step }: Spaced,
  from: number,
  { of: y, row }: Rows,
  b0: number,
  count: number,
): void {
  const f0 = sign * a[from]!;
  const f1 = sign * a[from + step]!;
  const f2 = sign * a[from + 2 * step]!;
  const f3 = sign * a[from + 3 * step]!;
  const b1 = b0 + row;
  const b2 = b1 + row;
  const b3 = b2 + row;
  for (let j = 0; j < count; j++) {
    x[to + j] = x[to + j]! + f0 * y[b0 + j]! + f1 * y[b1 + j]! + f2 * y[b2 + j]! + f3 * y[b3 + j]!;
  }
}

/** One of the products of `dots`. */
export function dot(x: Float64Array, a: number, y: Float64Array, b: number, length: number): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let s4 = 0;
  let s5 = 0;
  let s6 = 0;
  let s7 = 0;
  let k = 0;
  for (; k + 7 < length; k += 8) {
    s0 += x[a + k]! * y[b + k]!;
    s1 += x[a + k + 1]! * y[b + k + 1]!;
    s2 += x[a + k + 2]! * y[b + k + 2]!;
    s3 += x[a + k + 3]! * y[b + k + 3]!;
    s4 += x[a + k + 4]! * y[b + k + 4]!;
    s5 += x[a + k + 5]! * y[b + k + 5]!;
    s6 += x[a + k + 6]! * y[b + k + 6]!;
    s7 += x[a + k + 7]! * y[b + k + 7]!;
  }
  for (; k + 1 < length; k += 2) {
    s0 += x[a + k]! * y[b + k]!;
    s1 += x[a + k + 1]! * y[b + k + 1]!;
  }
  if (k < length) s0 += x[a + k]! * y[b + k]!;
  return s0 + s2 + (s4 + s6) + (s1 + s3 + (s5 + s7));
}

function rotate(x: Float64Array, a: number, b: number, c: number, s: number, length: number): void {
  for (let k = 0; k < length; k++) {
    const p = x[a + k]!;
    const q = x[b + k]!;
    x[a + k] = c * p + s * q;
    x[b + k] = c * q - s * p;
  }
}
