/**
 * Reductions over windows along one axis. Windows are boxes, so those of several axes are reduced one axis after the other.
 */
import type { Row } from "../rows";

/** Elements that can be accumulated in place: `width` entries of the array make one. */
export interface Accumulator<A extends Float64Array | Int32Array> {
  readonly width: 1 | 2;
  readonly row: Row<A>;
  /** The neutral element, as an array of one element. */
  readonly neutral: A;
  create(entries: number): A;
}

/** Windows along one axis of `size` elements: where they lie, and how the elements of the other axes lie around it. */
export interface AxisWindows {
  readonly outer: number;
  readonly inner: number;
  readonly size: number;
  readonly results: number;
  readonly window: number;
  readonly low: number;
  readonly high: number;
  readonly stride: number;
  readonly dilation: number;
}

type Pass = <A extends Float64Array | Int32Array>(
  out: A,
  at: number,
  padded: A,
  windows: AxisWindows,
  acc: Accumulator<A>,
) => void;

/** All windows of an axis: a block of padded elements after the other. */
export function reduceWindows<A extends Float64Array | Int32Array>(x: A, given: AxisWindows, acc: Accumulator<A>): A {
  const windows = withoutIdlePadding(given);
  const { outer, inner, size, low, high } = windows;
  const out = acc.create(outer * windows.results * inner * acc.width);
  const length = low + size + high;
  const padded = acc.create(length * inner * acc.width);
  const pass = isCheaperByBlocks(windows) ? byBlocks : directly;
  fill(padded, acc.neutral);
  const [first, last] = [Math.max(0, -low), Math.min(size, size + high)];
  for (let block = 0; block < outer; block++) {
    const from = (block * size + first) * inner * acc.width;
    const kept = (last - first) * inner * acc.width; // none where the padding crops everything
    if (kept > 0) padded.set(x.subarray(from, from + kept), Math.max(0, low) * inner * acc.width);
    pass(out, block * windows.results * inner, padded, windows, acc);
  }
  return out;
}

const isCheaperByBlocks = ({ results, window, low, size, high }: AxisWindows): boolean =>
  results * window > 4 * (low + size + high);

/** Whether each window of an axis is reduced element after element, from the first one on: the order of its sums. */
export const isSequential = (windows: AxisWindows): boolean => !isCheaperByBlocks(withoutIdlePadding(windows));

/**
 * Windows that are far larger than the axis lie in its padding mostly. What is padding at either end
 * of every window is left out: neither memory nor time is spent on it.
 */
function withoutIdlePadding(windows: AxisWindows): AxisWindows {
  const { size, results, window, low, high, stride, dilation } = windows;
  const lastStart = (results - 1) * stride - low;
  const firstEnd = (window - 1) * dilation - low;
  const idle = (distance: number) => Math.max(0, Math.ceil(distance / dilation));
  const before = Math.min(idle(-lastStart), window - 1);
  const after = Math.min(idle(firstEnd - size + 1), window - 1 - before);
  const left = { window: window - before - after, low: low - before * dilation, high: high - after * dilation };
  return { ...windows, ...left };
}

function fill(data: Float64Array | Int32Array, element: Float64Array | Int32Array): void {
  if (element.length === 1) data.fill(element[0]!);
  else for (let i = 0; i < data.length; i++) data[i] = element[i % 2]!;
}

/** Every element of every window, one place of all windows at a time. */
const directly: Pass = (out, at, padded, windows, { row, neutral, width }) => {
  fill(out.subarray(at * width, (at + windows.results * windows.inner) * width), neutral);
  for (let j = 0; j < windows.window; j++)
    foldInto(out, at, padded, j * windows.dilation, windows.stride, windows, row);
};

/** Folds into the results what lies at a position for the first of them, and `step` further on for each next one. */
function foldInto<A>(
  out: A,
  at: number,
  x: A,
  position: number,
  step: number,
  { inner, results }: AxisWindows,
  row: Row<A>,
): void {
  if (inner === 1) row(out, at, x, position, step, results);
  else if (step === 1) row(out, at, x, position * inner, 1, results * inner);
  else for (let i = 0; i < results; i++) row(out, at + i * inner, x, (position + i * step) * inner, 1, inner);
}

/**
 * Three steps for each element however large the window is: reductions of blocks of the window's size from their front and
 * from their back, of which a window takes one each (van Herk, "A fast algorithm for local minimum and maximum filters",
 * Pattern Recognition Letters 13, 1992; Gil and Werman, "Computing 2-D min, median, and max filters", IEEE TPAMI 15, 1993).
 */
const byBlocks: Pass = (out, at, padded, windows, { row, neutral, width }) => {
  const { inner, results, window, stride, dilation } = windows;
  const length = padded.length / width / inner;
  const fromFront = padded.slice() as typeof padded;
  const fromBack = backwards(padded, inner * width);
  const block = window * dilation;
  for (let start = 0; start < length; start += block) {
    const end = Math.min(start + block, length);
    accumulate(fromFront, start, end, windows, row);
    accumulate(fromBack, length - end, length - start, windows, row);
    // A window that is a block has all of it from the back: what lies at its end must not count again.
    fill(fromFront.subarray((start + block - dilation) * inner * width, end * inner * width), neutral);
  }
  fill(out.subarray(at * width, (at + results * inner) * width), neutral);
  foldInto(out, at, fromBack, length - 1, -stride, windows, row);
  foldInto(out, at, fromFront, block - dilation, stride, windows, row);
};

/** Folds each element of a block into the one `dilation` further on: a row over itself, which is gone through in order. */
function accumulate<A>(x: A, start: number, end: number, { inner, dilation }: AxisWindows, row: Row<A>): void {
  const count = end - start - dilation;
  if (count > 0) row(x, (start + dilation) * inner, x, start * inner, 1, count * inner);
}

/** A copy with the positions in opposite order; each takes some entries, which keep theirs. */
function backwards<A extends Float64Array | Int32Array>(x: A, entries: number): A {
  if (entries === 1) return x.slice().reverse() as A;
  const copy = x.slice() as A;
  for (let from = 0, to = x.length - entries; to >= 0; from += entries, to -= entries) {
    for (let k = 0; k < entries; k++) copy[to + k] = x[from + k]!;
  }
  return copy;
}
