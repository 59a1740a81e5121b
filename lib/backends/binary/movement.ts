/**
 * Moving elements about without looking at them: reshape, broadcast, transpose, pad, reverse, concatenate.
 */
import { rowMajorStrides, sizeOf } from "../../core/shape";
import { copyLattice, fillWith, gatherLattice } from "../arrays/copy";
import { dropCopy, elementsAs } from "../arrays/operands";
import { keptByPadding } from "../arrays/padding";
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

export const reverse: ArrayPrimitive<"reverse"> =
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

/** Fills with the value, then places what is left of `x`: interior padding spreads it, negative padding crops after that. */
export const pad: ArrayPrimitive<"pad"> =
  (memory) =>
  (out, [x, value], { config }) => {
    const elements = memory.unset(out.type, out.shape);
    const { shape, from, to } = keptByPadding(x!.shape, out.shape, config);
    const covered = shape.every((count) => count > 0);
    if (!covered || sizeOf(shape) < sizeOf(out.shape)) fillWith(out.type, elements, elementsAs(out.type, value!));
    if (!covered) return memory.hold(elements);
    const source = elementsAs(out.type, x!);
    copyLattice(memory, out.type, shape, source, from, elements, to);
    dropCopy(memory, x!, source);
    return memory.hold(elements);
  };

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

/** The primitives that only move elements, and that every program has. */
export const movement = { reshape, broadcast, transpose, concatenate };
