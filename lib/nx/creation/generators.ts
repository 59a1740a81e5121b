/**
 * Tensors made by rule rather than from data: counting, identity matrices, one value, bytes, templates.
 */
import { EYE, IOTA } from "../../backends/primitives";
import type { Template } from "../../backend";
import { creationBackend } from "../../backends/registry";
import { templateTensor } from "../../backends/template";
import type { UnnamedOf } from "../../core/axis-types";
import { givenBytes } from "../../core/bytes";
import { formatPath, mapContainer } from "../../container";
import { Complex } from "../../core/complex";
import { hasDimNames, symbolicTemplate, type Dims, type SymbolicTemplate } from "../../core/dims";
import { checkBits } from "../../core/bounds";
import { ArgumentError, show } from "../../core/errors";
import { checkNames, unnamed } from "../../core/names";
import { checkOptions, type AlsoAxes, type More } from "../../core/options";
import {
  checkShape,
  formatShape,
  resolveAxis,
  SCALAR_SHAPE,
  type Axis,
  type Names,
  type Shape,
} from "../../core/shape";
import { bytesOf, isComplex, isInteger, isIntegral, normalizeType, type DType, type Scalar } from "../../core/types";
import { Tensor, WeakTensor } from "../../tensor";
import {
  constantData,
  createdOn,
  isScalar,
  isWeak,
  representativeOf,
  run,
  scalarType,
  template as outTemplate,
  weakAs,
  weakType,
} from "../dispatch";
import { upload, type TensorOptions, type TypedOptions } from "./tensor";

/** A shape, or a tensor whose shape and names are taken. */
export type ShapeLike<N extends Names = Names> = readonly number[] | Tensor<N>;

/** Shape and names that the first argument of a creation function stands for. */
function shapeOf(fn: string, like: unknown): { readonly shape: Shape; readonly names: Names } {
  if (like instanceof Tensor) return like;
  const shape = checkShape(like, `shape of ${fn}`);
  return { shape, names: unnamed(shape.length) };
}

/** What a creation function with these options makes of a shape. */
function outOf(
  fn: string,
  like: unknown,
  fallback: DType,
  options: { readonly type?: DType | undefined; readonly names?: Names | undefined } | undefined,
): Template {
  const { shape, names } = shapeOf(fn, like);
  const type = options?.type === undefined ? fallback : normalizeType(options.type);
  return outTemplate(type, shape, options?.names === undefined ? names : checkNames(options.names, shape));
}

/** Options of `Nx.iota`. */
export interface IotaOptions<N extends Names = Names, A = Axis | null> extends TensorOptions<N>, AlsoAxes<A> {
  /** Count along this axis only, by index or name; over all elements when left out. */
  readonly axis?: A;
}

/**
 * Counts up from 0 over all elements in row-major order, or along one axis.
 *
 * @param shape - the shape; of a tensor its shape and names are taken
 * @param options - `axis` to count along, `type` (integers as configured, `s64`), `names`, `backend`
 * @returns a tensor of that shape
 * @throws ArgumentError for a malformed shape, an unknown axis, names that do not fit the shape
 * @example
 * ```ts
 * Nx.iota([5]);
 * // => #Nx.Tensor<
 * //   s64[5]
 * //   [0, 1, 2, 3, 4]
 * // >
 * Nx.iota([]);
 * // => #Nx.Tensor<
 * //   s64
 * //   0
 * // >
 * ```
 * @example
 * With names, along an axis given by name:
 * ```ts
 * Nx.iota([2, 3], { axis: "row", names: ["row", "column"], type: "f32" });
 * // => #Nx.Tensor<
 * //   f32[row: 2][column: 3]
 * //   [
 * //     [0.0, 0.0, 0.0],
 * //     [1.0, 1.0, 1.0]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.iota([3, 0]);
 * // throws ArgumentError: shape of Nx.iota must hold positive integers only, got 0 in [3, 0]
 * ```
 */
