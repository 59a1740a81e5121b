/**
 * The backend interface: one calling convention for every primitive, `(out, inputs, attrs) => data`.
 * `out` says what to produce {type, shape, names}; a backend fills it, never infers it and never looks at names.
 * Tensors that reach a primitive live on that backend already.
 */
import type { DType, Scalar } from "./core/types";
import type { Names, Shape } from "./core/shape";
import type { Kernel } from "./kernel/value";
import type { ArgReduceOp, BinaryOp, CumulativeOp, ReduceOp, UnaryOp, WindowOp } from "./ops";
import type { ProgramMembers } from "./program";
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

/** Where windows lie: one entry per axis; a dilated window spans `dilation * (size - 1) + 1` elements. */
export interface Windows {
  readonly window: readonly number[];
  /** Negative padding crops. */
  readonly padding: readonly (readonly [low: number, high: number])[];
  readonly strides: readonly number[];
  readonly dilations: readonly number[];
}

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
  /**
   * `left, right`, broadcast to `out` aligned from the right; `type` is what their types merge to, which the type of a comparison
   * or a logical op does not tell. Numbers of different types are compared exactly.
   */
  binary: { readonly op: BinaryOp; readonly type: DType };
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
  /** `x, indices` of x's rank: out = x's element at the index, in place of the position along `axis`; out has indices' shape */
  takeAlong: { readonly axis: number };
  /** `x, indices` of shape `[..., axes.length]`: out = indices' leading shape ++ x's axes that are not in `axes` */
  gather: { readonly axes: readonly number[] };
  /** `x, indices, updates`, the latter of the shape `gather` would give: duplicates add up, or the last one stays */
  indexed: { readonly op: "add" | "put"; readonly axes: readonly number[] };
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
  /** `x`: each element with all before it along `axis` (after it when reversed); out has x's type */
  cumulative: { readonly op: CumulativeOp; readonly axis: number; readonly reverse: boolean };
  /** `x`: over windows; padding is neutral to the op; out has x's type */
  windowOp: { readonly op: WindowOp } & Windows;
  /** `x, initial`: fn(element, accumulator) over windows; padding has the value of `initial` */
  windowReduce: { readonly fn: ScalarFunction } & Windows;
  /** `x, source, initial`: each element of source is added where its window has its last extreme; no dilation */
  windowScatter: { readonly op: "max" | "min" } & Windows;
  /**
   * `left, right`: sums of products over pairs of axes; out = batch axes ++ other axes of left ++ other axes of right
   */
  dot: {
    readonly contract: readonly [left: readonly number[], right: readonly number[]];
    readonly batch: readonly [left: readonly number[], right: readonly number[]];
  };
  /** `input, kernel` as `[batch, channel, ...spatial]` and `[out, in, ...spatial]`: cross-correlation */
  conv: {
    readonly strides: readonly number[];
    readonly padding: readonly (readonly [low: number, high: number])[];
    readonly inputDilation: readonly number[];
    readonly kernelDilation: readonly number[];
    readonly featureGroups: number;
    readonly batchGroups: number;
  };
  /**
   * `x`, complex or not, out complex: along `axis`, scaled by 1/n when inverse; parts of at most `eps` become 0.
   * Half: of an even number n of `f32` or `f64` the first n / 2 + 1 elements of the transform, inverse n `f32` or `f64` from them, of which the first and
   * the last are read as real numbers.
   */
  fft: { readonly axis: number; readonly inverse: boolean; readonly eps: number; readonly half: boolean };
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
  takeAlong: true,
  gather: true,
  indexed: true,
  concatenate: true,
  sort: true,
  argsort: true,
  reduceOp: true,
  argReduce: true,
  cumulative: true,
  windowOp: true,
  windowReduce: true,
  windowScatter: true,
  dot: true,
  conv: true,
  fft: true,
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

/**
 * Matrix decompositions and solvers on the last two axes, over leading batch axes that all inputs share. Inputs are
 * floating or complex and of one type; the work is done in double precision and rounded once to the types of the results.
 * Matrices that are to be hermitian and are not, within half the digits of their type, are refused.
 */
