/**
 * Sorting along an axis, always stable. Order: -Inf, numbers, +Inf, NaN; -0 and 0 are equal.
 *
 * Real types of at most 53 bits sort as doubles by merging runs bottom up; 64-bit integers compare by their halves. The
 * permutation is what is sorted, so that `sort` and `argsort` agree and -0 keeps its place among zeros.
 */
import type { Attrs, Direction, PrimitiveTable, Template } from "../../backend";
import { compareInt64 } from "../../core/int64";
import { sizeOf } from "../../core/shape";
import { isUnsigned, isWide, type DType } from "../../core/types";
import type { Tensor } from "../../tensor";
import { loadF64, storeF64 } from "./convert";
import { allocateFor, BinaryData, elementsOf, widthOf, type Elements } from "./storage";

/** Runs this short are sorted by insertion before merging. */
const RUN = 16;

/** Whether the element at position b must come before the one at position a. */
type Before = (b: number, a: number) => boolean;

/** Calls `line` with the first element and the step of every line along an axis. */
function forLines({ shape }: Template, axis: number, line: (first: number, step: number) => void): void {
  const step = sizeOf(shape.slice(axis + 1));
  const block = step * shape[axis]!;
  for (let base = 0; base < sizeOf(shape); base += block) for (let i = 0; i < step; i++) line(base + i, step);
}

/** The sorting permutations of all lines, each handed to `use`. */
function permutations(
  x: Tensor,
  axis: number,
  direction: Direction,
  use: (order: Uint32Array, first: number, step: number) => void,
): void {
  const n = x.shape[axis]!;
  const order = new Uint32Array(n);
  const spare = new Uint32Array(n);
  const keys = new Float64Array(isWide(x.type) ? 0 : n);
  forLines(x, axis, (first, step) => {
    const before = isWide(x.type)
      ? wideBefore(x, first, step, direction)
      : floatBefore(x, keys, first, step, direction);
    for (let i = 0; i < n; i++) order[i] = i;
    use(mergeSort(order, spare, before), first, step);
  });
}

function floatBefore(x: Tensor, keys: Float64Array, first: number, step: number, direction: Direction): Before {
  const elements = elementsOf(x);
  if (step === 1) loadF64(x.type, elements, first, keys, keys.length);
  else loadLine(x.type, elements, first, step, keys);
  if (direction === "asc") return (b, a) => keys[b]! < keys[a]! || (keys[a] !== keys[a] && keys[b] === keys[b]);
  return (b, a) => keys[b]! > keys[a]! || (keys[b] !== keys[b] && keys[a] === keys[a]);
}

const single = new Float64Array(1);

function loadLine(type: DType, elements: Elements, first: number, step: number, keys: Float64Array): void {
  for (let i = 0; i < keys.length; i++) {
    loadF64(type, elements, first + i * step, single, 1);
    keys[i] = single[0]!;
  }
}

function wideBefore(x: Tensor, first: number, step: number, direction: Direction): Before {
  const data = elementsOf(x) as Int32Array;
  const signed = !isUnsigned(x.type);
  const sign = direction === "asc" ? 1 : -1;
  return (b, a) => sign * compareInt64(data, 2 * (first + b * step), data, 2 * (first + a * step), signed) < 0;
}

/** Stable merge sort of positions; gives back whichever of the two arrays holds the result. */
function mergeSort(order: Uint32Array, spare: Uint32Array, before: Before): Uint32Array {
  const n = order.length;
  for (let start = 0; start < n; start += RUN) insertionSort(order, start, Math.min(start + RUN, n), before);
  let [from, to] = [order, spare];
  for (let width = RUN; width < n; width *= 2) {
    for (let start = 0; start < n; start += 2 * width) {
      mergeRuns(from, to, start, Math.min(start + width, n), Math.min(start + 2 * width, n), before);
    }
    [from, to] = [to, from];
  }
  return from;
}

function insertionSort(order: Uint32Array, start: number, end: number, before: Before): void {
  for (let i = start + 1; i < end; i++) {
    const moved = order[i]!;
    let j = i - 1;
    for (; j >= start && before(moved, order[j]!); j--) order[j + 1] = order[j]!;
    order[j + 1] = moved;
  }
}

function mergeRuns(
  from: Uint32Array,
  to: Uint32Array,
  start: number,
  middle: number,
  end: number,
  before: Before,
): void {
  let left = start;
  let right = middle;
  for (let i = start; i < end; i++) {
    const takeRight = left >= middle || (right < end && before(from[right]!, from[left]!));
    to[i] = takeRight ? from[right++]! : from[left++]!;
  }
}

function argsort(out: Template, [x]: readonly Tensor[], { axis, direction }: Attrs["argsort"]): BinaryData {
  const result = allocateFor(out.type, out.shape);
  permutations(x!, axis, direction, (order, first, step) => {
    for (let i = 0; i < order.length; i++) {
      single[0] = order[i]!;
      storeF64(out.type, result, first + i * step, single, 1);
    }
  });
  return new BinaryData(result);
}

function sort(out: Template, [x]: readonly Tensor[], { axis, direction }: Attrs["sort"]): BinaryData {
  const source = elementsOf(x!);
  const result = allocateFor(out.type, out.shape);
  const width = widthOf(out.type);
  permutations(x!, axis, direction, (order, first, step) => {
    for (let i = 0; i < order.length; i++) {
      const from = (first + order[i]! * step) * width;
      const to = (first + i * step) * width;
      for (let k = 0; k < width; k++) result[to + k] = source[from + k]!;
    }
  });
  return new BinaryData(result);
}

export const sorting = { sort, argsort } satisfies Partial<PrimitiveTable>;