export function iota<const N extends Names = Names, const M extends Names = N>(
  shape: ShapeLike<N>,
  options?: Axis | IotaOptions<M>,
  ..._more: More<IotaOptions<M, undefined>>
): Tensor<M> {
  if (typeof shape === "number") checkShape(shape, "shape of Nx.iota", shape, options);
  const choice = checkOptions<IotaOptions<M>>("Nx.iota", options, ["axis", "type", "names", "backend"]);
  const out = outOf("Nx.iota", shape, scalarType(0), choice);
  const axis = choice?.axis == null ? null : resolveAxis(choice.axis, out.shape, out.names);
  const backend = creationBackend(choice?.backend);
  return new Tensor<M>(backend, createdOn<"iota">(backend, IOTA, out, { axis }), out.type, out.shape, out.names);
}

/**
 * The identity matrix, or a batch of them.
 *
 * @param size - number of rows and columns, or a shape `[..., rows, columns]`, or a tensor whose shape and names are taken
 * @param options - `type` (integers as configured, `s64`), `names`, `backend`
 * @returns ones where the indices of the last two axes agree, zeros elsewhere
 * @throws ArgumentError for a shape of rank below 2
 * @example
 * ```ts
 * Nx.eye(2);
 * // => #Nx.Tensor<
 * //   s64[2][2]
 * //   [
 * //     [1, 0],
 * //     [0, 1]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.eye(3, { type: "f32", names: ["height", "width"] });
 * // => #Nx.Tensor<
 * //   f32[height: 3][width: 3]
 * //   [
 * //     [1.0, 0.0, 0.0],
 * //     [0.0, 1.0, 0.0],
 * //     [0.0, 0.0, 1.0]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.eye([3]);
 * // throws ArgumentError: Nx.eye needs a shape of rank 2 or higher, got [3]
 * ```
 */
export function eye<const N extends Names = Names, const M extends Names = N>(
  size: number | readonly number[] | Tensor<N>,
  options?: TensorOptions<M>,
): Tensor<M> {
  options = checkOptions("Nx.eye", options, ["type", "names", "backend"]);
  const out = outOf("Nx.eye", typeof size === "number" ? [size, size] : size, scalarType(0), options);
  if (out.shape.length < 2) {
    throw new ArgumentError(
      `Nx.eye needs a shape of rank 2 or higher, got ${formatShape(out.shape, out.names)}; give a size such as Nx.eye(3)`,
    );
  }
  const backend = creationBackend(options?.backend);
  return new Tensor<M>(backend, createdOn<"eye">(backend, EYE, out, {}), out.type, out.shape, out.names);
}

/**
 * A tensor with every element the same.
 *
 * @param shape - the shape; of a tensor its shape and names are taken
 * @param value - the value; a scalar tensor goes to `Nx.broadcast` instead
 * @param options - `type` (inferred from the value), `names`, `backend`
 * @returns a tensor of that shape
 * @throws ArgumentError for a malformed shape, or a value that the type cannot hold
 * @example
 * ```ts
 * Nx.fill([2, 2], 0.5, { names: ["x", "y"] });
 * // => #Nx.Tensor<
 * //   f32[x: 2][y: 2]
 * //   [
 * //     [0.5, 0.5],
 * //     [0.5, 0.5]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.fill([3], 7, { type: "u8" });
 * // => #Nx.Tensor<
 * //   u8[3]
 * //   [7, 7, 7]
 * // >
 * Nx.fill([3], 0.5, { type: "u8" });
 * // throws ArgumentError: Nx.fill cannot store 0.5 in the type u8
 * ```
 */
export function fill<const N extends Names = Names, const M extends Names = N>(
  shape: ShapeLike<N>,
  value: Scalar,
  options?: TensorOptions<M>,
): Tensor<M> {
  return filledAs("Nx.fill", shape, value, options);
}

