/**
 * Reading and writing parts of tensors: slices with static or dynamic starts, lookups by index tensors, scattered writes.
 * Dynamic starts are clamped so that the slice fits; entries of index tensors must lie within their axis.
 */
import { ArgumentError } from "../../core/errors";
import { int64ToNumberOrBigInt } from "../../core/int64";
import { allAxes, formatShape, inversePermutation, rowMajorStrides, sizeOf } from "../../core/shape";
import { isFloat, isUnsigned, is64Bit, type DType } from "../../core/types";
import type { Tensor } from "../../tensor";
import { loadF64, storeF64 } from "../arrays/convert";
import type { Words } from "../arrays/copier";
import { copyLattice, copyPicked, gatherLattice, reordered, wordsOf } from "../arrays/copy";
import type { ArrayMemory } from "../arrays/memory";
import { dropCopy, elementsAs, orderedOf, scalarValue } from "../arrays/operands";
import { letGo, readPositions } from "../arrays/positions";
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

export const putSlice: ArrayPrimitive<"putSlice"> =
  (memory) =>
  (out, [x, piece, ...dynamic], { starts }) => {
    const given = elementsAs(out.type, x!);
    const elements = given.slice();
    dropCopy(memory, x!, given);
    const steps = rowMajorStrides(out.shape);
    const offset = offsetOf(steps, resolveStarts(starts, dynamic, out.shape, piece!.shape));
    const from = { offset: 0, steps: rowMajorStrides(piece!.shape) };
    const written = elementsAs(out.type, piece!);
    copyLattice(memory, out.type, piece!.shape, written, from, elements, { offset, steps });
    dropCopy(memory, piece!, written);
    return memory.hold(elements);
  };

// -------------------------------------------------------------------------------------------------------------- lookups

/** All entries of an index tensor for an axis as positions, to be read only; the first that lies outside is an error. */
function positionsAlong(memory: ArrayMemory, indices: Tensor, x: Tensor, axis: number): Uint32Array {
  const { positions, wrong } = readPositions(memory, indices, x.shape[axis]!);
  if (wrong < 0) return positions;
  const source = elementsOf(indices);
  const index = is64Bit(indices.type)
    ? int64ToNumberOrBigInt(source as Int32Array, 2 * wrong, !isUnsigned(indices.type))
    : source[wrong]!;
  throw outOfBounds(index, axis, x);
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
    const picks = positionsAlong(memory, indices!, x!, axis);
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
    letGo(memory, picks, indices!);
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
  return { elements: orderedOf(memory, type, x, elementsAs(type, x), order), order, run };
}

/** Numbers of the rows that the coordinates in the last axis of `indices` stand for. */
function rowNumbers(memory: ArrayMemory, x: Tensor, indices: Tensor, axes: readonly number[]): Uint32Array {
  if (axes.length === 1) return positionsAlong(memory, indices, x, axes[0]!);
  const values = new Float64Array(sizeOf(indices.shape));
  loadF64(indices.type, elementsOf(indices), 0, values, values.length);
  const strides = rowMajorStrides(axes.map((axis) => x.shape[axis]!));
  const rows = memory.unset("u32", indices.shape.slice(0, -1));
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
    const picks = rowNumbers(memory, x!, indices!, axes);
    const { elements, run } = rowsOf(memory, out.type, x!, axes);
    const result = memory.unset(out.type, out.shape);
    copyPicked(memory, out.type, elements, result, { outer: 1, size: sizeOf(x!.shape) / run, run, picks });
    letGo(memory, picks, indices!);
    return memory.hold(result);
  };

/** Where the lines of an axis lie in a tensor and in the indices, which agree in all other axes. */
const takeAlong: ArrayPrimitive<"takeAlong"> =
  (memory) =>
  (out, [x, indices], { axis }) => {
    const size = x!.shape[axis]!;
    if (size === sizeOf(x!.shape)) return take(memory)(out, [x!, indices!], { axis });
    const picks = positionsAlong(memory, indices!, x!, axis);
    const block = indices!.shape[axis]! * sizeOf(x!.shape.slice(axis + 1));
    const inner = sizeOf(x!.shape.slice(axis + 1));
    const elements = memory.unset(out.type, out.shape);
    const { words, count } = wordsOf(out.type, elements);
    const from = wordsOf(out.type, elementsAs(out.type, x!)).words;
    for (let i = 0, base = 0, next = block; i < picks.length; base += size * inner, next += block) {
      for (let k = 0; i < next; i++, k = k + 1 < inner ? k + 1 : 0) {
        const at = (base + picks[i]! * inner + k) * count;
        for (let word = 0; word < count; word++) words[i * count + word] = from[at + word]!;
      }
    }
    letGo(memory, picks, indices!);
    return memory.hold(elements);
  };

// ----------------------------------------------------------------------------------------------------- scattered writes

/** Of several updates to one place, `put` keeps the last and `add` the sum, taken in order and rounded once to the type. */
const indexed: ArrayPrimitive<"indexed"> =
  (memory) =>
  (out, [x, indices, updates], { op, axes }) => {
    const numbers = rowNumbers(memory, x!, indices!, axes);
    const { elements: given, order, run } = rowsOf(memory, out.type, x!, axes);
    const elements = memory.unset(out.type, out.shape) as Elements;
    elements.set(given);
    dropCopy(memory, x!, given);
    const values = elementsAs(out.type, updates!);
    const rows: UpdatedRows = { type: out.type, elements, numbers, run, values };
    if (op === "put") putRows(rows);
    else addRows(memory, rows);
    letGo(memory, numbers, indices!);
    dropCopy(memory, updates!, values);
    const moved = order.map((axis) => out.shape[axis]!);
    const result = reordered(memory, out.type, elements, moved, inversePermutation(order));
    if (result !== elements) memory.drop(elements);
    return memory.hold(result);
  };

