/**
 * Copying elements from one strided lattice to another, bit for bit: what transposing, slicing, padding, broadcasting and
 * joining have in common. Elements are moved as whole words of 8, 16 or 32 bits, so NaN payloads and 64-bit integers
 * survive. Knows offsets and strides, not tensors; values are never looked at.
 */
import { rowMajorStrides, sizeOf, type Shape } from "../../core/shape";
import { bytesOf, type DType } from "../../core/types";
import type { Picks, Words } from "./copier";
import { repeatFirst } from "./fill";
import type { ArrayMemory } from "./memory";
import { widthOf, type ArrayOf, type Elements } from "./storage";

/** The elements of a type as words; one element takes `count` of them. */
interface WordView {
  readonly words: Words;
  readonly count: 1 | 2 | 4;
}

/** The same memory as words. */
export function wordsOf(type: DType, elements: Elements): WordView {
  const bytes = elements.BYTES_PER_ELEMENT;
  const { buffer, byteOffset, byteLength } = elements;
  if (bytes === 1) return { words: new Uint8Array(buffer, byteOffset, byteLength), count: 1 };
  if (bytes === 2) return { words: new Uint16Array(buffer, byteOffset, byteLength / 2), count: 1 };
  const words = elements instanceof Int32Array ? elements : new Int32Array(buffer, byteOffset, byteLength / 4);
  return { words, count: ((widthOf(type) * bytes) / 4) as 1 | 2 | 4 };
}

/** Where the elements of a box lie in an array: an offset and a step per axis, in elements. Steps may be 0 or negative. */
export interface Lattice {
  readonly offset: number;
  readonly steps: readonly number[];
}

/** Words from which a built-in bulk copy beats a loop. */
const BULK = 48;
const TILE = 32;
/** Up to this many elements a loop over single elements is the quickest copy. */
const ITEMS_TO = 32;

/** Neighbours at both ends are copied at once up to so many elements; others may do more of them sooner. */
const RUN = 4096;

/** Words from which a box is worth a call to other code. */
const LARGE = 256;

/** Copies a plane of items of `length` words; offsets and steps in words. */
type PlaneCopy = (
  src: Words,
  s: number,
  s0: number,
  s1: number,
  dst: Words,
  d: number,
  d0: number,
  d1: number,
  n0: number,
  n1: number,
  length: number,
) => void;

/** A copy reduced to its essentials: items of `length` adjacent words on a box of at least two axes; steps in words. */
interface Job {
  readonly src: Words;
  readonly dst: Words;
  readonly length: number;
  readonly sizes: number[];
  readonly from: number[];
  readonly to: number[];
  /** Where the last two axes stand in the lists; one plane covers them. */
  readonly depth: number;
  readonly kernel: PlaneCopy;
}

type Axes = Pick<Job, "sizes" | "from" | "to" | "length">;

/** Copies the box `shape` from its place in `src` to its place in `dst`, both of element type `type`. */
export function copyLattice(
  memory: ArrayMemory,
  type: DType,
  shape: Shape,
  src: Elements,
  from: Lattice,
  dst: Elements,
  to: Lattice,
): void {
  const size = sizeOf(shape);
  if (size > ITEMS_TO && isRun(shape, from.steps, to.steps)) {
    const width = widthOf(type);
    const [begin, put, n] = [from.offset * width, to.offset * width, size * width];
    if (memory.copier?.run(src, begin, dst, put, n)) return;
    if (size <= RUN) return dst.set(src.subarray(begin, begin + n), put);
  }
  const { words, count } = wordsOf(type, src);
  const target = wordsOf(type, dst).words;
  if (size <= ITEMS_TO) {
    return copySmall({ src: words, dst: target, count, shape, from, to }, 0, from.offset, to.offset);
  }
  const axes = simplify(shape, from.steps, to.steps, count);
  const [s, d] = [from.offset * count, to.offset * count];
  const copy = axes.length * sizeOf(axes.sizes) < LARGE ? null : memory.copier?.boxes(src, dst);
  if (copy?.(words, s, axes.from, target, d, axes.to, axes.sizes, axes.length)) return;
  const depth = axes.sizes.length - 2;
  const planned = planPlane(axes, depth);
  const { length, sizes, from: steps, to: ends } = axes;
  const kernel = chooseKernel(words, length);
  walk({ src: words, dst: target, length, sizes, from: steps, to: ends, depth, kernel }, planned, 0, s, d);
}

