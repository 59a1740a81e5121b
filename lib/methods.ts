/**
 * Types of the methods that tensors carry: the core groups of functions with the tensor as first argument. Types only.
 * Each method takes the axis names from the type of `this`. Were the names a parameter of the interface instead, a tensor
 * of known names would be no `Tensor`, since names stand in parameters of its methods.
 * `lib/nx/methods.ts` installs them from the functions; a method missing there fails `tsc`.
 */
import type {
  AxisOf,
  Clash,
  Drop,
  Insert,
  Merge,
  Moved,
  NewNames,
  Permute,
  Renamed,
  Renaming,
  Replace,
  Reverse,
  Swapped,
} from "./core/axis-types";
import type { Complex } from "./core/complex";
import type { Disposing } from "./core/disposing";
import type { NanPolicy } from "./core/options";
import type { Axis, Name, Names, Shape } from "./core/shape";
import type { DType, IntegerType } from "./core/types";
import type { BinaryOp, UnaryOp } from "./ops";
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

/** Options of reductions over several axes. */
export interface AxesOptions<A extends readonly unknown[] = readonly Axis[]> {
  /** Axes to reduce, by index or name; all when left out. */
  readonly axes?: A;
  /** Keep the reduced axes with size 1. */
  readonly keepAxes?: boolean;
  /** Whether NaN is left out, as a missing value. */
  readonly nan?: NanPolicy;
}

/** Options of reductions over one axis. */
export interface AxisOptions<A = Axis> {
  /** Axis to reduce, by index or name; all elements when left out. */
  readonly axis?: A;
  /** Keep the reduced axis with size 1. */
  readonly keepAxis?: boolean;
  /** Whether NaN is left out, as a missing value. */
  readonly nan?: NanPolicy;
}

/** Composites of one tensor and of two tensors. */
export type UnaryComposite =
  ("isFinite" | "logicalNot" | "logSigmoid" | "phase" | "reciprocal" | "relu") | ("relu6" | "square" | "swish");
export type BinaryComposite = "copysign" | "idiv" | "mod" | "mul" | "sub";

export type UnaryMethods = {
  [K in Exclude<UnaryOp, "isInfinity"> | UnaryComposite]: <N extends Names>(this: Tensor<N>) => Tensor<N>;
};
/** Casts: `t.f32()` is `t.asType("f32")`. */
export type CastMethods = {
  [T in DType]: <N extends Names>(this: Tensor<N>, options?: { overflow?: "saturate" | "wrap" }) => Tensor<N>;
};
/** A function of one tensor with numbers as options. */
export type Shaped<Option extends string> = <N extends Names>(
  this: Tensor<N>,
  options?: { readonly [K in Option]?: number },
) => Tensor<N>;
export type BinaryMethods = {
  [K in Exclude<BinaryOp, "complex" | "divide"> | BinaryComposite]: <N extends Names, R extends Names = readonly []>(
    this: Tensor<N>,
    right: Right<N, R>,
  ) => Tensor<Merge<N, NoInfer<R>>>;
};

/** A reduction over axes: names known at compile time lose the reduced ones. */
export interface AxesReduction<Extra = unknown> {
  <N extends Names, const A extends readonly AxisOf<N>[]>(
    this: Tensor<N>,
    options: { readonly axes: A; readonly keepAxes: true; readonly nan?: NanPolicy } & Extra,
  ): Tensor<N>;
  <N extends Names, const A extends readonly AxisOf<N>[]>(
    this: Tensor<N>,
    options: { readonly axes: A; readonly keepAxes?: false; readonly nan?: NanPolicy } & Extra,
  ): Tensor<Drop<N, A>>;
  <N extends Names>(this: Tensor<N>, options?: AxesOptions<readonly AxisOf<N>[]> & Extra): Tensor;
}

/** A reduction over one axis or all. */
export interface AxisReduction<Extra = unknown> {
  <N extends Names, const A extends AxisOf<N>>(
    this: Tensor<N>,
    options: { readonly axis: A; readonly keepAxis?: false; readonly nan?: NanPolicy } & Extra,
  ): Tensor<Drop<N, readonly [A]>>;
  <N extends Names>(this: Tensor<N>, options?: AxisOptions<AxisOf<N>> & Extra): Tensor;
}

export type TieBreak = { readonly tieBreak?: "low" | "high" };
export type Ddof = { readonly ddof?: number };

