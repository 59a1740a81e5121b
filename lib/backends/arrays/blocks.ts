/**
 * Reading operands block by block in the order of the output, whatever their type and broadcasting. A block of an operand
 * of the output's shape is converted straight from its elements; a scalar fills the scratch array once; any other operand is
 * converted as a whole (it is smaller than the output) and gathered along its strides.
 */
import { rowMajorStrides, sameShape, sizeOf, type Shape } from "../../core/shape";
import type { DType } from "../../core/types";
import { collapse, rowOffset, type Walk } from "../../kernel/operand";
import type { Tensor } from "../../tensor";
import { elementsOf, type Elements } from "./storage";

/** Elements per block: three blocks of doubles fit into the first-level cache. */
export const BLOCK = 1024;

/** An array that a lane computes in. */
type LaneArray = Float64Array | Int32Array;

/** How a lane is filled: its array type, entries per element and conversion. */
export interface Lane<A extends LaneArray> {
  readonly width: 1 | 2;
  create(entries: number): A;
  load(type: DType, src: Elements, at: number, dst: A, n: number): void;
}

/** Puts elements `start` to `start + n` of an operand into its scratch array. */
type BlockReader = (start: number, n: number) => void;

const nothing: BlockReader = () => undefined;

/** A reader of an operand, broadcast to `shape` and filling `scratch`. */
export function blockReader<A extends LaneArray>(lane: Lane<A>, tensor: Tensor, shape: Shape, scratch: A): BlockReader {
  const { type } = tensor;
  const elements = elementsOf(tensor);
  if (sameShape(tensor.shape, shape)) return (start, n) => lane.load(type, elements, start, scratch, n);
  const size = sizeOf(tensor.shape);
  if (size === sizeOf(shape)) return (start, n) => lane.load(type, elements, start, scratch, n);
  if (size === 1) {
    lane.load(type, elements, 0, scratch, 1);
    spread(scratch, lane.width, Math.min(BLOCK, sizeOf(shape)));
    return nothing;
  }
  const whole = lane.create(size * lane.width);
  lane.load(type, elements, 0, whole, size);
  const walk = collapse(shape, broadcastStrides(tensor.shape, shape));
  return (start, n) => gather(scratch, whole, lane.width, walk, start, n);
}

/** Repeats the first element of a scratch array. */
function spread(scratch: LaneArray, width: 1 | 2, n: number): void {
  if (width === 1) scratch.fill(scratch[0]!, 1, n);
  else for (let i = 1; i < n; i++) scratch.copyWithin(2 * i, 0, 2);
}

/** Strides of an operand aligned from the right with a shape it broadcasts to: 0 along repeated axes. */
export function broadcastStrides(from: Shape, to: Shape): number[] {
  const strides = rowMajorStrides(from);
  const offset = to.length - from.length;
  return to.map((_, axis) => (axis < offset || from[axis - offset] === 1 ? 0 : strides[axis - offset]!));
}

/** Copies `n` elements of a strided walk from position `start` on; the innermost axis is copied in runs. */
function gather(
  dst: LaneArray,
  src: LaneArray,
  width: 1 | 2,
  { shape, strides }: Walk,
  start: number,
  n: number,
): void {
  const inner = shape[shape.length - 1]!;
  const step = strides[strides.length - 1]!;
  let row = Math.floor(start / inner);
  let skip = start - row * inner;
  for (let done = 0; done < n; row++, skip = 0) {
    const count = Math.min(inner - skip, n - done);
    const from = rowOffset(row, shape, strides) + skip * step;
    if (step === 0) repeat(dst, done, src, from, count, width);
    else copyRun(dst, done, src, from, count, width);
    done += count;
  }
}

function repeat(dst: LaneArray, at: number, src: LaneArray, from: number, count: number, width: 1 | 2): void {
  if (width === 1) {
    dst.fill(src[from]!, at, at + count);
    return;
  }
  for (let i = at; i < at + count; i++) {
    dst[2 * i] = src[2 * from]!;
    dst[2 * i + 1] = src[2 * from + 1]!;
  }
}

/** The innermost stride of an operand that varies along the innermost axis is always 1. */
function copyRun(dst: LaneArray, at: number, src: LaneArray, from: number, count: number, width: 1 | 2): void {
  for (let i = 0; i < count * width; i++) dst[at * width + i] = src[from * width + i]!;
}
