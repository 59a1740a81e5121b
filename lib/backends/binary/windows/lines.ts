/**
 * Reductions over windows along one axis. Windows are boxes, so those of several axes are reduced one axis after the other.
 */
import type { Row } from "../rows";

/** Elements that can be accumulated in place: `width` entries of the array make one. */
export interface Accumulator<A extends Float64Array | Int32Array> {
  readonly width: 1 | 2;
  readonly row: Row<A>;
  /** The element that changes nothing, as one element in an array. */
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
export function reduceWindows<A extends Float64Array | Int32Array>(x: A, windows: AxisWindows, acc: Accumulator<A>): A {
  const { outer, inner, size, results, window, low, high } = windows;
  const out = acc.create(outer * results * inner * acc.width);
  const length = low + size + high;
  const padded = acc.create(length * inner * acc.width);
  const pass = results * window > 4 * length ? byBlocks : directly;
  fill(padded, acc.neutral);
  for (let block = 0; block < outer; block++) {
    const [first, last] = [Math.max(0, -low), Math.min(size, size + high)];
    const from = (block * size + first) * inner * acc.width;
    padded.set(x.subarray(from, from + (last - first) * inner * acc.width), Math.max(0, low) * inner * acc.width);
    pass(out, block * results * inner, padded, windows, acc);
  }
  return out;
}

function fill(data: Float64Array | Int32Array, element: Float64Array | Int32Array): void {
  if (element.length === 1) data.fill(element[0]!);
  else for (let i = 0; i < data.length; i++) data[i] = element[i % 2]!;
}

/** Every element of every window; along the last axis one place of all windows at a time. */
const directly: Pass = (out, at, padded, { inner, results, window, stride, dilation }, { row, neutral, width }) => {
  fill(out.subarray(at * width, (at + results * inner) * width), neutral);
  for (let j = 0; j < window; j++) {
    const from = j * dilation * inner;
    if (inner === 1) row(out, at, padded, from, stride, results);
    else if (stride === 1) row(out, at, padded, from, 1, results * inner);
    else for (let i = 0; i < results; i++) row(out, at + i * inner, padded, from + i * stride * inner, 1, inner);
  }
};

/**
 * Three steps for each element however large the window is: reductions of blocks of the window's size from their front and
 * from their back, of which a window takes one each (van Herk, "A fast algorithm for local minimum and maximum filters",
 * Pattern Recognition Letters 13, 1992; Gil and Werman, "Computing 2-D min, median, and max filters", IEEE TPAMI 15, 1993).
 */
const byBlocks: Pass = (out, at, padded, { inner, results, window, stride, dilation }, { row, width }) => {
  const length = padded.length / width / inner;
  const fromFront = padded.slice() as typeof padded;
  const fromBack = padded.slice() as typeof padded;
  const placeOf = (position: number) => Math.floor(position / dilation) % window;
  for (let p = dilation; p < length; p++) {
    if (placeOf(p) !== 0) row(fromFront, p * inner, fromFront, (p - dilation) * inner, 1, inner);
  }
  for (let p = length - dilation - 1; p >= 0; p--) {
    if (placeOf(p) !== window - 1) row(fromBack, p * inner, fromBack, (p + dilation) * inner, 1, inner);
  }
  for (let i = 0; i < results; i++) {
    const [first, to] = [i * stride, at + i * inner];
    out.set(fromBack.subarray(first * inner * width, (first + 1) * inner * width), to * width);
    if (placeOf(first) !== 0) row(out, to, fromFront, (first + (window - 1) * dilation) * inner, 1, inner);
  }
};