/** A running reduction. */
export type Cumulative = <N extends Names>(
  this: Tensor<N>,
  options?: { readonly axis?: AxisOf<N>; readonly reverse?: boolean; readonly nan?: NanPolicy },
) => Tensor<N>;

/** Options of sorting. */
export interface Order<A = Axis> {
  readonly axis?: A;
  readonly direction?: "asc" | "desc";
  readonly stable?: boolean;
}

export type AxisPairs = readonly [left: readonly Axis[], right: readonly Axis[]];

/** Where a slice starts along an axis: a position, or a scalar integer tensor that is read when it is computed. */
export type Start = number | bigint | Tensor;

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

/** The methods of tensors. At the end of a `using` block one releases the data, as `backendDeallocate` does; never needed. */
export interface TensorMethods extends UnaryMethods, BinaryMethods, CastMethods, Disposing {
  // aggregates
  readonly sum: AxesReduction;
  readonly product: AxesReduction;
  readonly mean: AxesReduction;
  readonly all: AxesReduction;
  readonly any: AxesReduction;
  readonly reduceMax: AxesReduction;
  readonly reduceMin: AxesReduction;
  readonly variance: AxesReduction<Ddof>;
  readonly standardDeviation: AxesReduction<Ddof>;
  readonly argmax: AxisReduction<TieBreak>;
  readonly argmin: AxisReduction<TieBreak>;
  readonly median: AxisReduction;
  readonly mode: AxisReduction;
  weightedMean<N extends Names>(this: Tensor<N>, weights: Operand, options?: AxesOptions<readonly AxisOf<N>[]>): Tensor;
  allClose(other: Operand, options?: { rtol?: number; atol?: number; equalNan?: boolean }): Tensor<readonly []>;
  isClose<N extends Names, R extends Names = readonly []>(
    this: Tensor<N>,
    other: Right<N, R>,
    options?: { rtol?: number; atol?: number; equalNan?: boolean },
  ): Tensor<Merge<N, NoInfer<R>>>;
  readonly logSumExp: AxesReduction<{ readonly expScalingFactor?: Operand }>;
  covariance(options?: { readonly ddof?: number; readonly mean?: Operand; readonly nan?: NanPolicy }): Tensor;
  correlation(options?: { readonly nan?: NanPolicy }): Tensor;
  diff<N extends Names>(this: Tensor<N>, options?: { axis?: AxisOf<N>; order?: number }): Tensor<N>;
  trace(options?: { readonly offset?: number }): Tensor;

  // element-wise with more operands
  clip<N extends Names>(this: Tensor<N>, min: Operand, max: Operand): Tensor<N>;
  select(onTrue: Operand, onFalse: Operand): Tensor;
  where<N extends Names, A extends Names = readonly [], B extends Names = readonly []>(
    this: Tensor<N>,
    onTrue: Right<N, A>,
    onFalse: Right<Merge<N, A>, B>,
  ): Tensor<Merge<Merge<N, A>, B>>;
  clamp<N extends Names, L extends Names = readonly [], H extends Names = readonly []>(
    this: Tensor<N>,
    options: { readonly min?: Right<N, L>; readonly max?: Right<Merge<N, L>, H> },
  ): Tensor<Merge<Merge<N, L>, H>>;
  lerp<N extends Names, E extends Names = readonly [], W extends Names = readonly []>(
    this: Tensor<N>,
    end: Right<N, E>,
    weight: Right<Merge<N, E>, W>,
  ): Tensor<Merge<Merge<N, E>, W>>;
  divide<N extends Names, R extends Names = readonly []>(
    this: Tensor<N>,
    right: Right<N, R>,
    options?: DivideOptions,
  ): Tensor<Merge<N, NoInfer<R>>>;

  div<N extends Names, R extends Names = readonly []>(
    this: Tensor<N>,
    right: Right<N, R>,
    options?: DivideOptions,
  ): Tensor<Merge<N, NoInfer<R>>>;
  neg<N extends Names>(this: Tensor<N>): Tensor<N>;

