/** Index arithmetic by which the cases say what a result must be, without any backend. */
import type { DType } from "nx-numerics";
import type { Expected } from "./judge";
import type { Data } from "./subject";
import { bytesOf, numbers, sizeOf } from "./values";

/** Calls `visit` with every index of a shape, in row-major order. The index array is one and the same. */
export function visit(shape: readonly number[], fn: (index: readonly number[], at: number) => void): void {
  const index = shape.map(() => 0);
  const size = sizeOf(shape);
  for (let at = 0; at < size; at++) {
    fn(index, at);
    for (let axis = shape.length - 1; axis >= 0 && ++index[axis]! === shape[axis]; axis--) index[axis] = 0;
  }
}

/** A value for every index of a shape. */
export function mapped<T>(shape: readonly number[], fn: (index: readonly number[]) => T): T[] {
  const values: T[] = [];
  visit(shape, (index) => values.push(fn(index)));
  return values;
}

/** Elements that lie between neighbours along each axis. */
function stridesOf(shape: readonly number[]): number[] {
  const strides = shape.map(() => 1);
  for (let axis = shape.length - 2; axis >= 0; axis--) strides[axis] = strides[axis + 1]! * shape[axis + 1]!;
  return strides;
}

/** Where an index lies in the elements of a shape. */
export function positionIn(shape: readonly number[]): (index: readonly number[]) => number {
  const strides = stridesOf(shape);
  return (index) => {
    let at = 0;
    for (let axis = 0; axis < strides.length; axis++) at += index[axis]! * strides[axis]!;
    return at;
  };
}

/** Any bytes at all as elements: nothing may look at what it only moves. */
export function anything(type: DType, shape: readonly number[], seed: number): Data {
  const next = numbers(seed);
  const bytes = sizeOf(shape) * bytesOf(type);
  const words = Uint32Array.from({ length: Math.ceil(bytes / 4) }, next);
  return { type, shape, bytes: new Uint8Array(words.buffer, 0, bytes) };
}

/** Elements taken from others: for each index of the result where it comes from, and from which operand. */
export function taken(
  shape: readonly number[],
  sources: readonly Data[],
  from: (index: readonly number[]) => readonly [source: number, at: number],
): Expected {
  const { type } = sources[0]!;
  const width = bytesOf(type);
  const bytes = new Uint8Array(sizeOf(shape) * width);
  visit(shape, (index, to) => {
    const [source, at] = from(index);
    const { bytes: origin } = sources[source]!;
    for (let i = 0; i < width; i++) bytes[to * width + i] = origin[at * width + i]!;
  });
  return { type, shape, bytes };
}

/** A way to see a tensor: where each element of what is seen comes from. */
export interface Seen {
  readonly shape: readonly number[];
  readonly at: (index: readonly number[]) => number;
}

/** What is seen of a tensor, as an operand of its own. */
export const seen = (source: Data, { shape, at }: Seen): Data => taken(shape, [source], (index) => [0, at(index)]);