export type LinalgAttrs =
  /** `a`, hermitian and positive definite, of which the lower triangle is read: `l` with a = l l^H */
  | { readonly op: "cholesky" }
  /**
   * `a`, square: complex `values` by descending magnitude, complex `vectors` as columns of length 1, each with its component of
   * largest magnitude real and positive
   */
  | { readonly op: "eig" }
  /**
   * `a`, hermitian, of which the lower triangle is read: real `values` by descending magnitude, `vectors` as columns,
   * each with its component of largest magnitude positive
   */
  | { readonly op: "eigh" }
  /** `a`, square: its exponential; NaN where an element is not finite */
  | { readonly op: "expm" }
  /** `a`, square: `p, l, u` with a = p l u */
  | { readonly op: "lu" }
  /** `a`, square: of `a = p l u` the sign of p, 1 for an even permutation, -1 for an odd one, and the diagonal of u */
  | { readonly op: "pivots" }
  /** `a` of m >= n rows: `q, r`; complete has a square q */
  | { readonly op: "qr"; readonly mode: "reduced" | "complete" }
  /** `a, b` with a square `[n, n]` and b `[n, k]`: `x` with a x = b, by `a = p l u`; a 0 on the diagonal of u is refused */
  | { readonly op: "solve" }
  /** `a`, square: its principal square root; a real one with a negative eigenvalue is refused */
  | { readonly op: "sqrtm" }
  /** `a`: `u`, real `s` descending, `vt` with a = u s vt; columns of u have their largest component positive */
  | { readonly op: "svd"; readonly fullMatrices: boolean }
  /** `a, b` with a triangular `[n, n]` and b `[n, k]`: `x` with t(a) x = b */
  | { readonly op: "triangularSolve"; readonly lower: boolean; readonly transform: "none" | "transpose" | "adjoint" };

export type LinalgOp = LinalgAttrs["op"];

/** Attributes of the primitives that give several results. */
export interface MultiResultAttrs {
  linalg: LinalgAttrs;
}

export type MultiResultPrimitive = keyof MultiResultAttrs;

const MULTI_RESULT_TABLE: { readonly [P in MultiResultPrimitive]: true } = { linalg: true };

/** All primitives with several results. */
export const MULTI_RESULT_PRIMITIVES = Object.freeze(
  Object.keys(MULTI_RESULT_TABLE),
) as readonly MultiResultPrimitive[];

/** One primitive with several results: the data of each of `outs`. */
export type MultiResultFunction<P extends MultiResultPrimitive> = (
  outs: readonly Template[],
  inputs: readonly Tensor[],
  attrs: MultiResultAttrs[P],
) => readonly unknown[];

export type MultiResultTable = { readonly [P in MultiResultPrimitive]: MultiResultFunction<P> };

/** How a nest reads a tensor: over a space of this shape, from element `offset` on, with `strides` in elements. */
export interface View {
  readonly shape: Shape;
  readonly strides: readonly number[];
  readonly offset: number;
}

/** How many elements a value of a nest has: one for each of the nest, one per line, those of one group, one, or those of a part of a join. */
export type NestSpace = "full" | "line" | "group" | "one" | "part";

/** A value of a nest. */
export interface NestValue {
  readonly type: DType;
  readonly space: NestSpace;
}

/** An input of a nest as it is read, in the order of its space. Views of the space `full` have any shape of that many elements. */
export interface NestOperand extends NestValue {
  readonly view: View;
}

/** A stage of a nest, which names values by their places in the list of values. */
export type NestStage =
  | {
      /** Operands of the space `part`, as they are seen, one after the other along an axis; the output is full. */
      readonly kind: "join";
      readonly axis: number;
      readonly inputs: readonly number[];
      readonly output: number;
    }
  | {
      /** An element-wise kernel over one of two spaces; values of a space of fewer elements are uniform for it. */
      readonly kind: "map";
      readonly space: "full" | "line";
      readonly kernel: Kernel;
      readonly inputs: readonly number[];
      readonly outputs: readonly number[];
    }
  | {
      /** A reduction of each line, in the order of `reduceOp`. */
      readonly kind: "fold";
      readonly op: ReduceOp;
      readonly input: number;
      readonly output: number;
    }
  | {
      /** The place of the extreme of each line, as `argReduce` finds it. */
      readonly kind: "search";
      readonly op: ArgReduceOp;
      readonly tieBreak: "low" | "high";
      readonly input: number;
      readonly output: number;
    }
  | {
      /** Running reductions of each line, as `cumulative` makes them; the output is full. */
      readonly kind: "scan";
      readonly op: CumulativeOp;
      readonly reverse: boolean;
      readonly input: number;
      readonly output: number;
    };

/** An operand of a contraction: an input as it is seen, or what a kernel makes of several. */
export interface ContractionOperand {
  /** What the contraction reads. */
  readonly out: Template;
  /** How inputs are seen, each over as many elements as `out` has, in the order of these. */
  readonly views: readonly View[];
  /** The kernel that makes the elements of `out` of those of the inputs; null where they are those of one input. */
  readonly kernel: Kernel | null;
}

