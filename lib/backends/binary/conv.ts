/**
 * Convolution in any number of dimensions: what each position of the kernel meets is laid out as the rows of a matrix,
 * a stretch of output positions at a time, and the kernel is multiplied with it (Chellapilla, Puri & Simard 2006).
 * Accumulated in f64, rounded once.
 */
import type { Attrs } from "../../backend";
import { sizeOf, type Shape } from "../../core/shape";
import { isComplex } from "../../core/types";
import type { Tensor } from "../../tensor";
import { storeC128, storeF64 } from "../arrays/convert";
import type { ArrayPrimitive } from "../arrays/primitives";
import { elementsOf } from "../arrays/storage";
import { doublesOf, partsOf, productOfParts } from "./complex-parts";
import { matmul } from "./matmul";

/** Entries of the matrix that is laid out at a time. */
const STRETCH = 2 ** 19;

/** Where the places of the kernel lie along a spatial axis: tap t at output i reads `t * dilation + i * stride - low`. */
interface Line {
  /** Entries of the input. */
  readonly size: number;
  /** Entries of the result. */
  readonly results: number;
  readonly low: number;
  readonly stride: number;
  readonly dilation: number;
  /** How far apart the entries of the input lie among the zeros in between. */
  readonly spread: number;
}

interface Layout {
  readonly input: Shape;
  readonly kernel: Shape;
  readonly out: Shape;
  /** One for each spatial axis. */
  readonly lines: readonly Line[];
  readonly featureGroups: number;
  readonly batchGroups: number;
}

function layoutOf(input: Shape, kernel: Shape, out: Shape, attrs: Attrs["conv"]): Layout {
  const lines = attrs.strides.map((stride, axis) => ({
    size: input[axis + 2]!,
    results: out[axis + 2]!,
    low: attrs.padding[axis]![0],
    stride,
    dilation: attrs.kernelDilation[axis]!,
    spread: attrs.inputDilation[axis]!,
  }));
  return { input, kernel, out, lines, featureGroups: attrs.featureGroups, batchGroups: attrs.batchGroups };
}

/** The real convolution of double arrays in the layout's order. */
function convolve(x: Float64Array, w: Float64Array, layout: Layout): Float64Array {
  const { input, kernel, out, lines, featureGroups, batchGroups } = layout;
  const [, channels] = input as [number, number];
  const [filters] = kernel as [number];
  const groups = Math.max(featureGroups, batchGroups);
  const inner = sizeOf(kernel.slice(1));
  const positions = sizeOf(out.slice(2));
  const size = sizeOf(input.slice(2));
  const result = new Float64Array(sizeOf(out));
  const width = Math.max(1, Math.min(positions, Math.floor(STRETCH / inner)));
  const each = filters / groups;
  const isLaidOut = each > 1 || lines.at(-1)?.spread !== 1;
  const columns = new Float64Array(isLaidOut ? inner * width : 0);
  for (let n = 0; n < out[0]!; n++) {
    for (let group = 0; group < groups; group++) {
      const row = batchGroups > 1 ? group * out[0]! + n : n;
      const channel = featureGroups > 1 ? group * kernel[1]! : 0;
      const source = (row * channels + channel) * size;
      if (!isLaidOut) {
        addTaps(result, (n * filters + group) * positions, x, source, w, group * inner, layout);
        continue;
      }
      const weights = { data: w, offset: group * each * inner, row: inner, column: 1 };
      for (let from = 0; from < positions; from += width) {
        const count = Math.min(width, positions - from);
        layOut(columns, x, source, from, count, layout);
        const part = { data: columns, offset: 0, row: count, column: 1 };
        const product = new Float64Array(each * count);
        matmul(weights, part, product, 0, each, inner, count);
        for (let f = 0; f < each; f++) {
          const to = (n * filters + group * each + f) * positions + from;
          result.set(product.subarray(f * count, (f + 1) * count), to);
        }
      }
    }
  }
  return result;
}

/** One row for each channel and place in the kernel, with what it meets at `count` output positions from `from` on. */
function layOut(
  columns: Float64Array,
  x: Float64Array,
  source: number,
  from: number,
  count: number,
  { input, kernel, lines }: Layout,
): void {
  const spatial = kernel.slice(2);
  const taps = sizeOf(spatial);
  const size = sizeOf(input.slice(2));
  let to = 0;
  for (let channel = 0; channel < kernel[1]!; channel++) {
    for (let tap = 0; tap < taps; tap++, to += count) {
      fillRow(columns, to, x, source + channel * size, tapOf(tap, spatial), from, count, lines);
    }
  }
}

/** The results of one filter, to which the places of the kernel are added one after the other: nothing is laid out, which no other filter would read. */
function addTaps(
  result: Float64Array,
  to: number,
  x: Float64Array,
  source: number,
  w: Float64Array,
  weights: number,
  { input, kernel, out, lines }: Layout,
): void {
  const spatial = kernel.slice(2);
  const last = spatial.length - 1;
  const taps = sizeOf(spatial);
  const size = sizeOf(input.slice(2));
  const line = lines[last]!;
  const rows = sizeOf(out.slice(2)) / line.results;
  for (let channel = 0, at = weights; channel < kernel[1]!; channel++) {
    for (let flat = 0; flat < taps; flat++, at++) {
      const tap = tapOf(flat, spatial);
      for (let row = 0; row < rows; row++) {
        const base = lineOffset(row, tap, lines);
        const from = base < 0 ? -1 : source + channel * size + base;
        addLine(result, to + row * line.results, x, from, line, tap[last]!, w[at]!);
      }
    }
  }
}

