/**
 * Operands of sums of products: an array that is seen through strides, and axes that are counted through as batch, rows and
 * columns. They become strides of matrices where the order of the axes allows, else the elements are brought into order.
 */
import { rowMajorStrides, sizeOf, type Shape } from "../../../core/shape";
import { bytesOf, type DType } from "../../../core/types";
import type { NestSpace } from "../../../backend";
import { keyOf } from "../../../kernel/key";
import type { Keyed } from "../../../kernel/lower/single";
import { readerOf, type Access, type Elements, type Reader } from "../../../kernel/operand";
import { withUniform } from "../../../kernel/uniform";
import { copyBox } from "../copy";
import { placed } from "../lines/element-wise";
import { baseOf, baseOfArray, bring, firstOf, NOWHERE, roomBytes, roomFor, Stored } from "../placement";
import { bytesThrough, isMadeByRows } from "../schedule/contractions";
import { latticeOf } from "./arrays";
import { Blocks, bytesOfBlocks, prepare, type Task } from "./blocks";
import { threadCount } from "../threads/index";
import type { Operand } from "./index";
import type { Through } from "./through";

type Axes = readonly number[];

/** Elements seen through strides, and the conversions that lead from their type to that of lanes. */
export interface Source {
  readonly type: DType;
  readonly elements: Elements;
  readonly width: 1 | 2;
  readonly shape: Shape;
  readonly strides: readonly number[];
  readonly offset: number;
  readonly casts: readonly Keyed[];
  /** What the first of these kernels reads, where that is not the elements alone. */
  readonly readers?: readonly Reader[];
}

/** An operand with the axes that are counted through as batch, rows and columns. */
export interface Side {
  readonly source: Source;
  readonly axes: readonly [batch: Axes, rows: Axes, columns: Axes];
  /** How the kernel of a matrix that is multiplied with a vector goes by rows, where it does. */
  readonly byRows?: ByRows | null;
}

/** Where matrices lie, in elements from the first one on. */
type Places = Omit<Operand, "address">;

/** Distance between neighbours when the axes are counted through as one, the last fastest; null where there is no one such. */
export function strideOf(axes: Axes, shape: Shape, strides: readonly number[]): number | null {
  const counted = axes.filter((axis) => shape[axis] !== 1);
  const whole = counted.every((axis, i) => {
    const next = counted[i + 1];
    return next === undefined || strides[axis] === strides[next]! * shape[next]!;
  });
  return whole ? (counted.length === 0 ? 1 : strides[counted.at(-1)!]!) : null;
}

/** The matrices of elements with such strides; null where matrices have none. */
function placesOf(
  { source: { shape }, axes: [batch, rows, columns] }: Side,
  strides: readonly number[],
): Places | null {
  const row = strideOf(rows, shape, strides);
  const column = strideOf(columns, shape, strides);
  if (row === null || column === null) return null;
  const pick = (values: readonly number[]): number[] => batch.map((axis) => values[axis]!);
  return { offsets: latticeOf(pick(shape), pick(strides)), row, column };
}

/** How many matrices there are, and how many rows and columns they have. */
const sizesOf = ({ source: { shape }, axes }: Side): [number, number, number] =>
  axes.map((some) => some.reduce((size, axis) => size * shape[axis]!, 1)) as [number, number, number];

/** Whether all elements of an array are seen, in the order in which they lie. */
function isWhole({ elements, width, shape, strides, offset }: Source): boolean {
  let size = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    if (strides[axis] !== size) return false;
    size *= shape[axis]!;
  }
  return offset === 0 && elements.length === width * size;
}

/** The matrices of elements in row-major order, by the axes of a plan, which are the same objects for each call. */
const inOrder = new WeakMap<Side["axes"], { readonly places: Places | null }>();

function placesInOrder(side: Side): Places | null {
  const cached = inOrder.get(side.axes);
  if (cached) return cached.places;
  const places = placesOf(side, rowMajorStrides(side.source.shape));
  inOrder.set(side.axes, { places });
  return places;
}

/**
 * The matrices where they lie. Products with vectors go by how the matrix lies, so there what is seen through other strides
 * is laid out first, as it would be if it were a tensor of its own.
 */
function placesInArray(side: Side, isVector: boolean): Places | null {
  const { source } = side;
  if (source.casts.length > 0) return null;
  if (isWhole(source)) return placesInOrder(side);
  // An array that is copied should not be much larger than what is read of it.
  const isLarge =
    baseOfArray(source.elements) === NOWHERE && source.elements.length > 2 * source.width * sizeOf(source.shape);
  return isVector || isLarge ? null : placesOf(side, source.strides);
}

/** A matrix that a kernel makes of operands, as it would lie, and how the kernel goes by rows of memory. */
interface ByRows {
  readonly places: Places;
  readonly length: number;
  readonly spaces: readonly (readonly [NestSpace, Access])[];
}

/** A matrix that is multiplied with a vector, and the axes that sums go along. */
export const sideOfVector = (source: Source, axes: Side["axes"], sums: "rows" | "columns"): Side => ({
  source,
  axes,
  byRows: byRowsOf({ source, axes }, sums),
});

