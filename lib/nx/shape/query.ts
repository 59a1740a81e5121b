/**
 * Questions about a tensor's shape; nothing is computed on elements.
 */
import { checkDepth, containerKind, entriesOf } from "../../container";
import { ArgumentError, show } from "../../core/errors";
import type { AxisOf } from "../../core/axis-types";
import { unnamed } from "../../core/names";
import {
  allAxes,
  checkShape,
  resolveAxis,
  SCALAR_SHAPE,
  sizeOf,
  type Name,
  type Names,
  type Shape,
} from "../../core/shape";
import { bytesOf } from "../../core/types";
import { Tensor, type Operand } from "../../tensor";
import { asTensor, isScalar, scalarType } from "../dispatch";

/** What has a shape: a tensor, a plain number (a scalar) or a shape itself. */
export type Shaped = Operand | Shape;

function shapeOf(value: Shaped, fn: string): Shape {
  if (value instanceof Tensor) return value.shape;
  if (isScalar(value)) return SCALAR_SHAPE;
  if (Array.isArray(value)) return checkShape(value, `the shape given to ${fn}`);
  throw new ArgumentError(`${fn} expects a tensor, a number or a shape such as [2, 3], got: ${show(value)}`);
}

/**
 * The size of every axis.
 *
 * @param value - a tensor, a plain number or a shape
 * @returns a frozen array; empty for a scalar
 * @throws ArgumentError for anything else
 * @example
 * ```ts
 * Nx.shape(Nx.iota([2, 3], { names: ["x", "y"] }));
 * // => [ 2, 3 ]
 * Nx.shape(1);
 * // => []
 * ```
 * @example
 * ```ts
 * Nx.shape([2, 0]);
 * // throws ArgumentError: the shape given to Nx.shape must hold positive integers only, got 0 in [2, 0]
 * ```
 */
export function shape(value: Shaped): Shape {
  return shapeOf(value, "Nx.shape");
}

/**
 * The number of axes.
 *
 * @param value - a tensor, a plain number or a shape
 * @example
 * ```ts
 * Nx.rank(Nx.iota([2, 3], { names: ["x", "y"] }));
 * // => 2
 * Nx.rank([4, 5, 6]);
 * // => 3
 * ```
 */
export function rank(value: Shaped): number {
  return shapeOf(value, "Nx.rank").length;
}

/**
 * The number of elements.
 *
 * @param value - a tensor, a plain number or a shape
 * @example
 * ```ts
 * Nx.size(Nx.iota([2, 3], { names: ["x", "y"] }));
 * // => 6
 * Nx.size(1);
 * // => 1
 * ```
 */
export function size(value: Shaped): number {
  return sizeOf(shapeOf(value, "Nx.size"));
}

/**
 * The number of bytes that the elements take, computed from shape and type.
 *
 * @param value - a tensor or a plain number
 * @example
 * ```ts
 * Nx.byteSize(Nx.u8([1, 2, 3], { names: ["x"] }));
 * // => 3
 * Nx.byteSize(1);
 * // => 8
 * ```
 */
export function byteSize(value: Operand): number {
  if (value instanceof Tensor) return sizeOf(value.shape) * bytesOf(value.type);
  if (isScalar(value)) return bytesOf(scalarType(value));
  const hint = Array.isArray(value) ? "; a shape alone has no type, use Nx.template(shape, type)" : "";
  throw new ArgumentError(`expected a tensor or a number, got: ${show(value)}${hint}`);
}

/**
 * The number of bits that the elements take: eight times `Nx.byteSize`.
 *
 * @param value - a tensor or a plain number
 * @example
 * ```ts
 * Nx.bitSize(Nx.u8([1, 2, 3], { names: ["x"] }));
 * // => 24
 * Nx.bitSize(1);
 * // => 64
 * ```
 */
export function bitSize(value: Operand): number {
  return 8 * byteSize(value);
}

/**
 * The positions of all axes.
 *
 * @param value - a tensor, a plain number or a shape
 * @example
 * ```ts
 * Nx.axes(Nx.iota([2, 3, 4], { names: ["x", "y", "z"] }));
 * // => [ 0, 1, 2 ]
 * Nx.axes(1);
 * // => []
 * ```
 */
