/**
 * Reading and writing parts of tensors: slices with static or dynamic starts, lookups by index tensors, scattered writes.
 * Dynamic starts are clamped so that the slice fits; entries of index tensors must lie within their axis.
 */
import { ArgumentError } from "../../core/errors";
import { int64ToNumberOrBigInt } from "../../core/int64";
import { allAxes, formatShape, inversePermutation, rowMajorStrides, sizeOf } from "../../core/shape";
import { isComplex, isFloat, isUnsigned, is64Bit, type DType } from "../../core/types";
import type { Tensor } from "../../tensor";
import { loadC128, loadF64, storeC128, storeF64 } from "../arrays/convert";
import type { Words } from "../arrays/copier";
import { copyLattice, copyPicked, gatherLattice, reordered, wordsOf } from "../arrays/copy";
import type { ArrayMemory } from "../arrays/memory";
import { elementsAs, scalarValue } from "../arrays/operands";
import type { ArrayPrimitive } from "../arrays/primitives";
import { allocate, elementsOf, type Elements } from "../arrays/storage";

// --------------------------------------------------------------------------------------------------------------- slices

/** Starts as numbers, dynamic ones read from the inputs, all clamped so that `span` elements fit each axis. */
function resolveStarts(
  starts: readonly (number | null)[],
  dynamic: readonly Tensor[],
  shape: readonly number[],
  span: readonly number[],
): number[] {
  let next = 0;
  return starts.map((start, axis) => {
    const value = start ?? scalarValue(dynamic[next++]!);
    return Math.max(0, Math.min(value, shape[axis]! - span[axis]!));
  });
}

function offsetOf(strides: readonly number[], position: readonly number[]): number {
  return strides.reduce((sum, stride, axis) => sum + stride * position[axis]!, 0);
}

const slice: ArrayPrimitive<"slice"> =
  (memory) =>
  (out, [x, ...dynamic], { starts, lengths, strides }) => {
    const inner = rowMajorStrides(x!.shape);
    const offset = offsetOf(inner, resolveStarts(starts, dynamic, x!.shape, lengths));
    const steps = inner.map((stride, axis) => stride * strides[axis]!);
    return memory.hold(gatherLattice(memory, out.type, out.shape, elementsOf(x!), { offset, steps }));
  };

const putSlice: ArrayPrimitive<"putSlice"> =
  (memory) =>
  (out, [x, piece, ...dynamic], { starts }) => {
    const elements = elementsAs(out.type, x!).slice();
    const steps = rowMajorStrides(out.shape);
    const offset = offsetOf(steps, resolveStarts(starts, dynamic, out.shape, piece!.shape));
    const from = { offset: 0, steps: rowMajorStrides(piece!.shape) };
    copyLattice(memory, out.type, piece!.shape, elementsAs(out.type, piece!), from, elements, { offset, steps });
    return memory.hold(elements);
  };

// -------------------------------------------------------------------------------------------------------------- lookups

/** All entries of an index tensor for an axis as positions; the first that lies outside is an error. */
function positionsAlong(indices: Tensor, x: Tensor, axis: number): Uint32Array {
  const source = elementsOf(indices) as Exclude<Elements, Float32Array>;
  const positions = new Uint32Array(sizeOf(indices.shape));
  const wrong = is64Bit(indices.type)
    ? readWide(source as Int32Array, positions, x.shape[axis]!)
    : readNarrow(source, positions, x.shape[axis]!);
  if (wrong < 0) return positions;
  const index = is64Bit(indices.type)
    ? int64ToNumberOrBigInt(source as Int32Array, 2 * wrong, !isUnsigned(indices.type))
    : source[wrong]!;
  throw outOfBounds(index, axis, x);
}

/** Reads pairs of halves; gives the number of the first that is not below `size`, or -1. */
function readWide(source: Int32Array, positions: Uint32Array, size: number): number {
  for (let i = 0; i < positions.length; i++) {
    const low = source[2 * i]! >>> 0;
    if (source[2 * i + 1] !== 0 || low >= size) return i;
    positions[i] = low;
  }
  return -1;
}

