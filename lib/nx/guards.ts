/**
 * Guards: telling tensors from other values.
 */
import { Tensor, type Operand } from "../tensor";
import { isScalar } from "./dispatch";

export function isTensor(value: unknown): value is Operand {
  return value instanceof Tensor || isScalar(value);
}