export function axes(value: Shaped): readonly number[] {
  return allAxes(shapeOf(value, "Nx.axes").length);
}

/**
 * The name of every axis, null where it has none.
 *
 * @param tensor - a tensor or a plain number
 * @returns a frozen array
 * @example
 * ```ts
 * Nx.names(Nx.iota([2, 3], { names: ["x", null] }));
 * // => [ 'x', null ]
 * Nx.names(1);
 * // => []
 * ```
 */
export function names<const N extends Names>(tensor: Operand<N>): N {
  return tensor instanceof Tensor ? tensor.names : (unnamed(shapeOf(tensor, "Nx.names").length) as N);
}

/**
 * The position of an axis.
 *
 * @param tensor - a tensor
 * @param axis - a name, or a position from the back when negative
 * @throws ArgumentError for an axis the tensor does not have
 * @example
 * ```ts
 * const t = Nx.iota([2, 3], { names: ["x", "y"] });
 * Nx.axisIndex(t, "y");
 * // => 1
 * Nx.axisIndex(t, -2);
 * // => 0
 * ```
 * @example
 * ```ts
 * Nx.axisIndex(Nx.iota([2, 3]), 2);
 * // throws ArgumentError: Nx.axisIndex: given axis (2) invalid for shape [2][3] with rank 2
 * ```
 */
export function axisIndex<N extends Names>(tensor: Tensor<N>, axis: AxisOf<N>): number {
  const { shape, names } = asTensor(tensor, "Nx.axisIndex");
  return resolveAxis(axis, shape, names);
}

/**
 * The size of an axis.
 *
 * @param tensor - a tensor
 * @param axis - a name or a position
 * @throws ArgumentError for an axis the tensor does not have
 * @example
 * ```ts
 * Nx.axisSize(Nx.iota([2, 3], { names: ["x", "y"] }), "y");
 * // => 3
 * ```
 * @example
 * ```ts
 * Nx.axisSize(Nx.iota([2, 3], { names: ["width", "height"] }) as Nx.Tensor, "widht");
 * // throws ArgumentError: Nx.axisSize: no axis named "widht" in shape [width: 2][height: 3]: the axes are "width", "height"; did you mean "width"?
 * ```
 */
export function axisSize<N extends Names>(tensor: Tensor<N>, axis: AxisOf<N>): number {
  const { shape, names } = asTensor(tensor, "Nx.axisSize");
  return shape[resolveAxis(axis, shape, names)]!;
}

/**
 * Whether two tensors, or two containers of tensors, have the same structure, shapes and types, and names that merge.
 *
 * @param left - a tensor, a plain number or a container of tensors
 * @param right - likewise
 * @example
 * ```ts
 * Nx.isCompatible(Nx.iota([2], { names: ["x"] }), Nx.iota([2]));
 * // => true
 * Nx.isCompatible(Nx.iota([2], { names: ["x"] }), Nx.iota([2], { names: ["y"] }));
 * // => false
 * ```
 * @example
 * ```ts
 * Nx.isCompatible({ a: Nx.tensor(1), b: [Nx.f32(2)] }, Nx.toTemplate({ a: 3, b: [0.5] }));
 * // => true
 * ```
 */
export function isCompatible(left: unknown, right: unknown): boolean {
  return areCompatible(left, right, 1);
}

function areCompatible(left: unknown, right: unknown, depth: number): boolean {
  const kind = containerKind(left);
  if (kind !== containerKind(right)) return false;
  if (kind === null) return sameTemplate(left, right);
  checkDepth(depth);
  const [a, b] = [entriesOf(left), new Map(entriesOf(right))];
  return a.length === b.size && a.every(([key, child]) => b.has(key) && areCompatible(child, b.get(key), depth + 1));
}

function sameTemplate(left: unknown, right: unknown): boolean {
  const [a, b] = [templateOf(left), templateOf(right)];
  if (a === null || b === null) return left === right;
  return (
    a.type === b.type &&
    String(a.shape) === String(b.shape) &&
    a.names.every((name: Name, i: number) => name === null || b.names[i] === null || name === b.names[i])
  );
}

function templateOf(value: unknown) {
  if (value instanceof Tensor) return value;
  return isScalar(value) ? { type: scalarType(value), shape: SCALAR_SHAPE, names: unnamed(0) } : null;
}
