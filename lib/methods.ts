/**
 * Types of the methods that tensors carry: the core groups of functions with the tensor as first argument. Types only.
 * `lib/nx/methods.ts` installs them from the functions; a method missing there fails `tsc`.
 */
import type { AxisOf, Clash, Drop, Merge, Permute, Reverse } from "./core/axis-types";
import type { Axis, Names } from "./core/shape";
import type { DType, Scalar } from "./core/types";
import type { BinaryOp, UnaryOp } from "./ops";
import type { Operand, Tensor } from "./tensor";

/** The right operand of an element-wise function; clashing names are a compile error that shows them. */
export type Right<L extends Names, R extends Names> = [Clash<L, R>] extends [never]
  ? Operand<R>
  : Clash<L, R> & Tensor<R>;

/** Options of reductions over several axes. */
export interface AxesOptions<A extends readonly unknown[] = readonly Axis[]> {
  /** Axes to reduce, by index or name; all when left out. */
  readonly axes?: A;
  /** Keep the reduced axes with size 1. */
  readonly keepAxes?: boolean;
}

/** Options of reductions over one axis. */
export interface AxisOptions<A = Axis> {
  /** Axis to reduce, by index or name; all elements when left out. */
  readonly axis?: A;
  /** Keep the reduced axis with size 1. */
  readonly keepAxis?: boolean;
}

type UnaryMethods<N extends Names> = { [K in UnaryOp | "logicalNot" | "phase"]: () => Tensor<N> };
type BinaryMethods<N extends Names> = {
  [K in Exclude<BinaryOp, "complex">]: <R extends Names = readonly []>(right: Right<N, R>) => Tensor<Merge<N, R>>;
};

/** A reduction over axes: names known at compile time lose the reduced ones. */
export interface AxesReduction<N extends Names, Extra = unknown> {
  <const A extends readonly AxisOf<N>[]>(options: { readonly axes: A; readonly keepAxes: true } & Extra): Tensor<N>;
  <const A extends readonly AxisOf<N>[]>(
    options: { readonly axes: A; readonly keepAxes?: false } & Extra,
  ): Tensor<Drop<N, A>>;
  (options?: AxesOptions<readonly AxisOf<N>[]> & Extra): Tensor;
}

/** A reduction over one axis or all. */
export interface AxisReduction<N extends Names, Extra = unknown> {
  <const A extends AxisOf<N>>(
    options: { readonly axis: A; readonly keepAxis?: false } & Extra,
  ): Tensor<Drop<N, readonly [A]>>;
  (options?: AxisOptions<AxisOf<N>> & Extra): Tensor;
}

export type TieBreak = { readonly tieBreak?: "low" | "high" };
export type Ddof = { readonly ddof?: number };

/** One entry of an index: a position, a range, a dynamic scalar tensor. */
export type Index = number | IndexRange | Tensor;

/** A half-open range of positions made by `Nx.range`. */
export interface IndexRange {
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly kind: "range";
}

/** Nested arrays of numbers, as `toList` gives them. */
export type NestedList = (number | bigint | Complex | NestedList)[];
type Complex = Extract<Scalar, object>;

export interface TensorMethods<N extends Names = Names> extends UnaryMethods<N>, BinaryMethods<N> {
  // aggregates
  readonly sum: AxesReduction<N>;
  readonly product: AxesReduction<N>;
  readonly mean: AxesReduction<N>;
  readonly all: AxesReduction<N>;
  readonly any: AxesReduction<N>;
  readonly reduceMax: AxesReduction<N>;
  readonly reduceMin: AxesReduction<N>;
  readonly variance: AxesReduction<N, Ddof>;
  readonly standardDeviation: AxesReduction<N, Ddof>;
  readonly argmax: AxisReduction<N, TieBreak>;
  readonly argmin: AxisReduction<N, TieBreak>;
  readonly median: AxisReduction<N>;
  readonly mode: AxisReduction<N>;
  weightedMean(weights: Operand, options?: AxesOptions<readonly AxisOf<N>[]>): Tensor;
  allClose(other: Operand, options?: { rtol?: number; atol?: number; equalNan?: boolean }): Tensor<readonly []>;

  // element-wise with more operands
  clip(min: Operand, max: Operand): Tensor<N>;
  select(onTrue: Operand, onFalse: Operand): Tensor;

  // shape
  align(...order: string[]): Tensor;
  axisIndex(axis: AxisOf<N>): number;
  axisSize(axis: AxisOf<N>): number;
  broadcast(shape: readonly number[] | Tensor, options?: { axes?: readonly number[]; names?: Names }): Tensor;
  flatten(options?: { axes?: readonly AxisOf<N>[]; name?: string | null }): Tensor;
  newAxis(axis: number, name?: string | null): Tensor;
  pad(value: Operand, config: readonly (readonly [number, number, number?])[]): Tensor<N>;
  reflect(options?: { paddingConfig?: readonly (readonly [number, number])[] }): Tensor<N>;
  rename<const M extends Names>(names: M): Tensor<M>;
  reshape<const M extends Names = Names>(shape: readonly (number | "auto")[], options?: { names?: M }): Tensor<M>;
  squeeze(options?: { axes?: readonly AxisOf<N>[] }): Tensor;
  tile(repetitions: readonly number[], options?: { names?: Names }): Tensor;
  transpose(): Tensor<Reverse<N>>;
  transpose<const A extends readonly AxisOf<N>[]>(options: { axes: A }): Tensor<Permute<N, A>>;

  // indexing
  /** Integers drop an axis, ranges keep it; an object selects by name; a scalar tensor index is dynamic and clamped. */
  at(...indices: Index[]): Tensor;
  at(indices: { readonly [axis in Extract<AxisOf<N>, string>]?: Index }): Tensor;

  // type and conversion
  asType(type: DType, options?: { overflow?: "saturate" | "wrap" }): Tensor<N>;
  bitcast(type: DType): Tensor<N>;
  toNumber(): number | bigint | Complex;
  toList(): NestedList;
  toFlatList(options?: { limit?: number }): (number | bigint | Complex)[];
  toBinary(options?: { limit?: number }): Uint8Array;
  toTypedArray(): TypedArray;

  // value semantics and printing
  equals(other: unknown): boolean;
  hashCode(): number;
  toString(): string;
}

/** The arrays `toTypedArray` gives; complex elements are interleaved, half floats widen to `Float32Array`. */
export type TypedArray =
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | BigUint64Array
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array
  | Float32Array
  | Float64Array;