function readNarrow(source: Elements, positions: Uint32Array, size: number): number {
  for (let i = 0; i < positions.length; i++) {
    const index = source[i]!;
    if (!(index >= 0 && index < size)) return i;
    positions[i] = index;
  }
  return -1;
}

function outOfBounds(index: number | bigint, axis: number, x: Tensor): ArgumentError {
  const size = x.shape[axis]!;
  const name = x.names[axis];
  const which = name == null ? `axis ${axis}` : `axis ${axis} (${JSON.stringify(name)})`;
  return new ArgumentError(
    `index ${index} is out of bounds for ${which} of size ${size} in shape ${formatShape(x.shape, x.names)}; ` +
      `indices must lie between 0 and ${size - 1}, negative ones do not count from the end here`,
  );
}

const take: ArrayPrimitive<"take"> =
  (memory) =>
  (out, [x, indices], { axis }) => {
    const picks = positionsAlong(indices!, x!, axis);
    const { shape } = x!;
    const size = shape[axis]!;
    const elements = memory.unset(out.type, out.shape);
    const outer = sizeOf(shape.slice(0, axis));
    copyPicked(memory, out.type, elementsAs(out.type, x!), elements, {
      outer,
      size,
      run: sizeOf(shape.slice(axis + 1)),
      picks,
    });
    return memory.hold(elements);
  };

/** A tensor seen as rows: one for each place along the indexed axes, which lie in front. */
interface Rows {
  readonly elements: Elements;
  /** Axes of the tensor in the order they lie in `elements`. */
  readonly order: readonly number[];
  /** Elements of a row. */
  readonly run: number;
}

function rowsOf(memory: ArrayMemory, type: DType, x: Tensor, axes: readonly number[]): Rows {
  const order = [...axes, ...allAxes(x.shape.length).filter((axis) => !axes.includes(axis))];
  const run = sizeOf(order.slice(axes.length).map((axis) => x.shape[axis]!));
  const elements = elementsAs(type, x);
  return { elements: reordered(memory, type, elements, x.shape, order), order, run };
}

/** Numbers of the rows that the coordinates in the last axis of `indices` stand for. */
function rowNumbers(x: Tensor, indices: Tensor, axes: readonly number[]): Uint32Array {
  if (axes.length === 1) return positionsAlong(indices, x, axes[0]!);
  const values = new Float64Array(sizeOf(indices.shape));
  loadF64(indices.type, elementsOf(indices), 0, values, values.length);
  const strides = rowMajorStrides(axes.map((axis) => x.shape[axis]!));
  const rows = new Uint32Array(sizeOf(indices.shape.slice(0, -1)));
  for (let i = 0, at = 0; i < rows.length; i++) {
    let row = 0;
    for (let k = 0; k < axes.length; k++, at++) {
      const index = values[at]!;
      if (!(index >= 0 && index < x.shape[axes[k]!]!)) throw outOfBounds(index, axes[k]!, x);
      row += index * strides[k]!;
    }
    rows[i] = row;
  }
  return rows;
}

const gather: ArrayPrimitive<"gather"> =
  (memory) =>
  (out, [x, indices], { axes }) => {
    const picks = rowNumbers(x!, indices!, axes);
    const { elements, run } = rowsOf(memory, out.type, x!, axes);
    const result = memory.unset(out.type, out.shape);
    copyPicked(memory, out.type, elements, result, { outer: 1, size: sizeOf(x!.shape) / run, run, picks });
    return memory.hold(result);
  };

/** Where the lines of an axis lie in a tensor and in the indices, which agree in all other axes. */
const takeAlong: ArrayPrimitive<"takeAlong"> =
  (memory) =>
  (out, [x, indices], { axis }) => {
    const picks = positionsAlong(indices!, x!, axis);
    const size = x!.shape[axis]!;
    const block = indices!.shape[axis]! * sizeOf(x!.shape.slice(axis + 1));
    const inner = sizeOf(x!.shape.slice(axis + 1));
    const elements = memory.zeroed(out.type, out.shape);
    const { words, count } = wordsOf(out.type, elements);
    const from = wordsOf(out.type, elementsAs(out.type, x!)).words;
    for (let i = 0, base = 0, next = block; i < picks.length; base += size * inner, next += block) {
      for (let k = 0; i < next; i++, k = k + 1 < inner ? k + 1 : 0) {
        const at = (base + picks[i]! * inner + k) * count;
        for (let word = 0; word < count; word++) words[i * count + word] = from[at + word]!;
      }
    }
    return memory.hold(elements);
  };

