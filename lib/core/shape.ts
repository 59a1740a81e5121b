/**
 * Shapes and axes: sizes, strides, broadcasting, axis lookup. Pure; axis names appear only to be looked up and printed.
 */
import { ArgumentError, didYouMean, show } from "./errors";
import { formatShape } from "./format-shape";

export { formatShape };

export type Shape = readonly number[];
export type Name = string | null;
export type Names = readonly Name[];

/** An axis given by position (negative from the end) or by name. */
export type Axis = number | string;

/**
 * Several axes in a list. Any list, not an array: beside an array in the type of an argument, `tsc` would not look into a literal of
 * options, and explain a misspelt axis there in five lines.
 */
export interface AxisList<A = Axis> {
  readonly length: number;
  readonly [place: number]: A;
}

const MAX_ELEMENTS = 2 ** 32 - 1;

export const SCALAR_SHAPE: Shape = Object.freeze([]);

/** Number of elements. */
export function sizeOf(shape: Shape): number {
  let size = 1;
  for (let i = 0; i < shape.length; i++) size *= shape[i]!;
  return size;
}

/** Strides in elements of a row-major tensor. */
export function rowMajorStrides(shape: Shape): number[] {
  const strides = new Array<number>(shape.length);
  let step = 1;
  for (let i = shape.length - 1; i >= 0; i--) {
    strides[i] = step;
    step *= shape[i]!;
  }
  return strides;
}

export function sameShape(a: Shape, b: Shape): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/**
 * Checks a shape from a user: an array of positive integers whose product can be addressed. A number in its place is the first size, of
 * which the argument behind it may be the second.
 */
export function checkShape(value: unknown, what = "shape", shown = value, next?: unknown): Shape {
  if (!Array.isArray(value)) {
    const second = typeof next === "number" ? `, ${next}` : "";
    const hint = typeof value === "number" ? `; write [${value}${second}]` : "";
    throw new ArgumentError(`${what} must be an array of positive integers such as [2, 3], got: ${show(value)}${hint}`);
  }
  for (const dim of value as unknown[]) {
    if (typeof dim !== "number" || !Number.isInteger(dim) || dim < 1) {
      throw new ArgumentError(
        `${what} must hold positive integers only, got ${show(dim)} in ${show(shown)}; empty tensors do not exist`,
      );
    }
  }
  const shape = value as number[];
  checkSize(shape, what);
  return Object.freeze(shape.slice());
}

/** Refuses sizes no array can hold before anything is allocated. */
export function checkSize(shape: Shape, what = "shape"): void {
  const size = sizeOf(shape);
  if (size > MAX_ELEMENTS) {
    throw new ArgumentError(
      `${what} ${formatShape(shape)} has ${size} elements, more than the ${MAX_ELEMENTS} a tensor can hold`,
    );
  }
}

/** Shape two operands broadcast to (aligned from the right), or null where they do not fit. */
export function broadcastShapes(a: Shape, b: Shape): Shape | null {
  if (a === b || sameShape(a, b) || b.length === 0) return a;
  if (a.length === 0) return b;
  const rank = Math.max(a.length, b.length);
  const out = new Array<number>(rank);
  for (let i = 1; i <= rank; i++) {
    const left = a[a.length - i] ?? 1;
    const right = b[b.length - i] ?? 1;
    if (left !== right && left !== 1 && right !== 1) return null;
    out[rank - i] = left === 1 ? right : left;
  }
  return Object.freeze(out);
}

/** Position of one axis, by index or name; the error lists what there is. */
export function resolveAxis(axis: unknown, shape: Shape, names: Names): number {
  const rank = shape.length;
  if (typeof axis === "string") return resolveName(axis, shape, names);
  if (typeof axis !== "number" || !Number.isInteger(axis)) {
    throw new ArgumentError(`axis must be an integer or an axis name, got: ${show(axis)}`);
  }
  const index = axis < 0 ? axis + rank : axis;
  if (index < 0 || index >= rank) {
    const range = rank === 0 ? "a scalar has no axes" : `expected ${-rank} to ${rank - 1}`;
    throw new ArgumentError(
      `given axis (${axis}) invalid for shape ${formatShape(shape, names)} with rank ${rank}; ${range}`,
    );
  }
  return index;
}

function resolveName(name: string, shape: Shape, names: Names): number {
  const index = names.indexOf(name);
  if (index >= 0) return index;
  const known = names.filter((n): n is string => n !== null);
  const have =
    known.length === 0
      ? "the tensor has no named axes"
      : `the axes are ${known.map((n) => JSON.stringify(n)).join(", ")}`;
  throw new ArgumentError(
    `no axis named ${JSON.stringify(name)} in shape ${formatShape(shape, names)}: ${have}${didYouMean(name, known)}`,
  );
}

/** Positions of several axes, in the order given; a repeated axis is an error. */
export function resolveAxes(axes: unknown, shape: Shape, names: Names): number[] {
  if (!Array.isArray(axes)) {
    throw new ArgumentError(`axes must be an array of axis indices or names such as [0] or ["x"], got: ${show(axes)}`);
  }
  const result = new Array<number>(axes.length);
  let isRepeated = false;
  for (let i = 0; i < axes.length; i++) {
    const axis = resolveAxis(axes[i], shape, names);
    isRepeated ||= result.includes(axis);
    result[i] = axis;
  }
  if (isRepeated) {
    throw new ArgumentError(`axes must not repeat, got ${show(axes)} for shape ${formatShape(shape, names)}`);
  }
  return result;
}

/** All axes of a rank. */
export function allAxes(rank: number): number[] {
  const axes: number[] = [];
  for (let axis = 0; axis < rank; axis++) axes.push(axis);
  return axes;
}

/** The free axes of an operand of a product, in their order: neither contracted nor of the batch. Small products ask for them at each call. */
export function freeAxes(shape: Shape, contract: readonly number[], batch: readonly number[]): number[] {
  const axes: number[] = [];
  for (let axis = 0; axis < shape.length; axis++) {
    if (!contract.includes(axis) && !batch.includes(axis)) axes.push(axis);
  }
  return axes;
}

/** The permutation that undoes another. */
export function inversePermutation(order: readonly number[]): number[] {
  const result = new Array<number>(order.length);
  order.forEach((axis, i) => (result[axis] = i));
  return result;
}

/** Shape and names without some axes, or with those axes kept at size 1. Loops: `filter` of frozen arrays is slow. */
export function reducedShape(
  shape: Shape,
  names: Names,
  axes: readonly number[],
  keep: boolean,
): { shape: Shape; names: Names } {
  const sizes: number[] = [];
  const left: Name[] = [];
  for (let i = 0; i < shape.length; i++) {
    const gone = axes.includes(i);
    if (gone && !keep) continue;
    sizes.push(gone ? 1 : shape[i]!);
    if (!keep) left.push(names[i]!);
  }
  return { shape: Object.freeze(sizes), names: keep ? names : Object.freeze(left) };
}
