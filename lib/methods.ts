/**
 * Types of arguments and results that functions of several groups share. Types only.
 */
import type { AxisOf, Clash, Known, Listed } from "./core/axis-types";
import type { Value } from "./core/bytes";
import type { Complex } from "./core/complex";
import type { Names, Shape } from "./core/shape";
import type { DType } from "./core/types";
import type { Operand, Tensor } from "./tensor";

/** Options of `Nx.divide`. */
export interface DivideOptions {
  /** Whole quotients: rounded towards zero or downwards. */
  readonly roundingMode?: "trunc" | "floor";
}

/** Options of `Nx.isInfinity`. */
export interface InfinityOptions {
  /** Whether Infinity counts, true when left out. */
  readonly detectPositive?: boolean;
  /** Whether -Infinity counts, true when left out. */
  readonly detectNegative?: boolean;
}

/** The right operand of an element-wise function; clashing names are a compile error that shows them. */
export type Right<L extends Names, R extends Names> = [Clash<L, R>] extends [never]
  ? Operand<R>
  : Clash<L, R> & Tensor<R>;

/** An operand that meets others by name, so that all its axes have names; one that has none is a compile error. */
export type AllNamed<N extends Names> =
  Known<N> extends false
    ? Operand<N>
    : null extends N[number]
      ? Operand<N> & { error: "an axis has no name"; axes: Listed<N> }
      : Operand<N>;

/** A tensor that has all axes of another one of the names `N`, and names for them; a missing axis is a compile error. */
export type WithAxes<N extends Names, M extends Names> =
  Known<N> extends false
    ? AllNamed<M>
    : Known<M> extends false
      ? AllNamed<M>
      : [Exclude<N[number], M[number]>] extends [never]
        ? AllNamed<M>
        : Operand<M> & { error: "an axis is missing"; axis: Exclude<N[number], M[number]> };

/** Where a slice starts along an axis: a position, or a scalar integer tensor that is read when it is computed. */
export type Start = number | bigint | Tensor;

/** One entry of an index: a position, a range, a dynamic scalar tensor. */
export type Index = number | IndexRange | Tensor;

/** Entries of an index by the names of their axes. */
export type IndexByName<N extends Names> = { readonly [axis in Extract<AxisOf<N>, string>]?: Index };

/** A half-open range of positions, or every so many of them, made by `Nx.range`. */
export interface IndexRange {
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly step: number;
  readonly kind: "range";
}

/** Nested arrays of numbers, as `toList` gives them. */
export type NestedList = (number | bigint | Complex | NestedList)[];

/** The lists that `toList` gives of a tensor with the names `N`: nested as deep as it has axes, where that is known. */
export type ListOf<N extends Names> = number extends N["length"]
  ? NestedList
  : N extends readonly [unknown, ...infer R extends Names]
    ? R extends readonly []
      ? Value[]
      : ListOf<R>[]
    : never;

/** Nested arrays of numbers alone. */
export type NestedNumbers = (number | NestedNumbers)[];

/** The lists of numbers that `toNumbers` gives: one, or nested so deep as the option `rank` says. */
export type NumberList<R extends number> = number extends R
  ? NestedNumbers
  : R extends 2
    ? number[][]
    : R extends 3
      ? number[][][]
      : R extends 4
        ? number[][][][]
        : R extends 0 | 1
          ? number[]
          : NestedNumbers;

/** An element in JSON: what JSON has no number for is text, a complex number a pair. */
export type JsonElement = number | string | readonly [re: number | string, im: number | string];

/** A tensor in JSON. Files keep more and are smaller: see `Nx.serialize`. */
export interface JsonTensor {
  readonly type: DType;
  readonly shape: Shape;
  readonly names: Names;
  /**
   * In row-major order; left out where there are none: in templates, while tracing, of released tensors, and of those that only
   * `Nx.read` reads.
   */
  readonly elements?: readonly JsonElement[];
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