/** Rows of `run` elements, and values for some of them, by their numbers. */
interface UpdatedRows {
  readonly type: DType;
  readonly elements: Elements;
  readonly numbers: Uint32Array;
  readonly run: number;
  readonly values: Elements;
}

function putRows({ type, elements, numbers, run, values }: UpdatedRows): void {
  const { words, count } = wordsOf(type, elements);
  const from = wordsOf(type, values).words;
  const length = run * count;
  if (length === 1) {
    for (let i = 0; i < numbers.length; i++) words[numbers[i]!] = from[i]!;
    return;
  }
  for (let i = 0, at = 0; i < numbers.length; i++) {
    const to = numbers[i]! * length;
    words[to] = from[at++]!;
    words[to + 1] = from[at++]!;
    for (let k = 2; k < length; k++) words[to + k] = from[at++]!;
  }
}

function addRows(memory: ArrayMemory, rows: UpdatedRows): void {
  const { type, elements, numbers, run, values } = rows;
  // Sums of doubles are rounded as they are stored, those of integers of up to 32 bits wrap around, signed or not.
  if (type === "f64") return addDoubles(memory, elements as Float64Array, numbers, run, values as Float64Array);
  if (type === "c128") return addDoubles(memory, elements as Float64Array, numbers, 2 * run, values as Float64Array);
  if (type === "f32") return addSingles(memory, elements as Float32Array, numbers, run, values as Float32Array);
  if (type === "c64") return addSingles(memory, elements as Float32Array, numbers, 2 * run, values as Float32Array);
  if (isFloat(type)) return addHalves(memory, rows);
  if (is64Bit(type)) return addWide(elements as Int32Array, numbers, run, values as Int32Array);
  return addIntegers(wordsOf(type, elements).words, numbers, run, wordsOf(type, values).words);
}

function addIntegers(elements: Words, numbers: Uint32Array, run: number, values: Words): void {
  if (run === 1) {
    for (let i = 0; i < numbers.length; i++) elements[numbers[i]!]! += values[i]!;
    return;
  }
  for (let i = 0, from = 0; i < numbers.length; i++) {
    const to = numbers[i]! * run;
    for (let k = 0; k < run; k++) elements[to + k]! += values[from++]!;
  }
}

function addDoubles(
  memory: ArrayMemory,
  elements: Float64Array,
  numbers: Uint32Array,
  run: number,
  values: Float64Array | Float32Array,
): void {
  if (memory.copier?.added({ sums: elements, picks: numbers, run, values })) return;
  if (run === 1) {
    for (let i = 0; i < numbers.length; i++) elements[numbers[i]!]! += values[i]!;
    return;
  }
  for (let i = 0, from = 0; i < numbers.length; i++) {
    const to = numbers[i]! * run;
    for (let k = 0; k < run; k++) elements[to + k]! += values[from++]!;
  }
}

function addWide(elements: Int32Array, numbers: Uint32Array, run: number, values: Int32Array): void {
  for (let i = 0, from = 0; i < numbers.length; i++) {
    for (let k = 0, at = 2 * numbers[i]! * run; k < run; k++, at += 2, from += 2) {
      const lo = (elements[at]! >>> 0) + (values[from]! >>> 0);
      elements[at] = lo;
      elements[at + 1]! += values[from + 1]! + (lo >= 2 ** 32 ? 1 : 0);
    }
  }
}

/** Sums in doubles; only elements that were added to are written back, the others keep their bits. */
function addSingles(
  memory: ArrayMemory,
  elements: Float32Array,
  numbers: Uint32Array,
  run: number,
  values: Float32Array,
): void {
  const sums = memory.unset("f64", [elements.length]);
  sums.set(elements);
  addDoubles(memory, sums, numbers, run, values);
  if (elements.length > values.length || !roundAll(elements, sums)) {
    for (let i = 0; i < numbers.length; i++) {
      const to = numbers[i]! * run;
      for (let k = to; k < to + run; k++) elements[k] = sums[k]!;
    }
  }
  memory.release(memory.hold(sums));
}

/** Stores all sums that are numbers, of which those that were not added to come back as they were; false where one is NaN. */
function roundAll(elements: Float32Array, sums: Float64Array): boolean {
  let isAll = true;
  for (let i = 0; i < sums.length; i++) {
    const sum = sums[i]!;
    if (sum === sum) elements[i] = sum;
    else isAll = false;
  }
  return isAll;
}

/** The same for floats that are stored as bits. */
function addHalves(memory: ArrayMemory, { type, elements, numbers, run, values }: UpdatedRows): void {
  const sums = new Float64Array(elements.length);
  const terms = new Float64Array(values.length);
  loadF64(type, elements, 0, sums, sums.length);
  loadF64(type, values, 0, terms, terms.length);
  addDoubles(memory, sums, numbers, run, terms);
  for (let i = 0, to = 0; i < numbers.length; i++, to += run) {
    const at = numbers[i]! * run;
    for (let k = 0; k < run; k++) terms[to + k] = sums[at + k]!;
  }
  const rounded = allocate(type, terms.length);
  storeF64(type, rounded, 0, terms, terms.length);
  putRows({ type, elements, numbers, run, values: rounded });
}

/** The primitives that read or write a part. */
export const slicing = { slice };

/** Primitives that read or write elements by their positions. */
export const lookups = { take, takeAlong, gather, indexed };
