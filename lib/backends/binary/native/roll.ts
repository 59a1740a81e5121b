/**
 * Elements of an axis that begin elsewhere: those from one position on, then those before it. The composite in `lib/nx/shape` joins two
 * slices, and this gives the same elements.
 */
import type { Template } from "../../../backend";
import { rowMajorStrides } from "../../../core/shape";
import type { Tensor } from "../../../tensor";
import { copyLattice } from "../../arrays/copy";
import type { ArrayMemory } from "../../arrays/memory";
import { elementsOf, type Elements } from "../../arrays/storage";

/** Options of the block "roll": the first elements of the axis, `cut` of them, come last; at least one, and not all. */
export interface Roll {
  readonly axis: number;
  readonly cut: number;
}

/** The block "roll". */
export function roll(
  { type, shape }: Template,
  [x]: readonly Tensor[],
  options: object,
  memory: ArrayMemory,
): Elements {
  const { axis, cut } = options as Roll;
  const source = elementsOf(x!);
  const result = memory.unset(type, shape);
  const steps = rowMajorStrides(shape);
  const [step, size] = [steps[axis]!, shape[axis]!];
  const part = (from: number, to: number, length: number): void => {
    const box = shape.map((dim, i) => (i === axis ? length : dim));
    copyLattice(memory, type, box, source, { offset: from * step, steps }, result, { offset: to * step, steps });
  };
  part(cut, 0, size - cut);
  part(0, size - cut, cut);
  return result;
}