/** Whether elements are neighbours, in order, at both ends. */
function isRun(shape: Shape, from: readonly number[], to: readonly number[]): boolean {
  let step = 1;
  for (let i = shape.length - 1; i >= 0; i--) {
    if (shape[i] === 1) continue;
    if (from[i] !== step || to[i] !== step) return false;
    step *= shape[i]!;
  }
  return true;
}

interface SmallJob {
  readonly src: Words;
  readonly dst: Words;
  readonly count: number;
  readonly shape: Shape;
  readonly from: Lattice;
  readonly to: Lattice;
}

/** A copy that is over sooner than a plan for it would be made. */
function copySmall(job: SmallJob, axis: number, s: number, d: number): void {
  const { src, dst, count, shape } = job;
  if (axis === shape.length) {
    for (let k = 0; k < count; k++) dst[d * count + k] = src[s * count + k]!;
    return;
  }
  const from = job.from.steps[axis]!;
  const to = job.to.steps[axis]!;
  for (let i = 0; i < shape[axis]!; i++) copySmall(job, axis + 1, s + i * from, d + i * to);
}

/** A fresh array of the box `shape`, row-major, read from a lattice. */
export function gatherLattice<T extends DType>(
  memory: ArrayMemory,
  type: T,
  shape: Shape,
  src: Elements,
  from: Lattice,
): ArrayOf[T] {
  const dst = memory.unset(type, shape);
  copyLattice(memory, type, shape, src, from, dst, { offset: 0, steps: rowMajorStrides(shape) });
  return dst;
}

/** Drops axes of size 1, joins neighbours that both sides walk as one and takes adjacent elements together as items. */
function simplify(shape: Shape, fromSteps: readonly number[], toSteps: readonly number[], count: number): Axes {
  const sizes: number[] = [];
  const from: number[] = [];
  const to: number[] = [];
  for (let i = 0; i < shape.length; i++) {
    const size = shape[i]!;
    if (size === 1) continue;
    const f = fromSteps[i]! * count;
    const t = toSteps[i]! * count;
    let at = sizes.length - 1;
    const joins = at >= 0 && from[at] === f * size && to[at] === t * size;
    if (!joins) at = sizes.push(1) - 1;
    sizes[at]! *= size;
    from[at] = f;
    to[at] = t;
  }
  const last = sizes.length - 1;
  const adjacent = last >= 0 && from[last] === count && to[last] === count;
  const length = adjacent ? count * sizes[last]! : count;
  if (adjacent) for (const list of [sizes, from, to]) list.pop();
  while (sizes.length < 2) {
    sizes.unshift(1);
    from.unshift(0);
    to.unshift(0);
  }
  return { sizes, from, to, length };
}

/** Chooses how the last two axes are copied; for a transpose, moves the axis that is near in the source next to last. */
function planPlane({ sizes, from, to, length }: Axes, depth: number): Plane {
  const last = depth + 1;
  if (from[last] === 0 && to[last] === 1 && length === 1 && sizes[last]! >= BULK) return fills;
  let fast = last;
  for (let i = 0; i < last; i++) {
    if (from[i] !== 0 && Math.abs(from[i]!) < Math.abs(from[fast]!)) fast = i;
  }
  if (fast === last) return plain;
  for (const list of [sizes, from, to]) list.splice(depth, 0, ...list.splice(fast, 1));
  return tiles;
}

