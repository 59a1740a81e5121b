/**
 * Padding of tensors in the ways that ONNX has.
 */
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { pick, range } from "../operator";

type Sides = readonly (readonly [low: number, high: number])[];

/** Adds entries at both ends of each axis, or takes them away where a number is negative. */
export function padded(x: Tensor, sides: Sides, mode: "constant" | "reflect" | "edge" | "wrap", fill: Tensor): Tensor {
  if (mode === "constant") return Nx.pad(x, fill, sides) as Tensor;
  return sides.reduce((t, [low, high], axis) => {
    if (low === 0 && high === 0) return t;
    const size = t.shape[axis]!;
    return pick(
      t,
      axis,
      range(low + size + high).map((i) => SOURCES[mode](i - low, size)),
    );
  }, x);
}

const modulo = (a: number, n: number): number => ((a % n) + n) % n;

/** Which entry of an axis is repeated at a position beyond its ends. */
const SOURCES = {
  edge: (at: number, size: number): number => Math.min(size - 1, Math.max(0, at)),
  wrap: (at: number, size: number): number => modulo(at, size),
  reflect: (at: number, size: number): number => {
    if (size === 1) return 0;
    const place = modulo(at, 2 * size - 2);
    return place < size ? place : 2 * size - 2 - place;
  },
} as const;