/** How such a matrix goes through its only kernel row by row; null where it is laid out first. */
function byRowsOf(side: Side, sums: "rows" | "columns"): ByRows | null {
  const { source } = side;
  if (source.casts.length !== 1) return null;
  const [batch, rows, columns] = sizesOf(side);
  const places = placesInOrder(side);
  if (!places) return null;
  const { row, column } = places;
  const [length, count] = column === 1 ? [columns, rows] : [rows, columns];
  const isInRows = Math.min(row, column) === 1 && Math.max(row, column) === length;
  const isDown = sums !== (column === 1 ? "columns" : "rows");
  if (!isInRows || !isMadeByRows({ batch, rows: count, length, isDown }, threadCount())) return null;
  const readers = readersOf(source);
  const spaces = readers.map((reader) => placed(reader, length, false));
  const isThere = spaces.every(([space], i) => space !== "full" || baseOf(readers[i]!) !== NOWHERE);
  return isThere ? { places, length, spaces } : null;
}

/** The operands of the kernel by row: those that stay the same along rows or from row to row are copied where they lie elsewhere. */
function throughOf({ casts: [cast], ...source }: Source, { length, spaces }: ByRows): Through {
  const kernel = withUniform(
    cast!.kernel,
    spaces.map(([space]) => space === "one" || space === "line"),
  );
  const rows = sizeOf(source.shape) / length;
  const operands = readersOf(source).map((reader, i) => {
    const [space, access] = spaces[i]!;
    const { type } = kernel.inputs[i]!;
    const size = bytesOf(type);
    const seen = reader.through(access);
    const base = space === "one" ? firstOf(seen) : baseOf(seen);
    const count = space === "line" ? rows : space === "group" ? length : 1;
    const address = base === NOWHERE ? roomFor(type, count) : base;
    if (base === NOWHERE) bring(type, seen, 0, count, address);
    const isAlong = space === "full" || space === "group";
    return {
      address,
      row: space === "full" ? length * size : space === "line" ? size : 0,
      column: isAlong ? size : 0,
    };
  });
  return { ...cast!, kernel, key: keyOf(kernel), operands };
}

/** Bytes of scratch space that an operand takes. */
export function bytesOfSide(side: Side, isVector: boolean): number {
  const { byRows } = side;
  const { elements, shape } = side.source;
  if (byRows) return bytesThrough(byRows.length, sizeOf(shape) / byRows.length, byRows.spaces.length);
  if (placesInArray(side, isVector)) return baseOfArray(elements) === NOWHERE ? elements.byteLength + 64 : 0;
  return bytesLaidOut(side.source) + roomBytes(side.source.width === 2 ? "c128" : "f64", sizeOf(shape));
}

/** Bytes of scratch space that {@link laidOut} takes. */
export function bytesLaidOut(source: Source): number {
  const { shape, casts, type } = source;
  const count = sizeOf(shape);
  if (casts.length > 0) return casts.reduce((sum, cast) => sum + bytesOfBlocks(taskOf(cast), count), 0);
  return baseOf(readerOf(source, shape)) === NOWHERE ? roomBytes(type, count) : 0;
}

/** Compiles conversions. */
export function prepareSide({ source, byRows }: Side): void {
  if (!byRows) source.casts.forEach((cast) => prepare(taskOf(cast)));
}

const readersOf = (source: Omit<Source, "casts">): readonly Reader[] =>
  source.readers ?? [readerOf(source, source.shape)];

const taskOf = ({ kernel, key }: Keyed): Task => ({ kernel, key, readers: [null], outputs: [null] });

/** An operand in the memory of kernels. */
export function operandOf(type: DType, side: Side, isVector: boolean): Operand {
  const { source, byRows } = side;
  if (byRows) return { address: 0, ...byRows.places, through: throughOf(source, byRows) };
  const inArray = placesInArray(side, isVector);
  const size = bytesOf(type);
  if (inArray) return { address: new Stored(source.type, source.elements).whole() + source.offset * size, ...inArray };
  const address = laidOut(type, source);
  const places = placesInOrder(side);
  return places ? { address, ...places } : reordered(type, side, address);
}

/** The viewed elements in row-major order, in the type of the lanes. */
export function laidOut(type: DType, source: Source): number {
  const { shape, casts } = source;
  const count = sizeOf(shape);
  const [first, ...rest] = casts;
  if (!first) {
    const reader = readerOf(source, shape);
    const base = baseOf(reader);
    if (base !== NOWHERE) return base;
    const at = roomFor(type, count);
    bring(type, reader, 0, count, at);
    return at;
  }
  let at = roomFor(first.kernel.outputs[0]!.type, count);
  new Blocks({ ...taskOf(first), readers: readersOf(source) }, count).run(0, count, 0, at);
  for (const cast of rest) {
    const to = roomFor(cast.kernel.outputs[0]!.type, count);
    new Blocks(taskOf(cast), count).run(0, count, at, to);
    at = to;
  }
  return at;
}

/** Elements that lie row-major, in the order batch, rows, columns. */
function reordered(type: DType, side: Side, from: number): Operand {
  const order = side.axes.flat();
  const { shape } = side.source;
  const [batch, rows, columns] = sizesOf(side);
  const bytes = bytesOf(type);
  const strides = rowMajorStrides(shape);
  const steps = rowMajorStrides(order.map((axis) => shape[axis]!));
  const at = roomFor(type, batch * rows * columns);
  copyBox({
    ...{ from, to: at, bytes },
    axes: order.map((axis, i) => ({ size: shape[axis]!, from: strides[axis]! * bytes, to: steps[i]! * bytes })),
  });
  const offsets = Array.from({ length: batch }, (_, i) => i * rows * columns);
  return { address: at, offsets, row: columns, column: 1 };
}