/** Adds what a tap meets, times its weight: of padding (all, where `base` is below 0) zeros, which count where the weight is not finite. */
function addLine(
  result: Float64Array,
  to: number,
  x: Float64Array,
  base: number,
  line: Line,
  tap: number,
  weight: number,
): void {
  const { stride, results } = line;
  const [first, begin, end] = base < 0 ? [0, results, results] : met(line, tap, 0, results);
  if (weight - weight !== 0) {
    for (let i = 0; i < begin; i++) result[to + i] = NaN;
    for (let i = end; i < results; i++) result[to + i] = NaN;
  }
  for (let i = to + begin, at = base + first + begin * stride; i < to + end; i++, at += stride) {
    result[i]! += weight * x[at]!;
  }
}

function tapOf(flat: number, spatial: Shape): number[] {
  const tap = new Array<number>(spatial.length);
  for (let axis = spatial.length - 1, rest = flat; axis >= 0; axis--) {
    tap[axis] = rest % spatial[axis]!;
    rest = Math.floor(rest / spatial[axis]!);
  }
  return tap;
}

function fillRow(
  columns: Float64Array,
  to: number,
  x: Float64Array,
  source: number,
  tap: readonly number[],
  from: number,
  count: number,
  lines: readonly Line[],
): void {
  const last = tap.length - 1;
  const line = lines[last]!;
  for (let done = 0; done < count;) {
    const at = from + done;
    const start = at % line.results;
    const n = Math.min(line.results - start, count - done);
    const base = lineOffset(Math.floor(at / line.results), tap, lines);
    if (base < 0) columns.fill(0, to + done, to + done + n);
    else if (line.spread === 1) copyLine(columns, to + done, x, source + base, line, tap[last]!, start, n);
    else copySpread(columns, to + done, x, source + base, line, tap[last]!, start, n);
    done += n;
  }
}

/** Offset of the input line that an output line meets, or -1 where that lies in the padding. */
function lineOffset(flat: number, tap: readonly number[], lines: readonly Line[]): number {
  let offset = 0;
  let step = lines[tap.length - 1]!.size;
  for (let axis = tap.length - 2, rest = flat; axis >= 0; axis--) {
    const { size, results, low, stride, dilation, spread } = lines[axis]!;
    const at = tap[axis]! * dilation + (rest % results) * stride - low;
    if (at < 0 || at > (size - 1) * spread || at % spread !== 0) return -1;
    offset += (at / spread) * step;
    step *= size;
    rest = Math.floor(rest / results);
  }
  return offset;
}

/** The entry that a tap meets at the first of `n` output positions from `start` on, and which of these meet entries: from one on, to one. */
function met(
  { size, low, stride, dilation }: Line,
  tap: number,
  start: number,
  n: number,
): [first: number, begin: number, end: number] {
  const first = tap * dilation + start * stride - low;
  const begin = Math.min(n, Math.max(0, Math.ceil(-first / stride)));
  return [first, begin, Math.max(begin, Math.min(n, Math.floor((size - 1 - first) / stride) + 1))];
}

/** What a tap meets at `n` output positions from `start` on: zeros before and behind the input, its entries in between. */
function copyLine(
  columns: Float64Array,
  to: number,
  x: Float64Array,
  base: number,
  line: Line,
  tap: number,
  start: number,
  n: number,
): void {
  const { stride } = line;
  const [first, begin, end] = met(line, tap, start, n);
  for (let i = 0; i < begin; i++) columns[to + i] = 0;
  for (let i = begin, at = base + first + begin * stride; i < end; i++, at += stride) columns[to + i] = x[at]!;
  for (let i = end; i < n; i++) columns[to + i] = 0;
}

/** The same for an input with zeros between its entries. */
function copySpread(
  columns: Float64Array,
  to: number,
  x: Float64Array,
  base: number,
  { size, low, stride, dilation, spread }: Line,
  tap: number,
  start: number,
  n: number,
): void {
  const most = (size - 1) * spread;
  for (let i = 0, at = tap * dilation + start * stride - low; i < n; i++, at += stride) {
    columns[to + i] = at >= 0 && at <= most && at % spread === 0 ? x[base + at / spread]! : 0;
  }
}

function convolveComplex(x: Tensor, w: Tensor, layout: Layout): Float64Array {
  const parts = (t: Tensor) => partsOf(t.type, elementsOf(t), sizeOf(t.shape));
  return productOfParts(parts(x), parts(w), (a, b) => convolve(a, b, layout));
}

function convolveReal(x: Tensor, w: Tensor, layout: Layout): Float64Array {
  const doubles = (t: Tensor) => doublesOf(t.type, elementsOf(t), sizeOf(t.shape));
  return convolve(doubles(x), doubles(w), layout);
}

const conv: ArrayPrimitive<"conv"> =
  (memory) =>
  (out, [x, w], attrs) => {
    const layout = layoutOf(x!.shape, w!.shape, out.shape, attrs);
    const result = memory.zeroed(out.type, out.shape);
    const count = sizeOf(out.shape);
    if (isComplex(out.type)) storeC128(out.type, result, 0, convolveComplex(x!, w!, layout), count);
    else storeF64(out.type, result, 0, convolveReal(x!, w!, layout), count);
    return memory.hold(result);
  };

/** The primitive of convolution. */
export const convolutions = { conv };
