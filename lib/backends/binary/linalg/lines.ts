/**
 * Matrices as contiguous lines (their rows or their columns, as an algorithm wants them), real or complex, and the few
 * operations on lines that all algorithms are made of. Work is in doubles, by the loops of the workshop that lines lie in.
 */
import { ONE_LOOP_TO, type Rows, type Workshop } from "./loops";

/** `count` lines of `length` numbers; `im` is null for real ones. */
export interface Lines {
  readonly on: Workshop;
  readonly count: number;
  readonly length: number;
  readonly re: Float64Array;
  readonly im: Float64Array | null;
}

/** Whether plain loops, which know no factors of 0 that are left out, do the same steps faster. */
export const isOneLoop = (a: Lines): boolean =>
  a.im === null && Math.max(a.count, a.length) <= ONE_LOOP_TO && !a.on.isCareful;

/** Whether there are loops for a whole matrix of so many rows. */
export const isWhole = (a: Lines): boolean => a.im === null && a.count <= a.on.wholeTo;

export function zeroLines(on: Workshop, count: number, length: number, isComplex: boolean): Lines {
  const size = count * length;
  return { on, count, length, re: on.zeros(size), im: isComplex ? on.zeros(size) : null };
}

/** Lines of any numbers, all of which whoever asks for them writes. */
export function unsetLines(on: Workshop, count: number, length: number, isComplex: boolean): Lines {
  const size = count * length;
  return { on, count, length, re: on.unset(size), im: isComplex ? on.unset(size) : null };
}

export function identityLines(on: Workshop, count: number, length: number, isComplex: boolean): Lines {
  const lines = zeroLines(on, count, length, isComplex);
  for (let i = 0; i < Math.min(count, length); i++) lines.re[i * length + i] = 1;
  return lines;
}

export function copyLines(x: Lines): Lines {
  const result = unsetLines(x.on, x.count, x.length, x.im !== null);
  result.re.set(x.re);
  result.im?.set(x.im!);
  return result;
}

/** Rows as columns, or the other way round; with `conjugate` the adjoint. */
export function transposeLines({ on, count, length, re, im }: Lines, conjugate = false): Lines {
  const result = unsetLines(on, length, count, im !== null);
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < length; j++) {
      result.re[j * count + i] = re[i * length + j]!;
      if (im) result.im![j * count + i] = conjugate ? -im[i * length + j]! : im[i * length + j]!;
    }
  }
  return result;
}

/** A complex number that some functions leave their result in. */
export const found = { re: 0, im: 0 };

/** A part of lines that a product reads: the position of its first element, how far apart its rows and its steps are. */
interface Part {
  readonly at: number;
  readonly row: number;
  readonly step: number;
  readonly conjugated?: boolean;
}

/** A part whose elements of a row lie side by side. */
type PartOfRows = Omit<Part, "step" | "conjugated">;

/** `c -= a b`: rows and columns of c, and so many steps between a and b. */
export function subtractProducts(
  [c, toC]: readonly [Lines, PartOfRows],
  [a, fromA]: readonly [Lines, Part],
  [b, fromB]: readonly [Lines, PartOfRows],
  [rows, columns, steps]: readonly [rows: number, columns: number, steps: number],
): void {
  if (rows <= 0 || columns <= 0 || steps <= 0) return;
  const { loops } = c.on;
  // Objects are written out: spreading takes longer than a small product.
  const to = { of: c.re, at: toC.at, row: toC.row };
  const left = { of: a.re, at: fromA.at, row: fromA.row, step: fromA.step };
  const right = { of: b.re, at: fromB.at, row: fromB.row };
  loops.addProducts(-1, to, left, right, rows, columns, steps);
  if (!c.im) return;
  const sign = fromA.conjugated ? -1 : 1;
  const [toIm, leftIm, rightIm] = [
    { ...to, of: c.im },
    { ...left, of: a.im! },
    { ...right, of: b.im! },
  ];
  loops.addProducts(sign, to, leftIm, rightIm, rows, columns, steps);
  loops.addProducts(-1, toIm, left, rightIm, rows, columns, steps);
  loops.addProducts(sign === 1 ? -1 : 1, toIm, leftIm, right, rows, columns, steps);
}

/** The sums of conj(x) y over positions `from` on, of lines of x from `first` on with line j of y, in the first `count` places of `out`. */
export function dotsWith(out: Lines, x: Lines, first: number, count: number, y: Lines, j: number, from: number): void {
  if (count <= 0) return;
  const { loops } = x.on;
  const length = x.length - from;
  const lines: Rows = { of: x.re, at: first * x.length + from, row: x.length };
  const line: Rows = { of: y.re, at: j * y.length + from, row: 0 };
  loops.dots(out.re, lines, count, line, length);
  if (!x.im) return;
  const [linesIm, lineIm, other] = [{ ...lines, of: x.im }, { ...line, of: y.im! }, x.on.zeros(count)];
  loops.dots(other, linesIm, count, lineIm, length);
  for (let i = 0; i < count; i++) out.re[i]! += other[i]!;
  loops.dots(out.im!, lines, count, lineIm, length);
  loops.dots(other, linesIm, count, line, length);
  for (let i = 0; i < count; i++) out.im![i]! -= other[i]!;
}

/** `x *= f` for a whole line. */
export function scaleLine(x: Lines, i: number, fr: number, fi: number): void {
  const a = i * x.length;
  for (let k = a; k < a + x.length; k++) {
    const re = x.re[k]!;
    if (x.im) {
      const im = x.im[k]!;
      x.re[k] = fr * re - fi * im;
      x.im[k] = fr * im + fi * re;
    } else x.re[k] = fr * re;
  }
}

