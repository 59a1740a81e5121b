/**
 * Padding of tensors in the ways that ONNX has.
 */
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";

type Sides = readonly (readonly [low: number, high: number])[];

/** How each mode that goes on with entries of the tensor is called here. */
const MODES = { edge: "replicate", wrap: "cyclic", reflect: "reflect" } as const;

/** Adds entries at both ends of each axis, or takes them away where a number is negative. */
export function padded(x: Tensor, sides: Sides, mode: "constant" | keyof typeof MODES, fill: Tensor): Tensor {
  if (mode === "constant") return Nx.pad(x, fill, sides) as Tensor;
  const counts = (of: (a: number, b: number) => number): Sides => sides.map(([low, high]) => [of(low, 0), of(high, 0)]);
  return Nx.pad(Nx.padOuter(x, MODES[mode], counts(Math.max)), 0, counts(Math.min)) as Tensor;
}
