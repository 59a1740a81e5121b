/**
 * Sums of products over pairs of axes in WebAssembly, for floats: contracted, batch and other axes become strides of
 * matrices where the order of the axes allows, else the elements are brought into order first. Sums are made in the type of
 * the operands, those of half floats in f32. What is not worth staging and all other types are left to the binary backend.
 */
import type { Attrs, PrimitiveFunction, Template } from "../../backend";
import { unnamed } from "../../core/names";
import { allAxes, rowMajorStrides, sizeOf, type Shape } from "../../core/shape";
import type { DType } from "../../core/types";
import { Tensor } from "../../tensor";
import { reordered } from "../binary/copy";
import { products } from "../binary/dot";
import { elementsAs } from "../binary/operands";
import { BinaryData } from "../binary/storage";
import {
  fits,
  latticeOf,
  multiplyInPieces,
  multiplyWhole,
  STAGED_AT_ONCE,
  type Floats,
  type Placed,
} from "./matmul/arrays";
import type { LaneType } from "./matmul/functions";
import type { Sizes } from "./matmul/index";

/** Products of elements below which staging takes longer than the loops of the binary backend (measured). */
const FEW = 2 ** 12;

type Axes = readonly number[];

/** The type that products of real floats are made in; null for all others. */
export function laneTypeOf(out: DType, x: DType, y: DType): LaneType | null {
  const narrow = (type: DType): boolean => type === "f32" || type === "f16" || type === "bf16";
  if (narrow(out)) return narrow(x) && narrow(y) ? "f32" : null;
  const real = (type: DType): boolean => type === "f64" || narrow(type);
  return out === "f64" && real(x) && real(y) ? "f64" : null;
}

/** A result in lanes' type as the data of `out`. */
export function resultOf(out: Template, type: LaneType, elements: Floats, like: Tensor): BinaryData {
  if (out.type === type) return new BinaryData(elements);
  const names = unnamed(out.shape.length);
  return new BinaryData(
    elementsAs(out.type, new Tensor(like.backend, new BinaryData(elements), type, out.shape, names)),
  );
}

const freeAxes = (t: Tensor, contract: Axes, batch: Axes): number[] =>
  allAxes(t.shape.length).filter((axis) => !contract.includes(axis) && !batch.includes(axis));

/** Pairs of contracted axes in the order in which those of the left operand lie: sums do not mind, strides may. */
function sortedPairs([left, right]: Attrs["dot"]["contract"]): readonly [Axes, Axes] {
  const order = left.map((_, i) => i).sort((i, j) => left[i]! - left[j]!);
  return [order.map((i) => left[i]!), order.map((i) => right[i]!)];
}

/** Distance between neighbours when the axes are counted through as one, the last fastest; null where there is no one such. */
function strideOf(axes: Axes, shape: Shape, strides: readonly number[]): number | null {
  const counted = axes.filter((axis) => shape[axis] !== 1);
  const whole = counted.every((axis, i) => {
    const next = counted[i + 1];
    return next === undefined || strides[axis] === strides[next]! * shape[next]!;
  });
  return whole ? (counted.length === 0 ? 1 : strides[counted.at(-1)!]!) : null;
}

/** An operand as matrices with `rows` and `columns`; null where strides cannot say so. */
function placed(elements: Floats, shape: Shape, batch: Axes, rows: Axes, columns: Axes): Placed | null {
  const strides = rowMajorStrides(shape);
  const row = strideOf(rows, shape, strides);
  const column = strideOf(columns, shape, strides);
  if (row === null || column === null) return null;
  const pick = (values: readonly number[]): number[] => batch.map((axis) => values[axis]!);
  return { elements, offsets: latticeOf(pick(shape), pick(strides)), row, column };
}

/** Elements in the order batch, rows, columns. */
const inOrder = (type: LaneType, elements: Floats, shape: Shape, ...[batch, rows, columns]: Axes[]): Floats =>
  reordered(type, elements, shape, [...batch!, ...rows!, ...columns!]) as Floats;

/** Matrices of elements in that order. */
function oneByOne(elements: Floats, batch: number, rows: number, columns: number): Placed {
  const offsets = Array.from({ length: batch }, (_, i) => i * rows * columns);
  return { elements, offsets, row: columns, column: 1 };
}

const sizeAlong = (t: Tensor, axes: Axes): number => axes.reduce((size, axis) => size * t.shape[axis]!, 1);

/** An operand with the axes that are counted through as batch, rows and columns. */
interface Side {
  readonly tensor: Tensor;
  readonly axes: readonly [batch: Axes, rows: Axes, columns: Axes];
}

/** The products of a batch; null where there is no room for them. */
function multiplySides(type: LaneType, x: Side, y: Side, sizes: Sizes, most: number): Floats | null {
  const { batch, m, k, n } = sizes;
  const [left, right] = [x, y].map(({ tensor }) => elementsAs(type, tensor) as Floats) as [Floats, Floats];
  const [xs, ys] = [x.tensor.shape, y.tensor.shape];
  const a = placed(left, xs, ...x.axes) ?? oneByOne(inOrder(type, left, xs, ...x.axes), batch, m, k);
  const b = placed(right, ys, ...y.axes) ?? oneByOne(inOrder(type, right, ys, ...y.axes), batch, k, n);
  if (fits(type, a, b, sizes, most)) return multiplyWhole(type, a, b, sizes);
  const [p, q] = [inOrder(type, left, xs, ...x.axes), inOrder(type, right, ys, ...y.axes)];
  return multiplyInPieces(type, p, q, sizes, most);
}

/** Sums of products in WebAssembly from so many products on, with at most so many bytes staged at the same time. */
export const dotFrom = (few: number, most: number): PrimitiveFunction<"dot"> => {
  return (out, inputs, attrs) => {
    const [x, y] = inputs as [Tensor, Tensor];
    const type = laneTypeOf(out.type, x.type, y.type);
    const k = sizeAlong(x, attrs.contract[0]);
    if (type === null || sizeOf(out.shape) * k < few) return products.dot(out, inputs, attrs);
    const contract = sortedPairs(attrs.contract);
    const rows = freeAxes(x, contract[0], attrs.batch[0]);
    const columns = freeAxes(y, contract[1], attrs.batch[1]);
    const sizes = { batch: sizeAlong(x, attrs.batch[0]), m: sizeAlong(x, rows), k, n: sizeAlong(y, columns) };
    const left: Side = { tensor: x, axes: [attrs.batch[0], rows, contract[0]] };
    const right: Side = { tensor: y, axes: [attrs.batch[1], contract[1], columns] };
    // The binary backend reads doubles where they lie, once: that takes no longer than staging them.
    const asFast = out.type === "f64" && x.type === "f64" && y.type === "f64" && Math.min(sizes.m, sizes.n) === 1;
    const result = asFast ? null : multiplySides(type, left, right, sizes, most);
    return result ? resultOf(out, type, result, x) : products.dot(out, inputs, attrs);
  };
};

/** The primitive of sums of products. */
export const wasmDot: PrimitiveFunction<"dot"> = dotFrom(FEW, STAGED_AT_ONCE);