function walk(job: Job, plane: Plane, axis: number, s: number, d: number): void {
  if (axis === job.depth) return plane(job, s, d);
  const size = job.sizes[axis]!;
  const from = job.from[axis]!;
  const to = job.to[axis]!;
  for (let i = 0; i < size; i++) walk(job, plane, axis + 1, s + i * from, d + i * to);
}

/** Elements with their axes in another order; the array itself where the axes are in order already. */
export function reordered(
  memory: ArrayMemory,
  type: DType,
  elements: Elements,
  shape: Shape,
  order: readonly number[],
): Elements {
  if (order.every((axis, i) => axis === i)) return elements;
  const strides = rowMajorStrides(shape);
  const steps = order.map((axis) => strides[axis]!);
  return gatherLattice(
    memory,
    type,
    order.map((axis) => shape[axis]!),
    elements,
    { offset: 0, steps },
  );
}

// ------------------------------------------------------------------------------------------------ planes of two axes

type Plane = (job: Job, s: number, d: number) => void;

/** Rows that repeat one word. */
const fills: Plane = ({ src, dst, sizes, from, to, depth }, s, d) => {
  for (let i = 0; i < sizes[depth]!; i++, s += from[depth]!, d += to[depth]!)
    dst.fill(src[s]!, d, d + sizes[depth + 1]!);
};

const plain: Plane = ({ src, dst, sizes, from, to, depth, kernel, length }, s, d) => {
  const last = depth + 1;
  kernel(src, s, from[depth]!, from[last]!, dst, d, to[depth]!, to[last]!, sizes[depth]!, sizes[last]!, length);
};

/** Tiles small enough that the rows of both sides stay in cache. */
const tiles: Plane = ({ src, dst, sizes, from, to, depth, kernel, length }, s, d) => {
  const last = depth + 1;
  const [rows, columns] = [sizes[depth]!, sizes[last]!];
  const [s0, s1, d0, d1] = [from[depth]!, from[last]!, to[depth]!, to[last]!];
  for (let i = 0; i < rows; i += TILE) {
    const height = Math.min(TILE, rows - i);
    for (let j = 0; j < columns; j += TILE) {
      const width = Math.min(TILE, columns - j);
      kernel(src, s + i * s0 + j * s1, s0, s1, dst, d + i * d0 + j * d1, d0, d1, height, width, length);
    }
  }
};

// ----------------------------------------------------------------------------- kernels: one plane of items, row by row
// Loops that look alike are written out for each kind of word, so that each sees one kind of array and compiles to plain
// loads and stores.

function chooseKernel(words: Words, length: number): PlaneCopy {
  if (length >= BULK) return copyBulk;
  if (!(words instanceof Int32Array)) return length === 1 ? copyNarrow : copyNarrows;
  return length === 1 ? copyWord : length === 2 ? copyPair : copyWords;
}

const copyNarrow: PlaneCopy = (src, s, s0, s1, dst, d, d0, d1, n0, n1) => {
  for (let i = 0; i < n0; i++) {
    for (let j = 0, a = s + i * s0, b = d + i * d0; j < n1; j++, a += s1, b += d1) dst[b] = src[a]!;
  }
};

const copyWord: PlaneCopy = (src, s, s0, s1, dst, d, d0, d1, n0, n1) => {
  for (let i = 0; i < n0; i++) {
    for (let j = 0, a = s + i * s0, b = d + i * d0; j < n1; j++, a += s1, b += d1) dst[b] = src[a]!;
  }
};

const copyPair: PlaneCopy = (src, s, s0, s1, dst, d, d0, d1, n0, n1) => {
  for (let i = 0; i < n0; i++) {
    for (let j = 0, a = s + i * s0, b = d + i * d0; j < n1; j++, a += s1, b += d1) {
      dst[b] = src[a]!;
      dst[b + 1] = src[a + 1]!;
    }
  }
};