/** Rotates `count` pairs of neighbouring lines, from `first` on to those behind it or, with `by` = -1, in front of it. */
export function rotateLines(x: Lines, first: number, by: 1 | -1, rotations: Float64Array, count: number): void {
  for (const of of x.im ? [x.re, x.im] : [x.re]) {
    x.on.loops.rotateRows({ of, at: first * x.length, row: by * x.length }, rotations, count, x.length);
  }
}

export function swapLines(x: Lines, i: number, j: number): void {
  if (i === j) return;
  for (const part of x.im ? [x.re, x.im] : [x.re]) {
    for (let a = i * x.length, b = j * x.length, k = 0; k < x.length; k++, a++, b++) {
      const held = part[a]!;
      part[a] = part[b]!;
      part[b] = held;
    }
  }
}

/** Positions in the order of a comparison; equal ones stay as they are. Few are put in their places one by one, which takes less than a sort. */
export function inOrder(count: number, compare: (i: number, j: number) => number): number[] {
  const order: number[] = [];
  for (let i = 0; i < count; i++) order.push(i);
  if (count > ONE_LOOP_TO) return order.sort(compare);
  for (let i = 1; i < count; i++) {
    let at = i;
    for (; at > 0 && compare(order[at - 1]!, i) > 0; at--) order[at] = order[at - 1]!;
    order[at] = i;
  }
  return order;
}

/** Numbers at the given positions, times a factor. */
export function chosen(values: Float64Array, order: readonly number[], factor = 1): Float64Array {
  const result = new Float64Array(order.length);
  for (let k = 0; k < order.length; k++) result[k] = values[order[k]!]! * factor;
  return result;
}

/** The lines at the given positions. */
export function pick(x: Lines, order: readonly number[]): Lines {
  const { length } = x;
  const result = unsetLines(x.on, order.length, length, x.im !== null);
  for (let i = 0, to = 0; i < order.length; i++) {
    for (let from = order[i]! * length, end = from + length; from < end; from++, to++) {
      result.re[to] = x.re[from]!;
      if (x.im) result.im![to] = x.im[from]!;
    }
  }
  return result;
}

/** Squares of numbers between this and its inverse neither overflow nor lose digits. */
const SQUARED_FROM = 2 ** -480;

/** The length of the vector of two numbers; the same on every engine, and without overflow. */
export function hypot(x: number, y: number): number {
  const most = Math.max(Math.abs(x), Math.abs(y));
  if (most > SQUARED_FROM && most < 1 / SQUARED_FROM) return Math.sqrt(x * x + y * y);
  if (most === 0 || !(most < Infinity)) return most;
  const [p, q] = [x / most, y / most];
  return most * Math.sqrt(p * p + q * q);
}

/** Entries that are to become 0 and are this small next to a matrix of ones are zero: they have too few digits to be turned away. */
export const SMALLEST = 2 ** -1000;

/** What numbers below {@link SQUARED_FROM} are multiplied by before they are divided: quotients of numbers of few digits have few. */
const ENLARGED = 2 ** 600;

/** The factor by which two numbers of this length are to be multiplied, so that their quotients by it are a cosine and a sine. */
export const enlarging = (length: number): number => (length < SQUARED_FROM ? ENLARGED : 1);

/** Multiplies the phase in `found` by that of another number, but for 0; gives the modulus of that number. */
export function joinPhase(re: number, im: number): number {
  const size = hypot(re, im);
  if (size === 0) return 0;
  const f = enlarging(size);
  const [x, y, length] = f === 1 ? [re, im, size] : [f * re, f * im, hypot(f * re, f * im)];
  const { re: pr, im: pi } = found;
  found.re = (pr * x - pi * y) / length;
  found.im = (pr * y + pi * x) / length;
  return size;
}

/** Largest modulus of a part of an element; NaN where there is one. */
export function largestPart({ re, im }: Lines): number {
  let most = 0;
  for (const part of im ? [re, im] : [re]) {
    for (let k = 0; k < part.length; k++) {
      const size = Math.abs(part[k]!);
      if (!(size <= most)) most = size;
      if (most !== most) return most;
    }
  }
  return most;
}

export const areFinite = ({ re, im, on }: Lines): boolean =>
  on.whole.areFinite(re) && (im === null || on.whole.areFinite(im));

/** Divides by a power of two close to the largest element, which is exact; gives that power. */
export function normalise(x: Lines): number {
  const most = largestPart(x);
  if (most === 0) return 1;
  const scale = 2 ** Math.max(-1000, Math.min(1000, Math.floor(Math.log2(most))));
  for (let k = 0; k < x.re.length; k++) {
    x.re[k]! /= scale;
    if (x.im) x.im[k]! /= scale;
  }
  return scale;
}

/**
 * Makes the component of largest modulus of a line real and positive; of several the first that is within rounding of it.
 * Leaves in `found` what the line was multiplied with.
 */
export function makePositive(x: Lines, i: number): void {
  const a = i * x.length;
  let most = 0;
  let at = a;
  for (let k = a; k < a + x.length; k++) {
    const size = x.im ? hypot(x.re[k]!, x.im[k]!) : Math.abs(x.re[k]!);
    if (size > most * (1 + 1e-10)) {
      most = size;
      at = k;
    }
  }
  const [re, im] = most === 0 ? [1, 0] : [x.re[at]! / most, -(x.im?.[at] ?? 0) / most];
  if (re !== 1 || im !== 0) scaleLine(x, i, re, im);
  if (x.im) x.im[at] = 0;
  found.re = re;
  found.im = im;
}
