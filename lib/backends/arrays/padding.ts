/**
 * Which elements padding keeps, and where they go. Knows shapes, not arrays.
 */
import type { Attrs } from "../../backend";
import { rowMajorStrides, type Shape } from "../../core/shape";

/** A box of elements in a tensor: from the one at `offset` on, each so many elements from the one before. */
interface Lattice {
  readonly offset: number;
  readonly steps: readonly number[];
}

/** The elements of a tensor that are left when it is padded, where they are and where they go. */
interface Kept {
  /** How many there are along each axis. */
  readonly shape: Shape;
  readonly from: Lattice;
  readonly to: Lattice;
}

type PadAxis = Attrs["pad"]["config"][number];

/** The elements of one axis that are left, and where the first of them goes. */
function keptAlong([low, , interior]: PadAxis, size: number, outSize: number) {
  const step = interior + 1;
  const first = Math.max(0, Math.ceil(-low / step));
  const last = Math.min(size - 1, Math.floor((outSize - 1 - low) / step));
  return { first, count: Math.max(0, last - first + 1), to: low + first * step, step };
}

/** Interior padding spreads elements, negative padding crops after that. */
export function keptByPadding(from: Shape, to: Shape, config: readonly PadAxis[]): Kept {
  const kept = config.map((axis, i) => keptAlong(axis, from[i]!, to[i]!));
  const [inner, outer] = [rowMajorStrides(from), rowMajorStrides(to)];
  return {
    shape: kept.map(({ count }) => count),
    from: { offset: kept.reduce((sum, { first }, i) => sum + first * inner[i]!, 0), steps: inner },
    to: {
      offset: kept.reduce((sum, each, i) => sum + each.to * outer[i]!, 0),
      steps: outer.map((stride, i) => stride * kept[i]!.step),
    },
  };
}