  // element-wise with options
  isInfinity<N extends Names>(this: Tensor<N>, options?: InfinityOptions): Tensor<N>;
  readonly celu: Shaped<"alpha">;
  readonly elu: Shaped<"alpha">;
  gelu<N extends Names>(this: Tensor<N>, options?: { readonly approximate?: "none" | "tanh" }): Tensor<N>;
  readonly hardSigmoid: Shaped<"alpha" | "beta">;
  readonly hardTanh: Shaped<"minVal" | "maxVal">;
  readonly leakyRelu: Shaped<"negSlope">;
  readonly selu: Shaped<"alpha" | "gamma">;
  readonly softplus: Shaped<"beta">;
  logSoftmax<N extends Names>(this: Tensor<N>, options?: { readonly axis?: AxisOf<N> }): Tensor<N>;
  softmax<N extends Names>(this: Tensor<N>, options?: { readonly axis?: AxisOf<N> }): Tensor<N>;

  // shape
  align<const M extends readonly string[]>(...order: M): Tensor<readonly [...M]>;
  axisIndex<N extends Names>(this: Tensor<N>, axis: AxisOf<N>): number;
  axisSize<N extends Names>(this: Tensor<N>, axis: AxisOf<N>): number;
  broadcast<const M extends Names = Names>(
    shape: readonly number[] | Tensor,
    options?: { axes?: readonly number[]; names?: M },
  ): Tensor<M>;
  flatten<N extends Names>(this: Tensor<N>, options?: { axes?: readonly AxisOf<N>[]; name?: string | null }): Tensor;
  newAxis<N extends Names, const A extends number, const M extends Name = null>(
    this: Tensor<N>,
    axis: A,
    name?: M,
  ): Tensor<Insert<N, A, M>>;
  pad<N extends Names>(
    this: Tensor<N>,
    value: Operand,
    config: readonly (readonly [number, number, number?])[],
  ): Tensor<N>;
  reflect<N extends Names>(
    this: Tensor<N>,
    options?: { paddingConfig?: readonly (readonly [number, number])[] },
  ): Tensor<N>;
  rename<N extends Names, const M extends Names | Renaming>(
    this: Tensor<N>,
    names: M & NewNames<N, M>,
  ): Tensor<Renamed<N, M>>;
  reshape<const M extends Names = Names>(shape: readonly (number | "auto")[], options?: { names?: M }): Tensor<M>;
  squeeze<N extends Names>(this: Tensor<N>, options?: { axes?: readonly AxisOf<N>[] }): Tensor;
  tile<const M extends Names = Names>(repetitions: readonly number[], options?: { names?: M }): Tensor<M>;
  moveAxis<N extends Names, const A extends AxisOf<N>, const D extends number>(
    this: Tensor<N>,
    axis: A,
    place: D,
  ): Tensor<Moved<N, A, D>>;
  swapAxes<N extends Names, const A extends AxisOf<N>, const B extends AxisOf<N>>(
    this: Tensor<N>,
    first: A,
    second: B,
  ): Tensor<Swapped<N, A, B>>;
  repeat<N extends Names, const A extends AxisOf<N> = never>(
    this: Tensor<N>,
    count: number | readonly number[],
    options?: { axis?: A },
  ): Tensor<[A] extends [never] ? readonly [null] : N>;
  roll<N extends Names>(
    this: Tensor<N>,
    shift: number | readonly number[],
    options?: { axis?: AxisOf<N> | readonly AxisOf<N>[] },
  ): Tensor<N>;
  split<N extends Names>(
    this: Tensor<N>,
    at: number,
    options?: { axis?: AxisOf<N> },
  ): [left: Tensor<N>, right: Tensor<N>];
  split<N extends Names>(this: Tensor<N>, at: readonly number[], options?: { axis?: AxisOf<N> }): Tensor<N>[];
  unstack<N extends Names>(this: Tensor<N>, options?: { axis?: AxisOf<N> }): Tensor[];
  tril<N extends Names>(this: Tensor<N>, options?: { readonly k?: number }): Tensor<N>;
  triu<N extends Names>(this: Tensor<N>, options?: { readonly k?: number }): Tensor<N>;
  oneHot(classes: number, options?: { type?: DType; axis?: number; name?: Name }): Tensor;
  transpose<N extends Names>(this: Tensor<N>): Tensor<Reverse<N>>;
  transpose<N extends Names, const A extends readonly AxisOf<N>[]>(
    this: Tensor<N>,
    options: { axes: A },
  ): Tensor<Permute<N, A>>;