// ----------------------------------------------------------------------------------------------------- scattered writes

/** Of several updates to one place, `put` keeps the last and `add` the sum, taken in order and rounded once to the type. */
const indexed: ArrayPrimitive<"indexed"> =
  (memory) =>
  (out, [x, indices, updates], { op, axes }) => {
    const numbers = rowNumbers(x!, indices!, axes);
    const { elements: rows, order, run } = rowsOf(memory, out.type, x!, axes);
    const elements = rows.slice();
    const positions = run === 1 ? numbers : elementsOfRows(numbers, run);
    const values = elementsAs(out.type, updates!);
    if (op === "put") putAt(out.type, elements, positions, values);
    else addAt(out.type, elements, positions, values);
    const moved = order.map((axis) => out.shape[axis]!);
    return memory.hold(reordered(memory, out.type, elements, moved, inversePermutation(order)));
  };

/** Positions of all elements of the given rows. */
function elementsOfRows(rows: Uint32Array, run: number): Uint32Array {
  const positions = new Uint32Array(rows.length * run);
  for (let i = 0, at = 0; i < rows.length; i++) for (let k = 0; k < run; k++, at++) positions[at] = rows[i]! * run + k;
  return positions;
}

function putAt(type: DType, elements: Elements, positions: Uint32Array, values: Elements): void {
  const { words, count } = wordsOf(type, elements);
  const from = wordsOf(type, values).words;
  for (let i = 0; i < positions.length; i++) {
    const at = positions[i]! * count;
    for (let k = 0; k < count; k++) words[at + k] = from[i * count + k]!;
  }
}

function addAt(type: DType, elements: Elements, positions: Uint32Array, values: Elements): void {
  if (is64Bit(type)) addWide(elements as Int32Array, positions, values as Int32Array);
  else if (isFloat(type) || isComplex(type)) addFloats(type, elements, positions, values);
  else addIntegers(wordsOf(type, elements).words, positions, wordsOf(type, values).words);
}

/** Integers of up to 32 bits wrap around as they are stored, whether their bits have a sign or not. */
function addIntegers(elements: Words, positions: Uint32Array, values: Words): void {
  for (let i = 0; i < positions.length; i++) elements[positions[i]!]! += values[i]!;
}

function addWide(elements: Int32Array, positions: Uint32Array, values: Int32Array): void {
  for (let i = 0; i < positions.length; i++) {
    const at = 2 * positions[i]!;
    const lo = (elements[at]! >>> 0) + (values[2 * i]! >>> 0);
    elements[at] = lo;
    elements[at + 1]! += values[2 * i + 1]! + (lo >= 2 ** 32 ? 1 : 0);
  }
}

/** Sums in f64; only elements that were added to are written back, the others keep their bits. */
function addFloats(type: DType, elements: Elements, positions: Uint32Array, values: Elements): void {
  const parts = isComplex(type) ? 2 : 1;
  const [load, store] = parts === 2 ? [loadC128, storeC128] : [loadF64, storeF64];
  const n = positions.length;
  const sums = new Float64Array(elements.length);
  const terms = new Float64Array(n * parts);
  load(type, elements, 0, sums, elements.length / parts);
  load(type, values, 0, terms, n);
  for (let i = 0; i < n * parts; i++) sums[place(i)]! += terms[i]!;
  for (let i = 0; i < n * parts; i++) terms[i] = sums[place(i)]!;
  const rounded = allocate(type, n);
  store(type, rounded, 0, terms, n);
  putAt(type, elements, positions, rounded);

  function place(i: number): number {
    return parts === 1 ? positions[i]! : 2 * positions[i >>> 1]! + (i & 1);
  }
}

/** The primitives that read or write a part. */
export const slicing = { slice, putSlice };

/** Those that read or write elements by their positions. */
export const lookups = { take, takeAlong, gather, indexed };
