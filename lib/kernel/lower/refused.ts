/**
 * Which operands integer ops refuse: zero divisors and negative shifts. A kernel cannot refuse anything, so whoever wants one
 * for such an op has to look at its second operand before.
 */
import { isInteger, isUnsigned, is64Bit, type DType } from "../../core/types";
import type { BinaryOp } from "../../ops";
import type { Elements } from "../operand";

type Refusing = "divisor" | "count";

/** The operands that an op with this result type refuses; null where it takes all. */
export function refusing(op: BinaryOp, out: DType): Refusing | null {
  if (op === "quotient" || op === "remainder") return isInteger(out) ? "divisor" : null;
  return (op === "leftShift" || op === "rightShift") && isInteger(out) && !isUnsigned(out) ? "count" : null;
}

/**
 * Whether the first `size` elements of a second operand were looked at and are all fine, so that it may be called
 * `accepted`. False also for ops that refuse nothing, which need not ask.
 */
export function isAccepted(op: BinaryOp, out: DType, type: DType, elements: Elements, size: number): boolean {
  const what = refusing(op, out);
  if (what === null) return false;
  if (is64Bit(type)) return what === "divisor" ? !hasWideZero(elements, size) : !hasWideNegative(elements, size);
  if (what === "count") return isUnsigned(type) || !hasNegative(elements, size);
  return elements.length === size ? !elements.includes(0) : !elements.subarray(0, size).includes(0);
}

/** The same of a number that is the second operand for all elements. */
export function isAcceptedNumber(op: BinaryOp, out: DType, value: number): boolean {
  const what = refusing(op, out);
  if (what === null || !Number.isSafeInteger(value)) return false;
  return what === "divisor" ? value !== 0 : value >= 0;
}

function hasNegative(elements: Elements, size: number): boolean {
  for (let i = 0; i < size; i++) if (elements[i]! < 0) return true;
  return false;
}

function hasWideZero(elements: Elements, size: number): boolean {
  for (let i = 0; i < 2 * size; i += 2) if ((elements[i]! | elements[i + 1]!) === 0) return true;
  return false;
}

/** Of u64 too, whose largest numbers a signed result takes for negative ones. */
function hasWideNegative(elements: Elements, size: number): boolean {
  for (let i = 1; i < 2 * size; i += 2) if ((elements[i]! | 0) < 0) return true;
  return false;
}
