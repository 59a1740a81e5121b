/**
 * The backend interface: one calling convention for every primitive, `(out, inputs, attrs) => data`.
 * `out` says what to produce {type, shape, names}; a backend fills it, never infers it and never looks at names.
 * Tensors that reach a primitive live on that backend already.
 */
import type { DType, Scalar } from "./core/types";
import type { Names, Shape } from "./core/shape";
import type { ArgReduceOp, BinaryOp, ReduceOp, UnaryOp } from "./ops";
import type { Tensor } from "./tensor";

/** What a result will be: all that is known of a tensor but its data. */
export interface Template {
  readonly type: DType;
  readonly shape: Shape;
  readonly names: Names;
}

/** A function on scalar tensors given by the user, as in `Nx.reduce` and `Nx.map`. */
export type ScalarFunction = (...args: Tensor[]) => Tensor;

export type Direction = "asc" | "desc";

/** Attributes of each primitive: everything it is given besides tensors. The comment begins with its inputs. */
export interface Attrs {
  /** No inputs: every element is `value` */
  constant: { readonly value: Scalar };
  /** No inputs: index along `axis`, or the flat index when null */
  iota: { readonly axis: number | null };
  /** No inputs: ones on the diagonal of the last two axes */
  eye: Record<never, never>;

  /** `x` */
  unary: { readonly op: UnaryOp };
  /** `left, right`, broadcast to `out` aligned from the right */
  binary: { readonly op: BinaryOp };
  /** `pred, onTrue, onFalse`, broadcast to `out` aligned from the right */
  select: Record<never, never>;
  /** `x`: floats to integers truncate, then saturate or wrap */
  asType: { readonly overflow: "saturate" | "wrap" };
  /** `x`: same bytes, another type of the same width */
  bitcast: Record<never, never>;
  /** `x`: the scalar function on every element */
  map: { readonly fn: ScalarFunction };

  /** `x`: same elements in row-major order */
  reshape: Record<never, never>;
  /** `x`: axis i of x becomes axis axes[i] of out */
  broadcast: { readonly axes: readonly number[] };
  /** `x`: axis i of out is axis axes[i] of x */
  transpose: { readonly axes: readonly number[] };
  /** `x, value`: per axis low, high (negative crops, after interior) and interior padding */
  pad: { readonly config: readonly (readonly [low: number, high: number, interior: number])[] };
  /** `x` */
  reverse: { readonly axes: readonly number[] };
  /** `x, ...dynamic starts`: a null start takes the next scalar input; starts are clamped to fit */
  slice: {
    readonly starts: readonly (number | null)[];
    readonly lengths: readonly number[];
    readonly strides: readonly number[];
  };
  /** `x, piece, ...dynamic starts`: as slice, writing */
  putSlice: { readonly starts: readonly (number | null)[] };
  /** `x, indices`: out = x's axes before `axis` ++ indices' shape ++ x's axes after it */
  take: { readonly axis: number };
  /** `x, indices` of shape `[..., rank]`: one element per coordinate */
  gather: Record<never, never>;
  /** `x, indices, updates` of shapes `[n, rank]` and `[n]`: duplicates add up, or the last one stays */
  indexed: { readonly op: "add" | "put" };
  /** `...tensors` along `axis` */
  concatenate: { readonly axis: number };
  /** `x`: stable; NaN last when ascending, first when descending */
  sort: { readonly axis: number; readonly direction: Direction };
  /** `x`: the permutation that sorts */
  argsort: { readonly axis: number; readonly direction: Direction };

  /** `x` */
  reduceOp: { readonly op: ReduceOp; readonly axes: readonly number[]; readonly keepAxes: boolean };
  /** `x`: over `axis`, or over all elements when null */
  argReduce: {
    readonly op: ArgReduceOp;
    readonly axis: number | null;
    readonly keepAxis: boolean;
    readonly tieBreak: "low" | "high";
  };
  /** `x, initial`: fn(element, accumulator) */
  reduce: { readonly fn: ScalarFunction; readonly axes: readonly number[]; readonly keepAxes: boolean };
  /** `...inputs`: a named composite; a backend may do it natively, else it runs `fn` on the inputs */
  block: {
    readonly name: string;
    readonly options: Readonly<Record<string, unknown>>;
    readonly fn: ScalarFunction;
  };
}

export type Primitive = keyof Attrs;

/** All primitives, in the order of `Attrs`; `tsc` checks that none is missing. */
const PRIMITIVE_TABLE: { readonly [P in Primitive]: true } = {
  constant: true,
  iota: true,
  eye: true,
  unary: true,
  binary: true,
  select: true,
  asType: true,
  bitcast: true,
  map: true,
  reshape: true,
  broadcast: true,
  transpose: true,
  pad: true,
  reverse: true,
  slice: true,
  putSlice: true,
  take: true,
  gather: true,
  indexed: true,
  concatenate: true,
  sort: true,
  argsort: true,
  reduceOp: true,
  argReduce: true,
  reduce: true,
  block: true,
};

export const PRIMITIVES = Object.freeze(Object.keys(PRIMITIVE_TABLE)) as readonly Primitive[];

/** One primitive of a backend: makes the data of `out`. */
export type PrimitiveFunction<P extends Primitive> = (
  out: Template,
  inputs: readonly Tensor[],
  attrs: Attrs[P],
) => unknown;

export type PrimitiveTable = { readonly [P in Primitive]: PrimitiveFunction<P> };

/** Moving data in and out, and what else a backend says of itself. */
export interface DataMembers {
  /** Short name, as used in configuration and messages. */
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** True for the backend whose tensors move freely to any other (the plain one). */
  readonly portable?: boolean;
  /** True for a backend that takes operands of any other as they are (the tracing one). */
  readonly absorbs?: boolean;
  /** Row-major little-endian bytes to data; must copy. */
  upload(out: Template, bytes: Uint8Array): unknown;
  /** Data to a fresh copy of the first `limit` elements (all without limit) as row-major little-endian bytes. */
  download(tensor: Tensor, limit?: number): Uint8Array;
  /** Releases the data; false when it was released before. */
  deallocate(tensor: Tensor): boolean;
  /** What stands in place of the elements when a tensor of this backend is printed; elements are shown without it. */
  describe?(tensor: Tensor): string;
}

export type Backend = DataMembers & PrimitiveTable;

/** How users name a backend. */
export type BackendSpec = string | readonly [name: string, options: Readonly<Record<string, unknown>>] | Backend;
