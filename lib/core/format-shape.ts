/** Shapes as text. */
import type { Names } from "./shape";

/** Shape in the way tensors print it: `[x: 2][3]`; a scalar is `[]`. */
export function formatShape(shape: readonly (number | string)[], names?: Names): string {
  if (shape.length === 0) return "[]";
  return shape.map((dim, i) => (names?.[i] == null ? `[${dim}]` : `[${names[i]}: ${dim}]`)).join("");
}