/** The contraction that a nest begins with; the inputs of its operands are the first inputs of the nest. */
export type NestRoot = {
  readonly [K in "dot" | "conv"]: {
    readonly kind: K;
    readonly out: Template;
    readonly attrs: Attrs[K];
    readonly operands: readonly [ContractionOperand, ContractionOperand];
  };
}["dot" | "conv"];

/**
 * Several operations as one pass over memory. Elements lie as groups x rows x columns, row-major; a line is what folds go
 * along: the rows of one group and column. Its kind says what there is to run:
 *
 * - `map`: one stage, an element-wise kernel over all elements; its inputs are the operands, its outputs the results, in order;
 * - `joined`: the same after joins of operands, which no others read and whose outputs are inputs of the kernel;
 * - `fold`: folds of lines that are contiguous (of one column), and kernels before, between and after them;
 * - `reduction`: a kernel that reads one operand, all of it in order, and one fold, search or scan of what it gives;
 * - `contraction`: a contraction, and a kernel over the elements of its result or none.
 */
export interface Nest {
  readonly kind: "map" | "joined" | "fold" | "reduction" | "contraction";
  readonly groups: number;
  readonly rows: number;
  readonly columns: number;
  /** Of the kind `contraction` only. */
  readonly root: NestRoot | null;
  /** Operands of the inputs, after the operands of the root. */
  readonly operands: readonly NestOperand[];
  /** The operands, the result of the root, then those of the stages. */
  readonly values: readonly NestValue[];
  readonly stages: readonly NestStage[];
  /** Values, one for each result. */
  readonly outputs: readonly number[];
  /** The key: nests that differ in sizes alone have equal keys. */
  readonly key: string;
}

/** A wrapped tensor, with the function that wraps tensors like it. */
export interface Unwrapped {
  readonly inner: Tensor;
  readonly key: string;
  readonly wrap: (inner: Tensor) => Tensor;
}

/** How a backend computes elements of a type: bit for bit as the reference does, within bounds, or not at all. */
export type Support = "exact" | "bounded" | "none";

/**
 * The limits of a backend; a key that is left out sets no limit. The conformance suite leaves out, by name, cases beyond the limits,
 * and compares bounded types within bounds.
 */
export interface Capabilities {
  /** Types that are not computed exactly; all others are. Moving elements about is exact for every type but `none`. */
  readonly types?: { readonly [T in DType]?: Support };
  /**
   * How far results of bounded types may lie from those of the reference, in units in the last place, by the name of the op (`exp`,
   * `sum`) or else of the primitive (`dot`): one number, or one for each type. The entry `default` is for all others.
   */
  readonly bounds?: Readonly<Record<string, number | { readonly [T in DType]?: number }>>;
  /** Whether subnormal numbers are kept, or may be taken for zeros and become zeros. */
  readonly subnormals?: "kept" | "flushed";
  /** Bytes of the largest tensor. */
  readonly largestTensor?: number;
  /** The most operands and results together that a nest may have. */
  readonly mostOperands?: number;
  /** The kinds of nests that `fused` runs. */
  readonly nests?: readonly Nest["kind"][];
  /** Whether elements can be read at once, or by `Nx.read` and its kin only. */
  readonly reads?: "synchronous" | "asynchronous";
}

/** Memory of a backend for the elements of a tensor. */
export interface Reserved {
  /** The data of the tensor, which may be used once the bytes are written. */
  readonly data: unknown;
  /** The elements, row-major and little-endian. */
  readonly bytes: Uint8Array;
}

