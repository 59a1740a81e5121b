/**
 * Moving elements about without looking at them: reshape, broadcast, transpose, pad, reverse, concatenate.
 */
import { rowMajorStrides, sizeOf, type Shape } from "../../core/shape";
import { copyLattice, fillWith, gatherLattice } from "../arrays/copy";
import { dropCopy, elementsAs } from "../arrays/operands";
import type { ArrayPrimitive } from "../arrays/primitives";
import { elementsOf } from "../arrays/storage";

/** The elements stay where they are: both tensors hold the same array. */
const reshape: ArrayPrimitive<"reshape"> =
  (memory) =>
  (_out, [x]) =>
    memory.hold(elementsOf(x!));

const broadcast: ArrayPrimitive<"broadcast"> =
  (memory) =>
  (out, [x], { axes }) => {
    const strides = rowMajorStrides(x!.shape);
    const steps = out.shape.map(() => 0);
    axes.forEach((axis, i) => (steps[axis] = x!.shape[i] === 1 ? 0 : strides[i]!));
    return memory.hold(gatherLattice(memory, out.type, out.shape, elementsOf(x!), { offset: 0, steps }));
  };

const transpose: ArrayPrimitive<"transpose"> =
  (memory) =>
  (out, [x], { axes }) => {
    const strides = rowMajorStrides(x!.shape);
    const steps = axes.map((axis) => strides[axis]!);
    return memory.hold(gatherLattice(memory, out.type, out.shape, elementsOf(x!), { offset: 0, steps }));
  };

const reverse: ArrayPrimitive<"reverse"> =
  (memory) =>
  (out, [x], { axes }) => {
    const steps = rowMajorStrides(out.shape);
    let offset = 0;
    for (const axis of axes) {
      offset += (out.shape[axis]! - 1) * steps[axis]!;
      steps[axis] = -steps[axis]!;
    }
    return memory.hold(gatherLattice(memory, out.type, out.shape, elementsOf(x!), { offset, steps }));
  };

type PadAxis = readonly [low: number, high: number, interior: number];

/** The elements of one axis that padding keeps, and where the first of them goes. */
function keptAlong([low, , interior]: PadAxis, size: number, outSize: number) {
  const step = interior + 1;
  const first = Math.max(0, Math.ceil(-low / step));
  const last = Math.min(size - 1, Math.floor((outSize - 1 - low) / step));
  return { first, count: last - first + 1, to: low + first * step, step };
}

/** Fills with the value, then places what is left of `x`: interior padding spreads it, negative padding crops after that. */
const pad: ArrayPrimitive<"pad"> =
  (memory) =>
  (out, [x, value], { config }) => {
    const elements = memory.unset(out.type, out.shape);
    const kept = config.map((axis, i) => keptAlong(axis, x!.shape[i]!, out.shape[i]!));
    const box: Shape = kept.map(({ count }) => count);
    const covered = box.every((count) => count > 0);
    if (!covered || sizeOf(box) < sizeOf(out.shape)) fillWith(out.type, elements, elementsAs(out.type, value!));
    if (!covered) return memory.hold(elements);
    const [inner, outer] = [rowMajorStrides(x!.shape), rowMajorStrides(out.shape)];
    const from = { offset: dot(inner, (i) => kept[i]!.first), steps: inner };
    const to = { offset: dot(outer, (i) => kept[i]!.to), steps: outer.map((stride, i) => stride * kept[i]!.step) };
    const source = elementsAs(out.type, x!);
    copyLattice(memory, out.type, box, source, from, elements, to);
    dropCopy(memory, x!, source);
    return memory.hold(elements);
  };

/** Offset of a position, given per axis. */
function dot(strides: readonly number[], position: (axis: number) => number): number {
  return strides.reduce((sum, stride, axis) => sum + stride * position(axis), 0);
}

const concatenate: ArrayPrimitive<"concatenate"> =
  (memory) =>
  (out, inputs, { axis }) => {
    const elements = memory.unset(out.type, out.shape);
    const steps = rowMajorStrides(out.shape);
    let offset = 0;
    for (const input of inputs) {
      const from = { offset: 0, steps: rowMajorStrides(input.shape) };
      const source = elementsAs(out.type, input);
      copyLattice(memory, out.type, input.shape, source, from, elements, { offset, steps });
      dropCopy(memory, input, source);
      offset += input.shape[axis]! * steps[axis]!;
    }
    return memory.hold(elements);
  };

/** The primitives that only move elements. */
export const movement = { reshape, broadcast, transpose, pad, reverse, concatenate };