/** What `fill` and its kin do; `fn` is named in errors. */
export function filledAs<N extends Names, M extends Names>(
  fn: string,
  shape: ShapeLike<N>,
  value: Scalar,
  options: TensorOptions<M> | undefined,
): Tensor<M> {
  options = checkOptions(fn, options, ["type", "names", "backend"]);
  if (!isWeak(value)) {
    const remedy = (value as unknown) instanceof Tensor ? "use Nx.broadcast(tensor, shape)" : "use Nx.tensor for data";
    throw new ArgumentError(`${fn} expects a number, bigint, boolean or Nx.Complex, got: ${show(value)}; ${remedy}`);
  }
  const out = outOf(fn, shape, weakType(value), options);
  checkHolds(fn, representativeOf(value), out.type);
  if (value instanceof WeakTensor) return run("broadcast", out, [weakAs(value, out.type)], { axes: [] }) as Tensor<M>;
  const backend = creationBackend(options?.backend);
  return new Tensor<M>(backend, constantData(backend, out, value), out.type, out.shape, out.names);
}

function checkHolds(fn: string, value: Scalar, type: DType): void {
  checkBits(fn, value, type);
  const fraction = typeof value === "number" && !isIntegral(value);
  if (value instanceof Complex ? isComplex(type) : !fraction || !isInteger(type)) return;
  throw new ArgumentError(
    `${fn} cannot store ${String(value)} in the type ${type}; choose another type or convert with Nx.asType`,
  );
}

/**
 * A vector made of bytes: little-endian elements of a type, one after the other.
 *
 * @param bytes - the bytes, which may be shared memory; copied, so that later changes do not reach the tensor
 * @param type - type of the elements
 * @param options - `names`, `backend`
 * @returns a tensor of rank 1; shape it with `Nx.reshape`
 * @throws ArgumentError if there are no bytes, or their number is no multiple of the element's size
 * @example
 * ```ts
 * Nx.fromBinary(new Uint8Array([1, 2, 3, 4]), "s8");
 * // => #Nx.Tensor<
 * //   s8[4]
 * //   [1, 2, 3, 4]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.fromBinary(new Float64Array([12.3, 4]).buffer, "f64", { names: ["x"] });
 * // => #Nx.Tensor<
 * //   f64[x: 2]
 * //   [12.3, 4.0]
 * // >
 * Nx.fromBinary(new Uint8Array([1, 2, 3, 4]), "f64");
 * // throws ArgumentError: Nx.fromBinary: binary does not match the given size: 4 bytes
 * ```
 */
export function fromBinary<const N extends Names = Names>(
  bytes: Uint8Array | ArrayBufferLike,
  type: DType,
  options?: TypedOptions<N>,
): Tensor<N> {
  options = checkOptions("Nx.fromBinary", options, ["names", "backend"]);
  const wanted = normalizeType(type);
  const view = binaryView(bytes);
  const size = bytesOf(wanted);
  if (view.length === 0) throw new ArgumentError("cannot make a tensor of an empty binary; empty tensors do not exist");
  if (view.length % size !== 0) {
    throw new ArgumentError(
      `binary does not match the given size: ${view.length} bytes are no multiple of the ${size} that an element of type ${wanted} takes`,
    );
  }
  const shape = checkShape([view.length / size], "shape of Nx.fromBinary");
  return upload(wanted, shape, view, options) as Tensor<N>;
}

function binaryView(bytes: unknown): Uint8Array {
  const isShared = typeof SharedArrayBuffer === "function" && bytes instanceof SharedArrayBuffer;
  const view = givenBytes(isShared ? new Uint8Array(bytes) : bytes, "Nx.fromBinary");
  if (view !== null) return view;
  throw new ArgumentError(
    `Nx.fromBinary expects a Uint8Array or an ArrayBuffer, got: ${show(bytes)}; other data goes to Nx.tensor`,
  );
}