/** Moving data in and out, and what else a backend says of itself. */
export interface DataMembers {
  /** Short name, as used in configuration and messages. */
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** True for backends whose tensors are ordinary arrays: they move freely to any other. */
  readonly portable?: boolean;
  /** Set for a backend that takes operands of any other as they are (tracing, vectorized); of two the higher takes both. */
  readonly absorbs?: number;
  /** The limits of the backend; left out, there are none. */
  readonly capabilities?: Capabilities;
  /**
   * Elements of an operand from which on the library's own composites (`softmax`, `variance`, `clip`) run as compiled functions when
   * they are called eagerly; left out, they run as the primitives they are made of.
   */
  readonly compositesFrom?: number;
  /** Row-major little-endian bytes to data; must copy. */
  upload(out: Template, bytes: Uint8Array): unknown;
  /** As `upload`, but may keep the bytes themselves: nobody writes to them again. */
  adopt?(out: Template, bytes: Uint8Array): unknown;
  /**
   * Memory of this backend for the elements of `out`, which the caller writes before the data is a tensor's, and never again: what reads
   * files has nothing to copy then. The bytes may hold anything until then. Left out, elements come by `upload`.
   */
  reserve?(out: Template): Reserved;
  /**
   * Data to a fresh copy of the first `limit` elements (all without limit) as row-major little-endian bytes. A backend without it
   * has `read`, and its tensors are read by `await Nx.read(tensor)` alone.
   */
  download?(tensor: Tensor, limit?: number): Uint8Array;
  /** As `download`, once the bytes are there; `Nx.read` prefers it. */
  read?(tensor: Tensor, limit?: number): Promise<Uint8Array>;
  /** Releases the data; false when it was released before. `by` is given where `Nx.tidy` does, so that later errors can say so. */
  deallocate(tensor: Tensor, by?: "tidy"): boolean;
  /**
   * The data of another tensor of the same elements: releasing either leaves the other usable. Left out, `reshape` makes it; a
   * backend whose tensors have nothing to release gives the data itself.
   */
  alias?(tensor: Tensor): unknown;
  /** Takes back the memory of a temporary that nobody will use again; left out, the garbage collector does. */
  recycle?(tensor: Tensor): void;
  /** For wrapping tensors: the inner tensor, and a function that wraps its replacement; `key` tells wrappings apart. */
  unwrap?(tensor: Tensor): Unwrapped;
  /** For tensors that wrap another one: a tensor wrapped as all of `others` together are, each in the same way. */
  alike?(tensor: Tensor, others: readonly Tensor[]): Tensor;
  /** Computes the elements of a tensor that wait until something reads them; left out, nothing waits. */
  settle?(tensor: Tensor): void;
  /** The work that waits for a tensor, as text for users; null where nothing does. */
  waiting?(tensor: Tensor): string | null;
  /** The data of a tensor of another backend, taken over without copying; undefined where it has to be downloaded. */
  takeOver?(tensor: Tensor): unknown;
  /**
   * Runs a nest: the data of each of `outs`, bit for bit what its parts would give one by one; null where they had better run so,
   * as they do on a backend without it. Of the kind `map` `reuses` may name, for each result, an input of its type and shape that
   * nothing reads any more, and that the kernel reads in the order of its results: a backend may write the result over it, unless
   * other tensors hold the same memory, and then has to leave the input unusable.
   */
  fused?(
    outs: readonly Template[],
    inputs: readonly Tensor[],
    nest: Nest,
    reuses?: readonly (number | null)[],
  ): readonly unknown[] | null;
  /** How several steps are run as one, loops included; left out, steps run one by one. */
  readonly programs?: ProgramMembers | undefined;
  /**
   * Whether `block` runs the composite of this name natively. Compiled functions have the nodes of all other composites in their place,
   * which fuse with what is around them.
   */
  isNative?(block: string): boolean;
  /**
   * Whether a primitive of the backend takes these arguments; left out, it takes all. `completeBackend` gives the rest to its fallback.
   */
  supports?<P extends Primitive | MultiResultPrimitive>(
    primitive: P,
    outs: readonly Template[],
    inputs: readonly Template[],
    attrs: (Attrs & MultiResultAttrs)[P],
  ): boolean;
  /** The name of the backend that runs a primitive instead, for `Nx.Defn.explain`; null where this backend runs it. */
  doneBy?<P extends Primitive | MultiResultPrimitive>(
    primitive: P,
    outs: readonly Template[],
    inputs: readonly Template[],
    attrs: (Attrs & MultiResultAttrs)[P],
  ): string | null;
  /** Refuses a tensor that cannot be used any more; messages name the function that it was given to. */
  checkUse?(tensor: Tensor, fn: string): void;
  /** What stands in place of the elements when a tensor of this backend is printed; elements are shown without it. */
  describe?(tensor: Tensor): string;
}

export type Backend = DataMembers & PrimitiveTable & MultiResultTable;

/** A backend whose tensors can be read at once. */
export type ReadableBackend = Backend & Required<Pick<DataMembers, "download">>;

/** A backend that may lack primitives: a function that needs a missing primitive raises a `BackendError`. */
export type PartialBackend = DataMembers & Partial<PrimitiveTable & MultiResultTable>;

/** Makes a backend of the options that were given with its name; without any they are empty. */
export type OpenBackend = (options: Readonly<Record<string, unknown>>) => Backend | PartialBackend;

/** How users name a backend. */
export type BackendSpec =
  | string
  | readonly [name: string, options?: Readonly<Record<string, unknown>>]
  | PartialBackend;

/** The backend, printed by its name: tensors that are spread or inspected hold the backend with all its functions. */
export function shownByName<B extends Pick<Backend, "name">>(backend: B): B {
  const value = function (this: B): string {
    return `#Nx.Backend<${this.name}>`;
  };
  // enumerable, so that a backend made by spreading is printed by its name, too
  return Object.defineProperty(backend, Symbol.for("nodejs.util.inspect.custom"), { value, enumerable: true });
}
