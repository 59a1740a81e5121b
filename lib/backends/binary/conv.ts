/**
 * Convolution in any number of dimensions: what each position of the kernel meets is laid out as the rows of a matrix,
 * a stretch of output positions at a time, and the kernel is multiplied with it (Chellapilla, Puri & Simard 2006).
 * Accumulated in f64, rounded once.
 */
import type { Attrs, PrimitiveFunction } from "../../backend";
import { sizeOf, type Shape } from "../../core/shape";
import { isComplex } from "../../core/types";
import type { Tensor } from "../../tensor";
import { loadC128, loadF64, storeC128, storeF64 } from "./convert";
import { matmul } from "./matmul";
import { allocateFor, BinaryData, elementsOf } from "./storage";

/** Entries of the matrix that is laid out at a time. */
const STRETCH = 2 ** 19;

interface Layout {
  readonly input: Shape;
  readonly kernel: Shape;
  readonly out: Shape;
  /** For each spatial axis and place in the kernel: the input position for each output position, -1 in the padding. */
  readonly places: readonly Int32Array[][];
  readonly featureGroups: number;
  readonly batchGroups: number;
}

function layoutOf(input: Shape, kernel: Shape, out: Shape, attrs: Attrs["conv"]): Layout {
  const places = attrs.strides.map((_, axis) => {
    const taps = Array.from({ length: kernel[axis + 2]! }, (_, tap) => tap);
    return taps.map((tap) => placesOf(input[axis + 2]!, out[axis + 2]!, axis, tap, attrs));
  });
  return { input, kernel, out, places, featureGroups: attrs.featureGroups, batchGroups: attrs.batchGroups };
}

function placesOf(size: number, results: number, axis: number, tap: number, attrs: Attrs["conv"]): Int32Array {
  const [low] = attrs.padding[axis]!;
  const spread = attrs.inputDilation[axis]!;
  const first = tap * attrs.kernelDilation[axis]! - low;
  return Int32Array.from({ length: results }, (_, i) => {
    const at = first + i * attrs.strides[axis]!;
    return at >= 0 && at <= (size - 1) * spread && at % spread === 0 ? at / spread : -1;
  });
}

/** The real convolution of double arrays in the layout's order. */
function convolve(x: Float64Array, w: Float64Array, layout: Layout): Float64Array {
  const { input, kernel, out, featureGroups, batchGroups } = layout;
  const [, channels] = input as [number, number];
  const [filters] = kernel as [number];
  const groups = Math.max(featureGroups, batchGroups);
  const inner = sizeOf(kernel.slice(1));
  const positions = sizeOf(out.slice(2));
  const size = sizeOf(input.slice(2));
  const result = new Float64Array(sizeOf(out));
  const width = Math.max(1, Math.min(positions, Math.floor(STRETCH / inner)));
  const columns = new Float64Array(inner * width);
  const each = filters / groups;
  for (let n = 0; n < out[0]!; n++) {
    for (let group = 0; group < groups; group++) {
      const row = batchGroups > 1 ? group * out[0]! + n : n;
      const channel = featureGroups > 1 ? group * kernel[1]! : 0;
      const source = (row * channels + channel) * size;
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
  { input, kernel, out, places }: Layout,
): void {
  const spatial = kernel.slice(2);
  const taps = sizeOf(spatial);
  const size = sizeOf(input.slice(2));
  let to = 0;
  for (let channel = 0; channel < kernel[1]!; channel++) {
    for (let tap = 0; tap < taps; tap++, to += count) {
      fillRow(columns, to, x, source + channel * size, tapOf(tap, spatial), from, count, input, out, places);
    }
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
  input: Shape,
  out: Shape,
  places: Layout["places"],
): void {
  const last = tap.length - 1;
  const line = places[last]![tap[last]!]!;
  const width = out[last + 2]!;
  for (let done = 0; done < count;) {
    const at = from + done;
    const start = at % width;
    const n = Math.min(width - start, count - done);
    const base = lineOffset(Math.floor(at / width), tap, input, out, places);
    copyLine(columns, to + done, x, base < 0 ? -1 : source + base, line, start, n);
    done += n;
  }
}

/** Offset of the input line that an output line meets, or -1 where that lies in the padding. */
function lineOffset(flat: number, tap: readonly number[], input: Shape, out: Shape, places: Layout["places"]): number {
  let offset = 0;
  let step = input[tap.length + 1]!;
  for (let axis = tap.length - 2, rest = flat; axis >= 0; axis--) {
    const size = out[axis + 2]!;
    const at = places[axis]![tap[axis]!]![rest % size]!;
    if (at < 0) return -1;
    offset += at * step;
    step *= input[axis + 2]!;
    rest = Math.floor(rest / size);
  }
  return offset;
}

function copyLine(
  columns: Float64Array,
  to: number,
  x: Float64Array,
  base: number,
  line: Int32Array,
  start: number,
  n: number,
): void {
  if (base < 0) {
    columns.fill(0, to, to + n);
    return;
  }
  for (let i = 0; i < n; i++) {
    const at = line[start + i]!;
    columns[to + i] = at < 0 ? 0 : x[base + at]!;
  }
}

function doubles(t: Tensor): Float64Array {
  const values = new Float64Array(sizeOf(t.shape));
  loadF64(t.type, elementsOf(t), 0, values, values.length);
  return values;
}

/** Real and imaginary parts; null for the imaginary part of a real tensor. */
function parts(t: Tensor): [Float64Array, Float64Array | null] {
  if (!isComplex(t.type)) return [doubles(t), null];
  const count = sizeOf(t.shape);
  const both = new Float64Array(2 * count);
  loadC128(t.type, elementsOf(t), 0, both, count);
  const part = (k: number) => Float64Array.from({ length: count }, (_, i) => both[2 * i + k]!);
  return [part(0), part(1)];
}

function convolveComplex(x: Tensor, w: Tensor, layout: Layout): Float64Array {
  const [xr, xi] = parts(x);
  const [wr, wi] = parts(w);
  const re = convolve(xr, wr, layout);
  const minus = xi && wi && convolve(xi, wi, layout);
  const im1 = wi && convolve(xr, wi, layout);
  const im2 = xi && convolve(xi, wr, layout);
  const both = new Float64Array(2 * re.length);
  for (let i = 0; i < re.length; i++) {
    both[2 * i] = re[i]! - (minus?.[i] ?? 0);
    both[2 * i + 1] = (im1?.[i] ?? 0) + (im2?.[i] ?? 0);
  }
  return both;
}

const conv: PrimitiveFunction<"conv"> = (out, [x, w], attrs) => {
  const layout = layoutOf(x!.shape, w!.shape, out.shape, attrs);
  const result = allocateFor(out.type, out.shape);
  const count = sizeOf(out.shape);
  if (isComplex(out.type)) storeC128(out.type, result, 0, convolveComplex(x!, w!, layout), count);
  else storeF64(out.type, result, 0, convolve(doubles(x!), doubles(w!), layout), count);
  return new BinaryData(result);
};

/** The primitive of convolution. */
export const convolutions = { conv };