/**
 * A tensor that has a type, a shape and names but no data, to say what is expected. Computing with it is an error.
 *
 * A size may be the name of a dimension, such as `"batch"`: such a template stands for tensors of any size there, the same one
 * wherever the name occurs, and is for `Nx.Defn.compile`. The name of a dimension says how long an axis is, that of an axis
 * what it is called; an axis can have both.
 *
 * @param shape - the shape, of sizes and names of dimensions; of a tensor its shape and names are taken
 * @param type - the element type
 * @param options - `names`
 * @returns the template; of a class of its own, `Nx.SymbolicTemplate`, where a size is a name
 * @throws ArgumentError for a malformed shape, type or names
 * @example
 * ```ts
 * Nx.template([2, 3], "f32", { names: ["rows", "columns"] });
 * // => #Nx.Tensor<
 * //   f32[rows: 2][columns: 3]
 * //   Nx.TemplateBackend
 * // >
 * ```
 * @example
 * ```ts
 * Nx.abs(Nx.template([2, 3], "f32"));
 * // throws BackendError: Nx.abs: cannot perform operations on a Nx.TemplateBackend tensor
 * ```
 * @example
 * ```ts
 * Nx.template(["batch", 3], "f32", { names: ["row", null] });
 * // => #Nx.Tensor<
 * //   f32[row: batch][3]
 * //   Nx.TemplateBackend
 * // >
 * Nx.template(["2", 3], "f32");
 * // throws ArgumentError: a size in the shape of Nx.template must be a positive integer or the name of a dimension
 * ```
 */
export function template<const S extends readonly number[], const M extends Names = UnnamedOf<S>>(
  shape: S,
  type: DType,
  options?: { readonly names?: M },
): Tensor<M>;
export function template<const N extends Names = Names, const M extends Names = N>(
  shape: ShapeLike<N>,
  type: DType,
  options?: { readonly names?: M },
): Tensor<M>;
export function template<const D extends Dims, const M extends Names = Names>(
  shape: D,
  type: DType,
  options?: { readonly names?: M },
): string extends D[number] ? Tensor<M> | SymbolicTemplate<M> : SymbolicTemplate<M>;
export function template(
  shape: ShapeLike | Dims,
  type: DType,
  options?: { readonly names?: Names },
): Tensor | SymbolicTemplate {
  options = checkOptions("Nx.template", options, ["names"]);
  if (hasDimNames(shape)) return symbolicTemplate("Nx.template", shape, type, options?.names);
  const known = normalizeType(type);
  const out = outOf("Nx.template", shape, known, { type: known, names: options?.names });
  return templateTensor(out.type, out.shape, out.names);
}

/** A container with every scalar in it made a tensor. */
export type WithTensors<C> = C extends Tensor
  ? C
  : C extends Scalar
    ? Tensor<readonly []>
    : C extends { toJS(): unknown }
      ? C
      : { [K in keyof C]: WithTensors<C[K]> };

/**
 * Templates in place of all tensors and numbers, in containers of any kind.
 *
 * @param container - a tensor or number, or arrays, plain objects and Immutable collections of them, nested at will
 * @returns the same structure with templates
 * @throws ArgumentError for anything else in the container, saying where
 * @example
 * ```ts
 * Nx.toTemplate(Nx.iota([2, 3], { names: ["x", "y"] }));
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 3]
 * //   Nx.TemplateBackend
 * // >
 * ```
 * @example
 * ```ts
 * const [int, float] = Nx.toTemplate([1, 2.5] as const);
 * int;
 * // => #Nx.Tensor<
 * //   s64
 * //   Nx.TemplateBackend
 * // >
 * float;
 * // => #Nx.Tensor<
 * //   f32
 * //   Nx.TemplateBackend
 * // >
 * Nx.toTemplate({ weights: [1, "two"] });
 * // throws ArgumentError: Nx.toTemplate expects tensors and numbers, got: "two" at .weights[1]
 * ```
 */
export function toTemplate<C>(container: C): WithTensors<C> {
  return mapContainer(container, (leaf, path) => {
    if (leaf instanceof Tensor) return templateTensor(leaf.type, leaf.shape, leaf.names);
    if (isScalar(leaf)) return templateTensor(scalarType(leaf), SCALAR_SHAPE, unnamed(0));
    const where = path.length === 0 ? "" : ` at ${formatPath(path)}`;
    throw new ArgumentError(`Nx.toTemplate expects tensors and numbers, got: ${show(leaf)}${where}`);
  }) as WithTensors<C>;
}
