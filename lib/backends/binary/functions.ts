/**
 * Primitives that call functions of the user, or of the library, on scalar tensors.
 */
import type { Attrs, PrimitiveTable, Template } from "../../backend";
import { rowMajorStrides, sizeOf } from "../../core/shape";
import type { Tensor } from "../../tensor";
import { elementsAs, scalarLike } from "./operands";
import { allocateFor, BinaryData, widthOf, type Elements } from "./storage";

/** One element as a scalar tensor; the array is its own, since a function may keep what it is given. */
function elementAt(like: Tensor, type: Template["type"], elements: Elements, index: number): Tensor {
  const width = widthOf(type);
  return scalarLike(like, type, elements.slice(index * width, (index + 1) * width));
}

function putScalar(type: Template["type"], dst: Elements, index: number, scalar: Tensor): void {
  dst.set(elementsAs(type, scalar), index * widthOf(type));
}

function map(out: Template, [x]: readonly Tensor[], { fn }: Attrs["map"]): BinaryData {
  const source = elementsAs(x!.type, x!);
  const result = allocateFor(out.type, out.shape);
  for (let i = 0; i < sizeOf(out.shape); i++) putScalar(out.type, result, i, fn(elementAt(x!, x!.type, source, i)));
  return new BinaryData(result);
}

/** Elements of each result are visited in row-major order. */
function reduce(out: Template, [x, initial]: readonly Tensor[], { fn, axes }: Attrs["reduce"]): BinaryData {
  const source = elementsAs(out.type, x!);
  const start = elementsAs(out.type, initial!);
  const result = allocateFor(out.type, out.shape);
  const kept = x!.shape.map((_, axis) => axis).filter((axis) => !axes.includes(axis));
  const outer = offsets(x!, kept);
  const inner = offsets(
    x!,
    [...axes].sort((a, b) => a - b),
  );
  outer.forEach((base, i) => {
    let accumulator = elementAt(x!, out.type, start, 0);
    for (const offset of inner) accumulator = fn(elementAt(x!, out.type, source, base + offset), accumulator);
    putScalar(out.type, result, i, accumulator);
  });
  return new BinaryData(result);
}

/** Offsets of all positions along some axes, in row-major order. */
function offsets({ shape }: Tensor, axes: readonly number[]): number[] {
  const strides = rowMajorStrides(shape);
  return axes.reduce<number[]>(
    (found, axis) => found.flatMap((base) => Array.from({ length: shape[axis]! }, (_, i) => base + i * strides[axis]!)),
    [0],
  );
}

function block(_out: Template, inputs: readonly Tensor[], { fn }: Attrs["block"]): unknown {
  return fn(...inputs).data;
}

export const functions = { map, reduce, block } satisfies Partial<PrimitiveTable>;