const copyNarrows: PlaneCopy = (src, s, s0, s1, dst, d, d0, d1, n0, n1, length) => {
  for (let i = 0; i < n0; i++) {
    for (let j = 0, a = s + i * s0, b = d + i * d0; j < n1; j++, a += s1, b += d1) {
      for (let k = 0; k < length; k++) dst[b + k] = src[a + k]!;
    }
  }
};

const copyWords: PlaneCopy = (src, s, s0, s1, dst, d, d0, d1, n0, n1, length) => {
  for (let i = 0; i < n0; i++) {
    for (let j = 0, a = s + i * s0, b = d + i * d0; j < n1; j++, a += s1, b += d1) {
      for (let k = 0; k < length; k++) dst[b + k] = src[a + k]!;
    }
  }
};

const copyBulk: PlaneCopy = (src, s, s0, s1, dst, d, d0, d1, n0, n1, length) => {
  for (let i = 0; i < n0; i++) {
    for (let j = 0, a = s + i * s0, b = d + i * d0; j < n1; j++, a += s1, b += d1) {
      dst.set(src.subarray(a, a + length), b);
    }
  }
};

// ---------------------------------------------------------------------------------------------- single elements, picks

/** Fills all of `dst` with the first element of `src`. */
export function fillWith(type: DType, dst: Elements, src: Elements): void {
  const { words, count } = wordsOf(type, dst);
  const value = wordsOf(type, src).words;
  for (let i = 0; i < count; i++) words[i] = value[i]!;
  repeatFirst(words, count);
}

/** Copies the picked runs of `src` to consecutive runs of `dst`. */
export function copyPicked(memory: ArrayMemory, type: DType, src: Elements, dst: Elements, all: Picks): void {
  const { outer, size, run, picks } = all;
  if (memory.copier?.picked(src, dst, all, run * bytesOf(type))) return;
  const { words, count } = wordsOf(type, src);
  const target = wordsOf(type, dst).words;
  const length = run * count;
  const copy = choosePicker(words, length);
  for (let o = 0; o < outer; o++) copy(words, o * size * length, target, o * picks.length * length, length, picks);
}

function choosePicker(words: Words, length: number): Picker {
  if (length >= BULK) return pickBulk;
  if (!(words instanceof Int32Array)) return pickNarrow;
  if (length === 1) return pickSingles;
  return length === 2 ? pickPairs : pickWords;
}

type Picker = (src: Words, s: number, dst: Words, d: number, length: number, picks: Uint32Array) => void;

const pickBulk: Picker = (src, s, dst, d, length, picks) => {
  for (let j = 0; j < picks.length; j++, d += length) {
    const a = s + picks[j]! * length;
    dst.set(src.subarray(a, a + length), d);
  }
};

const pickNarrow: Picker = (src, s, dst, d, length, picks) => {
  for (let j = 0; j < picks.length; j++) {
    const a = s + picks[j]! * length;
    for (let k = 0; k < length; k++) dst[d++] = src[a + k]!;
  }
};

const pickSingles: Picker = (src, s, dst, d, _length, picks) => {
  for (let j = 0; j < picks.length; j++) dst[d + j] = src[s + picks[j]!]!;
};

/** Elements of 64 bits: 1,000 of `f64` 9.0 us by the loop over words -> 4.7. */
const pickPairs: Picker = (src, s, dst, d, _length, picks) => {
  for (let j = 0; j < picks.length; j++, d += 2) {
    const a = s + 2 * picks[j]!;
    dst[d] = src[a]!;
    dst[d + 1] = src[a + 1]!;
  }
};

const pickWords: Picker = (src, s, dst, d, length, picks) => {
  for (let j = 0; j < picks.length; j++) {
    const a = s + picks[j]! * length;
    for (let k = 0; k < length; k++) dst[d++] = src[a + k]!;
  }
};