  // cumulative
  readonly cumulativeSum: Cumulative;
  readonly cumulativeProduct: Cumulative;
  readonly cumulativeMax: Cumulative;
  readonly cumulativeMin: Cumulative;

  // order and products
  sort<N extends Names>(this: Tensor<N>, options?: Order<AxisOf<N>>): Tensor<N>;
  argsort<N extends Names>(this: Tensor<N>, options?: Order<AxisOf<N>> & { type?: IntegerType }): Tensor<N>;
  topK<N extends Names>(this: Tensor<N>, options?: { k?: number }): readonly [values: Tensor<N>, indices: Tensor<N>];
  reverse<N extends Names>(this: Tensor<N>, options?: { axes?: readonly AxisOf<N>[] }): Tensor<N>;
  dot(
    right: Operand,
    options?: { contract?: string | readonly string[] | AxisPairs; batch?: string | readonly string[] | AxisPairs },
  ): Tensor;

  // indexing
  take<N extends Names, M extends Names = readonly [], const A extends AxisOf<N> = never>(
    this: Tensor<N>,
    indices: Operand<M>,
    options?: { axis?: A },
  ): Tensor<Replace<N, A, M>>;
  takeAlongAxis<N extends Names>(this: Tensor<N>, indices: Operand, options?: { axis?: AxisOf<N> }): Tensor<N>;
  gather<N extends Names>(this: Tensor<N>, indices: Operand, options?: { axes?: readonly AxisOf<N>[] }): Tensor;
  slice<N extends Names>(
    this: Tensor<N>,
    starts: readonly Start[],
    lengths: readonly number[],
    options?: { strides?: number | readonly number[] },
  ): Tensor<N>;
  sliceAlongAxis<N extends Names>(
    this: Tensor<N>,
    start: Start,
    length: number,
    options?: { axis?: AxisOf<N>; strides?: number },
  ): Tensor<N>;
  putSlice<N extends Names, R extends Names = readonly []>(
    this: Tensor<N>,
    starts: readonly Start[],
    piece: Right<N, R>,
  ): Tensor<Merge<N, R>>;
  indexedAdd<N extends Names>(
    this: Tensor<N>,
    indices: Operand,
    updates: Operand,
    options?: { axes?: readonly AxisOf<N>[] },
  ): Tensor<N>;
  indexedPut<N extends Names>(
    this: Tensor<N>,
    indices: Operand,
    updates: Operand,
    options?: { axes?: readonly AxisOf<N>[] },
  ): Tensor<N>;
  /**
   * Integers drop an axis, ranges keep it; an object selects by name.
   *
   * Plain positions count from the end when negative, and raise out of bounds. A scalar tensor as a position is read when it is
   * computed, and clamped: it never raises.
   *
   * @example
   * ```ts
   * const t = Nx.tensor([10, 20, 30], { names: ["x"] });
   * t.at(Nx.tensor(7));
   * // => #Nx.Tensor<
   * //   s64
   * //   30
   * // >
   * t.at(Nx.tensor(-1));
   * // => #Nx.Tensor<
   * //   s64
   * //   10
   * // >
   * t.at(-1);
   * // => #Nx.Tensor<
   * //   s64
   * //   30
   * // >
   * t.at(7);
   * // throws ArgumentError: Nx.at: index 7 is out of bounds for axis "x" of size 3 in shape [x: 3]
   * ```
   */
  at(...indices: Index[]): Tensor;
  at<N extends Names>(this: Tensor<N>, indices: { readonly [axis in Extract<AxisOf<N>, string>]?: Index }): Tensor;

  // type and conversion
  asType<N extends Names>(this: Tensor<N>, type: DType, options?: { overflow?: "saturate" | "wrap" }): Tensor<N>;
  bitcast<N extends Names>(this: Tensor<N>, type: DType): Tensor<N>;
  toNumber(): number | bigint | Complex;
  toList(): NestedList;
  toFlatList(options?: { limit?: number }): (number | bigint | Complex)[];
  toBinary(options?: { limit?: number }): Uint8Array;
  toTypedArray(): TypedArray;
  read<N extends Names>(this: Tensor<N>): Promise<Tensor<N>>;

  // value semantics and printing
  equals(other: unknown): boolean;
  hashCode(): number;
  /** Type, shape, names and elements as plain data; `JSON.stringify` calls it. */
  toJSON(): JsonTensor;
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
